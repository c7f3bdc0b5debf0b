//! The run from the first frame to the last.

use crate::args::Args;
use crate::cadence::Codes;
use crate::choices::Rate;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::input::{Event, Input};
use crate::output::Output;
use crate::plan::Plan;
use crate::report::{self, Reports};
use dndi::y4m::FrameHeader;
use dndi::{Frame, Scan};

/// What goes on. Frames are counted from the first one of the input, seen or not.
#[derive(Debug)]
pub struct Conversion<'a> {
    args: &'a Args,
    plan: &'a Plan,
    codes: Codes,
    output: Output,
    reports: Reports,
    /// Frames written.
    written: u64,
    /// Frames to be used again.
    spare: Vec<Frame>,
    /// How the next frame is scanned.
    scan: Scan,
    /// Made when the first frame is there, and anew when the field order changes.
    stream: Option<Engine>,
    /// The frame that the stream began with.
    first: u64,
    /// The next frame.
    next: u64,
    /// What the last frame but one and the last frame leave with.
    headers: [FrameHeader; 2],
    /// Whether a frame was told of that is not treated as it is flagged.
    warned: bool,
}

impl<'a> Conversion<'a> {
    /// The run that is planned; `codes` are those of its steps.
    pub fn new(args: &'a Args, plan: &'a Plan, codes: Codes, output: Output, reports: Reports) -> Conversion<'a> {
        let headers = [FrameHeader::default(), FrameHeader::default()];
        Conversion {
            args,
            plan,
            codes,
            output,
            reports,
            written: 0,
            spare: vec![],
            scan: plan.scan,
            stream: None,
            first: 0,
            next: 0,
            headers,
            warned: false,
        }
    }

    /// Frames that the input had so far, those dropped included, and frames written.
    pub fn frames(&self) -> (u64, u64) {
        (self.next, self.written)
    }

    /// Runs to the end of the input. What it holds before it fails is worked on to the end, too.
    pub fn run(&mut self, input: Input) -> Result<(), Failure> {
        let done = self.convert(input);
        let closed = self.close();
        // Whatever ends the run, the row of the last step is complete but for frames that do not come any more.
        done.and(closed).and(self.reports.end_step())
    }

    fn convert(&mut self, input: Input) -> Result<(), Failure> {
        loop {
            match input.next() {
                Event::Frame(header, frame) => {
                    self.take(header, &frame)?;
                    input.recycle(frame);
                }
                Event::Dropped(header) => {
                    self.follow(&header);
                    self.next += 1;
                }
                Event::End => return self.end(),
                Event::Failed(failure) => return self.end().and(Err(failure)),
                Event::Interrupted => {
                    self.close()?;
                    return Err(Failure::runtime(format_args!("interrupted after {} frames", self.written)));
                }
                Event::Header(_) => {}
            }
        }
    }

    fn take(&mut self, header: FrameHeader, frame: &Frame) -> Result<(), Failure> {
        if self.follow(&header) {
            self.flush()?;
            self.stream = None;
        }
        let number = self.next;
        if self.plan.splits_mixed && header.progressive() && !self.warned {
            self.warned = true;
            let how = "with --deinterlace off its fields are scaled and enhanced by themselves all the same";
            report::warn(self.args, &format!("frame {number} is flagged as progressive; {how}"));
        }
        let codes = self.codes.step(number, &header);
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                self.first = number;
                none.insert(Engine::new(self.args.engine, self.plan.builder(self.scan)).map_err(Failure::runtime)?)
            }
        };
        // What the stream has no room for waits here: frames are made once.
        self.spare.drain(self.spare.len().saturating_sub(2)..).for_each(|frame| stream.recycle(frame));
        stream.push_with(&frame.planes(), codes).map_err(Failure::runtime)?;
        self.next += 1;
        self.headers.swap(0, 1);
        self.headers[1] = if self.plan.deinterlace { header.without_interlacing() } else { header };
        if let Some(statistics) = stream.statistics().filter(|_| number >= self.args.skip) {
            self.reports.step(number, statistics)?;
        }
        self.drain()?;
        self.reports.step_made();
        Ok(())
    }

    /// Follows the field order of a mixed stream; tells whether it changed.
    fn follow(&mut self, header: &FrameHeader) -> bool {
        let told = header.top_first().filter(|_| self.plan.mixed_order);
        let told = told.map_or(self.scan, |top| if top { Scan::TopFirst } else { Scan::BottomFirst });
        std::mem::replace(&mut self.scan, told) != told
    }

    /// Writes the frames that are ready and wanted.
    fn drain(&mut self) -> Result<(), Failure> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        let each = if self.plan.deinterlace && self.args.rate == Rate::Field { 2 } else { 1 };
        while let Some(output) = stream.pull() {
            let number = self.first + output.time / 2;
            let wanted = self.args.rate == Rate::Field || output.time % 2 == 0;
            if wanted && number >= self.args.skip {
                self.reports.made(each * self.first + output.time * each / 2, output.luma.as_ref());
                let header = self.headers[usize::from(number + 1 == self.next)].clone();
                self.output.write(header, output.frame)?;
            } else {
                stream.recycle(output.frame);
            }
        }
        self.take_back()
    }

    /// Reports on the frames that were written, and gives the stream those that it has room for.
    fn take_back(&mut self) -> Result<(), Failure> {
        while let Some(frame) = self.output.written() {
            self.written += 1;
            self.reports.written(&frame)?;
            self.spare.push(frame);
        }
        Ok(())
    }

    /// Waits until all frames are written.
    fn close(&mut self) -> Result<(), Failure> {
        let done = self.output.close();
        let taken = self.take_back();
        done.and(taken)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        stream.flush_with(self.codes.end(self.next)).map_err(Failure::runtime)?;
        self.drain()
    }

    fn end(&mut self) -> Result<(), Failure> {
        self.flush()?;
        self.close()?;
        self.reports.end()
    }
}
