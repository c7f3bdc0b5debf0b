//! The conversion of a clip as a stream: frames with flags in, frames with times and decisions out.
use super::decimate::{Decimator, Picture};
use super::engine::Engine;
use super::lookahead::{ClipFrame, DecidedFrame, Lookahead};
use super::matches::StepMatcher;
use super::options::{DeinterlaceMode, FieldOrderMode, MatchSource, OutputRate};
use super::plan::{ClipPlan, DetectionNeeds, Options};
use super::segments::Segment;
use crate::adapt::denoise::DenoiseState;
use crate::deinterlace::PixelSources;
use crate::detect::{Content, Decision, FieldMatching, Pulldown, Reason};
use crate::error::Error;
use crate::field_match::{CombMask, FieldMatch, FieldMatches};
use crate::format::{FieldOrder, Format, Interlacing, Scan};
use crate::frame::{Frame, UserData};
use crate::luma::LumaStatistics;
use crate::pipeline::{Input, Maps, Output, Statistics, Stream, StreamBuilder};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

type MakeEngine = Box<dyn Fn(StreamBuilder) -> Result<Box<dyn Engine>, Error> + Send>;

/// Settings of a [`Converter`], from [`Converter::builder`].
#[must_use]
pub struct ConverterBuilder {
    options: Options,
    make_engine: MakeEngine,
}

impl ConverterBuilder {
    /// Sets the frame rate of the input, frames in so many seconds. Default: unknown. The film rate of undetermined clips depends on
    /// it, nothing else.
    pub fn frame_rate(mut self, frames: u32, seconds: u32) -> ConverterBuilder {
        self.options.frame_rate = Some((frames, seconds)).filter(|_| frames > 0 && seconds > 0);
        self
    }

    /// Sets the scan that the header of the clip declares. Default: none. With [`FieldOrderMode::Auto`] it is a hint for undetermined
    /// frames.
    pub fn interlacing(mut self, interlacing: Interlacing) -> ConverterBuilder {
        self.options.interlacing = interlacing;
        self
    }

    /// Sets the source of the field order. Default: [`FieldOrderMode::Auto`].
    pub fn field_order(mut self, mode: FieldOrderMode) -> ConverterBuilder {
        self.options.field_order = mode;
        self
    }

    /// Sets the frames that are deinterlaced. Default: [`DeinterlaceMode::Auto`].
    pub fn deinterlace(mut self, mode: DeinterlaceMode) -> ConverterBuilder {
        self.options.deinterlace = mode;
        self
    }

    /// Sets the field matching. Default: [`FieldMatching::Pattern`].
    pub fn field_matching(mut self, mode: FieldMatching) -> ConverterBuilder {
        self.options.field_matching = mode;
        self
    }

    /// Sets the source of field matches. Default: [`MatchSource::Detector`].
    pub fn match_source(mut self, source: MatchSource) -> ConverterBuilder {
        self.options.match_source = source;
        self
    }

    /// Sets the output rate. Default: [`OutputRate::Field`], or [`OutputRate::Frame`] if the clip begins with progressive frames.
    pub fn rate(mut self, rate: Option<OutputRate>) -> ConverterBuilder {
        self.options.rate = rate;
        self
    }

    /// Sets whether the film rate may vary: each picture is then output once, with its own duration, and no picture of other material
    /// is dropped. Default: no.
    pub fn variable_rate(mut self, on: bool) -> ConverterBuilder {
        self.options.variable_rate = on;
        self
    }

    /// Sets the first frame that is output. Frames before it are processed, so that motion and noise are known. Default: 0.
    pub fn first_output(mut self, frame: u64) -> ConverterBuilder {
        self.options.first_output = frame;
        self
    }

    /// Changes the settings of the streams that process the frames: denoising, scaling, colours, parameters. The converter itself sets
    /// the scan and whether fields are completed.
    pub fn stream(mut self, change: impl FnOnce(StreamBuilder) -> StreamBuilder) -> ConverterBuilder {
        self.options.stream = change(self.options.stream);
        self
    }

    /// Replaces the engine. Default: [`Stream`]. `make` is called for each segment of one scan.
    pub fn engine(mut self, make: impl Fn(StreamBuilder) -> Result<Box<dyn Engine>, Error> + Send + 'static) -> ConverterBuilder {
        self.make_engine = Box::new(make);
        self
    }

