//! The frames of a clip for the chunks: each chunk reads a file by itself; the frames of a stream
//! are distributed.

use super::matches_file::MatchesFile;
use super::open::{End, Feed, Next};
use crate::error::CliError;
use crate::io::clip_file::{ClipFile, ClipReader};
use dndi::convert::ClipFrame;
use dndi::{Frame, UserData};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The frames of the clip.
#[derive(Debug)]
pub enum ClipFrames {
    /// A y4m file. Frames from `end` on are not read.
    File { file: ClipFile, matches: Option<MatchesFile>, end: u64 },
    /// A pipe, or a file that ffmpeg decodes.
    Stream(Box<SharedFeed>),
}

/// The frames for one chunk.
#[derive(Debug)]
pub enum ChunkFrames<'a> {
    File { file: &'a ClipFile, matches: Option<&'a MatchesFile>, reader: Option<ClipReader>, next: u64, end: u64 },
    Stream { feed: &'a SharedFeed, slot: usize, next: u64 },
}

impl ClipFrames {
    /// The frames from `begin` on, for the worker `slot`.
    pub fn from(&self, begin: u64, slot: usize) -> ChunkFrames<'_> {
        match self {
            ClipFrames::File { file, matches, end } => {
                ChunkFrames::File { file, matches: matches.as_ref(), reader: None, next: begin, end: *end }
            }
            ClipFrames::Stream(feed) => ChunkFrames::Stream { feed, slot, next: begin },
        }
    }

    /// Reports that worker `slot` begins a chunk with frame `begin`, and that the chunks without a
    /// worker begin with frame `untaken`.
    pub fn begin(&self, slot: usize, begin: u64, untaken: u64) {
        if let ClipFrames::Stream(feed) = self {
            let mut window = feed.window();
            window.needs[slot] = begin;
            window.untaken = untaken;
            window.trim();
        }
    }

    /// Reports that worker `slot` has ended its chunk.
    pub fn end(&self, slot: usize) {
        if let ClipFrames::Stream(feed) = self {
            let mut window = feed.window();
            window.needs[slot] = u64::MAX;
            window.trim();
        }
    }
}

impl ChunkFrames<'_> {
    /// The next frame, in the memory of `spare` if possible; none at the end of the clip.
    pub fn next(&mut self, spare: Option<Frame>) -> Result<Option<ClipFrame>, CliError> {
        match self {
            ChunkFrames::File { next, end, .. } if *next >= *end => Ok(None),
            ChunkFrames::File { file, matches, reader, next, .. } => {
                let reader = match reader {
                    Some(reader) => reader,
                    none => none.insert(file.reader(*next)?),
                };
                let mut frame = spare.unwrap_or_default();
                let Some(header) = reader.read(&mut frame)? else { return Ok(None) };
                let flags = header.flags();
                let clip = ClipFrame::new(frame).flags(flags).user_data(UserData::new(header));
                let clip = match matches {
                    Some(matches) => clip.matches(matches.step(*next)),
                    None => clip,
                };
                *next += 1;
                Ok(Some(clip))
            }
            ChunkFrames::Stream { feed, slot, next } => {
                let frame = feed.get(*slot, *next)?;
                *next += u64::from(frame.is_some());
                Ok(frame)
            }
        }
    }
}

/// A stream whose frames several chunks get. It is read as far as a chunk needs it, and a frame is
/// kept until no chunk needs it.
#[derive(Debug)]
pub struct SharedFeed {
    feed: Mutex<Feed>,
    window: Mutex<Window>,
}

/// The frames that are kept.
#[derive(Debug)]
struct Window {
    /// The number of the first of them.
    first: u64,
    frames: VecDeque<ClipFrame>,
    /// The first frame that each worker still needs.
    needs: Vec<u64>,
    /// The first frame of the chunks without a worker.
    untaken: u64,
    /// The end of the stream, with the error if reading failed.
    end: Option<Result<(), CliError>>,
}

impl SharedFeed {
    /// The rest of `feed`, after `frames`, of which the first one has the number `first`.
    pub fn new(mut feed: Feed, frames: VecDeque<ClipFrame>, first: u64, workers: usize) -> SharedFeed {
        let end = end_of(&mut feed);
        let window = Window { first, frames, needs: vec![u64::MAX; workers], untaken: first, end };
        SharedFeed { feed: Mutex::new(feed), window: Mutex::new(window) }
    }

    fn window(&self) -> MutexGuard<'_, Window> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Frame `number` for worker `slot`, which needs no frame before it any more.
    fn get(&self, slot: usize, number: u64) -> Result<Option<ClipFrame>, CliError> {
        loop {
            if let Some(result) = self.window().take(slot, number) {
                return result;
            }
            // The frames that are there can be taken while one worker reads.
            let mut feed = self.feed.lock().unwrap_or_else(PoisonError::into_inner);
            if self.window().has(number) {
                continue;
            }
            let next = feed.next();
            let end = end_of(&mut feed);
            let mut window = self.window();
            if let Next::Frame(frame) = next {
                window.frames.push_back(frame);
                window.trim();
            }
            window.end = window.end.take().or(end);
        }
    }
}

/// The end of a stream, once it is reached.
fn end_of(feed: &mut Feed) -> Option<Result<(), CliError>> {
    Some(match feed.take_end()? {
        End::Reached => Ok(()),
        End::Failed(error) => Err(error),
        End::Interrupted => Err(CliError::runtime("interrupted")),
    })
}

impl Window {
    fn has(&self, number: u64) -> bool {
        number < self.first + self.frames.len() as u64 || self.end.is_some()
    }

    /// Frame `number`, or the end; none if it must be read first.
    fn take(&mut self, slot: usize, number: u64) -> Option<Result<Option<ClipFrame>, CliError>> {
        self.needs[slot] = number;
        let index = number.checked_sub(self.first).and_then(|index| usize::try_from(index).ok());
        let Some(index) = index else { return Some(Err(CliError::runtime("internal error: a frame was dropped"))) };
        let Some(frame) = self.frames.get(index) else {
            return self.end.clone().map(|end| end.map(|()| None));
        };
        self.needs[slot] = number + 1;
        if index == 0 && self.low() > number {
            self.first += 1;
            return self.frames.pop_front().map(|frame| Ok(Some(frame)));
        }
        let ClipFrame { frame, flags, matches, user_data, .. } = frame;
        Some(match frame.try_clone() {
            Ok(copy) => {
                let copy = ClipFrame::new(copy).flags(*flags).matches(matches.clone());
                Ok(Some(match user_data {
                    Some(data) => copy.user_data(data.clone()),
                    None => copy,
                }))
            }
            Err(error) => Err(CliError::runtime(error)),
        })
    }

    /// The first frame that is still needed.
    fn low(&self) -> u64 {
        self.needs.iter().copied().fold(self.untaken, u64::min)
    }

    /// Drops frames that are not needed.
    fn trim(&mut self) {
        while self.first < self.low() && self.frames.pop_front().is_some() {
            self.first += 1;
        }
    }
}
