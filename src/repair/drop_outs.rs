//! Drop-outs: parts of lines that a tape lost.
//!
//! A drop-out is a run of samples in one line of one field that lie outside the values of the same
//! line in the frame before and the frame after, of the two adjacent lines of the other field, and
//! of the lines above and below in the same field, and that appear at no place nearby in these
//! pictures. The last condition keeps thin objects that move. Each plane is searched by itself.

use super::copy;
use crate::format::{Format, MAX_SIZE};
use crate::frame::{Frame, PlaneSample, Samples, SamplesMut};
use crate::memory::{OutOfMemory, reserve};
use rayon::prelude::*;
use std::ops::Range;

/// A sample differs from another one if they are more than this apart, in code values of 8 bits.
/// Tuned with those below on the interlaced clips of the corpus with drop-outs of 20 samples and
/// more: 12 leaves up to 1.8 times as much of the damage, 4 takes noise of sigma 16 for drop-outs.
const DIFFERENCE: i32 = 8;
/// The points that a sample that differs adds to the score of a run, and another one takes. With
/// 1 and 1 the clean street clip loses 0.2 dB.
const GAIN: i32 = 2;
const LOSS: i32 = 3;
/// The least score of a run: that of 10 samples that differ.
const LEAST_SCORE: i32 = 20;
/// A run ends where the score is this much below its maximum.
const END: i32 = 24;
/// The least mean distance of a run from its replacement, in code values of 8 bits.
const LEAST_DISTANCE: u64 = 20;
/// Lines and samples each way in which a run is searched in the adjacent pictures. With 8 and 12
/// thin moving objects of three of twelve clips are removed, with these of none.
const REACH: [isize; 2] = [14, 20];
/// Lines of the same field on each side of which one differs: drop-outs of two lines are found.
const LINES_OF_FIELD: isize = 3;
/// Samples that are first compared with the frames before and after alone.
const BLOCK: usize = 32;
/// Lines that a task of the thread pool searches.
const TASK_LINES: usize = 16;

/// Replaces drop-outs by the mean of the lines above and below, within the values of the frame
/// before and the frame after: the prediction of a deinterlacer for a missing line.
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
    runs: Vec<Vec<Range<usize>>>,
}

impl DropOutRepair {
    /// Repairs the next frame of the clip in place; `next` is the frame after it, not repaired, or
    /// none at the end. Returns the number of runs that were replaced in all planes. The first and
    /// the last frame stay as they are, and those whose format differs from that of an adjacent
    /// frame.
    ///
    /// # Errors
    /// If there is no memory for a copy of the frame.
    pub fn repair(&mut self, frame: &mut Frame, next: Option<&Frame>) -> Result<usize, OutOfMemory> {
        copy(&mut self.original, frame)?;
        let format = frame.format();
        let is_same = |other: &&Frame| other.format() == format;
        let (previous, next) = (Some(&self.previous).filter(is_same), next.filter(is_same));
        let mut replaced = 0;
        if let Some((before, after)) = previous.zip(next) {
            for (index, plane) in frame.planes_mut().into_iter().enumerate() {
                let all = [before, &self.original, after].map(|frame| frame.planes()[index].samples);
                let runs = &mut self.runs;
                replaced += match (plane.samples, all) {
                    (SamplesMut::U8(to), all) => repair_plane(to, all, index, format, runs)?,
                    (SamplesMut::U16(to), all) => repair_plane(to, all, index, format, runs)?,
                };
            }
        }
        std::mem::swap(&mut self.previous, &mut self.original);
        Ok(replaced)
    }
}

/// One plane of the frame before, of the frame itself, and of the frame after.
struct Pictures<'a, S> {
    before: &'a [S],
    now: &'a [S],
    after: &'a [S],
    width: usize,
    height: usize,
    /// Bits of a sample above 8.
    deep: u8,
}

