//! How far chroma lies beside its luma: edges of both are at the same places.

use super::chroma_shift::{ChromaShift, subsampling};
use crate::format::{ChromaLocation, Format};
use crate::frame::{Frame, PlaneSample, Samples};

/// Luma samples each way in which edges are searched, and lines in frames and in fields: the
/// greatest [`ChromaShift`], and values beyond it.
const REACH: [i32; 3] = [12, 8, 14];
/// Movements of luma columns at which lines are compared: chroma that lies beside its luma has
/// edges of other objects above and below.
const COLUMNS: [i32; 5] = [-6, -3, 0, 3, 6];
/// Every third pair of chroma lines is measured.
const PAIRS: usize = 3;
/// Chroma samples and lines at the border that are not measured: they lack samples within reach.
const BORDER: [usize; 2] = [16, 8];
/// Chroma without edges: the steps of U and V together are at most this, in code values of 8 bits.
const FLAT: u32 = 4;
/// A smaller movement counts as none. Tuned on the corpus: clean clips measure up to 1.04 samples
/// and 0.64 lines, clips that were moved by whole samples up to 1.2 samples and 0.6 lines too much.
const LEAST: f64 = 1.25;
/// A movement counts if edges agree by this factor more than without one. Less is noise, and zone
/// plates, which have edges everywhere.
const AGREEMENT: f64 = 1.01;

/// Measures how far the chroma of a clip lies beside its luma. The steps of luma and of chroma,
/// from one sample to the next and from one line to the next, are multiplied and added for each
/// movement.
#[derive(Clone, Debug, Default)]
pub struct ChromaShiftMeter {
    across: Vec<u64>,
    /// Over lines of frames, in columns that are moved by [`COLUMNS`].
    frame_lines: [Vec<u64>; COLUMNS.len()],
    /// The same over lines of fields.
    field_lines: [Vec<u64>; COLUMNS.len()],
}

impl ChromaShiftMeter {
    /// Measures a frame. Frames without chroma, and those of less than 32 × 16 chroma samples, have
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
        let [y, u, v] = match *planes {
            [y, u, v] => [y, u, v].map(|plane| S::of(plane.samples).unwrap_or_default()),
            _ => return,
        };
        let (width, height) = format.plane_size(1);
        let [border_x, border_y] = BORDER;
        if width <= 2 * border_x || height <= 2 * border_y {
            return;
        }
        let [sx, sy] = subsampling(format);
        let deep = format.depth.clamp(8, 16) - 8;
        let step = |samples: &[S], a: usize, b: usize| samples[a].into().abs_diff(samples[b].into()) >> deep;
        let chroma_step = |a: usize, b: usize| step(u, a, b) + step(v, a, b);
        let [across, frames, fields] = REACH.map(|reach| 2 * reach as usize + 1);
        self.across.resize(across, 0);
        self.frame_lines.iter_mut().for_each(|list| list.resize(frames, 0));
        self.field_lines.iter_mut().for_each(|list| list.resize(fields, 0));
        let near = if sx > 1 { 2 } else { 1 };
        let lines = (border_y..height - border_y).filter(|line| line / 2 % PAIRS == 0);
        for line in lines {
            // The luma line of the same place in the same field, and that in the frame.
            let (of_field, of_frame) = if sy == 1 { (line, line) } else { (line / 2 * 4 + line % 2, sy * line) };
            for x in border_x..width - border_x {
                let at = line * width + x;
                let chroma = chroma_step(at - 1, at + 1);
                if chroma > FLAT {
                    let luma = of_field * format.width + sx * x - REACH[0] as usize;
                    for (i, sum) in self.across.iter_mut().enumerate() {
                        *sum += u64::from(chroma) * u64::from(step(y, luma + i - near, luma + i + near));
                    }
                }
                let kinds = [(&mut self.frame_lines, of_frame, 1, REACH[1]), (&mut self.field_lines, of_field, 2, REACH[2])];
                for (lists, luma_line, lines, reach) in kinds {
                    let chroma = chroma_step(at - lines * width, at + lines * width);
                    if chroma <= FLAT {
                        continue;
                    }
                    let near = lines * sy.min(2);
                    for (list, column) in lists.iter_mut().zip(COLUMNS) {
                        for (i, sum) in list.iter_mut().enumerate().step_by(lines) {
                            let there = (luma_line + i).saturating_sub(reach as usize).clamp(near, format.height - 1 - near);
                            let luma = (there * format.width + sx * x).saturating_add_signed(column as isize);
                            let luma = step(y, luma - near * format.width, luma + near * format.width);
                            *sum += u64::from(chroma) * u64::from(luma);
                        }
                    }
                }
            }
        }
    }

    /// The movement that puts chroma over luma again, in whole samples and lines; none if nothing
    /// was measured, or chroma is in its place. `has_fields` is whether the clip is interlaced.
    pub fn shift(&self, format: Format, location: ChromaLocation, has_fields: bool) -> Option<ChromaShift> {
        let [sx, sy] = subsampling(format);
        // Chroma samples lie between luma samples.
        let between_samples = if sx == 2 && location == ChromaLocation::Center { 0.5 } else { 0.0 };
        let between_lines = match (sy, has_fields) {
            (1, _) => 0.0,
            (_, false) => 0.5,
            (_, true) => 1.0,
        };
        let [across_limit, lines_limit] = ChromaShift::LIMITS.map(|limit| f64::from(limit / 4));
        let (lists, step, reach) = if has_fields { (&self.field_lines, 2, REACH[2]) } else { (&self.frame_lines, 1, REACH[1]) };
        let right = moved(&self.across, 1, REACH[0], between_samples, across_limit);
        let nearest = (0..COLUMNS.len()).min_by_key(|&at| COLUMNS[at].abs_diff(right)).unwrap_or(0);
        let down = moved(&lists[nearest], step, reach, between_lines, lines_limit);
        ChromaShift::new(4 * right, 4 * down).filter(|shift| !shift.is_zero())
    }
}

