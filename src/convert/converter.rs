//! The conversion of a clip as a stream: input frames with flags to output frames with times and
//! decisions.
use super::chunks::{Chunk, ChunkState};
use super::engine::Engine;
use super::events::{Captured, Converted, Event, Notice, StepReport};
use super::frame_queue::{ClipFrame, DecidedFrame, DetectedStart, FrameQueue};
use super::needs::DetectionNeeds;
use super::options::{DeinterlaceMode, FieldOrderMode, MAX_FRAME, Options, OutputRate};
use super::plan::ClipPlan;
use super::repair::InputRepair;
use super::running::{Capture, PushedFrame, Running, pictures};
use super::segments::SegmentStream;
use crate::error::Error;
use crate::field_match::{FieldMatch, FieldMatches};
use crate::format::{FieldOrder, FrameFlags, Scan};
use crate::frame::Frame;
use crate::parameters::Parameters;
use crate::pipeline::{Input, StreamBuilder};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// Builds the engine of a segment.
pub(super) type MakeEngine = Box<dyn Fn(StreamBuilder) -> Result<Box<dyn Engine>, Error> + Send>;

/// A running conversion: [`push`](Converter::push) frames, [`pull`](Converter::pull) outputs, and
/// call [`finish`](Converter::finish) after the last frame. [`convert`](Converter::convert) does
/// this for an iterator of frames.
///
/// Call `pull` until it returns none before each `push`; frames that are pushed without a `pull`
/// are held. With that order the converter holds
/// [`Detector::LOOK_AHEAD`](crate::Detector::LOOK_AHEAD) frames and one more besides those of one
/// [`Stream`](crate::Stream), or none besides them if nothing is detected; with denoising along
/// motion also the frame whose report waits for the next one, with repair of
/// [drop-outs](super::ConverterBuilder::repair_drop_outs) one frame more, and with that of
/// [dot crawl](super::ConverterBuilder::repair_dot_crawl) the frames that it waits for. Those of
/// the look-ahead with 9 to 15 bits per sample wait packed, without the unused bits of their words.
/// It works on the rayon thread pool of its caller. The outputs are the same, bit for bit, for
/// every number of threads and every instruction set.
///
/// # Examples
/// All frames of an iterator:
///
/// ```
/// use dndi::convert::{Converter, OutputRate};
/// use dndi::{Error, Format, Frame, Sampling};
///
/// # fn main() -> Result<(), Error> {
/// let format = Format::new(64, 48, Sampling::C420);
/// let frames = (0..20).map(|_| Frame::new(format));
/// let converter = Converter::builder(format).rate(Some(OutputRate::Field)).build()?;
/// let outputs = converter.convert(frames).collect::<Result<Vec<_>, Error>>()?;
/// // One output per field; each lasts two quarters of an input frame.
/// assert_eq!(outputs.len(), 40);
/// assert!(outputs.iter().all(|output| output.duration == 2));
/// # Ok(())
/// # }
/// ```
///
/// The same frame by frame, as a program does that is called for each frame:
///
/// ```
/// use dndi::convert::{Converter, OutputRate};
/// use dndi::{Error, Format, Frame, Sampling};
///
/// fn show(converter: &mut Converter, times: &mut Vec<u64>) -> Result<(), Error> {
///     while let Some(output) = converter.pull()? {
///         times.push(output.time);
///         converter.recycle(output.frame); // saves the allocation of a later output
///     }
///     Ok(())
/// }
///
/// # fn main() -> Result<(), Error> {
/// let format = Format::new(64, 48, Sampling::C420);
/// let mut converter = Converter::builder(format).rate(Some(OutputRate::Field)).build()?;
/// let mut times = vec![];
/// for _ in 0..20 {
///     let frame = converter.spare_input().unwrap_or_else(|| Frame::new(format));
///     // Read the samples of the next picture into `frame` here.
///     converter.push(frame)?;
///     show(&mut converter, &mut times)?;
/// }
/// converter.finish();
/// show(&mut converter, &mut times)?;
/// assert_eq!(times, (0..40).map(|field| 2 * field).collect::<Vec<_>>());
/// # Ok(())
/// # }
/// ```
pub struct Converter {
    options: Options,
    make_engine: MakeEngine,
    detection: Option<DetectionNeeds>,
    queue: FrameQueue,
    /// The repair of the input; none if it is off.
    repair: Option<InputRepair>,
    /// The state once the plan is made; none before.
    running: Option<Running>,
    /// The flagged field order of the last skipped frame that has one.
    skipped: FrameFlags,
    /// Number of the next frame to process.
    next: u64,
    /// Whether a frame was pushed.
    started: bool,
    /// Output frames for reuse.
    spare: Vec<Frame>,
    /// New parameters, and the first frame that is processed with them.
    changes: VecDeque<(u64, Parameters)>,
    /// The field whose output is captured, if there is one.
    capture: Option<Capture>,
    /// The chunk to convert; none converts the whole clip.
    chunk: Option<Chunk>,
    /// Memory of [`ChromaShift`](crate::ChromaShift).
    shift_memory: Frame,
    /// The error of the last frame; the next call returns it.
    failed: Option<Error>,
}

