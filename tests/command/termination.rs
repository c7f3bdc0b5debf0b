//! External reasons for the end of a run: a closed pipe, a full disk, Ctrl-C.
#![cfg(unix)]

use crate::clip::Clip;
use crate::program::{Folder, RunResult, words};
use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A clip whose frames are larger than the buffer of a pipe.
fn large() -> Clip {
    Clip::new("W640 H480 F25:1 It C420jpeg", 2)
}

fn clip() -> Clip {
    Clip::new("W16 H8 F25:1 It C422", 4)
}

/// Waits until `condition` holds.
#[track_caller]
pub fn wait_until(event: &str, mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{event}");
        sleep(POLL_INTERVAL);
    }
}

pub fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap().success());
}

pub fn end(arguments: &str, child: Child) -> RunResult {
    RunResult::new(arguments, child.wait_with_output().unwrap())
}

#[test]
fn a_closed_pipe() {
    let folder = Folder::new("closed_pipe");
    folder.write("in.y4m", large().bytes());
    let mut child = folder.command("in.y4m -").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    end("in.y4m -", child).fails(1, "output closed after 0 frames");
    // The same for reports.
    for report in ["--stats", "--framemd5"] {
        folder.write("in.y4m", clip().bytes());
        let arguments = format!("-y in.y4m out.y4m {report} -");
        let mut command = folder.command(&arguments);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        end(&arguments, child).fails(1, "closed after 0 rows");
        Clip::parse(&folder.read("out.y4m"));
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = folder.command("-y in.y4m out.y4m --md5").stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    end("--md5", child).fails(1, "MD5");
    assert_eq!(Clip::parse(&folder.read("out.y4m")).frames.len(), 8);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device() {
    let folder = Folder::new("full_device");
    folder.write("in.y4m", clip().bytes());
    folder.run("in.y4m /dev/full").fails(1, "/dev/full");
    for arguments in ["in.y4m out --stats /dev/full", "in.y4m out --framemd5 /dev/full"] {
        folder.run(&format!("-y {arguments}")).fails(1, "/dev/full");
        Clip::parse(&folder.read("out"));
    }
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in ["in.y4m -", "in.y4m new --md5", "--help", "--version"] {
        RunResult::new(arguments, folder.command(arguments).stdout(full()).output().unwrap()).fails(1, "stdout");
    }
    // stderr is full as well, so the exit code is the only report.
    let mute = folder.command("missing other").stderr(full()).status().unwrap();
    assert_eq!(mute.code(), Some(1));
}

/// The file ends with its last complete frame, whether dndi or the shell opened it. Earlier content
/// of a file that the shell opened is kept.
#[test]
fn a_full_disk() {
    let folder = Folder::new("full_disk");
    let clip = Clip::new("W64 H32 F25:1 It C422", 20);
    folder.write("in.y4m", clip.bytes());
    folder.run("in.y4m all --stats all.stats").succeeds();
    let all = folder.read("all");
    let limited = |arguments: &str| {
        // Files of at most 16 blocks, of 512 or 1024 bytes.
        let script = format!("trap '' XFSZ; ulimit -f 16; exec {} {arguments}", words());
        let mut shell = Command::new("sh");
        RunResult::new(arguments, shell.args(["-c", &script]).current_dir(folder.path(".")).output().unwrap())
    };
    let whole = |bytes: &[u8]| {
        let frames = Clip::parse(bytes).frames.len();
        assert!((1..40).contains(&frames) && all.starts_with(bytes), "{frames} frames");
        frames
    };
    let result = limited("in.y4m file");
    let frames = whole(&folder.read("file"));
    result.fails(1, &format!("cannot write file after {frames} frames"));
    limited("in.y4m - >shell").fails(1, &format!("cannot write stdout after {frames} frames"));
    assert_eq!(whole(&folder.read("shell")), frames);
    folder.write("more", "before ");
    limited("in.y4m - >>more").fails(1, "cannot write stdout after");
    whole(folder.read("more").strip_prefix(b"before ").expect("the earlier content"));
    // Statistics end with a complete row. Small rows fill the file up to the limit.
    folder.write("many.y4m", Clip::new("W4 H4 F25:1 It Cmono", 300).bytes());
    limited("many.y4m /dev/null --stats stats").fails(1, "cannot write stats after");
    let stats = folder.read_text("stats");
    assert!(stats.ends_with("}\n") && stats.lines().count() > 2);
    for (number, row) in stats.lines().enumerate() {
        assert!(row.starts_with(&format!("{{\"step\":{number},")) && row.ends_with('}'), "{row}");
    }
}

/// Checks that the reports cover exactly the first `frames` output frames.
#[track_caller]
fn check_reports(folder: &Folder, frames: usize) {
    let numbers = folder
        .read_text("stats")
        .lines()
        .flat_map(|row| {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            row["outputs"].as_array().unwrap().iter().map(|output| output["frame"].as_u64().unwrap()).collect::<Vec<_>>()
        })
        .collect::<Vec<_>>();
    assert_eq!(numbers, (0..frames as u64).collect::<Vec<_>>());
    assert_eq!(folder.read_text("times").lines().filter(|line| !line.starts_with('#')).count(), frames);
    assert_eq!(folder.read_text("sums").lines().filter(|line| !line.starts_with('#')).count(), frames);
}

/// Reports do not contain frames that could not be written.
#[test]
#[cfg(target_os = "linux")]
fn reports_of_a_run_that_fails() {
    let folder = Folder::new("failed_reports");
    folder.write("in.y4m", Clip::new("W64 H32 F25:1 It C422", 20).bytes());
    for rate in ["field", "frame"] {
        ["stats", "times", "sums"].iter().for_each(|report| folder.write(report, ""));
        let options = format!("-y --rate {rate} --stats stats --timecodes times --framemd5 sums in.y4m");
        folder.run(&format!("{options} /dev/full")).fails(1, "/dev/full");
        check_reports(&folder, 0);
        // Only the output file reaches the limit of 16 or 32 KiB.
        let script = format!("trap '' XFSZ; ulimit -f 32; exec {} --field-order header {options} out", words());
        let result = Command::new("sh").args(["-c", &script]).current_dir(folder.path(".")).output().unwrap();
        RunResult::new(rate, result).fails(1, "cannot write out");
        let frames = Clip::parse(&folder.read("out")).frames.len();
        assert!((2..20).contains(&frames));
        check_reports(&folder, frames);
    }
}

/// A signal in the middle of a run.
#[test]
fn interrupted_during_a_run() {
    let folder = Folder::new("interrupted_during_a_run");
    let clip = Clip::new("W160 H96 F25:1 It C420jpeg", 40);
    let bytes = &clip.bytes();
    let header = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for options in ["--rate field", "--rate frame", "--rate film --film auto", "--deinterlace off"] {
        let _ = fs::remove_file(folder.path("out"));
        let arguments = format!("-y {options} - out --stats stats --timecodes times --framemd5 sums");
        let mut child = folder.command(&arguments).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // Writes until the program closes its stdin.
            scope.spawn(move || {
                let _ = stdin.write_all(&bytes[..header]);
                while stdin.write_all(&bytes[header..]).is_ok() {}
            });
            wait_until("some frames", || fs::metadata(folder.path("out")).is_ok_and(|file| file.len() > 100_000));
            signal(&child, "INT");
            wait_until("the end", || child.try_wait().unwrap().is_some());
        });
        let result = end(&arguments, child);
        let frames = Clip::parse(&folder.read("out")).frames.len();
        result.fails(1, &format!("interrupted after {frames} frames"));
        check_reports(&folder, frames);
    }
}

