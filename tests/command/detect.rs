//! What the pictures decide: scan, order, film, rates and times.

use crate::clip::Clip;
use crate::fields::{self, moving, pattern, still};
use crate::program::{Folder, RunResult};
use serde_json::Value;

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

    /// Runs without denoising and with nothing else said but `options`.
    pub fn result_of(&self, options: &str) -> RunResult {
        let arguments = format!("-y --denoise off --stats stats {options} in.y4m out.y4m");
        RunResult::new(&arguments, self.0.plain(&arguments).output().unwrap())
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

/// The picture that each field of a clip shows, as a frame.
pub fn pictures(numbers: impl IntoIterator<Item = usize>) -> Vec<Vec<u8>> {
    let frame = |number: usize| fields::Clip::new(vec![number; 2]).frames()[0].data().to_vec();
    numbers.into_iter().map(frame).collect()
}

#[test]
fn progressive_frames_are_left_alone() {
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
        // A frame for each field: each twice.
        runner.result_of("-q --rate field");
        let out = Clip::parse(&runner.0.read("out.y4m"));
        let twice: Vec<_> = clip.samples().into_iter().flat_map(|frame| [frame, frame]).collect();
        assert!(out.samples() == twice && out.tags.contains("F60000:1001"), "{tag}");
    }
}

#[test]
fn flags_are_believed_on_demand() {
    let runner = Runner::new("detect_flags");
    // Progressive frames that are flagged as fields.
    runner.write(&fields::Clip::new(pattern(&[2], 0, 30)), "It");
    assert_eq!(runner.run("--film off --deinterlace flagged").frames.len(), 60);
    assert!(runner.outputs().iter().all(|output| output["code"] == 0));
    assert_eq!(runner.run("--film off --field-order header").frames.len(), 60);
    assert_eq!(runner.run("--film off --deinterlace on").frames.len(), 60);
    assert_eq!(runner.run("--deinterlace off").frames.len(), 30);
    // Fields that are flagged as progressive.
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
    // The order is measured, also of what only flags call interlaced.
    runner.write(&fields::Clip::new((0..60).collect()).bottom_first(), "It");
    runner.result_of("--deinterlace flagged").warns("but is interlaced, bottom field first");
    let same = |a: &[u8], b: &[u8]| Clip::parse(a).samples() == Clip::parse(b).samples();
    assert!(same(&runner.0.read("out.y4m"), &auto));
}

#[test]
fn film_leaves_at_its_own_rate() {
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
    // A field late: the first and the last field stand alone.
    runner.write(&fields::Clip::new(pattern(&[2], 0, 41)[1..81].to_vec()), "It");
    let out = runner.run("--rate film");
    assert!(out.samples()[1..] == pictures(1..40) && out.tags.contains("F30000:1001"));
    let out = runner.run("");
    assert!(out.samples()[1..79] == pictures(pattern(&[2], 1, 39)) && out.frames.len() == 80);
    assert!(runner.outputs()[3..70].iter().all(|output| output["cadence"] == "2:2" && output["woven"] == 1.0));
}

/// Frames and their durations are right to the last frame, whatever comes.
#[test]
fn other_material_keeps_its_time() {
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
    // Each picture once, when it is shown; those of 3:2 half a field earlier or later.
    let (out, shown) = times("--rate film");
    let starts: Vec<usize> = (0..fields.len()).filter(|&n| n == 0 || fields[n] != fields[n - 1]).collect();
    assert_eq!(out.frames.len(), starts.len());
    assert!(starts.iter().zip(&shown).all(|(&start, time)| (time - start as f64 * field).abs() <= field + 1e-5));
    assert!(starts.iter().zip(&shown).skip(20).all(|(&start, time)| (time - start as f64 * field).abs() < 1e-5));
    assert!(shown[..19].windows(2).all(|pair| (pair[1] - pair[0] - 2.5 * field).abs() < 1e-5));
    // A constant rate: as many as the duration has room for.
    let out = runner.run("--rate film");
    assert_eq!(out.frames.len(), fields.len() * 2 / 5);
    assert!(out.samples()[..20] == pictures(0..20));
    assert_eq!(runner.run("--rate frame").frames.len(), fields.len() / 2);
    // Part of it.
    assert_eq!(runner.run("--rate film --frames 25").samples(), pictures(0..20));
    let part = runner.run("--rate film --skip 5 --warmup 5 --frames 20 --timecodes times");
    assert!(part.samples() == pictures(4..20) && runner.0.read_text("times").lines().nth(1) == Some("0.000000"));
}

