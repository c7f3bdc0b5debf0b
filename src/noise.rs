//! Block and global noise estimates of an original plane (§2.5, §2.6, §9.3).
use crate::format::Rect;
use crate::frame::PlaneSample;
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

/// Sum, in units of the samples, and number of the estimates of the blocks in which a pixel
/// qualifies.
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

/// Bits by which the histogram of block estimates is finer than 8-bit code values, at most. More
/// bits do not change the lowest tenth of the estimates, between whose neighbours the level is
/// interpolated.
pub(crate) const MAX_FINE: u8 = 2;

/// Histogram of the block estimates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Distribution {
    /// The number of blocks by estimate, in units of 1 / 2^`fine` 8-bit code values.
    pub counts: [u32; 256 << MAX_FINE],
    /// The number of blocks in which no pixel qualifies.
    pub none: u32,
    /// Resolution: 0 for samples of 8 bits, up to [`MAX_FINE`] for deeper ones.
    pub fine: u8,
}

impl Distribution {
    /// The histogram in 8-bit code values, if all estimates are multiples of one: samples of 8 bits
    /// that were raised without new bits.
    pub fn in_code_values(&self) -> Option<Distribution> {
        let step = 1 << self.fine;
        let is_whole = self.counts.iter().enumerate().all(|(estimate, &count)| count == 0 || estimate % step == 0);
        (self.fine > 0 && is_whole).then(|| {
            let mut whole = Distribution { none: self.none, ..Distribution::default() };
            whole.counts.iter_mut().zip(self.counts.iter().step_by(step)).for_each(|(count, &other)| *count = other);
            whole
        })
    }
}

impl Default for Distribution {
    fn default() -> Distribution {
        Distribution { counts: [0; 256 << MAX_FINE], none: 0, fine: 0 }
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
        let sampled = other.sampled;
        self.sampled.counts.iter_mut().zip(sampled.counts).for_each(|(count, more)| *count += more);
        self.sampled.none += sampled.none;
        self.sampled.fine = self.sampled.fine.max(sampled.fine);
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
pub(crate) struct Input<'a, S = u8> {
    pub kernels: &'a Kernels,
    pub parameters: &'a NoiseParameters,
    /// Bits per sample.
    pub depth: u8,
    /// Lines from one vertical neighbour to the next: 2 interlaced, 1 progressive.
    pub step: isize,
    /// Lines of a block: 4 when deinterlacing, 8 otherwise.
    pub lines: usize,
    /// The original frame.
    pub current: PlaneView<'a, S>,
    /// Width and height of the picture.
    pub size: (usize, usize),
    /// Whether all blocks are estimated.
    pub all: bool,
    /// Whether the blocks of the sampled rows are estimated.
    pub sampled: bool,
}

/// Estimates the blocks of a rectangle whose corner lies on the grid of blocks. `least` is a
/// scratch buffer of one value per pixel of a line.
pub(crate) fn tile<S: PlaneSample>(input: &Input<S>, rect: Rect, least: &mut [S]) -> Estimate {
    let mut estimate = Estimate::default();
    let e = input.depth - 8;
    estimate.sampled.fine = e.min(MAX_FINE);
    let least = &mut least[..rect.width];
    let stride = stride(input.size.1.div_ceil(input.lines), input.size.0.div_ceil(BLOCK));
    for top in (rect.y..rect.y + rect.height).step_by(input.lines) {
        if input.all {
            let NoiseParameters { bne_edge_th, bne_noise_th } = *input.parameters;
            for bne in row_of_blocks(input, rect, top, [bne_edge_th, bne_noise_th], least).flatten() {
                estimate.all += Sums { sum: bne.into(), count: 1 };
            }
        }
        if input.sampled && (top / input.lines).is_multiple_of(stride) {
            for bne in row_of_blocks(input, rect, top, [EDGE_TH, RANGE_TH], least) {
                match bne {
                    Some(bne) => estimate.sampled.counts[(bne >> (e - estimate.sampled.fine)) as usize] += 1,
                    None => estimate.sampled.none += 1,
                }
            }
        }
    }
    estimate
}

/// The estimates of a row of blocks with these thresholds, in units of the samples; none where no
/// pixel qualifies.
fn row_of_blocks<S: PlaneSample>(
    input: &Input<S>,
    rect: Rect,
    top: usize,
    [edge_th, range_th]: [u8; 2],
    least: &mut [S],
) -> impl Iterator<Item = Option<u32>> {
    let e = input.depth - 8;
    let none = 255 << e;
    least.fill(S::from_u32(none));
    for y in top..(top + input.lines).min(rect.y + rect.height) {
        let rows = [-1, 0, 1].map(|line| input.current.row(y as isize + line * input.step, rect.x as isize, rect.width));
        (S::kernels(input.kernels).noise)(least, rows, u16::from(edge_th) << e, u16::from(range_th) << e);
    }
    let block = move |pixels: &[S]| pixels.iter().copied().min().map(Into::into).filter(|&bne| bne < none);
    least.chunks(BLOCK).map(block)
}
