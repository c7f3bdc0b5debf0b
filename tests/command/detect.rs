//! Detection from the luma: scan, field order, telecine, output rates and timestamps.

use crate::clip::Clip;
use crate::fields::{self, moving, pattern, still};
use crate::program::{Folder, RunResult};
use serde_json::Value;
use std::fs::File;

pub struct Runner(pub Folder);

impl Runner {
    pub fn new(name: &str) -> Runner {
        Runner(Folder::new(name))
    }

    /// Writes a clip at 30000/1001 frames a second with this interlacing tag.
    pub fn write(&self, clip: &fields::Clip, tag: &str) -> Clip {
        let clip = Clip::of_fields(clip, format!("W160 H96 F30000:1001 {tag} Cmono").replace("  ", " "));
        self.0.write("in.y4m", clip.bytes());
        clip
    }

    /// Runs without denoising and with `options`. Does not check the result.
    pub fn result_of(&self, options: &str) -> RunResult {
        let arguments = format!("-y --denoise off --stats stats {options} in.y4m out.y4m");
        RunResult::new(&arguments, self.0.plain(&arguments).output().unwrap())
    }

    /// The same with the clip as a pipe, whose first frames decide about the rate.
    pub fn piped(&self, options: &str) -> RunResult {
        let arguments = format!("-y --denoise off --stats stats {options} - out.y4m");
        let mut command = self.0.plain(&arguments);
        RunResult::new(&arguments, command.stdin(File::open(self.0.path("in.y4m")).unwrap()).output().unwrap())
    }

    #[track_caller]
    pub fn run(&self, options: &str) -> Clip {
        self.result_of(options).succeeds();
        Clip::parse(&self.0.read("out.y4m"))
    }

    pub fn outputs(&self) -> Vec<Value> {
        let rows = self.0.read_text("stats");
        let row = |row: &str| serde_json::from_str::<Value>(row).unwrap()["outputs"].as_array().unwrap().clone();
        rows.lines().flat_map(row).collect()
    }
}

/// Progressive frames that show these pictures of the synthetic clips.
pub fn pictures(numbers: impl IntoIterator<Item = usize>) -> Vec<Vec<u8>> {
    let frame = |number: usize| fields::Clip::new(vec![number; 2]).frames()[0].data().to_vec();
    numbers.into_iter().map(frame).collect()
}

#[test]
fn progressive_frames_are_unchanged() {
    let runner = Runner::new("detect_progressive");
    for (tag, warns) in [("", false), ("Ip", false), ("I?", false), ("It", true), ("Ib", true), ("Im", false)] {
        let clip = runner.write(&fields::Clip::new(pattern(&[2], 0, 30)), tag);
        let result = runner.result_of("");
        let result = if warns { result.warns("is progressive; --field-order header") } else { result.succeeds() };
        assert_eq!(result.code, Some(0));
        let out = Clip::parse(&runner.0.read("out.y4m"));
        assert!(out.samples() == clip.samples(), "{tag}");
        assert!(out.tags.contains(" Ip") && out.tags.contains("F30000:1001"), "{}", out.tags);
        runner.result_of("-q --rate frame");
        assert!(Clip::parse(&runner.0.read("out.y4m")).samples() == clip.samples(), "{tag}");
        // One frame per field: the program repeats each frame.
        runner.result_of("-q --rate field");
        let out = Clip::parse(&runner.0.read("out.y4m"));
        let twice: Vec<_> = clip.samples().into_iter().flat_map(|frame| [frame, frame]).collect();
        assert!(out.samples() == twice && out.tags.contains("F60000:1001"), "{tag}");
    }
}