/// After a signal the program does not process the frames that wait for their look-ahead.
#[test]
fn interrupted_while_frames_wait_for_look_ahead() {
    let folder = Folder::new("interrupted_ahead");
    let mut child = folder.plain("- out --stats stats").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The look-ahead of the detector is 11 frames.
    stdin.write_all(&Clip::new("W16 H8 F25:1 It C422", 14).bytes()).unwrap();
    let size = |frames: usize| ("YUV4MPEG2 W16 H8 F50:1 Ip C422\n".len() + frames * (16 * 8 * 2 + "FRAME\n".len())) as u64;
    wait_until("some frames", || fs::metadata(folder.path("out")).is_ok_and(|file| file.len() == size(4)));
    signal(&child, "INT");
    wait_until("the end", || child.try_wait().unwrap().is_some());
    end("", child).fails(1, "interrupted after 4 frames");
    assert_eq!(Clip::parse(&folder.read("out")).frames.len(), 4);
    drop(stdin);
}

/// stdin stays open without data. The program writes the frames that it has read.
#[test]
fn interrupted_while_stdin_is_idle() {
    for name in ["INT", "TERM"] {
        let folder = Folder::new(&format!("idle_stdin_{name}"));
        folder.write("in.y4m", clip().bytes());
        folder.run("in.y4m all").succeeds();
        let mut command = folder.command("- out --stats stats --timecodes times --framemd5 sums");
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&clip().bytes()).unwrap();
        // Six frames are ready; two wait for the end.
        let all = folder.read("all");
        let ready = all.len() - 2 * (Clip::parse(&all).frames[0].1.len() + "FRAME\n".len());
        wait_until("six frames", || fs::metadata(folder.path("out")).is_ok_and(|file| file.len() == ready as u64));
        signal(&child, name);
        wait_until("the end", || child.try_wait().unwrap().is_some());
        end("", child).fails(1, "interrupted after 6 frames");
        assert!(folder.read("out") == all[..ready]);
        assert_eq!(folder.read_text("stats").lines().count(), 4);
        check_reports(&folder, 6);
        drop(stdin);
    }
}

