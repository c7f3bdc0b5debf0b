//! `--chunk`: a conversion in chunks, in parallel, or of one chunk alone.

use super::chunk_frames::{ClipFrames, SharedFeed};
use super::chunk_queue::{AHEAD, Board, ChunkEnd, ChunkQueue, IN_MEMORY, Item};
use super::conversion::{Conversion, PROBE_INTERVAL};
use super::open::{self, Feed};
use super::option_errors;
use super::part::PartTag;
use super::plan::{self, Plan, StreamSettings};
use crate::error::CliError;
use crate::io::clip_file::{ClipFile, file_length};
use crate::io::interrupt;
use crate::media::clock::Clock;
use crate::options::is_standard;
use crate::options::layers::Options;
use crate::report::repeats::Repeats;
use dndi::Format;
use dndi::convert::{Chunk, Chunks, ClipFrame, Converter, DetectedStart, Event, OutputRate};
use dndi::y4m::{Header, little_endian};
use md5::{Digest, Md5};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Input and output frames that a job holds besides those of its chunk: the look-ahead, those of
/// the stages, and those on their way.
const FRAMES_PER_JOB: u64 = 48;

/// The free memory if the system does not report it, in bytes.
const UNKNOWN_MEMORY: u64 = 4 << 30;

/// A conversion in chunks.
pub struct ChunkRun<'a> {
    options: &'a Options,
    header: &'a Header,
    settings: &'a StreamSettings,
    plan: &'a Plan,
    /// Whether the output has the time of each frame.
    has_times: bool,
    chunks: Chunks,
    start: Option<DetectedStart>,
    clip: ClipFrames,
    /// The number of chunks, if it is known.
    count: Option<u64>,
    clock: Arc<Mutex<Clock>>,
    jobs: usize,
    /// The checksum of input and settings.
    hash: String,
    folder: PathBuf,
}

/// The results of one chunk.
pub struct FinishedPart {
    queue: ChunkQueue,
    end: ChunkEnd,
    index: u64,
}

impl<'a> ChunkRun<'a> {
    /// Prepares the conversion in chunks of `options`; none without the option. `converter` has the
    /// first frames of `feed`. `is_media` is whether ffmpeg decodes the input.
    pub fn new(
        options: &'a Options,
        header: &'a Header,
        settings: &'a StreamSettings,
        plan: &'a Plan,
        has_times: bool,
        (converter, feed): (&mut Converter, Feed),
        is_media: bool,
    ) -> Result<ChunkRun<'a>, CliError> {
        let size = options.chunks.chunk.ok_or_else(|| CliError::runtime("internal error: no chunks"))?;
        let chunks = Chunks::new(size.frames, size.warmup).starting_at(options.skip, options.warmup);
        let start = converter.detected_start();
        converter.finish();
        let mut frames = VecDeque::new();
        while let Some(decided) = converter.pull_decided().map_err(CliError::runtime)? {
            frames.push_back(decided.clip);
        }
        let hash = hash(options, header, settings, plan, has_times, start, &frames)?;
        let end = options.frames.map_or(u64::MAX, |frames| options.skip.saturating_add(frames));
        let clock = feed.shared_clock();
        let file = if is_media || is_standard(&options.input) { None } else { ClipFile::open(&options.input, header) };
        let jobs = jobs(options, header.format(), plan.clip.output_format, file.is_none());
        let (count, clip) = match file {
            Some(file) => {
                let mut feed = feed;
                let count = chunks.count(file.frames()?.min(end));
                (Some(count), ClipFrames::File { file, matches: feed.take_matches(), end })
            }
            None => {
                let first = options.skip - options.warmup;
                (None, ClipFrames::Stream(Box::new(SharedFeed::new(feed, frames, first, jobs))))
            }
        };
        let folder = match options.output.parent() {
            _ if is_standard(&options.output) || options.output.exists() && !options.output.is_file() => std::env::temp_dir(),
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        Ok(ChunkRun { options, header, settings, plan, has_times, chunks, start, clip, count, clock, jobs, hash, folder })
    }

    /// Output frames of a chunk that wait in memory before their turn: a quarter of the free memory
    /// holds those of all chunks.
    fn waiting(&self, jobs: usize) -> usize {
        let chunk = free_memory() / 4 / (AHEAD * jobs as u64);
        usize::try_from(chunk / bytes(self.plan.clip.output_format).max(1)).map_or(IN_MEMORY, |frames| frames.max(IN_MEMORY))
    }

    /// The threads of each job.
    fn pools(&self, jobs: usize) -> Result<Vec<ThreadPool>, CliError> {
        let threads = open::threads(self.options);
        let pool = |job| {
            let share = threads / jobs + usize::from(job < threads % jobs);
            let pool = ThreadPoolBuilder::new().num_threads(share.max(1)).build();
            pool.map_err(|error| CliError::runtime(format_args!("cannot start threads: {error}")))
        };
        (0..jobs).map(pool).collect()
    }

