//! A global allocator for programs whose buffers are large: they lie in huge pages where Linux has
//! them.
//!
//! The first write to a page is a fault, and the processor holds the addresses of few pages. A frame
//! of 1920×1080 samples in 4:2:0 has 760 pages of 4 KiB, and two of 2 MiB. Other systems and
//! allocators keep their ways.
use std::alloc::{GlobalAlloc, Layout, System};

/// The allocator, to be installed with `#[global_allocator]`.
#[derive(Debug)]
pub struct HugePages;

/// The smallest block that is large: less than a plane of 576 lines. Blocks beside each other share
/// huge pages, so that it may be smaller than one.
const LARGE: usize = 1 << 18;

impl HugePages {
    /// Places large blocks of all threads beside each other, where they share huge pages. Call it
    /// before the program starts threads.
    pub fn set_up() {
        system::set_up();
    }
}

// SAFETY: all calls go to the allocator of the system, which keeps the contract.
unsafe impl GlobalAlloc for HugePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let block = unsafe { System.alloc(layout) };
        advise(block, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let block = unsafe { System.alloc_zeroed(layout) };
        advise(block, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let block = unsafe { System.realloc(block, layout, size) };
        advise(block, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Asks for huge pages for a large block, before it is written. Returns the block.
fn advise(block: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE && !block.is_null() {
        system::advise(block, size);
    }
    block
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod system {
    /// The size of a huge page. Where it is another one, fewer pages are huge.
    const HUGE: usize = 2 << 20;

    /// Memory that the heap gets in addition each time when it grows. It costs nothing until it is
    /// written.
    const BEHIND: usize = 32 * HUGE;

    /// The largest block in the heap; larger ones have mappings of their own. It is the greatest
    /// value that glibc accepts.
    const IN_HEAP: i32 = 32 << 20;

    pub fn set_up() {
        // The heap keeps freed memory: the next frame needs it again.
        let options = [
            (libc::M_ARENA_MAX, 1),
            (libc::M_MMAP_THRESHOLD, IN_HEAP),
            (libc::M_TOP_PAD, BEHIND as i32),
            (libc::M_TRIM_THRESHOLD, i32::MAX),
        ];
        for (option, value) in options {
            // SAFETY: the call changes options of the allocator; a refused one has no effect.
            unsafe { libc::mallopt(option, value) };
        }
    }

    pub fn advise(block: *mut u8, size: usize) {
        // Whole huge pages, since blocks beside each other share them, and the memory of the next
        // blocks: the allocator writes to its first page when it takes this block from it.
        let before = block.addr() % HUGE;
        let length = (before + size).next_multiple_of(HUGE) + BEHIND;
        // SAFETY: the advice changes no contents, whatever else lies in the range. An error means
        // that pages are not huge, or that the heap ends before the range does.
        unsafe { libc::madvise(block.wrapping_sub(before).cast(), length, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod system {
    pub fn set_up() {}

    pub fn advise(_: *mut u8, _: usize) {}
}
