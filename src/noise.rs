//! Block and global noise estimates of the original luma (§2.5, §2.6).
use crate::format::Rect;
use crate::parameters::field::parameters;
use crate::plane::PlaneView;
use dndi_simd::Kernels;

parameters! {
    /// Parameters of the noise estimate.
    NoiseParameters {
        /// a pixel qualifies while its edge strength is below it
        bne_edge_th: u8 = 1 in 0..=15;
        /// a pixel qualifies while the range of its differences to the median is below it
        bne_noise_th: u8 = 20 in 0..=31;
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

/// How many blocks have each estimate; 255 where none of their pixels qualifies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Distribution(pub [u32; 256]);

impl Default for Distribution {
    fn default() -> Distribution {
        Distribution([0; 256])
    }
}

/// An estimate of a frame, or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Estimate {
    /// Of all blocks; of none where they were not wanted.
    pub all: Sums,
    /// Of the sampled rows of blocks, in which pixels of any range that there is ([`RANGE_TH`]) qualify.
    pub sampled: Distribution,
}

impl std::ops::AddAssign for Estimate {
    fn add_assign(&mut self, other: Estimate) {
        self.all += other.all;
        self.sampled.0.iter_mut().zip(other.sampled.0).for_each(|(count, more)| *count += more);
    }
}

/// What automatic denoising estimates with in place of the parameters: the default, and the greatest there is, for with 20 few blocks are left of
/// heavy noise, which then look alike.
const EDGE_TH: u8 = 1;
const RANGE_TH: u8 = 31;

/// Rows of blocks from one that automatic denoising looks at to the next, so that it costs little and small pictures have blocks enough.
fn stride(rows: usize, columns: usize) -> usize {
    (rows * columns / 1024).clamp(1, 4)
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
    pub current: PlaneView<'a>,
    /// Width and height of the picture.
    pub size: (usize, usize),
    /// Whether all blocks are wanted.
    pub all: bool,
    /// Whether those of sampled rows are.
    pub sampled: bool,
}

/// Estimates the blocks of a rectangle whose corner lies on their grid. `least` is room for one value per pixel of a line.
pub(crate) fn tile(input: &Input, rect: Rect, least: &mut [u8]) -> Estimate {
    let mut estimate = Estimate::default();
    let least = &mut least[..rect.width];
    let stride = stride(input.size.1.div_ceil(input.lines), input.size.0.div_ceil(BLOCK));
    for top in (rect.y..rect.y + rect.height).step_by(input.lines) {
        if input.all {
            let NoiseParameters { bne_edge_th, bne_noise_th } = *input.parameters;
            for bne in row_of_blocks(input, rect, top, [bne_edge_th as u8, bne_noise_th as u8], least) {
                if bne < 255 {
                    estimate.all += Sums { sum: bne.into(), count: 1 };
                }
            }
        }
        if input.sampled && (top / input.lines).is_multiple_of(stride) {
            for bne in row_of_blocks(input, rect, top, [EDGE_TH, RANGE_TH], least) {
                estimate.sampled.0[bne as usize] += 1;
            }
        }
    }
    estimate
}

/// The estimates of a row of blocks.
fn row_of_blocks(
    input: &Input,
    rect: Rect,
    top: usize,
    [edge_th, range_th]: [u8; 2],
    least: &mut [u8],
) -> impl Iterator<Item = u8> {
    least.fill(255);
    for y in top..(top + input.lines).min(rect.y + rect.height) {
        let rows = [-1, 0, 1].map(|line| input.current.row(y as isize + line * input.step, rect.x as isize, rect.width));
        (input.kernels.noise)(least, rows, edge_th, range_th);
    }
    least.chunks(BLOCK).map(|pixels| pixels.iter().copied().min().unwrap_or(255))
}