    /// Makes chunk `index`. Its frames wait in a temporary file. Returns the tag of the part.
    pub fn part(&self, index: u64) -> Result<(PartTag, FinishedPart), CliError> {
        let no_chunk = |count| {
            CliError::usage(match count {
                0 => format!("--only {index}: the clip ends before chunk {index}"),
                1 => format!("--only {index}: the clip has only chunk 0"),
                count => format!("--only {index}: the clip has chunks 0 to {}", count - 1),
            })
        };
        if let Some(count) = self.count.filter(|count| index >= *count) {
            return Err(no_chunk(count));
        }
        let chunk = self.chunks.chunk(index);
        let queue = ChunkQueue::new(IN_MEMORY, self.folder.clone());
        let pools = self.pools(1)?;
        self.clip.begin(0, chunk.begin, u64::MAX);
        let made = || self.convert(chunk, 0, &queue, None);
        let end = pools.first().map_or_else(made, |pool| pool.install(made))?;
        if end.frames <= chunk.first && index > 0 {
            return Err(end.error.clone().unwrap_or_else(|| no_chunk(self.chunks.count(end.frames))));
        }
        let count = self.count.or(end.last.then_some(index + 1));
        let tag = PartTag { index, count, frames: queue.outputs(), hash: self.hash.clone() };
        // A part of a damaged input would look complete.
        match end.error {
            Some(error) => Err(error),
            None => Ok((tag, FinishedPart { queue, end, index })),
        }
    }

    /// Writes a part. Returns the frames read.
    pub fn write_part(&self, part: &FinishedPart, conversion: &mut Conversion) -> Result<u64, CliError> {
        part.queue.end(Ok(part.end.clone()));
        let chunk = self.chunks.chunk(part.index);
        let mut position = chunk.first;
        let written = self.write(&part.queue, conversion, &mut position, &mut 0, |_| {}).map(|end| end.error);
        conversion.end(written).map(|()| position - chunk.first)
    }

    /// Makes and writes all chunks. Returns the number of the last frame read.
    pub fn run(&self, conversion: &mut Conversion) -> (u64, Result<(), CliError>) {
        let mut position = self.options.skip;
        let made = self.make_all(conversion, &mut position);
        let result = conversion.end(made).map_err(|error| match interrupt::is_requested() {
            true => CliError::runtime(format_args!("interrupted after {} frames", conversion.written())),
            false => error,
        });
        (position, result)
    }

    fn make_all(&self, conversion: &mut Conversion, position: &mut u64) -> Result<Option<CliError>, CliError> {
        let jobs = self.jobs.min(self.count.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(usize::MAX))).max(1);
        let pools = self.pools(jobs)?;
        let board = Board::new(jobs, self.count, self.waiting(jobs), self.folder.clone());
        std::thread::scope(|scope| {
            for (slot, pool) in pools.iter().enumerate() {
                let board = &board;
                let worker = move || self.work(slot, pool, board);
                let thread = std::thread::Builder::new().name(format!("job {slot}"));
                if let Err(error) = thread.spawn_scoped(scope, worker) {
                    board.stop();
                    return Err(CliError::runtime(format_args!("cannot start a thread: {error}")));
                }
            }
            let result = self.write_all(&board, conversion, position);
            board.stop();
            result
        })
    }

    /// Writes the chunks in order.
    fn write_all(&self, board: &Board, conversion: &mut Conversion, position: &mut u64) -> Result<Option<CliError>, CliError> {
        let mut number = 0;
        while let Some(queue) = board.front() {
            let end = self.write(&queue, conversion, position, &mut number, |frame| board.recycle(frame))?;
            board.advance();
            if end.last {
                return Ok(end.error);
            }
        }
        Ok(None)
    }

    /// Writes the results of a chunk. `number` is that of the next output at a variable rate.
    fn write(
        &self,
        queue: &ChunkQueue,
        conversion: &mut Conversion,
        position: &mut u64,
        number: &mut u64,
        mut recycle: impl FnMut(dndi::Frame),
    ) -> Result<ChunkEnd, CliError> {
        let varies = self.plan.clip.rate == OutputRate::Film && (self.has_times || self.options.timecodes.is_some());
        loop {
            match queue.next()? {
                Item::Step(step, frame, repeats) => {
                    *position = step.number + 1;
                    conversion.step(*step, frame.as_ref(), repeats, *position)?;
                }
                Item::Output(mut output) => {
                    if varies {
                        output.number = *number;
                    }
                    *number += 1;
                    let time = self.clock.lock().unwrap_or_else(PoisonError::into_inner).output(output.time);
                    conversion.write(*output, time)?;
                }
                Item::Stored(..) => {}
                Item::End(end) => return end,
            }
            conversion.recycle_written(&mut recycle)?;
        }
    }

    /// Makes chunks until there are no more.
    fn work(&self, slot: usize, pool: &ThreadPool, board: &Board) {
        let taken = |index| self.clip.begin(slot, self.chunks.chunk(index).begin, self.chunks.chunk(index + 1).begin);
        while let Some((index, queue)) = board.take(taken) {
            let guard = EndGuard(&queue);
            let end = pool.install(|| self.convert(self.chunks.chunk(index), slot, &queue, Some(board)));
            std::mem::forget(guard);
            self.clip.end(slot);
            let is_last = end.as_ref().map_or(true, |end| end.last);
            queue.end(end);
            if is_last {
                return;
            }
        }
    }

    /// Makes a chunk.
    fn convert(&self, chunk: Chunk, slot: usize, queue: &ChunkQueue, board: Option<&Board>) -> Result<ChunkEnd, CliError> {
        let builder = plan::converter(self.options, self.header, self.settings, self.has_times).chunk(chunk, self.start);
        let mut converter = builder.build().map_err(|error| option_errors::explain(self.options, self.header, &error))?;
        let mut frames = self.clip.from(chunk.begin, slot);
        let (mut pushed, mut error) = (0, None);
        // The parts that repeat, of frames without a report.
        let (mut repeats, mut repeated) = (Repeats::default(), VecDeque::new());
        loop {
            while let Some(event) = converter.next_event().map_err(CliError::runtime)? {
                match event {
                    Event::Step(step) => {
                        let probed = step.number.is_multiple_of(PROBE_INTERVAL);
                        repeated.retain(|&(number, _)| number >= step.number);
                        let part = repeated.front().filter(|(number, _)| *number == step.number).map(|&(_, part)| part);
                        queue.step(*step, if probed { converter.spare_input() } else { None }, part);
                    }
                    Event::Output(output) => {
                        let stored = queue.output(output)?;
                        let spare = board.and_then(Board::spare);
                        stored.into_iter().chain(spare).for_each(|frame| converter.recycle(frame));
                    }
                    _ => {}
                }
            }
            if converter.is_complete() || converter.is_finished() {
                break;
            }
            if interrupt::is_requested() || board.is_some_and(Board::is_stopped) {
                return Err(CliError::runtime("interrupted"));
            }
            match frames.next(converter.spare_input()) {
                Ok(Some(frame)) => {
                    if self.options.stats.is_some()
                        && let Some(part) = repeats.add(&frame.frame)?
                    {
                        repeated.push_back((chunk.begin + pushed, part));
                    }
                    pushed += 1;
                    converter.push(frame).map_err(CliError::runtime)?;
                }
                end => {
                    error = end.err();
                    converter.finish();
                }
            }
        }
        let frames = chunk.begin + pushed;
        let last = converter.is_finished() && frames <= chunk.end;
        // Another chunk has the damaged frame.
        // Without a frame the end of the clip is unknown.
        let frames = if pushed > 0 { frames.min(chunk.end) } else { 0 };
        Ok(ChunkEnd { last, frames, error: error.filter(|_| last) })
    }
}

