//! The library's converter reproduces every byte and every timestamp of the program.

use crate::clip::Clip;
use crate::fields::{self, moving, pattern};
use crate::program::{Folder, RunResult};
use dndi::convert::{ClipFrame, Converted, Converter, DeinterlaceMode, FieldOrderMode, OutputRate, Survey};
use dndi::y4m::{Header, Reader};
use dndi::{Detector, FieldMatching, Frame, UserData};

const TAGS: &str = "W160 H96 F30000:1001 I? Cmono";

/// Film and video, flagged correctly and incorrectly, with the interlacing tag of the header.
fn clips() -> Vec<(&'static str, fields::Clip, &'static str)> {
    let telecined = || pattern(&[2, 3], 0, 24);
    let video = || Vec::from_iter(0..60);
    let progressive = || pattern(&[2], 0, 30);
    let then = |first: Vec<usize>, second: std::ops::Range<usize>| [first, second.collect()].concat();
    vec![
        ("film", fields::Clip::new(telecined()), "It"),
        ("film, bottom field first", fields::Clip::new(telecined()).bottom_first(), "Ib"),
        ("film flagged as progressive", fields::Clip::new(telecined()), "Ip"),
        ("2:2, one field late", fields::Clip::new([vec![0], pattern(&[2], 1, 30), vec![31]].concat()), "It"),
        ("film, then video", fields::Clip::new(then(telecined(), 100..150)), "It"),
        ("video, then film", fields::Clip::new([video(), pattern(&[3, 2], 200, 20)].concat()), "I?"),
        ("interlaced", fields::Clip::new(video()), "It"),
        ("interlaced, flagged in the wrong order", fields::Clip::new(video()).bottom_first(), "It"),
        ("interlaced, flagged as progressive", fields::Clip::new(video()), "Ip"),
        ("progressive", fields::Clip::new(progressive()), "Ip"),
        ("progressive, flagged as interlaced", fields::Clip::new(progressive()), "It"),
        ("progressive, then interlaced", fields::Clip::new(then(progressive(), 100..160)), "Ip"),
        ("three frames", fields::Clip::new(Vec::from_iter(0..6)), "I?"),
    ]
}

/// The survey of the frames from `skip` on.
fn survey(bytes: &[u8], header: &Header, skip: u64) -> Survey {
    let mut reader = Reader::new(bytes).unwrap();
    let mut frames = vec![];
    let mut frame = Frame::default();
    while reader.read(&mut frame).unwrap().is_some() {
        frames.push(std::mem::take(&mut frame));
    }
    let frames = &frames[(skip as usize).min(frames.len())..];
    let mut survey = Survey::default();
    for window in Survey::windows(frames.len() as u64, header.format()) {
        let mut detector = Detector::builder(header.format()).build().unwrap();
        for frame in &frames[window.start as usize..window.end as usize] {
            detector.push(frame.planes()[0], header.interlacing().scan()).unwrap();
        }
        detector.finish();
        survey.add_window(std::iter::from_fn(|| detector.pull()));
    }
    survey
}

/// The outputs of the library for a y4m stream. `change` modifies the program's defaults.
fn library(
    bytes: &[u8],
    skip: u64,
    change: impl Fn(dndi::convert::ConverterBuilder) -> dndi::convert::ConverterBuilder,
) -> Vec<Converted> {
    let mut reader = Reader::new(bytes).unwrap();
    let header: Header = reader.header().clone();
    let (frames, seconds) = header.rate().unwrap();
    let builder = Converter::builder(header.format()).frame_rate(frames, seconds).interlacing(header.interlacing());
    let builder = change(builder.first_output(skip));
    let survey = builder.uses_survey().then(|| survey(bytes, &header, skip));
    let mut converter = builder.survey(survey).build().unwrap();
    let mut outputs = vec![];
    for number in 0u64.. {
        let mut frame = Frame::default();
        match reader.read(&mut frame).unwrap() {
            Some(header) if number < skip => converter.skip(1, header.flags().field_order),
            Some(header) => converter.push(ClipFrame::new(frame).flags(header.flags()).user_data(UserData::new(number))).unwrap(),
            None => converter.finish(),
        }
        while let Some(output) = converter.pull().unwrap() {
            assert_eq!(output.user_data.as_ref().and_then(UserData::get::<u64>), Some(&(output.field / 2)));
            outputs.push(output);
        }
        if converter.is_finished() {
            break;
        }
    }
    outputs
}

