//! How far chroma lies beside its luma: where it is in its place, luma predicts most of it.

use super::chroma_shift::{ChromaShift, subsampling};
use crate::format::{ChromaLocation, Format};
use crate::frame::{Frame, PlaneSample, Samples};

/// Luma samples each way in which chroma is searched, and lines in frames and in fields: the
/// greatest [`ChromaShift`], and values beyond it.
const REACH: [i32; 3] = [12, 8, 14];
/// Movements of luma lines at which samples are compared, and of columns at which lines are:
/// chroma that is moved in both directions has the luma of other objects beside it.
const LINES: [i32; 5] = [-4, -2, 0, 2, 4];
const COLUMNS: [i32; 5] = [-6, -3, 0, 3, 6];
/// Every third pair of chroma lines and every third column are measured.
const PART: usize = 3;
/// Chroma samples and lines at the border that are not measured: they lack samples within reach.
const BORDER: [usize; 2] = [16, 8];
/// Successive chroma samples or lines that are compared with luma.
const RUN: usize = 8;
/// Samples of a second measurement across: more than an edge of the chroma of VHS has. Any luma
/// beside such an edge predicts a short run; in a long run there are other objects.
const LONG: usize = 16;
/// Variance of a run of chroma up to which it is flat, and variance of luma below which luma
/// predicts little, in squared code values of 8 bits: that of noise.
const FLAT: i64 = 4;
/// A movement counts if luma predicts chroma better by these factors than without one, and than
/// with the median of the movements. Noise has up to 1.03 of the median.
const AGREEMENT: f64 = 1.01;
const CONTRAST: f64 = 1.06;
/// The luma of another line or column is taken if it predicts chroma better by this factor.
const BETTER: f64 = 1.02;
/// A smaller movement counts as none, in chroma samples, or in lines of a field. Clean clips of the
/// corpus measure up to 0.4 samples and 0.47 lines.
const LEAST: f64 = 0.55;

/// Measures how far the chroma of a clip lies beside its luma. For each movement and each short run
/// of samples it predicts chroma by a straight line through luma, and adds the variance of chroma
/// that this explains.
#[derive(Clone, Debug, Default)]
pub struct ChromaShiftMeter {
    /// For movements across, at lines that are moved by [`LINES`], with short and long runs.
    across: [[Vec<u64>; LINES.len()]; 2],
    /// For movements down by lines of frames, in columns that are moved by [`COLUMNS`].
    frame_lines: [Vec<u64>; COLUMNS.len()],
    /// The same by lines of fields.
    field_lines: [Vec<u64>; COLUMNS.len()],
}

/// Differences of `N` chroma samples to their mean, times `N`.
struct Run<const N: usize>([i64; N]);

impl<const N: usize> Run<N> {
    /// A run of samples; none if it is flat.
    fn new(sample: impl Fn(usize) -> i64) -> Option<Run<N>> {
        let samples: [i64; N] = std::array::from_fn(sample);
        let sum: i64 = samples.iter().sum();
        let differences = samples.map(|sample| N as i64 * sample - sum);
        let squares: i64 = differences.iter().map(|v| v * v).sum();
        (squares > FLAT * (N * N * N) as i64).then_some(Run(differences))
    }

    /// The part of the squares that luma explains, of which four times the samples are given.
    fn explained(&self, luma: impl Fn(usize) -> i64) -> u64 {
        let (mut sum, mut squares, mut products) = (0, 0, 0);
        for (k, chroma) in self.0.iter().enumerate() {
            let luma = luma(k);
            (sum, squares, products) = (sum + luma, squares + luma * luma, products + luma * chroma);
        }
        let variance = N as i64 * squares - sum * sum + FLAT * (16 * N * N) as i64;
        (products * products / variance) as u64
    }
}

/// Adds the runs of `N` samples of a chroma line for each list and movement: `chroma` returns a
/// sample, `luma` four times the luma of the sample for a list and a movement.
fn add_line<const N: usize>(
    lists: &mut [Vec<u64>],
    columns: std::ops::Range<usize>,
    chroma: impl Fn(usize) -> i64,
    luma: impl Fn(usize, usize, usize) -> i64,
) {
    for first in columns.clone().step_by(N).take_while(|first| first + N <= columns.end) {
        let Some(run) = Run::<N>::new(|k| chroma(first + k)) else { continue };
        for (number, list) in lists.iter_mut().enumerate() {
            for (i, sum) in list.iter_mut().enumerate() {
                *sum += run.explained(|k| luma(first + k, number, i));
            }
        }
    }
}

impl ChromaShiftMeter {
    /// Measures a frame. Frames without chroma, and those of less than 48 × 32 chroma samples, have
    /// no effect.
    pub fn add(&mut self, frame: &Frame) {
        match frame.samples() {
            Samples::U8(_) => self.measure::<u8>(frame),
            Samples::U16(_) => self.measure::<u16>(frame),
        }
    }

