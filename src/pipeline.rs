//! Order of the stages and the state of a stream (§1.4, §1.5).
mod builder;
mod coloring;
mod denoising;
mod field;
mod finish;
mod maps;
mod picture;
mod rooms;
mod statistics;
mod step;
#[cfg(test)]
mod tiling;

use crate::deinterlace::{Code, Making};
use crate::denoise::strength::Strength;
use crate::detect::Decision;
use crate::error::Error;
use crate::frame::{Format, Frame, PlaneMut, PlaneRef, plane_fits};
use crate::luma::LumaStatistics;
pub use builder::{Builder, ChromaOutput, Scan};
use dndi_simd::{Kernels, Level};
pub use maps::Maps;
pub use statistics::Statistics;
use std::collections::VecDeque;
use std::fmt;

/// What the missing lines of a step's two outputs become (§3.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cadence {
    /// The 2nd field of the previous frame: [`Code::Previous`] weaves it with that frame's 1st field, [`Code::Next`] with the 1st
    /// field of the current frame.
    pub prev2: Code,
    /// The 1st field of the current frame: [`Code::Previous`] weaves it with the previous frame's 2nd field, [`Code::Next`] with the
    /// 2nd field of the current frame.
    pub cur1: Code,
}

/// A frame that leaves the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The picture.
    pub frame: Frame,
    /// When it is shown, in fields from the first one: frame N of the input begins at 2N. Deinterlaced frames last one field,
    /// others two.
    pub time: u64,
    /// The code that its missing lines follow (§3.8): deinterlaced, or woven.
    pub code: Code,
    /// What its missing lines were made of; none where there are none, or no statistics are made.
    pub making: Option<Making>,
    /// What the luma of the field that it shows was denoised with; none with denoise off.
    pub denoise: Option<Strength>,
    /// The same of its chroma.
    pub denoise_chroma: Option<Strength>,
    /// What its luma looks like, if [`Builder::luma_statistics`] asked for it.
    pub luma: Option<LumaStatistics>,
}

/// A running denoiser, deinterlacer, scaler, enhancer and colour pipe: [`push`](Stream::push) a frame, [`pull`](Stream::pull) what is ready, at the end
/// [`flush`](Stream::flush).
///
/// It holds a bounded number of frames: those of two steps and what waits to be pulled (at most 2); when scaling also two frames from
/// before it, and with enhancement one plane of luma in 10 bits. A stream that neither denoises nor deinterlaces nor measures holds no steps. What
/// the scaler needs besides does not grow with the picture's height, but for a few bytes a line. Once frames are given back with
/// [`recycle`](Stream::recycle), or pulled with [`pull_into`](Stream::pull_into), it allocates nothing any more.
pub struct Stream {
    settings: Builder,
    kernels: &'static Kernels,
    state: step::State,
    waiting: VecDeque<Output>,
    spare: Vec<Frame>,
    finish: Option<finish::Finish>,
    coloring: Option<coloring::Coloring>,
    /// Spare frames of the output's format, where scaling makes them of others.
    finished: Vec<Frame>,
    statistics: Option<Statistics>,
    /// Global noise estimate of the last step, where enhancement goes by it.
    noise: Option<u8>,
    /// Frames taken since the last reset.
    steps: u64,
    ended: bool,
}

/// Where a frame that leaves comes from.
#[derive(Clone)]
struct Origin {
    time: u64,
    code: Code,
    making: Option<Making>,
    /// Of luma and chroma.
    denoise: [Option<Strength>; 2],
}

impl Origin {
    /// Of a frame that is not completed.
    fn at(time: u64) -> Origin {
        Origin { time, code: Code::Deinterlace, making: None, denoise: [None, None] }
    }
}

