//! SURFACE_STATE of textures, and the surfaces that no texture message reads (§10.2, §10.9).
use super::format::{Format, MONO8};
use super::layout::Layout;
use super::message::{Detail, Task};
use crate::gen6::eu::data::descriptor::Descriptor;
use crate::gen6::eu::data::surface::{self, Tiling};

/// Number of DWords of a SURFACE_STATE.
pub(super) const DWORDS: usize = 6;
/// The highest level that a surface can have.
const LAST_LEVEL: u32 = 13;
/// All faces of a cube.
const ALL_FACES: u32 = 63;

/// The type of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Line,
    Plane,
    Volume,
    Cube,
    Buffer,
}

/// A surface that the sampler reads.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub kind: Kind,
    pub format: &'static Format,
    /// Width, height and depth in pixels, at least 1.
    pub size: [u32; 3],
    /// Array elements, or cubes of an array.
    pub layers: u32,
    /// The number of the last level, counted from the first one.
    pub last_level: u32,
    /// The most detailed level.
    pub first_level: u32,
    /// The first array element.
    pub first_layer: u32,
    /// Elements of a buffer.
    pub entries: u32,
    /// Samples of a pixel: 1 or 4.
    pub samples: u32,
    /// Index of the positions of the samples.
    pub positions: u32,
    /// Whether the surface is a field: every second line of a frame.
    pub is_field: bool,
    /// The faces of a cube that are enabled, one bit each.
    pub faces: u32,
    /// Whether the corners of a cube are averages.
    pub averages: bool,
    pub layout: Layout,
}

