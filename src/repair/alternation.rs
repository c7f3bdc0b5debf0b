//! Differences of windows of samples over frames whose subcarriers have equal or opposite phases.

use crate::frame::PlaneSample;

/// Samples on each side of the middle of a window, and lines of the same field above and below it.
/// Tuned with the limits of the comb filter on the corpus, decoded from composite video: 8 samples
/// and 2 lines remove 74 % of the error in still parts of cups and not 80 %; 3 samples of one line
/// take 2.5 times as much of clean chroma for crosstalk.
const REACH: [usize; 2] = [4, 1];
/// Samples of a window.
pub(super) const AREA: i32 = ((2 * REACH[0] + 1) * (2 * REACH[1] + 1)) as i32;
/// Lines of a window.
const LINES: usize = 2 * REACH[1] + 1;
/// Columns that are summed at once.
const COLUMNS: usize = 256;

/// A window is still if frames of equal phases differ by at most this in the mean, in code values
/// of 8 bits. Tuned with the next one on the corpus, decoded from composite video.
const STILL: i32 = 3;
/// In noise they may differ by this many quarters of the lower quartile of all windows, as long as
/// that is at most [`NOISE`] code values: more is motion.
const NOISE_QUARTERS: i32 = 5;
const NOISE: i32 = 5;
/// Steps of a code value in which the quartile is measured, in every eighth window of every eighth
/// line.
const NOISE_STEPS: i32 = 16;
const NOISE_COLUMNS: usize = 8;
const NOISE_LINES: usize = 8;

/// A plane of four frames, each half a period of the crosstalk after the one before. Those at the
/// ends can be missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Four<'a, S> {
    pub before: Option<&'a [S]>,
    pub first: &'a [S],
    pub second: &'a [S],
    pub after: Option<&'a [S]>,
    pub width: usize,
    pub height: usize,
}

/// The differences of the samples of a window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    /// The greater one of the sums of absolute differences between the frames of equal phases.
    pub equal: i32,
    /// The sum of absolute differences between the two frames in the middle, of opposite phases.
    pub opposite: i32,
    /// The sum of these differences.
    pub sum: i32,
}

impl<S: PlaneSample> Four<'_, S> {
    /// Calls `take` with the window around each sample of line `y`. Lines and samples outside are
    /// those of the border of the field.
    pub fn windows(&self, y: usize, mut take: impl FnMut(usize, Window)) {
        let Four { before, first, second, after, width, height } = *self;
        let last = (height - y % 2).div_ceil(2) - 1;
        // The lines of the same field around line `y`.
        let lines: [usize; LINES] = std::array::from_fn(|k| 2 * (y / 2 + k).saturating_sub(REACH[1]).min(last) + y % 2);
        let mut columns = [[0; COLUMNS + 2 * REACH[0]]; 4];
        for start in (0..width).step_by(COLUMNS) {
            let count = COLUMNS.min(width - start);
            // The columns of the picture among those of the windows.
            let (left, right) = (start.saturating_sub(REACH[0]), (start + count + REACH[0]).min(width));
            let at = left + REACH[0] - start;
            let [of_before, of_after, opposite, sum] = &mut columns;
            for sums in [&mut *of_before, &mut *of_after, &mut *opposite, &mut *sum] {
                sums[at..at + right - left].fill(0);
            }
            for line in lines {
                let range = line * width + left..line * width + right;
                let [first, second] = [first, second].map(|samples| &samples[range.clone()]);
                for (((&a, &b), sum), opposite) in first.iter().zip(second).zip(&mut sum[at..]).zip(&mut opposite[at..]) {
                    let difference = a.signed() - b.signed();
                    *sum += difference;
                    *opposite += difference.abs();
                }
                let ends = [(before, second, &mut *of_before), (after, first, &mut *of_after)];
                for (end, middle, sums) in ends {
                    let Some(end) = end else { continue };
                    for ((&a, &b), sum) in end[range.clone()].iter().zip(middle).zip(&mut sums[at..]) {
                        *sum += (a.signed() - b.signed()).abs();
                    }
                }
            }
            let used = count + 2 * REACH[0];
            for sums in &mut columns {
                let (first, last) = (sums[at], sums[at + right - left - 1]);
                sums[..at].fill(first);
                sums[at + right - left..used].fill(last);
            }
            let mut window = columns.each_ref().map(|sums| sums[..2 * REACH[0]].iter().sum::<i32>());
            for x in 0..count {
                for (window, sums) in window.iter_mut().zip(&columns) {
                    *window += sums[x + 2 * REACH[0]];
                }
                let [of_before, of_after, opposite, sum] = window;
                take(start + x, Window { equal: of_before.max(of_after), opposite, sum });
                for (window, sums) in window.iter_mut().zip(&columns) {
                    *window -= sums[x];
                }
            }
        }
    }

    /// The greatest difference between frames of equal phases in a still window. `area` is that of
    /// one code value of 8 bits.
    pub fn still_limit(&self, area: i32) -> i32 {
        let mut counts = [0usize; (NOISE * NOISE_STEPS) as usize + 1];
        let mut all = 0;
        for y in (0..self.height).step_by(NOISE_LINES) {
            self.windows(y, |x, window| {
                if x % NOISE_COLUMNS == 0 {
                    all += 1;
                    if let Some(count) = counts.get_mut((NOISE_STEPS * window.equal / area) as usize) {
                        *count += 1;
                    }
                }
            });
        }
        let mut below = 0;
        let quartile = counts.iter().position(|count| {
            below += count;
            4 * below >= all
        });
        let of_noise = quartile.map_or(0, |steps| steps as i32 * area / NOISE_STEPS * NOISE_QUARTERS / 4);
        of_noise.max(STILL * area)
    }
}
