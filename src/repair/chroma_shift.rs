//! Chroma that lies beside its luma: tapes delay it, and each generation of a PAL tape moves it
//! down by lines of a field.

use super::copy;
use crate::format::Format;
use crate::frame::{Frame, PlaneSample, Samples, SamplesMut};
use crate::memory::{OutOfMemory, with_capacity};
use rayon::prelude::*;
use std::fmt;
use std::str::FromStr;

/// Lines that a task of the thread pool computes.
const TASK_LINES: usize = 16;
/// Steps of a sample of chroma between which the filter has its phases.
const PHASES: i32 = 16;
/// The sum of the weights of a phase, as a power of two.
const WEIGHT_BITS: u32 = 13;

/// A movement of chroma over luma, in quarters of a luma sample and of a line. Text: `X,Y`, in
/// samples and lines, such as `-3,1.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChromaShift {
    right: i32,
    down: i32,
}

impl ChromaShift {
    /// The greatest movement to the right or left, and down or up, in quarters.
    pub const LIMITS: [i32; 2] = [32, 16];

    /// A movement by quarters of a luma sample to the right, and of a line of the frame down; none
    /// beyond [`ChromaShift::LIMITS`].
    pub fn new(right: i32, down: i32) -> Option<ChromaShift> {
        let [across, lines] = ChromaShift::LIMITS;
        let is_within = (-across..=across).contains(&right) && (-lines..=lines).contains(&down);
        is_within.then_some(ChromaShift { right, down })
    }

    /// Whether nothing moves.
    pub fn is_zero(self) -> bool {
        self == ChromaShift::default()
    }

    /// Moves the chroma of a frame: of the two fields apart if it `has_fields`, where a line of the
    /// frame is half a line of a field. Samples between those of the picture are those of a
    /// Catmull-Rom spline; the border is repeated.
    pub(crate) fn apply(self, frame: &mut Frame, has_fields: bool, memory: &mut Frame) -> Result<(), OutOfMemory> {
        if self.is_zero() {
            return Ok(());
        }
        copy(memory, frame)?;
        let format = frame.format();
        for (index, plane) in frame.planes_mut().into_iter().enumerate().skip(1) {
            let from = memory.planes()[index].samples;
            match plane.samples {
                SamplesMut::U8(to) => self.plane(to, from, index, format, has_fields)?,
                SamplesMut::U16(to) => self.plane(to, from, index, format, has_fields)?,
            }
        }
        Ok(())
    }

    fn plane<S: PlaneSample>(
        self,
        to: &mut [S],
        from: Samples<'_>,
        index: usize,
        format: Format,
        has_fields: bool,
    ) -> Result<(), OutOfMemory> {
        let (width, height) = format.plane_size(index);
        let from = S::of(from).unwrap_or_default();
        if width == 0 || height == 0 || from.len() < width * height {
            return Ok(());
        }
        let [across, down] = subsampling(format).map(|factor| factor as i32);
        let fields = if has_fields && height > 1 { 2 } else { 1 };
        // Sixteenths of a chroma sample, of a quarter of a luma sample.
        let (right, down) = (4 * self.right / across, 4 * self.down / (down * fields));
        let most = (1i32 << format.depth.min(16)) - 1;
        let rounded = |sum: i32| ((sum + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS).clamp(0, most);
        let (base, weights) = taps(right);
        // Horizontally into lines that are then read vertically.
        let mut moved = with_capacity(width * height)?;
        moved.resize(width * height, S::default());
        let lines = moved.par_chunks_mut(width).zip(from.par_chunks(width)).with_min_len(TASK_LINES);
        lines.for_each(|(to, from)| {
            for (x, to) in to.iter_mut().enumerate() {
                let sample = |k: i32| from[clamped(x, base + k, width)].signed();
                let sum = (0..4).map(|k| weights[k as usize] * sample(k)).sum();
                *to = S::from_u32(rounded(sum) as u32);
            }
        });
        let (base, weights) = taps(down);
        let fields = fields as usize;
        to.par_chunks_mut(width).take(height).enumerate().with_min_len(TASK_LINES).for_each(|(y, to)| {
            let (parity, of_field) = (y % fields, (height - y % fields).div_ceil(fields));
            let line = |k: i32| {
                let line = clamped(y / fields, base + k, of_field) * fields + parity;
                &moved[line * width..][..width]
            };
            let lines = [line(0), line(1), line(2), line(3)];
            for (x, to) in to.iter_mut().enumerate() {
                let sum = (0..4).map(|k| weights[k] * lines[k][x].signed()).sum();
                *to = S::from_u32(rounded(sum) as u32);
            }
        });
        Ok(())
    }
}

/// Luma samples and lines of a chroma sample.
pub(super) fn subsampling(format: Format) -> [usize; 2] {
    let (width, height) = format.plane_size(1);
    [format.width.div_ceil(width.max(1)).max(1), format.height.div_ceil(height.max(1)).max(1)]
}

fn clamped(at: usize, step: i32, count: usize) -> usize {
    at.saturating_add_signed(step as isize).min(count - 1)
}

/// The first of four samples, relative to the one that is written, and their weights, for a
/// movement by sixteenths of a sample: a Catmull-Rom spline.
fn taps(sixteenths: i32) -> (i32, [i32; 4]) {
    let (base, k) = ((-sixteenths).div_euclid(PHASES), (-sixteenths).rem_euclid(PHASES));
    let (square, cube) = (k * k, k * k * k);
    let weights =
        [32 * square - cube - 256 * k, 3 * cube - 80 * square + 8192, 64 * square - 3 * cube + 256 * k, cube - 16 * square];
    (base - 1, weights)
}

impl fmt::Display for ChromaShift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", f64::from(self.right) / 4.0, f64::from(self.down) / 4.0)
    }
}

