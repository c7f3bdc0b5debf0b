//! The loop of a conversion: frames from the input through the converter to output and reports.

use super::open::{End, Feed, frame_header};
use super::plan::Plan;
use crate::error::CliError;
use crate::io::output::Output;
use crate::options::layers::Options;
use crate::report::progress::Progress;
use crate::report::reports::Reports;
use crate::report::summary::{ClipSummary, NoiseProbe};
use crate::terminal::warn;
use dndi::convert::{Converted, Converter, Event, Notice, StepReport};
use dndi::{Content, Decision, Frame, Scan};

/// One of so many frames is probed for its noise.
const PROBE_INTERVAL: u64 = 24;

/// The summary of a clip that grows with its frames.
#[derive(Debug)]
pub struct Observer {
    pub summary: ClipSummary,
    probe: NoiseProbe,
}

impl Observer {
    pub fn new(probe: NoiseProbe) -> Observer {
        Observer { summary: ClipSummary::default(), probe }
    }

    /// Adds a frame with the decision about it. Some frames are probed for their noise.
    fn add(&mut self, number: u64, frame: Option<&Frame>, decision: Option<&Decision>) -> Result<(), CliError> {
        if let Some(decision) = decision {
            self.summary.add_decision(number, decision);
        }
        if let Some(frame) = frame.filter(|_| number.is_multiple_of(PROBE_INTERVAL))
            && let Some(statistics) = self.probe.measure(frame)?
        {
            self.summary.add_noise(statistics);
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
    /// The summary; none if nobody reads it.
    pub observer: Option<Observer>,
    /// Frames written.
    written: u64,
    /// Outputs of the last step that did not come yet.
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
        Conversion { options, plan, output, reports, progress, observer, written: 0, step_outputs: 0 }
    }

    /// Frames written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Runs to the end of the input. If reading fails, frames that were read before are processed to the end.
    pub fn run(&mut self, converter: &mut Converter, feed: &mut Feed) -> Result<(), CliError> {
        let done = self.convert(converter, feed);
        let closed = self.close(converter);
        // Whatever ends the run, the reports are complete for the frames that were written.
        done.and(closed).and(self.reports.end())
    }

    fn convert(&mut self, converter: &mut Converter, feed: &mut Feed) -> Result<(), CliError> {
        while !feed.is_interrupted() {
            while let Some(event) = converter.next().map_err(CliError::runtime)? {
                match event {
                    Event::Step(step) => {
                        let frame = converter.spare_input();
                        self.step(*step, frame.as_ref(), converter.position())?;
                        frame.into_iter().for_each(|frame| feed.recycle(frame));
                    }
                    Event::Output(output) => self.write(*output)?,
                }
                self.take_back(converter)?;
            }
            if feed.has_ended() {
                break;
            }
            feed.advance(converter)?;
        }
        self.close(converter)?;
        match feed.take_end() {
            Some(End::Failed(error)) => self.reports.print_md5().and(Err(error)),
            Some(End::Interrupted) => Err(CliError::runtime(format_args!("interrupted after {} frames", self.written))),
            _ => self.reports.print_md5(),
        }
    }

    /// Reports on a step; `frame` is the frame that it took.
    fn step(&mut self, step: StepReport, frame: Option<&Frame>, position: u64) -> Result<(), CliError> {
        let StepReport { number, decision, statistics, notice, outputs, .. } = step;
        if let Some(observer) = &mut self.observer {
            observer.add(number, frame, decision.as_deref())?;
        }
        if let Some(notice) = notice {
            warn(self.options.quiet, in_words(number, &notice));
        }
        if let Some(statistics) = statistics.filter(|_| number >= self.options.skip) {
            self.reports.step(number, &statistics)?;
        }
        self.step_outputs = outputs;
        if outputs == 0 {
            self.reports.end_step();
        }
        self.progress.at(position - (self.options.skip - self.options.warmup), self.written);
        Ok(())
    }

    fn write(&mut self, output: Converted) -> Result<(), CliError> {
        self.reports.add_output(&output);
        if self.step_outputs > 0 {
            self.step_outputs -= 1;
            if self.step_outputs == 0 {
                self.reports.end_step();
            }
        }
        let header = frame_header(output.user_data.as_ref());
        let header = if self.plan.clip.progressive { header.without_interlacing() } else { header };
        self.output.write(header, output.frame)
    }

    /// Reports on the frames that were written, and returns them to the converter.
    fn take_back(&mut self, converter: &mut Converter) -> Result<(), CliError> {
        while let Some(frame) = self.output.written() {
            self.written += 1;
            self.reports.written(&frame)?;
            converter.recycle(frame);
        }
        Ok(())
    }

    /// Waits until all frames are written.
    fn close(&mut self, converter: &mut Converter) -> Result<(), CliError> {
        let done = self.output.close();
        let taken = self.take_back(converter);
        done.and(taken)
    }
}

/// A notice of the converter about frame `number`.
fn in_words(number: u64, notice: &Notice) -> String {
    let words = |scan: Scan| match scan {
        Scan::Progressive => "progressive",
        Scan::TopFirst => "interlaced, top field first",
        _ => "interlaced, bottom field first",
    };
    match notice {
        Notice::Contradiction { declared, content, pulldown, scan, at_frame_rate, .. } => {
            let what = match (content, pulldown) {
                (Content::Film, Some(pulldown)) => format!("film ({pulldown}), {}", &words(*scan)[12..]),
                _ => words(*scan).to_owned(),
            };
            let rate = "the first frames are undetermined, so the output has one frame per input frame: use --rate field for one per field";
            match declared.map(words) {
                None => format!("frame {number} is {what}, but {rate}"),
                Some(declared) if *at_frame_rate => format!(
                    "frame {number} is flagged as {declared}, but is {what}; {rate}, or --field-order header to trust the flags"
                ),
                Some(declared) => {
                    format!("frame {number} is flagged as {declared}, but is {what}; --field-order header trusts the flags")
                }
            }
        }
        _ => format!(
            "frame {number} is flagged as progressive; with --deinterlace off its fields are scaled and sharpened separately all the same"
        ),
    }
}