#[test]
fn stills_and_single_frames() {
    let runner = Runner::new("detect_still");
    for (fields, look) in [(2, moving as fn(usize, usize, usize) -> u8), (40, still)] {
        for (tag, each) in [("Ip", 1), ("It", 2), ("Ib", 2)] {
            let clip = fields::Clip::new((0..fields).collect()).painted(look);
            runner.write(&clip, tag);
            assert_eq!(runner.run("").frames.len(), fields / 2 * each, "{tag}");
        }
        let clip = runner.write(&fields::Clip::new((0..fields).collect()).painted(look), "");
        runner.result_of("").warns("has no field order");
        assert!(Clip::parse(&runner.0.read("out.y4m")).samples() == clip.samples());
    }
}

/// What the statistics tell of a frame is what was written, and what was decided about its own field.
#[test]
fn outputs_are_told_of_as_they_are() {
    let runner = Runner::new("detect_outputs");
    let fields = [pattern(&[2, 3], 0, 16), Vec::from_iter(100..140)].concat();
    runner.write(&fields::Clip::new(fields), "It");
    let content = |output: &Value| (output["content"].clone(), output["cadence"].clone());
    let mut told = vec![];
    for rate in ["field", "film --timecodes times"] {
        let out = runner.run(&format!("--rate {rate}"));
        let outputs = runner.outputs();
        assert_eq!(outputs.len(), out.frames.len());
        for (output, samples) in outputs.iter().zip(out.samples()) {
            let count = |value: usize| samples.iter().filter(|&&sample| usize::from(sample) == value).count() as u64;
            assert!((0..256).all(|value| output["histogram"][value] == count(value)), "{}", output["frame"]);
        }
        told.push(outputs);
    }
    // Of each frame both fields alike, at either rate.
    assert!(told[0].iter().enumerate().all(|(field, output)| output["field"] == field));
    assert!(told[0].chunks(2).all(|pair| content(&pair[0]) == content(&pair[1])));
    for output in &told[1] {
        assert_eq!(content(output), content(&told[0][output["field"].as_u64().unwrap() as usize]));
    }
    let kinds = |name: &str| told[0].iter().filter(|output| output["content"] == name).count();
    assert!(kinds("film, top field first") > 30 && kinds("interlaced, top field first") > 30);
}

