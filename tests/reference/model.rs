//! The reference model: §1 to §4.1, §8.3, §14 to §16 and, for 9 to 16 bits, §9.2 and §9.3 of the
//! specification, pixel by pixel. Each read clamps its own coordinates. The model shares no code
//! with the library; names and section numbers are those of the specification.

mod angle;
mod balanced;
mod best;
mod chroma;
mod deinterlace;
pub mod denoise;
pub mod denoise_motion;
mod film;
mod motion;
pub mod noise;
mod params;
pub mod picture;
mod search;
mod sequence;

pub use balanced::Network;
pub use params::Params;
pub use sequence::{run, scene_cuts};

/// Chroma format of a clip (§1.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    Mono,
    C420,
    C411,
    C422,
    C444,
}

impl Sampling {
    /// Size of a chroma plane for `width`×`height` luma (§1.2); 0×0 for mono.
    pub fn chroma_size(self, width: usize, height: usize) -> (usize, usize) {
        match self {
            Sampling::Mono => (0, 0),
            Sampling::C420 => (width.div_ceil(2), height.div_ceil(2)),
            Sampling::C411 => (width.div_ceil(4), height),
            Sampling::C422 => (width.div_ceil(2), height),
            Sampling::C444 => (width, height),
        }
    }
}

/// Whether lines alternate between two fields, and which one is first in time (§1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    Progressive,
    TopFirst,
    BottomFirst,
}

/// Chroma format of the deinterlaced frames. 4:4:4 and mono are always unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chroma {
    /// That of the input, except 4:2:2 for 4:1:1.
    Same,
    /// The internal format of the deinterlacer.
    C422,
    /// From 4:2:2: averages of line pairs.
    C420,
    /// From 4:2:2: the upper line of each pair.
    C420Drop,
}

/// The algorithm that completes fields to frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deinterlacer {
    /// §3.
    Gen6,
    /// §14.
    Balanced,
    /// §15.
    Best,
}

/// The tiles of a woven output that are deinterlaced, row by row. Lines below the last row belong
/// to it; columns right of the last tile are not marked.
#[derive(Clone, Debug)]
pub struct Mask {
    pub columns: usize,
    pub tile_width: usize,
    pub tile_height: usize,
    pub tiles: Vec<bool>,
}

/// Frames whose planes have no padding; the chroma planes of mono are empty.
#[derive(Clone, Debug)]
pub struct Clip {
    pub width: usize,
    pub height: usize,
    pub sampling: Sampling,
    /// Bits per sample, 8 to 16: n of §9.
    pub depth: u32,
    pub frames: Vec<[Vec<u16>; 3]>,
}

/// Options of the processing.
#[derive(Clone, Debug)]
pub struct Options {
    pub scan: Scan,
    pub denoise: bool,
    /// Parameters of the chroma's denoise filter; none with chroma denoising off.
    pub chroma_denoise: Option<Params>,
    /// No effect on a progressive clip.
    pub deinterlace: bool,
    pub deinterlacer: Deinterlacer,
    /// No effect without deinterlacing: outputs then have the format of the input.
    pub chroma: Chroma,
    pub params: Params,
    /// The weights of the deflicker filter (§13.12); none with it off. Only for
    /// `Deinterlacer::Gen6`.
    pub deflicker: Option<[i32; 8]>,
    /// Cadence codes (prev2, cur1) of each step (§3.8). Missing codes and those of step 0 count as
    /// 0. The entry after the last step is the end of the stream; only a prev2 of 1 has an effect.
    pub cadence: Vec<(u8, u8)>,
    /// The comb mask of each output. Missing ones are empty. Only for `Deinterlacer::Balanced`.
    pub masks: Vec<Option<Mask>>,
}

/// An output frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// In fields: `cur1(N)` has 2N and `prev2(N)` has 2N + 1 (§1.4). A frame that is not
    /// deinterlaced has 2N.
    pub time: u64,
    pub planes: [Vec<u16>; 3],
}

/// The statistics row of a step (§8.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub step: u64,
    pub gne_sum: u64,
    pub gne_count: u64,
    pub gne: u64,
    pub v: [u64; 11],
    pub motion_blocks: u64,
    pub history_sum: u64,
    pub stmm_sum: u64,
}
