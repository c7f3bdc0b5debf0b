//! Input and output files: which of them the program reads, writes and refuses to overwrite.

use crate::clip::Clip;
use crate::program::{Folder, RunResult};

fn clip() -> Clip {
    Clip::new("W16 H8 F25:1 It C422", 3)
}

#[test]
fn pipes_and_files_give_the_same() {
    let folder = Folder::new("pipes");
    let input = clip().bytes();
    folder.write("in.y4m", &input);
    folder.run("in.y4m out.y4m").succeeds();
    let expected = folder.read("out.y4m");
    assert!(folder.run("in.y4m -").succeeds().stdout == expected);
    assert!(folder.pipe("- -", &input).succeeds().stdout == expected);
    assert!(folder.pipe("- piped.y4m", &input).succeeds().stdout.is_empty());
    assert!(folder.read("piped.y4m") == expected);
    // A stream that is larger than a pipe's buffer.
    let large = Clip::new("W400 H300 Ip C420jpeg", 4).bytes();
    assert!(folder.pipe("--denoise off - -", &large).succeeds().stdout == large);
}

#[test]
fn no_file_is_overwritten_without_y() {
    let folder = Folder::new("overwrite");
    folder.write("in.y4m", clip().bytes());
    for arguments in ["in.y4m old", "in.y4m new --stats old", "in.y4m new --framemd5 old"] {
        folder.write("old", "much longer than the text after it ".repeat(1000));
        let before = folder.read("old");
        folder.run(arguments).fails(2, "old exists; -y");
        assert!(folder.read("old") == before, "{arguments}");
        assert_eq!(folder.files(), ["in.y4m", "old"], "{arguments}");
        folder.run(&format!("{arguments} -y")).succeeds();
        assert!(folder.read("old").len() < 20_000, "{arguments}");
        let _ = std::fs::remove_file(folder.path("new"));
    }
}

/// With `-y` the program replaces a file only after it has checked its input and its options.
#[test]
fn a_failed_run_keeps_the_old_file() {
    let folder = Folder::new("old_file");
    folder.write("in.y4m", clip().bytes());
    folder.write("bad.y4m", "YUV4MPEG2 W0 H0\n");
    folder.write("odd.y4m", Clip::new("W4 H3 It", 1).bytes());
    folder.write("codes", "0 0\n0 3\n");
    folder.write("old", "old");
    for arguments in [
        "missing.y4m old",
        "bad.y4m old",
        "odd.y4m old",
        "in.y4m old --matches codes",
        "in.y4m old --matches missing",
        "in.y4m old --set stad_th=-1",
        "in.y4m old --set stmm_max=1",
        "in.y4m old --stats missing/stats",
        "in.y4m old --framemd5 missing/sums",
    ] {
        let result = folder.run(&format!("-y {arguments}"));
        assert_ne!(result.code, Some(0), "{arguments}");
        assert_eq!(folder.read("old"), b"old", "{arguments}");
    }
}

#[test]
fn files_that_cannot_be_opened() {
    let folder = Folder::new("unopened");
    folder.write("in.y4m", clip().bytes());
    std::fs::create_dir(folder.path("directory")).unwrap();
    folder.run("missing.y4m out").fails(1, "missing.y4m");
    folder.run("in.y4m out --matches missing").fails(1, "missing");
    folder.run("in.y4m directory").fails(1, "directory");
    folder.run("in.y4m missing/out").fails(1, "missing/out");
    folder.run("in.y4m /dev/null --stats missing/stats").fails(1, "missing/stats");
    folder.run("in.y4m /dev/null --framemd5 directory").fails(1, "directory");
    assert_eq!(folder.files(), ["directory", "in.y4m"]);
    #[cfg(unix)]
    folder.run("directory out").fails(1, "directory");
}

#[test]
fn one_file_cannot_be_used_twice() {
    let folder = Folder::new("twice");
    folder.write("in.y4m", clip().bytes());
    folder.write("codes", "0 0\n");
    let here = folder.path("in.y4m");
    let mut cases = vec![
        format!("in.y4m {}", here.display()),
        "in.y4m in.y4m".to_owned(),
        "in.y4m ./in.y4m".to_owned(),
        "in.y4m out --stats in.y4m".to_owned(),
        "in.y4m out --framemd5 in.y4m".to_owned(),
        "in.y4m out --stats out".to_owned(),
        "in.y4m out --framemd5 ./out".to_owned(),
        format!("in.y4m out --stats {}", folder.path("out").display()),
        "in.y4m out --stats report --framemd5 report".to_owned(),
        "in.y4m codes --matches codes".to_owned(),
    ];
    #[cfg(unix)]
    {
        std::fs::hard_link(&here, folder.path("hard")).unwrap();
        std::os::unix::fs::symlink("in.y4m", folder.path("soft")).unwrap();
        cases.extend(["in.y4m hard".to_owned(), "soft in.y4m".to_owned(), "in.y4m soft".to_owned()]);
    }
    let before = folder.files();
    for arguments in cases {
        folder.run(&format!("-y {arguments}")).fails(2, "twice");
        assert_eq!(folder.files(), before, "{arguments}");
        assert!(folder.read("in.y4m") == clip().bytes(), "{arguments}");
    }
    #[cfg(unix)]
    folder.run("in.y4m /dev/null --stats /dev/null --framemd5 /dev/null").succeeds();
}

/// The same for files that the shell opened.
#[test]
#[cfg(unix)]
fn standard_streams_are_files_too() {
    use std::fs::OpenOptions;
    let folder = Folder::new("standard_streams");
    folder.write("in.y4m", clip().bytes());
    let mut reading = folder.command("-y - in.y4m");
    reading.stdin(OpenOptions::new().read(true).open(folder.path("in.y4m")).unwrap());
    RunResult::new("- in.y4m <in.y4m", reading.output().unwrap()).fails(2, "twice");
    let mut writing = folder.command("in.y4m -");
    writing.stdout(OpenOptions::new().append(true).open(folder.path("in.y4m")).unwrap());
    RunResult::new("in.y4m - >>in.y4m", writing.output().unwrap()).fails(2, "twice");
    assert!(folder.read("in.y4m") == clip().bytes());
}
