//! The conversion of a clip as a stream: frames with flags in, frames with times and decisions out.
use super::engine::Engine;
use super::events::{Captured, Converted, Event, Notice, StepReport};
use super::lookahead::{ClipFrame, DecidedFrame, Lookahead};
use super::needs::DetectionNeeds;
use super::options::{FieldOrderMode, Options, OutputRate};
use super::plan::ClipPlan;
use super::running::{Capture, Running, pictures};
use super::segments::Segment;
use crate::error::Error;
use crate::field_match::{FieldMatch, FieldMatches};
use crate::format::FieldOrder;
use crate::frame::Frame;
use crate::pipeline::{Input, StreamBuilder};
use std::fmt;
use std::sync::Arc;

/// Makes the engine of a segment.
pub(super) type MakeEngine = Box<dyn Fn(StreamBuilder) -> Result<Box<dyn Engine>, Error> + Send>;

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

impl Converter {
    pub(super) fn new(
        options: Options,
        make_engine: MakeEngine,
        detection: Option<DetectionNeeds>,
        lookahead: Lookahead,
    ) -> Converter {
        Converter {
            options,
            make_engine,
            detection,
            lookahead,
            running: None,
            skipped: None,
            next: 0,
            spare: vec![],
            spare_inputs: vec![],
            capture: None,
        }
    }

    /// Converts all frames of an iterator. The outputs end after the first error.
    pub fn convert<F: Into<ClipFrame>>(
        mut self,
        frames: impl IntoIterator<Item = F>,
    ) -> impl Iterator<Item = Result<Converted, Error>> {
        let mut frames = frames.into_iter();
        let mut failed = false;
        std::iter::from_fn(move || {
            while !failed {
                let pulled = match self.pull() {
                    Ok(None) if self.is_finished() => return None,
                    Ok(None) => match frames.next() {
                        Some(frame) => self.push(frame).map(|()| None),
                        None => {
                            self.finish();
                            continue;
                        }
                    },
                    pulled => pulled,
                };
                failed = pulled.is_err();
                if let Some(result) = pulled.transpose() {
                    return Some(result);
                }
            }
            None
        })
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
        if let Some(running) = &mut self.running {
            running.scan = running.flagged(last_order);
        }
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
