//! The library's chunks: outputs of each rate across their borders.

#[allow(dead_code, reason = "the tests of the detector use the rest")]
#[path = "detect/clip.rs"]
mod fields;

use dndi::convert::{Chunks, ClipFrame, Converted, Converter, ConverterBuilder, DetectedStart, Event, OutputRate};
use dndi::{Format, Frame, FrameFlags, Interlacing, Sampling};
use fields::{Clip, elsewhere, moving, pattern};

const FORMAT: Format = Format::new(160, 96, Sampling::Mono);

/// The outputs of the whole clip.
fn whole(frames: &[ClipFrame], builder: ConverterBuilder) -> Vec<Converted> {
    builder.build().unwrap().convert(frames.iter().cloned()).map(Result::unwrap).collect()
}

fn start(frames: &[ClipFrame], builder: ConverterBuilder) -> Option<DetectedStart> {
    let mut converter = builder.build().unwrap();
    for frame in frames {
        if converter.knows_start() {
            break;
        }
        converter.push(frame.clone()).unwrap();
    }
    converter.finish();
    converter.detected_start()
}

/// The outputs of all chunks, and the numbers of the frames that have reports.
fn chunked(frames: &[ClipFrame], chunks: Chunks, builder: impl Fn() -> ConverterBuilder) -> (Vec<Converted>, Vec<u64>) {
    let start = start(frames, builder());
    let (mut outputs, mut reports) = (vec![], vec![]);
    for chunk in (0..chunks.count(frames.len() as u64)).map(|index| chunks.chunk(index)) {
        let mut converter = builder().chunk(chunk, start).build().unwrap();
        let mut input = frames[chunk.begin as usize..].iter();
        loop {
            while let Some(event) = converter.next_event().unwrap() {
                match event {
                    Event::Step(step) => reports.push(step.number),
                    Event::Output(output) => outputs.push(*output),
                    _ => {}
                }
            }
            match input.next() {
                _ if converter.is_complete() => break,
                Some(frame) => converter.push(frame.clone()).unwrap(),
                None if converter.is_finished() => break,
                None => converter.finish(),
            }
        }
        // A chunk needs the look-ahead and a few frames, not the rest of the clip.
        let read = frames.len() - input.len();
        assert!(read as u64 <= chunk.end + 20, "chunk {} reads {read} frames", chunk.index);
    }
    (outputs, reports)
}

fn clip(clip: &Clip) -> Vec<ClipFrame> {
    clip.frames().into_iter().map(ClipFrame::new).collect()
}

/// Video, film of all patterns, and progressive frames.
fn clips() -> Vec<(&'static str, Vec<ClipFrame>)> {
    let film = |fields: &[usize], cut: usize| Clip::new(pattern(fields, 0, 44)[cut..].to_vec());
    vec![
        ("video", clip(&Clip::new((0..100).collect()))),
        ("bottom first", clip(&Clip::new((0..91).collect()).bottom_first())),
        ("progressive", clip(&Clip::new(pattern(&[2], 0, 61)))),
        ("3:2", clip(&film(&[3, 2], 0))),
        ("3:2 from its second field", clip(&film(&[3, 2], 1))),
        ("2:3 from its fourth field", clip(&film(&[2, 3], 3))),
        ("3:2:2:3", clip(&film(&[3, 2, 2, 3], 1))),
        ("2:2:2:4", clip(&film(&[2, 2, 2, 4], 1))),
        ("film, then video", clip(&Clip::new([pattern(&[3, 2], 0, 30), (100..180).collect()].concat()))),
    ]
}

const RATES: [OutputRate; 3] = [OutputRate::Field, OutputRate::Frame, OutputRate::Film];

fn builder(rate: OutputRate) -> ConverterBuilder {
    Converter::builder(FORMAT).frame_rate(30000, 1001).rate(Some(rate)).stream(|stream| stream.denoise(false))
}

/// Times, durations and fields of chunks follow each other as those of the whole clip do.
#[test]
fn times_continue_across_borders() {
    for (name, frames) in clips() {
        for rate in RATES {
            let whole = whole(&frames, builder(rate));
            let all = [Chunks::new(1, 0), Chunks::new(17, 20), Chunks::new(7, 3)];
            for chunks in all.into_iter().skip(usize::from(!["video", "3:2"].contains(&name))) {
                let (outputs, reports) = chunked(&frames, chunks, || builder(rate));
                let name = format!("{name}, {rate}, {chunks:?}");
                assert!(reports.iter().copied().eq(0..frames.len() as u64), "{name}: {reports:?}");
                assert!(outputs.iter().zip(0..).all(|(output, number)| output.number == number), "{name}");
                let times = |outputs: &[Converted]| outputs.iter().map(|o| (o.time, o.duration)).collect::<Vec<_>>();
                let same = whole.len().min(outputs.len());
                assert_eq!(times(&outputs)[..same], times(&whole)[..same], "{name}");
                let difference = whole.len().abs_diff(outputs.len());
                assert!(difference == 0 || rate == OutputRate::Film && difference == 1, "{name}: {difference}");
            }
        }
    }
}

