//! The two filters of a clip.
//!
//! [`ChunkFilter`] makes chunks. Its frame K has no picture of its own: a frame property holds the
//! outputs of chunk K. [`OutputFilter`] takes frame N from the chunk that has it. In this way the
//! host's scheduler makes each chunk once, however many of its frames are requested at a time, and
//! makes several chunks in parallel; its cache holds the finished ones. A chunk depends on nothing
//! but its number, so neither filter has a state that is shared between requests, and all calls can
//! run in parallel (`fmParallel`).

use crate::chunks::{Chunks, Run};
use crate::format;
use crate::host::{Core, Filter, Frame, Node, Request, VideoFormat};
use crate::properties::OutputProperties;
use dndi::UserData;
use dndi::convert::{ClipFrame, Converted};
use rayon::ThreadPool;
use std::ffi::CStr;
use std::ops::Range;
use std::sync::Arc;

/// The frame property with the outputs of a chunk.
const OUTPUTS: &CStr = c"_DndiOutputs";

/// The format of the frames that hold chunks.
pub const CHUNK_FORMAT: VideoFormat =
    VideoFormat { chroma: false, other_family: false, float: false, bits: 8, subsampling: (0, 0) };

/// Input frames that a chunk orders at a time. Fewer frames wait more often for the host; more take
/// more memory. The value follows from this alone, it is not measured.
const BATCH: usize = 16;

/// Makes chunks.
pub struct ChunkFilter {
    pub chunks: Arc<Chunks>,
    pub source: Node,
    pub output: VideoFormat,
    pub properties: OutputProperties,
    pub pool: Arc<ThreadPool>,
}

/// A chunk that is being made.
#[derive(Default)]
pub struct Job {
    run: Option<Run>,
    /// The next input frame to push.
    next: usize,
    outputs: Vec<Frame>,
}

impl Filter for ChunkFilter {
    type State = Job;

    fn start(&self, n: usize, request: &mut Request) -> Result<(), String> {
        self.batch(n, self.chunks.inputs(n).start).for_each(|number| request.order(&self.source, number));
        Ok(())
    }

    fn ready(&self, n: usize, job: &mut Job, request: &mut Request) -> Result<Option<Frame>, String> {
        let run = match &mut job.run {
            Some(run) => run,
            none => {
                job.next = self.chunks.inputs(n).start;
                none.insert(self.chunks.start(n).map_err(|error| error.to_string())?)
            }
        };
        for number in self.batch(n, job.next) {
            if run.is_complete() {
                break;
            }
            let source = request.take(&self.source, number).ok_or_else(|| format!("frame {number} is missing"))?;
            request.release(&self.source, number);
            let mut frame = run.spare_input().map_err(|error| error.to_string())?;
            format::read(&source, &mut frame)?;
            let clip = ClipFrame::new(frame).user_data(UserData::new(source));
            let outputs = self.pool.install(|| run.push(clip)).map_err(|error| error.to_string())?;
            self.store(outputs, run, &mut job.outputs, request.core);
            job.next = number + 1;
        }
        if !run.is_complete() && job.next < self.chunks.frames() {
            self.batch(n, job.next).for_each(|number| request.order(&self.source, number));
            return Ok(None);
        }
        let outputs = self.pool.install(|| run.finish()).map_err(|error| error.to_string())?;
        self.store(outputs, run, &mut job.outputs, request.core);
        let mut chunk = request.core.frame(CHUNK_FORMAT, (1, 1), None);
        job.outputs.drain(..).for_each(|frame| chunk.append_frame(OUTPUTS, &frame));
        Ok(Some(chunk.finish()))
    }
}

impl ChunkFilter {
    /// The input frames of chunk `n` that are ordered together, from `first` on.
    fn batch(&self, n: usize, first: usize) -> Range<usize> {
        let end = self.chunks.inputs(n).end;
        first..if first < end { end.min(first + BATCH) } else { self.chunks.frames().min(first + 1) }
    }

    /// Copies outputs to frames of the host.
    fn store(&self, outputs: Vec<Converted>, run: &mut Run, frames: &mut Vec<Frame>, core: Core) {
        for output in outputs {
            let source = output.user_data.as_ref().and_then(|data| data.get::<Frame>());
            let mut frame = format::write(&output.frame, self.output, source, core);
            if let Some(source) = source {
                self.properties.set(&mut frame, &output, source, core);
            }
            frames.push(frame.finish());
            run.recycle(output.frame);
        }
    }
}

/// Takes frames from chunks.
pub struct OutputFilter {
    pub chunks: Arc<Chunks>,
    pub source: Node,
    /// Number of chunks that are made in parallel if the frames are requested in order.
    pub jobs: usize,
    /// Whether the output has the film rate.
    pub film: bool,
}

impl Filter for OutputFilter {
    type State = ();

    fn start(&self, n: usize, request: &mut Request) -> Result<(), String> {
        let (chunk, _) = self.chunks.of_output(n);
        request.order(&self.source, chunk);
        // Frame i of a group of chunks also waits for chunk i. A host that requests frames in order
        // requests several at a time, so the chunks of the group are made in parallel. A single
        // frame elsewhere waits for its own chunk alone.
        let group = chunk - chunk % self.jobs;
        let index = n - self.chunks.first_output(group);
        let ahead = group + index;
        if index < self.jobs && ahead != chunk && ahead < self.chunks.count() {
            request.order(&self.source, ahead);
        }
        if self.can_lack(chunk) {
            request.order(&self.source, chunk - 1);
        }
        Ok(())
    }

    fn ready(&self, n: usize, (): &mut (), request: &mut Request) -> Result<Option<Frame>, String> {
        let (chunk, index) = self.chunks.of_output(n);
        let mut output = self.output(chunk, index, request);
        if output.is_none() && self.can_lack(chunk) {
            output = self.output(chunk - 1, usize::MAX, request);
        }
        output.map(Some).ok_or_else(|| format!("chunk {chunk} has no output"))
    }
}

impl OutputFilter {
    /// Whether a chunk can have no outputs although the duration of the clip promises one: at the
    /// film rate the last picture can start before the last chunk. It is then repeated.
    fn can_lack(&self, chunk: usize) -> bool {
        self.film && chunk > 0 && chunk + 1 == self.chunks.count()
    }

    /// An output of a chunk that was ordered; the last one if there are fewer.
    fn output(&self, chunk: usize, index: usize, request: &mut Request) -> Option<Frame> {
        let outputs = request.take(&self.source, chunk)?;
        let last = outputs.properties().count(OUTPUTS).checked_sub(1)?;
        outputs.properties().frame(OUTPUTS, index.min(last))
    }
}
