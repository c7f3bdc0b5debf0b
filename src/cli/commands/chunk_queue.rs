//! The results of chunks that are made in parallel, in the order of the chunks.

use crate::error::CliError;
use crate::io::interrupt;
use crate::io::spool::{Spool, Stored};
use crate::report::repeats::Repeat;
use dndi::Frame;
use dndi::convert::{Converted, StepReport};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Output frames of a chunk that always wait in memory. If the outputs of the chunk are written at
/// the time, more of them delay it.
pub const IN_MEMORY: usize = 4;

/// Chunks for each job that are begun before the first one is written. With one, a job would wait
/// for the slowest chunk.
pub const AHEAD: u64 = 2;

/// Interval at which waiting threads check for interrupts.
const INTERVAL: Duration = Duration::from_millis(50);

/// A result of a chunk.
#[derive(Debug)]
pub enum Item {
    /// A report, with the input frame if its noise is measured, and the part of that frame that
    /// repeats.
    Step(Box<StepReport>, Option<Frame>, Option<Repeat>),
    Output(Box<Converted>),
    /// An output whose frame waits in the temporary file.
    Stored(Box<Converted>, Stored),
    End(Result<ChunkEnd, CliError>),
}

/// The end of a chunk.
#[derive(Clone, Debug)]
pub struct ChunkEnd {
    /// Whether the clip ends in the chunk.
    pub last: bool,
    /// The frame after the last one of the chunk that exists; 0 if the clip ends before the
    /// warm-up of the chunk.
    pub frames: u64,
    /// The error that ended the clip.
    pub error: Option<CliError>,
}

/// The results of one chunk.
#[derive(Debug)]
pub struct ChunkQueue {
    folder: PathBuf,
    /// Output frames that wait in memory before their turn. More of them wait in a temporary file.
    limit: usize,
    state: Mutex<State>,
    changed: Condvar,
    spool: Mutex<Option<Spool>>,
}

