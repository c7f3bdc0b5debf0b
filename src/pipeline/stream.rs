//! A stream: order of the stages (§1.4, §1.5), input and output of frames.
use super::color_stage::ColorStage;
use super::context::StepContext;
use super::maps::Maps;
use super::output::{Input, Output, OutputInfo};
use super::scale_enhance::ScaleEnhance;
use super::session::Session;
use super::settings::Settings;
use super::statistics::Statistics;
use super::step::State;
use crate::error::Error;
use crate::format::Format;
use crate::frame::{Frame, InputPlane, PlaneMut};
use crate::luma::LumaStatistics;
use crate::memory::OutOfMemory;
use crate::parameters::Parameters;
use dndi_simd::{Kernels, SimdLevel};
use std::fmt;

/// Denoiser, deinterlacer, scaler, sharpening filter and colour pipe for one stream of frames:
/// [`push`](Stream::push) a frame, [`pull`](Stream::pull) the outputs that are ready, and
/// [`flush`](Stream::flush) at the end.
///
/// A stream holds a bounded number of frames: those of two steps and up to two outputs that wait to
/// be pulled; with scaling also two frames before scaling, with sharpening one plane of luma in 10
/// bits. A stream that neither denoises nor deinterlaces nor measures holds no frames of steps.
/// Apart from frames, the memory of the scaler grows with the height by a few bytes per line only.
/// No call allocates once the caller returns frames with [`recycle`](Stream::recycle) or uses
/// [`pull_into`](Stream::pull_into).
pub struct Stream {
    pub(super) settings: Settings,
    kernels: &'static Kernels,
    pub(super) state: State,
    session: Session,
    /// Free frames in the format before scaling.
    spare: Vec<Frame>,
    scale_enhance: Option<ScaleEnhance>,
    color: Option<ColorStage<u8>>,
    /// Free frames in the output format; empty without scaling.
    scaled: Vec<Frame>,
    statistics: Option<Statistics>,
    /// Global noise estimate of the last step; none unless sharpening adapts to it.
    noise: Option<u8>,
}

impl fmt::Debug for Stream {
    /// Writes the settings and the position, no samples.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Stream");
        out.field("settings", &self.settings).field("simd_level", &self.simd_level()).field("steps", &self.session.steps());
        out.finish_non_exhaustive()
    }
}

impl Stream {
    /// A stream with checked settings.
    pub(super) fn new(settings: Settings, kernels: &'static Kernels) -> Result<Stream, OutOfMemory> {
        let (frame, output) = (settings.frame_format(), settings.output_format());
        let mut stream = Stream {
            state: State::new(&settings)?,
            kernels,
            session: Session::new(settings.format),
            spare: vec![],
            scale_enhance: ScaleEnhance::new(&settings)?,
            color: ColorStage::new(&settings)?,
            scaled: vec![],
            statistics: None,
            noise: None,
            settings,
        };
        let needs_frames = !stream.settings.is_stateless() || stream.settings.scale.is_none();
        reserve(&mut stream.spare, if needs_frames { 2 } else { 0 }, frame)?;
        reserve(&mut stream.scaled, if stream.settings.scale.is_some() { 2 } else { 0 }, output)?;
        Ok(stream)
    }

