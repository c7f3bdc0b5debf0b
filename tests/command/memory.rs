//! A lack of memory: one line, exit code 1, and complete frames.
#![cfg(target_os = "linux")]

use crate::program::{Folder, RunResult};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::process::Command;

/// A clip of black frames of the largest size, as a file of holes.
fn write_clip(folder: &Folder, tags: &str, samples: i64, frames: usize) {
    let mut file = File::create(folder.path("in.y4m")).unwrap();
    writeln!(file, "YUV4MPEG2 W8192 H8192 F25:1 {tags}").unwrap();
    for _ in 0..frames {
        file.write_all(b"FRAME\n").unwrap();
        file.seek(SeekFrom::Current(samples)).unwrap();
    }
    let end = file.stream_position().unwrap();
    file.set_len(end).unwrap();
}

/// Runs with `kilobytes` of addresses. A thread and its own heap take a part of them.
fn limited(folder: &Folder, kilobytes: u32, arguments: &str) -> RunResult {
    let program = env!("CARGO_BIN_EXE_dndi");
    let script = format!("ulimit -v {kilobytes}; MALLOC_ARENA_MAX=1 exec {program} {arguments}");
    RunResult::new(arguments, Command::new("sh").args(["-c", &script]).current_dir(folder.path(".")).output().unwrap())
}

/// Little memory suffices for small frames, and for no frames.
#[test]
fn small_frames_with_little_memory() {
    let folder = Folder::new("little_memory");
    let clip = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/interlaced.y4m");
    for (kilobytes, arguments) in [(40_000, "--version".to_owned()), (60_000, format!("--threads 1 -q -y {clip} out.y4m"))] {
        limited(&folder, kilobytes, &arguments).succeeds();
    }
}

#[test]
fn large_frames_without_memory() {
    let folder = Folder::new("without_memory");
    write_clip(&folder, "It C420jpeg", 8192 * 8192 * 3 / 2, 3);
    for (kilobytes, options) in [
        (200_000, ""),
        (400_000, ""),
        (700_000, ""),
        (700_000, "--field-order header --film off"),
        (700_000, "--deinterlace off --scale 8000:"),
        (700_000, "--deinterlace off --rgb png"),
    ] {
        let result = limited(&folder, kilobytes, &format!("--threads 1 -q -y {options} in.y4m out"));
        result.fails(1, "out of memory");
        // An output that exists has no frame.
        assert!(std::fs::metadata(folder.path("out")).is_ok_and(|file| file.len() < 100) || !folder.path("out").exists());
    }
    for arguments in ["inspect --threads 1 -q in.y4m", "view --threads 1 --deinterlace off --show both --histogram in.y4m a.png"]
    {
        limited(&folder, 700_000, arguments).fails(1, "out of memory");
    }
    write_clip(&folder, "It Cmono", 8192 * 8192, 2);
    limited(&folder, 400_000, "--threads 1 -q -y --engine messages --field-order header --film off in.y4m out")
        .fails(1, "out of memory");
    std::fs::remove_file(folder.path("in.y4m")).unwrap();
}
