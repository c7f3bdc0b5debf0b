//! The allocator for programs, as the allocator of this one. It has a `main` of its own, which sets
//! the allocator up before any thread begins.

use dndi_simd::HugePages;

#[global_allocator]
static ALLOCATOR: HugePages = HugePages;

fn main() {
    HugePages::set_up();
    blocks_keep_their_contents();
    #[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
    linux::large_blocks_are_advised();
}

/// Blocks of any size keep their contents when they grow and shrink, and zeroed ones are zero also
/// in memory that was used before.
fn blocks_keep_their_contents() {
    let fill = |at: usize| (at * 7 % 251) as u8;
    for size in [1, 100, 1 << 17, 1 << 18, 3 << 20, 40 << 20] {
        let mut block: Vec<u8> = (0..size).map(fill).collect();
        for other in [2 * size, size / 2 + 1] {
            block.truncate(other);
            block.shrink_to_fit();
            block.reserve_exact(other - block.len());
            (block.len()..other).for_each(|at| block.push(fill(at)));
            assert!(block.iter().enumerate().all(|(at, &byte)| byte == fill(at)), "{size} {other}");
        }
        drop(block);
        assert!(vec![0; size].iter().all(|&byte: &u8| byte == 0), "{size}");
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
mod linux {
    use std::fs::read_to_string;
    use std::ops::Range;

    /// The mappings of this process: their addresses, names and flags.
    fn mappings() -> Vec<(Range<usize>, String, String)> {
        let mut all: Vec<(Range<usize>, String, String)> = Vec::new();
        for line in read_to_string("/proc/self/smaps").unwrap().lines() {
            let first = line.split(' ').next().unwrap_or_default();
            if let Some((start, end)) = first.split_once('-') {
                let [start, end] = [start, end].map(|address| usize::from_str_radix(address, 16).unwrap());
                let name = line.split(' ').next_back().unwrap_or_default();
                all.push((start..end, name.to_owned(), String::new()));
            } else if let Some(flags) = line.strip_prefix("VmFlags:")
                && let Some(last) = all.last_mut()
            {
                last.2 = format!("{flags} ");
            }
        }
        all
    }

    /// Large blocks lie in the heap, and the kernel reports the advice by the flag `hg` of their
    /// mappings, also for the memory behind the last block. A kernel without huge pages reports
    /// nothing.
    pub fn large_blocks_are_advised() {
        let Ok(setting) = read_to_string("/sys/kernel/mm/transparent_hugepage/enabled") else { return };
        let is_off = setting.contains("[never]");
        let blocks: Vec<Vec<u8>> = (0..9).map(|byte| vec![byte; 3 << 20]).collect();
        let mappings = mappings();
        let check = |address: usize| {
            let (_, name, flags) = mappings.iter().find(|(range, ..)| range.contains(&address)).unwrap();
            assert_eq!(name, "[heap]", "{address:x}: {mappings:x?}");
            assert!(is_off || flags.contains(" hg "), "{address:x}: {mappings:x?}");
        };
        for block in &blocks {
            for at in [0, block.len() / 2, block.len() - 1] {
                check(block.as_ptr().addr() + at);
            }
        }
        let end = blocks.iter().map(|block| block.as_ptr().addr() + block.len()).max().unwrap();
        check(end + (4 << 20));
    }
}