    /// Processes a frame and makes the outputs that it completes: two when deinterlacing (one on
    /// the first step), else one.
    ///
    /// # Errors
    /// [`Error::OutputWaiting`] until all outputs are pulled, [`Error::Ended`] after a flush,
    /// [`Error::Plane`] if a plane is missing or too small, [`Error::OutOfMemory`] for the frames
    /// that the caller did not recycle. After an error the stream is unchanged.
    pub fn push<'a>(&mut self, input: impl Into<Input<'a>>) -> Result<(), Error> {
        self.session.check_ready()?;
        let frames = if self.settings.is_stateless() { 1 } else { 2 };
        self.reserve(frames, if self.settings.deinterlace && self.session.steps() > 0 { 2 } else { 1 })?;
        let step = self.session.begin_step(input.into())?;
        let number = step.number;
        if self.settings.is_stateless() {
            if self.settings.scale.is_some() {
                let frame = self.scale(&step.planes);
                self.emit(None, frame, OutputInfo::at(2 * number));
            } else {
                let frame = self.spare();
                self.emit(Some(&step.planes), frame, OutputInfo::at(2 * number));
            }
            return Ok(());
        }
        let mut frames = [self.spare(), self.spare()];
        let context = StepContext { settings: &self.settings, kernels: self.kernels };
        let before = self.state.filters();
        self.state.step(context, number, &step.planes, step.matches, step.comb_masks, &mut frames);
        self.statistics = self.settings.statistics.then(|| self.state.statistics(context, number));
        self.state.end_step();
        let noise = self.settings.measured_noise.then(|| self.state.luma.noise.gne());
        let (now, [prev2, cur1]) = (self.state.filters(), frames);
        let counted = self.settings.deinterlace && self.settings.statistics;
        let sources = self.state.sources.map(|sources| Some(sources).filter(|_| counted));
        let [second, first] = OutputInfo::of_step(number, step.matches, sources, [before, now]);
        if self.settings.deinterlace && number > 0 {
            self.finish(prev2, second);
        } else {
            self.spare.push(prev2);
        }
        self.finish(cur1, first);
        self.noise = noise.map(|noise| noise.min(255) as u8);
        Ok(())
    }

    /// Ends the stream. When deinterlacing, the stream makes the output of the last field (§1.4),
    /// woven if [`FieldMatches::final_match`](crate::FieldMatches::final_match) of the last input
    /// is [`FieldMatch::Previous`](crate::FieldMatch::Previous). Afterwards the stream accepts
    /// frames only after a [`reset`](Stream::reset).
    ///
    /// # Errors
    /// [`Error::OutputWaiting`] until all outputs are pulled, [`Error::Ended`] after a flush,
    /// [`Error::OutOfMemory`]. After an error the stream is unchanged.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.session.check_ready()?;
        if self.settings.deinterlace {
            self.reserve(1, 1)?;
        }
        let weave = self.session.begin_flush()?;
        let steps = self.session.steps();
        if self.settings.deinterlace && steps > 0 {
            let mut frame = self.spare();
            self.state.last(StepContext { settings: &self.settings, kernels: self.kernels }, weave, &mut frame);
            let Settings { format, statistics, .. } = self.settings;
            let info = OutputInfo::of_last(steps, format, weave, statistics, self.state.filters());
            self.finish(frame, info);
        }
        Ok(())
    }

    /// Returns the next output that is ready, in the order of time.
    pub fn pull(&mut self) -> Option<Output> {
        self.session.pull()
    }

    /// Copies the picture of the next output into planes of the caller and returns the output, with
    /// an empty frame of 0×0 samples; none if no output is ready.
    ///
    /// # Errors
    /// [`Error::Plane`] if a plane is missing or too small; the output can still be pulled then.
    pub fn pull_into(&mut self, planes: &mut [PlaneMut]) -> Result<Option<Output>, Error> {
        let Some(Output { frame, .. }) = self.session.front() else { return Ok(None) };
        frame.copy_to(planes)?;
        Ok(self.pull().map(|mut output| {
            self.recycle(std::mem::take(&mut output.frame));
            output
        }))
    }

    /// Returns a frame to the stream for reuse. Frames of another format are dropped.
    pub fn recycle(&mut self, frame: Frame) {
        let fits = frame.format() == self.output_format();
        let spare = if self.settings.scale.is_some() { &mut self.scaled } else { &mut self.spare };
        if fits && spare.len() < 2 {
            spare.push(frame);
        }
    }

    /// Discards all frames and the state. The next frame is a first step.
    pub fn reset(&mut self) {
        while let Some(output) = self.pull() {
            self.recycle(output.frame);
        }
        if let Some(color) = &mut self.color {
            color.reset();
        }
        self.statistics = None;
        self.noise = None;
        self.session.reset();
    }

    /// Changes the parameters from the next frame on. The stream keeps the state of previous
    /// frames, such as motion histories and contrast curves.
    ///
    /// # Errors
    /// Those of [`StreamBuilder::check`](crate::StreamBuilder::check), [`Error::OutputWaiting`]
    /// until all outputs are pulled, and [`Error::OutOfMemory`]. After an error the parameters are
    /// unchanged.
    pub fn set_parameters(&mut self, parameters: Parameters) -> Result<(), Error> {
        if self.session.front().is_some() {
            return Err(Error::OutputWaiting);
        }
        let changed = Settings { parameters, ..self.settings.clone() };
        changed.check()?;
        let (scale_enhance, color) = (ScaleEnhance::new(&changed)?, ColorStage::new(&changed)?);
        (self.settings, self.scale_enhance) = (changed, scale_enhance);
        self.color = match (self.color.take(), color) {
            (Some(old), Some(new)) => Some(new.with_history_of(old)),
            (_, new) => new,
        };
        Ok(())
    }

    /// The parameters for the next frame.
    pub fn parameters(&self) -> &Parameters {
        &self.settings.parameters
    }

    /// Statistics of the last step; none before the first step, or with statistics off.
    pub fn statistics(&self) -> Option<&Statistics> {
        self.statistics.as_ref()
    }

    /// Maps of the last step for inspection: motion, angles, vectors, combing. None before the
    /// first step, and for a stream that neither denoises nor deinterlaces nor measures. This call
    /// computes the maps, on one thread; without it they cost no time.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn maps(&self) -> Result<Option<Maps>, Error> {
        let context = StepContext { settings: &self.settings, kernels: self.kernels };
        let last = self.session.steps().checked_sub(1).filter(|_| !self.settings.is_stateless());
        Ok(last.map(|number| self.state.maps(context, number)).transpose()?)
    }

    /// Format of the input frames.
    pub fn input_format(&self) -> Format {
        self.settings.format
    }

    /// Format of the output frames.
    pub fn output_format(&self) -> Format {
        self.settings.output_format()
    }

    /// Delay of the output in fields: 1 when deinterlacing, else 0. After the push of frame N all
    /// outputs up to time 2N are ready; when deinterlacing, the output of time 2N + 1 needs the
    /// next push or the flush.
    pub fn latency(&self) -> u64 {
        self.settings.deinterlace as u64
    }

    /// The instruction set in use.
    pub fn simd_level(&self) -> SimdLevel {
        self.kernels.level()
    }

    /// Makes free frames, until there are `frames` before scaling and `outputs` scaled ones.
    fn reserve(&mut self, frames: usize, outputs: usize) -> Result<(), OutOfMemory> {
        let is_scaled = self.settings.scale.is_some();
        if !is_scaled || !self.settings.is_stateless() {
            reserve(&mut self.spare, frames, self.settings.frame_format())?;
        }
        if is_scaled { reserve(&mut self.scaled, outputs, self.settings.output_format()) } else { Ok(()) }
    }

    /// A free frame in the format before scaling. [`reserve`](Stream::reserve) made it.
    fn spare(&mut self) -> Frame {
        self.spare.pop().unwrap_or_else(|| Frame::new(self.settings.frame_format()))
    }

    /// Scales a frame if scaling is on, then emits it.
    fn finish(&mut self, frame: Frame, info: OutputInfo) {
        if self.settings.scale.is_none() {
            return self.emit(None, frame, info);
        }
        let scaled = self.scale(&frame.byte_planes());
        self.spare.push(frame);
        self.emit(None, scaled, info);
    }

    /// Scales planes into a free frame, which [`reserve`](Stream::reserve) made.
    fn scale(&mut self, planes: &[InputPlane; 3]) -> Frame {
        let mut out = self.scaled.pop().unwrap_or_else(|| Frame::new(self.settings.output_format()));
        if let Some(scale_enhance) = &mut self.scale_enhance {
            scale_enhance.scale(StepContext { settings: &self.settings, kernels: self.kernels }, planes, &mut out);
        }
        out
    }

    /// Runs sharpening and the colour pipe on a frame and makes it ready to be pulled. With
    /// `planes` its samples are still in the caller's planes.
    fn emit(&mut self, planes: Option<&[InputPlane; 3]>, mut frame: Frame, info: OutputInfo) {
        let context = StepContext { settings: &self.settings, kernels: self.kernels };
        // If the colour pipe is the first stage, it reads the caller's planes band by band.
        let mut unread = planes;
        if self.color.is_none() || self.settings.sharpen.is_some() {
            unread.take().inspect(|planes| frame.copy_from(planes));
        }
        if let Some(scale_enhance) = &mut self.scale_enhance {
            let set = self.settings.parameters.sharpen.global_noise_estimation;
            scale_enhance.enhance(context, self.noise.unwrap_or(set), &mut frame);
        }
        let luma = match &mut self.color {
            Some(color) => color.run(context, unread, &mut frame),
            None => self.settings.luma_statistics.then(|| LumaStatistics::of(&frame, self.settings.histogram_area())),
        };
        let user_data = self.session.user_data(info.field_time);
        self.session.emit(info.output(frame, luma, user_data));
    }
}

/// Makes frames of `format` until there are `count`.
fn reserve(frames: &mut Vec<Frame>, count: usize, format: Format) -> Result<(), OutOfMemory> {
    while frames.len() < count {
        frames.push(Frame::try_new(format)?);
    }
    Ok(())
}
