//! Times of outputs, from the timestamps of the input frames.
//!
//! The library counts in quarters of an input frame. The pipeline has a timestamp for each frame,
//! and frames can have different durations (soft pulldown, variable rates). A time of the library
//! is a point between the timestamps of two frames.

use gst::ClockTime;
use gst::prelude::MulDiv;
use std::collections::VecDeque;

/// Frames that are kept after an output of them: pictures of film start up to two frames before the
/// frame of their field.
const KEPT: u64 = 4;

/// A frame in time.
#[derive(Clone, Copy, Debug)]
struct Moment {
    start: Option<ClockTime>,
    duration: Option<ClockTime>,
}

/// The timestamps of the frames in the conversion.
#[derive(Debug, Default)]
pub struct Clocks {
    moments: VecDeque<Moment>,
    /// Number of the first frame that is kept.
    first: u64,
    /// Duration of a frame at the frame rate of the caps.
    usual: Option<ClockTime>,
}

impl Clocks {
    /// No frames yet; `usual` is the duration of a frame by the caps.
    pub fn new(usual: Option<ClockTime>) -> Clocks {
        Clocks { usual, ..Clocks::default() }
    }

    /// Adds the next frame.
    pub fn push(&mut self, start: Option<ClockTime>, duration: Option<ClockTime>) {
        let duration = duration.filter(|duration| !duration.is_zero()).or(self.usual);
        self.moments.push_back(Moment { start, duration });
    }

    /// The number of frames that were added.
    pub fn frames(&self) -> u64 {
        self.first + self.moments.len() as u64
    }

    /// The timestamp of the last frame.
    pub fn last(&self) -> Option<ClockTime> {
        self.moments.back().and_then(|moment| moment.start)
    }

    /// Timestamp and duration of an output. `time` and `duration` are quarters of a frame. Later
    /// outputs must not be earlier.
    pub fn output(&mut self, time: u64, duration: u64) -> (Option<ClockTime>, Option<ClockTime>) {
        while self.first + KEPT < time / 4 && self.moments.len() > 1 {
            self.moments.pop_front();
            self.first += 1;
        }
        let end = time.saturating_add(duration);
        let start = self.at(time / 4, time % 4);
        let end = end.checked_sub(1).and_then(|last| self.at(last / 4, end - last / 4 * 4));
        // Without timestamps the outputs still have a duration.
        let length = match (start, end) {
            (Some(start), Some(end)) => Some(end.saturating_sub(start)),
            _ => self.usual.and_then(|usual| usual.mul_div_round(duration, 4)),
        };
        (start, length)
    }

    /// The time of a frame after `quarters` of its duration.
    fn at(&self, frame: u64, quarters: u64) -> Option<ClockTime> {
        let last = self.frames().checked_sub(1)?;
        let known = frame.clamp(self.first, last);
        let index = usize::try_from(known - self.first).ok()?;
        let start = self.moments.get(index)?.start?;
        // A frame that is not kept, or not known yet, has the duration of its neighbour.
        let length = self.length(index).unwrap_or(ClockTime::ZERO);
        let offset = |quarters| length.mul_div_round(quarters, 4);
        if frame < known {
            start.checked_sub(offset((known - frame).checked_mul(4)?.checked_sub(quarters)?)?)
        } else {
            start.checked_add(offset((frame - known).checked_mul(4)?.checked_add(quarters)?)?)
        }
    }

    /// The duration of a frame: up to the next one, unless there is a gap or an overlap of more
    /// than half a frame between them.
    fn length(&self, index: usize) -> Option<ClockTime> {
        let moment = self.moments.get(index)?;
        let next = self.moments.get(index + 1).and_then(|next| next.start);
        let distance = next.zip(moment.start).and_then(|(next, start)| next.checked_sub(start));
        match (distance, moment.duration) {
            (Some(distance), Some(duration)) => {
                let apart = if distance > duration { distance - duration } else { duration - distance };
                Some(if 2 * apart <= duration { distance } else { duration })
            }
            (Some(distance), None) => Some(distance),
            (None, Some(duration)) => Some(duration),
            (None, None) => index.checked_sub(1).and_then(|before| self.length(before)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(usual: Option<u64>, starts: &[u64]) -> Clocks {
        let mut clocks = Clocks::new(usual.map(ClockTime::from_mseconds));
        starts.iter().for_each(|start| clocks.push(Some(ClockTime::from_mseconds(*start)), None));
        clocks
    }

    fn times(clocks: &mut Clocks, time: u64, duration: u64) -> (u64, u64) {
        let (start, length) = clocks.output(time, duration);
        (start.unwrap().mseconds(), length.unwrap().mseconds())
    }

    #[test]
    fn fields_and_pictures_of_film_lie_between_frames() {
        let mut clocks = clocks(Some(40), &[1000, 1040, 1080, 1120]);
        assert_eq!(times(&mut clocks, 0, 2), (1000, 20));
        assert_eq!(times(&mut clocks, 5, 5), (1050, 50));
        assert_eq!(times(&mut clocks, 14, 2), (1140, 20));
        // After the last frame.
        assert_eq!(times(&mut clocks, 16, 4), (1160, 40));
    }

    #[test]
    fn frames_have_the_durations_of_their_timestamps() {
        // Soft pulldown: frames of two and three fields.
        let mut clocks = Clocks::new(Some(ClockTime::from_mseconds(40)));
        for (start, duration) in [(0, 60), (60, 40), (100, 60)] {
            clocks.push(Some(ClockTime::from_mseconds(start)), Some(ClockTime::from_mseconds(duration)));
        }
        assert_eq!(times(&mut clocks, 2, 2), (30, 30));
        assert_eq!(times(&mut clocks, 4, 4), (60, 40));
        assert_eq!(times(&mut clocks, 8, 4), (100, 60));
    }

    #[test]
    fn a_gap_does_not_lengthen_a_frame_but_jitter_does() {
        let mut clocks = clocks(Some(40), &[0, 43, 80, 480]);
        assert_eq!([0, 4, 8].map(|time| times(&mut clocks, time, 4)), [(0, 43), (43, 37), (80, 40)]);
        let mut unknown = self::clocks(None, &[0, 50]);
        assert_eq!(times(&mut unknown, 4, 4), (50, 50));
    }

    #[test]
    fn old_frames_are_dropped_and_long_streams_keep_their_times() {
        let mut clocks = Clocks::new(Some(ClockTime::from_mseconds(40)));
        for frame in 0..1000 {
            clocks.push(Some(ClockTime::from_mseconds(40 * frame)), None);
            assert_eq!(times(&mut clocks, 4 * frame, 2), (40 * frame, 20));
            assert!(clocks.moments.len() <= 6);
        }
        let mut none = Clocks::new(Some(ClockTime::from_mseconds(40)));
        none.push(None, None);
        assert_eq!(none.output(2, 2), (None, Some(ClockTime::from_mseconds(20))));
        assert_eq!(Clocks::default().output(u64::MAX, u64::MAX), (None, None));
    }
}