#[test]
fn options_that_trust_the_flags() {
    let runner = Runner::new("detect_flags");
    // Progressive frames that are flagged as interlaced.
    runner.write(&fields::Clip::new(pattern(&[2], 0, 30)), "It");
    assert_eq!(runner.run("--film off --deinterlace flagged").frames.len(), 60);
    assert!(runner.outputs().iter().all(|output| output["code"] == 0));
    assert_eq!(runner.run("--film off --field-order header").frames.len(), 60);
    assert_eq!(runner.run("--film off --deinterlace on").frames.len(), 60);
    assert_eq!(runner.run("--deinterlace off").frames.len(), 30);
    // Interlaced frames that are flagged as progressive.
    let clip = runner.write(&fields::Clip::new((0..60).collect()).bottom_first(), "Ip");
    for options in ["--deinterlace flagged", "--field-order header", "--field-order progressive", "--deinterlace off"] {
        assert!(runner.run(options).samples() == clip.samples(), "{options}");
    }
    runner.result_of("--deinterlace auto").warns("frame 0 is flagged as progressive, but is interlaced, bottom field first");
    let auto = runner.0.read("out.y4m");
    runner.run("--deinterlace on -q");
    assert!(runner.0.read("out.y4m") == auto);
    runner.run("--field-order bff");
    assert!(runner.0.read("out.y4m") == auto);
    runner.run("--field-order tff");
    assert!(runner.0.read("out.y4m") != auto);
    // The detector measures the order also of frames that only the flags mark as interlaced.
    runner.write(&fields::Clip::new((0..60).collect()).bottom_first(), "It");
    runner.result_of("--deinterlace flagged").warns("but is interlaced, bottom field first");
    let same = |a: &[u8], b: &[u8]| Clip::parse(a).samples() == Clip::parse(b).samples();
    assert!(same(&runner.0.read("out.y4m"), &auto));
}

#[test]
fn film_rate() {
    let runner = Runner::new("detect_film");
    for (cadence, count) in [(&[2, 3][..], 40), (&[3, 2], 40), (&[2, 3, 3, 2], 40), (&[2, 2, 2, 4], 40)] {
        runner.write(&fields::Clip::new(pattern(cadence, 0, count)), "It");
        let out = match runner.result_of("--rate film") {
            result if cadence == [2, 2, 2, 4] => result.warns("is progressive"),
            result => result.succeeds(),
        };
        assert_eq!(out.code, Some(0));
        let out = Clip::parse(&runner.0.read("out.y4m"));
        assert!(out.samples() == pictures(0..count), "{cadence:?}");
        assert!(out.tags.contains("F24000:1001 "), "{}", out.tags);
        let numbers: Vec<_> = runner.outputs().iter().map(|output| output["frame"].as_u64().unwrap()).collect();
        assert!(numbers.into_iter().eq(0..count as u64));
        if cadence != [2, 2, 2, 4] {
            let fields = runner.run("--rate field");
            assert!(fields.samples() == pictures(pattern(cadence, 0, count)), "{cadence:?}");
            assert_eq!(runner.run("--rate frame").samples(), fields.samples().into_iter().step_by(2).collect::<Vec<_>>());
        }
    }
    runner.write(&fields::Clip::new(pattern(&[2, 3], 0, 40)), "Ip");
    runner.result_of("").warns("frame 0 is flagged as progressive, but is film (3:2), top field first");
    // One field late: the first and the last field have no partner.
    runner.write(&fields::Clip::new(pattern(&[2], 0, 41)[1..81].to_vec()), "It");
    let out = runner.run("--rate film");
    assert!(out.samples()[1..] == pictures(1..40) && out.tags.contains("F30000:1001"));
    let out = runner.run("--rate field");
    assert!(out.samples()[1..79] == pictures(pattern(&[2], 1, 39)) && out.frames.len() == 80);
    assert!(runner.outputs()[3..70].iter().all(|output| output["cadence"] == "2:2" && output["woven"] == 1.0));
}

