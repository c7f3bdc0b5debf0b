//! `dndi inspect`.

use crate::clip::Clip;
use crate::fields::{self, moving, pattern, still};
use crate::program::Folder;
use serde_json::{Value, json};

const RATE: &str = "F30000:1001";

/// Writes a synthetic clip with these tags.
fn write(folder: &Folder, clip: &fields::Clip, tags: &str) {
    folder.write("in.y4m", Clip::of_fields(clip, format!("W160 H96 {RATE} {tags} Cmono")).bytes());
}

#[track_caller]
fn inspect(folder: &Folder, options: &str) -> Value {
    let result = folder.run(&format!("inspect --json {options} in.y4m")).succeeds();
    serde_json::from_slice(&result.stdout).unwrap()
}

#[test]
fn content_and_flags() {
    let folder = Folder::new("inspect_kinds");
    let each = |count| (0..count).collect::<Vec<_>>();
    let cases = [
        (fields::Clip::new(pattern(&[2], 0, 30)), "progressive", Value::Null, Value::Null, "--field-order progressive"),
        (fields::Clip::new(each(60)), "interlaced", json!("tff"), Value::Null, "--field-order tff"),
        (fields::Clip::new(each(60)).bottom_first(), "interlaced", json!("bff"), Value::Null, "--field-order bff"),
        (fields::Clip::new(pattern(&[3, 2], 0, 24)), "film", json!("tff"), json!("3:2"), "--field-order tff"),
    ];
    for (clip, content, order, cadence, option) in cases {
        for (tag, flagged) in [("It", json!("tff")), ("Ib", json!("bff")), ("Ip", json!("progressive")), ("I?", Value::Null)] {
            write(&folder, &clip, &format!("{tag} A16:15"));
            let report = inspect(&folder, "");
            let measured = &report["measured"];
            assert_eq!((&measured["content"], &measured["field_order"]), (&json!(content), &order), "{tag} {report}");
            assert_eq!((&measured["cadence"], &report["flagged"]), (&cadence, &flagged), "{tag}");
            assert!(measured["confidence"].as_u64().unwrap() > 50, "{report}");
            let correct = match flagged.as_str() {
                None => Value::Null,
                Some("progressive") => json!(content == "progressive"),
                flagged => json!(order.as_str() == flagged),
            };
            assert_eq!(report["flags_are_right"], correct, "{tag} {content}");
            assert!(report["options"].as_array().unwrap().contains(&json!(option)), "{report}");
            assert_eq!([&report["width"], &report["height"], &report["frames"]], [&json!(160), &json!(96), &json!(30)], "{tag}");
            assert_eq!((&report["rate"], &report["sample_aspect"]), (&json!([30000, 1001]), &json!([16, 15])));
            assert_eq!(report["segments"].as_array().unwrap().len(), 1, "{report}");
        }
    }
}

/// A conversion with the suggested options equals one without options.
#[test]
fn suggested_options() {
    let folder = Folder::new("inspect_options");
    for clip in [
        fields::Clip::new(pattern(&[2], 0, 20)),
        fields::Clip::new((0..40).collect()).bottom_first(),
        fields::Clip::new(pattern(&[3, 2], 0, 16)),
    ] {
        write(&folder, &clip, "I?");
        let report = inspect(&folder, "");
        let options: Vec<_> = report["options"].as_array().unwrap().iter().map(|option| option.as_str().unwrap()).collect();
        let run = |arguments: &str| assert_eq!(folder.plain(arguments).output().unwrap().status.code(), Some(0), "{arguments}");
        run("-y -q in.y4m automatic");
        run(&format!("-y -q {} in.y4m declared", options.join(" ")));
        assert!(
            Clip::parse(&folder.read("automatic")).samples() == Clip::parse(&folder.read("declared")).samples(),
            "{options:?}"
        );
        let [num, den] = [0, 1].map(|index| report["output_rate"][index].as_u64().unwrap());
        assert!(Clip::parse(&folder.read("declared")).tags.contains(&format!("F{num}:{den}")), "{report}");
    }
}

