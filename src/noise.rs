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

impl std::ops::AddAssign for Sums {
    fn add_assign(&mut self, other: Sums) {
        self.sum += other.sum;
        self.count += other.count;
    }
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
}

/// Estimates the blocks of a rectangle whose corner lies on their grid. `least` is room for one value per pixel of a line.
pub(crate) fn tile(input: &Input, rect: Rect, least: &mut [u8]) -> Sums {
    let mut sums = Sums::default();
    let (edge_th, noise_th) = (input.parameters.bne_edge_th as u8, input.parameters.bne_noise_th as u8);
    let least = &mut least[..rect.width];
    for top in (rect.y..rect.y + rect.height).step_by(input.lines) {
        least.fill(255);
        for y in top..(top + input.lines).min(rect.y + rect.height) {
            let rows = [-1, 0, 1].map(|line| input.current.row(y as isize + line * input.step, rect.x as isize, rect.width));
            (input.kernels.noise)(least, rows, edge_th, noise_th);
        }
        for block in least.chunks(BLOCK) {
            let bne = block.iter().copied().min().unwrap_or(255);
            if bne < 255 {
                sums += Sums { sum: bne.into(), count: 1 };
            }
        }
    }
    sums
}