#[derive(Debug, Default)]
struct State {
    items: VecDeque<Item>,
    in_memory: usize,
    /// Whether the results are written now.
    is_front: bool,
    stopped: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ChunkQueue {
    /// A queue for `limit` frames in memory, whose temporary file is in `folder`.
    pub fn new(limit: usize, folder: PathBuf) -> ChunkQueue {
        ChunkQueue { folder, limit, state: Mutex::default(), changed: Condvar::new(), spool: Mutex::default() }
    }

    fn push_item(&self, item: Item) {
        lock(&self.state).items.push_back(item);
        self.changed.notify_all();
    }

    /// Adds a report.
    pub fn step(&self, report: StepReport, frame: Option<Frame>, repeats: Option<Repeat>) {
        self.push_item(Item::Step(Box::new(report), frame, repeats));
    }

    /// Adds the end.
    pub fn end(&self, end: Result<ChunkEnd, CliError>) {
        self.push_item(Item::End(end));
    }

    /// Adds an output. Returns its frame if it was stored.
    pub fn output(&self, mut output: Box<Converted>) -> Result<Option<Frame>, CliError> {
        let mut state = lock(&self.state);
        while state.is_front && state.in_memory >= IN_MEMORY && !state.stopped {
            state = self.changed.wait_timeout(state, INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.is_front || state.in_memory < self.limit {
            state.in_memory += 1;
            drop(state);
            self.push_item(Item::Output(output));
            return Ok(None);
        }
        drop(state);
        let frame = std::mem::take(&mut output.frame);
        let mut spool = lock(&self.spool);
        let spool = match &mut *spool {
            Some(spool) => spool,
            none => none.insert(Spool::create(&self.folder)?),
        };
        let stored = spool.store(&frame)?;
        self.push_item(Item::Stored(output, stored));
        Ok(Some(frame))
    }

    /// The number of outputs that wait.
    pub fn outputs(&self) -> u64 {
        lock(&self.state).items.iter().filter(|item| matches!(item, Item::Output(_) | Item::Stored(..))).count() as u64
    }

    /// The next item. Stored frames are read.
    pub fn next(&self) -> Result<Item, CliError> {
        let mut state = lock(&self.state);
        state.is_front = true;
        let item = loop {
            if let Some(item) = state.items.pop_front() {
                break item;
            }
            if interrupt::is_requested() {
                return Err(CliError::runtime("interrupted"));
            }
            state = self.changed.wait_timeout(state, INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        };
        if let Item::Output(_) = item {
            state.in_memory -= 1;
        }
        drop(state);
        self.changed.notify_all();
        match item {
            Item::Stored(mut output, stored) => {
                if let Some(spool) = &mut *lock(&self.spool) {
                    output.frame = spool.load(stored)?;
                }
                Ok(Item::Output(output))
            }
            item => Ok(item),
        }
    }

    fn stop(&self) {
        lock(&self.state).stopped = true;
        self.changed.notify_all();
    }
}

/// Distributes the chunks to the jobs.
#[derive(Debug)]
pub struct Board {
    state: Mutex<BoardState>,
    changed: Condvar,
    folder: PathBuf,
    limit: usize,
    jobs: u64,
    /// The number of chunks, if it is known; at least 1.
    count: Option<u64>,
    /// Frames of written outputs, for reuse.
    spares: Mutex<Vec<Frame>>,
}

#[derive(Debug)]
struct BoardState {
    /// The next chunk that a job begins.
    next: u64,
    /// The chunk whose results are written.
    front: u64,
    /// The chunks from `front` on.
    queues: VecDeque<Arc<ChunkQueue>>,
    stopped: bool,
}

impl Board {
    /// A board for `jobs` jobs and `count` chunks, if their number is known: a clip without frames
    /// has one, which is empty. The queues of the chunks are those of [`ChunkQueue::new`].
    pub fn new(jobs: usize, count: Option<u64>, limit: usize, folder: PathBuf) -> Board {
        let state = Mutex::new(BoardState { next: 0, front: 0, queues: VecDeque::new(), stopped: false });
        let (count, jobs) = (count.map(|count| count.max(1)), jobs as u64);
        Board { state, changed: Condvar::new(), folder, limit, jobs, count, spares: Mutex::default() }
    }

    /// The next chunk to make; none if there are no more, or if the chunks shall end. `taken` is
    /// called before another job gets a chunk.
    pub fn take(&self, taken: impl FnOnce(u64)) -> Option<(u64, Arc<ChunkQueue>)> {
        let mut state = lock(&self.state);
        loop {
            if state.stopped || self.count.is_some_and(|count| state.next >= count) {
                return None;
            }
            if state.next < state.front + AHEAD * self.jobs {
                break;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let (index, queue) = (state.next, Arc::new(ChunkQueue::new(self.limit, self.folder.clone())));
        state.next += 1;
        state.queues.push_back(queue.clone());
        taken(index);
        drop(state);
        self.changed.notify_all();
        Some((index, queue))
    }

    /// The first chunk that is not written; none if all are written, or if the chunks shall end.
    pub fn front(&self) -> Option<Arc<ChunkQueue>> {
        let mut state = lock(&self.state);
        loop {
            if let Some(queue) = state.queues.front() {
                return Some(queue.clone());
            }
            if state.stopped || self.count.is_some_and(|count| state.front >= count) {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the first chunk.
    pub fn advance(&self) {
        let mut state = lock(&self.state);
        state.queues.pop_front();
        state.front += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Ends all chunks as soon as possible.
    pub fn stop(&self) {
        let mut state = lock(&self.state);
        state.stopped = true;
        state.queues.iter().for_each(|queue| queue.stop());
        drop(state);
        self.changed.notify_all();
    }

    /// Whether all chunks shall end.
    pub fn is_stopped(&self) -> bool {
        lock(&self.state).stopped
    }

    /// Takes the frame of a written output for reuse. As many are kept as those of a chunk that
    /// wait: new memory is slower.
    pub fn recycle(&self, frame: Frame) {
        let mut spares = lock(&self.spares);
        if spares.len() < self.limit {
            spares.push(frame);
        }
    }

    /// A frame for reuse.
    pub fn spare(&self) -> Option<Frame> {
        lock(&self.spares).pop()
    }
}
