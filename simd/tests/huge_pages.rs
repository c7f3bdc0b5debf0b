//! The allocator for programs, as the allocator of this one.
#![cfg(feature = "huge-pages")]

use dndi_simd::HugePages;

#[global_allocator]
static ALLOCATOR: HugePages = HugePages;

/// Blocks of any size keep their contents when they grow and shrink, and zeroed ones are zero also
/// in memory that was used before.
#[test]
fn blocks_keep_their_contents() {
    HugePages::set_up();
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

/// The kernel reports the advice as the flag `hg` of the mapping.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn large_blocks_are_advised() {
    HugePages::set_up();
    let Ok(setting) = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled") else { return };
    let blocks: Vec<Vec<u8>> = (0..9).map(|byte| vec![byte; 3 << 20]).collect();
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut range = 0..0;
    let mut advised = Vec::new();
    for line in maps.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if let Some((start, end)) = words[0].split_once('-') {
            range = usize::from_str_radix(start, 16).unwrap()..usize::from_str_radix(end, 16).unwrap();
        } else if words[0] == "VmFlags:" && words.contains(&"hg") {
            advised.push(range.clone());
        }
    }
    let is_advised = |block: &Vec<u8>| advised.iter().any(|range| range.contains(&(block.as_ptr().addr() + block.len() / 2)));
    assert!(setting.contains("[never]") || blocks.iter().all(is_advised), "{advised:x?}");
}
