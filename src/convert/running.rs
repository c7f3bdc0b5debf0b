//! The state of a running conversion, and the path of the outputs from the engine to the events.
use super::chunks::{Chunk, ChunkState};
use super::decimate::{Decimator, Picture, TOLERANCE};
use super::events::{Captured, Converted, Event, Notice, StepReport};
use super::matches::StepMatcher;
use super::options::{FieldOrderMode, MatchSource, Options, OutputRate};
use super::plan::ClipPlan;
use super::segments::SegmentStream;
use super::survey::RUN;
use crate::detect::{Content, Decision, Pulldown, Reason};
use crate::error::Error;
use crate::format::{FrameFlags, Interlacing, Scan};
use crate::frame::Frame;
use crate::pipeline::Output;
use std::collections::VecDeque;
use std::sync::Arc;

/// The state of a conversion whose plan is known.
pub(super) struct Running {
    pub plan: Arc<ClipPlan>,
    pub matcher: StepMatcher,
    pub scan: Scan,
    pub segment: Option<SegmentStream>,
    /// The decisions about the last three frames, the last one first, if the conversion follows
    /// them. A stream with look-ahead that denoises along motion returns the outputs of the first
    /// of these frames after the third was pushed.
    pub decisions: [Option<Arc<Decision>>; 3],
    /// The last frame, if its step waits for the next frame.
    pub waiting: Option<PushedFrame>,
    /// Whether a contradiction, or a progressive frame that is split, was reported. Only the first
    /// one is.
    pub noticed: bool,
    /// Successive frames whose motion the default rate loses; none once these, or frames with
    /// fields at the rate of an undetermined start, were reported.
    losing: Option<u64>,
    /// The same of frames of film with repeated fields, whose pictures the default rate repeats.
    repeating: Option<u64>,
    /// Pictures that start in the last frames and whose outputs the engine has not returned.
    pub pictures: VecDeque<Picture>,
    pub decimator: Decimator,
    /// The first frame that was processed.
    pub first: Option<u64>,
    /// The last picture with its time and its output. It is output when the start of the next one
    /// is known.
    pub held: Option<(Picture, u64, Converted)>,
    pub events: VecDeque<Event>,
    pub ended: bool,
    /// The state of the chunk; none if the whole clip is converted.
    pub chunk: Option<ChunkState>,
}

/// A frame that the engine has, with its report. The step of the frame makes the statistics and the
/// outputs of the report.
#[derive(Debug)]
pub(super) struct PushedFrame {
    pub report: StepReport,
    pub frame: Frame,
}

/// A field whose output is captured.
#[derive(Debug)]
pub(super) struct Capture {
    pub field: u64,
    pub captured: Option<Captured>,
}

impl Running {
    pub fn new(plan: ClipPlan, options: &Options, skipped: FrameFlags, chunk: Option<Chunk>) -> Running {
        let matcher = match options.match_source {
            MatchSource::Caller => StepMatcher::Caller,
            MatchSource::Detector if plan.mixed_scan => StepMatcher::Flags { progressive: false },
            MatchSource::Detector => StepMatcher::None,
        };
        let duration = if options.variable_rate { 0 } else { plan.duration() };
        let decimator = match chunk {
            Some(chunk) if chunk.index > 0 => Decimator::within(duration, plan.ratio, 2 * chunk.start, 2 * chunk.first),
            _ => Decimator::new(duration),
        };
        let mut running = Running {
            scan: plan.scan,
            plan: Arc::new(plan),
            matcher,
            segment: None,
            decisions: [None, None, None],
            waiting: None,
            noticed: false,
            losing: Some(0),
            repeating: Some(0),
            pictures: VecDeque::new(),
            decimator,
            first: None,
            held: None,
            events: VecDeque::new(),
            ended: false,
            chunk: chunk.map(ChunkState::new),
        };
        running.scan = running.next_scan(skipped, options.interlacing);
        running
    }