/// Pictures of 3:2:2:3, too, are shown as if each lasted two and a half fields, others as long as their fields.
#[test]
fn times_of_film() {
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

/// With codes from a file only the order is asked for.
#[test]
fn codes_from_a_file_count_alone() {
    let runner = Runner::new("detect_codes");
    runner.0.write("codes", "0 0\n1 2\n0 0\n2 1\n".repeat(3));
    let codes = || runner.outputs().iter().map(|output| output["code"].as_u64().unwrap()).collect::<Vec<_>>();
    for (tag, order) in [("Ip", "tff"), ("Ib", "bff")] {
        let clip = fields::Clip::new(pattern(&[2, 3], 0, 8));
        let clip = if order == "bff" { clip.bottom_first() } else { clip };
        runner.write(&clip, tag);
        let told = runner.run(&format!("--matches codes --field-order {order}"));
        assert_eq!(codes()[..8], [0, 1, 2, 0, 0, 2, 1, 0]);
        let measured = runner.run("-q --matches codes");
        assert!(measured.samples() == told.samples(), "{tag}");
        assert_eq!(codes()[..8], [0, 1, 2, 0, 0, 2, 1, 0]);
    }
}

/// Progressive frames first: fields that follow are deinterlaced at the same rate.
#[test]
fn the_first_decision_fixes_the_rate() {
    let runner = Runner::new("detect_first");
    let frames = pattern(&[2], 0, 20);
    let clip = runner.write(&fields::Clip::new([frames.clone(), Vec::from_iter(100..140)].concat()), "Ip");
    runner.result_of("").warns("frame 20 is flagged as progressive, but is interlaced, top field first");
    let out = Clip::parse(&runner.0.read("out.y4m"));
    assert_eq!(out.frames.len(), 40);
    assert!(
        out.samples()[..20] == clip.samples()[..20] && out.samples()[21..].iter().zip(&clip.samples()[21..]).all(|(a, b)| a != b)
    );
    // Which was not known before.
    let told = runner.result_of("-v").stderr;
    assert!(told.contains("deinterlace auto, mcdi on;"), "{told}");
    assert!(runner.result_of("-v --deinterlace off").stderr.contains("deinterlace off, mcdi off;"));
    // At the rate of fields frames leave twice, and each of the fields once.
    runner.result_of("-q --rate field");
    let out = Clip::parse(&runner.0.read("out.y4m"));
    assert_eq!(out.frames.len(), 80);
    assert!((0..40).all(|field| out.samples()[field] == clip.samples()[field / 2]));
    assert!((42..80).all(|field| out.samples()[field] != out.samples()[field - 1]));
    // Fields first: frames that follow leave twice.
    let clip = runner.write(&fields::Clip::new([Vec::from_iter(100..140), frames].concat()), "It");
    let out = runner.run("");
    assert_eq!(out.frames.len(), 80);
    assert!((42..80).all(|field| out.samples()[field] == clip.samples()[field / 2]));
}

/// What flags alone decide is not told as if pictures had.
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
        let told = runner.result_of(&format!("--progress json {options}")).stderr;
        assert!(told.contains(r#""found":{"declared":"mixed","measured":null,"segments":[],"#), "{told}");
        let told = runner.result_of(&format!("-v {options}")).stderr;
        assert!(told.lines().last().unwrap().starts_with("dndi: mixed, by the flags of the frames; noise "), "{told}");
    }
    // The order is asked, and so is its contradiction told of.
    let clip = runner.write(&fields::Clip::new((0..40).collect()).bottom_first(), "Im");
    runner.0.write("in.y4m", clip.flagged(&mixed).bytes());
    runner
        .result_of("--deinterlace flagged")
        .warns("frame 10 is flagged as interlaced, top field first, but is interlaced, bottom field first");
    // Nor what codes do, or deinterlacing everything.
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
    // What pictures decide is.
    runner.run("--deinterlace flagged");
    assert!(runner.outputs()[1..].iter().all(|output| output["content"] == "progressive" && output["woven"] == 1.0));
}

/// Where there is no film, or none of a known cadence, each field may be a picture.
#[test]
fn the_rate_of_film_without_film() {
    let runner = Runner::new("detect_no_film");
    let clip = runner.write(&fields::Clip::new((0..40).collect()).bottom_first(), "Im");
    for arguments in ["", "--film reconstruct"] {
        let out = runner.run(&format!("-q --rate film {arguments}"));
        assert!(out.tags.contains("F60000:1001") && out.frames.len() == 40, "{arguments} {}", out.tags);
        assert!(!arguments.is_empty() || out.frames == runner.run("-q").frames);
    }
    // What is measured is told, not that frames say it.
    assert!(runner.result_of("-v").stderr.contains("bottom field first -> "));
    runner.0.write("in.y4m", clip.flagged(&["Ibii"; 20]).bytes());
    assert!(runner.result_of("-v --deinterlace flagged").stderr.contains("mixed -> "));
}

/// 4:1:1 that begins progressive cannot become 4:2:2 any more: fields that follow are left as they are.
#[test]
fn fields_that_cannot_be_completed() {
    let runner = Runner::new("detect_411");
    let mut clip = runner.write(&fields::Clip::new([pattern(&[2], 0, 20), Vec::from_iter(100..140)].concat()), "Ip");
    clip.tags = clip.tags.replace("Cmono", "C411");
    clip.frames.iter_mut().for_each(|frame| frame.1.resize(160 * 96 * 3 / 2, 128));
    runner.0.write("in.y4m", clip.bytes());
    let out = runner.run("-q");
    assert!(out.samples() == clip.samples() && out.tags == clip.tags, "{}", out.tags);
    assert!(runner.run("-q --rate field").tags.contains("C422"));
}

/// Another order begins anew.
#[test]
fn the_order_turns() {
    let runner = Runner::new("detect_turns");
    let (top, bottom) = (fields::Clip::new((0..40).collect()), fields::Clip::new((40..80).collect()).bottom_first());
    let parts = [runner.write(&top, "It"), runner.write(&bottom, "It")];
    let mut both = parts[0].clone();
    both.frames.extend(parts[1].frames.clone());
    runner.0.write("in.y4m", both.bytes());
    runner.result_of("").warns("frame 20 is flagged as interlaced, top field first, but is interlaced, bottom field first");
    let out = Clip::parse(&runner.0.read("out.y4m"));
    // The last field of the first part is still of its order.
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
        expected.extend(runner.run(&format!("--film off --field-order {order}")).frames);
    }
    assert!(out.frames == expected);
}

