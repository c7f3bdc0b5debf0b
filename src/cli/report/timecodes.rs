//! `--timecodes`: when frames are shown.

use crate::failure::Failure;
use crate::output::Sink;
use std::collections::VecDeque;

/// When frames are shown, as Matroska's tools read it (timestamp format v2): milliseconds, a line each. The first frame is shown at
/// once, others when their fields come, counted from the first one that is wanted.
#[derive(Debug)]
pub struct Timecodes {
    sink: Sink,
    /// Frames a second.
    rate: (u32, u32),
    /// The first frame that is wanted.
    first: u64,
    /// Times of the frames that are not written yet, in half fields.
    waiting: VecDeque<u64>,
    /// Whether a frame was written.
    begun: bool,
}

impl Timecodes {
    pub fn new(sink: Sink, rate: Option<(u32, u32)>, first: u64) -> Timecodes {
        Timecodes { sink, rate: rate.unwrap_or((25, 1)), first, waiting: VecDeque::new(), begun: false }
    }

    /// Writes what stands before the times.
    pub fn begin(&mut self) -> Result<(), Failure> {
        self.sink.begin()?;
        self.sink.write_lines("# timestamp format v2\n", 0)
    }

    /// A frame that will be written is shown at `time`, in half fields from the beginning of the input.
    pub fn made(&mut self, time: u64) {
        self.waiting.push_back(time);
    }

    /// The next frame was written.
    pub fn written(&mut self) -> Result<(), Failure> {
        let Some(time) = self.waiting.pop_front() else { return Ok(()) };
        // A frame is four half fields.
        let since = if std::mem::replace(&mut self.begun, true) { time - 4 * self.first } else { 0 };
        let (num, den) = (self.rate.0 as u128, self.rate.1 as u128);
        let nanoseconds = (since as u128 * den * 1_000_000_000 + 2 * num) / (4 * num);
        self.sink.write_lines(&format!("{}.{:06}\n", nanoseconds / 1_000_000, nanoseconds % 1_000_000), 1)
    }
}