/// Timestamps stay correct through film, video and progressive segments.
#[test]
fn timestamps_of_mixed_material() {
    let runner = Runner::new("detect_mixed");
    let fields = [pattern(&[2, 3], 0, 20), Vec::from_iter(100..140), pattern(&[2], 200, 25)].concat();
    runner.write(&fields::Clip::new(fields.clone()), "It");
    let times = |options: &str| {
        let out = runner.run(&format!("--timecodes times {options}"));
        let times = runner.0.read_text("times");
        let mut lines = times.lines();
        assert_eq!(lines.next(), Some("# timestamp format v2"));
        let times: Vec<f64> = lines.map(|line| line.parse().unwrap()).collect();
        assert_eq!(times.len(), out.frames.len(), "{options}");
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{options}");
        (out, times)
    };
    let field = 1001.0 / 60.0;
    let (out, shown) = times("--rate field");
    assert_eq!(out.frames.len(), fields.len());
    assert!(shown.iter().enumerate().all(|(n, time)| (time - n as f64 * field).abs() < 1e-5));
    // Each film frame once, at its start time. Those of 3:2 are shifted by half a field or less.
    let (out, shown) = times("--rate film");
    let starts: Vec<usize> = (0..fields.len()).filter(|&n| n == 0 || fields[n] != fields[n - 1]).collect();
    assert_eq!(out.frames.len(), starts.len());
    assert!(starts.iter().zip(&shown).all(|(&start, time)| (time - start as f64 * field).abs() <= field + 1e-5));
    assert!(starts.iter().zip(&shown).skip(20).all(|(&start, time)| (time - start as f64 * field).abs() < 1e-5));
    assert!(shown[..19].windows(2).all(|pair| (pair[1] - pair[0] - 2.5 * field).abs() < 1e-5));
    // Constant rate: the number of frames follows from the duration.
    let out = runner.run("--rate film");
    assert_eq!(out.frames.len(), fields.len() * 2 / 5);
    assert!(out.samples()[..20] == pictures(0..20));
    assert_eq!(runner.run("--rate frame").frames.len(), fields.len() / 2);
    // A part of the clip.
    assert_eq!(runner.run("--rate film --frames 25").samples(), pictures(0..20));
    let part = runner.run("--rate film --skip 5 --warmup 5 --frames 20 --timecodes times");
    assert!(part.samples() == pictures(4..20) && runner.0.read_text("times").lines().nth(1) == Some("0.000000"));
}

#[test]
fn stills_and_single_frames() {
    let runner = Runner::new("detect_still");
    for (fields, paint) in [(2, moving as fn(usize, usize, usize) -> u8), (40, still)] {
        for (tag, each) in [("Ip", 1), ("It", 2), ("Ib", 2)] {
            let clip = fields::Clip::new((0..fields).collect()).painted(paint);
            runner.write(&clip, tag);
            assert_eq!(runner.run("").frames.len(), fields / 2 * each, "{tag}");
        }
        let clip = runner.write(&fields::Clip::new((0..fields).collect()).painted(paint), "");
        runner.result_of("").warns("has no field order");
        assert!(Clip::parse(&runner.0.read("out.y4m")).samples() == clip.samples());
    }
}

/// The statistics of an output match the written frame and the decision about its field.
#[test]
fn statistics_match_the_outputs() {
    let runner = Runner::new("detect_outputs");
    let fields = [pattern(&[2, 3], 0, 16), Vec::from_iter(100..140)].concat();
    runner.write(&fields::Clip::new(fields), "It");
    let content = |output: &Value| (output["content"].clone(), output["cadence"].clone());
    let mut reports = vec![];
    for rate in ["field", "film --timecodes times"] {
        let out = runner.run(&format!("--rate {rate}"));
        let outputs = runner.outputs();
        assert_eq!(outputs.len(), out.frames.len());
        for (output, samples) in outputs.iter().zip(out.samples()) {
            let count = |value: usize| samples.iter().filter(|&&sample| usize::from(sample) == value).count() as u64;
            assert!((0..256).all(|value| output["histogram"][value] == count(value)), "{}", output["frame"]);
        }
        reports.push(outputs);
    }
    // Both fields of a frame have the same decision, at both rates.
    assert!(reports[0].iter().enumerate().all(|(field, output)| output["field"] == field));
    assert!(reports[0].chunks(2).all(|pair| content(&pair[0]) == content(&pair[1])));
    for output in &reports[1] {
        assert_eq!(content(output), content(&reports[0][output["field"].as_u64().unwrap() as usize]));
    }
    let kinds = |name: &str| reports[0].iter().filter(|output| output["content"] == name).count();
    assert!(kinds("film, top field first") > 30 && kinds("interlaced, top field first") > 30);
}

