//! Progress and summary on stderr.

use crate::clip::Clip;
use crate::fields;
use crate::program::{Folder, RunResult};
use serde_json::Value;

fn lines(result: &RunResult) -> Vec<Value> {
    result.stderr.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[test]
fn json() {
    let folder = Folder::new("progress_json");
    folder.write("in.y4m", Clip::new("W22 H18 F25:1 It C422", 40).bytes());
    for (options, frames_in, frames_out, total) in
        [("", 40, 80, 40), ("--frames 7", 7, 14, 7), ("--skip 10 --warmup 4 --rate frame", 34, 30, 34), ("--skip 90", 0, 0, 0)]
    {
        let result = folder.run(&format!("-y -q --progress json {options} in.y4m out.y4m"));
        assert_eq!(result.code, Some(0));
        let lines = lines(&result);
        // At most two lines a second, plus the last line.
        let last = lines.last().unwrap();
        assert!(lines.len() as f64 <= 3.0 + 2.0 * last["seconds"].as_f64().unwrap(), "{}", result.stderr);
        assert_eq!(lines.iter().filter(|line| line["done"] == true).count(), 1, "{}", result.stderr);
        assert_eq!((&last["frames_in"], &last["frames_out"]), (&frames_in.into(), &frames_out.into()), "{options}");
        assert_eq!((&last["total"], &last["eta"]), (&total.into(), &0.0.into()), "{options}");
        let [seconds, fps] = ["seconds", "fps"].map(|key| last[key].as_f64().unwrap());
        assert!((fps * seconds - f64::from(frames_in)).abs() <= 0.001 * (fps + seconds), "{}", result.stderr);
    }
    // Unknown values are null.
    let result = folder.pipe("--progress json - -", &Clip::new("W22 H18 F25:1 It C422", 3).bytes());
    assert_eq!(lines(&result).last().unwrap()["total"], Value::Null);
    assert_eq!(Clip::parse(&result.stdout).frames.len(), 6);
    // A run that fails prints the error after the progress.
    let bytes = Clip::new("W22 H18 F25:1 It C422", 3).bytes();
    folder.write("cut.y4m", &bytes[..bytes.len() - 5]);
    let result = folder.run("-y --progress json cut.y4m out.y4m");
    assert_eq!(result.code, Some(3));
    let last = result.stderr.lines().last().unwrap();
    assert!(last.starts_with("dndi: cut.y4m: "), "{last}");
}

/// The last line contains the detected content, as in `dndi inspect --json`. Unknown values are
/// null.
#[test]
fn detected_content() {
    let folder = Folder::new("progress_found");
    let run = |clip: &fields::Clip, arguments: &str| {
        folder.write("in.y4m", Clip::of_fields(clip, "W160 H96 F25:1 It Cmono".to_owned()).bytes());
        let result = RunResult::new(
            arguments,
            folder.plain(&format!("-y -q --progress json {arguments} in.y4m out.y4m")).output().unwrap(),
        );
        let lines = lines(&result);
        let (last, others) = lines.split_last().unwrap();
        assert!(others.iter().all(|line| line.get("found").is_none()), "{}", result.stderr);
        last["found"].clone()
    };
    let film = fields::Clip::new(fields::pattern(&[3, 2], 0, 24)).bottom_first();
    let report = run(&film, "");
    let measured = &report["measured"];
    let kind = [&measured["content"], &measured["cadence"], &measured["field_order"]];
    assert_eq!(kind, ["film", "3:2", "bff"], "{report}");
    assert!(measured["confidence"].as_u64().unwrap() > 50, "{report}");
    assert_eq!((&report["declared"], &report["warnings"]), (&Value::Null, &1.into()), "{report}");
    let [part] = report["segments"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert_eq!((&part["first"], &part["frames"], &part["cadence"]), (&0.into(), &30.into(), &"3:2".into()), "{report}");
    // The noise of the first and the 24th frame.
    let noise = &report["noise"];
    assert!(
        noise["least"].as_u64() <= noise["median"].as_u64() && noise["median"].as_u64() <= noise["most"].as_u64(),
        "{report}"
    );
    // Without detection only the noise is measured.
    let report = run(&film, "--field-order tff --film off");
    assert_eq!(
        (&report["declared"], &report["measured"], &report["warnings"]),
        (&"tff".into(), &Value::Null, &0.into()),
        "{report}"
    );
    assert!(report["segments"].as_array().unwrap().is_empty() && report["noise"]["median"].is_u64(), "{report}");
    // Progressive frames, then interlaced ones.
    let fields = fields::pattern(&[2], 0, 30).into_iter().chain(30..90).collect();
    let report = run(&fields::Clip::new(fields), "");
    let segments = report["segments"].as_array().unwrap();
    assert_eq!(segments.iter().map(|part| part["frames"].as_u64().unwrap()).sum::<u64>(), 60, "{report}");
    assert!(segments[0]["content"] == "progressive" && segments.last().unwrap()["content"] == "interlaced", "{report}");
    // A run that fails reports the frames before the error and the number of warnings.
    let bytes = folder.read("in.y4m");
    folder.write("cut.y4m", &bytes[..bytes.len() - 5]);
    let result = RunResult::new("cut.y4m", folder.plain("-y --progress json cut.y4m out.y4m").output().unwrap());
    let last = result.stderr.lines().rfind(|line| line.starts_with('{')).unwrap();
    let report: Value = serde_json::from_str(last).unwrap();
    let frames: u64 = report["found"]["segments"].as_array().unwrap().iter().map(|part| part["frames"].as_u64().unwrap()).sum();
    assert_eq!((result.code, frames, &report["frames_in"]), (Some(3), 59, &59.into()), "{}", result.stderr);
    folder.write("none.y4m", "YUV4MPEG2 W4 H4 It\n");
    let result = RunResult::new("none.y4m", folder.plain("-y -q --progress json none.y4m out.y4m").output().unwrap());
    assert_eq!(lines(&result).last().unwrap()["found"]["warnings"], 1, "{}", result.stderr);
}

/// stderr is not a terminal here, so the program prints no progress bar, and no summary without
/// `-v`.
#[test]
fn no_output_without_a_terminal() {
    let folder = Folder::new("progress_silence");
    folder.write("in.y4m", Clip::new("W22 H18 F25:1 It C422", 3).bytes());
    for mode in ["auto", "off"] {
        folder.run(&format!("-y --progress {mode} in.y4m out.y4m")).succeeds();
    }
    folder.run("-y --progress bar in.y4m out.y4m").fails(2, "auto, off, json");
}

#[test]
fn summary() {
    let folder = Folder::new("progress_summary");
    let clip = fields::Clip::new(fields::pattern(&[2], 0, 30)).painted(fields::noisy);
    folder.write("in.y4m", Clip::of_fields(&clip, "W160 H96 F25:1 It Cmono".to_owned()).bytes());
    let run = |arguments: &str| RunResult::new(arguments, folder.plain(arguments).output().unwrap());
    let stderr = run("-v in.y4m out.y4m").stderr;
    let last: Vec<_> = stderr.lines().rev().take(2).collect();
    assert!(last[1].starts_with("dndi: 30 frames in, 30 out, "), "{stderr}");
    assert!(last[0].starts_with("dndi: progressive; noise ") && last[0].ends_with("; 1 warning"), "{stderr}");
    let stderr = run("-y -v --field-order tff --film off in.y4m out.y4m").stderr;
    assert!(stderr.lines().last().unwrap().starts_with("dndi: interlaced, top field first, as declared; noise "), "{stderr}");
    // The summary and the last line of JSON give the same speed.
    let stderr = run("-y -v --progress json in.y4m out.y4m").stderr;
    let line: Value = serde_json::from_str(stderr.lines().rfind(|line| line.starts_with('{')).unwrap()).unwrap();
    let [seconds, fps] = ["seconds", "fps"].map(|key| line[key].as_f64().unwrap());
    let speed = |text: &str| text.split(' ').next().unwrap().parse::<f64>().unwrap();
    let (time, rate) = stderr.split_once(" out, ").and_then(|(_, rest)| rest.split_once(" s, ")).expect("a summary");
    assert!((speed(time) - seconds).abs() < 0.006 && (speed(rate) - fps).abs() < 0.051, "{stderr}");
    // `-q` suppresses the warnings, but not the summary of `-v`.
    let stderr = run("-y -q -v in.y4m out.y4m").stderr;
    assert!(!stderr.contains("warning:") && stderr.contains("; 1 warning"), "{stderr}");
}