    /// Checks the format and allocates the look-ahead.
    ///
    /// # Errors
    /// [`Error::Depth`], [`Error::Size`], [`Error::SimdLevel`]. Errors of other options follow from [`Converter::plan`], which knows the
    /// beginning of the clip.
    pub fn build(self) -> Result<Converter, Error> {
        let ConverterBuilder { options, make_engine } = self;
        let detection = DetectionNeeds::new(&options);
        options.format.check(Scan::Progressive)?;
        let level = options.stream.settings.simd_level;
        let lookahead = Lookahead::new(options.format, options.interlacing, detection, level)?;
        Ok(Converter {
            make_engine,
            lookahead,
            detection,
            running: None,
            skipped: None,
            next: 0,
            spare: vec![],
            spare_inputs: vec![],
            capture: None,
            options,
        })
    }
}

impl fmt::Debug for ConverterBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConverterBuilder").field("options", &self.options).finish_non_exhaustive()
    }
}

/// A running conversion: [`push`](Converter::push) frames, [`pull`](Converter::pull) outputs, at the end
/// [`finish`](Converter::finish). See the [module](super) for an example.
///
/// Call `pull` until it returns none before each `push`. The converter holds [`Detector::LOOK_AHEAD`](crate::Detector::LOOK_AHEAD)
/// frames besides those of one [`Stream`]. It works on the rayon pool that its caller runs in; neither the number of threads nor the
/// instruction set changes a bit of the outputs.
pub struct Converter {
    options: Options,
    make_engine: MakeEngine,
    detection: Option<DetectionNeeds>,
    lookahead: Lookahead,
    /// The state from the first processed frame on.
    running: Option<Running>,
    /// The field order that the last skipped frame with flags had.
    skipped: Option<FieldOrder>,
    /// Number of the next frame to process.
    next: u64,
    /// Output frames to be used again.
    spare: Vec<Frame>,
    /// Input frames to be used again.
    spare_inputs: Vec<Frame>,
    capture: Option<Capture>,
}

/// The state of a conversion whose plan is known.
struct Running {
    plan: Arc<ClipPlan>,
    matcher: StepMatcher,
    scan: Scan,
    segment: Option<Segment>,
    /// The decisions about the previous frame and the last one, if these are followed.
    decisions: [Option<Arc<Decision>>; 2],
    /// Whether a notice was given. Only the first one is.
    noticed: bool,
    /// Pictures that begin with fields of the last frames.
    pictures: VecDeque<Picture>,
    decimator: Decimator,
    /// The last picture and its time; it is output when its end is known.
    held: Option<(Picture, u64, Converted)>,
    events: VecDeque<Event>,
    ended: bool,
}

/// A field whose output is captured.
#[derive(Debug)]
struct Capture {
    field: u64,
    captured: Option<Captured>,
}

/// An output with the state of the step that made it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Captured {
    /// The picture.
    pub frame: Frame,
    /// The scan of its segment.
    pub scan: Scan,
    /// Maps of the step, if the engine makes them and the output was made by a step.
    pub maps: Option<Maps>,
    /// The regions of the output that were deinterlaced although it is woven, under the same condition.
    pub comb_mask: Option<CombMask>,
}

/// A frame that was processed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepReport {
    /// Number of the frame.
    pub number: u64,
    /// The decision, if the conversion follows it.
    pub decision: Option<Arc<Decision>>,
    /// Statistics of the step, if they are made.
    pub statistics: Option<Statistics>,
    /// Something that the user should know, once per conversion.
    pub notice: Option<Notice>,
    /// Outputs of the step, which follow as events.
    pub outputs: usize,
}

/// Something that the user of a conversion should know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A frame is not as declared, or has fields although one frame is output per input frame because the clip's beginning is undetermined.
    Contradiction {
        /// The declared scan, if the frame contradicts it.
        declared: Option<Scan>,
        /// The kind of material.
        content: Content,
        /// The pulldown pattern, if one was found.
        pulldown: Option<Pulldown>,
        /// The detected scan.
        scan: Scan,
        /// Whether the frame has fields although one frame is output per input frame.
        at_frame_rate: bool,
    },
    /// A frame is flagged as progressive, but scaled or sharpened field by field.
    ProgressiveSplit,
}

