//! The order of inputs and outputs.
use super::*;

#[test]
fn a_deinterlaced_stream_has_two_outputs_per_frame() {
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    assert_eq!(times(&mut stream), []);
    let mut outputs = vec![];
    for number in 0..4 {
        push(&mut stream, number).unwrap();
        outputs.push(times(&mut stream));
        // All outputs up to the latency are complete.
        let newest = 2 * number as u64 + 1 - stream.latency();
        assert_eq!(outputs[number].last(), Some(&newest));
    }
    stream.flush().unwrap();
    outputs.push(times(&mut stream));
    assert_eq!(outputs, [vec![0], vec![1, 2], vec![3, 4], vec![5, 6], vec![7]]);
    assert_eq!(stream.latency(), 1);
}

/// The stream of [`interlaced`] with the default deinterlacer, which reads the next frame.
fn look_ahead(sampling: Sampling) -> StreamBuilder {
    interlaced(sampling).deinterlacer(Deinterlacer::Balanced)
}

#[test]
fn a_deinterlacer_with_look_ahead_completes_the_previous_frame() {
    let mut stream = look_ahead(Sampling::C420).build().unwrap();
    assert_eq!(stream.latency(), 2);
    // The second run starts with an empty stream again, and may use old frames.
    for _ in 0..2 {
        let mut outputs = vec![];
        for number in 0..4 {
            push(&mut stream, number).unwrap();
            outputs.push(times(&mut stream));
        }
        stream.flush().unwrap();
        outputs.push(times(&mut stream));
        assert_eq!(outputs, [vec![], vec![0, 1], vec![2, 3], vec![4, 5], vec![6, 7]]);
        assert_eq!(push(&mut stream, 0), Err(Error::Ended));
        stream.reset();
    }
    // A stream of one frame, and of none.
    push(&mut stream, 0).unwrap();
    stream.flush().unwrap();
    assert_eq!(times(&mut stream), [0, 1]);
    stream.reset();
    stream.flush().unwrap();
    assert_eq!(times(&mut stream), []);
}

/// Each field is matched by the step that has its match, the first and the last one included.
#[test]
fn matches_wait_with_their_outputs() {
    let format = look_ahead(Sampling::C422).output_format();
    let frames = [0, 1, 2].map(|number| frame(format, number));
    let step = |second_of_previous, first_of_current| StepMatches { second_of_previous, first_of_current };
    let matches = [
        FieldMatches::from(step(FieldMatch::Previous, FieldMatch::Next)),
        step(FieldMatch::Previous, FieldMatch::Next).into(),
        FieldMatches::from(step(FieldMatch::Deinterlace, FieldMatch::Next)).final_match(FieldMatch::Previous),
    ];
    let mut stream = look_ahead(Sampling::C422).denoise(false).build().unwrap();
    let mut outputs = vec![];
    for (frame, matches) in frames.iter().zip(&matches) {
        stream.push(Input::new(&frame.planes()).matches(matches)).unwrap();
        outputs.extend(std::iter::from_fn(|| stream.pull()));
    }
    stream.flush().unwrap();
    outputs.extend(std::iter::from_fn(|| stream.pull()));
    for (time, output) in outputs.iter().enumerate() {
        // All fields but the second one of frame 1 are woven with the other field of their frame.
        assert_eq!(output.field_match == FieldMatch::Deinterlace, time == 3, "{time}");
        assert_eq!(output.frame == frames[time / 2], time != 3, "{time}");
        let sources = output.sources.unwrap();
        let pixels = (format.width * format.height / 2) as u64;
        let expected = if time == 3 { (0, pixels) } else { (pixels, 0) };
        assert_eq!((sources.woven, sources.temporal + sources.network), expected, "{time}");
    }
    assert_eq!(outputs.len(), 6);
}

/// A smooth wave that moves by two samples a field: its compensated pictures agree.
#[test]
fn pixels_whose_references_agree_count_as_compensated() {
    let format = Format::new(320, 32, Sampling::Mono);
    let level = |x: usize, t: usize| 128.0 + 60.0 * ((x as f64 - 2.0 * t as f64) * std::f64::consts::TAU / 64.0).sin();
    let samples = |n: usize| (0..32).flat_map(move |y| (0..320).map(move |x| level(x, 2 * n + y % 2) as u8));
    let mut stream = Stream::builder(format, Scan::TopFirst).denoise(false).deinterlacer(Deinterlacer::Best).build().unwrap();
    let mut outputs = vec![];
    for number in 0..6 {
        stream.push(&Frame::from_vec(format, samples(number).collect()).planes()).unwrap();
        outputs.extend(std::iter::from_fn(|| stream.pull()));
    }
    for (time, output) in outputs.iter().enumerate() {
        let sources = output.sources.unwrap();
        assert_eq!(sources.temporal + sources.compensated + sources.network, 320 * 16, "{time}");
        // The first field has no neighbour on one side.
        assert!(if time == 0 { sources.compensated == 0 } else { sources.compensated > 320 * 4 }, "{time}: {sources:?}");
    }
}

