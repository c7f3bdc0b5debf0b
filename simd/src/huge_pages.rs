//! A global allocator for programs whose buffers are large: they lie in huge pages where Linux has
//! them.
//!
//! The first write to a page is a fault, and the translation look-aside buffer holds the addresses
//! of few pages. A frame of 1920×1080 samples in 4:2:0 has 760 pages of 4 KiB, and two of 2 MiB. On
//! other systems, and with other C libraries than glibc, the allocator is that of the system.
use std::alloc::{GlobalAlloc, Layout, System};

/// The allocator, to be installed with `#[global_allocator]`.
#[derive(Debug)]
pub struct HugePages;

/// The smallest block that is large: less than a plane of 576 lines. Blocks beside each other share
/// huge pages, so that it may be smaller than one.
const LARGE: usize = 1 << 18;

impl HugePages {
    /// Places large blocks of all threads beside each other, where they share huge pages. It
    /// replaces the options that environment variables of glibc set. Call it before the program
    /// starts threads.
    pub fn set_up() {
        system::set_up();
    }
}

/// The block that `call` gives. If it gives none, the heap from now on grows only as far as blocks
/// need, and the call is made again.
fn block(mut call: impl FnMut() -> *mut u8, size: usize) -> *mut u8 {
    let mut block = call();
    if block.is_null() && system::save_memory() {
        block = call();
    }
    advise(block, size)
}

// SAFETY: all calls go to the allocator of the system with the arguments of the caller, and their
// results are returned as they are. A failed call leaves all blocks as they are, so that it can be
// made again. Nothing unwinds.
unsafe impl GlobalAlloc for HugePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        block(|| unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        block(|| unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        block(|| unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Advises huge pages for a large block. Returns the block.
fn advise(block: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE && !block.is_null() {
        system::advise(block, size);
    }
    block
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
mod system {
    /// The size of a huge page. Where it is another one, fewer pages are huge.
    const HUGE: usize = 2 << 20;

    /// Memory that the heap gets in addition each time when it grows. It costs nothing until it is
    /// written. One huge page is lost each time: the allocator writes behind the block before the
    /// advice.
    const BEHIND: usize = 16 * HUGE;

    /// Blocks from this size on usually have mappings of their own. It is the greatest value that
    /// all versions of glibc accept.
    const OWN_MAPPING: usize = 32 << 20;

    /// Sets an option of the allocator. A refused one has no effect.
    fn set(option: libc::c_int, value: usize) {
        let value = value.try_into().unwrap_or(libc::c_int::MAX);
        // SAFETY: the options are single words, which glibc changes under the lock of its heap,
        // also if other threads allocate.
        unsafe { libc::mallopt(option, value) };
    }

    pub fn set_up() {
        set(libc::M_ARENA_MAX, 1);
        set(libc::M_MMAP_THRESHOLD, OWN_MAPPING);
        set(libc::M_TOP_PAD, BEHIND);
        // The heap keeps freed memory: the next frame needs it again.
        set(libc::M_TRIM_THRESHOLD, usize::MAX);
    }

    /// Lets the heap grow without additional memory, which a limited program cannot have. Returns
    /// true: an allocation may now succeed.
    pub fn save_memory() -> bool {
        set(libc::M_TOP_PAD, 0);
        true
    }

    pub fn advise(block: *mut u8, size: usize) {
        let (start, end) = (block.addr(), block.addr() + size);
        let (start, end) = if size < OWN_MAPPING {
            // Whole huge pages, since blocks beside each other share them, and the memory of the
            // next blocks: the allocator writes to its first page when it takes this block from it.
            (start / HUGE * HUGE, end.next_multiple_of(HUGE) + BEHIND)
        } else {
            (start.next_multiple_of(HUGE), end / HUGE * HUGE)
        };
        // SAFETY: the advice changes no contents and no protection, whatever else lies in the
        // range. An error means that pages are not huge, or that a part of the range is not mapped,
        // as is usual behind the heap.
        unsafe { libc::madvise(block.with_addr(start).cast(), end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")))]
mod system {
    pub fn set_up() {}

    pub fn save_memory() -> bool {
        false
    }

    pub fn advise(_: *mut u8, _: usize) {}
}