/// An output of a conversion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// The picture.
    pub frame: Frame,
    /// Number of the output. It counts fields or frames from the first frame of the clip at the field and the frame rate, and
    /// outputs at the film rate.
    pub number: u64,
    /// The field of the input that it shows: fields 2N and 2N + 1 belong to frame N.
    pub field: u64,
    /// Presentation time in quarters of an input frame's duration, from the first frame of the clip.
    pub time: u64,
    /// Duration in the same unit.
    pub duration: u64,
    /// The decision about the frame that the field belongs to, if the conversion follows it.
    pub decision: Option<Arc<Decision>>,
    /// The source of its missing lines (§3.8).
    pub field_match: FieldMatch,
    /// Sources of the pixels of its missing lines, if it has missing lines and statistics are made.
    pub sources: Option<PixelSources>,
    /// The denoise filter of the luma of the field; none with denoise off.
    pub denoise: Option<DenoiseState>,
    /// The denoise filter of the chroma of the field; none with chroma denoise off.
    pub denoise_chroma: Option<DenoiseState>,
    /// Statistics of its luma, if these are on.
    pub luma: Option<LumaStatistics>,
    /// The caller's data of the frame that the field belongs to.
    pub user_data: Option<UserData>,
}

/// A result of a conversion.
#[derive(Clone, Debug)]
pub enum Event {
    /// A frame was processed. Its outputs follow.
    Step(Box<StepReport>),
    /// An output.
    Output(Box<Converted>),
}

impl Converter {
    /// A builder for the frames of a clip of this format.
    pub fn builder(format: Format) -> ConverterBuilder {
        let options = Options {
            format,
            interlacing: Interlacing::Unknown,
            frame_rate: None,
            field_order: FieldOrderMode::default(),
            deinterlace: DeinterlaceMode::default(),
            field_matching: FieldMatching::default(),
            match_source: MatchSource::default(),
            rate: None,
            variable_rate: false,
            first_output: 0,
            stream: Stream::builder(format, Scan::Progressive),
        };
        ConverterBuilder { options, make_engine: Box::new(|builder| Ok(Box::new(builder.build()?))) }
    }

    /// Takes the next frame.
    ///
    /// # Errors
    /// [`Error::Plane`] if the frame does not hold the format, [`Error::Ended`] after [`finish`](Converter::finish).
    pub fn push(&mut self, frame: impl Into<ClipFrame>) -> Result<(), Error> {
        self.lookahead.push(frame.into())
    }

    /// Counts frames at the beginning of the clip that are not pushed. `last_order` is the flagged field order of the last one of them that
    /// has one.
    pub fn skip(&mut self, frames: u64, last_order: Option<FieldOrder>) {
        self.next += frames;
        self.skipped = last_order.or(self.skipped);
    }

    /// No more frames follow. All outputs can be pulled.
    pub fn finish(&mut self) {
        self.lookahead.finish();
    }

    /// Whether [`finish`](Converter::finish) was called.
    pub fn is_finished(&self) -> bool {
        self.lookahead.is_finished()
    }

    /// Whether the beginning of the clip is known, which the plan needs.
    pub fn knows_beginning(&mut self) -> bool {
        self.lookahead.knows_beginning()
    }

    /// The plan of the conversion; none until enough frames were pushed, or [`finish`](Converter::finish) was called.
    ///
    /// # Errors
    /// [`Error::NotInterlaced`] if [`DeinterlaceMode::On`] finds no fields, [`Error::Options`], and those of
    /// [`StreamBuilder::check`].
    pub fn plan(&mut self) -> Result<Option<Arc<ClipPlan>>, Error> {
        if self.running.is_none() && self.lookahead.knows_beginning() {
            let plan = self.plan_with(self.options.rate, self.options.field_order)?;
            self.running = Some(Running::new(plan, &self.options, self.skipped));
        }
        Ok(self.running.as_ref().map(|running| running.plan.clone()))
    }