/// The rate of film, and the suggestion to give it times, are correct.
#[test]
fn film_that_begins_late() {
    let folder = Folder::new("inspect_late");
    let film = |first: Vec<usize>| fields::Clip::new([first, pattern(&[2, 3], 100, 60)].concat());
    for (clip, options) in [
        (film(vec![]), ""),
        (film(vec![0; 40]), ""),
        (film((0..40).collect()), "--timecodes FILE"),
        (film(pattern(&[2], 0, 20)), "--timecodes FILE"),
    ] {
        for tag in ["It", "Ip"] {
            write(&folder, &clip, tag);
            let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
            let found = match options {
                "" => text.contains(": one frame per film frame\n") && text.contains("--rate film "),
                options => text.contains(&format!("with {options} one frame per film frame\n")),
            };
            assert!(found, "{tag} {text}");
            let mut result = folder.plain(&format!("-y -q --denoise off {} in.y4m out.y4m", options.replace("FILE", "times")));
            assert!(result.output().unwrap().status.success());
            let out = Clip::parse(&folder.read("out.y4m"));
            let last = fields::Clip::new(pattern(&[2], 110, 50)).frames();
            let last = last.iter().map(|frame| frame.data()).collect::<Vec<_>>();
            assert!(out.samples().ends_with(&last), "{tag} {options}");
        }
    }
}

/// `dndi inspect` writes no frames, so it accepts rates and sizes that cannot be deinterlaced.
#[test]
fn rates_and_sizes_that_cannot_be_deinterlaced() {
    let folder = Folder::new("inspect_rate");
    let clip = Clip::of_fields(&fields::Clip::new((0..40).collect()), "W160 H96 F4294967295:1 It Cmono".to_owned());
    folder.write("in.y4m", clip.bytes());
    let report = inspect(&folder, "");
    assert_eq!((&report["rate"], &report["measured"]["content"]), (&json!([4294967295u32, 1]), &json!("interlaced")));
    let options = report["options"].as_array().unwrap();
    assert!(options.contains(&json!("--rate frame")) && !options.contains(&json!("--rate field")), "{report}");
    folder.run("in.y4m out.y4m").fails(2, "use --rate frame");
    folder.write("in.y4m", Clip::new("W16 H15 F25:1 It Cmono", 3).bytes());
    let report = inspect(&folder, "");
    assert_eq!((&report["flagged"], &report["measured"], &report["frames"]), (&json!("tff"), &Value::Null, &json!(3)));
    assert_eq!((&report["options"][0], &report["output_rate"]), (&json!("--field-order progressive"), &json!([25, 1])));
    folder.run("in.y4m out.y4m").fails(2, "use --field-order progressive");
}

#[test]
fn segments() {
    let folder = Folder::new("inspect_segments");
    let fields: Vec<_> = pattern(&[2], 0, 30).into_iter().chain(30..90).collect();
    write(&folder, &fields::Clip::new(fields), "It");
    let report = inspect(&folder, "");
    let segments = report["segments"].as_array().unwrap();
    assert_eq!(segments.iter().map(|part| part["frames"].as_u64().unwrap()).sum::<u64>(), 60, "{report}");
    assert_eq!((&segments[0]["content"], &segments[0]["first"]), (&json!("progressive"), &json!(0)));
    assert_eq!(segments.last().unwrap()["content"], "interlaced", "{report}");
    assert!(report["options"].as_array().unwrap().contains(&json!("--field-order auto")));
    let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
    assert!(text.contains("frames 0…") && text.contains(": progressive (confidence "), "{text}");
    // Only the first frames.
    let report = inspect(&folder, "--frames 20");
    assert_eq!((&report["frames"], &report["measured"]["content"]), (&json!(20), &json!("progressive")));
}

#[test]
fn noise_motion_and_combing() {
    let folder = Folder::new("inspect_measures");
    let measures = |clip: &fields::Clip| {
        write(&folder, clip, "It");
        let report = inspect(&folder, "");
        (report["noise"]["median"].clone(), report["motion"].as_f64().unwrap(), report["combing"].as_f64())
    };
    let fields = || (0..40).collect::<Vec<_>>();
    let (_, motion, combing) = measures(&fields::Clip::new(fields()).painted(still));
    assert_eq!((motion, combing), (0.0, None));
    let (quiet, motion, combing) = measures(&fields::Clip::new(fields()).painted(moving));
    assert!(motion > 0.5 && combing > Some(0.2), "{motion} {combing:?}");
    let (_, _, whole) = measures(&fields::Clip::new(pattern(&[2], 0, 20)));
    assert!(whole < combing, "{whole:?} {combing:?}");
    let (noisy, ..) = measures(&fields::Clip::new(fields()).painted(fields::noisy));
    assert!(noisy.as_u64() > quiet.as_u64(), "{noisy} {quiet}");
}