/// Film frames of 3:2 and 3:2:2:3 last 2.5 fields each, those of other patterns as long as
/// their fields.
#[test]
fn timestamps_of_film() {
    let runner = Runner::new("detect_film_times");
    for (cadence, even) in [(&[2, 3][..], true), (&[2, 3, 3, 2], true), (&[2, 2, 2, 4], false)] {
        runner.write(&fields::Clip::new(pattern(cadence, 0, 40)), "It");
        runner.result_of("-q --rate film --timecodes times");
        let times = runner.0.read_text("times");
        let times: Vec<f64> = times.lines().skip(1).map(|line| line.parse::<f64>().unwrap() * 60.0 / 1001.0).collect();
        let each = |fields: f64| times.windows(2).all(|pair| (pair[1] - pair[0] - fields).abs() < 1e-4);
        assert_eq!((times.len(), each(2.5)), (40, even), "{cadence:?} {times:?}");
    }
}

/// With `--matches` the detector determines only the field order.
#[test]
fn matches_from_a_file_override_detection() {
    let runner = Runner::new("detect_codes");
    runner.0.write("codes", "0 0\n1 2\n0 0\n2 1\n".repeat(3));
    let codes = || runner.outputs().iter().map(|output| output["code"].as_u64().unwrap()).collect::<Vec<_>>();
    for (tag, order) in [("Ip", "tff"), ("Ib", "bff")] {
        let clip = fields::Clip::new(pattern(&[2, 3], 0, 8));
        let clip = if order == "bff" { clip.bottom_first() } else { clip };
        runner.write(&clip, tag);
        let given = runner.run(&format!("--matches codes --field-order {order}"));
        assert_eq!(codes()[..8], [0, 1, 2, 0, 0, 2, 1, 0]);
        let measured = runner.run("-q --matches codes");
        assert!(measured.samples() == given.samples(), "{tag}");
        assert_eq!(codes()[..8], [0, 1, 2, 0, 0, 2, 1, 0]);
    }
}

/// In a pipe interlaced frames after progressive ones are deinterlaced at the rate of the
/// progressive ones.
#[test]
fn the_first_decision_fixes_the_rate() {
    let runner = Runner::new("detect_first");
    let frames = pattern(&[2], 0, 20);
    let clip = runner.write(&fields::Clip::new([frames.clone(), Vec::from_iter(100..140)].concat()), "Ip");
    let warnings = runner.piped("").stderr;
    assert!(warnings.contains("frame 20 is flagged as progressive, but is interlaced, top field first"), "{warnings}");
    assert!(warnings.contains("the frames from 20 on are interlaced"), "{warnings}");
    let out = Clip::parse(&runner.0.read("out.y4m"));
    assert_eq!(out.frames.len(), 40);
    assert!(
        out.samples()[..20] == clip.samples()[..20] && out.samples()[21..].iter().zip(&clip.samples()[21..]).all(|(a, b)| a != b)
    );
    // The scan was unknown at the beginning.
    let stderr = runner.piped("-v").stderr;
    assert!(stderr.contains("deinterlace auto with balanced;"), "{stderr}");
    assert!(runner.result_of("-v --deinterlace off").stderr.contains("deinterlace off;"));
    // At the field rate each progressive frame is output twice, each field once.
    runner.result_of("-q --rate field");
    let out = Clip::parse(&runner.0.read("out.y4m"));
    assert_eq!(out.frames.len(), 80);
    assert!((0..40).all(|field| out.samples()[field] == clip.samples()[field / 2]));
    assert!((42..80).all(|field| out.samples()[field] != out.samples()[field - 1]));
    // Progressive frames after interlaced ones are output twice.
    let clip = runner.write(&fields::Clip::new([Vec::from_iter(100..140), frames].concat()), "It");
    let out = runner.run("");
    assert_eq!(out.frames.len(), 80);
    assert!((42..80).all(|field| out.samples()[field] == clip.samples()[field / 2]));
}

