//! A global allocator for tests of a lack of memory. It passes all calls to the allocator of the
//! system, except that a chosen allocation of the calling thread fails.
//!
//! The crate stands beside the kernels because a global allocator is `unsafe`, and the crate `dndi`
//! forbids `unsafe` code, also in its tests.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The allocations that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The smallest size in bytes of the allocations that are counted.
    pub least: usize,
    /// The number of the first one that fails, from 0.
    pub first: u64,
    /// Whether all later ones fail as well.
    pub all: bool,
}

thread_local! {
    /// The failures of this thread; none outside of [`FailingAllocator::run`].
    static FAILURE: Cell<Option<Failure>> = const { Cell::new(None) };
    /// The number of counted allocations.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// The allocator, to be installed with `#[global_allocator]`.
#[derive(Debug)]
pub struct FailingAllocator;

impl FailingAllocator {
    /// Calls `work` while allocations of this thread fail. Returns its result and the number of
    /// allocations that were counted.
    pub fn run<T>(failure: Failure, work: impl FnOnce() -> T) -> (T, u64) {
        /// Ends the failures, also if `work` panics.
        struct End;
        impl Drop for End {
            fn drop(&mut self) {
                FAILURE.set(None);
            }
        }
        COUNT.set(0);
        FAILURE.set(Some(failure));
        let end = End;
        let result = work();
        drop(end);
        (result, COUNT.get())
    }

    /// Whether an allocation of `bytes` bytes fails. It counts the allocation.
    fn fails(bytes: usize) -> bool {
        // A thread that ends has no variables any more.
        let failure = FAILURE.try_with(Cell::get).ok().flatten();
        let Some(Failure { first, all, .. }) = failure.filter(|failure| bytes >= failure.least) else { return false };
        let number = COUNT.try_with(|count| count.replace(count.get() + 1)).unwrap_or(0);
        number == first || all && number > first
    }
}

// SAFETY: each method returns the result of the same method of `System`, which fulfils the
// contract, or null, which the contract allows as the answer to any request for memory. The methods
// neither unwind nor allocate: the thread-local variables have constant initial values and no
// destructors.
unsafe impl GlobalAlloc for FailingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if FailingAllocator::fails(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller fulfils the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if FailingAllocator::fails(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller fulfils the same contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if FailingAllocator::fails(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller fulfils the same contract; `memory` comes from `System`.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller fulfils the same contract; `memory` comes from `System`.
        unsafe { System.dealloc(memory, layout) }
    }
}
