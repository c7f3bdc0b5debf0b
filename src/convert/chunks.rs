//! Chunks of a clip: runs of input frames that are converted independently of each other.
use super::options::MAX_FRAME;
use std::ops::Range;

/// Cuts a clip into chunks of a fixed number of input frames, each of which a [`Converter`] of its
/// own converts. The outputs of all chunks, one after the other, are the chunked conversion. They
/// depend on the length of the chunks and on the warm-up, but not on the program, thread or machine
/// that makes a chunk.
///
/// The plan of the conversion is that of the whole clip: the caller detects the
/// [start](super::DetectedStart) of the clip once and passes it to each chunk.
///
/// [`Converter`]: super::Converter
///
/// # Examples
/// ```
/// use dndi::convert::{Chunks, Converter, OutputRate};
/// use dndi::{Error, Format, Frame, Sampling};
///
/// # fn main() -> Result<(), Error> {
/// # let format = Format::new(64, 48, Sampling::C420);
/// # let clip: Vec<Frame> = (0..50).map(|_| Frame::new(format)).collect();
/// let builder = || Converter::builder(format).rate(Some(OutputRate::Field));
/// // The start of the clip: the first frames, until it is known.
/// let mut first = builder().build()?;
/// for frame in &clip {
///     if first.knows_start() {
///         break;
///     }
///     first.push(frame.clone())?;
/// }
/// first.finish();
/// let start = first.detected_start();
///
/// // The chunks in any order, in any number of threads or programs.
/// let chunks = Chunks::new(20, 10);
/// let mut times = vec![];
/// for chunk in (0..chunks.count(clip.len() as u64)).map(|index| chunks.chunk(index)) {
///     let converter = builder().chunk(chunk, start).build()?;
///     let frames = clip[chunk.begin as usize..].iter().cloned();
///     for output in converter.convert(frames) {
///         times.push(output?.time);
///     }
/// }
/// assert_eq!(times, (0..100).map(|field| 2 * field).collect::<Vec<_>>());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chunks {
    frames: u64,
    warmup: u64,
    start: u64,
    lead: u64,
}

/// A chunk of a clip. Frames have their numbers in the clip, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Chunk {
    /// The number of the chunk, from 0.
    pub index: u64,
    /// The first frame to push: that of the warm-up.
    pub begin: u64,
    /// The first frame of the chunk.
    pub first: u64,
    /// The frame after the last one of the chunk.
    pub end: u64,
    /// The first frame of the conversion, that of chunk 0.
    pub start: u64,
}

impl Chunk {
    /// The chunk with its numbers in order: start, first and end, up to frame 2^56, and begin, not
    /// after first.
    pub(super) fn in_order(self) -> Chunk {
        let start = self.start.min(MAX_FRAME);
        let first = self.first.clamp(start, MAX_FRAME);
        Chunk { start, first, end: self.end.clamp(first, MAX_FRAME), begin: self.begin.min(first), ..self }
    }
}

impl Chunks {
    /// The usual warm-up in frames. With it a chunked conversion of the test clips differs visibly
    /// from one without chunks in fewer than 1 % of the frames.
    pub const WARMUP: u64 = 50;

    /// Chunks of `frames` frames, at least one, each after a warm-up of `warmup` frames.
    pub const fn new(frames: u64, warmup: u64) -> Chunks {
        Chunks { frames: if frames == 0 { 1 } else { frames }, warmup, start: 0, lead: 0 }
    }

    /// Cuts the clip from frame `start` on, at most frame 2^56. The converter of the first chunk
    /// gets up to `lead` frames before it as its warm-up.
    #[must_use]
    pub fn starting_at(self, start: u64, lead: u64) -> Chunks {
        let start = start.min(MAX_FRAME);
        Chunks { start, lead: lead.min(start), ..self }
    }

    /// Frames of a chunk.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Frames of the warm-up.
    pub fn warmup(&self) -> u64 {
        self.warmup
    }

    /// The number of chunks of a clip of `frames` frames, those before the start included.
    pub fn count(&self, frames: u64) -> u64 {
        frames.saturating_sub(self.start).div_ceil(self.frames)
    }