/// With a warm-up of two periods each output shows the field that it shows in the whole clip.
#[test]
fn film_keeps_its_phase() {
    for (name, frames) in clips() {
        let whole = whole(&frames, builder(OutputRate::Film));
        for length in [10, 13, 20, 24] {
            let (outputs, _) = chunked(&frames, Chunks::new(length, 20), || builder(OutputRate::Film));
            let fields = |outputs: &[Converted]| outputs.iter().map(|output| output.field).collect::<Vec<_>>();
            assert_eq!(fields(&outputs), fields(&whole), "{name} in chunks of {length}");
        }
    }
}

/// With a variable rate each picture is output once, and is shown until the next one starts.
#[test]
fn variable_rate() {
    for (name, frames) in clips() {
        let builder = || builder(OutputRate::Film).variable_rate(true);
        let whole = whole(&frames, builder());
        let (outputs, _) = chunked(&frames, Chunks::new(13, 20), builder);
        let times = |outputs: &[Converted]| outputs.iter().map(|o| (o.field, o.time, o.duration)).collect::<Vec<_>>();
        assert_eq!(times(&outputs), times(&whole), "{name}");
    }
}

/// One chunk is the whole clip, also after skipped frames.
#[test]
fn a_single_chunk_is_the_clip() {
    for (name, frames) in clips() {
        for rate in RATES {
            let default = || Converter::builder(FORMAT).frame_rate(30000, 1001).rate(Some(rate));
            let pixels = |outputs: &[Converted]| outputs.iter().map(|o| (o.number, o.time, o.frame.clone())).collect::<Vec<_>>();
            let expected = whole(&frames, default());
            for length in [frames.len() as u64, 1000] {
                let (outputs, _) = chunked(&frames, Chunks::new(length, 50), default);
                assert!(pixels(&outputs) == pixels(&expected), "{name}, {rate}");
            }
            let mut converter = default().first_output(9).build().unwrap();
            converter.skip(4, None);
            let expected: Vec<_> = converter.convert(frames[4..].iter().cloned()).map(Result::unwrap).collect();
            let chunk = Chunks::new(1000, 50).starting_at(9, 5).chunk(0);
            let converter = default().chunk(chunk, start(&frames[4..], default())).build().unwrap();
            let outputs: Vec<_> = converter.convert(frames[4..].iter().cloned()).map(Result::unwrap).collect();
            assert!(pixels(&outputs) == pixels(&expected), "{name}, {rate}, from frame 9");
        }
    }
}

/// A cut to video of the other field order begins a stream; a chunk that starts in it knows the
/// order of the frames, one that starts with still frames that of the clip.
#[test]
fn field_order() {
    let parts = [Clip::new((0..60).collect()).bottom_first(), Clip::new(vec![7; 60]).painted(elsewhere).bottom_first()];
    let frames: Vec<_> = parts.iter().flat_map(clip).collect();
    let builder = || Converter::builder(FORMAT).stream(|stream| stream.denoise(false));
    let whole = whole(&frames, builder());
    let (outputs, _) = chunked(&frames, Chunks::new(15, 10), builder);
    let orders = |outputs: &[Converted]| outputs.iter().map(|o| o.decision.as_ref().unwrap().field_order).collect::<Vec<_>>();
    assert_eq!(orders(&outputs), orders(&whole));
}

/// Flags of frames hold in each chunk.
#[test]
fn mixed_flags() {
    let flags = |frame: usize| {
        let mut flags = FrameFlags::default();
        flags.progressive = frame / 8 % 2 == 1;
        flags
    };
    let frames = clip(&Clip::new((0..100).collect()).painted(moving));
    let frames: Vec<_> = frames.into_iter().enumerate().map(|(number, frame)| frame.flags(flags(number))).collect();
    let builder = || {
        let builder = builder(OutputRate::Field).interlacing(Interlacing::Mixed);
        builder.field_order(dndi::convert::FieldOrderMode::TopFirst).field_matching(dndi::FieldMatching::Off)
    };
    let whole = whole(&frames, builder());
    let (outputs, _) = chunked(&frames, Chunks::new(12, 10), builder);
    let matches = |outputs: &[Converted]| outputs.iter().map(|o| (o.time, o.field_match)).collect::<Vec<_>>();
    assert_eq!(matches(&outputs), matches(&whole));
    let frame = |outputs: &[Converted], at: usize| -> Frame { outputs[at].frame.clone() };
    assert_eq!(frame(&outputs, 33), frame(&whole, 33));
}