    /// The plan with another rate and field order, once the beginning of the clip is known.
    ///
    /// # Errors
    /// Those of [`plan`](Converter::plan).
    pub fn plan_with(&mut self, rate: Option<OutputRate>, field_order: FieldOrderMode) -> Result<ClipPlan, Error> {
        let options = Options { rate, field_order, ..self.options.clone() };
        ClipPlan::new(&options, self.detection, self.lookahead.beginning())
    }

    /// The next output that is complete; none until another frame is pushed.
    ///
    /// # Errors
    /// Those of [`plan`](Converter::plan) and of the engine.
    pub fn pull(&mut self) -> Result<Option<Converted>, Error> {
        while let Some(event) = self.next()? {
            if let Event::Output(output) = event {
                return Ok(Some(*output));
            }
        }
        Ok(None)
    }

    /// The next event: each processed frame, then its outputs. Use it instead of [`pull`](Converter::pull) for statistics and notices.
    ///
    /// # Errors
    /// Those of [`plan`](Converter::plan) and of the engine.
    #[allow(clippy::should_implement_trait, reason = "it is no iterator: none is not the end")]
    pub fn next(&mut self) -> Result<Option<Event>, Error> {
        self.plan()?;
        loop {
            let Some(running) = &mut self.running else { return Ok(None) };
            if let Some(event) = running.events.pop_front() {
                return Ok(Some(event));
            }
            match self.lookahead.pull() {
                Some(decided) => self.step(decided)?,
                None if self.lookahead.is_finished() && !running.ended => {
                    running.ended = true;
                    let mut outputs = running.outputs(&self.options, self.next, &mut self.spare, &mut self.capture);
                    outputs.flush()?;
                    outputs.release(2 * self.next, 4 * self.next);
                }
                None => return Ok(None),
            }
        }
    }

    /// Takes the next decided frame out of the conversion without processing it, for analysis only.
    pub fn pull_decided(&mut self) -> Option<DecidedFrame> {
        self.lookahead.pull()
    }

    /// Returns the frame of an output for later use.
    pub fn recycle(&mut self, frame: Frame) {
        self.spare.push(frame);
    }

    /// An input frame that was processed, for later use; none if there is no free one.
    pub fn spare_input(&mut self) -> Option<Frame> {
        self.spare_inputs.pop()
    }

    /// Captures the output that shows `field`, also if the rate drops it, with the maps of its step.
    pub fn capture(&mut self, field: u64) {
        self.capture = Some(Capture { field, captured: None });
    }

    /// The captured output, once it was made.
    pub fn take_captured(&mut self) -> Option<Captured> {
        self.capture.as_mut()?.captured.take()
    }

    /// Number of the next frame to process: frames that were processed, and skipped ones.
    pub fn position(&self) -> u64 {
        self.next
    }

    /// Processes a frame.
    fn step(&mut self, decided: DecidedFrame) -> Result<(), Error> {
        let DecidedFrame { clip: ClipFrame { frame, flags, matches, user_data, .. }, decision, declared } = decided;
        let Some(running) = &mut self.running else { return Ok(()) };
        let (plan, number) = (running.plan.clone(), self.next);
        let decision = decision.map(Arc::new);
        let followed = decision.clone().filter(|_| plan.follows_decisions());
        let mut notice = decision.as_deref().and_then(|decision| running.contradiction(decision, declared, &self.options));
        let scan = decision.as_deref().map_or_else(|| running.flagged(flags.field_order), |decision| plan.scan_of(decision));
        if scan != running.scan {
            running.outputs(&self.options, number, &mut self.spare, &mut self.capture).flush()?;
            (running.segment, running.scan) = (None, scan);
        }
        running.decisions.swap(0, 1);
        running.decisions[1] = followed.clone();
        if plan.splits_mixed && flags.progressive && !std::mem::replace(&mut running.noticed, true) {
            notice = Some(Notice::ProgressiveSplit);
        }
        let decision = decision.filter(|_| plan.detection.is_some_and(|needs| needs.weaves));
        let other = decision.is_none().then(|| running.matcher.step(flags, matches));
        let default = FieldMatches::default();
        let matches = decision.as_deref().map(|decision| &decision.matches).or(other.as_ref()).unwrap_or(&default);
        let segment = match &mut running.segment {
            Some(segment) => segment,
            none => {
                let engine = (self.make_engine)(self.options.stream(scan))?;
                let first_match = if decision.is_some() { matches.final_match } else { FieldMatch::Deinterlace };
                none.insert(Segment::new(engine, number, scan, first_match))
            }
        };
        // A stream keeps two free frames; the others wait here, so that frames are allocated once.
        self.spare.drain(self.spare.len().saturating_sub(2)..).for_each(|frame| segment.engine.recycle(frame));
        let planes = frame.planes();
        let input = Input { user_data, ..Input::new(&planes).matches(matches) };
        segment.push(input)?;
        let statistics = segment.engine.statistics().cloned();
        self.next += 1;
        if plan.rate == OutputRate::Film {
            running.pictures.extend(pictures(number, decision.as_deref(), plan.duration()));
        }
        let report = StepReport { number, decision: followed, statistics, notice, outputs: 0 };
        let place = running.events.len();
        running.events.push_back(Event::Step(Box::new(report)));
        running.outputs(&self.options, self.next, &mut self.spare, &mut self.capture).drain();
        let made = running.events.len() - place - 1;
        if let Some(Event::Step(report)) = running.events.get_mut(place) {
            report.outputs = made;
        }
        if self.spare_inputs.len() < 4 {
            self.spare_inputs.push(frame);
        }
        Ok(())
    }
}

impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Converter").field("options", &self.options).field("position", &self.next).finish_non_exhaustive()
    }
}

impl Running {
    fn new(plan: ClipPlan, options: &Options, skipped: Option<FieldOrder>) -> Running {
        let matcher = match options.match_source {
            MatchSource::Caller => StepMatcher::Caller,
            MatchSource::Detector if plan.mixed_scan => StepMatcher::Flags { progressive: false },
            MatchSource::Detector => StepMatcher::None,
        };
        let decimator = Decimator::new(if options.variable_rate { 0 } else { plan.duration() });
        let mut running = Running {
            scan: plan.scan,
            plan: Arc::new(plan),
            matcher,
            segment: None,
            decisions: [None, None],
            noticed: false,
            pictures: VecDeque::new(),
            decimator,
            held: None,
            events: VecDeque::new(),
            ended: false,
        };
        running.scan = running.flagged(skipped);
        running
    }

    /// The scan of the next frame of a mixed clip whose flags say `order`.
    fn flagged(&self, order: Option<FieldOrder>) -> Scan {
        order.filter(|_| self.plan.mixed_order).map_or(self.scan, Scan::from)
    }

    /// The notice of the first frame that is not as declared, or has fields although one frame is output per input frame by default.
    fn contradiction(&mut self, decision: &Decision, declared: Option<Scan>, options: &Options) -> Option<Notice> {
        let measured = matches!(decision.reason, Reason::PatternMatched | Reason::Combing);
        let fields = decision.content != Content::Progressive;
        let wrong = declared.filter(|declared| match declared {
            // Frames of film may well be progressive, and so may be some frames of a clip that began otherwise.
            Scan::TopFirst | Scan::BottomFirst if !fields => decision.frame == 0 && self.plan.scan == Scan::Progressive,
            Scan::Progressive => fields && !self.plan.mixed_scan,
            declared => *declared != decision.scan(),
        });
        let at_frame_rate = self.plan.unsure && fields;
        if !measured || options.field_order != FieldOrderMode::Auto || self.noticed || wrong.is_none() && !at_frame_rate {
            return None;
        }
        self.noticed = true;
        let &Decision { content, pulldown, .. } = decision;
        Some(Notice::Contradiction { declared: wrong, content, pulldown, scan: decision.scan(), at_frame_rate })
    }

    fn outputs<'a>(
        &'a mut self,
        options: &'a Options,
        next: u64,
        spare: &'a mut Vec<Frame>,
        capture: &'a mut Option<Capture>,
    ) -> Outputs<'a> {
        Outputs { running: self, options, next, spare, capture }
    }
}

/// The way of the outputs from the engine to the events.
struct Outputs<'a> {
    running: &'a mut Running,
    options: &'a Options,
    /// Frames that were processed.
    next: u64,
    spare: &'a mut Vec<Frame>,
    capture: &'a mut Option<Capture>,
}