/// Denoising, threads and levels do not change what is decided.
#[test]
fn neither_threads_nor_levels_matter() {
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

/// Timestamps count from the frame that is asked for; the first frame is there from the beginning.
#[test]
fn times_of_a_part() {
    let runner = Runner::new("detect_times");
    // Pictures begin with fields 0, 2, 5, 7, 10 and so on; those after the film with each field.
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
    fn begin(times: &[f64], wanted: &[f64]) {
        assert!(times.iter().zip(wanted).all(|(time, wanted)| (time - wanted).abs() < 1e-4), "{times:?}");
    }
    begin(&times("--rate field --skip 3"), &[0.0, 1.0, 2.0, 3.0]);
    begin(&times("--rate frame --skip 3"), &[0.0, 2.0, 4.0]);
    // Field 10 begins a picture.
    begin(&times("--rate film --skip 5 --warmup 5"), &[0.0, 2.5, 5.0, 7.5, 10.0]);
    // Field 6 shows a picture that began with field 5 and is left out: the next one, of field 7, is there in its place for a field more.
    begin(&times("--rate film --skip 3 --warmup 3"), &[0.0, 3.5, 6.0, 8.5]);
    // Fields 40 on are 100 on.
    let all = times("--rate film --skip 15 --warmup 15");
    begin(&all[4..], &Vec::from_iter((10..50).map(f64::from)));
    assert_eq!(all.len(), 44);
    // At a constant rate as many leave as there is time for, four for five frames, counted from there as well.
    for skip in [3, 5, 20, 31] {
        let out = runner.run(&format!("--rate film --skip {skip} --warmup {skip}"));
        assert!((5 * out.frames.len()).abs_diff(4 * (40 - skip)) <= 4, "{skip}: {}", out.frames.len());
    }
    // So they are the same as those of the whole, but for the beginning.
    let whole = times("--rate film");
    begin(&all[1..], &whole[13..].iter().map(|time| time - 30.0).collect::<Vec<_>>());
}

/// Frames of a mixed stream that are flagged as fields and are none are worth no warning; nor is a beginning that tells nothing.
#[test]
fn progressive_frames_that_are_flagged_as_fields() {
    let runner = Runner::new("detect_mixed_progressive");
    let clip = runner.write(&fields::Clip::new(pattern(&[2], 0, 40)), "Im");
    let flags = [["Itpp"; 20], ["Itii"; 20]].concat();
    runner.0.write("in.y4m", clip.clone().flagged(&flags).bytes());
    assert!(runner.run("").samples() == clip.samples());
    let flags = [["Itii"; 20], ["Itpp"; 20]].concat();
    runner.0.write("in.y4m", clip.clone().flagged(&flags).bytes());
    runner.result_of("").warns("frame 0 is flagged as interlaced, top field first, but is progressive");
    // What stands still contradicts nothing.
    let flags = [["Itii"; 10], ["Ibii"; 10]].concat();
    runner.0.write("in.y4m", runner.write(&fields::Clip::new(vec![0; 40]).painted(still), "Im").flagged(&flags).bytes());
    runner.run("");
    // What stands still first.
    runner.write(&fields::Clip::new([vec![0; 8], pattern(&[2], 1, 40)].concat()), "It");
    runner.result_of("").warns("frame 0 is flagged as interlaced, top field first, but is progressive");
}