/// The movement of the greatest sum, rounded; 0 if it is small or hardly greater than
/// without a movement. Movements are `step` apart; `between` is that of chroma in its place.
fn moved(list: &[u64], step: usize, reach: i32, between: f64, limit: f64) -> i32 {
    let values: Vec<f64> = list.iter().step_by(step).map(|&sum| sum as f64).collect();
    let Some(greatest) = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])) else { return 0 };
    let unmoved = values[values.len() / 2];
    if values[greatest] <= 0.0 || values[greatest] < AGREEMENT * unmoved {
        return 0;
    }
    // The top of the parabola through the greatest value and those beside it.
    let part = match (greatest.checked_sub(1).map(|at| values[at]), values.get(greatest + 1)) {
        (Some(before), Some(after)) => {
            let curve = before - 2.0 * values[greatest] + after;
            if curve < 0.0 { 0.5 * (before - after) / curve } else { 0.0 }
        }
        _ => 0.0,
    };
    let distance = (greatest as f64 + part) * step as f64 - f64::from(reach) - between;
    if distance.abs() < LEAST { 0 } else { distance.round().clamp(-limit, limit) as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampling;
    use crate::frame::SamplesMut;

    /// Blocks of random grey and colour.
    fn frame(sampling: Sampling, depth: u8) -> Frame {
        let format = Format::new(320, 240, sampling).with_depth(depth);
        let mut frame = Frame::new(format);
        for (index, plane) in frame.planes_mut().into_iter().enumerate() {
            let (width, _) = format.plane_size(index);
            let [sx, sy] = if index == 0 { [1, 1] } else { subsampling(format) };
            // Edges lie between chroma samples.
            let value = |i: usize| {
                let cell = (i % width * sx / 20) + 31 * (i / width * sy / 28);
                let random = (cell + 1).wrapping_mul(0x9e37_79b9) >> 11;
                (40 + (random >> (4 * index)) % 160) as u16
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
                    let mut frame = frame(sampling, depth);
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