#[test]
fn other_streams_have_one_output_per_frame() {
    let progressive = Stream::builder(Format::new(7, 5, Sampling::C420), Scan::Progressive);
    for builder in [progressive, interlaced(Sampling::C411).deinterlace(false)] {
        let mut stream = builder.build().unwrap();
        assert_eq!(stream.latency(), 0);
        let outputs = run(&mut stream, 3);
        assert_eq!(outputs.iter().map(|(time, _)| *time).collect::<Vec<_>>(), [0, 2, 4]);
        assert!(outputs.iter().all(|(_, frame)| frame.format() == stream.input_format()));
    }
}

#[test]
fn a_stream_without_stages_does_not_change_frames() {
    for sampling in SAMPLINGS {
        let mut stream = interlaced(sampling).denoise(false).deinterlace(false).build().unwrap();
        let passed: Vec<(u64, Frame)> = (0..3).map(|n| (2 * n as u64, frame(stream.input_format(), n))).collect();
        assert!(run(&mut stream, 3) == passed, "{sampling:?}");
    }
}

#[test]
fn the_builder_knows_the_output_format() {
    use Sampling::*;
    for (input, outputs) in [
        // With Same, C422, C420, C420Drop.
        (Mono, [Mono; 4]),
        (C420, [C420, C422, C420, C420]),
        (C411, [C422, C422, C420, C420]),
        (C422, [C422, C422, C420, C420]),
        (C444, [C444; 4]),
    ] {
        for (chroma, output) in CHROMA.into_iter().zip(outputs) {
            let builder = interlaced(input).chroma(chroma);
            assert_eq!(builder.output_format(), Format::new(20, 12, output), "{input:?} to {chroma:?}");
            let mut stream = builder.build().unwrap();
            assert_eq!(stream.output_format(), Format::new(20, 12, output));
            assert_eq!(stream.input_format(), Format::new(20, 12, input));
            assert!(run(&mut stream, 2).iter().all(|(_, frame)| frame.format() == stream.output_format()));
        }
        assert_eq!(interlaced(input).deinterlace(false).output_format(), Format::new(20, 12, input));
    }
}

#[test]
fn statistics_are_those_of_the_last_step() {
    let mut stream = interlaced(Sampling::C422).build().unwrap();
    assert_eq!(stream.statistics(), None);
    for number in 0..3 {
        push(&mut stream, number).unwrap();
        let statistics = stream.statistics().unwrap().clone();
        assert_eq!(statistics.step, number as u64);
        assert_eq!(push(&mut stream, 9), Err(Error::OutputWaiting));
        pull_all(&mut stream);
        assert_eq!(stream.statistics(), Some(&statistics));
    }
    let last = stream.statistics().cloned();
    stream.flush().unwrap();
    assert_eq!(stream.statistics().cloned(), last);
    stream.reset();
    assert_eq!(stream.statistics(), None);
}

#[test]
fn waiting_frames_are_pulled_first() {
    let builder = interlaced(Sampling::C420);
    let expected = run(&mut builder.clone().build().unwrap(), 3);
    let mut stream = builder.build().unwrap();
    let mut outputs = vec![];
    for number in 0..3 {
        push(&mut stream, number).unwrap();
        while let Some(output) = {
            assert_eq!(push(&mut stream, 8), Err(Error::OutputWaiting));
            assert_eq!(stream.flush(), Err(Error::OutputWaiting));
            stream.pull()
        } {
            outputs.push((output.field_time, output.frame));
            if outputs.len() % 2 == 1 {
                break;
            }
        }
    }
    stream.flush().unwrap();
    assert_eq!(stream.flush(), Err(Error::OutputWaiting));
    outputs.extend(pull_all(&mut stream));
    assert!(outputs == expected, "a refused call changed the stream");
}

#[test]
fn a_flushed_stream_has_ended() {
    for builder in [interlaced(Sampling::Mono), interlaced(Sampling::Mono).deinterlace(false)] {
        let mut stream = builder.build().unwrap();
        run(&mut stream, 2);
        assert_eq!(push(&mut stream, 2), Err(Error::Ended));
        assert_eq!(stream.flush(), Err(Error::Ended));
        assert_eq!(stream.pull(), None);
    }
}

#[test]
fn a_stream_without_inputs_has_no_outputs() {
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    stream.flush().unwrap();
    assert_eq!((stream.pull(), stream.statistics()), (None, None));
    assert_eq!(push(&mut stream, 0), Err(Error::Ended));
    stream.reset();
    assert_eq!(run(&mut stream, 1).len(), 2);
}

/// The earlier calls do not matter.
#[test]
fn a_reset_stream_equals_a_new_one() {
    for sampling in SAMPLINGS {
        let expected = run(&mut interlaced(sampling).build().unwrap(), 3);
        let mut stream = interlaced(sampling).build().unwrap();
        for frames in [0, 1, 2, 5] {
            for number in 0..frames {
                pull_all(&mut stream);
                push(&mut stream, 20 + number).unwrap();
            }
            stream.reset();
            assert_eq!(stream.pull(), None);
            assert!(run(&mut stream, 3) == expected, "{sampling:?} after {frames} frames");
            stream.reset();
        }
    }
}