fn repair_plane<S: PlaneSample>(
    to: &mut [S],
    samples: [Samples<'_>; 3],
    index: usize,
    format: Format,
    runs: &mut Vec<Vec<Range<usize>>>,
) -> Result<usize, OutOfMemory> {
    let [before, now, after] = samples.map(|samples| S::of(samples).unwrap_or_default());
    let (width, height) = format.plane_size(index);
    let pictures = Pictures { before, now, after, width, height, deep: format.depth.clamp(8, 16) - 8 };
    if width == 0 || [before, now, after].iter().any(|samples| samples.len() < width * height) {
        return Ok(0);
    }
    reserve(runs, height)?;
    runs.resize_with(runs.len().max(height), Vec::new);
    let runs = &mut runs[..height];
    let lines = runs.par_iter_mut().enumerate().with_min_len(TASK_LINES);
    lines.try_for_each(|(y, runs)| pictures.find(y, runs))?;
    // A run that is found nearby is none.
    for y in 0..height {
        let mut at = 0;
        while at < runs[y].len() {
            let run = runs[y][at].clone();
            let is_lost = pictures.neighbours(y, &run, runs).is_some_and(|lines| pictures.is_lost(y, &run, lines));
            if is_lost {
                at += 1;
            } else {
                runs[y].remove(at);
            }
        }
    }
    let mut replaced = 0;
    for y in 0..height {
        for run in &runs[y] {
            let Some(lines) = pictures.neighbours(y, run, runs) else { continue };
            for x in run.clone() {
                to[y * width + x] = S::from_u32(pictures.prediction(x, y, lines) as u32);
            }
            replaced += 1;
        }
    }
    Ok(replaced)
}

impl<'a, S: PlaneSample> Pictures<'a, S> {
    fn line(&self, samples: &'a [S], y: usize) -> &'a [S] {
        &samples[y * self.width..][..self.width]
    }

    /// The line `distance` lines from line `y`, if there is one.
    fn below(&self, y: usize, distance: isize) -> Option<usize> {
        y.checked_add_signed(distance).filter(|&y| y < self.height)
    }

    /// Finds the runs of line `y`.
    fn find(&self, y: usize, runs: &mut Vec<Range<usize>>) -> Result<(), OutOfMemory> {
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
        let adjacent =
            [self.line(self.before, y), self.line(self.after, y), self.line(self.now, above), self.line(self.now, below)];
        let difference = DIFFERENCE << self.deep;
        let [before, after, other_above, other_below] = adjacent;
        let [above, below] = sides;
        let differs = |x: usize| {
            let (low, high) = (before[x].min(after[x]), before[x].max(after[x]));
            let (low, high) = (low.min(other_above[x]).min(other_below[x]), high.max(other_above[x]).max(other_below[x]));
            let least = (above[0][x].min(above[1][x]).min(above[2][x])).max(below[0][x].min(below[1][x]).min(below[2][x]));
            let most = (above[0][x].max(above[1][x]).max(above[2][x])).min(below[0][x].max(below[1][x]).max(below[2][x]));
            let v = now[x].signed();
            v - difference > high.max(least).signed() || v + difference < low.min(most).signed()
        };
        // Most blocks of most lines are like the frames before and after.
        let mut is_like = [true; MAX_SIZE.div_ceil(BLOCK)];
        let blocks = now.chunks(BLOCK).zip(before.chunks(BLOCK)).zip(after.chunks(BLOCK));
        for (((now, before), after), is_like) in blocks.zip(&mut is_like) {
            *is_like = is_between(now, [before, after], difference);
        }
        if !is_like.contains(&false) {
            return Ok(());
        }
        let (mut start, mut score, mut best, mut end) = (0, 0, 0, 0);
        for x in 0..self.width {
            score += if !is_like[x / BLOCK % is_like.len()] && differs(x) { GAIN } else { -LOSS };
            if score > best {
                (best, end) = (score, x + 1);
            }
            let is_last = x + 1 == self.width;
            if score <= 0 || score < best - END || is_last {
                if best >= LEAST_SCORE {
                    reserve(runs, runs.len() + 1)?;
                    runs.push(start..end);
                }
                (start, score, best) = (x + 1, 0, 0);
            }
        }
        Ok(())
    }

    /// The nearest lines of the same field above and below that have no run at these places. If
    /// there is one of them alone, it is both.
    fn neighbours(&self, y: usize, run: &Range<usize>, runs: &[Vec<Range<usize>>]) -> Option<[usize; 2]> {
        let is_whole = |line: &usize| runs[*line].iter().all(|other| other.end <= run.start || run.end <= other.start);
        let nearest = |step: isize| (1..).map_while(|k| self.below(y, step * k)).find(is_whole);
        let (above, below) = (nearest(-2), nearest(2));
        above.or(below).zip(below.or(above)).map(<[usize; 2]>::from)
    }

    /// The mean of the lines above and below, within the values of the frames before and after.
    fn prediction(&self, x: usize, y: usize, [above, below]: [usize; 2]) -> i32 {
        let at = |samples: &[S], y: usize| samples[y * self.width + x].signed();
        let (before, after) = (at(self.before, y), at(self.after, y));
        let spatial = (at(self.now, above) + at(self.now, below) + 1) >> 1;
        spatial.clamp(before.min(after), before.max(after))
    }

    /// Whether a run is far from its replacement, and not like a place nearby in the frame before,
    /// the frame after, or the other field: less than half as far from its samples, and less than
    /// 3/4 as far from those of the lines around it, because a drop-out may have the value of an
    /// area nearby.
    fn is_lost(&self, y: usize, run: &Range<usize>, lines: [usize; 2]) -> bool {
        let now = &self.line(self.now, y);
        let own: u64 = run.clone().map(|x| u64::from(now[x].signed().abs_diff(self.prediction(x, y, lines)))).sum();
        let length = run.len() as u64;
        if own < (LEAST_DISTANCE << self.deep) * length {
            return false;
        }
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
                        distance(&self.line(self.now, here)[start..end], &line(there)[moved.clone()]) * length
                    };
                    let own = own * (end - start) as u64;
                    if 2 * from((y, there)) < own && 2 * (from(around[0]) + from(around[1])) < 3 * own {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// The sum of the distances of samples, at most 8192 of them.
fn distance<S: PlaneSample>(a: &[S], b: &[S]) -> u64 {
    let sum: u32 = a.iter().zip(b).map(|(a, b)| a.signed().abs_diff(b.signed())).sum();
    sum.into()
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