impl fmt::Debug for Stream {
    /// The settings and where it stands, no samples.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Stream");
        out.field("settings", &self.settings).field("level", &self.level()).field("steps", &self.steps);
        out.field("waiting", &self.waiting.len()).field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl Stream {
    fn new(settings: Builder, kernels: &'static Kernels) -> Stream {
        let (frame, output) = (settings.frame_format(), settings.output_format());
        let spare = |wanted: bool, format| if wanted { vec![Frame::new(format), Frame::new(format)] } else { vec![] };
        Stream {
            state: step::State::new(&settings),
            kernels,
            waiting: VecDeque::with_capacity(2),
            spare: spare(!settings.is_stateless() || settings.scale.is_none(), frame),
            finish: finish::Finish::new(&settings),
            coloring: coloring::Coloring::new(&settings),
            finished: spare(settings.scale.is_some(), output),
            statistics: None,
            noise: None,
            steps: 0,
            ended: false,
            settings,
        }
    }

    /// Takes a frame, planes luma, Cb, Cr (only the first counts for mono), and makes what can be made of it: two frames when
    /// deinterlacing (one on the first step), else one.
    ///
    /// # Errors
    /// [`Error::OutputWaiting`] until all frames are pulled, [`Error::Ended`] after a flush, [`Error::Plane`] where a plane does not
    /// hold what the format says. The stream is then unchanged.
    pub fn push(&mut self, planes: &[PlaneRef; 3]) -> Result<(), Error> {
        self.push_with(planes, Cadence::default())
    }

    /// The same with the codes of the step's outputs. The first step takes them as 0 (§1.4).
    ///
    /// # Errors
    /// Those of [`push`](Stream::push).
    pub fn push_with(&mut self, planes: &[PlaneRef; 3], cadence: Cadence) -> Result<(), Error> {
        self.push_woven(planes, step::Weave { cadence, torn: None })
    }

    /// The same with what a [`Detector`](crate::Detector) decided about the frame: its codes, but where an output's woven fields do not
    /// belong together it is deinterlaced.
    ///
    /// # Errors
    /// Those of [`push`](Stream::push).
    pub fn push_decided(&mut self, planes: &[PlaneRef; 3], decision: &Decision) -> Result<(), Error> {
        self.push_woven(planes, step::Weave { cadence: decision.cadence, torn: Some(&decision.torn) })
    }

    fn push_woven(&mut self, planes: &[PlaneRef; 3], weave: step::Weave) -> Result<(), Error> {
        self.ready()?;
        for (index, plane) in planes.iter().enumerate().take(self.settings.format.sampling.planes()) {
            let (len, stride, size) = (plane.data.len(), plane.stride, self.settings.format.plane_size(index));
            if !plane_fits(len, stride, size) {
                return Err(Error::Plane { index, len, stride, size });
            }
        }
        let number = self.steps;
        self.steps += 1;
        if self.settings.is_stateless() {
            if self.settings.scale.is_some() {
                let frame = self.scaled(planes);
                self.leave(None, frame, Origin::at(2 * number));
            } else {
                let frame = self.spare();
                self.leave(Some(planes), frame, Origin::at(2 * number));
            }
            return Ok(());
        }
        let mut frames = [self.spare(), self.spare()];
        let work = step::Work { settings: &self.settings, kernels: self.kernels };
        let before = self.state.strengths();
        self.statistics = self.state.step(work, number, planes, weave, &mut frames);
        let noise = self.settings.measured_noise.then(|| self.state.luma.noise.gne());
        let (now, [prev2, cur1]) = (self.state.strengths(), frames);
        let cadence = if number > 0 { weave.cadence } else { Cadence::default() };
        let makings =
            self.state.makings.map(|making| Some(making).filter(|_| self.settings.deinterlace && self.settings.statistics));
        if self.settings.deinterlace && number > 0 {
            self.finish(prev2, Origin { time: 2 * number - 1, code: cadence.prev2, making: makings[0], denoise: before });
        } else {
            self.spare.push(prev2);
        }
        self.finish(cur1, Origin { time: 2 * number, code: cadence.cur1, making: makings[1], denoise: now });
        self.noise = noise.map(|noise| noise.min(255) as u8);
        Ok(())
    }

    /// Ends the stream: makes the last frame that is still missing, when deinterlacing (§1.4). Only [`reset`](Stream::reset) makes
    /// the stream take frames again.
    ///
    /// # Errors
    /// [`Error::OutputWaiting`] until all frames are pulled, [`Error::Ended`] after a flush.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.flush_with(Code::Deinterlace)
    }

    /// The same with the code of the last frame's 2nd field: [`Code::Previous`] weaves it with that frame's 1st field, the others
    /// deinterlace it.
    ///
    /// # Errors
    /// Those of [`flush`](Stream::flush).
    pub fn flush_with(&mut self, prev2: Code) -> Result<(), Error> {
        self.ready()?;
        self.ended = true;
        if self.settings.deinterlace && self.steps > 0 {
            let mut frame = self.spare();
            let weave = prev2 == Code::Previous;
            self.state.last(step::Work { settings: &self.settings, kernels: self.kernels }, weave, &mut frame);
            let pixels = self.settings.format.width * self.settings.format.height / 2;
            let making = self.settings.statistics.then(|| Making::of(pixels as u64, weave));
            let code = if weave { Code::Previous } else { Code::Deinterlace };
            self.finish(frame, Origin { time: 2 * self.steps - 1, code, making, denoise: self.state.strengths() });
        }
        Ok(())
    }

    /// The next frame that is ready, in the order of time.
    pub fn pull(&mut self) -> Option<Output> {
        self.waiting.pop_front()
    }

