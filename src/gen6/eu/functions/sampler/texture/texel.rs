//! A texel as the filters read it: address modes, edges of cubes, chroma key, comparison (§10.4,
//! §10.7, §10.8).
use super::address::{self, Place};
use super::cube;
use super::format::Palette;
use super::state::{AddressMode, Sampler};
use super::surface::{Kind, Surface};
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::functions::sampler::pixels::{self, YCRCB_BLACK};

/// Number of channels: red, green, blue, alpha.
pub(super) const CHANNELS: usize = 4;
/// The element of a texel inside a level. Formats of pairs give the bytes Cr, Y, Cb.
pub(super) fn element(memory: &Memory, surface: &Surface, level: u32, slice: u32, [x, y]: [u32; 2]) -> u128 {
    let Some([luma, cb, cr]) = surface.format.pair else { return surface.layout.element(memory, level, slice, [x, y]) };
    let bytes = surface.layout.pair(memory, slice, [x, y]);
    let mut chroma = [bytes[cr], bytes[cb]];
    // The chroma of the second texel is the average of its own pair and the next one.
    if x % 2 == 1 && x + 1 < surface.layout.size[0] {
        let next = surface.layout.pair(memory, slice, [x + 1, y]);
        chroma = [(chroma[0], next[cr]), (chroma[1], next[cb])].map(|(a, b)| ((u16::from(a) + u16::from(b)) / 2) as u8);
    }
    let luma = bytes[luma + 2 * (x as usize % 2)];
    u128::from(chroma[0]) | u128::from(luma) << 8 | u128::from(chroma[1]) << 16
}

/// The palettes of a pixel's level, and all that reading its texels depends on.
#[derive(Debug)]
pub(super) struct Texels<'a> {
    pub memory: &'a Memory,
    pub palettes: &'a [Palette; 2],
    pub surface: &'a Surface,
    pub sampler: &'a Sampler,
    /// The value that texels are compared with.
    pub reference: Option<f64>,
    /// Whether a texel that was read matches a chroma key that kills.
    pub is_killed: bool,
}

impl Texels<'_> {
    /// The outputs of the texel at an index of each axis of a level, which may lie outside.
    pub fn at(&mut self, level: u32, place: Place, index: [i64; 3]) -> [f64; CHANNELS] {
        let size = self.surface.level_size(level);
        if self.surface.kind == Kind::Cube {
            return self.on_cube(level, place, [index[0], index[1]], size[0]);
        }
        let axes = address::axes(self.surface.kind);
        let inside: [Option<i64>; 3] = std::array::from_fn(|axis| match axis < axes {
            true => address::texel(index[axis], size[axis], self.sampler.modes[axis]),
            false => Some(0),
        });
        match inside {
            // The border of the third axis is 0.
            [_, _, None] => self.finished([0.0; CHANNELS]),
            [Some(x), Some(y), Some(z)] => {
                let slice = if self.surface.kind == Kind::Volume { z as u32 } else { place.slice };
                self.inside(level, slice, [x as u32, y as u32])
            }
            _ => self.border(),
        }
    }

    /// A texel of a cube.
    fn on_cube(&mut self, level: u32, place: Place, index: [i64; 2], size: i64) -> [f64; CHANNELS] {
        let Place { slice, face, .. } = place;
        let nearest = index.map(|i| i.clamp(0, size - 1));
        if self.sampler.modes[0] != AddressMode::Cube {
            return self.on_face(level, slice, face, nearest);
        }
        let [x, y] = index.map(|i| i.clamp(-1, size));
        let beyond = |texel: [i64; 2]| cube::neighbor(face, texel, size);
        match (x == nearest[0], y == nearest[1]) {
            (true, true) => self.on_face(level, slice, face, nearest),
            (false, false) => {
                let corner = self.on_face(level, slice, face, nearest);
                if !self.surface.averages {
                    return corner;
                }
                // The fourth texel of a corner does not exist.
                let (other, texel) = beyond([x, nearest[1]]);
                let across = self.on_face(level, slice, other, texel);
                let (other, texel) = beyond([nearest[0], y]);
                let down = self.on_face(level, slice, other, texel);
                std::array::from_fn(|channel| (corner[channel] + across[channel] + down[channel]) / 3.0)
            }
            _ => {
                let (other, texel) = beyond([x, y]);
                self.on_face(level, slice, other, texel)
            }
        }
    }

    /// A texel inside a face of a cube.
    fn on_face(&mut self, level: u32, slice: u32, face: usize, texel: [i64; 2]) -> [f64; CHANNELS] {
        if !cube::is_enabled(self.surface.faces, face) {
            return self.border();
        }
        self.inside(level, slice + face as u32, texel.map(|i| i as u32))
    }

    /// A texel inside a slice of a level.
    fn inside(&mut self, level: u32, slice: u32, texel: [u32; 2]) -> [f64; CHANNELS] {
        let format = self.surface.format;
        let element = element(self.memory, self.surface, level, slice, texel);
        if let Some(key) = self.sampler.key.filter(|key| pixels::matches(key.bounds, format.key(element))) {
            if key.is_black {
                let black = if format.pair.is_some() { YCRCB_BLACK } else { [0; CHANNELS] };
                return black.map(|code| f64::from(code) / 255.0);
            }
            self.is_killed = true;
        }
        let [x, y] = texel.map(|i| i as usize % 4);
        self.finished(format.values(element, (x, y), self.palettes))
    }

    /// The outputs of the border colour.
    fn border(&self) -> [f64; CHANNELS] {
        self.finished(self.surface.format.border(self.sampler.border))
    }

    /// The outputs of the values of a texel, which are compared first.
    fn finished(&self, mut values: [f64; CHANNELS]) -> [f64; CHANNELS] {
        if let (Some(reference), Some(channel)) = (self.reference, self.surface.format.single()) {
            values[channel] = if is_zero(self.sampler.function, values[channel], reference) { 0.0 } else { 1.0 };
        }
        self.surface.format.outputs(values)
    }
}

/// Whether a comparison gives 0. It does if it holds; with a NaN an order does, too.
fn is_zero(function: u32, texel: f64, reference: f64) -> bool {
    let unordered = texel.is_nan() || reference.is_nan();
    match function {
        0 => true,
        1 => false,
        2 => unordered || texel < reference,
        3 => texel == reference,
        4 => unordered || texel <= reference,
        5 => unordered || texel > reference,
        6 => texel != reference,
        _ => unordered || texel >= reference,
    }
}
