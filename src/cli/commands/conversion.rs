//! The loop of a conversion. It passes frames from the input to the converter, and the converter's
//! frames to the output and the reports.

use super::open::{End, Feed, frame_header};
use super::plan::Plan;
use crate::error::CliError;
use crate::io::output::Output;
use crate::options::layers::Options;
use crate::report::progress::Progress;
use crate::report::repeats::{Repeat, Repeats};
use crate::report::reports::Reports;
use crate::report::summary::{ClipSummary, NoiseProbe, noise};
use crate::terminal::warn;
use dndi::convert::{Converted, Converter, Event, Notice, StepReport};
use dndi::{Content, Decision, Frame, Scan};

/// Interval in frames at which the noise is measured for the summary: about one second of film. A
/// shorter interval takes more time; a longer one misses short scenes.
pub const PROBE_INTERVAL: u64 = 24;

/// Collects the summary of a clip.
#[derive(Debug)]
pub struct Observer {
    pub summary: ClipSummary,
    probe: NoiseProbe,
}

impl Observer {
    pub fn new(probe: NoiseProbe) -> Observer {
        Observer { summary: ClipSummary::default(), probe }
    }

    /// Adds a frame and the decision about it. The noise is measured every [`PROBE_INTERVAL`]
    /// frames.
    fn add(&mut self, number: u64, frame: Option<&Frame>, decision: Option<&Decision>) -> Result<(), CliError> {
        if let Some(decision) = decision {
            self.summary.add_decision(number, decision);
        }
        if let Some(frame) = frame.filter(|_| number.is_multiple_of(PROBE_INTERVAL))
            && let Some(statistics) = self.probe.measure(frame)?
        {
            self.summary.add_noise(noise(statistics, frame.format().depth));
        }
        Ok(())
    }
}

/// A running conversion.
#[derive(Debug)]
pub struct Conversion<'a> {
    options: &'a Options,
    plan: &'a Plan,
    output: Output,
    reports: Reports,
    pub progress: Progress,
    /// The summary; none if it is not printed.
    pub observer: Option<Observer>,
    /// The input frames, for `--stats`.
    repeats: Repeats,
    /// Number of frames written.
    written: u64,
    /// Number of outputs of the last step that the converter did not return yet.
    step_outputs: usize,
}

