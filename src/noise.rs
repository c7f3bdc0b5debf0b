//! Block and global noise estimates of an original plane (§2.5, §2.6).
use crate::format::Rect;
use crate::parameters::field::parameters;
use crate::plane::PlaneView;
use dndi_simd::Kernels;

parameters! {
    /// Parameters of the noise estimate.
    NoiseParameters {
        /// edge strength below which a pixel qualifies, in code values
        bne_edge_th: u8 = 1 in 0..=15;
        /// range of the differences to the median below which a pixel qualifies, in code values
        bne_noise_th: u8 = 20 in 0..=31;
    }
}

/// Width of a block in pixels.
const BLOCK: usize = 16;

/// Sum and number of the block estimates below 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub sum: u64,
    pub count: u64,
}

impl Sums {
    /// The global noise estimate (GNE), the mean; 0 without such blocks.
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

/// Histogram of the block estimates; 255 are the blocks in which no pixel qualifies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Distribution(pub [u32; 256]);

impl Default for Distribution {
    fn default() -> Distribution {
        Distribution([0; 256])
    }
}

/// The estimate of a frame or of a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Estimate {
    /// The estimates of all blocks with the caller's thresholds; zeros unless [`Input::all`].
    pub all: Sums,
    /// The estimates of the sampled rows of blocks with [`EDGE_TH`] and [`RANGE_TH`]; zeros unless
    /// [`Input::sampled`].
    pub sampled: Distribution,
}

impl std::ops::AddAssign for Estimate {
    fn add_assign(&mut self, other: Estimate) {
        self.all += other.all;
        self.sampled.0.iter_mut().zip(other.sampled.0).for_each(|(count, more)| *count += more);
    }
}

/// `bne_edge_th` of automatic denoising, whatever the caller's parameter is: the default, with
/// which the levels in `adapt/noise_level.rs` were calibrated on Gaussian noise. Another value
/// requires another calibration.
const EDGE_TH: u8 = 1;

/// `bne_noise_th` of automatic denoising, whatever the caller's parameter is: its maximum. With the
/// default of 20 hardly any block of heavy noise qualifies, and noise of standard deviation 12 and
/// 16 gives the same estimate. Another value requires another calibration.
const RANGE_TH: u8 = 31;

/// Distance of the rows of blocks that automatic denoising samples, in rows: 4, less for pictures
/// of fewer than 4096 blocks, so that at least 1024 blocks are sampled where there are as many.
/// Larger distances sample fewer blocks and make the level unsteady; smaller ones take more time.
fn stride(rows: usize, columns: usize) -> usize {
    (rows * columns / 1024).clamp(1, 4)
}

/// Input of the estimate.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub kernels: &'a Kernels,
    pub parameters: &'a NoiseParameters,
    /// Lines from one vertical neighbour to the next: 2 interlaced, 1 progressive.
    pub step: isize,
    /// Lines of a block: 4 when deinterlacing, 8 otherwise.
    pub lines: usize,
    /// The original frame.
    pub current: PlaneView<'a>,
    /// Width and height of the picture.
    pub size: (usize, usize),
    /// Whether all blocks are estimated.
    pub all: bool,
    /// Whether the blocks of the sampled rows are estimated.
    pub sampled: bool,
}

/// Estimates the blocks of a rectangle whose corner lies on the grid of blocks. `least` is a
/// scratch buffer of one value per pixel of a line.
pub(crate) fn tile(input: &Input, rect: Rect, least: &mut [u8]) -> Estimate {
    let mut estimate = Estimate::default();
    let least = &mut least[..rect.width];
    let stride = stride(input.size.1.div_ceil(input.lines), input.size.0.div_ceil(BLOCK));
    for top in (rect.y..rect.y + rect.height).step_by(input.lines) {
        if input.all {
            let NoiseParameters { bne_edge_th, bne_noise_th } = *input.parameters;
            for bne in row_of_blocks(input, rect, top, [bne_edge_th, bne_noise_th], least) {
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

/// The estimates of a row of blocks with these thresholds.
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