/// The reports mark decisions from flags alone as not detected.
#[test]
fn flags_that_decide_alone() {
    let runner = Runner::new("detect_flags_alone");
    let clip = runner.write(&fields::Clip::new((0..40).collect()), "Im");
    let mixed = [["Itpp"; 10], ["Itii"; 10]].concat();
    runner.0.write("in.y4m", clip.clone().flagged(&mixed).bytes());
    for options in ["--deinterlace flagged", "--field-order header"] {
        runner.run(options);
        let outputs = runner.outputs();
        assert!(outputs.iter().all(|output| output["reason"] == "not detected" && output["content"].is_null()), "{options}");
        assert!((1..40).all(|field| outputs[field]["woven"] == if field < 20 { 1.0 } else { 0.0 }), "{options}");
        let stderr = runner.result_of(&format!("--progress json {options}")).stderr;
        assert!(stderr.contains(r#""found":{"declared":"mixed","measured":null,"segments":[],"#), "{stderr}");
        let stderr = runner.result_of(&format!("-v {options}")).stderr;
        assert!(stderr.lines().last().unwrap().starts_with("dndi: mixed, by the flags of the frames; noise "), "{stderr}");
    }
    // The detector measures the field order, so it warns if the flags contradict it.
    let clip = runner.write(&fields::Clip::new((0..40).collect()).bottom_first(), "Im");
    runner.0.write("in.y4m", clip.flagged(&mixed).bytes());
    runner
        .result_of("--deinterlace flagged")
        .warns("frame 10 is flagged as interlaced, top field first, but is interlaced, bottom field first");
    // The same with matches from a file, and if every frame is deinterlaced.
    runner.write(&fields::Clip::new(pattern(&[2], 0, 20)), "It");
    runner.0.write("codes", "");
    for options in ["--matches codes", "--film off --deinterlace on", "--film off --deinterlace flagged"] {
        runner.run(options);
        assert!(runner.outputs().iter().all(|output| output["reason"] == "not detected" && output["woven"] == 0.0), "{options}");
        assert!(
            runner.result_of(&format!("--progress json {options}")).stderr.contains(r#""declared":"tff","measured":null"#),
            "{options}"
        );
    }
    // Decisions of the detector are reported.
    runner.run("--deinterlace flagged");
    assert!(runner.outputs()[1..].iter().all(|output| output["content"] == "progressive" && output["woven"] == 1.0));
}

/// Without a known pulldown pattern the film rate is the field rate.
#[test]
fn film_rate_without_film() {
    let runner = Runner::new("detect_no_film");
    let clip = runner.write(&fields::Clip::new((0..40).collect()).bottom_first(), "Im");
    for arguments in ["", "--film reconstruct"] {
        let out = runner.run(&format!("-q --rate film {arguments}"));
        assert!(out.tags.contains("F60000:1001") && out.frames.len() == 40, "{arguments} {}", out.tags);
        assert!(!arguments.is_empty() || out.frames == runner.run("-q").frames);
    }
    // The summary shows the measured scan, not the scan of the header.
    assert!(runner.result_of("-v").stderr.contains("bottom field first -> "));
    runner.0.write("in.y4m", clip.flagged(&["Ibii"; 20]).bytes());
    assert!(runner.result_of("-v --deinterlace flagged").stderr.contains("mixed -> "));
}

/// If 4:1:1 begins progressive, the output format is fixed as 4:1:1. Interlaced frames that
/// follow pass through, because deinterlacing would need 4:2:2.
#[test]
fn fields_that_cannot_be_deinterlaced() {
    let runner = Runner::new("detect_411");
    let mut clip = runner.write(&fields::Clip::new([pattern(&[2], 0, 20), Vec::from_iter(100..140)].concat()), "Ip");
    clip.tags = clip.tags.replace("Cmono", "C411");
    clip.frames.iter_mut().for_each(|frame| frame.1.resize(160 * 96 * 3 / 2, 128));
    runner.0.write("in.y4m", clip.bytes());
    runner.piped("-q").succeeds();
    let out = Clip::parse(&runner.0.read("out.y4m"));
    assert!(out.samples() == clip.samples() && out.tags == clip.tags, "{}", out.tags);
    // The survey of a file finds the later frames.
    assert!(runner.run("-q").tags.contains("C422"));
    assert!(runner.run("-q --rate field").tags.contains("C422"));
}

/// A change of field order restarts the stream, with each deinterlacer.
#[test]
fn the_field_order_changes() {
    for options in ["", "--deinterlacer gen6", "--preset best", "--denoise auto --denoise-motion on"] {
        field_order_change(options);
    }
}

fn field_order_change(options: &str) {
    let runner = Runner::new("detect_order_change");
    let (top, bottom) = (fields::Clip::new((0..40).collect()), fields::Clip::new((40..80).collect()).bottom_first());
    let parts = [runner.write(&top, "It"), runner.write(&bottom, "It")];
    let mut both = parts[0].clone();
    both.frames.extend(parts[1].frames.clone());
    runner.0.write("in.y4m", both.bytes());
    runner.result_of(options).warns("frame 20 is flagged as interlaced, top field first, but is interlaced, bottom field first");
    let out = Clip::parse(&runner.0.read("out.y4m"));
    // The last field of the first part still has the order of that part.
    for (field, output) in runner.outputs().iter().enumerate() {
        assert_eq!(
            output["content"],
            format!("interlaced, {} field first", if field < 40 { "top" } else { "bottom" }),
            "field {field}"
        );
    }
    let mut expected = vec![];
    for (part, order) in parts.iter().zip(["tff", "bff"]) {
        runner.0.write("in.y4m", part.bytes());
        expected.extend(runner.run(&format!("{options} --film off --field-order {order}")).frames);
    }
    assert!(out.frames == expected, "{options}");
}

/// Threads and SIMD levels do not change the output.
#[test]
fn output_is_independent_of_threads_and_level() {
    let runner = Runner::new("detect_same");
    runner.write(&fields::Clip::new(pattern(&[2, 3], 0, 20)).painted(fields::noisy), "Ib");
    let run = |options: &str, level: &str| {
        let arguments = format!("-y -q {options} in.y4m out.y4m");
        let result = runner.0.plain(&arguments).env("DNDI_LEVEL", level).output().unwrap();
        RunResult::new(&arguments, result).succeeds();
        runner.0.read("out.y4m")
    };
    let want = run("--threads 1", "scalar");
    for threads in ["--threads 1", "--threads 3"] {
        assert!(run(threads, "portable") == want, "{threads}");
    }
}

/// Timestamps count from the first requested frame. The first timestamp is always 0.
#[test]
fn timestamps_of_a_part() {
    let runner = Runner::new("detect_times");
    // Film frames begin at fields 0, 2, 5, 7, 10 and so on. After the film each field is a frame.
    let fields = [pattern(&[2, 3], 0, 16), Vec::from_iter(100..140)].concat();
    runner.write(&fields::Clip::new(fields), "It");
    let field = 1001.0 / 60.0;
    let times = |options: &str| -> Vec<f64> {
        let frames = runner.run(&format!("--timecodes times {options}")).frames.len();
        let times = runner.0.read_text("times");
        let times: Vec<f64> = times.lines().skip(1).map(|line| line.parse::<f64>().unwrap() / field).collect();
        assert_eq!(times.len(), frames, "{options}");
        times
    };
    #[track_caller]
    fn check_start(times: &[f64], expected: &[f64]) {
        assert!(times.iter().zip(expected).all(|(time, expected)| (time - expected).abs() < 1e-4), "{times:?}");
    }
    check_start(&times("--rate field --skip 3"), &[0.0, 1.0, 2.0, 3.0]);
    check_start(&times("--rate frame --skip 3"), &[0.0, 2.0, 4.0]);
    // Field 10 begins a film frame.
    check_start(&times("--rate film --skip 5 --warmup 5"), &[0.0, 2.5, 5.0, 7.5, 10.0]);
    // Field 6 belongs to a film frame that began with field 5 and is skipped. The next one, from
    // field 7, takes its place and lasts one field longer.
    check_start(&times("--rate film --skip 3 --warmup 3"), &[0.0, 3.5, 6.0, 8.5]);
    // Video begins at field 40.
    let all = times("--rate film --skip 15 --warmup 15");
    check_start(&all[4..], &Vec::from_iter((10..50).map(f64::from)));
    assert_eq!(all.len(), 44);
    // At a constant rate the output has four frames for five input frames, counted from the first
    // requested frame.
    for skip in [3, 5, 20, 31] {
        let out = runner.run(&format!("--rate film --skip {skip} --warmup {skip}"));
        assert!((5 * out.frames.len()).abs_diff(4 * (40 - skip)) <= 4, "{skip}: {}", out.frames.len());
    }
    // Except for the first, the timestamps are those of the whole clip, shifted.
    let whole = times("--rate film");
    check_start(&all[1..], &whole[13..].iter().map(|time| time - 30.0).collect::<Vec<_>>());
}

/// Warnings about progressive frames that are flagged as interlaced, in mixed streams and after
/// undetermined frames.
#[test]
fn progressive_frames_that_are_flagged_as_interlaced() {
    let runner = Runner::new("detect_mixed_progressive");
    let clip = runner.write(&fields::Clip::new(pattern(&[2], 0, 40)), "Im");
    let flags = [["Itpp"; 20], ["Itii"; 20]].concat();
    runner.0.write("in.y4m", clip.clone().flagged(&flags).bytes());
    assert!(runner.run("").samples() == clip.samples());
    let flags = [["Itii"; 20], ["Itpp"; 20]].concat();
    runner.0.write("in.y4m", clip.clone().flagged(&flags).bytes());
    runner.result_of("").warns("frame 0 is flagged as interlaced, top field first, but is progressive");
    // Static frames contradict no flag.
    let flags = [["Itii"; 10], ["Ibii"; 10]].concat();
    runner.0.write("in.y4m", runner.write(&fields::Clip::new(vec![0; 40]).painted(still), "Im").flagged(&flags).bytes());
    runner.run("");
    // Static frames first.
    runner.write(&fields::Clip::new([vec![0; 8], pattern(&[2], 1, 40)].concat()), "It");
    runner.result_of("").warns("frame 0 is flagged as interlaced, top field first, but is progressive");
}

/// Frames that do not comb stay as they are, also single ones among interlaced frames.
#[test]
fn only_combed_frames_are_deinterlaced() {
    let runner = Runner::new("detect_combed");
    // Every fifth frame shows one picture: too few in turn for a pattern.
    let field = |n: usize| if n % 10 < 2 { n / 10 * 10 } else { n };
    let clip = runner.write(&fields::Clip::new((0..60).map(field).collect()), "It");
    for options in ["", "--field-order tff --film off", "--deinterlacer gen6", "--deinterlacer best"] {
        let whole = |out: &Clip, frame: usize| out.frames[frame] == clip.frames[frame];
        let out = runner.run(&format!("--deinterlace combed --rate frame {options}"));
        let frames: Vec<usize> = (0..30).filter(|&frame| whole(&out, frame)).collect();
        assert_eq!(frames, [0, 5, 10, 15, 20, 25], "{options}");
        // Both fields of such a frame show it.
        let out = runner.run(&format!("--deinterlace combed --rate field {options}"));
        assert!((0..30).step_by(5).all(|frame| [0, 1].iter().all(|i| out.samples()[2 * frame + i] == clip.samples()[frame])));
        let auto = runner.run(&format!("--rate frame {options}"));
        let frames: Vec<usize> = (1..30).filter(|&frame| whole(&auto, frame)).collect();
        assert!(frames.is_empty(), "{options}: {frames:?}");
    }
    // With times each such frame is one picture.
    runner.result_of("--deinterlace combed --rate film --timecodes times").succeeds();
    assert_eq!(Clip::parse(&runner.0.read("out.y4m")).frames.len(), 60 - 6);
    // Progressive clips, and those of one kind, are as before.
    runner.write(&fields::Clip::new(pattern(&[2, 3], 0, 40)), "It");
    assert!(runner.run("--deinterlace combed --rate film").samples() == pictures(0..40));
}