impl Outputs<'_> {
    /// Ends the segment.
    fn flush(&mut self) -> Result<(), Error> {
        if let Some(segment) = &mut self.running.segment {
            segment.flush()?;
            self.drain();
        }
        Ok(())
    }

    /// Takes the outputs that are ready.
    fn drain(&mut self) {
        let Some(mut segment) = self.running.segment.take() else { return };
        segment.drain(|segment, output| self.take(segment, output));
        self.running.segment = Some(segment);
    }

    fn take(&mut self, segment: &mut Segment, output: Output) {
        let field = 2 * segment.first + output.field_time;
        let number = field / 2;
        self.capture(segment, field, &output);
        let plan = self.running.plan.clone();
        let index = match plan.rate {
            _ if number < self.options.first_output => None,
            OutputRate::Field => Some(if plan.deinterlace { field } else { 2 * number }),
            OutputRate::Frame => field.is_multiple_of(2).then_some(number),
            OutputRate::Film => {
                let pictures = &mut self.running.pictures;
                while pictures.front().is_some_and(|picture| picture.field < field) {
                    pictures.pop_front();
                }
                if let Some(picture) = pictures.front().filter(|picture| picture.field == field).copied() {
                    let time = self.running.decimator.time(picture);
                    self.release(field, time);
                    let converted = self.converted(output, 0, field, time, 0);
                    self.running.held = Some((picture, time, converted));
                    return;
                }
                None
            }
        };
        let Some(index) = index else { return segment.engine.recycle(output.frame) };
        let doubled = plan.rate == OutputRate::Field && !plan.deinterlace;
        let duration = if plan.rate == OutputRate::Frame { 4 } else { 2 };
        let converted = self.converted(output, index, field, 2 * field, duration);
        if doubled {
            // Both fields show the same.
            let second = Converted { number: index + 1, field: field + 1, time: 2 * field + 2, ..converted.clone() };
            self.emit(converted);
            self.emit(second);
        } else {
            self.emit(converted);
        }
    }

    fn converted(&self, output: Output, number: u64, field: u64, time: u64, duration: u64) -> Converted {
        let last = usize::from(field / 2 + 1 == self.next);
        let decision = self.running.decisions[last].clone();
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

    /// Outputs the picture that is held, which is shown until field `end`, as often as its duration needs. The next one begins at
    /// `next_time`.
    fn release(&mut self, end: u64, next_time: u64) {
        let Some((picture, time, held)) = self.running.held.take() else { return };
        let start = 2 * self.options.first_output;
        let first = self.running.decimator.frames();
        let count = self.running.decimator.count(Picture { field: picture.field - start, ..picture }, end - start);
        let times = |number| match self.running.decimator.duration() {
            Some(duration) => (2 * start + number * duration, duration),
            None => (time, next_time.saturating_sub(time)),
        };
        let (time, duration) = times(first);
        for number in 1..count {
            self.emit(Converted { number: first + number - 1, time: time + (number - 1) * duration, duration, ..held.clone() });
        }
        match count {
            0 => self.spare.push(held.frame),
            _ => self.emit(Converted { number: first + count - 1, time: time + (count - 1) * duration, duration, ..held }),
        }
    }

    /// Captures an output if it is the one that is wanted.
    fn capture(&mut self, segment: &Segment, field: u64, output: &Output) {
        let Some(capture) = self.capture.as_mut().filter(|capture| capture.field == field) else { return };
        // An output that came late, or from the end of the stream, does not belong to the last step.
        let step = output.field_time.div_ceil(2);
        let maps = segment.engine.maps().filter(|maps| maps.step == step);
        let decision = self.running.decisions[1].as_ref().filter(|_| maps.is_some());
        let comb_mask = decision.map(|decision| decision.matches.comb_masks[1 - output.field_time as usize % 2].clone());
        capture.captured = Some(Captured { frame: output.frame.clone(), scan: self.running.scan, maps, comb_mask });
    }
}

/// The pictures that begin with a field of frame `number`. Only those of film at the output's rate set its pace.
fn pictures(number: u64, decision: Option<&Decision>, duration: u64) -> impl Iterator<Item = Picture> {
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
