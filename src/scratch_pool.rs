//! Pool of scratch buffers, one per CPU.
use crate::memory::{OutOfMemory, with_capacity};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// One scratch buffer per CPU. A rayon worker tries the buffer of its own index first, so that the
/// buffer stays in its cache.
#[derive(Debug)]
pub(crate) struct ScratchPool<T>(Vec<Mutex<T>>);

impl<T> ScratchPool<T> {
    /// The number of buffers that `tasks` parallel tasks can use at the same time, at least one.
    pub fn new(tasks: usize, scratch: impl Fn() -> Result<T, OutOfMemory>) -> Result<ScratchPool<T>, OutOfMemory> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let count = threads.min(tasks).max(1);
        let mut pool = with_capacity(count)?;
        for _ in 0..count {
            pool.push(Mutex::new(scratch()?));
        }
        Ok(ScratchPool(pool))
    }

    /// The buffer of the calling thread, or the next free one. If no buffer is free, the call
    /// blocks until that of the thread is.
    pub fn get(&self) -> MutexGuard<'_, T> {
        let own = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        // After a panic a buffer has arbitrary contents, which every task overwrites.
        let (before, after) = self.0.split_at(own);
        let free = after.iter().chain(before).find_map(|scratch| match scratch.try_lock() {
            Ok(scratch) => Some(scratch),
            Err(TryLockError::Poisoned(scratch)) => Some(scratch.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        });
        free.unwrap_or_else(|| self.0[own].lock().unwrap_or_else(PoisonError::into_inner))
    }
}
