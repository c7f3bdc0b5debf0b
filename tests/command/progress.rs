//! What a run tells on stderr while it goes on and at its end.

use crate::clip::Clip;
use crate::fields;
use crate::program::{Done, Folder};
use serde_json::Value;

fn lines(done: &Done) -> Vec<Value> {
    done.stderr.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[test]
fn json() {
    let folder = Folder::new("progress_json");
    folder.write("in.y4m", Clip::new("W22 H18 F25:1 It C422", 40).bytes());
    for (options, taken, out, total) in
        [("", 40, 80, 40), ("--frames 7", 7, 14, 7), ("--skip 10 --warmup 4 --rate frame", 34, 30, 34), ("--skip 90", 0, 0, 0)]
    {
        let done = folder.run(&format!("-y -q --progress json {options} in.y4m out.y4m"));
        assert_eq!(done.code, Some(0));
        let lines = lines(&done);
        // At most two a second, and the last one.
        let last = lines.last().unwrap();
        assert!(lines.len() as f64 <= 3.0 + 2.0 * last["seconds"].as_f64().unwrap(), "{}", done.stderr);
        assert_eq!(lines.iter().filter(|line| line["done"] == true).count(), 1, "{}", done.stderr);
        assert_eq!((&last["frames_in"], &last["frames_out"]), (&taken.into(), &out.into()), "{options}");
        assert_eq!((&last["total"], &last["eta"]), (&total.into(), &0.0.into()), "{options}");
        assert!(last["fps"].is_number());
    }
    // What is not known is null.
    let done = folder.pipe("--progress json - -", &Clip::new("W22 H18 F25:1 It C422", 3).bytes());
    assert_eq!(lines(&done).last().unwrap()["total"], Value::Null);
    assert_eq!(Clip::parse(&done.stdout).frames.len(), 6);
    // A run that fails says why after that.
    let bytes = Clip::new("W22 H18 F25:1 It C422", 3).bytes();
    folder.write("cut.y4m", &bytes[..bytes.len() - 5]);
    let done = folder.run("-y --progress json cut.y4m out.y4m");
    assert_eq!(done.code, Some(3));
    let last = done.stderr.lines().last().unwrap();
    assert!(last.starts_with("dndi: cut.y4m: "), "{last}");
}

/// stderr is no terminal here: no bar, and no summary unless it is asked for.
#[test]
fn silence() {
    let folder = Folder::new("progress_silence");
    folder.write("in.y4m", Clip::new("W22 H18 F25:1 It C422", 3).bytes());
    for how in ["auto", "off"] {
        folder.run(&format!("-y --progress {how} in.y4m out.y4m")).fine();
    }
    folder.run("-y --progress bar in.y4m out.y4m").fails(2, "auto, off, json");
}

#[test]
fn summary() {
    let folder = Folder::new("progress_summary");
    let clip = fields::Clip::new(fields::pattern(&[2], 0, 30)).look(fields::noisy);
    folder.write("in.y4m", Clip::of_fields(&clip, "W160 H96 F25:1 It Cmono".to_owned()).bytes());
    let run = |words: &str| Done::new(words, folder.plain(words).output().unwrap());
    let told = run("-v in.y4m out.y4m").stderr;
    let last: Vec<_> = told.lines().rev().take(2).collect();
    assert!(last[1].starts_with("dndi: 30 frames in, 30 out, "), "{told}");
    assert!(last[0].starts_with("dndi: progressive; noise ") && last[0].ends_with("; 1 warning"), "{told}");
    let told = run("-y -v --field-order tff --film off in.y4m out.y4m").stderr;
    assert!(told.lines().last().unwrap().starts_with("dndi: interlaced, top field first, as told; noise "), "{told}");
    // Quiet means no warnings, but what is asked for is told.
    let told = run("-y -q -v in.y4m out.y4m").stderr;
    assert!(!told.contains("warning:") && told.contains("; 1 warning"), "{told}");
}