    /// The scan with which the next frame is processed if nothing is detected.
    pub fn next_scan(&self, flags: FrameFlags, interlacing: Interlacing) -> Scan {
        if self.plan.mixed_order { interlacing.next_scan(flags, self.scan) } else { self.scan }
    }

    /// The notice about the first frame that contradicts the declared scan, or that has fields
    /// although the default rate is one output frame per input frame.
    pub fn contradiction(&mut self, decision: &Decision, declared: Option<Scan>, options: &Options) -> Option<Notice> {
        let measured = matches!(decision.reason, Reason::PatternMatched | Reason::Combing | Reason::Blended);
        let fields = decision.content != Content::Progressive;
        let wrong = declared.filter(|declared| match declared {
            // Single frames of film may be progressive, and so may later frames of a clip that
            // started otherwise.
            Scan::TopFirst | Scan::BottomFirst if !fields => {
                let first = decision.frame == 0 && self.chunk.as_ref().is_none_or(|state| state.chunk.index == 0);
                first && self.plan.scan == Scan::Progressive
            }
            Scan::Progressive => fields && !self.plan.mixed_scan,
            declared => *declared != decision.scan(),
        });
        let at_frame_rate = self.plan.unsure && fields;
        if !measured || options.field_order != FieldOrderMode::Auto || self.noticed || wrong.is_none() && !at_frame_rate {
            return None;
        }
        self.noticed = true;
        if at_frame_rate {
            (self.losing, self.repeating) = (None, None);
        }
        let &Decision { content, pulldown, .. } = decision;
        Some(Notice::Contradiction { declared: wrong, content, pulldown, scan: decision.scan(), at_frame_rate })
    }

    /// The notice about the first interlaced frames whose fields are more than the outputs of the
    /// default rate. Single frames at an edit do not count. A frame that has the notice `other`
    /// keeps it, and a later one has this notice.
    pub fn lost_motion(&mut self, number: u64, decision: &Decision, options: &Options, other: Option<Notice>) -> Option<Notice> {
        let Some(frames) = &mut self.losing else { return other };
        let fields = matches!(decision.reason, Reason::Combing | Reason::Blended);
        let is_interlaced = decision.content == Content::Interlaced && fields;
        let loses = match self.plan.rate {
            OutputRate::Field => false,
            OutputRate::Frame => self.plan.completes_fields,
            OutputRate::Film => !options.variable_rate && self.plan.duration() > 2,
        };
        let counts = is_interlaced && decision.confidence > 0 && loses && options.rate.is_none();
        *frames = if counts && options.field_order == FieldOrderMode::Auto { *frames + 1 } else { 0 };
        if *frames < RUN || other.is_some() {
            return other;
        }
        let first = number.saturating_sub(*frames - 1);
        self.losing = None;
        Some(Notice::MotionLost { first })
    }

    /// The notice about the first frames of film whose pictures a default rate of one output per
    /// frame repeats, since it follows from other frames alone. A frame that has the notice `other`
    /// keeps it, and a later one has this notice.
    pub fn repeated_film(
        &mut self,
        number: u64,
        decision: &Decision,
        options: &Options,
        other: Option<Notice>,
    ) -> Option<Notice> {
        let repeats = self.plan.rate == OutputRate::Frame && options.rate.is_none() && self.plan.survey.is_none();
        let Some(frames) = self.repeating.as_mut().filter(|_| repeats && self.plan.completes_fields) else { return other };
        let is_film = decision.content == Content::Film && decision.confidence > 0;
        let pulldown = decision.pulldown.filter(|&pulldown| is_film && pulldown != Pulldown::P22);
        *frames = if pulldown.is_some() { *frames + 1 } else { 0 };
        let Some(pulldown) = pulldown.filter(|_| *frames >= RUN && other.is_none()) else { return other };
        let first = number.saturating_sub(*frames - 1);
        self.repeating = None;
        Some(Notice::FilmRepeated { first, pulldown })
    }

