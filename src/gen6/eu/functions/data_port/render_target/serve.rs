//! The message.
use super::format::Format;
use super::payload::{Kind, array_index, pixels};
use super::place::Target;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::data_port::commit;
use crate::gen6::eu::functions::range::{STATELESS, surface_state, unsupported};

/// A surface without memory.
const NULL: u32 = 7;

/// Processes a message. None if its type does not exist.
pub(in crate::gen6::eu::functions::data_port) fn serve(
    context: FunctionContext,
    message: &Message,
) -> Result<Option<Vec<Writeback>>, MessageError> {
    let Some(kind) = Kind::of(message.descriptor.bits(10, 8)) else { return Ok(None) };
    let pixels = pixels(message, kind)?;
    let refused = |reason| unsupported(message, reason);
    if message.descriptor.binding() == STATELESS {
        return Err(refused("render targets are never stateless"));
    }
    let state = surface_state(context, message)?;
    let response = commit::response(message);
    if state.surface_type == NULL {
        return Ok(Some(response));
    }
    let format = Format::of(state.surface_format).ok_or_else(|| refused("a format that is no render target"))?;
    let Some(target) = Target::of(state, format.bytes()).map_err(refused)? else { return Ok(Some(response)) };
    if kind == Kind::Replicated && !target.is_tiled() {
        return Err(refused("one colour for all pixels of a surface without tiles"));
    }
    let index = array_index(message)?;
    for pixel in pixels {
        if let Some((byte, line)) = target.element(pixel.x, pixel.y, index) {
            target.layout().write(context.memory, byte, line, &format.element(pixel.color)[..format.bytes()]);
        }
    }
    Ok(Some(response))
}
