//! The reference model: the specification's §1 to §4.1 and §8.3, pixel by pixel, every read clamped where it is made.
//! It shares nothing with the library; names and section numbers are the specification's.

mod angle;
mod chroma;
mod deinterlace;
mod denoise;
mod film;
mod motion;
mod noise;
mod params;
mod picture;
mod search;
mod sequence;

pub use params::Params;
pub use sequence::run;

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
    /// Width and height of a chroma plane beside `width`×`height` luma (§1.2); 0×0 where there is none.
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

/// Chroma format of the deinterlaced frames. 4:4:4 and monochrome always stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chroma {
    /// The input's, but 4:2:2 for 4:1:1.
    Same,
    /// What the deinterlacer makes.
    C422,
    /// Made from 4:2:2 by averaging pairs of lines.
    C420,
    /// Made from 4:2:2 by keeping the upper line of each pair.
    C420Drop,
}

/// Frames with tight planes; the chroma planes of monochrome are empty.
#[derive(Clone, Debug)]
pub struct Clip {
    pub width: usize,
    pub height: usize,
    pub sampling: Sampling,
    pub frames: Vec<[Vec<u8>; 3]>,
}

/// How a clip is processed.
#[derive(Clone, Debug)]
pub struct Options {
    pub scan: Scan,
    pub denoise: bool,
    /// Without effect on a progressive clip.
    pub deinterlace: bool,
    /// Without effect when nothing is deinterlaced: frames then leave in the format they came in.
    pub chroma: Chroma,
    pub params: Params,
    /// Cadence codes (prev2, cur1) of each step (§3.8). Missing ones are 0, those of step 0 are taken as 0. The entry after the
    /// last step is the end of the stream: its prev2 counts, and only when it is 1.
    pub cadence: Vec<(u8, u8)>,
}

/// One frame out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// In units of a field: cur1(N) is at 2N, prev2(N) at 2N+1; a frame that was not deinterlaced at 2N.
    pub time: u64,
    pub planes: [Vec<u8>; 3],
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
