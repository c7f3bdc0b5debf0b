//! Block and global noise estimates of the original luma (§2.5, §2.6).
use crate::parameters::parameters;
use crate::surface::{Rect, View};
use dndi_simd::Kernels;

parameters! {
    /// Parameters of the noise estimate.
    NoiseParameters {
        /// a pixel qualifies while its edge strength is below it
        bne_edge_th = 1 in 0..=15;
        /// a pixel qualifies while the range of its differences to the median is below it
        bne_noise_th = 20 in 0..=31;
    }
}

/// Width of a block.
const BLOCK: usize = 16;

/// Sum and number of the blocks' estimates below 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub sum: u64,
    pub count: u64,
}

impl Sums {
    /// The global noise estimate; 0 without such blocks.
    pub fn gne(self) -> u64 {
        self.sum.checked_div(self.count).unwrap_or(0)
    }
}

impl std::ops::AddAssign for Sums {
    fn add_assign(&mut self, other: Sums) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

/// An estimate of a frame, or a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Estimate {
    /// Of all blocks; of none where they were not wanted.
    pub all: Sums,
    /// Of the sampled rows of blocks.
    pub sampled: Sums,
}

impl std::ops::AddAssign for Estimate {
    fn add_assign(&mut self, other: Estimate) {
        self.all += other.all;
        self.sampled += other.sampled;
    }
}

/// Rows of blocks from one that automatic denoising looks at to the next, so that it costs little. Small pictures have no rows to spare.
fn stride(rows: usize) -> usize {
    if rows < 32 { 1 } else { 4 }
}

/// What the estimate reads.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub kernels: &'a Kernels,
    pub parameters: &'a NoiseParameters,
    /// Lines from one neighbour to the next: 2 interlaced, 1 progressive.
    pub step: isize,
    /// Lines of a block: 4 when deinterlacing, 8 otherwise.
    pub lines: usize,
    /// The original frame.
    pub current: View<'a>,
    /// Width and height of the picture.
    pub size: (usize, usize),
    /// Whether all blocks are wanted, or only those of sampled rows.
    pub all: bool,
}

impl Input<'_> {
    /// Blocks in the sampled rows of the picture.
    pub fn sampled_blocks(&self) -> u64 {
        let rows = self.size.1.div_ceil(self.lines);
        (rows.div_ceil(stride(rows)) * self.size.0.div_ceil(BLOCK)) as u64
    }
}

/// Estimates the blocks of a rectangle whose corner lies on their grid. `least` is room for one value per pixel of a line.
pub(crate) fn tile(input: &Input, rect: Rect, least: &mut [u8]) -> Estimate {
    let mut estimate = Estimate::default();
    let (edge_th, noise_th) = (input.parameters.bne_edge_th as u8, input.parameters.bne_noise_th as u8);
    let least = &mut least[..rect.width];
    let stride = stride(input.size.1.div_ceil(input.lines));
    for top in (rect.y..rect.y + rect.height).step_by(input.lines) {
        let sampled = (top / input.lines).is_multiple_of(stride);
        if !(sampled || input.all) {
            continue;
        }
        least.fill(255);
        for y in top..(top + input.lines).min(rect.y + rect.height) {
            let rows = [-1, 0, 1].map(|line| input.current.row(y as isize + line * input.step, rect.x as isize, rect.width));
            (input.kernels.noise)(least, rows, edge_th, noise_th);
        }
        let mut sums = Sums::default();
        for block in least.chunks(BLOCK) {
            let bne = block.iter().copied().min().unwrap_or(255);
            if bne < 255 {
                sums += Sums { sum: bne.into(), count: 1 };
            }
        }
        if input.all {
            estimate.all += sums;
        }
        if sampled {
            estimate.sampled += sums;
        }
    }
    estimate
}
