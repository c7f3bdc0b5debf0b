//! `--timecodes`: timestamps of the output frames.

use crate::error::CliError;
use crate::io::output::Sink;
use std::collections::VecDeque;

/// Timestamps in Matroska's timestamp format v2: one per line, in milliseconds. The first output
/// has time 0. The times of the others are relative to the first input frame after those of
/// `--skip`.
#[derive(Debug)]
pub struct Timecodes {
    sink: Sink,
    /// Frame rate of the input as a fraction.
    rate: (u32, u32),
    /// Number of the first input frame that has output.
    first: u64,
    /// Times of outputs that are not written yet, in quarters of an input frame.
    waiting: VecDeque<u64>,
    /// Whether an output was written.
    begun: bool,
}

impl Timecodes {
    pub fn new(sink: Sink, rate: Option<(u32, u32)>, first: u64) -> Timecodes {
        Timecodes { sink, rate: rate.unwrap_or((25, 1)), first, waiting: VecDeque::new(), begun: false }
    }

    /// Writes the header line.
    pub fn begin(&mut self) -> Result<(), CliError> {
        self.sink.begin()?;
        self.sink.write_lines("# timestamp format v2\n", 0)
    }

    /// Continues the times of an earlier part of the clip.
    pub fn resume(&mut self) {
        self.begun = true;
    }

    /// Adds an output, which will be written later. `time` is in quarters of an input frame.
    pub fn add(&mut self, time: u64) {
        self.waiting.push_back(time);
    }

    /// Reports that the next output was written, and writes its time.
    pub fn written(&mut self) -> Result<(), CliError> {
        let Some(time) = self.waiting.pop_front() else { return Ok(()) };
        let since = if std::mem::replace(&mut self.begun, true) { time - 4 * self.first } else { 0 };
        let (num, den) = (self.rate.0 as u128, self.rate.1 as u128);
        let nanoseconds = (since as u128 * den * 1_000_000_000 + 2 * num) / (4 * num);
        self.sink.write_lines(&format!("{}.{:06}\n", nanoseconds / 1_000_000, nanoseconds % 1_000_000), 1)
    }
}