/// A text that is no [`ChromaShift`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChromaShiftError;

impl fmt::Display for ChromaShiftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a movement of chroma is X,Y: -8 to 8 luma samples to the right and -4 to 4 lines down, in quarters")
    }
}

impl std::error::Error for ChromaShiftError {}

impl FromStr for ChromaShift {
    type Err = ChromaShiftError;

    fn from_str(text: &str) -> Result<ChromaShift, ChromaShiftError> {
        let quarters = |text: &str| {
            let quarters = text.trim().parse::<f64>().ok()? * 4.0;
            (quarters.fract() == 0.0 && quarters.abs() <= 1000.0).then_some(quarters as i32)
        };
        let parsed = text.split_once(',').and_then(|(x, y)| ChromaShift::new(quarters(x)?, quarters(y)?));
        parsed.ok_or(ChromaShiftError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampling;

    fn frame(sampling: Sampling, depth: u8) -> Frame {
        let mut frame = Frame::new(Format::new(40, 32, sampling).with_depth(depth));
        let value = |i: usize| (i.wrapping_mul(0x9e37_79b9) >> 13) as u16 >> (16 - depth);
        match frame.samples_mut() {
            SamplesMut::U8(to) => to.iter_mut().enumerate().for_each(|(i, v)| *v = value(i) as u8),
            SamplesMut::U16(to) => to.iter_mut().enumerate().for_each(|(i, v)| *v = value(i)),
        }
        frame
    }

    fn values(frame: &Frame, plane: usize) -> Vec<u32> {
        match frame.planes()[plane].samples {
            Samples::U8(samples) => samples.iter().map(|&v| v.into()).collect(),
            Samples::U16(samples) => samples.iter().map(|&v| v.into()).collect(),
        }
    }

    #[test]
    fn whole_samples_move_exactly() {
        // 4:2:0: 6 luma samples are 3 of chroma; 4 lines are 2 of chroma, or 1 of each field.
        for (sampling, has_fields, shift, [right, down]) in [
            (Sampling::C420, false, [6, 4], [3, 2]),
            (Sampling::C420, true, [6, -4], [3, -2]),
            (Sampling::C422, true, [-2, 2], [-1, 2]),
            (Sampling::C444, false, [-5, 3], [-5, 3]),
        ] {
            for depth in [8, 12] {
                let before = frame(sampling, depth);
                let mut after = before.try_clone().unwrap();
                let shift = ChromaShift::new(4 * shift[0], 4 * shift[1]).unwrap();
                shift.apply(&mut after, has_fields, &mut Frame::default()).unwrap();
                assert_eq!(values(&after, 0), values(&before, 0));
                let (width, height) = before.format().plane_size(1);
                for plane in [1, 2] {
                    let (before, after) = (values(&before, plane), values(&after, plane));
                    for y in 4..height as i32 - 4 {
                        for x in 6..width as i32 - 6 {
                            let from = (y - down) * width as i32 + x - right;
                            assert_eq!(after[(y * width as i32 + x) as usize], before[from as usize], "{sampling} {x} {y}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn parts_of_samples_are_those_of_a_spline() {
        for sixteenths in -40..40 {
            let (base, weights) = taps(sixteenths);
            assert_eq!(weights.iter().sum::<i32>(), 1 << WEIGHT_BITS);
            // A straight line stays one: the spline reproduces it.
            let position: i32 = (0..4).map(|k| weights[k as usize] * (base + k)).sum();
            assert_eq!(position * PHASES, -sixteenths << WEIGHT_BITS, "{sixteenths}");
        }
    }

    #[test]
    fn text_has_quarters_within_limits() {
        for (text, shift) in
            [("0,0", Some([0, 0])), ("-3,1.5", Some([-12, 6])), ("8,-4", Some([32, -16])), ("0.25, -0.75", Some([1, -3]))]
        {
            assert_eq!(text.parse().ok(), shift.and_then(|[x, y]| ChromaShift::new(x, y)), "{text}");
        }
        for text in ["", "3", "8.25,0", "0,-4.25", "0.1,0", "nan,0", "1e300,0", "inf,0", "1,2,3"] {
            assert_eq!(text.parse::<ChromaShift>(), Err(ChromaShiftError), "{text}");
        }
        assert_eq!(ChromaShift::new(-12, 6).unwrap().to_string(), "-3,1.5");
    }

    #[test]
    fn any_size_is_taken() {
        for (width, height) in [(1, 1), (2, 3), (5, 2), (64, 1)] {
            for sampling in [Sampling::C420, Sampling::C411, Sampling::Mono] {
                for has_fields in [false, true] {
                    let mut frame = Frame::new(Format::new(width, height, sampling));
                    ChromaShift::new(-30, 15).unwrap().apply(&mut frame, has_fields, &mut Frame::default()).unwrap();
                }
            }
        }
    }
}
