//! `--denoise-motion`: its defaults, and frames, reports and times of a stream that is one frame
//! later.

use crate::clip::{Clip, Random};
use crate::fields::{self, pattern};
use crate::program::Folder;
use dndi::convert::{Captured, ClipFrame, Converter, ConverterBuilder, DeinterlaceMode, Event, FieldOrderMode, OutputRate};
use dndi::{
    Deinterlacer, DenoiseMode, Format, Frame, FrameFlags, Interlacing, Parameters, Sampling, Scan, Statistics, Stream,
    StreamBuilder, UserData,
};
use serde_json::Value;

const DEINTERLACERS: [Deinterlacer; 3] = [Deinterlacer::Gen6, Deinterlacer::Balanced, Deinterlacer::Best];

/// The outputs of a stream, and the statistics of each frame.
fn library(clip: &Clip, builder: StreamBuilder) -> (Vec<Vec<u8>>, Vec<Statistics>) {
    let mut stream = builder.build().unwrap();
    let (mut outputs, mut statistics) = (vec![], vec![]);
    let mut take = |stream: &mut Stream| {
        outputs.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame.data().to_vec()));
        let last = stream.statistics().filter(|last| last.step == statistics.len() as u64);
        statistics.extend(last.cloned());
    };
    for samples in clip.samples() {
        stream.push(&Frame::from_vec(clip.format(), samples.to_vec()).planes()).unwrap();
        take(&mut stream);
    }
    stream.flush().unwrap();
    take(&mut stream);
    (outputs, statistics)
}

/// A clip of noise that every mode but `off` changes, in luma and chroma.
fn noisy(tags: &str) -> Clip {
    let mut clip = Clip::new(tags, 6);
    let mut random = Random::new(1);
    clip.frames.iter_mut().flat_map(|frame| &mut frame.1).for_each(|sample| *sample = 100 + random.below(25) as u8);
    clip
}

/// Squares of random levels that move by 5 samples across and 1 line down from picture to picture.
/// The noise that automatic denoising measures is 0.
fn clean(x: usize, y: usize, picture: usize) -> u8 {
    let [x, y] = [x + 5 * picture, y + 1200 - picture].map(|at| at as u32 / 24);
    let v = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0x2c1b_3c6d);
    20 + ((v ^ v >> 15) >> 8) as u8 / 2
}

