//! The converter: numbers of frames and fields, rates, engines with absurd times.
use crate::{LONG, WORDS, pairs, texture};
use dndi::convert::*;
use dndi::{Error, Format, Frame, Sampling};

const FORMAT: Format = Format::new(32, 16, Sampling::C420);

const RATES: [Option<OutputRate>; 4] = [None, Some(OutputRate::Field), Some(OutputRate::Frame), Some(OutputRate::Film)];

fn builder(rate: Option<OutputRate>) -> ConverterBuilder {
    Converter::builder(FORMAT).rate(rate).stream(|stream| stream.denoise(false))
}

/// Converts 16 frames and checks that the outputs follow each other.
fn convert(mut converter: Converter) -> Result<Vec<Converted>, Error> {
    let mut outputs: Vec<Converted> = vec![];
    for seed in 0..16 {
        converter.push(texture(Frame::new(FORMAT), seed))?;
        while let Some(output) = converter.pull()? {
            outputs.push(output);
        }
    }
    converter.finish();
    while let Some(output) = converter.pull()? {
        outputs.push(output);
    }
    assert!(outputs.len() <= 32, "{} outputs of 16 frames", outputs.len());
    assert!(
        outputs.windows(2).all(|pair| pair[0].time + pair[0].duration == pair[1].time && pair[0].number + 1 == pair[1].number)
    );
    Ok(outputs)
}

#[test]
fn first_frames_of_any_number() {
    for rate in RATES {
        for (skipped, first) in pairs(&LONG) {
            for variable in [false, true] {
                let mut converter = builder(rate).first_output(first).variable_rate(variable).build().unwrap();
                converter.skip(skipped, None);
                converter.skip(skipped, None);
                let position = converter.position();
                assert!(position >= skipped.min(1 << 56) && position <= 1 << 56);
                let outputs = convert(converter).unwrap();
                // Frames before the first output are processed only.
                assert_eq!(outputs.is_empty(), first.min(1 << 56) >= position + 16, "{rate:?} {skipped} {first}");
                let start = 4 * position.max(first.min(1 << 56));
                let near = |output: &Converted| (start..start + 8).contains(&output.time);
                assert!(outputs.first().is_none_or(near), "{rate:?} {skipped} {first}");
            }
        }
    }
}

/// Chunks of any numbers, and those whose fields are changed to numbers without an order.
#[test]
fn chunks_of_any_numbers() {
    for rate in RATES {
        for (a, b) in pairs(&LONG) {
            let chunks = Chunks::new(a, b).starting_at(b, a);
            let count = chunks.count(a);
            let mut wrong: Chunk = chunks.chunk(count);
            (wrong.index, wrong.begin, wrong.first, wrong.end, wrong.start) = (a, b, a, b, b);
            let mut reversed = wrong;
            (reversed.begin, reversed.first, reversed.end, reversed.start) = (a, b, a, a);
            for chunk in [chunks.chunk(a), chunks.chunk(b), wrong, reversed] {
                let mut converter = builder(rate).chunk(chunk, None).build().unwrap();
                let mut outputs = 0;
                for seed in 0..16 {
                    converter.push(texture(Frame::new(FORMAT), seed)).unwrap();
                    while converter.pull().unwrap().is_some() {
                        outputs += 1;
                    }
                }
                converter.finish();
                while converter.pull().unwrap().is_some() {
                    outputs += 1;
                }
                assert!(outputs <= 32, "{rate:?} {chunk:?}: {outputs} outputs of 16 frames");
            }
        }
    }
}

#[test]
fn skipping_after_the_start_has_no_effect() {
    for rate in RATES {
        let mut converter = builder(rate).build().unwrap();
        converter.push(texture(Frame::new(FORMAT), 0)).unwrap();
        for frames in LONG {
            converter.skip(frames, None);
        }
        assert_eq!(converter.position(), 0);
    }
}

#[test]
fn fields_of_any_number_are_captured_or_not() {
    for field in LONG {
        let mut converter = builder(Some(OutputRate::Frame)).build().unwrap();
        converter.capture(field);
        converter.push(texture(Frame::new(FORMAT), 0)).unwrap();
        converter.push(texture(Frame::new(FORMAT), 1)).unwrap();
        converter.finish();
        while converter.pull().unwrap().is_some() {}
        // The detector finds progressive frames, whose second fields have no output.
        assert_eq!(converter.take_captured().is_some(), field == 0, "{field}");
    }
}

#[test]
fn frame_rates_of_any_numbers() {
    for (frames, seconds) in pairs(&WORDS) {
        let mut converter = builder(Some(OutputRate::Film)).frame_rate(frames, seconds).build().unwrap();
        converter.push(texture(Frame::new(FORMAT), 0)).unwrap();
        converter.finish();
        let mut plan = (*converter.plan().unwrap().unwrap()).clone();
        assert!((1..=4).contains(&plan.ratio.0) && plan.duration() > 0);
        for (output, input) in pairs(&WORDS) {
            plan.ratio = (output, input);
            plan.film_ratio = (output, input);
            assert!(plan.duration() <= 4 * u64::from(input));
        }
    }
}

#[test]
fn formats_outside_the_range_are_errors() {
    for (width, height) in pairs(&crate::SIZES) {
        let format = Format::new(width, height, Sampling::C444);
        if format.samples() > 1 << 20 || format.samples() == 0 {
            let inside = (1..=dndi::MAX_SIZE).contains(&width) && (1..=dndi::MAX_SIZE).contains(&height);
            let deep = Converter::builder(format.with_depth(99)).build();
            assert_eq!(deep.err(), Some(Error::Depth(99)));
            assert!(inside || matches!(Converter::builder(format).build(), Err(Error::Size { .. })));
        }
    }
}

/// Windows of clips of any length and size lie in the clip, in order, and are never many.
#[test]
fn surveys_of_any_clip() {
    let sizes = [0, 1, 31, 8192, usize::MAX];
    for frames in LONG.iter().copied().chain([0, 320, 321]) {
        for (width, height) in sizes.iter().flat_map(|&width| sizes.map(|height| (width, height))) {
            let format = Format::new(width, height, Sampling::C444).with_depth(16);
            let windows: Vec<_> = Survey::windows(frames, format).take(1000).collect();
            assert!(windows.iter().all(|window| window.start <= window.end && window.end <= frames), "{frames} {format:?}");
            assert!(windows.windows(2).all(|pair| pair[0].end <= pair[1].start), "{frames} {format:?}");
        }
    }
    assert_eq!(Survey::default().rate(true), None);
}
