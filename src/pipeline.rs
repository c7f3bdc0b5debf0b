//! Order of the stages and the state of a stream (§1.4, §1.5).
mod builder;
mod field;
mod picture;
mod statistics;
mod step;
#[cfg(test)]
mod tiling;

use crate::deinterlace::Code;
use crate::error::Error;
use crate::frame::{Format, Frame, PlaneMut, PlaneRef, plane_fits};
pub use builder::{Builder, ChromaOutput, Scan};
use dndi_simd::{Kernels, Level};
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
}

/// A running denoiser and deinterlacer: [`push`](Stream::push) a frame, [`pull`](Stream::pull) what is ready, at the end
/// [`flush`](Stream::flush).
///
/// It holds a bounded number of frames: those of two steps and what waits to be pulled (at most 2). Once frames are given back with
/// [`recycle`](Stream::recycle), or pulled with [`pull_into`](Stream::pull_into), it allocates nothing any more.
pub struct Stream {
    settings: Builder,
    kernels: &'static Kernels,
    state: step::State,
    waiting: VecDeque<Output>,
    spare: Vec<Frame>,
    statistics: Option<Statistics>,
    /// Frames taken since the last reset.
    steps: u64,
    ended: bool,
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
        let output = settings.output_format();
        Stream {
            state: step::State::new(&settings),
            kernels,
            waiting: VecDeque::with_capacity(2),
            spare: vec![Frame::new(output), Frame::new(output)],
            statistics: None,
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
        self.ready()?;
        for (index, plane) in planes.iter().enumerate().take(self.settings.format.sampling.planes()) {
            let (len, stride, size) = (plane.data.len(), plane.stride, self.settings.format.plane_size(index));
            if !plane_fits(len, stride, size) {
                return Err(Error::Plane { index, len, stride, size });
            }
        }
        let number = self.steps;
        let mut frames = [self.spare(), self.spare()];
        self.statistics =
            self.state.step(step::Work { settings: &self.settings, kernels: self.kernels }, number, planes, cadence, &mut frames);
        let [prev2, cur1] = frames;
        if self.settings.deinterlace && number > 0 {
            self.waiting.push_back(Output { frame: prev2, time: 2 * number - 1 });
        } else {
            self.spare.push(prev2);
        }
        self.waiting.push_back(Output { frame: cur1, time: 2 * number });
        self.steps += 1;
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
            self.state.last(step::Work { settings: &self.settings, kernels: self.kernels }, prev2 == Code::Previous, &mut frame);
            self.waiting.push_back(Output { frame, time: 2 * self.steps - 1 });
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
        if frame.format() == self.output_format() && self.spare.len() < 2 {
            self.spare.push(frame);
        }
    }

    /// Forgets all frames, so that the next one is a first step.
    pub fn reset(&mut self) {
        while let Some(output) = self.pull() {
            self.recycle(output.frame);
        }
        self.statistics = None;
        self.steps = 0;
        self.ended = false;
    }

    /// Statistics of the last step; none before the first, or when they are switched off.
    pub fn statistics(&self) -> Option<&Statistics> {
        self.statistics.as_ref()
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
        self.spare.pop().unwrap_or_else(|| Frame::new(self.settings.output_format()))
    }
}