impl<'a> Conversion<'a> {
    pub fn new(
        options: &'a Options,
        plan: &'a Plan,
        output: Output,
        reports: Reports,
        progress: Progress,
        observer: Option<Observer>,
    ) -> Conversion<'a> {
        Conversion {
            options,
            plan,
            output,
            reports,
            progress,
            observer,
            repeats: Repeats::default(),
            written: 0,
            step_outputs: 0,
        }
    }

    /// Number of frames written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Converts up to the end of the input. If reading fails, the frames read before are still
    /// converted and written.
    pub fn run(&mut self, converter: &mut Converter, feed: &mut Feed) -> Result<(), CliError> {
        let converted = self.convert(converter, feed);
        let closed = self.close(|frame| converter.recycle(frame));
        // After an error too, the reports cover all frames that were written.
        converted.and(closed).and(self.reports.end())
    }

    fn convert(&mut self, converter: &mut Converter, feed: &mut Feed) -> Result<(), CliError> {
        while !feed.is_interrupted() {
            while let Some(event) = converter.next_event().map_err(CliError::runtime)? {
                match event {
                    Event::Step(step) => {
                        let frame = converter.spare_input();
                        let repeats = match frame.as_ref().filter(|_| self.options.stats.is_some()) {
                            Some(frame) => self.repeats.add(frame)?,
                            None => None,
                        };
                        self.step(*step, frame.as_ref(), repeats, converter.position())?;
                        frame.into_iter().for_each(|frame| feed.recycle(frame));
                    }
                    Event::Output(output) => {
                        let time = feed.clock().output(output.time);
                        self.write(*output, time)?;
                    }
                    _ => {}
                }
                self.recycle_written(|frame| converter.recycle(frame))?;
            }
            if feed.has_ended() {
                break;
            }
            feed.advance(converter)?;
        }
        self.close(|frame| converter.recycle(frame))?;
        match feed.take_end() {
            Some(End::Failed(error)) => self.output.finish().and(self.reports.print_md5()).and(Err(error)),
            Some(End::Interrupted) => Err(CliError::runtime(format_args!("interrupted after {} frames", self.written))),
            _ => self.output.finish().and(self.reports.print_md5()),
        }
    }

    /// Reports a step; `frame` is its input frame, of which a part `repeats` that of the one
    /// before.
    pub fn step(
        &mut self,
        step: StepReport,
        frame: Option<&Frame>,
        repeats: Option<Repeat>,
        position: u64,
    ) -> Result<(), CliError> {
        let StepReport { number, decision, statistics, notice, outputs, .. } = step;
        if let Some(observer) = &mut self.observer {
            observer.add(number, frame, decision.as_deref())?;
        }
        if let Some(notice) = notice {
            warn(self.options.quiet, notice_text(number, &notice));
        }
        if let Some(statistics) = statistics.filter(|_| number >= self.options.skip) {
            self.reports.step(number, &statistics, repeats)?;
        }
        self.step_outputs = outputs;
        if outputs == 0 {
            self.reports.end_step();
        }
        self.progress.at(position - (self.options.skip - self.options.warmup), self.written);
        Ok(())
    }

    /// Writes an output that is shown at `time`, in nanoseconds.
    pub fn write(&mut self, output: Converted, time: i64) -> Result<(), CliError> {
        self.reports.add_output(&output);
        if self.step_outputs > 0 {
            self.step_outputs -= 1;
            if self.step_outputs == 0 {
                self.reports.end_step();
            }
        }
        let header = frame_header(output.user_data.as_ref());
        let header = if self.plan.clip.progressive { header.without_interlacing() } else { header };
        self.output.write(header, output.frame, time)
    }

    /// Ends a conversion with this result. After an error too, the reports cover all frames that
    /// were written.
    ///
    /// If reading failed, the result is that error; the output is complete up to there.
    pub fn end(&mut self, converted: Result<Option<CliError>, CliError>) -> Result<(), CliError> {
        let closed = self.close(drop);
        let finished = match (&converted, &closed) {
            (Ok(_), Ok(())) => self.output.finish().and(self.reports.print_md5()),
            _ => Ok(()),
        };
        let converted = converted.and_then(|failed| failed.map_or(Ok(()), Err));
        converted.and(closed).and(finished).and(self.reports.end())
    }

    /// Reports the frames that were written, and passes them to `recycle`.
    pub fn recycle_written(&mut self, mut recycle: impl FnMut(Frame)) -> Result<(), CliError> {
        while let Some(frame) = self.output.written() {
            self.written += 1;
            self.reports.written(&frame)?;
            recycle(frame);
        }
        Ok(())
    }

    /// Waits until all frames are written.
    fn close(&mut self, recycle: impl FnMut(Frame)) -> Result<(), CliError> {
        let closed = self.output.close();
        let recycled = self.recycle_written(recycle);
        closed.and(recycled)
    }
}

/// The warning for a notice of the converter about frame `number`.
fn notice_text(number: u64, notice: &Notice) -> String {
    let name = |scan: Scan| match scan {
        Scan::Progressive => "progressive",
        Scan::TopFirst => "interlaced, top field first",
        _ => "interlaced, bottom field first",
    };
    match notice {
        Notice::Contradiction { declared, content, pulldown, scan, at_frame_rate, .. } => {
            let measured = match (content, pulldown) {
                (Content::Film, Some(pulldown)) => {
                    format!("film ({pulldown}), {}", name(*scan).trim_start_matches("interlaced, "))
                }
                _ => name(*scan).to_owned(),
            };
            let rate = "the first frames are undetermined, so the output has one frame per input frame: use --rate field for one per field";
            match declared.map(name) {
                None => format!("frame {number} is {measured}, but {rate}"),
                Some(declared) if *at_frame_rate => format!(
                    "frame {number} is flagged as {declared}, but is {measured}; {rate}, or --field-order header to trust the flags"
                ),
                Some(declared) => {
                    format!("frame {number} is flagged as {declared}, but is {measured}; --field-order header trusts the flags")
                }
            }
        }
        Notice::MotionLost { first } => format!(
            "the frames from {first} on are interlaced, but the rate follows from other frames, and has fewer frames than they have fields: motion is lost; use --rate field"
        ),
        Notice::FilmRepeated { first, pulldown } => format!(
            "the frames from {first} on are film {pulldown}, but the first frames alone define the rate, one output per frame: pictures are repeated; --rate film with --timecodes, or with an output that has times, shows each once"
        ),
        _ => {
            format!("frame {number} is flagged as progressive; --deinterlace off still scales and sharpens its fields separately")
        }
    }
}