/// Ends the queue of a job that panics.
struct EndGuard<'a>(&'a ChunkQueue);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        self.0.end(Err(CliError::runtime("internal error: a job ended unexpectedly")));
    }
}

/// The number of jobs: that of `--jobs`, else one per thread, as far as half of the free memory has
/// the frames. A stream needs the frames of the chunks in between, too.
fn jobs(options: &Options, input: Format, output: Format, is_stream: bool) -> usize {
    if options.chunks.only.is_some() {
        return 1;
    }
    if let Some(jobs) = options.chunks.jobs {
        return jobs.into();
    }
    let ahead = options.chunks.chunk.filter(|_| is_stream).map_or(0, |size| AHEAD.saturating_mul(size.frames));
    let chunk = ahead.saturating_mul(bytes(input));
    let job = (FRAMES_PER_JOB * (bytes(input) + bytes(output))).saturating_add(chunk);
    let possible = free_memory() / 2 / job.max(1);
    open::threads(options).min(usize::try_from(possible).unwrap_or(usize::MAX)).max(1)
}

/// Bytes of a frame.
fn bytes(format: Format) -> u64 {
    (format.samples() * format.bytes_per_sample()) as u64
}

/// The memory that programs can get, in bytes.
fn free_memory() -> u64 {
    reported_memory().unwrap_or(UNKNOWN_MEMORY)
}

fn reported_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// A checksum of the input and of everything that the frames of the output depend on.
fn hash(
    options: &Options,
    header: &Header,
    settings: &StreamSettings,
    plan: &Plan,
    has_times: bool,
    start: Option<DetectedStart>,
    frames: &VecDeque<ClipFrame>,
) -> Result<String, CliError> {
    let mut md5 = Md5::new();
    // The instruction set does not change the frames.
    let builder = plan::converter(options, header, settings, has_times).stream(|stream| stream.simd_level(None));
    let (chunk, range) = (options.chunks.chunk, (options.skip, options.warmup, options.frames));
    let length = if is_standard(&options.input) { None } else { file_length(&options.input) };
    let version = env!("CARGO_PKG_VERSION");
    md5.update(format!("{version} {builder:?} {chunk:?} {range:?} {header:?} {:?} {start:?} {length:?}", plan.output));
    if let Some(matches) = &options.matches {
        let bytes = std::fs::read(matches).map_err(|error| CliError::runtime(format_args!("{}: {error}", matches.display())))?;
        md5.update(bytes);
    }
    let mut swapped = vec![];
    for frame in frames {
        md5.update(little_endian(frame.frame.samples(), &mut swapped).map_err(CliError::runtime)?);
    }
    Ok(md5.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