    fn measure<S: PlaneSample>(&mut self, frame: &Frame) {
        let format = frame.format();
        let planes = frame.planes();
        let [luma, chroma @ ..] = match *planes {
            [y, u, v] => [y, u, v].map(|plane| S::of(plane.samples).unwrap_or_default()),
            _ => return,
        };
        let (width, height) = format.plane_size(1);
        let [border_x, border_y] = BORDER;
        if width < 2 * border_x + LONG || height < 2 * border_y + 2 * RUN {
            return;
        }
        let [sx, sy] = subsampling(format);
        let deep = format.depth.clamp(8, 16) - 8;
        let value = |samples: &[S], at: usize| i64::from((samples[at].into() >> deep).min(255));
        // Chroma of less samples than luma is made of several of them.
        let smooth = |at: usize, near: usize| value(luma, at - near) + 2 * value(luma, at) + value(luma, at + near);
        let [across, frames, fields] = REACH.map(|reach| 2 * reach as usize + 1);
        self.across.iter_mut().flatten().for_each(|list| list.resize(across, 0));
        self.frame_lines.iter_mut().for_each(|list| list.resize(frames, 0));
        self.field_lines.iter_mut().for_each(|list| list.resize(fields.div_ceil(2), 0));

        for line in (border_y..height - border_y).filter(|line| line / 2 % PART == 0) {
            // The luma line of the same place in the same field.
            let luma_line = sy * (line & !1) + line % 2;
            for chroma in chroma {
                let luma = |x: usize, number: usize, i: usize| {
                    let moved = luma_line.saturating_add_signed(LINES[number] as isize).min(format.height - 1);
                    smooth(moved * format.width + sx * x + i - REACH[0] as usize, sx / 2)
                };
                let chroma = |x: usize| value(chroma, line * width + x);
                let [short, long] = &mut self.across;
                add_line::<RUN>(short, border_x..width - border_x, chroma, luma);
                add_line::<LONG>(long, border_x..width - border_x, chroma, luma);
            }
        }
        let columns = border_x..width - border_x;
        for (lists, lines, reach) in [(&mut self.frame_lines, 1, REACH[1]), (&mut self.field_lines, 2, REACH[2])] {
            let near = sy / 2 * lines;
            for first in (border_y..=height - border_y - RUN * lines).step_by(RUN * lines) {
                for (line, x) in (first..first + lines).flat_map(|line| columns.clone().step_by(PART).map(move |x| (line, x))) {
                    for chroma in chroma {
                        let Some(run) = Run::<RUN>::new(|k| value(chroma, (line + lines * k) * width + x)) else { continue };
                        let luma_line = sy * first + line - first;
                        for (list, by) in lists.iter_mut().zip(COLUMNS) {
                            let column = (sx * x).saturating_add_signed(by as isize);
                            for (i, sum) in list.iter_mut().enumerate() {
                                *sum += run.explained(|k| {
                                    let moved = (luma_line + lines * (sy * k + i)).saturating_sub(reach as usize);
                                    let there = moved.clamp(near, format.height - 1 - near);
                                    smooth(there * format.width + column, near * format.width)
                                });
                            }
                        }
                    }
                }
            }
        }
    }

    /// The movement that puts chroma over luma again, in whole chroma samples and lines, or lines
    /// of a field; none if nothing was measured, or chroma is in its place. `has_fields` is whether
    /// the clip is interlaced.
    pub fn shift(&self, format: Format, location: ChromaLocation, has_fields: bool) -> Option<ChromaShift> {
        let [sx, sy] = subsampling(format);
        // Chroma samples lie between luma samples. That of interlaced video never does; programs
        // that do not know its place tag it as central.
        let between_samples = if sx == 2 && location == ChromaLocation::Center && !has_fields { 0.5 } else { 0.0 };
        let between_lines = match (sy, has_fields) {
            (1, _) => 0.0,
            (_, false) => 0.5,
            (_, true) => 1.0,
        };
        let [across_limit, lines_limit] = ChromaShift::LIMITS.map(|limit| f64::from(limit / 4));
        let (lists, lines, reach) = if has_fields { (&self.field_lines, 2, REACH[2]) } else { (&self.frame_lines, 1, REACH[1]) };
        // Of the movements of short and long runs the smaller one is that of the objects.
        let across = self.across.each_ref().map(|lists| moved(best(lists), 1, REACH[0], between_samples, sx, across_limit));
        let right = across.into_iter().min_by_key(|right| right.abs()).unwrap_or(0);
        let down = moved(best(lists), lines, reach, between_lines, sy.max(lines), lines_limit);
        ChromaShift::new(4 * right, 4 * down).filter(|shift| !shift.is_zero())
    }
}

/// The list with the greatest sum: its luma is that of the chroma in the other direction. That in
/// the middle, without a movement, if it is as good.
fn best(lists: &[Vec<u64>]) -> &[u64] {
    let greatest = |list: &[u64]| list.iter().max().map_or(0.0, |&sum| sum as f64);
    let unmoved = &lists[lists.len() / 2];
    let better = lists.iter().filter(|list| greatest(list) >= BETTER * greatest(unmoved));
    better.max_by(|a, b| greatest(a).total_cmp(&greatest(b))).unwrap_or(unmoved)
}

