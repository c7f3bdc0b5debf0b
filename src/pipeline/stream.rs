//! A stream: order of the stages (§1.4, §1.5), input and output of frames.
use super::maps::Maps;
use super::output::{Input, Output};
use super::session::Session;
use super::settings::Settings;
use super::stages::Stages;
use super::statistics::Statistics;
use crate::error::Error;
use crate::format::Format;
use crate::frame::{Frame, PlaneMut};
use crate::memory::OutOfMemory;
use crate::parameters::Parameters;
use dndi_simd::{Kernels, SimdLevel};
use std::fmt;

/// Denoiser, deinterlacer, scaler, sharpening filter and colour pipe for one stream of frames:
/// [`push`](Stream::push) a frame, [`pull`](Stream::pull) the outputs that are ready, and
/// [`flush`](Stream::flush) at the end.
///
/// A stream holds a bounded number of frames: those of two steps, or three with a deinterlacer that
/// reads the next frame, and up to two outputs that wait to be pulled; with denoising along motion
/// two more frames and four in words, of which each has a quarter more luma for the search, and
/// after a flush up to four outputs; with scaling also two frames before scaling, with sharpening
/// one plane of luma in words; with another depth of the output one more frame of input or two of
/// output. A stream that neither denoises nor deinterlaces nor measures holds no frames of steps.
/// Apart from frames, the memory of the scaler grows with the height by a few bytes per line only.
/// No call allocates once the caller returns frames with [`recycle`](Stream::recycle) or uses
/// [`pull_into`](Stream::pull_into), except for the copy of a comb mask whose output waits for the
/// next frame, and with denoising along motion for up to two outputs of a flush.
pub struct Stream {
    pub(super) stages: AnyStages,
    session: Session,
}

/// The stages for the type of samples that holds the working depth.
pub(super) enum AnyStages {
    Bytes(Stages<u8>),
    Words(Stages<u16>),
}

/// Evaluates an expression for the stages of either type.
macro_rules! each {
    ($any:expr, $stages:ident => $value:expr) => {
        match $any {
            AnyStages::Bytes($stages) => $value,
            AnyStages::Words($stages) => $value,
        }
    };
}

impl fmt::Debug for Stream {
    /// Writes the settings and the position, no samples.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Stream");
        out.field("settings", self.settings()).field("simd_level", &self.simd_level()).field("steps", &self.session.steps());
        out.finish_non_exhaustive()
    }
}

impl Stream {
    /// A stream with checked settings.
    pub(super) fn new(settings: Settings, kernels: &'static Kernels) -> Result<Stream, OutOfMemory> {
        let session = Session::new(settings.format, settings.looks_ahead());
        let stages = match settings.working_depth() {
            8 => AnyStages::Bytes(Stages::new(settings, kernels)?),
            _ => AnyStages::Words(Stages::new(settings, kernels)?),
        };
        Ok(Stream { stages, session })
    }

    fn settings(&self) -> &Settings {
        each!(&self.stages, stages => &stages.settings)
    }