    /// The decision about `frame`, if it is one of the last three of `next` frames and the
    /// conversion follows decisions.
    fn decision(&self, frame: u64, next: u64) -> Option<&Arc<Decision>> {
        let age = next.checked_sub(frame + 1)?;
        self.decisions.get(usize::try_from(age).ok()?)?.as_ref()
    }

    /// Whether the two outputs of the step of frame `number` are needed: those of the second field
    /// of the frame before and of the first field of the frame. The rate drops the others.
    /// [`pictures`](Running::pictures) must have those of the frame. All outputs count in chunks,
    /// which end with one, and at the start of a segment, whose first outputs may show one picture.
    pub fn wanted(&self, number: u64, segment: u64, capture: Option<&Capture>) -> [bool; 2] {
        let fields = [(2 * number).saturating_sub(1), 2 * number];
        let is_captured = capture.is_some_and(|capture| fields.contains(&capture.field));
        if self.chunk.is_some() || number <= segment + 1 || is_captured {
            return [true; 2];
        }
        match self.plan.rate {
            OutputRate::Field => [true; 2],
            OutputRate::Frame => [false, true],
            OutputRate::Film => fields.map(|field| self.pictures.iter().any(|picture| picture.field == field)),
        }
    }

    pub fn outputs<'a>(
        &'a mut self,
        options: &'a Options,
        next: u64,
        spare: &'a mut Vec<Frame>,
        capture: &'a mut Option<Capture>,
    ) -> Outputs<'a> {
        Outputs { running: self, options, next, spare, capture, reported: None }
    }
}

/// The path of the outputs from the engine to the events.
pub(super) struct Outputs<'a> {
    running: &'a mut Running,
    options: &'a Options,
    /// The number of frames that were processed or skipped.
    next: u64,
    spare: &'a mut Vec<Frame>,
    capture: &'a mut Option<Capture>,
    /// Index of the event of the report whose outputs are added.
    reported: Option<usize>,
}

