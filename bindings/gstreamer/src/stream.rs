//! The state of the streaming thread: the clip, its conversion, and events between frames.

use crate::clip::Clip;
use crate::clocks::Clocks;
use crate::frames;
use crate::metas::Origin;
use crate::negotiation::Output;
use crate::options::Options;
use dndi::UserData;
use dndi::convert::{ClipPlan, Converted, DetectedStart};
use dndi_bindings::{Conversion, Error, Progress, Settings};
use std::collections::VecDeque;
use std::sync::Arc;

/// Frames of the input after which the outputs of a frame are finished, at most. They are measured
/// in the tests: detection looks 11 frames ahead and needs the whole frame after them, a
/// deinterlaced frame needs the next one, and denoising along motion needs another one, as does the
/// repair of drop-outs.
const DETECTION: u64 = dndi::Detector::LOOK_AHEAD + 1;

/// The stream through the element. The thread that pushes buffers uses it.
#[derive(Debug, Default)]
pub struct Stream {
    /// The input; none before the first caps.
    pub clip: Option<Clip>,
    /// The negotiated output.
    pub output: Option<Output>,
    /// The segment of the input.
    pub segment: gst::FormattedSegment<gst::ClockTime>,
    /// Whether the next output does not follow the one before it.
    pub discontinuity: bool,
    /// Whether the output of the running conversion was compared with the negotiated one.
    pub checked: bool,
    run: Option<Run>,
    /// The start of the clip, once it was detected: a restart keeps rate and format.
    start: Option<DetectedStart>,
    /// Events, and the number of the frame before which they came.
    events: VecDeque<(u64, gst::Event)>,
}

/// A running conversion.
#[derive(Debug)]
struct Run {
    settings: Settings,
    conversion: Conversion,
    clocks: Clocks,
    /// The frame of the last output.
    frame: Option<u64>,
}

/// The next step of the stream.
#[derive(Debug)]
pub enum Step {
    /// An event that comes before the next output.
    Event(gst::Event),
    /// An output.
    Output(Box<Converted>),
    /// More frames are needed.
    NeedsInput,
    /// The conversion has ended.
    End,
}

impl Stream {
    /// Begins a clip, and returns its latency in frames.
    ///
    /// # Errors
    /// If options contradict each other or the clip.
    pub fn begin(&mut self, clip: Clip, options: &Options) -> Result<u64, Error> {
        self.start = None;
        self.run = None;
        let mut conversion = Conversion::for_outputs(&clip.settings(options, None)?, None)?;
        let detects = conversion.plan()?.is_none();
        let along_motion = options.get("denoise-motion").is_some_and(|value| !value.eq_ignore_ascii_case("off"))
            || options.get("preset") == Some("best");
        let repairs = options.get("drop-outs").is_some_and(|value| !value.eq_ignore_ascii_case("off"));
        // The frames that the repair holds, as `ConverterBuilder::repair_dot_crawl` states.
        let crawl = options.get("dot-crawl").map_or(0, |standard| if standard.eq_ignore_ascii_case("pal") { 4 } else { 2 });
        let more = u64::from(along_motion) + u64::from(repairs) + crawl;
        let frames = if detects { DETECTION } else { 0 } + u64::from(clip.format.has_fields()) + more;
        self.clip = Some(clip);
        Ok(frames)
    }

    /// Whether frames are in the conversion.
    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// Whether a buffer does not follow the one before it.
    pub fn is_discontinuous(&self, buffer: &gst::BufferRef) -> bool {
        let Some(run) = &self.run else { return false };
        let back = run.clocks.last().zip(buffer.pts()).is_some_and(|(last, pts)| pts < last);
        back || buffer.flags().contains(gst::BufferFlags::DISCONT)
    }