/// A moving texture with white Gaussian noise of standard deviation SIGMA, the sum of twelve
/// uniform numbers.
fn grainy<const SIGMA: i64>(x: usize, y: usize, picture: usize) -> u8 {
    let sum: i64 = (0..12).map(|n| i64::from(fields::noise(x + 613 * n, y + 997 * picture + 131 * n))).sum();
    (90 + i64::from(moving(x, y, picture)) / 5 + ((sum - 1530) * SIGMA + 128).div_euclid(256)).clamp(0, 255) as u8
}

/// The report gives the noise as a standard deviation in sample units, as `--denoise auto` uses it.
#[test]
fn noise_levels() {
    let folder = Folder::new("inspect_levels");
    let frames = || pattern(&[2], 0, 16);
    let fields = || (0..32).collect::<Vec<_>>();
    for (paint, sigma) in [
        (grainy::<0> as fn(usize, usize, usize) -> u8, 0.0),
        (grainy::<3>, 3.0),
        (grainy::<6>, 6.0),
        (grainy::<10>, 10.0),
        (grainy::<15>, 15.0),
    ] {
        for (shown, content) in [(frames(), "progressive"), (fields(), "interlaced")] {
            write(&folder, &fields::Clip::new(shown).painted(paint), "I?");
            let report = inspect(&folder, "");
            assert_eq!(report["measured"]["content"], content, "{sigma}: {report}");
            let [least, median, most] = ["least", "median", "most"].map(|key| report["noise_level"][key].as_f64().unwrap());
            assert!(least <= median && median <= most, "{report}");
            // The texture itself counts as noise, but too little to be filtered.
            let tolerance = if sigma > 0.0 { 0.3 + sigma / 10.0 } else { 1.9 };
            assert!((median - sigma).abs() <= tolerance, "{content} {sigma}: {report}");
            let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
            let line =
                format!("\n           standard deviation {median:.1} ({least:.1}…{most:.1}), as --denoise auto measures it\n");
            assert!(text.contains(&line), "{line} {text}");
            // A conversion measures the same level.
            folder.run("-y --field-order auto --film auto --stats stats.txt in.y4m out.y4m").succeeds();
            let rows = folder.read_text("stats.txt");
            let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
            let mut levels: Vec<_> = rows.map(|row| row["denoise"]["noise"].as_f64().unwrap()).collect();
            levels.sort_by(f64::total_cmp);
            assert!((median - levels[levels.len() / 2]).abs() < 0.006, "{content} {sigma}: {median} {levels:?}");
        }
    }
}

#[test]
fn text() {
    let folder = Folder::new("inspect_text");
    write(&folder, &fields::Clip::new((0..40).collect()), "Ip A1:1");
    let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "in.y4m: 160x96 mono, 30000/1001 frames/s, samples 1:1, bt601 limited");
    assert_eq!(lines[1], "read       20 frames, 0.67 s");
    assert_eq!(lines[2], "flagged    progressive, which is wrong");
    assert!(lines[3].starts_with("measured   interlaced, top field first (confidence "), "{text}");
    assert!(lines.iter().any(|line| line.starts_with("options    --field-order tff ")), "{text}");
    // From stdin, with frames that have no fields.
    let odd = Clip::new("W22 H17 F25:1 Ip C444", 3).bytes();
    let result = folder.pipe("inspect -", &odd).succeeds();
    let text = String::from_utf8(result.stdout).unwrap();
    assert!(text.starts_with("stdin: 22x17 444, 25 frames/s") && text.contains("measured   nothing"), "{text}");
    assert!(text.contains("--field-order progressive"), "{text}");
}