impl Outputs<'_> {
    /// Ends the stream of the segment and takes its last outputs. Returns the frame whose step was
    /// the end of the stream, if its report waited.
    pub fn flush(&mut self) -> Result<Option<Frame>, Error> {
        let Some(segment) = &mut self.running.segment else { return Ok(None) };
        segment.flush()?;
        match self.running.waiting.take() {
            Some(frame) => self.report(frame).map(Some),
            None => self.drain().map(|()| None),
        }
    }

    /// Adds the report and the outputs of the step that the engine made last, which is that of
    /// `pushed`. Returns the frame.
    pub fn report(&mut self, PushedFrame { mut report, frame }: PushedFrame) -> Result<Frame, Error> {
        let segment = self.running.segment.as_ref();
        report.statistics = segment.and_then(|segment| segment.engine.statistics().cloned());
        // The frames of the warm-up, and those after a chunk, have no reports.
        let chunk = self.running.chunk.as_ref().map(|state| state.chunk);
        let is_reported = chunk.is_none_or(|chunk| (chunk.first..chunk.end).contains(&report.number));
        if let Some(state) = &mut self.running.chunk {
            state.reported = report.number + 1;
        }
        if is_reported {
            self.reported = Some(self.running.events.len());
            self.running.events.push_back(Event::Step(Box::new(report)));
        }
        self.drain()?;
        self.close_report();
        Ok(frame)
    }

    /// Counts the outputs of the last report. Those after it are of the end of the stream.
    fn close_report(&mut self) {
        let Some(index) = self.reported.take() else { return };
        let outputs = self.running.events.len() - index - 1;
        if let Some(Event::Step(report)) = self.running.events.get_mut(index) {
            report.outputs = outputs;
        }
    }

    /// Takes all finished outputs of the engine.
    fn drain(&mut self) -> Result<(), Error> {
        let Some(mut segment) = self.running.segment.take() else { return Ok(()) };
        let drained = segment.drain(|segment, output| self.take(segment, output));
        self.running.segment = Some(segment);
        drained
    }

    fn take(&mut self, segment: &mut SegmentStream, output: Output) -> Result<(), Error> {
        let field = 2 * segment.first + output.field_time;
        let number = field / 2;
        let step = self.options.step_of(self.running.scan, output.field_time);
        if segment.first + step >= self.next {
            self.close_report();
        }
        self.capture(segment, field, step, &output)?;
        let plan = self.running.plan.clone();
        let index = match plan.rate {
            _ if number < self.first_frame(plan.rate) || self.has_all_outputs() => None,
            OutputRate::Field => Some(if plan.deinterlace { field } else { 2 * number }),
            OutputRate::Frame => field.is_multiple_of(2).then_some(number),
            OutputRate::Film => {
                let pictures = &mut self.running.pictures;
                while pictures.front().is_some_and(|picture| picture.field < field) {
                    pictures.pop_front();
                }
                if let Some(picture) = pictures.front().filter(|picture| picture.field == field).copied() {
                    let time = self.running.decimator.time(picture);
                    self.release(field, time)?;
                    if self.has_all_outputs() {
                        segment.engine.recycle(output.frame);
                        return Ok(());
                    }
                    let converted = self.converted(output, 0, field, time, 0);
                    self.running.held = Some((picture, time, converted));
                    return Ok(());
                }
                self.release_at_end(field)?;
                None
            }
        };
        let Some(index) = index else {
            segment.engine.recycle(output.frame);
            return Ok(());
        };
        let repeated = plan.rate == OutputRate::Field && !plan.deinterlace;
        let duration = if plan.rate == OutputRate::Frame { 4 } else { 2 };
        let converted = self.converted(output, index, field, 2 * field, duration);
        if repeated {
            // Both fields show the same picture.
            let (number, field, time) = (index + 1, field + 1, 2 * field + 2);
            let second = Converted { number, field, time, ..converted.try_clone()? };
            self.emit(converted);
            self.emit(second);
        } else {
            self.emit(converted);
        }
        if let Some(state) = &mut self.running.chunk {
            let last = if repeated || plan.rate == OutputRate::Frame { field + 1 } else { field };
            state.outputs_complete |= last + 1 >= 2 * state.chunk.end;
        }
        Ok(())
    }

    /// The first frame whose outputs count. At the film rate the pictures before a chunk define the
    /// phase of its outputs.
    fn first_frame(&self, rate: OutputRate) -> u64 {
        match &self.running.chunk {
            Some(state) if rate != OutputRate::Film => state.chunk.first,
            _ => self.options.first_output,
        }
    }

    /// Whether a chunk has all its outputs.
    fn has_all_outputs(&self) -> bool {
        self.running.chunk.as_ref().is_some_and(|state| state.outputs_complete)
    }

    fn converted(&self, output: Output, number: u64, field: u64, time: u64, duration: u64) -> Converted {
        let decision = self.running.decision(field / 2, self.next).cloned();
        let Output { frame, field_match, sources, denoise, denoise_chroma, luma, user_data, .. } = output;
        Converted {
            frame,
            number,
            field,
            time,
            duration,
            decision,
            field_match,
            sources,
            denoise,
            denoise_chroma,
            luma,
            user_data,
        }
    }

    fn emit(&mut self, converted: Converted) {
        self.running.events.push_back(Event::Output(Box::new(converted)));
    }

    /// Outputs the held picture, which is shown until field `end` (exclusive), as often as its
    /// duration requires. `next_time` is the time of the next picture.
    pub fn release(&mut self, end: u64, next_time: u64) -> Result<(), Error> {
        let Some((picture, time, held)) = self.running.held.take() else { return Ok(()) };
        let start = self.start();
        let chunk = self.running.chunk.as_mut();
        let decimator = &mut self.running.decimator;
        let numbers = match (decimator.duration(), &chunk) {
            // A picture belongs to the chunk in which it starts.
            (None, Some(state)) if picture.field < 2 * state.chunk.first => 0..0,
            _ => decimator.numbers(Picture { field: picture.field - start, ..picture }, end - start),
        };
        let (numbers, duration) = match (decimator.duration(), chunk) {
            (Some(duration), Some(state)) => {
                let numbers = state.numbers(numbers, duration, end >= 2 * state.seen);
                (numbers, duration)
            }
            (None, Some(state)) => {
                state.outputs_complete |= end >= 2 * state.chunk.end;
                (numbers, next_time.saturating_sub(time))
            }
            (duration, None) => (numbers, duration.unwrap_or_else(|| next_time.saturating_sub(time))),
        };
        let constant = decimator.duration().is_some();
        let time_of = |number| if constant { 2 * start + number * duration } else { time };
        let Some(last) = numbers.end.checked_sub(1).filter(|_| !numbers.is_empty()) else {
            self.spare.push(held.frame);
            return Ok(());
        };
        for number in numbers.start..last {
            self.emit(Converted { number, time: time_of(number), duration, ..held.try_clone()? });
        }
        self.emit(Converted { number: last, time: time_of(last), duration, ..held });
        Ok(())
    }

    /// The first field of the conversion.
    fn start(&self) -> u64 {
        let first = self.options.first_output;
        2 * if self.running.chunk.is_some() { first } else { first.max(self.running.first.unwrap_or(0)) }
    }

    /// Outputs the held picture if it is shown at `field` and until the end of the chunk, however
    /// long it is.
    fn release_at_end(&mut self, field: u64) -> Result<(), Error> {
        let Some((state, duration)) = self.running.chunk.as_ref().zip(self.running.decimator.duration()) else {
            return Ok(());
        };
        let end = state.end_number(duration).map(|end| end * duration + TOLERANCE);
        match end.is_some_and(|end| 2 * field.saturating_sub(self.start()) >= end) {
            true => self.release(field, 2 * field),
            false => Ok(()),
        }
    }

    /// Stores a copy of the output of `step` if it shows the captured field.
    fn capture(&mut self, segment: &SegmentStream, field: u64, step: u64, output: &Output) -> Result<(), Error> {
        let Some(capture) = self.capture.as_mut().filter(|capture| capture.field == field) else { return Ok(()) };
        // The maps are those of the last step. A delayed output and the output of a flush belong to
        // no step or to an earlier one.
        let maps = segment.engine.maps()?.filter(|maps| maps.step == step);
        // The last field of a stream has no comb mask. One of the next frame would be that of
        // another scan.
        let decision = self.running.decision(field.div_ceil(2), self.next).filter(|_| maps.is_some());
        let comb_mask = decision.map(|decision| decision.matches.comb_masks[1 - output.field_time as usize % 2].try_clone());
        let (frame, comb_mask) = (output.frame.try_clone()?, comb_mask.transpose()?);
        capture.captured = Some(Captured { frame, scan: self.running.scan, maps, comb_mask });
        Ok(())
    }
}

/// The pictures that start with a field of frame `number`. `duration` is that of an output frame in
/// quarters of an input frame; only film of this rate counts as film.
pub(super) fn pictures(number: u64, decision: Option<&Decision>, duration: u64) -> impl Iterator<Item = Picture> {
    let (new_picture, film, uneven) = match decision {
        Some(decision) => {
            let uneven = matches!(decision.pulldown, Some(Pulldown::P32 | Pulldown::P2332));
            let ratio = decision.pulldown.map(Pulldown::ratio);
            let film = ratio.is_some_and(|(pictures, frames)| 4 * u64::from(frames) == duration * u64::from(pictures));
            (decision.new_picture, film, uneven)
        }
        None => ([true, false], true, false),
    };
    let first = (0..2).filter(move |&field| new_picture[field as usize]);
    first.map(move |field| Picture { field: 2 * number + field, film, uneven })
}