impl Converter {
    pub(super) fn new(
        options: Options,
        make_engine: MakeEngine,
        detection: Option<DetectionNeeds>,
        queue: FrameQueue,
        chunk: Option<Chunk>,
    ) -> Converter {
        Converter {
            repair: InputRepair::new(&options),
            options,
            make_engine,
            detection,
            queue,
            running: None,
            skipped: FrameFlags::default(),
            next: chunk.map_or(0, |chunk| chunk.begin),
            started: chunk.is_some(),
            spare: vec![],
            changes: VecDeque::new(),
            capture: None,
            chunk,
            shift_memory: Frame::default(),
            failed: None,
        }
    }

    /// Converts all frames of an iterator. The returned iterator reads frames as it needs them and
    /// yields the outputs in order of time.
    ///
    /// An item is an output, or the first error of [`push`](Converter::push) or
    /// [`pull`](Converter::pull), which ends the iteration.
    pub fn convert<F: Into<ClipFrame>>(
        mut self,
        frames: impl IntoIterator<Item = F>,
    ) -> impl Iterator<Item = Result<Converted, Error>> {
        let mut frames = frames.into_iter();
        let mut failed = false;
        std::iter::from_fn(move || {
            while !failed {
                let pulled = match self.pull() {
                    Ok(None) if self.is_finished() || self.is_complete() => return None,
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

    /// Takes the next frame of the clip. Its outputs can be pulled after the look-ahead.
    ///
    /// # Errors
    /// [`Error::Plane`] if the detector analyses the frame and its luma does not have the format of
    /// the builder, [`Error::Ended`] after [`finish`](Converter::finish), [`Error::OutOfMemory`].
    /// [`pull`](Converter::pull) reports any other plane of a wrong format.
    pub fn push(&mut self, frame: impl Into<ClipFrame>) -> Result<(), Error> {
        self.started = true;
        match &mut self.repair {
            Some(repair) if !self.queue.is_finished() => match repair.push(frame.into())? {
                Some(repaired) => self.queue.push(repaired),
                None => Ok(()),
            },
            _ => self.queue.push(frame.into()),
        }
    }

    /// Changes the parameters of the stages from the next pushed frame on. Frames in the look-ahead
    /// are processed with the old parameters. With
    /// [`Deinterlacer::Gen6`](crate::Deinterlacer::Gen6) the second field of the last of them is
    /// completed with the next frame, and has the new ones, as with
    /// [`Stream::set_parameters`](crate::Stream::set_parameters).
    ///
    /// # Errors
    /// Those of [`StreamBuilder::check`]; the parameters are then unchanged.
    /// [`pull`](Converter::pull) returns
    /// [`OptionConflict::EngineParameters`](crate::OptionConflict::EngineParameters) if the
    /// [engine](super::ConverterBuilder::engine) cannot change parameters.
    pub fn set_parameters(&mut self, parameters: Parameters) -> Result<(), Error> {
        let has_fields = self.options.format.has_fields() && self.options.deinterlace != DeinterlaceMode::Off;
        let scan = if has_fields { Scan::TopFirst } else { Scan::Progressive };
        self.options.stream(scan).parameters(parameters.clone()).check()?;
        let held = self.repair.as_ref().map_or(0, InputRepair::waiting);
        self.changes.push_back((self.next + (self.queue.waiting() + held) as u64, parameters));
        Ok(())
    }

    /// Counts `frames` frames at the start of the clip that the caller does not push, so that
    /// numbers and times of the outputs count from the first frame of the clip; at the film rate,
    /// outputs have numbers from 0. `last_order` is the flagged field order of the last of these
    /// frames that has one; in a mixed clip the first pushed frame has this order unless its own
    /// flags state one. Frames beyond 2^56 are not counted. After the first
    /// [`push`](Converter::push) the call has no effect.
    pub fn skip(&mut self, frames: u64, last_order: Option<FieldOrder>) {
        if self.started {
            return;
        }
        self.next = self.next.saturating_add(frames).min(MAX_FRAME);
        self.skipped.field_order = last_order.or(self.skipped.field_order);
        if let Some(running) = &mut self.running {
            let flags = FrameFlags { field_order: last_order, ..FrameFlags::default() };
            running.scan = running.next_scan(flags, self.options.interlacing);
        }
    }

    /// Ends the clip: all remaining outputs can be pulled.
    pub fn finish(&mut self) {
        if let Some(repair) = &mut self.repair {
            let mut push_all = || -> Result<(), Error> {
                while let Some(last) = repair.take()? {
                    self.queue.push(last)?;
                }
                Ok(())
            };
            if let Err(error) = push_all() {
                self.failed = Some(error);
            }
        }
        self.queue.finish();
    }

    /// Whether [`finish`](Converter::finish) was called.
    pub fn is_finished(&self) -> bool {
        self.queue.is_finished()
    }

    /// Whether the start of the clip is known, so that [`plan`](Converter::plan) returns a plan:
    /// after the look-ahead of the first frame, after [`finish`](Converter::finish), or at once if
    /// nothing is detected.
    pub fn knows_start(&mut self) -> bool {
        self.queue.knows_start()
    }

    /// Whether the converter of a [chunk](super::ConverterBuilder::chunk) has returned all outputs
    /// and reports of the chunk, so that it needs no more frames. Never true without a chunk.
    pub fn is_complete(&self) -> bool {
        let running = self.running.as_ref();
        running.is_some_and(|running| running.chunk.as_ref().is_some_and(ChunkState::is_complete) && running.events.is_empty())
    }

    /// The start of the clip as the detector found it, for the converters of its
    /// [chunks](super::ConverterBuilder::chunk). None before it is known
    /// ([`knows_start`](Converter::knows_start)), without detection, and for a clip without frames.
    pub fn detected_start(&mut self) -> Option<DetectedStart> {
        self.queue.detected_start()
    }

    /// The plan of the conversion: the format, the rate and the scan of the outputs. None until
    /// enough frames were pushed or [`finish`](Converter::finish) was called
    /// ([`knows_start`](Converter::knows_start)).
    ///
    /// # Errors
    /// [`Error::NotInterlaced`] with [`DeinterlaceMode::On`](super::DeinterlaceMode::On) if the
    /// clip is not interlaced, [`Error::Options`] if the rate does not fit the other options, and
    /// the errors of [`StreamBuilder::check`].
    pub fn plan(&mut self) -> Result<Option<Arc<ClipPlan>>, Error> {
        if self.running.is_none() && self.queue.knows_start() {
            let plan = self.plan_with(self.options.rate, self.options.field_order)?;
            self.running = Some(Running::new(plan, &self.options, self.skipped, self.chunk));
        }
        Ok(self.running.as_ref().map(|running| running.plan.clone()))
    }

    /// The plan with another rate and field order. The conversion keeps its own plan. Before the
    /// start of the clip is known ([`knows_start`](Converter::knows_start)) the plan
    /// follows from the options and the declared scan alone.
    ///
    /// # Errors
    /// Those of [`plan`](Converter::plan).
    pub fn plan_with(&mut self, rate: Option<OutputRate>, field_order: FieldOrderMode) -> Result<ClipPlan, Error> {
        let options = Options { rate, field_order, ..self.options.clone() };
        ClipPlan::new(&options, self.detection, self.queue.detected_start())
    }

    /// The next finished output; none until another frame is pushed or
    /// [`finish`](Converter::finish) is called, and none after the last output.
    ///
    /// # Errors
    /// Those of [`plan`](Converter::plan) and of the engine.
    pub fn pull(&mut self) -> Result<Option<Converted>, Error> {
        while let Some(event) = self.next_event()? {
            if let Event::Output(output) = event {
                return Ok(Some(*output));
            }
        }
        Ok(None)
    }

    /// The next event: first the report of a processed frame, then its outputs. Call it instead of
    /// [`pull`](Converter::pull) to get statistics and notices; `pull` drops the reports.
    ///
    /// # Errors
    /// Those of [`plan`](Converter::plan) and of the engine.
    pub fn next_event(&mut self) -> Result<Option<Event>, Error> {
        self.failed.take().map_or(Ok(()), Err)?;
        self.plan()?;
        loop {
            let Some(running) = &mut self.running else { return Ok(None) };
            if let Some(event) = running.events.pop_front() {
                return Ok(Some(event));
            }
            if running.chunk.as_ref().is_some_and(ChunkState::is_complete) {
                return Ok(None);
            }
            match self.queue.pull()? {
                Some(decided) => self.step(decided)?,
                None if self.queue.is_finished() && !running.ended => {
                    running.ended = true;
                    let mut outputs = running.outputs(&self.options, self.next, &mut self.spare, &mut self.capture);
                    let frame = outputs.flush()?;
                    outputs.release(2 * self.next, 4 * self.next)?;
                    frame.into_iter().for_each(|frame| self.queue.recycle(frame));
                }
                None => return Ok(None),
            }
        }
    }

    /// Removes the next frame with its decision from the conversion, for analysis only. The frame
    /// is not processed and has no outputs.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; the frame then remains the next one.
    pub fn pull_decided(&mut self) -> Result<Option<DecidedFrame>, Error> {
        self.failed.take().map_or(Ok(()), Err)?;
        Ok(self.queue.pull()?)
    }

    /// Gives the frame of an output back, so that a later output reuses its memory.
    pub fn recycle(&mut self, frame: Frame) {
        self.spare.push(frame);
    }

    /// A used input frame, whose memory the caller can fill again; none if there is no free one.
    /// After an [`Event::Step`] it has the samples of the processed frame; else they are
    /// unspecified.
    pub fn spare_input(&mut self) -> Option<Frame> {
        self.queue.spare()
    }

    /// Captures the output of field `field` of the input (2N and 2N + 1 belong to frame N), also if
    /// the rate drops it, with the maps of its step. Call it before the frame of the field is
    /// processed.
    pub fn capture(&mut self, field: u64) {
        self.capture = Some(Capture { field, captured: None });
    }

    /// The captured output, once, after the engine returned it; none before.
    pub fn take_captured(&mut self) -> Option<Captured> {
        self.capture.as_mut()?.captured.take()
    }

    /// The number of frames that were processed or skipped, which is the number of the next frame
    /// to process.
    pub fn position(&self) -> u64 {
        self.next
    }

    /// Processes a frame.
    fn step(&mut self, decided: DecidedFrame) -> Result<(), Error> {
        let DecidedFrame { clip: ClipFrame { mut frame, flags, matches, user_data, .. }, decision, declared } = decided;
        let Some(running) = &mut self.running else { return Ok(()) };
        let (plan, number) = (running.plan.clone(), self.next);
        if let Some(chunk) = &mut running.chunk {
            chunk.seen = number + 1 + self.queue.waiting() as u64;
        }
        let decision = decision.map(Arc::new);
        let followed = decision.clone().filter(|_| plan.follows_decisions());
        let mut notice = decision.as_deref().and_then(|decision| running.contradiction(decision, declared, &self.options));
        if let Some(decision) = decision.as_deref() {
            notice = running.lost_motion(number, decision, &self.options, notice);
            notice = running.repeated_film(number, decision, &self.options, notice);
        }
        let scan = match decision.as_deref() {
            Some(decision) => plan.scan_of(decision),
            None => running.next_scan(flags, self.options.interlacing),
        };
        if scan != running.scan {
            let ended = running.outputs(&self.options, number, &mut self.spare, &mut self.capture).flush()?;
            ended.into_iter().for_each(|frame| self.queue.recycle(frame));
            (running.segment, running.scan) = (None, scan);
        }
        while self.changes.front().is_some_and(|(first, _)| *first <= number)
            && let Some((_, parameters)) = self.changes.pop_front()
        {
            self.options.stream.settings.parameters = parameters.clone();
            running.segment.iter_mut().try_for_each(|segment| segment.engine.set_parameters(parameters.clone()))?;
        }
        running.decisions.rotate_right(1);
        running.decisions[0].clone_from(&followed);
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
                none.insert(SegmentStream::new(engine, number, scan, first_match))
            }
        };
        // A stream keeps two free frames. The others stay in `spare`, so that no frame is allocated
        // twice.
        self.spare.drain(self.spare.len().saturating_sub(2)..).for_each(|frame| segment.engine.recycle(frame));
        let first = segment.first;
        self.options.chroma_shift.apply(&mut frame, scan.is_interlaced(), &mut self.shift_memory)?;
        let planes = frame.planes();
        if plan.rate == OutputRate::Film {
            running.pictures.extend(pictures(number, decision.as_deref(), plan.duration()));
        }
        let wanted = running.wanted(number, first, self.capture.as_ref());
        let Some(segment) = &mut running.segment else { return Ok(()) };
        segment.push(Input { user_data, wanted, ..Input::new(&planes).matches(matches) })?;
        self.next += 1;
        running.first.get_or_insert(number);
        let report = StepReport { number, decision: followed, statistics: None, notice, outputs: 0 };
        let pushed = PushedFrame { report, frame };
        let waits = self.options.stream.settings.denoises_along_motion();
        if let Some(complete) = if waits { running.waiting.replace(pushed) } else { Some(pushed) } {
            let mut outputs = running.outputs(&self.options, self.next, &mut self.spare, &mut self.capture);
            self.queue.recycle(outputs.report(complete)?);
        }
        Ok(())
    }
}

impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Converter").field("options", &self.options).field("position", &self.next).finish_non_exhaustive()
    }
}
