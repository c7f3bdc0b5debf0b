//! The chunks of a clip and their outputs.

use dndi::convert::{ClipFrame, ClipPlan, Converted, Converter, ConverterBuilder, DetectedStart};
use dndi::{Error, Format, Frame};
use rayon::ThreadPool;
use std::ops::Range;
use std::sync::Arc;

/// Frames after a chunk on which its outputs usually depend: those of the detector, of a
/// deinterlacer with look-ahead and of denoising along motion. A chunk orders further frames one by
/// one.
const LOOK_AHEAD: usize = dndi::Detector::LOOK_AHEAD as usize + 2;

/// The chunks of a clip. A converter of its own makes each chunk from the warm-up frames before it,
/// its own frames, and those after it that the converter needs.
pub struct Chunks {
    builder: Box<dyn Fn() -> Result<ConverterBuilder, dndi_bindings::Error> + Send + Sync>,
    start: Option<DetectedStart>,
    chunks: dndi::convert::Chunks,
    format: Format,
    /// Frames of the clip.
    frames: usize,
    /// Duration of an output in quarters of an input frame.
    duration: usize,
}

impl Chunks {
    /// The chunks of a clip of `frames` frames of `format`. `start` and `plan` are those of a
    /// converter of the clip.
    pub fn new(
        builder: impl Fn() -> Result<ConverterBuilder, dndi_bindings::Error> + Send + Sync + 'static,
        start: Option<DetectedStart>,
        plan: &ClipPlan,
        chunks: dndi::convert::Chunks,
        format: Format,
        frames: usize,
    ) -> Chunks {
        let duration = usize::try_from(plan.duration()).unwrap_or(4).max(1);
        Chunks { builder: Box::new(builder), start, chunks, format, frames, duration }
    }

    /// Number of chunks.
    pub fn count(&self) -> usize {
        self.frames.div_ceil(self.length())
    }

    fn length(&self) -> usize {
        usize::try_from(self.chunks.frames()).unwrap_or(usize::MAX)
    }

    /// Number of outputs of the clip: the nearest to its duration.
    pub fn outputs(&self) -> usize {
        (4 * self.frames + self.duration / 2) / self.duration
    }

    /// Number of the first output of a chunk, or of the one after the last chunk.
    pub fn first_output(&self, chunk: usize) -> usize {
        let first = chunk.saturating_mul(self.length());
        if first >= self.frames { self.outputs() } else { (4 * first).div_ceil(self.duration) }
    }

    /// The chunk that has an output, and the number of the output in it.
    pub fn of_output(&self, n: usize) -> (usize, usize) {
        let mut chunk = (n.saturating_mul(self.duration) / 4 / self.length()).min(self.count() - 1);
        while chunk > 0 && self.first_output(chunk) > n {
            chunk -= 1;
        }
        while self.first_output(chunk + 1) <= n && chunk + 1 < self.count() {
            chunk += 1;
        }
        (chunk, n - self.first_output(chunk))
    }

    /// The input frames that a chunk usually needs, with warm-up and look-ahead.
    pub fn inputs(&self, chunk: usize) -> Range<usize> {
        let chunk = self.chunks.chunk(chunk as u64);
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        number(chunk.begin)..number(chunk.end).saturating_add(LOOK_AHEAD).min(self.frames)
    }

    /// Number of frames of the clip.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Starts the conversion of a chunk.
    ///
    /// # Errors
    /// Those of the settings and of [`ConverterBuilder::build`].
    pub fn start(&self, chunk: usize) -> Result<Run, dndi_bindings::Error> {
        let converter = (self.builder)()?.chunk(self.chunks.chunk(chunk as u64), self.start).build()?;
        Ok(Run { converter, format: self.format })
    }
}

/// The running conversion of a chunk.
pub struct Run {
    converter: Converter,
    format: Format,
}

impl Run {
    /// A frame for the samples of the next input.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn spare_input(&mut self) -> Result<Frame, Error> {
        match self.converter.spare_input() {
            Some(frame) => Ok(frame),
            None => Ok(Frame::try_new(self.format)?),
        }
    }

    /// Takes the next frame. Returns the outputs that are finished.
    ///
    /// # Errors
    /// Those of the converter.
    pub fn push(&mut self, frame: ClipFrame) -> Result<Vec<Converted>, Error> {
        self.converter.push(frame)?;
        self.pull()
    }

    /// Ends the clip. Returns the remaining outputs.
    ///
    /// # Errors
    /// Those of the converter.
    pub fn finish(&mut self) -> Result<Vec<Converted>, Error> {
        self.converter.finish();
        self.pull()
    }

    /// Whether the chunk has all its outputs.
    pub fn is_complete(&self) -> bool {
        self.converter.is_complete()
    }

    /// Gives the frame of an output back.
    pub fn recycle(&mut self, frame: Frame) {
        self.converter.recycle(frame);
    }

    fn pull(&mut self) -> Result<Vec<Converted>, Error> {
        std::iter::from_fn(|| self.converter.pull().transpose()).collect()
    }
}

/// The plan of a clip and its start, from as many of its first frames as are needed. `read` is
/// called in the thread of the caller, since the host must know that this thread waits.
///
/// # Errors
/// Those of `read`, and of the converter as text.
pub fn plan(
    builder: ConverterBuilder,
    frames: usize,
    pool: &ThreadPool,
    mut read: impl FnMut(usize) -> Result<Frame, String>,
) -> Result<(Arc<ClipPlan>, Option<DetectedStart>), String> {
    let mut converter = builder.build().map_err(|error| error.to_string())?;
    for n in 0..frames {
        if converter.knows_start() {
            break;
        }
        let frame = read(n)?;
        pool.install(|| converter.push(frame)).map_err(|error| error.to_string())?;
    }
    if !converter.knows_start() {
        converter.finish();
    }
    let plan = converter.plan().map_err(|error| error.to_string())?;
    Ok((plan.ok_or("the start of the clip is unknown")?, converter.detected_start()))
}
