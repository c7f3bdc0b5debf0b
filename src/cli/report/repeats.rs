//! Frames and fields that repeat the one before them: gaps of a capture, and fields that were
//! doubled. Only exact copies count.

use crate::error::CliError;
use dndi::{Frame, PlaneRef, Samples, SamplesMut};
use serde::Serialize;

/// The part of a frame that equals that of the frame before. The names are those of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Repeat {
    /// All lines.
    Frame,
    /// The even lines alone.
    Top,
    /// The odd lines alone.
    Bottom,
}

/// Compares successive frames.
#[derive(Debug, Default)]
pub struct Repeats {
    previous: Option<Frame>,
}

impl Repeats {
    /// The part of the next frame that repeats; none for the first frame.
    pub fn add(&mut self, frame: &Frame) -> Result<Option<Repeat>, CliError> {
        let repeat = self.previous.as_ref().and_then(|previous| repeat(previous, frame));
        // A whole frame that repeats needs no copy.
        if repeat != Some(Repeat::Frame) {
            match &mut self.previous {
                Some(previous) if previous.format() == frame.format() => copy(previous, frame),
                previous => *previous = Some(frame.try_clone().map_err(CliError::runtime)?),
            }
        }
        Ok(repeat)
    }
}

/// Copies the samples of a frame to one of the same format, without an allocation.
fn copy(to: &mut Frame, frame: &Frame) {
    match (to.samples_mut(), frame.samples()) {
        (SamplesMut::U8(to), Samples::U8(samples)) => to.copy_from_slice(samples),
        (SamplesMut::U16(to), Samples::U16(samples)) => to.copy_from_slice(samples),
        // A format has one type of samples.
        _ => {}
    }
}

/// The part of `now` that equals that of `before`.
fn repeat(before: &Frame, now: &Frame) -> Option<Repeat> {
    let format = now.format();
    if before.format() != format {
        return None;
    }
    let mut equal = [true; 2];
    for (index, (a, b)) in before.planes().iter().zip(now.planes().iter()).enumerate() {
        let (width, height) = format.plane_size(index);
        for (parity, equal) in equal.iter_mut().enumerate() {
            *equal = *equal && (parity..height).step_by(2).all(|y| line(a, y, width) == line(b, y, width));
        }
    }
    match equal {
        [true, true] => Some(Repeat::Frame),
        [true, false] => Some(Repeat::Top),
        [false, true] => Some(Repeat::Bottom),
        [false, false] => None,
    }
}

/// A line of a plane, of bytes or of words.
#[derive(PartialEq)]
enum Line<'a> {
    Bytes(&'a [u8]),
    Words(&'a [u16]),
}

fn line<'a>(plane: &PlaneRef<'a>, y: usize, width: usize) -> Line<'a> {
    let samples = y * plane.stride..y * plane.stride + width;
    match plane.samples {
        Samples::U8(bytes) => Line::Bytes(&bytes[samples]),
        Samples::U16(words) => Line::Words(&words[samples]),
    }
}

/// Successive frames that repeat the same part of the frame before each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Number of the first frame that repeats, from 0.
    pub first: u64,
    /// Number of frames that repeat.
    pub frames: u64,
    /// Time of the first frame in seconds.
    pub time: Option<f64>,
    pub repeats: Repeat,
}

/// The runs of repeats. `repeats` has an entry for each frame, `rate` is in frames per second.
pub fn runs(repeats: impl IntoIterator<Item = Option<Repeat>>, rate: Option<(u32, u32)>) -> Vec<Run> {
    let mut runs: Vec<Run> = vec![];
    for (number, repeats) in repeats.into_iter().enumerate() {
        let (number, Some(repeats)) = (number as u64, repeats) else { continue };
        match runs.last_mut().filter(|run| run.first + run.frames == number && run.repeats == repeats) {
            Some(run) => run.frames += 1,
            None => runs.push(Run { first: number, frames: 1, time: time(number, rate), repeats }),
        }
    }
    runs
}

/// The time of a frame in seconds, to milliseconds.
pub fn time(number: u64, rate: Option<(u32, u32)>) -> Option<f64> {
    rate.map(|(num, den)| (number as f64 * f64::from(den) / f64::from(num) * 1000.0).round() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dndi::{Format, Sampling};

    #[test]
    fn parts_of_frames_repeat() {
        let format = Format::new(5, 6, Sampling::C420);
        let mut repeats = Repeats::default();
        let mut next = |changed: &[usize]| {
            let mut data = vec![7; format.samples()];
            changed.iter().for_each(|&sample| data[sample] = 8);
            repeats.add(&Frame::from_vec(format, data)).unwrap()
        };
        assert_eq!(next(&[]), None);
        assert_eq!([next(&[]), next(&[])], [Some(Repeat::Frame); 2]);
        // Luma of line 1, and of line 0 as well; then chroma of line 2 of the plane.
        assert_eq!(
            (next(&[5]), next(&[5, 0]), next(&[5, 0, 36])),
            (Some(Repeat::Top), Some(Repeat::Bottom), Some(Repeat::Bottom))
        );
        assert_eq!(next(&[0, 8, 39]), None);
    }

    #[test]
    fn words_and_other_formats_are_compared() {
        let mut repeats = Repeats::default();
        let words = |word| Frame::from_vec_u16(Format::new(4, 2, Sampling::Mono).with_depth(10), vec![word; 8]);
        let bytes = Frame::from_vec(Format::new(4, 2, Sampling::Mono), vec![1; 8]);
        let frames = [words(1), words(900), words(900), bytes, words(900), words(1), words(1)];
        let found = frames.map(|frame| repeats.add(&frame).unwrap());
        let repeat = Some(Repeat::Frame);
        assert_eq!(found, [None, None, repeat, None, None, None, repeat]);
    }

    #[test]
    fn successive_repeats_are_runs() {
        let (frame, top) = (Some(Repeat::Frame), Some(Repeat::Top));
        let found = runs([None, frame, frame, top, None, frame], Some((25, 1)));
        let run = |first, frames, time, repeats| Run { first, frames, time: Some(time), repeats };
        assert_eq!(found, [run(1, 2, 0.04, Repeat::Frame), run(3, 1, 0.12, Repeat::Top), run(5, 1, 0.2, Repeat::Frame)]);
        assert_eq!(runs([frame], None)[0].time, None);
    }
}
