//! A run without stdout (`>&-`), and one whose stdout is the null device.
#![cfg(unix)]

use crate::clip::Clip;
use crate::program::{Folder, RunResult};
use std::process::Command;

fn run(folder: &Folder, arguments: &str) -> RunResult {
    let script = format!("exec {} {arguments}", env!("CARGO_BIN_EXE_dndi"));
    RunResult::new(arguments, Command::new("sh").args(["-c", &script]).current_dir(folder.path(".")).output().unwrap())
}

#[test]
fn frames_and_reports_need_a_stdout() {
    let folder = Folder::new("closed_stdout");
    folder.write("in.y4m", Clip::new("W16 H8 F25:1 It C422", 4).bytes());
    for arguments in [
        "in.y4m -",
        "--rgb raw in.y4m -",
        "--rgb png in.y4m -",
        "in.y4m out --stats -",
        "in.y4m out --framemd5 -",
        "in.y4m out --timecodes -",
        "view in.y4m -",
    ] {
        run(&folder, &format!("{arguments} >&-")).fails(1, "stdout is closed");
        assert_eq!(folder.files(), ["in.y4m"], "{arguments}");
        let result = run(&folder, &format!("{arguments} >/dev/null"));
        assert_eq!((result.code, result.stderr.as_str()), (Some(0), ""), "{arguments}");
        let _ = std::fs::remove_file(folder.path("out"));
    }
    // No output goes to stdout.
    run(&folder, "in.y4m out >&-").succeeds();
    // A file that is open for reading as well is no null device.
    run(&folder, "in.y4m - 1<>both").succeeds();
    assert!(folder.read("both") == folder.read("out"));
}

#[test]
fn a_run_without_stdin_has_no_input() {
    let folder = Folder::new("closed_stdin");
    run(&folder, "- out <&-").fails(3, "the input is empty");
    assert_eq!(folder.files(), [""; 0]);
}
