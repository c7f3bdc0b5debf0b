//! The lines of a field that the descriptor of a message chooses in place of the surface state.
use crate::gen6::eu::data::descriptor::Descriptor;
use crate::gen6::eu::data::surface::Surface;

/// Replaces the vertical line stride of a surface by bits 9:8 of the descriptor, if bit 10 is set.
/// The height follows.
///
/// # Errors
/// The reason why the surface has no fields.
pub(super) fn replace(surface: &mut Surface, descriptor: Descriptor) -> Result<(), &'static str> {
    if descriptor.bits(10, 10) == 0 {
        return Ok(());
    }
    let field = descriptor.bits(9, 9) == 1;
    match (surface.field, field) {
        (None, true) if !surface.height.is_multiple_of(2) => return Err("a frame of an odd number of lines has no fields"),
        (None, true) => surface.height /= 2,
        (Some(_), false) => surface.height *= 2,
        _ => {}
    }
    surface.field = field.then_some(descriptor.bits(8, 8) as usize);
    Ok(())
}
