//! The run from the first frame to the last.

use crate::ahead::{Ahead, Dropped, Next};
use crate::args::Args;
use crate::cadence::Codes;
use crate::choices::{FieldOrder, Rate};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::output::Output;
use crate::pace::{Pace, Picture};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::report::{self, Origin, Reports};
use crate::survey::{Gauge, Survey};
use dndi::y4m::FrameHeader;
use dndi::{FieldMatch, Content, Decision, Frame, Maps, Output as Made, Pulldown, Reason, Scan, CombMask};
use std::collections::VecDeque;
use std::ops::Range;

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
    /// Made when the first frame is there, and anew when the scan changes.
    stream: Option<Engine>,
    /// The frame that the stream began with.
    first: u64,
    /// The next frame.
    next: u64,
    /// What the last frame but one and the last frame leave with, and what was decided about them, if that is followed.
    headers: [FrameHeader; 2],
    decisions: [Option<Decision>; 2],
    /// Whether a frame was told of that is not treated as it is flagged.
    warned: bool,
    /// Whether the stream's first field is woven with the second one of its frame, which the stream does not do.
    opens_woven: bool,
    /// The first frame that a stream made, which its second one may replace.
    opening: Option<Made>,
    /// Code of the last frame's second field, should it be the stream's last.
    end: FieldMatch,
    /// Pictures that begin with fields of the last frames.
    pictures: VecDeque<Picture>,
    pace: Pace,
    /// The last picture, which leaves when its end is known.
    held: Option<(Picture, Leaving)>,
    watch: Watch,
}

/// Who looks at the run.
#[derive(Debug)]
pub struct Watch {
    pub progress: Progress,
    /// What the summary tells, with the gauge for its noise; none if nobody reads it.
    pub survey: Option<(Survey, Gauge)>,
    /// The frame that is looked for; the run ends with it.
    pub catch: Option<Catch>,
}

/// A frame that is looked for.
#[derive(Debug)]
pub struct Catch {
    /// Its number, and the field that an output shows of it.
    pub frame: u64,
    pub field: u64,
    pub before: Option<Frame>,
    pub after: Option<Caught>,
}

/// An output, and what is known of the step that made it.
#[derive(Debug)]
pub struct Caught {
    pub frame: Frame,
    /// How its stream's frames are scanned.
    pub scan: Scan,
    pub maps: Option<Maps>,
    /// Where woven fields did not belong together.
    pub torn: Option<CombMask>,
}

impl Catch {
    fn is_done(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }

    /// Takes a frame that `stream` made if it is the one that is looked for; `decision` is that about the last step.
    fn look(&mut self, field: u64, made: &Made, scan: Scan, stream: Option<&Engine>, decision: Option<&Decision>) {
        if field == self.field {
            // A frame that came late, or from the end of the stream, is not of the last step.
            let step = made.time.div_ceil(2);
            let maps = stream.and_then(Engine::maps).filter(|maps| maps.step == step);
            let torn = decision.filter(|_| maps.is_some()).map(|decision| decision.torn[1 - made.time as usize % 2].clone());
            self.after = Some(Caught { frame: made.frame.clone(), scan, maps, torn });
        }
    }
}

/// One of so many frames is asked for its noise.
const SAMPLED: u64 = 24;

impl Watch {
    fn take(&mut self, number: u64, frame: &Frame, decision: Option<&Decision>) -> Result<(), Failure> {
        if let Some(catch) = self.catch.as_mut().filter(|catch| catch.frame == number) {
            catch.before = Some(frame.clone());
        }
        let Some((survey, gauge)) = &mut self.survey else { return Ok(()) };
        if let Some(decision) = decision {
            survey.decided(number, decision);
        }
        if number.is_multiple_of(SAMPLED)
            && let Some(statistics) = gauge.measure(frame)?
        {
            survey.measured(statistics);
        }
        Ok(())
    }
}

