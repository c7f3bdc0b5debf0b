//! The messages `resinfo` and `sampleinfo`: properties of a surface (§10.7).
use super::message::Request;
use super::surface::{Kind, Surface};
use super::texel::CHANNELS;

/// Width, height, depth or layers, and levels.
pub(super) fn size(request: &Request, pixel: usize, surface: &Surface) -> [u32; CHANNELS] {
    if surface.kind == Kind::Buffer {
        return [surface.entries, 0, 0, 0];
    }
    let (lod, levels) = (request.bits(pixel, 0), surface.last_level + 1);
    if lod > surface.last_level {
        return [0, 0, 0, levels];
    }
    let [width, height, depth] = surface.size.map(|size| (size >> (lod + surface.first_level)).max(1));
    // A surface without array has no layers.
    let layers = if surface.layers > 1 { surface.layers } else { 0 };
    match surface.kind {
        Kind::Line => [width, layers, 0, levels],
        Kind::Volume => [width, height, depth, levels],
        _ => [width, height, layers, levels],
    }
}

/// The number of samples, and the index of their positions.
pub(super) fn samples(surface: &Surface) -> [u32; CHANNELS] {
    [surface.samples, 0, 0, surface.positions + 1]
}