    /// The chunk of this number. Frames beyond 2^56 count as that one.
    pub fn chunk(&self, index: u64) -> Chunk {
        let first = self.start.saturating_add(index.saturating_mul(self.frames)).min(MAX_FRAME);
        let end = first.saturating_add(self.frames).min(MAX_FRAME);
        let clip = self.start - self.lead;
        let begin = if index == 0 { clip } else { first.saturating_sub(self.warmup).max(clip) };
        Chunk { index, begin, first, end, start: self.start }
    }
}

/// The outputs at a constant film rate, and whether those of a chunk are complete.
#[derive(Clone, Debug)]
pub(super) struct ChunkState {
    pub chunk: Chunk,
    /// Frames of the clip that are known to exist.
    pub seen: u64,
    /// Frames whose step was reported.
    pub reported: u64,
    /// Whether the last output was made.
    pub outputs_complete: bool,
    /// The number of the next output at a constant film rate; none before the first one.
    next_number: Option<u64>,
}

impl ChunkState {
    pub fn new(chunk: Chunk) -> ChunkState {
        ChunkState { chunk, seen: chunk.begin, reported: chunk.begin, outputs_complete: false, next_number: None }
    }

    /// Whether the chunk has all its outputs and reports.
    pub fn is_complete(&self) -> bool {
        self.outputs_complete && self.reported >= self.chunk.end
    }

    /// Whether the clip has frames after the chunk.
    fn continues(&self) -> bool {
        self.seen > self.chunk.end
    }

    /// The outputs to make at a constant film rate of a picture that is due for the outputs `due`.
    /// The numbers of a chunk continue those of the chunk before, also where the phase of the film
    /// changes. `last` holds for the last picture of the clip.
    pub fn numbers(&mut self, due: Range<u64>, duration: u64, last: bool) -> Range<u64> {
        let first = self.next_number.unwrap_or_else(|| self.first_number(duration));
        let end = match self.end_number(duration) {
            Some(end) if last => end,
            Some(end) => due.end.min(end),
            None => due.end,
        };
        self.outputs_complete |= self.end_number(duration).is_some_and(|all| end >= all);
        self.next_number = Some(first.max(end));
        first..first.max(end)
    }

    /// The number of the first output of `duration` quarters of a frame that is shown in the chunk
    /// or later.
    fn first_number(&self, duration: u64) -> u64 {
        (4 * (self.chunk.first - self.chunk.start)).div_ceil(duration.max(1))
    }

    /// The number of the first output after the chunk; none if the clip ends in it.
    pub fn end_number(&self, duration: u64) -> Option<u64> {
        self.continues().then(|| (4 * (self.chunk.end - self.chunk.start)).div_ceil(duration.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_the_clip() {
        let chunks = Chunks::new(10, 4);
        assert_eq!([0, 1, 10, 11, 20].map(|frames| chunks.count(frames)), [0, 1, 1, 2, 2]);
        let range = |chunks: &Chunks, index| {
            let Chunk { begin, first, end, .. } = chunks.chunk(index);
            [begin, first, end]
        };
        assert_eq!([0, 1, 2].map(|index| range(&chunks, index)), [[0, 0, 10], [6, 10, 20], [16, 20, 30]]);
        let late = chunks.starting_at(7, 2);
        assert_eq!([0, 1, 2].map(|index| range(&late, index)), [[5, 7, 17], [13, 17, 27], [23, 27, 37]]);
        assert_eq!([7, 8, 17, 18].map(|frames| late.count(frames)), [0, 1, 1, 2]);
        // The warm-up does not reach beyond the frames before the start.
        assert_eq!(range(&Chunks::new(10, 30).starting_at(7, 2), 2), [5, 27, 37]);
        assert_eq!(Chunks::new(0, 0).frames(), 1);
        let last = Chunks::new(u64::MAX, u64::MAX).starting_at(u64::MAX, u64::MAX).chunk(u64::MAX);
        assert_eq!([last.begin, last.first, last.end], [0, MAX_FRAME, MAX_FRAME]);
    }
}
