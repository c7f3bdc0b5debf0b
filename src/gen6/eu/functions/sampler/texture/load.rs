//! The message `ld`: the texel at integer coordinates (§10.7).
use super::message::Request;
use super::surface::{Kind, Surface};
use super::texel::{CHANNELS, element};
use crate::gen6::eu::functions::context::FunctionContext;

/// Numbers of the parameters.
const V: usize = 1;
const R: usize = 2;
const LOD: usize = 3;
const SAMPLE: usize = 4;
/// The last of four samples.
const LAST_SAMPLE: u32 = 3;

/// The bits of the channels of the texel of a pixel.
pub(super) fn load(context: FunctionContext, request: &Request, pixel: usize, surface: &Surface) -> [u32; CHANNELS] {
    let (memory, format) = (context.memory, surface.format);
    let outputs = |element: u128, x: u32, y: u32| format.loaded(element, (x as usize % 4, y as usize % 4), context.palettes);
    let parameter = |number| request.bits(pixel, number);
    if surface.kind == Kind::Buffer {
        let number = parameter(0);
        return if number < surface.entries { outputs(surface.layout.entry(memory, number), 0, 0) } else { format.outside() };
    }
    let Some((level, slice, [x, y])) = texel(request, pixel, surface) else { return format.outside() };
    let (x, y) = match surface.samples {
        4 => {
            let sample = parameter(SAMPLE).min(LAST_SAMPLE);
            (2 * x + (sample >> 1), 2 * y + (sample & 1))
        }
        _ => (x, y),
    };
    outputs(element(memory, surface, level, slice, [x, y]), x, y)
}

/// The level, the slice, and the column and row in pixels; none outside the surface.
fn texel(request: &Request, pixel: usize, surface: &Surface) -> Option<(u32, u32, [u32; 2])> {
    let lod = request.bits(pixel, LOD);
    let level = (lod <= surface.last_level).then(|| lod + surface.first_level)?;
    let offsets = request.offsets();
    let size = surface.size.map(|size| (size >> level).max(1));
    let coordinate = |axis: usize| {
        let index = i64::from(request.bits(pixel, axis) as i32) + offsets[axis];
        u32::try_from(index).ok().filter(|index| *index < size[axis])
    };
    let layer = |number: usize| {
        let layer = request.bits(pixel, number);
        (layer < surface.layers).then(|| layer + surface.first_layer)
    };
    Some(match surface.kind {
        Kind::Line => (level, layer(V)?, [coordinate(0)?, 0]),
        Kind::Volume => (level, coordinate(R)?, [coordinate(0)?, coordinate(V)?]),
        _ => (level, layer(R)?, [coordinate(0)?, coordinate(V)?]),
    })
}