/// The movement of the greatest sum, a multiple of `unit`: chroma of less samples than luma lies up
/// to half of its samples beside the luma without a movement. 0 if it is small, or the sum hardly
/// greater than others. Movements are `step` apart; `between` is that of chroma in its place.
fn moved(list: &[u64], step: usize, reach: i32, between: f64, unit: usize, limit: f64) -> i32 {
    let values: Vec<f64> = list.iter().map(|&sum| sum as f64).collect();
    let Some(greatest) = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])) else { return 0 };
    let unmoved = values[values.len() / 2];
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    let is_clear = values[greatest] >= AGREEMENT * unmoved && values[greatest] >= CONTRAST * median;
    // A greatest sum at the end of the range is the slope of one beyond it.
    let (Some(before), Some(after)) = (greatest.checked_sub(1).map(|at| values[at]), values.get(greatest + 1)) else { return 0 };
    if values[greatest] <= 0.0 || !is_clear {
        return 0;
    }
    // The top of the parabola through the greatest value and those beside it.
    let curve = before - 2.0 * values[greatest] + after;
    let part = if curve < 0.0 { 0.5 * (before - after) / curve } else { 0.0 };
    let distance = (greatest as f64 + part) * step as f64 - f64::from(reach) - between;
    let unit = unit.min(2) as f64;
    if distance.abs() < LEAST * unit { 0 } else { ((distance / unit).round() * unit).clamp(-limit, limit) as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampling;
    use crate::frame::SamplesMut;

    /// Blocks of random grey and colour. In interlaced clips chroma samples are at luma samples.
    fn frame(sampling: Sampling, depth: u8, has_fields: bool) -> Frame {
        let format = Format::new(320, 240, sampling).with_depth(depth);
        let mut frame = Frame::new(format);
        for (index, plane) in frame.planes_mut().into_iter().enumerate() {
            let (width, _) = format.plane_size(index);
            let [sx, sy] = if index == 0 { [1, 1] } else { subsampling(format) };
            let at = |x: usize, y: usize| {
                let cell = x / 20 + 31 * (y / 28);
                let random = (cell + 1).wrapping_mul(0x9e37_79b9) >> 11;
                (40 + (random >> (4 * index)) % 160) as u16
            };
            let value = |i: usize| {
                let (x, y) = (i % width * sx, i / width * sy);
                let before = if has_fields && sx > 1 { at(x.saturating_sub(1), y) } else { at(x, y) };
                (before + 3 * at(x, y)) / 4
            };
            match plane.samples {
                SamplesMut::U8(to) => to.iter_mut().enumerate().for_each(|(i, v)| *v = value(i) as u8),
                SamplesMut::U16(to) => to.iter_mut().enumerate().for_each(|(i, v)| *v = value(i) << (depth - 8)),
            }
        }
        frame
    }

    #[test]
    fn movements_are_measured_and_undone() {
        for (sampling, depth) in [(Sampling::C420, 8), (Sampling::C422, 10), (Sampling::C444, 16)] {
            for has_fields in [false, true] {
                for (right, down) in [(0, 0), (6, 0), (-8, 4), (2, -4), (-4, -4)] {
                    let mut frame = frame(sampling, depth, has_fields);
                    let moved = ChromaShift::new(4 * right, 4 * down).unwrap();
                    moved.apply(&mut frame, has_fields, &mut Frame::default()).unwrap();
                    let mut meter = ChromaShiftMeter::default();
                    meter.add(&frame);
                    let found = meter.shift(frame.format(), ChromaLocation::Center, has_fields);
                    let wanted = ChromaShift::new(-4 * right, -4 * down).filter(|shift| !shift.is_zero());
                    assert_eq!(found, wanted, "{sampling} {depth} {has_fields}");
                }
            }
        }
    }

    #[test]
    fn noise_of_chroma_measures_nothing() {
        let mut meter = ChromaShiftMeter::default();
        for seed in 1..20usize {
            let mut frame = frame(Sampling::C420, 8, false);
            for plane in frame.planes_mut().into_iter().skip(1) {
                let SamplesMut::U8(samples) = plane.samples else { continue };
                let random = |i: usize| (i + 1).wrapping_mul(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1) >> 40;
                samples.iter_mut().enumerate().for_each(|(i, v)| *v = 120 + (random(i) % 17) as u8);
            }
            meter.add(&frame);
        }
        for has_fields in [false, true] {
            assert_eq!(meter.shift(Format::new(320, 240, Sampling::C420), ChromaLocation::Left, has_fields), None);
        }
    }

    #[test]
    fn pictures_without_edges_or_chroma_measure_nothing() {
        for (width, height) in [(1, 1), (33, 17), (320, 240)] {
            for sampling in [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C444] {
                let mut meter = ChromaShiftMeter::default();
                let frame = Frame::new(Format::new(width, height, sampling));
                meter.add(&frame);
                for has_fields in [false, true] {
                    assert_eq!(meter.shift(frame.format(), ChromaLocation::Left, has_fields), None);
                }
            }
        }
    }
}
