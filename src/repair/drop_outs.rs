//! Drop-outs: parts of lines that a tape lost.
//!
//! Parts of a line of one field that differ from the frames before and after and from the lines
//! around are suspects ([`suspects`](super::suspects)). A suspect is predicted from its
//! surroundings, along the motion of the lines around it
//! ([`line_prediction`](super::line_prediction)). It is a drop-out if it is far from the
//! prediction, and appears at no place nearby in the adjacent pictures. The last condition keeps
//! thin objects that move. Each plane is searched by itself.

use super::copy;
use super::line_pictures::{LinePictures, distance, is_whole};
use super::suspects::{DIFFERENCE, Score};
use crate::format::Format;
use crate::frame::{Frame, PlaneSample, Samples, SamplesMut};
use crate::memory::{OutOfMemory, reserve};
use rayon::prelude::*;
use std::ops::Range;

/// The least mean distance of a run from its replacement, in code values of 8 bits.
const LEAST_DISTANCE: u32 = 20;

/// The least distance of a run from its prediction, over the error that the prediction is expected
/// to have. With 4 the share of the damage of mobile that is removed is less by 1 %.
const OVER_ERROR: f64 = 2.5;

/// The same expectation in a frame with one adjacent frame is too low by this factor: areas that a
/// moving object uncovers are not in it.
const ONE_SIDED: f64 = 3.0;

/// The shortest run in such a frame. With 10 the first frame of the clean blocks clip has an error
/// of 0.6 levels squared, with 30 none.
const ONE_SIDED_LENGTH: usize = 30;

/// Samples on either side of a suspect that may belong to the drop-out.
const WIDER: usize = 40;

/// Points of a sample that is far from its prediction and within the values of the lines above and
/// below. With [`Score::GAIN`] the edges of fast objects are taken for drop-outs: the clean cups
/// clip has 46 runs instead of 19. With -2 the share of the damage of the zone plate that is
/// removed is less by 4 %.
const WITHIN: i32 = -1;

/// Lines and samples each way in which a run is searched in the adjacent pictures. With 8 and 12
/// thin moving objects of three of twelve clips are removed, with these of none.
const REACH: [isize; 2] = [14, 20];

/// Samples from which on a run is long: chance does not repeat it nearby. With 40 the clean street
/// clip has 112 runs instead of 61.
const LONG: usize = 96;

/// How far from a place nearby a run is found there, in percent of its distance from the prediction
/// and of the expected error: the run itself, and the lines above and below it. Shorter runs, then
/// long ones. A drop-out may have the value of an area nearby, but not its surroundings. With the
/// limits of short runs for long ones, too, 66 % of the damage of mobile is removed instead of 82
/// %.
const NEAR: [[[u64; 2]; 2]; 2] = [[[50, 100], [25, 100]], [[50, 50], [20, 25]]];

/// Lines of a field that a drop-out has, at most. More are an object that is not predicted.
const LINES: usize = 2;

/// Lines that a task of the thread pool searches.
const TASK_LINES: usize = 16;

/// Runs of samples of each line.
type Runs = Vec<Vec<Range<usize>>>;

/// Replaces drop-outs by the prediction of a motion compensated deinterlacer for a missing line:
/// the mean of the lines above and below and of the moved line of the frames before and after,
/// weighted by their errors.
///
/// It works on fields, so the field order does not matter, and progressive frames are repaired,
/// too. It runs on the rayon thread pool of its caller; the result does not depend on the number of
/// threads.
#[derive(Debug, Default)]
pub struct DropOutRepair {
    /// The frame before the next one to repair, as it was; empty before the first.
    previous: Frame,
    /// The frame that is repaired, as it was.
    original: Frame,
    suspects: Runs,
    lost: Runs,
}

impl DropOutRepair {
    /// Repairs the next frame of the clip in place; `next` is the frame after it, not repaired, or
    /// none at the end. Returns the number of runs that were replaced in all planes. The first and
    /// the last frame, and those whose format differs from that of one adjacent frame, are compared
    /// with the other adjacent frame alone; there, shorter drop-outs stay. A frame without an
    /// adjacent one of its format stays as it is.
    ///
    /// # Errors
    /// If there is no memory for a copy of the frame, or for its runs.
    pub fn repair(&mut self, frame: &mut Frame, next: Option<&Frame>) -> Result<usize, OutOfMemory> {
        copy(&mut self.original, frame)?;
        let format = frame.format();
        let is_same = |other: &&Frame| other.format() == format;
        let (previous, next) = (Some(&self.previous).filter(is_same), next.filter(is_same));
        let is_one_sided = previous.is_none() || next.is_none();
        let mut replaced = 0;
        if let Some((before, after)) = previous.or(next).zip(next.or(previous)) {
            for (index, plane) in frame.planes_mut().into_iter().enumerate() {
                let all = [before, &self.original, after].map(|frame| frame.planes()[index].samples);
                let memory = [&mut self.suspects, &mut self.lost];
                replaced += match plane.samples {
                    SamplesMut::U8(to) => repair_plane(to, all, index, format, is_one_sided, memory)?,
                    SamplesMut::U16(to) => repair_plane(to, all, index, format, is_one_sided, memory)?,
                };
            }
        }
        std::mem::swap(&mut self.previous, &mut self.original);
        Ok(replaced)
    }
}