#[test]
fn frames_and_rows_are_those_of_the_library() {
    let folder = Folder::new("denoise_motion");
    for (tags, scan) in [("W96 H64 F25:1 Ip C420jpeg", Scan::Progressive), ("W96 H64 F25:1 Ib C422", Scan::BottomFirst)] {
        let clip = noisy(tags);
        folder.write("in.y4m", clip.bytes());
        for (number, deinterlacer) in DEINTERLACERS.into_iter().enumerate() {
            let mode = [DenoiseMode::Auto, DenoiseMode::Medium, DenoiseMode::Strong][number];
            let chroma = [DenoiseMode::Light, DenoiseMode::Auto, DenoiseMode::Off][number];
            let builder = Stream::builder(clip.format(), scan).deinterlacer(deinterlacer).denoise_motion(true);
            let (expected, statistics) = library(&clip, builder.denoise(mode).denoise_chroma(chroma));
            let modes = format!("--denoise {mode} --denoise-chroma {chroma}");
            let options = format!("--deinterlacer {deinterlacer} --denoise-motion on {modes}");
            folder.run(&format!("-y {options} --stats stats in.y4m out.y4m")).succeeds();
            assert!(Clip::parse(&folder.read("out.y4m")).samples() == expected, "{tags} {options}");
            // Every frame has a row, with its own measurements.
            let rows = folder.read_text("stats");
            let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
            assert_eq!((rows.len(), statistics.len()), (6, 6), "{tags} {options}");
            for (number, (row, statistics)) in rows.iter().zip(&statistics).enumerate() {
                assert_eq!((&row["step"], statistics.step), (&number.into(), number as u64), "{tags} {options}");
                assert_eq!(row["gne_sum"], statistics.gne_sum, "{tags} {options}");
                let v: Vec<u64> = row["v"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect();
                assert_eq!(v, statistics.fmd_variances, "{tags} {options}");
                assert_eq!((&row["motion_blocks"], &row["history_sum"]), (&0.into(), &0.into()), "{tags} {options}");
                let level = |row: &Value| row["denoise"]["noise"].as_f64().unwrap();
                assert_eq!(level(row), f64::from(statistics.denoise.as_ref().unwrap().noise.unwrap()) / 64.0);
                assert_eq!(row.get("denoise_chroma").is_some(), chroma != DenoiseMode::Off, "{tags} {options}");
                if mode == DenoiseMode::Medium {
                    assert_eq!((level(row), row["denoise"]["cut"].as_bool()), (6.0, Some(false)));
                    assert!(row["outputs"].as_array().unwrap().iter().all(|output| level(output) == 6.0));
                }
            }
        }
    }
}

/// The chroma is denoised unless an option says otherwise.
#[test]
fn defaults() {
    let folder = Folder::new("denoise_motion_defaults");
    let clip = noisy("W64 H48 F25:1 It C444");
    folder.write("in.y4m", clip.bytes());
    let run = |options: &str| {
        folder.run(&format!("-y {options} in.y4m out.y4m")).succeeds();
        folder.read("out.y4m")
    };
    let on = run("--denoise-motion on");
    assert!(on == run("--denoise-motion on --denoise auto --denoise-chroma auto"));
    assert!(on != run("--denoise-motion on --denoise-chroma off"));
    assert!(on != run("--denoise-motion on --denoise off --denoise-chroma auto") && on != run(""));
    assert!(run("") == run("--denoise-motion off --denoise-chroma auto") && run("") != run("--denoise-chroma off"));
    assert!(run("--denoise-motion on --denoise-motion off") == run(""), "the last option applies");
    assert!(run("--preset best") == run("--deinterlacer best --denoise-motion on"));
    assert!(run("--preset best --denoise-motion off") == run("--deinterlacer best"));
    assert!(run("--preset best --denoise-chroma off") == run("--deinterlacer best --denoise-motion on --denoise-chroma off"));
    // Without any denoising the frames are those of the other filter switched off.
    assert!(run("-q --denoise-motion on --denoise off --denoise-chroma off") == run("--denoise off"));
    assert!(run("-q --denoise-motion on --denoise off") == run("--denoise off"));
    assert!(run("--preset best --denoise off") == run("--deinterlacer best --denoise off"));
    assert!(run("--denoise-motion on --denoise off --denoise-chroma auto") != run("--denoise off"));
    folder.write("p.toml", "denoise-motion = true\n");
    assert!(run("--profile p.toml") == on);
    folder.write("p.toml", "denoise-motion = \"on\"\ndenoise-chroma = \"off\"\n");
    assert!(run("--profile p.toml") == run("--denoise-motion on --denoise-chroma off"));
    folder.run("-y --denoise-motion maybe in.y4m out.y4m").fails(2, "maybe");
    // -v names the filter.
    for (options, text) in
        [("on", "denoise auto along motion, "), ("on --denoise off", "denoise off, "), ("off", "denoise auto, ")]
    {
        let result = folder.run(&format!("-y -v --denoise-motion {options} in.y4m out.y4m"));
        assert!(result.stderr.contains(text), "{}", result.stderr);
    }
    // A part of the clip.
    let part = |options: &str| Clip::parse(&run(&format!("--denoise-motion on {options}")));
    let whole = part("");
    assert_eq!(whole.frames.len(), 12);
    assert!(part("--skip 2 --warmup 2").frames == whole.frames[4..]);
    assert_eq!(part("--skip 5").frames.len(), 2);
    assert_eq!(part("--frames 0").frames.len(), 0);
    assert_eq!(part("--frames 1 --rate frame").frames.len(), 1);
}

#[test]
fn options_without_effect_warn() {
    let folder = Folder::new("denoise_motion_warnings");
    folder.write("in.y4m", Clip::new("W48 H32 F25:1 It C420jpeg", 2).bytes());
    folder.write("mono.y4m", Clip::new("W48 H32 F25:1 It Cmono", 2).bytes());
    let set = "parameters of the denoise filter have no effect with --denoise-motion on";
    for (options, message) in [
        ("--denoise on in.y4m", "--denoise on acts like auto: --denoise-motion on has no filter parameters"),
        ("--denoise-chroma on in.y4m", "on acts like auto"),
        ("--set stad_th=100 in.y4m", set),
        ("--set chroma.stad_th=100 in.y4m", set),
        ("--denoise off in.y4m", "--denoise-motion has no effect: nothing is denoised"),
        ("--denoise off mono.y4m", "--denoise-motion has no effect: nothing is denoised"),
    ] {
        folder.run(&format!("-y --denoise-motion on {options} out.y4m")).warns(message);
    }
    for options in
        ["--denoise-motion on", "--preset best", "--denoise-motion on --denoise off --denoise-chroma auto", "--set stad_th=100"]
    {
        folder.run(&format!("-y {options} in.y4m out.y4m")).succeeds();
    }
}

/// A clip without noise, which the filter does not change. Its frames, times, rows and pictures of
/// `dndi view` are those without denoising: a later step changes none of them.
#[test]
fn clean_clips_do_not_change() {
    let folder = Folder::new("denoise_motion_clean");
    for (fields, tag) in [
        (pattern(&[2, 3], 0, 16), "It"),
        ((0..40).collect(), "It"),
        ([pattern(&[2], 0, 15), (100..140).collect()].concat(), "Ip"),
        (vec![0, 0], "It"),
    ] {
        let clip = fields::Clip::new(fields).painted(clean);
        folder.write("in.y4m", Clip::of_fields(&clip, format!("W160 H96 F30000:1001 {tag} Cmono")).bytes());
        for options in ["", "--rate frame", "--rate film", "--deinterlacer gen6", "--deinterlace off", "--skip 3"] {
            let run = |denoise: &str| {
                let files = "--stats stats --timecodes times --framemd5 sums in.y4m out.y4m";
                let rate = if options.contains("film") { "" } else { "--film off" };
                let arguments = format!("-y -q {options} {rate} --denoise {denoise} {files}");
                let output = folder.plain(&arguments).output().unwrap();
                crate::program::RunResult::new(&arguments, output).succeeds();
                let rows = folder.read_text("stats");
                let rows: Vec<Value> = rows.lines().map(|row| without_filters(serde_json::from_str(row).unwrap())).collect();
                (folder.read("out.y4m"), rows, folder.read("times"), folder.read("sums"))
            };
            let (on, off) = (run("auto --denoise-motion on"), run("off"));
            assert!(on.0 == off.0, "{tag} {options}");
            assert_eq!(on.1, off.1, "{tag} {options}");
            assert!(on.2 == off.2 && on.3 == off.3, "{tag} {options}");
        }
    }
    let clip = fields::Clip::new((0..12).collect()).painted(clean);
    folder.write("in.y4m", Clip::of_fields(&clip, "W160 H96 F25:1 It Cmono".to_owned()).bytes());
    for deinterlacer in DEINTERLACERS {
        for options in ["--frame 0", "--frame 2 --field 2 --overlay motion --show both", "--frame 4 --overlay tears"] {
            let view = |denoise: &str| {
                let options = format!("{options} --field-order header --film off --deinterlacer {deinterlacer}");
                folder.run(&format!("view {options} --denoise {denoise} in.y4m -")).succeeds().stdout
            };
            assert!(view("auto --denoise-motion on") == view("off"), "{deinterlacer} {options}");
        }
    }
    folder
        .run("view --frame 2 --overlay history --denoise-motion on in.y4m -")
        .fails(2, "--denoise-motion on have no motion history");
}

/// A row without the denoise filters.
fn without_filters(mut row: Value) -> Value {
    let remove = |row: &mut Value| {
        let row = row.as_object_mut().unwrap();
        row.remove("denoise");
        row.remove("denoise_chroma");
    };
    row["outputs"].as_array_mut().unwrap().iter_mut().for_each(remove);
    remove(&mut row);
    row
}

/// An event of a conversion, without the denoise filters.
#[derive(Debug, PartialEq)]
enum Seen {
    /// The report of a frame, and the first sample of the input frame that is free after it.
    Step(String, Option<u8>),
    Output(String, Vec<u8>),
}

/// All events of a conversion, and the captured output of `field`.
fn events(builder: ConverterBuilder, frames: &[ClipFrame], field: u64, change: &Parameters) -> (Vec<Seen>, Option<Captured>) {
    let mut converter = builder.build().unwrap();
    converter.capture(field);
    let (mut seen, mut captured, mut numbers) = (vec![], None, vec![]);
    let mut take = |converter: &mut Converter| {
        while let Some(event) = converter.next_event().unwrap() {
            match event {
                Event::Step(report) => {
                    let statistics = report.statistics.clone().map(|mut statistics| {
                        (statistics.denoise, statistics.denoise_chroma) = (None, None);
                        statistics
                    });
                    let text = format!("{} {:?} {:?} {statistics:?}", report.number, report.decision, report.notice);
                    let free = converter.spare_input().map(|frame| frame.data()[0]);
                    numbers.push(report.number);
                    seen.push(Seen::Step(format!("{text} {}", report.outputs), free));
                }
                Event::Output(output) => {
                    let data = output.user_data.as_ref().and_then(UserData::get::<u64>).copied();
                    assert_eq!(data, Some(output.field / 2));
                    let times = (output.number, output.field, output.time, output.duration);
                    let text = format!("{times:?} {:?} {:?} {:?}", output.decision, output.field_match, output.sources);
                    seen.push(Seen::Output(text, output.frame.data().to_vec()));
                }
                _ => unreachable!(),
            }
        }
        captured = captured.take().or_else(|| converter.take_captured());
    };
    for (number, frame) in frames.iter().enumerate() {
        if number == 7 {
            converter.set_parameters(change.clone()).unwrap();
        }
        converter.push(frame.clone().user_data(UserData::new(number as u64))).unwrap();
        take(&mut converter);
    }
    converter.finish();
    take(&mut converter);
    assert!(numbers.iter().copied().eq(0..frames.len() as u64), "{numbers:?}");
    (seen, captured)
}

/// With denoising along motion a conversion of a clean clip has the same events, in the same order:
/// reports with the statistics and the decision of their frame, outputs, captures, new parameters.
#[test]
fn events_of_a_conversion() {
    let clips = [
        (pattern(&[2, 3], 0, 12), Interlacing::TopFirst),
        ([pattern(&[2], 0, 12), (100..124).collect()].concat(), Interlacing::Progressive),
        ((0..24).collect(), Interlacing::Mixed),
    ];
    let mut change = Parameters::default();
    (change.color.procamp_enable, change.color.contrast) = (true, 180);
    for (fields, interlacing) in clips {
        let flags = |number: usize| match (interlacing, number) {
            (Interlacing::Mixed, 0..4) => FrameFlags::default().field_order(dndi::FieldOrder::TopFirst),
            (Interlacing::Mixed, 4..9) => FrameFlags::default().field_order(dndi::FieldOrder::BottomFirst),
            (Interlacing::Mixed, _) => FrameFlags::default().progressive(true),
            _ => FrameFlags::default(),
        };
        let frames = fields::Clip::new(fields).painted(clean).frames();
        let frames: Vec<_> = frames.into_iter().enumerate().map(|(n, frame)| ClipFrame::new(frame).flags(flags(n))).collect();
        let last = 2 * frames.len() as u64 - 1;
        for (number, deinterlacer) in DEINTERLACERS.into_iter().enumerate() {
            for (rate, mode, order) in [
                (OutputRate::Field, DeinterlaceMode::Auto, FieldOrderMode::Auto),
                (OutputRate::Frame, DeinterlaceMode::Auto, FieldOrderMode::Flags),
                (OutputRate::Film, DeinterlaceMode::Auto, FieldOrderMode::Auto),
                (OutputRate::Frame, DeinterlaceMode::Off, FieldOrderMode::Auto),
            ] {
                let name = format!("{interlacing:?}, {deinterlacer}, {rate}, {mode}, {order}");
                let convert = |motion: bool, field: u64| {
                    let (width, height) = fields::SIZE;
                    let builder = Converter::builder(Format::new(width, height, Sampling::Mono)).frame_rate(30, 1);
                    let builder = builder.interlacing(interlacing).rate(Some(rate)).deinterlace(mode).field_order(order);
                    let denoise = if motion { DenoiseMode::Auto } else { DenoiseMode::Off };
                    let stream = |stream: StreamBuilder| {
                        stream.deinterlacer(deinterlacer).denoise(denoise).denoise_motion(motion).luma_statistics(true)
                    };
                    events(builder.stream(stream), &frames, field, &change)
                };
                for field in [0, 5, 9 + number as u64, last - 3, last - 2, last - 1, last] {
                    let ((on, on_captured), (off, off_captured)) = (convert(true, field), convert(false, field));
                    assert_eq!(on.len(), off.len(), "{name}");
                    for (on, off) in on.iter().zip(&off) {
                        assert!(on == off, "{name}: {on:?}\n{off:?}");
                    }
                    assert_eq!(on_captured.is_some(), off_captured.is_some(), "{name}, field {field}");
                    let (Some(on), Some(off)) = (on_captured, off_captured) else { continue };
                    assert!(on.frame == off.frame && on.scan == off.scan, "{name}, field {field}");
                    assert_eq!(on.maps.is_some(), off.maps.is_some(), "{name}, field {field}");
                    assert!(on.maps == off.maps && on.comb_mask == off.comb_mask, "{name}, field {field}");
                }
            }
        }
    }
}

#[test]
fn the_engine_of_messages_refuses_it() {
    let folder = Folder::new("denoise_motion_messages");
    folder.write("in.y4m", Clip::new("W40 H24 It C420jpeg", 2).bytes());
    let text = "--engine messages: messages do not support denoising along motion";
    folder.run("-y --engine messages --denoise-motion on in.y4m out.y4m").fails(2, text);
    folder.run("-y --engine messages --denoise-motion on --denoise off --denoise-chroma auto in.y4m out.y4m").fails(2, text);
    assert!(!folder.path("out.y4m").exists());
    // With nothing to denoise there is no conflict.
    folder.run("-y -q --engine messages --denoise-motion on --denoise off in.y4m out.y4m").succeeds();
}
