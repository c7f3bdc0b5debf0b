//! Room for the tiles that are worked on at a time.
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// One room for each processor. A thread always enters the same one, which then stays in its cache.
#[derive(Debug)]
pub(super) struct Rooms<T>(Vec<Mutex<T>>);

impl<T> Rooms<T> {
    /// As many as can be of use at a time to `tasks` tasks.
    pub fn new(tasks: usize, room: impl Fn() -> T) -> Rooms<T> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Rooms((0..threads.min(tasks).max(1)).map(|_| Mutex::new(room())).collect())
    }

    /// The room of the calling thread, or the next one that is free. With more threads than rooms some must wait for others.
    pub fn enter(&self) -> MutexGuard<'_, T> {
        let own = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        // What a panic left behind is overwritten like all else.
        let (before, after) = self.0.split_at(own);
        let free = after.iter().chain(before).find_map(|room| match room.try_lock() {
            Ok(room) => Some(room),
            Err(TryLockError::Poisoned(room)) => Some(room.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        });
        free.unwrap_or_else(|| self.0[own].lock().unwrap_or_else(PoisonError::into_inner))
    }
}