impl Surface {
    /// The surface of a state; none for a null surface.
    ///
    /// # Errors
    /// The property that makes the surface invalid for all messages.
    pub fn decode(dwords: &[u32; DWORDS]) -> Result<Option<Surface>, &'static str> {
        let bits = |dword: usize, high: u32, low: u32| Descriptor(dwords[dword]).bits(high, low);
        let kind = match bits(0, 31, 29) {
            0 => Kind::Line,
            1 => Kind::Plane,
            2 => Kind::Volume,
            3 => Kind::Cube,
            4 => Kind::Buffer,
            7 => return Ok(None),
            _ => return Err("a reserved type of surface"),
        };
        let format = Format::of(bits(0, 26, 18)).ok_or("a format that the sampler does not read")?;
        let (width, height, depth) = (bits(2, 18, 6), bits(2, 31, 19), bits(3, 31, 21));
        let (last_level, first_level) = (bits(2, 5, 2), bits(4, 31, 28));
        let samples = match bits(4, 6, 4) {
            0 => 1,
            2 => 4,
            _ => return Err("a reserved number of multisamples"),
        };
        let tiling = Tiling::from_state(bits(3, 1, 1), bits(3, 0, 0));
        let pitch = bits(3, 19, 3) as usize + 1;
        let origin = [4 * bits(5, 31, 25) as usize, 2 * bits(5, 23, 20) as usize];
        let is_field = bits(0, 12, 12) == 1;
        let has_levels = last_level + first_level > 0;
        let is_simple = kind == Kind::Plane && depth == 0 && !has_levels;
        let is_tiled = tiling != Tiling::Linear;
        let wrong = [
            (first_level + last_level > LAST_LEVEL, "more than 14 levels"),
            (samples > 1 && (kind != Kind::Plane || has_levels), "multisamples of a surface that is no plane of one level"),
            (samples > 1 && (format.bits > 64 || format.is_compressed() || format.pair.is_some()), "multisamples of this format"),
            (kind == Kind::Cube && width != height, "a cube whose faces are not square"),
            (kind == Kind::Line && height > 0, "a one-dimensional surface with a height"),
            (is_field && (!is_simple || samples > 1 || format.is_compressed()), "a field of a surface that is no simple plane"),
            (is_tiled && kind == Kind::Buffer, "a buffer in tiles"),
            (is_tiled && !pitch.is_multiple_of(tiling.width()), "a pitch that is no multiple of the tile width"),
            (!is_tiled && origin != [0, 0], "an offset without tiles"),
            (origin != [0, 0] && (format.is_compressed() || !is_whole(format.bits)), "an offset with this format"),
            (
                format.pair.is_some() && (kind != Kind::Plane || has_levels),
                "chroma of pairs in a surface that is no plane of one level",
            ),
        ];
        if let Some((_, reason)) = wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
            return Err(reason);
        }
        let size = [width + 1, height + 1, if kind == Kind::Volume { depth + 1 } else { 1 }];
        let field = is_field.then_some(bits(0, 11, 11) as usize);
        let layout = Layout {
            bytes: surface::Layout { base: dwords[1], pitch, tiling },
            origin,
            field,
            alignment: if bits(5, 24, 24) == 1 { 4 } else { 2 },
            right: bits(0, 10, 10) == 1,
            is_volume: kind == Kind::Volume,
            // The samples of a pixel are 2 × 2 pixels of a larger surface.
            size: if samples == 4 { [2 * size[0], 2 * size[1], size[2]] } else { size },
            block: format.block() as u32,
            bits: format.bits as usize,
        };
        Ok(Some(Surface {
            kind,
            format,
            size,
            layers: depth + 1,
            last_level,
            first_level,
            first_layer: bits(4, 27, 17),
            entries: ((depth & 0x7f) << 20 | height << 7 | width & 0x7f) + 1,
            samples,
            positions: bits(4, 2, 0),
            is_field,
            faces: bits(0, 5, 0),
            averages: bits(0, 9, 9) == 1,
            layout,
        }))
    }

    /// Checks that a message supports the surface.
    ///
    /// # Errors
    /// The property that it does not support.
    pub fn check(&self, task: Task) -> Result<(), &'static str> {
        let Surface { kind, format, .. } = *self;
        let is_map = kind == Kind::Plane || kind == Kind::Cube;
        let reads_mono = matches!(task, Task::Sample { detail: Detail::Given(_), reference: None });
        let compares = matches!(task, Task::Sample { reference: Some(_), .. });
        let gathers = task == Task::Gather;
        let filters = matches!(task, Task::Sample { .. } | Task::Gather | Task::Lod);
        let reads = filters || task == Task::Load;
        let is_alone = matches!(format.code, 0x0e0..=0x0e5);
        let wrong = [
            (filters && kind == Kind::Buffer, "a buffer is not filtered"),
            (filters && format.is_integer, "integers are not filtered"),
            (task == Task::Load && kind == Kind::Cube, "ld does not read cubes"),
            (reads && format.code == MONO8 && !reads_mono, "only sample_l reads MONO8"),
            (reads_mono && format.code == MONO8 && !self.is_mono_map(), "MONO8 in a surface that is no plane of one level"),
            (compares && kind == Kind::Volume, "volumes are not compared"),
            (compares && !is_compared(format.code), "a format that is not compared"),
            (compares && kind == Kind::Cube && is_alone, "cubes of this format are not compared"),
            (gathers && !is_map, "load4 reads planes and cubes only"),
            (gathers && !is_gathered(format.code), "a format that load4 does not read"),
            (self.samples > 1 && (compares || gathers), "multisamples are not compared or gathered"),
        ];
        wrong.into_iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(()), |(_, reason)| Err(reason))
    }

    fn is_mono_map(&self) -> bool {
        self.kind == Kind::Plane && self.last_level + self.first_level == 0
    }

    /// Whether all faces of a cube are enabled.
    pub fn has_all_faces(&self) -> bool {
        self.faces == ALL_FACES
    }

    /// Width, height and depth of a level as filters see it: with the samples of each pixel.
    pub fn level_size(&self, level: u32) -> [i64; 3] {
        self.layout.level_size(level).map(i64::from)
    }
}

/// Whether an element of so many bits can start at an offset.
fn is_whole(bits: u32) -> bool {
    matches!(bits, 8 | 16 | 32 | 64 | 128)
}

/// Whether the sampler compares a format with a reference value.
fn is_compared(code: u32) -> bool {
    matches!(code, 0x088 | 0x0d8 | 0x0d9 | 0x0e0..=0x0e5 | 0x10a)
}

/// Whether `load4` reads a format.
fn is_gathered(code: u32) -> bool {
    matches!(code, 0x088 | 0x090 | 0x0d8 | 0x0d9 | 0x0e2 | 0x0e5 | 0x10a | 0x10b | 0x10e | 0x113 | 0x117 | 0x140 | 0x141 | 0x144)
}
