//! The prediction of parts of lines from the lines around them and from the adjacent frames.

use super::line_pictures::{LinePictures, distance, is_whole};
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, with_capacity};
use std::ops::Range;

/// Samples of a line that have one motion: as many as a small object has. Longer spans mix the
/// motion of several objects, shorter ones follow noise.
const SPAN: usize = 16;

/// Samples on either side of them whose lines are compared, too.
const PAD: usize = 8;

/// Lines and samples each way in which motion from one frame to the next is searched. Lines are
/// those of the same field.
const REACH: [isize; 2] = [8, 20];

/// The distance that a motion by so many samples or lines must save per compared sample: 1/64 each.
/// Without it still areas follow their noise.
const MOTION_COST: u32 = 64;

/// The lines that are compared, at most.
const LINES: usize = 6;

/// Errors below this, in code values of 8 bits, weigh alike: they are noise.
const NOISE: f64 = 0.5;

/// A part of a line as its surroundings predict it.
pub(super) struct Prediction {
    pub samples: Vec<i32>,
    /// The mean error that each sample is expected to have, in code values of 8 bits.
    pub errors: Vec<f32>,
}

/// An adjacent frame at the place to which the motion leads.
struct Match<'a, S> {
    /// The samples of the line itself.
    samples: &'a [S],
    /// The mean distance of the lines around it.
    error: f64,
    /// The error that the mean of the lines above and below has there.
    spatial_error: f64,
}

impl<S: PlaneSample> LinePictures<'_, S> {
    /// Predicts a part of line `y`: the mean of `lines`, which are those above and below, and the
    /// same line in the frames before and after, moved so that the lines around it agree, each with
    /// the inverse square of its error as a weight. Lines with `runs` there are not compared.
    pub fn predict(
        &self,
        y: usize,
        part: &Range<usize>,
        lines: [usize; 2],
        runs: &[Vec<Range<usize>>],
    ) -> Result<Prediction, OutOfMemory> {
        let mut prediction = Prediction { samples: with_capacity(part.len())?, errors: with_capacity(part.len())? };
        let mut start = part.start;
        while start < part.end {
            let end = if part.end - start < SPAN + SPAN / 2 { part.end } else { start + SPAN };
            self.predict_span(y, start..end, lines, runs, &mut prediction);
            start = end;
        }
        Ok(prediction)
    }

    fn predict_span(
        &self,
        y: usize,
        span: Range<usize>,
        lines: [usize; 2],
        runs: &[Vec<Range<usize>>],
        prediction: &mut Prediction,
    ) {
        let wide = span.start.saturating_sub(PAD)..(span.end + PAD).min(self.width);
        let (mut compared, mut count) = ([0; LINES], 0);
        let other_field = [-1, 1, -3, 3].into_iter().filter_map(|distance| self.below(y, distance));
        let two = &lines[..if lines[0] == lines[1] { 1 } else { 2 }];
        for line in two.iter().copied().chain(other_field.filter(|&line| is_whole(&runs[line], &wide))) {
            (compared[count], count) = (line, count + 1);
        }
        let matches = [self.before, self.after].map(|samples| self.best_match(samples, y, &wide, lines, &compared[..count]));
        let weight = |error: f64| 1.0 / ((error + NOISE) * (error + NOISE));
        let spatial_error = matches.iter().flatten().map(|found| found.spatial_error).fold(0.0, f64::max);
        let spatial = if matches.iter().flatten().next().is_some() { weight(spatial_error) } else { 1.0 };
        let (mut weights, mut errors) = (spatial, spatial * spatial_error);
        for found in matches.iter().flatten() {
            weights += weight(found.error);
            errors += weight(found.error) * found.error;
        }
        let first = span.start - wide.start;
        for (index, x) in span.enumerate() {
            let mut sum = spatial * f64::from(self.mean(x, lines));
            for found in matches.iter().flatten() {
                sum += weight(found.error) * f64::from(found.samples[first + index].signed());
            }
            prediction.samples.push((sum / weights).round() as i32);
            prediction.errors.push((errors / weights) as f32);
        }
    }

    /// The place in an adjacent frame where the lines `compared` agree best with those of this
    /// frame; none if no place has all of them. Of equal places the first in the search, which
    /// begins without motion, counts.
    fn best_match<'b>(
        &'b self,
        samples: &'b [S],
        y: usize,
        wide: &Range<usize>,
        lines: [usize; 2],
        compared: &[usize],
    ) -> Option<Match<'b, S>> {
        let count = (compared.len() * wide.len()) as u32;
        let in_order = |reach: isize, step: usize| (0..=reach).step_by(step).flat_map(|v| [-v, v]).skip(1);
        let there = |line: usize, [dx, dy]: [isize; 2]| {
            let start = line.checked_add_signed(dy)? * self.width + wide.start.checked_add_signed(dx)?;
            samples.get(start..start + wide.len())
        };
        let mut best: Option<(u32, [isize; 2])> = None;
        for dy in in_order(REACH[0], 2) {
            if compared.iter().chain([&y]).any(|&line| self.below(line, dy).is_none()) {
                continue;
            }
            let mut pairs: [[&[S]; 2]; LINES] = [[&[]; 2]; LINES];
            for (pair, &line) in pairs.iter_mut().zip(compared) {
                *pair = [self.line(self.now, line), self.line(samples, line.saturating_add_signed(dy))];
                pair[0] = &pair[0][wide.clone()];
            }
            for dx in in_order(REACH[1], 1) {
                let (start, length) = (wide.start.wrapping_add_signed(dx), wide.len());
                if start > self.width - length {
                    continue;
                }
                let mut cost = ((dx.unsigned_abs() + dy.unsigned_abs()) as u32 * count / MOTION_COST) << self.deep;
                let least = best.map_or(u32::MAX, |(least, _)| least);
                for [now, there] in &pairs[..compared.len()] {
                    cost += distance(now, &there[start..start + length]);
                    if cost >= least {
                        break;
                    }
                }
                if cost < least {
                    best = Some((cost, [dx, dy]));
                }
            }
        }
        let (cost, motion) = best?;
        let [above, below] = [there(lines[0], motion)?, there(lines[1], motion)?];
        let samples = there(y, motion)?;
        let mean = |x: usize| (above[x].signed() + below[x].signed() + 1) >> 1;
        let spatial: u32 = (0..wide.len()).map(|x| mean(x).abs_diff(samples[x].signed())).sum();
        let of_8_bits = f64::from(1 << self.deep);
        Some(Match {
            samples,
            error: f64::from(cost) / f64::from(count) / of_8_bits,
            spatial_error: f64::from(spatial) / wide.len() as f64 / of_8_bits,
        })
    }
}
