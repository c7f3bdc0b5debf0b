//! Parts of lines that may be drop-outs, by a test of each sample.

use super::line_pictures::LinePictures;
use crate::format::MAX_SIZE;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, reserve};
use std::ops::Range;

/// A sample differs from another one if they are more than this apart, in code values of 8 bits.
/// Tuned with those below on the interlaced clips of the corpus with drop-outs of 20 samples and
/// more: 12 leaves up to 1.8 times as much of the damage, 4 takes noise of sigma 16 for drop-outs.
pub(super) const DIFFERENCE: i32 = 8;

/// Lines of the same field on each side of which one differs: drop-outs of two lines are found.
const LINES_OF_FIELD: isize = 3;

/// Samples that are first compared with the frames before and after alone, and whose steps are
/// compared.
const BLOCK: usize = 32;

/// Steps of a block of noise: their least mean in code values of 8 bits, and the least ratio to
/// those of all lines around, in percent. Noise over fine texture lies within its values. Without
/// rough blocks 78 % of the damage of the zone plate is removed, with them 86 %. At 125 the clean
/// cups clip has a tenth more runs than at 150.
const LEAST_STEP: u32 = 20;
const ROUGHER: u32 = 140;

/// Joins samples to runs: each one adds to the score, and takes from it if it is as expected.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    start: usize,
    score: i32,
    best: i32,
    end: usize,
}

impl Score {
    /// The points that a sample that differs adds to the score of a run, and another one takes.
    /// With 1 and 1 the clean street clip loses 0.2 dB.
    pub const GAIN: i32 = 2;
    pub const LOSS: i32 = -3;
    /// The least score of a run: that of 10 samples that differ.
    const LEAST: i32 = 20;
    /// A run ends where the score is this much below its maximum.
    const END: i32 = 24;

    pub fn new(start: usize) -> Score {
        Score { start, ..Score::default() }
    }

    /// Adds the points of sample `x`, and returns the run that ends here.
    pub fn add(&mut self, x: usize, points: i32, is_last: bool) -> Option<Range<usize>> {
        self.score += points;
        if self.score > self.best {
            (self.best, self.end) = (self.score, x + 1);
        }
        if self.score > 0 && self.score >= self.best - Score::END && !is_last {
            return None;
        }
        let run = (self.best >= Score::LEAST).then_some(self.start..self.end);
        *self = Score::new(x + 1);
        run
    }
}

impl<S: PlaneSample> LinePictures<'_, S> {
    /// Finds the runs of line `y` whose samples lie outside those of the frames before and after,
    /// of the other field, and of the lines above and below, or whose steps are greater than all of
    /// these have.
    pub fn suspects(&self, y: usize, runs: &mut Vec<Range<usize>>) -> Result<(), OutOfMemory> {
        runs.clear();
        let of_field = |step: isize| {
            let line = |k: isize| self.line(self.now, self.below(y, step * k).unwrap_or(y));
            [line(2), line(4), line(2 * LINES_OF_FIELD)]
        };
        let sides = match (self.below(y, -2), self.below(y, 2)) {
            (None, None) => return Ok(()),
            (None, Some(_)) => [of_field(1); 2],
            (Some(_), None) => [of_field(-1); 2],
            _ => [of_field(-1), of_field(1)],
        };
        let now = self.line(self.now, y);
        let other = [self.below(y, -1), self.below(y, 1)];
        let Some([above, below]) = other[0].or(other[1]).zip(other[1].or(other[0])).map(<[usize; 2]>::from) else {
            return Ok(());
        };
        let [before, after] = [self.line(self.before, y), self.line(self.after, y)];
        let [other_above, other_below] = [self.line(self.now, above), self.line(self.now, below)];
        let difference = DIFFERENCE << self.deep;
        let [above, below] = sides;
        let differs = |x: usize| {
            let (low, high) = (before[x].min(after[x]), before[x].max(after[x]));
            let (low, high) = (low.min(other_above[x]).min(other_below[x]), high.max(other_above[x]).max(other_below[x]));
            let least = (above[0][x].min(above[1][x]).min(above[2][x])).max(below[0][x].min(below[1][x]).min(below[2][x]));
            let most = (above[0][x].max(above[1][x]).max(above[2][x])).min(below[0][x].max(below[1][x]).max(below[2][x]));
            let v = now[x].signed();
            v - difference > high.max(least).signed() || v + difference < low.min(most).signed()
        };
        let around = [before, after, other_above, other_below, above[0], below[0]];
        let is_rough = |block: Range<usize>| {
            let own = steps(&now[block.clone()]);
            let least = (LEAST_STEP << self.deep) * block.len() as u32;
            own > least
                && around.iter().all(|line| 100 * u64::from(own) > u64::from(ROUGHER) * u64::from(steps(&line[block.clone()])))
        };
        // Most blocks of most lines are like the frames before and after.
        let mut kinds = [Block::Like; MAX_SIZE.div_ceil(BLOCK)];
        let blocks = now.chunks(BLOCK).zip(before.chunks(BLOCK)).zip(after.chunks(BLOCK));
        for (index, (((now, before), after), kind)) in blocks.zip(&mut kinds).enumerate() {
            if !is_between(now, [before, after], difference) {
                let rough = is_rough(index * BLOCK..index * BLOCK + now.len());
                *kind = if rough { Block::Rough } else { Block::Other };
            }
        }
        if kinds.iter().all(|kind| *kind == Block::Like) {
            return Ok(());
        }
        let mut score = Score::default();
        for x in 0..self.width {
            let is_suspect = match kinds[x / BLOCK % kinds.len()] {
                Block::Like => false,
                Block::Rough => true,
                Block::Other => differs(x),
            };
            if let Some(run) = score.add(x, if is_suspect { Score::GAIN } else { Score::LOSS }, x + 1 == self.width) {
                reserve(runs, runs.len() + 1)?;
                runs.push(run);
            }
        }
        Ok(())
    }
}

/// A block of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    /// All samples lie between those of the frames before and after.
    Like,
    /// Its steps are far greater than those around.
    Rough,
    Other,
}

/// The sum of the steps from one sample to the next.
fn steps<S: PlaneSample>(line: &[S]) -> u32 {
    line.windows(2).map(|pair| pair[0].signed().abs_diff(pair[1].signed())).sum()
}

/// Whether all samples lie between those of the two other pictures, or outside by at most
/// `difference`.
fn is_between<S: PlaneSample>(now: &[S], [before, after]: [&[S]; 2], difference: i32) -> bool {
    let mut is_outside = false;
    for ((now, before), after) in now.iter().zip(before).zip(after) {
        let now = now.signed();
        is_outside |= now - difference > before.max(after).signed() || now + difference < before.min(after).signed();
    }
    !is_outside
}