    /// Processes a frame and makes the outputs that it completes: two when deinterlacing, else one.
    /// On the first step [`Deinterlacer::Gen6`](crate::Deinterlacer::Gen6) makes one output and
    /// other deinterlacers none. With denoising along motion
    /// ([`StreamBuilder::denoise_motion`](crate::StreamBuilder::denoise_motion)) the frame waits
    /// for the next one, and the step is that of the frame before: the first push makes no output.
    ///
    /// # Errors
    /// [`Error::OutputWaiting`] until all outputs are pulled, [`Error::Ended`] after a flush,
    /// [`Error::Plane`] if a plane is missing or too small, [`Error::OutOfMemory`] for the frames
    /// that the caller did not recycle. After an error the stream is unchanged.
    pub fn push<'a>(&mut self, input: impl Into<Input<'a>>) -> Result<(), Error> {
        self.check_ready()?;
        let settings = self.settings();
        let frames = if settings.is_stateless() { 1 } else { 2 };
        let outputs = if settings.deinterlace && self.session.steps() > 0 { 2 } else { 1 };
        each!(&mut self.stages, stages => stages.reserve(frames, outputs))?;
        let input = input.into();
        each!(&mut self.stages, stages => stages.prepare(input.matches))?;
        let step = self.session.begin_step(input)?;
        each!(&mut self.stages, stages => stages.push(step, &mut self.session));
        Ok(())
    }

    /// Ends the stream. With denoising along motion the stream processes the last frame. When
    /// deinterlacing, it makes the output of the last field (§1.4), woven if
    /// [`FieldMatches::final_match`](crate::FieldMatches::final_match) of the last input is
    /// [`FieldMatch::Previous`](crate::FieldMatch::Previous), and before it any other output that
    /// waited for a next frame. Afterwards the stream accepts frames only after a
    /// [`reset`](Stream::reset).
    ///
    /// # Errors
    /// [`Error::OutputWaiting`] until all outputs are pulled, [`Error::Ended`] after a flush,
    /// [`Error::OutOfMemory`]. After an error the stream is unchanged.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.check_ready()?;
        let settings = self.settings();
        let last = match settings.deinterlace {
            true if settings.looks_ahead() => 2,
            deinterlaces => usize::from(deinterlaces),
        };
        // Those of a frame that waits to be denoised are ready, too.
        let waiting = if each!(&self.stages, stages => stages.holds_frame()) { 2 } else { 0 };
        each!(&mut self.stages, stages => stages.reserve(waiting + last, waiting + last))?;
        each!(&mut self.stages, stages => stages.prepare(None))?;
        let weave = self.session.begin_flush()?;
        let steps = self.session.steps();
        if steps > 0 {
            each!(&mut self.stages, stages => stages.end(steps, weave, &mut self.session));
        }
        Ok(())
    }

    /// Returns the next output that is ready, in the order of time.
    pub fn pull(&mut self) -> Option<Output> {
        self.front()?;
        self.session.pull()
    }

    /// The errors of [`Session::check_ready`], after all outputs are made.
    fn check_ready(&mut self) -> Result<(), Error> {
        self.front();
        self.session.check_ready()
    }

    /// The next output that is ready.
    fn front(&mut self) -> Option<&Output> {
        each!(&mut self.stages, stages => stages.finish_last(&mut self.session));
        self.session.front()
    }

    /// Copies the picture of the next output into planes of the caller and returns the output, with
    /// an empty frame of 0×0 samples; none if no output is ready.
    ///
    /// # Errors
    /// [`Error::Plane`] if a plane is missing or too small; the output can still be pulled then.
    pub fn pull_into(&mut self, planes: &mut [PlaneMut]) -> Result<Option<Output>, Error> {
        let Some(Output { frame, .. }) = self.front() else { return Ok(None) };
        frame.copy_to(planes)?;
        Ok(self.pull().map(|mut output| {
            self.recycle(std::mem::take(&mut output.frame));
            output
        }))
    }

    /// Returns a frame to the stream for reuse. Frames of another format are dropped.
    pub fn recycle(&mut self, frame: Frame) {
        each!(&mut self.stages, stages => stages.recycle(frame));
    }

    /// Discards all frames and the state. The next frame is a first step.
    pub fn reset(&mut self) {
        while let Some(output) = self.pull() {
            self.recycle(output.frame);
        }
        each!(&mut self.stages, stages => stages.reset());
        self.session.reset();
    }

    /// Changes the parameters from the next frame on. Outputs of earlier frames that wait for the
    /// next frame have the old ones, except with
    /// [`Deinterlacer::Gen6`](crate::Deinterlacer::Gen6): the output of the second field of the
    /// last frame has the new ones, unless denoising along motion is on and the stream ends before
    /// the next frame. The stream keeps the state of previous frames, such as motion histories and
    /// contrast curves.
    ///
    /// # Errors
    /// Those of [`StreamBuilder::check`](crate::StreamBuilder::check), [`Error::OutputWaiting`]
    /// until all outputs are pulled, and [`Error::OutOfMemory`]. After an error the parameters are
    /// unchanged.
    pub fn set_parameters(&mut self, parameters: Parameters) -> Result<(), Error> {
        if self.front().is_some() {
            return Err(Error::OutputWaiting);
        }
        each!(&mut self.stages, stages => stages.set_parameters(parameters))
    }

    /// The parameters for the next frame.
    pub fn parameters(&self) -> &Parameters {
        each!(&self.stages, stages => stages.next_parameters())
    }

    /// Statistics of the last step; none before the first step, or with statistics off. With
    /// denoising along motion the last step is that of the frame before the last one, and after a
    /// flush that of the last one.
    pub fn statistics(&self) -> Option<&Statistics> {
        each!(&self.stages, stages => stages.statistics.as_ref())
    }

    /// Maps of the last step for inspection: motion, angles, vectors, combing. None before the
    /// first step, and for a stream that neither denoises nor deinterlaces nor measures. This call
    /// computes the maps, on one thread; without it they cost no time.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn maps(&self) -> Result<Option<Maps>, Error> {
        each!(&self.stages, stages => stages.maps(self.session.steps()))
    }

    /// Format of the input frames.
    pub fn input_format(&self) -> Format {
        self.settings().format
    }

    /// Format of the output frames.
    pub fn output_format(&self) -> Format {
        self.settings().output_format()
    }

    /// Delay of the output in fields: 2 when deinterlacing, 1 with
    /// [`Deinterlacer::Gen6`](crate::Deinterlacer::Gen6), 0 without deinterlacing; with denoising
    /// along motion 2 more, which is one frame. After the push of frame N all outputs up to time
    /// 2N + 1 minus the delay are ready; later ones need the next push or the flush.
    pub fn latency(&self) -> u64 {
        let settings = self.settings();
        let deinterlacing = if settings.looks_ahead() { 2 } else { u64::from(settings.deinterlace) };
        deinterlacing + if settings.denoises_along_motion() { 2 } else { 0 }
    }

    /// The instruction set in use.
    pub fn simd_level(&self) -> SimdLevel {
        each!(&self.stages, stages => stages.kernels.level())
    }
}
