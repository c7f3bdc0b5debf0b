//! Each option with a FILE, as `--help` lists them: its file is neither overwritten by another
//! output nor used for two purposes.

use crate::clip::Clip;
use crate::program::Folder;

/// The options with a FILE.
fn options(folder: &Folder) -> Vec<String> {
    let help = String::from_utf8(folder.run("--help").succeeds().stdout).unwrap();
    let names = help.lines().filter_map(|line| line.trim_start().strip_suffix(" <FILE>"));
    let names: Vec<_> = names.filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect();
    assert!(names.contains(&"--timecodes".to_owned()) && names.contains(&"--color-state".to_owned()), "{names:?}");
    names
}

/// The options whose FILE the program writes.
const WRITTEN: [&str; 4] = ["--stats", "--encoder-stats", "--framemd5", "--timecodes"];

/// A valid file to read for an option.
fn contents(option: &str) -> String {
    let dwords = |count: usize| "00000000\n".repeat(count);
    match option {
        "--matches" => "0 0\n".repeat(4),
        "--profile" => "saturation = 1.5\n".to_owned(),
        "--scaler-state" => dwords(138),
        "--sampler-state" => dwords(16),
        "--color-state" => dwords(64),
        "--gamma-state" => dwords(2048),
        "--gamut-table" => dwords(1024),
        "--vertex-table" => dwords(512),
        "--vebox-state" => dwords(7),
        _ => panic!("{option} has no file in this test"),
    }
}

#[test]
fn pictures_do_not_overwrite_side_files() {
    let folder = Folder::new("side_files");
    folder.write("in.y4m", Clip::new("W16 H8 F25:1 It C422", 4).bytes());
    for option in options(&folder) {
        let is_written = WRITTEN.contains(&option.as_str());
        if !is_written {
            folder.write("out-2.png", contents(&option));
        }
        let words = format!("-y -q --rgb png {option} out-2.png in.y4m out-%d.png");
        folder.run(&words).fails(2, "out-2.png is used twice");
        // The pictures before the collision are complete, the side file is no picture.
        let left = folder.files();
        assert!(!left.contains(&"out-3.png".to_owned()), "{option}: {left:?}");
        if is_written {
            assert!(!left.contains(&"out-2.png".to_owned()) || !folder.read("out-2.png").starts_with(b"\x89PNG"), "{option}");
        } else {
            assert_eq!(folder.read("out-2.png"), contents(&option).into_bytes(), "{option}");
        }
        for file in left.iter().filter(|file| *file != "in.y4m") {
            std::fs::remove_file(folder.path(file)).unwrap();
        }
    }
}

#[test]
fn side_files_differ_from_each_other_and_from_the_clips() {
    let folder = Folder::new("side_files_twice");
    let clip = Clip::new("W16 H8 F25:1 It C422", 4).bytes();
    folder.write("in.y4m", &clip);
    let options = options(&folder);
    for first in &options {
        // The output is the side file.
        let is_written = |option: &str| WRITTEN.contains(&option);
        if !is_written(first) {
            folder.write("file", contents(first));
        }
        folder.run(&format!("-y {first} file in.y4m file")).fails(2, "file is used twice");
        // A report would overwrite the input.
        if is_written(first) {
            folder.run(&format!("-y {first} in.y4m in.y4m out.y4m")).fails(2, "in.y4m is used twice");
            assert!(folder.read("in.y4m") == clip, "{first}");
        }
        // Two files, at least one of them written.
        for second in options.iter().filter(|second| is_written(second) && *second != first) {
            let words = format!("-y {first} file {second} file in.y4m out.y4m");
            folder.run(&words).fails(2, "file is used twice");
            if !is_written(first) {
                assert_eq!(folder.read("file"), contents(first).into_bytes(), "{words}");
            }
        }
        let _ = std::fs::remove_file(folder.path("file"));
        assert_eq!(folder.files(), ["in.y4m"], "{first}");
    }
}

/// A name with the number of a later picture.
#[test]
fn a_report_named_like_a_later_picture() {
    let folder = Folder::new("side_file_later_picture");
    folder.write("in.y4m", Clip::new("W16 H8 F25:1 It C422", 4).bytes());
    folder.run("--rgb png --timecodes out-3.png in.y4m out-%d.png -y").fails(2, "out-3.png is used twice");
    assert_eq!(folder.files(), ["in.y4m", "out-0.png", "out-1.png", "out-2.png", "out-3.png"]);
    assert!(folder.read_text("out-3.png").starts_with("# timestamp format v2\n"));
}

/// Links that lead to a file that does not exist yet, and other names of existing files.
#[test]
#[cfg(unix)]
fn links_are_the_file_that_they_lead_to() {
    use std::fs::{create_dir, hard_link, remove_file};
    use std::os::unix::fs::symlink;
    let folder = Folder::new("side_file_links");
    let clip = Clip::new("W16 H8 F25:1 It C422", 4).bytes();
    folder.write("in.y4m", &clip);
    create_dir(folder.path("folder")).unwrap();
    symlink("target", folder.path("link")).unwrap();
    symlink("folder/../link", folder.path("longer")).unwrap();
    symlink(folder.path("target"), folder.path("absolute")).unwrap();
    symlink("loop", folder.path("loop")).unwrap();
    let pairs = ["link target", "target link", "longer target", "link absolute", "absolute longer", "longer link"];
    for (first, second) in pairs.iter().filter_map(|pair| pair.split_once(' ')) {
        for arguments in [
            format!("in.y4m {first} --stats {second}"),
            format!("in.y4m out --stats {first} --timecodes {second}"),
            format!("in.y4m out --framemd5 {first} --stats {second}"),
            format!("--rgb png in.y4m {first} --stats {second}"),
        ] {
            folder.run(&format!("-y {arguments}")).fails(2, "is used twice");
            assert_eq!(folder.files(), ["absolute", "folder", "in.y4m", "link", "longer", "loop"], "{arguments}");
        }
    }
    // Hard links, and links to files that exist.
    folder.write("target", "old");
    hard_link(folder.path("target"), folder.path("hard")).unwrap();
    hard_link(folder.path("in.y4m"), folder.path("input")).unwrap();
    for arguments in [
        "in.y4m hard --stats target",
        "in.y4m out --stats target --timecodes hard",
        "in.y4m out --stats link --framemd5 hard",
        "in.y4m out --stats input",
        "input out --timecodes in.y4m",
        "in.y4m out --stats link --profile hard",
    ] {
        let result = folder.run(&format!("-y {arguments}"));
        assert!(result.code == Some(2) || arguments.contains("--profile"), "{arguments}");
        assert_eq!(folder.read("target"), b"old", "{arguments}");
        assert!(folder.read("in.y4m") == clip, "{arguments}");
        assert!(!folder.files().contains(&"out".to_owned()), "{arguments}");
    }
    remove_file(folder.path("hard")).unwrap();
    remove_file(folder.path("target")).unwrap();
    // A link of a picture to a report that the run creates.
    symlink("target", folder.path("out-1.png")).unwrap();
    folder.run("-y --rgb png --timecodes target in.y4m out-%d.png").fails(2, "out-1.png is used twice");
    assert!(folder.read_text("target").starts_with("# timestamp format v2\n"));
    // A link alone is no error, one that leads to itself is.
    remove_file(folder.path("target")).unwrap();
    folder.run("-y in.y4m link").succeeds();
    assert!(folder.read("target").starts_with(b"YUV4MPEG2"));
    folder.run("-y in.y4m loop").fails(1, "cannot create loop");
}