#[test]
fn plots() {
    let folder = Folder::new("inspect_plots");
    write(&folder, &fields::Clip::new(pattern(&[3, 2], 0, 24)), "It");
    folder.run("inspect --plot p.svg in.y4m").succeeds();
    folder.run("inspect --plot p.PNG in.y4m").succeeds();
    let svg = folder.read_text("p.svg");
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<_> = document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
    for title in ["noise estimate", "moving blocks, %", "tears", "film 3:2", "seconds"] {
        assert!(texts.iter().any(|text| text.trim() == title), "{title}: {texts:?}");
    }
    // The noise curve has one point per frame.
    let points = document
        .descendants()
        .filter_map(|node| node.attribute("points"))
        .map(|points| points.split(' ').filter(|point| !point.is_empty()).count());
    assert!(points.clone().any(|count| count == 60 / 2), "{:?}", points.collect::<Vec<_>>());
    // Curves end to the left of the legends.
    let curves = document.descendants().filter_map(|node| node.attribute("points"));
    let curves = curves.filter(|points| points.split_whitespace().count() > 2);
    let right =
        curves.flat_map(|points| points.split_whitespace().map(|point| point.split(',').next().unwrap().parse::<i32>().unwrap()));
    let named = document.descendants().filter(|node| node.text().is_some_and(|text| text.trim() == "inside the frame"));
    let left = named.filter_map(|node| node.attribute("x")).map(|x| x.parse::<i32>().unwrap()).min().unwrap();
    assert!(right.max().unwrap() < left - 20, "{left}");
    let png = image::load_from_memory_with_format(&folder.read("p.PNG"), image::ImageFormat::Png).unwrap().into_rgb8();
    assert_eq!((png.width(), png.height()), (1200, 900));
    // White background, curves and text.
    let count = |wanted: fn(&image::Rgb<u8>) -> bool| png.pixels().filter(|pixel| wanted(pixel)).count();
    assert!(count(|pixel| pixel.0 == [255; 3]) > 900_000);
    assert!(count(|pixel| i32::from(pixel.0[2]) > i32::from(pixel.0[0]) + 100) > 500);
    assert!(png.enumerate_pixels().filter(|(_, y, pixel)| *y < 30 && pixel.0[0] < 100).count() > 50);
    // Clips without frames, with one frame, and with more frames than points.
    folder.write("none.y4m", "YUV4MPEG2 W4 H4 It\n");
    folder.run("inspect --plot none.svg none.y4m").warns("no frames");
    roxmltree::Document::parse(&folder.read_text("none.svg")).unwrap();
    folder.write("one.y4m", Clip::new("W16 H8 It C422", 1).bytes());
    folder.run("inspect --plot one.png one.y4m").succeeds();
    folder.write("long.y4m", Clip::new("W4 H4 F25:1 It C444", 2100).bytes());
    folder.run("inspect --plot long.svg long.y4m").succeeds();
    let long = folder.read_text("long.svg");
    assert!(roxmltree::Document::parse(&long).is_ok() && long.len() < 400_000, "{}", long.len());
}

#[test]
fn invalid_arguments_and_inputs() {
    let folder = Folder::new("inspect_invalid");
    let bytes = Clip::new("W22 H18 F25:1 It C422", 3).bytes();
    folder.write("in.y4m", &bytes);
    folder.write("bad.y4m", "YUV4MPEG2 W0 H0\n");
    folder.write("old.svg", "old");
    folder.write("in.svg", &bytes);
    let before = folder.files();
    for (arguments, code, message) in [
        ("", 2, "<INPUT>"),
        ("in.y4m more", 2, "more"),
        ("missing.y4m", 1, "cannot open missing.y4m"),
        ("bad.y4m", 3, "bad.y4m"),
        ("--frames 0 in.y4m", 2, "--frames"),
        ("--frames x in.y4m", 2, "--frames"),
        ("--threads 0 in.y4m", 2, "--threads"),
        ("--plot p.jpg in.y4m", 2, ".svg or .png"),
        ("--plot p in.y4m", 2, ".svg or .png"),
        ("--plot - in.y4m", 2, ".svg or .png"),
        ("--plot old.svg in.y4m", 2, "old.svg exists; -y overwrites it"),
        ("-y --plot in.svg in.svg", 2, "is used twice"),
        ("--bogus in.y4m", 2, "see dndi inspect --help"),
    ] {
        folder.run(&format!("inspect {arguments}")).fails(code, message);
        assert_eq!(folder.files(), before, "{arguments}");
    }
    assert_eq!(folder.read_text("old.svg"), "old");
    folder.run("inspect --plot missing/p.svg in.y4m").fails(1, "cannot create missing/p.svg");
    // The report covers the complete frames.
    folder.write("cut.y4m", &bytes[..bytes.len() - 9]);
    let result = folder.run("inspect --json --plot cut.svg cut.y4m").fails(3, "ends inside frame 2");
    assert_eq!(serde_json::from_slice::<Value>(&result.stdout).unwrap()["frames"], 2);
    roxmltree::Document::parse(&folder.read_text("cut.svg")).unwrap();
    let help = String::from_utf8(folder.run("inspect --help").succeeds().stdout).unwrap();
    assert!(help.contains("--plot") && help.contains("--json"), "{help}");
}