    /// Copies the next frame that is ready into the caller's planes and returns its time; none when no frame is ready.
    ///
    /// # Errors
    /// [`Error::Plane`] where a plane is too small; the frame then stays.
    pub fn pull_into(&mut self, planes: &mut [PlaneMut; 3]) -> Result<Option<u64>, Error> {
        let Some(Output { frame, .. }) = self.waiting.front() else { return Ok(None) };
        let format = frame.format();
        for (index, plane) in planes.iter().enumerate().take(format.sampling.planes()) {
            let (len, stride, size) = (plane.data.len(), plane.stride, format.plane_size(index));
            if !plane_fits(len, stride, size) {
                return Err(Error::Plane { index, len, stride, size });
            }
        }
        for (index, plane) in planes.iter_mut().enumerate().take(format.sampling.planes()) {
            let width = format.plane_size(index).0;
            for (to, from) in plane.data.chunks_mut(plane.stride).zip(frame.plane(index).chunks_exact(width)) {
                to[..width].copy_from_slice(from);
            }
        }
        Ok(self.pull().map(|output| {
            self.recycle(output.frame);
            output.time
        }))
    }

    /// Gives a frame back, to be used for a later one. Frames of another format are dropped.
    pub fn recycle(&mut self, frame: Frame) {
        let wanted = frame.format() == self.output_format();
        let spare = if self.settings.scale.is_some() { &mut self.finished } else { &mut self.spare };
        if wanted && spare.len() < 2 {
            spare.push(frame);
        }
    }

    /// Forgets all frames, so that the next one is a first step.
    pub fn reset(&mut self) {
        while let Some(output) = self.pull() {
            self.recycle(output.frame);
        }
        if let Some(coloring) = &mut self.coloring {
            coloring.reset();
        }
        self.statistics = None;
        self.noise = None;
        self.steps = 0;
        self.ended = false;
    }

    /// Statistics of the last step; none before the first, or when they are switched off.
    pub fn statistics(&self) -> Option<&Statistics> {
        self.statistics.as_ref()
    }

    /// What the last step found, place by place, for looking at; none before the first, and where frames do not depend on each other
    /// before they are scaled. It is found again, on one thread: a stream that is not asked does nothing for it.
    pub fn maps(&self) -> Option<Maps> {
        let work = step::Work { settings: &self.settings, kernels: self.kernels };
        let last = self.steps.checked_sub(1).filter(|_| !self.settings.is_stateless());
        last.map(|number| self.state.maps(work, number))
    }

    /// Format of the frames that are pushed.
    pub fn input_format(&self) -> Format {
        self.settings.format
    }

    /// Format of the frames that are pulled.
    pub fn output_format(&self) -> Format {
        self.settings.output_format()
    }

    /// Fields by which the output may lag behind: after frame N was pushed, all frames up to time 2N have been made, and with
    /// deinterlacing the one of time 2N + 1 waits for the next push or the flush. So 1 when deinterlacing, else 0.
    pub fn latency(&self) -> u64 {
        self.settings.deinterlace as u64
    }

    /// The instruction set in use.
    pub fn level(&self) -> Level {
        self.kernels.level()
    }

    fn ready(&self) -> Result<(), Error> {
        if !self.waiting.is_empty() {
            return Err(Error::OutputWaiting);
        }
        if self.ended { Err(Error::Ended) } else { Ok(()) }
    }

    fn spare(&mut self) -> Frame {
        self.spare.pop().unwrap_or_else(|| Frame::new(self.settings.frame_format()))
    }

    /// Scales a frame as was asked for, then lets it leave.
    fn finish(&mut self, frame: Frame, origin: Origin) {
        if self.settings.scale.is_none() {
            return self.leave(None, frame, origin);
        }
        let scaled = self.scaled(&frame.planes());
        self.spare.push(frame);
        self.leave(None, scaled, origin);
    }

    fn scaled(&mut self, planes: &[PlaneRef; 3]) -> Frame {
        let mut out = self.finished.pop().unwrap_or_else(|| Frame::new(self.settings.output_format()));
        if let Some(finish) = &mut self.finish {
            finish.scale(step::Work { settings: &self.settings, kernels: self.kernels }, planes, &mut out);
        }
        out
    }

    /// Enhances a frame and changes its colours as was asked for; then it may be pulled. What it holds may still stand in the
    /// caller's planes.
    fn leave(&mut self, planes: Option<&[PlaneRef; 3]>, mut frame: Frame, origin: Origin) {
        let work = step::Work { settings: &self.settings, kernels: self.kernels };
        // Bands are read while the colour pipe works on them, if it is the first.
        let mut unread = planes;
        if self.coloring.is_none() || self.settings.enhance.is_some() {
            unread.take().inspect(|planes| frame.copy_from(planes));
        }
        if let Some(finish) = &mut self.finish {
            let set = self.settings.parameters.enhance.global_noise_estimation as u8;
            finish.enhance(work, self.noise.unwrap_or(set), &mut frame);
        }
        let luma = match &mut self.coloring {
            Some(coloring) => coloring.run(work, unread, &mut frame),
            None => self.settings.luma_statistics.then(|| LumaStatistics::of(&frame, self.settings.histogram_area())),
        };
        let Origin { time, code, making, denoise: [denoise, denoise_chroma] } = origin;
        self.waiting.push_back(Output { frame, time, code, making, denoise, denoise_chroma, luma });
    }
}