/// Compares bytes, timestamps and decisions of the program and the library.
#[track_caller]
fn same(
    folder: &Folder,
    options: &str,
    skip: u64,
    name: &str,
    change: impl Fn(dndi::convert::ConverterBuilder) -> dndi::convert::ConverterBuilder,
) {
    let arguments = format!("-y -q {options} --skip {skip} --timecodes times --stats stats in.y4m out.y4m");
    RunResult::new(&arguments, folder.plain(&arguments).output().unwrap()).succeeds();
    let out = Clip::parse(&folder.read("out.y4m"));
    let change = |builder| change(builder).variable_rate(true).stream(|stream| stream.luma_statistics(true));
    let outputs = library(&folder.read("in.y4m"), skip, change);
    let frames: Vec<_> = outputs.iter().map(|output| output.frame.data()).collect();
    assert_eq!(frames.len(), out.frames.len(), "{name}: {options}");
    assert!(frames == out.samples(), "{name}: {options}");
    // A quarter of a frame lasts 1001 / 120000 s. The first timestamp of a file is always 0.
    let nanoseconds = |time: u64| (u128::from(time) * 1001 * 1_000_000_000 + 60_000) / 120_000;
    let times = outputs.iter().enumerate().map(|(n, output)| if n == 0 { 0 } else { nanoseconds(output.time - 4 * skip) });
    let times = times.map(|time| format!("{}.{:06}\n", time / 1_000_000, time % 1_000_000)).collect::<String>();
    assert_eq!(folder.read_text("times"), format!("# timestamp format v2\n{times}"), "{name}: {options}");
    let rows = folder.read_text("stats");
    let rows = rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
    let rows: Vec<_> = rows.flat_map(|row| row["outputs"].as_array().unwrap().clone()).collect();
    for (row, output) in rows.iter().zip(&outputs) {
        assert_eq!((&row["field"], &row["frame"]), (&output.field.into(), &output.number.into()), "{name}: {options}");
        assert_eq!(row["code"], output.field_match.code(), "{name}: {options}");
        let reason = output.decision.as_ref().map_or("not detected".to_owned(), |decision| decision.reason.to_string());
        assert_eq!(row["reason"], reason, "{name}: {options}");
    }
    assert_eq!(rows.len(), outputs.len(), "{name}: {options}");
    // Each output lasts until the next one.
    assert!(outputs.windows(2).all(|pair| pair[0].time + pair[0].duration == pair[1].time), "{name}: {options}");
}

#[test]
fn defaults_and_rates() {
    let folder = Folder::new("converter");
    for (name, clip, tag) in clips() {
        folder.write("in.y4m", Clip::of_fields(&clip, TAGS.replace("I?", tag)).bytes());
        same(&folder, "", 0, name, |builder| builder);
        same(&folder, "", 2, name, |builder| builder);
        for (option, rate) in [("field", OutputRate::Field), ("frame", OutputRate::Frame), ("film", OutputRate::Film)] {
            same(&folder, &format!("--rate {option}"), 0, name, |builder| builder.rate(Some(rate)));
        }
    }
}

#[test]
fn modes() {
    let folder = Folder::new("converter_modes");
    for (name, clip, tag) in clips() {
        folder.write("in.y4m", Clip::of_fields(&clip, TAGS.replace("I?", tag)).bytes());
        same(&folder, "--field-order header", 0, name, |builder| builder.field_order(FieldOrderMode::Flags));
        same(&folder, "--field-order bff", 1, name, |builder| builder.field_order(FieldOrderMode::BottomFirst));
        same(&folder, "--film off", 0, name, |builder| builder.field_matching(FieldMatching::Off));
        same(&folder, "--film reconstruct", 0, name, |builder| builder.field_matching(FieldMatching::Always));
        same(&folder, "--deinterlace flagged", 0, name, |builder| builder.deinterlace(DeinterlaceMode::Flagged));
        same(&folder, "--deinterlace off --denoise off", 0, name, |builder| {
            builder.deinterlace(DeinterlaceMode::Off).stream(|stream| stream.denoise(false))
        });
    }
}

/// In a mixed clip each frame has its own flags.
#[test]
fn mixed_flags() {
    let folder = Folder::new("converter_mixed");
    let clip = Clip::of_fields(&fields::Clip::new((0..40).collect()).painted(moving), TAGS.replace("I?", "Im"));
    let flags = [["Itpp"; 5], ["Itii"; 5], ["Ibii"; 5], ["I1pp"; 5]].concat();
    folder.write("in.y4m", clip.flagged(&flags).bytes());
    for skip in [0, 7, 12] {
        same(&folder, "", skip, "mixed", |builder| builder);
        same(&folder, "--field-order header", skip, "mixed", |builder| builder.field_order(FieldOrderMode::Flags));
        same(&folder, "--deinterlace flagged --field-order tff", skip, "mixed", |builder| {
            builder.deinterlace(DeinterlaceMode::Flagged).field_order(FieldOrderMode::TopFirst)
        });
    }
}

/// Without a variable rate, outputs at the film rate are evenly spaced; the converter repeats
/// frames where other material needs it.
#[test]
fn constant_film_rate() {
    let folder = Folder::new("converter_constant");
    for (name, clip, tag) in clips() {
        folder.write("in.y4m", Clip::of_fields(&clip, TAGS.replace("I?", tag)).bytes());
        let arguments = "-y -q --rate film in.y4m out.y4m";
        RunResult::new(arguments, folder.plain(arguments).output().unwrap()).succeeds();
        let out = Clip::parse(&folder.read("out.y4m"));
        let outputs = library(&folder.read("in.y4m"), 0, |builder| builder.rate(Some(OutputRate::Film)));
        assert!(outputs.iter().map(|output| output.frame.data()).eq(out.samples().iter().copied()), "{name}");
        assert!(outputs.iter().zip(0..).all(|(output, number)| output.number == number), "{name}");
        let duration = outputs[0].duration;
        assert!(outputs.iter().all(|o| (o.time, o.duration) == (o.number * duration, duration)), "{name}");
    }
}