/// A closed stdout is a runtime error, reported in one line.
#[test]
#[cfg(unix)]
fn a_closed_pipe() {
    use crate::program::RunResult;
    use std::process::Stdio;
    let folder = Folder::new("inspect_closed");
    folder.write("in.y4m", Clip::new("W22 H18 F25:1 It C422", 3).bytes());
    for arguments in ["inspect in.y4m", "inspect --json in.y4m", "view in.y4m -", "--dump-config"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = folder.plain(arguments).stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        RunResult::new(arguments, child.wait_with_output().unwrap()).fails(1, "stdout");
    }
}

/// A gap of a capture: frame 9 five times in a row; and a field order that changes.
#[test]
fn repeated_frames_and_fields() {
    let folder = Folder::new("inspect_repeats");
    let clip = |fields: &fields::Clip| Clip::of_fields(fields, format!("W160 H96 {RATE} It Cmono"));
    let mut all = clip(&fields::Clip::new((0..60).collect()));
    for number in 10..14 {
        all.frames[number] = all.frames[9].clone();
    }
    // The top field of frame 20 once more.
    let lines = |frame: &[u8], parity: usize| frame.chunks(160).skip(parity).step_by(2).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let tops = lines(&all.frames[20].1, 0);
    for (line, top) in all.frames[21].1.chunks_mut(160).step_by(2).zip(tops) {
        line.copy_from_slice(&top);
    }
    all.frames.extend(clip(&fields::Clip::new((60..120).collect()).bottom_first()).frames);
    folder.write("in.y4m", all.bytes());
    let report = inspect(&folder, "");
    let repeats = json!([
        {"first": 10, "frames": 4, "time": 0.334, "repeats": "frame"},
        {"first": 21, "frames": 1, "time": 0.701, "repeats": "top"},
    ]);
    assert_eq!(report["repeats"], repeats, "{report}");
    let changes = report["order_changes"].as_array().unwrap();
    assert_eq!((changes.len(), &changes[0]["field_order"]), (1, &json!("bff")), "{report}");
    assert!((28..34).contains(&changes[0]["frame"].as_u64().unwrap()), "{report}");
    let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
    assert!(text.contains("repeated   4 frames: 4 from frame 10 (0.33 s)\n"), "{text}");
    assert!(text.contains("1 top field: frame 21 (0.70 s)\n") && text.contains(": the bottom field is first\n"), "{text}");
    // The rows of a conversion name the same.
    folder.run("-y -q --field-order auto --stats rows in.y4m out.y4m").succeeds();
    let rows = folder.read_text("rows");
    let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let named: Vec<_> = rows.iter().filter(|row| !row["repeats"].is_null()).map(|row| (&row["step"], &row["repeats"])).collect();
    let expected =
        [(10, "frame"), (11, "frame"), (12, "frame"), (13, "frame"), (21, "top")].map(|(n, part)| (json!(n), json!(part)));
    assert_eq!(named, expected.each_ref().map(|(n, part)| (n, part)));
    // Film repeats fields by design.
    write(&folder, &fields::Clip::new(pattern(&[3, 2], 0, 24)), "It");
    let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
    assert!(!text.contains("repeated") && inspect(&folder, "")["repeats"] == json!([]), "{text}");
}

/// A letterbox; the suggested option removes it.
#[test]
fn black_borders() {
    let folder = Folder::new("inspect_borders");
    let mut clip = Clip::of_fields(&fields::Clip::new((0..40).collect()), format!("W160 H96 {RATE} It Cmono"));
    for (_, frame) in &mut clip.frames {
        frame[..11 * 160].fill(16);
        frame[92 * 160..].fill(17);
        frame.chunks_mut(160).for_each(|line| line[..6].fill(18));
    }
    folder.write("in.y4m", clip.bytes());
    let report = inspect(&folder, "");
    let borders = json!({"left": 6, "right": 0, "top": 11, "bottom": 4, "head_switching": 0, "crop": "6,12,154,80"});
    assert_eq!(report["borders"], borders, "{report}");
    folder.run("-q -y --deinterlace off --denoise off --crop 6,12,154,80 in.y4m out.y4m").succeeds();
    folder.write("in.y4m", folder.read("out.y4m"));
    assert_eq!(inspect(&folder, "")["borders"], Value::Null);
}