/// Waits until the program has installed its signal handler. It does so after the checks of the
/// command line and before it reads its input.
#[cfg(target_os = "linux")]
fn wait_for_signal_handler(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    wait_until("a handler", || {
        let text = fs::read_to_string(&status).unwrap();
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask");
        u64::from_str_radix(mask.trim(), 16).unwrap() & 1 << 1 != 0
    });
}

/// Before the header arrives, the program creates no file.
#[test]
#[cfg(target_os = "linux")]
fn interrupted_before_the_header() {
    let folder = Folder::new("no_header");
    let mut child = folder.command("- out").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    wait_for_signal_handler(&child);
    signal(&child, "INT");
    wait_until("the end", || child.try_wait().unwrap().is_some());
    end("", child).fails(1, "interrupted after 0 frames");
    assert_eq!(folder.files(), [""; 0]);
    drop(stdin);
}

/// The program does not overwrite a file that is created while it waits for its input.
#[test]
#[cfg(target_os = "linux")]
fn a_file_created_during_the_run() {
    let folder = Folder::new("created_during_the_run");
    let mut child = folder.command("- out").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    wait_for_signal_handler(&child);
    folder.write("out", "new");
    stdin.write_all(&clip().bytes()).unwrap();
    drop(stdin);
    end("- out", child).fails(2, "out exists; -y");
    assert_eq!(folder.read("out"), b"new");
}

/// No process reads the output. After the first signal the program waits until it has written the
/// current frame. The second signal ends the wait.
#[test]
fn interrupted_twice() {
    let folder = Folder::new("interrupted_twice");
    folder.write("in.y4m", large().bytes());
    let mut child = folder.command("in.y4m -").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 1000]).unwrap();
    signal(&child, "INT");
    sleep(20 * POLL_INTERVAL);
    assert!(child.try_wait().unwrap().is_none(), "it should be writing");
    signal(&child, "INT");
    wait_until("the end", || child.try_wait().unwrap().is_some());
    end("", child).fails(1, "interrupted again");
    drop(stdout);
}

/// No process reads the output and there is no second signal: the wait has a time limit.
#[test]
fn interrupted_while_no_process_reads() {
    let folder = Folder::new("no_reader");
    folder.write("in.y4m", large().bytes());
    let mut child = folder.command("in.y4m -").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 1000]).unwrap();
    signal(&child, "INT");
    wait_until("the end", || child.try_wait().unwrap().is_some());
    end("", child).fails(1, "a frame that took too long");
    drop(stdout);
}

/// `--frames` ends a run although stdin stays open.
#[test]
fn frame_limit_with_open_stdin() {
    let folder = Folder::new("frame_limit");
    let mut child = folder.command("- out --frames 3").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&clip().part(0..3).bytes()).unwrap();
    wait_until("the end", || child.try_wait().unwrap().is_some());
    end("", child).succeeds();
    assert_eq!(Clip::parse(&folder.read("out")).frames.len(), 6);
    drop(stdin);
}
