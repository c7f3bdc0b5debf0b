//! Signals: those that are ignored when the program starts, and the limit of file sizes.
#![cfg(target_os = "linux")]

use crate::clip::Clip;
use crate::program::{Folder, RunResult};
use crate::termination::{POLL_INTERVAL, end, signal, wait_until};
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;

/// Number of frames in the clips. More than the look-ahead of the detector, which is off.
const FRAMES: usize = 4;

fn clip() -> Clip {
    Clip::new("W16 H8 F25:1 It C422", FRAMES)
}

/// Starts `dndi - out` in a shell after `before`, gives it the clip, and waits for the first
/// frames.
fn start(folder: &Folder, before: &str) -> Child {
    let _ = fs::remove_file(folder.path("out"));
    let script = format!("{before} {} --field-order header --film off - out", env!("CARGO_BIN_EXE_dndi"));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path("."));
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&clip().bytes()).unwrap();
    // The last frame waits for the end.
    let size = "YUV4MPEG2 W16 H8 F50:1 Ip C422\n".len() + (2 * FRAMES - 2) * (16 * 8 * 2 + "FRAME\n".len());
    wait_until("the frames", || fs::metadata(folder.path("out")).is_ok_and(|file| file.len() == size as u64));
    child
}

/// `nohup` ignores SIGHUP, a shell SIGINT for background jobs, a supervisor any signal.
#[test]
fn ignored_signals_stay_ignored() {
    let folder = Folder::new("ignored_signals");
    for name in ["HUP", "INT", "TERM"] {
        let mut child = start(&folder, &format!("trap '' {name}; exec"));
        for _ in 0..3 {
            signal(&child, name);
            sleep(5 * POLL_INTERVAL);
        }
        assert!(child.try_wait().unwrap().is_none(), "{name} ended it");
        let more = clip().part(1..2).bytes();
        let header = more.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        child.stdin.as_mut().unwrap().write_all(&more[header..]).unwrap();
        end(name, child).succeeds();
        assert_eq!(Clip::parse(&folder.read("out")).frames.len(), 2 * FRAMES + 2, "{name}");
        // The other signals end the run after a complete frame.
        for other in ["HUP", "INT", "TERM"].into_iter().filter(|other| *other != name) {
            let mut child = start(&folder, &format!("trap '' {name}; exec"));
            let stdin = child.stdin.take();
            signal(&child, other);
            wait_until("the end", || child.try_wait().unwrap().is_some());
            end(other, child).fails(1, &format!("interrupted after {} frames", 2 * FRAMES - 2));
            drop(stdin);
        }
    }
}

/// Without `trap`, the limit of `ulimit -f` sends SIGXFSZ.
#[test]
fn a_file_size_limit_is_a_write_error() {
    let folder = Folder::new("file_size_limit");
    folder.write("in.y4m", Clip::new("W64 H32 F25:1 It C422", 20).bytes());
    let limited = |arguments: &str| {
        // Files of at most 16 blocks, of 512 or 1024 bytes.
        let script = format!("ulimit -f 16; exec {} {arguments}", env!("CARGO_BIN_EXE_dndi"));
        let mut shell = Command::new("sh");
        RunResult::new(arguments, shell.args(["-c", &script]).current_dir(folder.path(".")).output().unwrap())
    };
    for (arguments, file, name) in [("in.y4m file", "file", "file"), ("in.y4m - >shell", "shell", "stdout")] {
        let result = limited(arguments);
        let frames = Clip::parse(&folder.read(file)).frames.len();
        assert!((1..40).contains(&frames), "{frames} frames");
        result.fails(1, &format!("cannot write {name} after {frames} frames"));
    }
    // 16 KiB do not hold these texts and pictures either.
    folder.write("full", [b' '; 16 << 10]);
    limited("--help >>full").fails(1, "cannot write to stdout");
    limited("inspect --json in.y4m >>full").fails(1, "cannot write to stdout");
    limited("--dump-config >>full").fails(1, "cannot write to stdout");
}