/// A frame on its way out.
#[derive(Clone, Debug)]
struct Leaving {
    header: FrameHeader,
    origin: Origin,
    made: Made,
}

impl<'a> Conversion<'a> {
    /// The run that is planned; `codes` are those of its steps where none are decided.
    pub fn new(args: &'a Args, plan: &'a Plan, codes: Codes, output: Output, reports: Reports, watch: Watch) -> Conversion<'a> {
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
            decisions: [None, None],
            warned: false,
            opens_woven: false,
            opening: None,
            end: FieldMatch::Deinterlace,
            pictures: VecDeque::new(),
            pace: Pace::new(if args.timecodes.is_some() { 0 } else { plan.duration }),
            held: None,
            watch,
        }
    }

    /// Those who look at the run.
    pub fn watch(&mut self) -> &mut Watch {
        &mut self.watch
    }

    /// Frames that the input had so far, those dropped included, and frames written.
    pub fn frames(&self) -> (u64, u64) {
        (self.next, self.written)
    }

    /// Runs to the end of the input. What it holds before it fails is worked on to the end, too.
    pub fn run(&mut self, input: Ahead) -> Result<(), Failure> {
        let done = self.convert(input);
        let closed = self.close();
        // Whatever ends the run, the reports tell of the frames that were written.
        done.and(closed).and(self.reports.end())
    }

    fn convert(&mut self, mut input: Ahead) -> Result<(), Failure> {
        while !self.watch.catch.as_ref().is_some_and(Catch::is_done) {
            match input.next()? {
                Next::Frame(header, frame, decision) => {
                    self.take(header, &frame, decision)?;
                    input.recycle(frame);
                }
                Next::Dropped(Dropped { frames, top_first }) => {
                    self.scan = self.told(top_first);
                    self.next += frames;
                }
                Next::End => return self.end(),
                Next::Failed(failure) => return self.end().and(Err(failure)),
                Next::Interrupted => {
                    self.close()?;
                    return Err(Failure::runtime(format_args!("interrupted after {} frames", self.written)));
                }
            }
        }
        self.close()
    }

    fn take(&mut self, header: FrameHeader, frame: &Frame, decision: Option<(Decision, Option<Scan>)>) -> Result<(), Failure> {
        let number = self.next;
        let (decision, told) = decision.unzip();
        let decision = decision.as_ref();
        let followed = decision.filter(|_| self.plan.asks());
        self.watch.take(number, frame, followed)?;
        if let Some(decision) = decision {
            self.compare(decision, told.flatten());
        }
        let scan = decision.map_or_else(|| self.told(header.top_first()), |decision| self.plan.scan_of(decision));
        if scan != self.scan {
            // What the stream still has is of the frames before.
            self.flush()?;
            (self.stream, self.scan) = (None, scan);
        }
        self.decisions.swap(0, 1);
        self.decisions[1] = followed.cloned();
        if self.plan.splits_mixed && header.progressive() && !self.warned {
            self.warned = true;
            let how = "with --deinterlace off its fields are scaled and enhanced by themselves all the same";
            report::warn(self.args, &format!("frame {number} is flagged as progressive; {how}"));
        }
        let decision = decision.filter(|_| self.plan.question.is_some_and(|question| question.weaves));
        let codes = match decision {
            Some(decision) => decision.cadence,
            None => self.codes.step(number, &header),
        };
        if self.stream.is_none() {
            self.first = number;
            let whole = |decision: &Decision| decision.end == FieldMatch::Previous;
            self.opens_woven = self.scan != Scan::Progressive && decision.is_some_and(whole);
            self.stream = Some(Engine::new(self.args.engine, self.plan.builder(self.scan)).map_err(Failure::runtime)?);
        }
        let Some(stream) = &mut self.stream else { return Ok(()) };
        // What the stream has no room for waits here: frames are made once.
        self.spare.drain(self.spare.len().saturating_sub(2)..).for_each(|frame| stream.recycle(frame));
        let pushed = match decision {
            Some(decision) => stream.push_decided(&frame.planes(), decision),
            None => stream.push_with(&frame.planes(), codes),
        };
        pushed.map_err(Failure::runtime)?;
        self.next += 1;
        self.end = match decision {
            Some(decision) => decision.end,
            None => self.codes.end(self.next),
        };
        self.headers.swap(0, 1);
        self.headers[1] = if self.plan.is_progressive() { header.without_interlacing() } else { header };
        if self.plan.rate == Rate::Film {
            self.pictures.extend(pictures(number, decision, self.plan.duration));
        }
        let Some(stream) = &self.stream else { return Ok(()) };
        if let Some(statistics) = stream.statistics().filter(|_| number >= self.args.skip) {
            self.reports.step(number, statistics)?;
        }
        self.drain()?;
        self.reports.step_made();
        self.watch.progress.at(self.next - (self.args.skip - self.args.warmup), self.written);
        Ok(())
    }

    /// Warns of the first frame that is not what the flags say, or has fields where the rate is that of frames by chance.
    fn compare(&mut self, decision: &Decision, told: Option<Scan>) {
        let measured = matches!(decision.reason, Reason::PatternMatched | Reason::Combing) && self.args.field_order == FieldOrder::Auto;
        let fields = decision.content != Content::Progressive;
        let wrong = told.filter(|told| match told {
            // A film's frames may well be whole, and those of a clip that began otherwise be so for a while.
            Scan::TopFirst | Scan::BottomFirst if !fields => decision.frame == 0 && self.plan.scan == Scan::Progressive,
            Scan::Progressive => fields && !self.plan.mixed_scan,
            told => *told != decision.scan(),
        });
        let late = self.plan.unsure && fields;
        if !measured || self.warned || wrong.is_none() && !late {
            return;
        }
        self.warned = true;
        let words = |scan: Scan| match scan {
            Scan::Progressive => "progressive",
            Scan::TopFirst => "interlaced, top field first",
            _ => "interlaced, bottom field first",
        };
        let what = match (decision.content, decision.pulldown) {
            (Content::Film, Some(pulldown)) => format!("film ({pulldown}), {}", &words(decision.scan())[12..]),
            _ => words(decision.scan()).to_owned(),
        };
        let rate = "the first frames tell nothing, so a frame leaves for each frame: say --rate field for one of each field";
        let message = match wrong.map(words) {
            None => format!("is {what}, but {rate}"),
            Some(told) if late => {
                format!("is flagged as {told}, but is {what}; {rate}, or --field-order header to believe the flags")
            }
            Some(told) => format!("is flagged as {told}, but is {what}; --field-order header believes the flags"),
        };
        report::warn(self.args, &format!("frame {} {message}", self.next));
    }

    /// How the next frame is scanned in a mixed stream whose flags say `top_first`.
    fn told(&self, top_first: Option<bool>) -> Scan {
        let told = top_first.filter(|_| self.plan.mixed_order);
        told.map_or(self.scan, |top| if top { Scan::TopFirst } else { Scan::BottomFirst })
    }

    /// Takes the frames that are ready.
    fn drain(&mut self) -> Result<(), Failure> {
        while let Some(made) = self.stream.as_mut().and_then(Engine::pull) {
            match (made.time, self.opening.take()) {
                (0, _) if self.opens_woven => self.opening = Some(made),
                (1, Some(mut opening)) => {
                    // Both fields of the frame make the same picture.
                    opening.frame.clone_from(&made.frame);
                    opening.luma.clone_from(&made.luma);
                    self.leave(opening)?;
                    self.leave(made)?;
                }
                _ => self.leave(made)?,
            }
        }
        self.take_back()
    }

    /// Writes a frame if it is wanted.
    fn leave(&mut self, made: Made) -> Result<(), Failure> {
        let field = 2 * self.first + made.time;
        let number = field / 2;
        let last = usize::from(number + 1 == self.next);
        if let Some(catch) = &mut self.watch.catch {
            catch.look(field, &made, self.scan, self.stream.as_ref(), self.decisions[1].as_ref());
        }
        let header = self.headers[last].clone();
        let index = match self.plan.rate {
            _ if number < self.args.skip => None,
            Rate::Field => Some(if self.plan.deinterlace { field } else { 2 * number }),
            Rate::Frame => (field.is_multiple_of(2)).then_some(number),
            Rate::Film => {
                while self.pictures.front().is_some_and(|picture| picture.field < field) {
                    self.pictures.pop_front();
                }
                let begins = self.pictures.front().filter(|picture| picture.field == field).copied();
                if let Some(picture) = begins {
                    self.release(field)?;
                    let origin = Origin::new(field, &made, self.decisions[last].as_ref());
                    self.held = Some((picture, Leaving { header, origin, made }));
                    return Ok(());
                }
                None
            }
        };
        let Some(index) = index else {
            self.give_back(made.frame);
            return Ok(());
        };
        let origin = Origin::new(field, &made, self.decisions[last].as_ref());
        let mut leaving = Leaving { header, origin, made };
        if self.plan.rate == Rate::Field && !self.plan.deinterlace {
            // Both fields show the same.
            self.write(leaving.clone(), index..index + 1, 2 * field)?;
            leaving.origin.field += 1;
            return self.write(leaving, index + 1..index + 2, 2 * field + 2);
        }
        self.write(leaving, index..index + 1, 2 * field)
    }

    /// Writes the picture that is held, which is shown until field `end`.
    fn release(&mut self, end: u64) -> Result<(), Failure> {
        let Some((picture, leaving)) = self.held.take() else { return Ok(()) };
        let start = 2 * self.args.skip;
        let time = self.pace.time(picture);
        let first = self.pace.frames();
        let count = self.pace.count(Picture { field: picture.field - start, ..picture }, end - start);
        self.write(leaving, first..first + count, time)
    }

    /// Writes a frame as often as it has numbers; it is shown at `time`, in half fields.
    fn write(&mut self, leaving: Leaving, numbers: Range<u64>, time: u64) -> Result<(), Failure> {
        let Leaving { header, origin, made } = leaving;
        for number in numbers.clone() {
            self.reports.made(number, origin.clone(), made.luma.as_ref());
            self.reports.time(time);
            if number + 1 == numbers.end {
                return self.output.write(header, made.frame);
            }
            self.output.write(header.clone(), made.frame.clone())?;
        }
        self.give_back(made.frame);
        Ok(())
    }

    fn give_back(&mut self, frame: Frame) {
        if let Some(stream) = &mut self.stream {
            stream.recycle(frame);
        }
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
        stream.flush_with(self.end).map_err(Failure::runtime)?;
        self.drain()
    }

    fn end(&mut self) -> Result<(), Failure> {
        self.flush()?;
        self.release(2 * self.next)?;
        self.close()?;
        self.reports.sum()
    }
}

/// The pictures that begin with a field of frame `number`. Those of another cadence than that of the output do not set its pace.
fn pictures(number: u64, decision: Option<&Decision>, duration: u64) -> impl Iterator<Item = Picture> {
    let (fresh, film, uneven) = match decision {
        Some(decision) => {
            let uneven = matches!(decision.pulldown, Some(Pulldown::P32 | Pulldown::P2332));
            let ratio = decision.pulldown.map(Pulldown::ratio);
            let film = ratio.is_some_and(|(pictures, frames)| 4 * frames as u64 == duration * pictures as u64);
            (decision.fresh, film, uneven)
        }
        None => ([true, false], true, false),
    };
    let begin = (0..2).filter(move |&field| fresh[field as usize]);
    begin.map(move |field| Picture { field: 2 * number + field, film, uneven })
}