    /// Takes a frame. Starts a conversion if none runs.
    ///
    /// # Errors
    /// Those of the library; or the buffer does not have the format of the caps.
    pub fn push(&mut self, buffer: &gst::BufferRef, options: &Options) -> Result<(), Error> {
        let clip = self.clip.as_ref().ok_or_else(|| Error::input("a frame came before its caps"))?;
        let run = match &mut self.run {
            Some(run) => run,
            none => {
                let settings = clip.settings(options, Some(buffer))?;
                let conversion = Conversion::for_outputs(&settings, self.start)?;
                (self.checked, self.discontinuity) = (false, true);
                none.insert(Run { settings, conversion, clocks: Clocks::new(clip.duration()), frame: None })
            }
        };
        let mut frame = run.conversion.input()?;
        frames::read(buffer, &clip.info, &mut frame)
            .ok_or_else(|| Error::input("a buffer does not have the format of the caps"))?;
        run.clocks.push(buffer.pts(), buffer.duration());
        run.conversion.push(frame, clip.flags(buffer), UserData::new(Origin::of(buffer)))
    }

    /// Ends the conversion: all remaining outputs follow.
    pub fn finish(&mut self) {
        if let Some(run) = &mut self.run {
            run.conversion.finish();
        }
    }

    /// Drops the conversion with its frames.
    pub fn clear(&mut self) {
        self.run = None;
    }

    /// Drops events that a flush drops. Sticky ones besides the segment stay.
    pub fn flush(&mut self) {
        self.clear();
        self.events.retain(|(_, event)| event.is_sticky() && event.type_() != gst::EventType::Segment);
        self.events.iter_mut().for_each(|(frame, _)| *frame = 0);
    }

    /// Keeps an event until the outputs of the frames before it were passed on.
    pub fn keep(&mut self, event: gst::Event) {
        let frame = self.run.as_ref().map_or(0, |run| run.clocks.frames());
        self.events.push_back((frame, event));
    }

    /// An event that is due when no conversion runs.
    pub fn event(&mut self) -> Option<gst::Event> {
        self.events.pop_front().map(|(_, event)| event)
    }

    /// The next step. An output must be passed on before the next call.
    ///
    /// # Errors
    /// Those of the library.
    pub fn step(&mut self, waiting: &mut Option<Box<Converted>>) -> Result<Step, Error> {
        let Some(run) = &mut self.run else { return Ok(Step::End) };
        let output = match waiting.take() {
            Some(output) => output,
            None => match run.conversion.pull()? {
                Progress::Output(output) => output,
                Progress::NeedsInput => return Ok(Step::NeedsInput),
                Progress::End => {
                    self.run = None;
                    self.events.iter_mut().for_each(|(frame, _)| *frame = 0);
                    return Ok(Step::End);
                }
            },
        };
        self.start = self.start.or(run.conversion.detected_start());
        if self.events.front().is_some_and(|(frame, _)| *frame <= output.field / 2)
            && let Some((_, event)) = self.events.pop_front()
        {
            *waiting = Some(output);
            return Ok(Step::Event(event));
        }
        Ok(Step::Output(output))
    }

    /// Settings and plan of the running conversion.
    ///
    /// # Errors
    /// Those of the library.
    pub fn plan(&mut self) -> Result<Option<(Settings, Arc<ClipPlan>)>, Error> {
        let Some(run) = &mut self.run else { return Ok(None) };
        Ok(run.conversion.plan()?.map(|plan| (run.settings.clone(), plan)))
    }

    /// The times of an output.
    pub fn times(&mut self, output: &Converted) -> (Option<gst::ClockTime>, Option<gst::ClockTime>) {
        self.run.as_mut().map_or((None, None), |run| run.clocks.output(output.time, output.duration))
    }

    /// Copies an output to a buffer. None if it does not have the format of the negotiated caps.
    pub fn fill(&mut self, output: &Converted, buffer: &mut gst::BufferRef) -> Option<()> {
        let negotiated = self.output.as_ref()?;
        frames::write(&output.frame, &negotiated.info, buffer)?;
        let run = self.run.as_mut()?;
        let is_first = run.frame.replace(output.field / 2) != Some(output.field / 2);
        if let Some(origin) = output.user_data.as_ref().and_then(|data| data.get::<Origin>()) {
            origin.apply(buffer, is_first, negotiated.interlaced);
        }
        if std::mem::take(&mut self.discontinuity) {
            buffer.set_flags(gst::BufferFlags::DISCONT);
        } else {
            buffer.unset_flags(gst::BufferFlags::DISCONT);
        }
        Some(())
    }

    /// Gives the frame of an output back.
    pub fn recycle(&mut self, output: Converted) {
        if let Some(run) = &mut self.run {
            run.conversion.recycle(output.frame);
        }
    }
}