/// Repairs a plane; returns the number of runs.
fn repair_plane<S: PlaneSample>(
    to: &mut [S],
    samples: [Samples<'_>; 3],
    index: usize,
    format: Format,
    is_one_sided: bool,
    [suspects, lost]: [&mut Runs; 2],
) -> Result<usize, OutOfMemory> {
    let [before, now, after] = samples.map(|samples| S::of(samples).unwrap_or_default());
    let (width, height) = format.plane_size(index);
    let pictures = LinePictures { before, now, after, width, height, deep: format.depth.clamp(8, 16) - 8 };
    if width == 0 || [before, now, after].iter().any(|samples| samples.len() < width * height) {
        return Ok(0);
    }
    for runs in [&mut *suspects, &mut *lost] {
        reserve(runs, height)?;
        runs.resize_with(height, Vec::new);
    }
    let lines = suspects.par_iter_mut().enumerate().with_min_len(TASK_LINES);
    lines.try_for_each(|(y, runs)| pictures.suspects(y, runs))?;
    let lines = lost.par_iter_mut().enumerate().with_min_len(TASK_LINES);
    lines.try_for_each(|(y, lost)| pictures.lost(y, suspects, is_one_sided, lost))?;
    let mut replaced = 0;
    for (y, runs) in lost.iter().enumerate() {
        for run in runs.iter().filter(|run| lines_of(lost, y, run) <= LINES) {
            let Some(lines) = pictures.neighbours(y, run, lost) else { continue };
            let prediction = pictures.predict(y, run, lines, lost)?;
            for (to, value) in to[y * width..][run.clone()].iter_mut().zip(prediction.samples) {
                *to = S::from_u32(value as u32);
            }
            replaced += 1;
        }
    }
    Ok(replaced)
}

/// The number of successive lines of a field that have runs below each other, with that of line
/// `y`.
fn lines_of(runs: &Runs, y: usize, run: &Range<usize>) -> usize {
    let beyond = |step: isize| {
        let (mut at, mut last) = (y, run);
        let next = std::iter::from_fn(|| {
            at = at.checked_add_signed(step)?;
            last = runs.get(at)?.iter().find(|other| !is_whole(std::slice::from_ref(last), other))?;
            Some(())
        });
        next.count()
    };
    1 + beyond(-2) + beyond(2)
}

impl<S: PlaneSample> LinePictures<'_, S> {
    /// Finds the drop-outs of line `y` among its suspects, with their true ends.
    fn lost(&self, y: usize, suspects: &Runs, is_one_sided: bool, lost: &mut Vec<Range<usize>>) -> Result<(), OutOfMemory> {
        lost.clear();
        let now = self.line(self.now, y);
        let mut known = 0;
        for (index, run) in suspects[y].iter().enumerate().filter(|(_, run)| !run.is_empty()) {
            let Some(lines) = self.neighbours(y, run, suspects) else { continue };
            if run.end <= known || !self.is_far_from_simple(y, run, lines) {
                continue;
            }
            // Most suspects are as predicted: only others are worth the search of their ends.
            let prediction = self.predict(y, run, lines, suspects)?;
            if !self.is_far(&now[run.clone()], &prediction.samples, self.expected(&prediction.errors)) {
                continue;
            }
            let next = suspects[y].get(index + 1).map_or(self.width, |next| next.start);
            let wide = run.start.saturating_sub(WIDER).max(known)..(run.end + WIDER).min(next.max(run.end));
            let Some(lines) = self.neighbours(y, &wide, suspects) else { continue };
            let prediction = self.predict(y, &wide, lines, suspects)?;
            let mut score = Score::new(wide.start);
            let predicted = wide.clone().zip(prediction.samples.iter().zip(&prediction.errors));
            for (x, (&value, &error)) in predicted {
                let [above, below] = lines.map(|line| self.now[line * self.width + x].signed());
                let limit = ((DIFFERENCE as f32 + error) * f32::from(1u16 << self.deep)) as u32;
                let (own, difference) = (now[x].signed(), DIFFERENCE << self.deep);
                let is_within = (above.min(below) - difference..=above.max(below) + difference).contains(&own);
                let points = match own.abs_diff(value) > limit {
                    true if is_within => WITHIN,
                    true => Score::GAIN,
                    false => Score::LOSS,
                };
                let Some(part) = score.add(x, points, x + 1 == wide.end) else { continue };
                let inside = part.start - wide.start..part.end - wide.start;
                let is_new = !is_whole(std::slice::from_ref(run), &part);
                let is_long = !is_one_sided || part.len() >= ONE_SIDED_LENGTH;
                let expected = self.expected(&prediction.errors[inside.clone()]) * if is_one_sided { ONE_SIDED } else { 1.0 };
                if is_new && is_long && self.is_lost(y, &part, lines, &prediction.samples[inside], expected) {
                    known = part.end;
                    reserve(lost, lost.len() + 1)?;
                    lost.push(part);
                }
            }
        }
        Ok(())
    }

    /// Whether a run is far from a simple replacement: the mean of the lines above and below,
    /// within the values of the frames before and after.
    fn is_far_from_simple(&self, y: usize, run: &Range<usize>, lines: [usize; 2]) -> bool {
        let mut own = 0;
        for x in run.clone() {
            let [before, now, after] = [self.before, self.now, self.after].map(|samples| samples[y * self.width + x].signed());
            own += now.abs_diff(self.mean(x, lines).clamp(before.min(after), before.max(after)));
        }
        own >= (LEAST_DISTANCE << self.deep) * run.len() as u32
    }

    /// The error that a prediction is expected to have in all samples, in code values.
    fn expected(&self, errors: &[f32]) -> f64 {
        errors.iter().map(|&error| f64::from(error)).sum::<f64>() * f64::from(1u16 << self.deep)
    }

    /// Whether samples are far from their prediction.
    fn is_far(&self, samples: &[S], prediction: &[i32], expected: f64) -> bool {
        let own = from_prediction(samples, prediction);
        own >= (LEAST_DISTANCE << self.deep) * samples.len() as u32 && f64::from(own) >= OVER_ERROR * expected
    }

    /// Whether a run is far from its prediction, and not like a place nearby in the frame before,
    /// the frame after, or the other field.
    fn is_lost(&self, y: usize, run: &Range<usize>, lines: [usize; 2], prediction: &[i32], expected: f64) -> bool {
        let now = self.line(self.now, y);
        if !self.is_far(&now[run.clone()], prediction, expected) {
            return false;
        }
        let own = from_prediction(&now[run.clone()], prediction);
        let limits = NEAR[usize::from(run.len() >= LONG)];
        let length = run.len() as u64;
        let [of_run, of_lines] = limits.map(|[of_own, of_expected]| of_own * u64::from(own) + of_expected * expected as u64);
        let [reach_down, reach_across] = REACH;
        for dy in -reach_down..=reach_down {
            let Some(there) = self.below(y, dy) else { continue };
            let around = lines.map(|line| (line, self.below(line, dy).unwrap_or(there)));
            for (samples, has_line) in [(self.before, true), (self.after, true), (self.now, dy % 2 != 0)] {
                if !has_line {
                    continue;
                }
                let line = |y: usize| self.line(samples, y);
                for dx in -reach_across..=reach_across {
                    let start = run.start.max(dx.min(0).unsigned_abs());
                    let end = run.end.min(self.width - dx.max(0).unsigned_abs().min(self.width));
                    if end.saturating_sub(start) * 2 < run.len() {
                        continue;
                    }
                    let moved = start.saturating_add_signed(dx)..end.saturating_add_signed(dx);
                    let from = |(here, there): (usize, usize)| {
                        100 * u64::from(distance(&self.line(self.now, here)[start..end], &line(there)[moved.clone()])) * length
                    };
                    let part = (end - start) as u64;
                    if from((y, there)) < of_run * part && from(around[0]) + from(around[1]) < 2 * of_lines * part {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// The sum of the distances of samples from their prediction.
fn from_prediction<S: PlaneSample>(samples: &[S], prediction: &[i32]) -> u32 {
    samples.iter().zip(prediction).map(|(now, &value)| now.signed().abs_diff(value)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampling;

    /// Frame `number` of a textured picture that moves to the right.
    fn frame(number: usize, sampling: Sampling, depth: u8) -> Frame {
        let format = Format::new(96, 48, sampling).with_depth(depth);
        let mut frame = Frame::new(format);
        for (index, plane) in frame.planes_mut().into_iter().enumerate() {
            let (width, _) = format.plane_size(index);
            let value = |i: usize| {
                let (x, y) = ((i % width) as f64 - number as f64, (i / width) as f64);
                (120.0 + 40.0 * (x / 5.0).sin() + 30.0 * (y / 7.0).cos()) as u16
            };
            match plane.samples {
                SamplesMut::U8(to) => to.iter_mut().enumerate().for_each(|(i, v)| *v = value(i) as u8),
                SamplesMut::U16(to) => to.iter_mut().enumerate().for_each(|(i, v)| *v = value(i) << (depth - 8)),
            }
        }
        frame
    }

    /// Sets samples of a line of a plane to `value` of 8 bits.
    fn lose(frame: &mut Frame, plane: usize, y: usize, run: Range<usize>, value: u16) {
        let (width, _) = frame.format().plane_size(plane);
        let deep = frame.format().depth - 8;
        let mut planes = frame.planes_mut();
        match &mut planes[plane].samples {
            SamplesMut::U8(to) => to[y * width..][run].fill(value as u8),
            SamplesMut::U16(to) => to[y * width..][run].fill(value << deep),
        }
    }

    fn greatest_distance(a: &Frame, b: &Frame) -> u32 {
        let value = |samples: Samples<'_>| match samples {
            Samples::U8(samples) => samples.iter().map(|&v| u32::from(v)).collect::<Vec<_>>(),
            Samples::U16(samples) => samples.iter().map(|&v| u32::from(v)).collect(),
        };
        value(a.samples()).iter().zip(value(b.samples())).map(|(&a, b)| a.abs_diff(b)).max().unwrap_or(0)
    }

    #[test]
    fn drop_outs_are_replaced_and_nothing_else() {
        for (sampling, depth) in [(Sampling::C420, 8), (Sampling::C444, 10), (Sampling::Mono, 16)] {
            let clean: Vec<Frame> = (0..5).map(|number| frame(number, sampling, depth)).collect();
            let mut damaged: Vec<Frame> = (0..5).map(|number| frame(number, sampling, depth)).collect();
            lose(&mut damaged[1], 0, 0, 0..96, 235);
            lose(&mut damaged[2], 0, 20, 30..60, 235);
            lose(&mut damaged[2], 0, 22, 25..60, 235);
            lose(&mut damaged[3], 0, 47, 50..96, 2);
            let in_chroma = usize::from(sampling != Sampling::Mono);
            if in_chroma == 1 {
                lose(&mut damaged[3], 2, 11, 4..40, 250);
            }
            let mut repair = DropOutRepair::default();
            for number in 0..5 {
                let mut now = damaged[number].try_clone().unwrap();
                let count = repair.repair(&mut now, damaged.get(number + 1)).unwrap();
                assert_eq!(count, [0, 1, 2, 1 + in_chroma, 0][number], "frame {number} of {sampling} {depth}");
                let distance = greatest_distance(&now, &clean[number]);
                assert!(distance <= 16 << (depth - 8), "frame {number} of {sampling} {depth}: {distance}");
                assert!(count > 0 || distance == 0, "frame {number} of {sampling} {depth}: {distance}");
            }
        }
    }

    #[test]
    fn thin_objects_that_move_are_kept() {
        let frames: Vec<Frame> = (0..5)
            .map(|number| {
                let mut frame = frame(number, Sampling::C420, 8);
                lose(&mut frame, 0, 8 + 6 * number, 20 + 4 * number..60 + 4 * number, 235);
                frame
            })
            .collect();
        let mut repair = DropOutRepair::default();
        for number in 0..5 {
            let mut now = frames[number].try_clone().unwrap();
            assert_eq!(repair.repair(&mut now, frames.get(number + 1)).unwrap(), 0, "frame {number}");
            assert_eq!(now, frames[number]);
        }
    }

    #[test]
    fn any_size_and_format_is_taken() {
        let mut repair = DropOutRepair::default();
        for (width, height) in [(1, 1), (2, 1), (1, 3), (40, 2), (3, 40), (41, 5)] {
            for depth in [8, 16] {
                let format = Format::new(width, height, Sampling::C420).with_depth(depth);
                let mut frames = [0, 1, 2].map(|_| Frame::new(format));
                lose(&mut frames[1], 0, height / 2, 0..width, 255);
                for number in 0..3 {
                    let mut now = frames[number].try_clone().unwrap();
                    repair.repair(&mut now, frames.get(number + 1)).unwrap();
                }
            }
        }
    }
}
