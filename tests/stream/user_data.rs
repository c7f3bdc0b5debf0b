//! Each output carries the caller's data of the frame that its field belongs to.
use super::*;
use dndi::convert::{ClipFrame, Converter, FieldOrderMode, OutputRate};
use dndi::{FieldOrder, FrameFlags, Interlacing, Output, Scale, SharpenMode, UserData};

/// A frame of one level, from which outputs show the frame that their lines come from.
fn flat(format: Format, number: usize) -> Frame {
    Frame::from_vec(format, vec![level(number); format.samples()])
}

fn level(number: usize) -> u8 {
    20 + 20 * number as u8
}

fn push_with(stream: &mut Stream, number: usize, data: Option<usize>) -> Result<(), Error> {
    let frame = flat(stream.input_format(), number);
    let planes = frame.planes();
    let input = Input::new(&planes);
    match data {
        Some(data) => stream.push(input.user_data(UserData::new(data))),
        None => stream.push(input),
    }
}

fn number_of(data: Option<&UserData>) -> Option<usize> {
    data.map(|data| *data.get().expect("the type that was pushed"))
}

fn pull_outputs(stream: &mut Stream) -> Vec<Output> {
    std::iter::from_fn(|| stream.pull()).collect()
}

/// The data of all outputs that are ready.
fn pull_data(stream: &mut Stream) -> Vec<Option<usize>> {
    pull_outputs(stream).iter().map(|output| number_of(output.user_data.as_ref())).collect()
}

/// Streams that make one output per frame, at its push.
fn one_for_one() -> Vec<StreamBuilder> {
    let progressive = Stream::builder(Format::new(20, 12, Sampling::C420), Scan::Progressive);
    vec![
        // These keep no state between frames.
        progressive.clone().denoise(false).statistics(false),
        progressive.clone().denoise(false).statistics(false).scale(Some(Scale::new(30, 10))),
        progressive.clone(),
        progressive.scale(Some(Scale::new(30, 10))).sharpen(Some(SharpenMode::Detail3)),
        interlaced(Sampling::C420).deinterlace(false),
    ]
}

/// Streams that complete the second field of a frame at the next push.
fn deinterlacing() -> Vec<StreamBuilder> {
    vec![
        interlaced(Sampling::C420),
        interlaced(Sampling::C411).denoise(false),
        interlaced(Sampling::Mono).scale(Some(Scale::new(30, 10))).sharpen(Some(SharpenMode::Detail3)),
    ]
}

#[test]
fn an_output_carries_the_data_of_its_frame() {
    for builder in one_for_one() {
        let mut stream = builder.clone().build().unwrap();
        for number in 0..4 {
            push_with(&mut stream, number, Some(100 + number)).unwrap();
            assert_eq!(pull_data(&mut stream), [Some(100 + number)], "{builder:?}");
        }
        stream.flush().unwrap();
        assert_eq!(pull_data(&mut stream), [], "{builder:?}");
    }
}

#[test]
fn the_second_field_carries_the_data_of_the_previous_frame() {
    for builder in deinterlacing() {
        let mut stream = builder.clone().build().unwrap();
        push_with(&mut stream, 0, Some(100)).unwrap();
        assert_eq!(pull_data(&mut stream), [Some(100)], "{builder:?}");
        for number in 1..4 {
            push_with(&mut stream, number, Some(100 + number)).unwrap();
            assert_eq!(pull_data(&mut stream), [Some(99 + number), Some(100 + number)], "{builder:?}");
        }
        stream.flush().unwrap();
        assert_eq!(pull_data(&mut stream), [Some(103)], "{builder:?}");
    }
}

/// The lines of the field that an output shows come from the frame whose data it carries.
#[test]
fn data_and_picture_come_from_one_frame() {
    for (scan, first) in [(Scan::TopFirst, 0), (Scan::BottomFirst, 1)] {
        let mut stream = Stream::builder(Format::new(20, 12, Sampling::C420), scan)
            .deinterlacer(Deinterlacer::Gen6)
            .denoise(false)
            .build()
            .unwrap();
        let mut outputs = vec![];
        for number in 0..5 {
            push_with(&mut stream, number, Some(number)).unwrap();
            outputs.extend(pull_outputs(&mut stream));
        }
        stream.flush().unwrap();
        outputs.extend(pull_outputs(&mut stream));
        assert_eq!(outputs.len(), 10);
        for Output { frame, field_time, user_data, .. } in outputs {
            let number = number_of(user_data.as_ref()).unwrap();
            let parity = first ^ (field_time % 2) as usize;
            let lines = frame.plane(0).chunks(20).skip(parity).step_by(2);
            assert!(lines.flatten().all(|&sample| sample == level(number)), "{scan:?}, time {field_time}, data {number}");
        }
    }
}

#[test]
fn frames_without_data_give_outputs_without_data() {
    for builder in one_for_one() {
        let mut stream = builder.clone().build().unwrap();
        for (number, data) in [Some(7), None, None, Some(9), None].into_iter().enumerate() {
            push_with(&mut stream, number, data).unwrap();
            assert_eq!(pull_data(&mut stream), [data], "{builder:?}");
        }
    }
    for builder in deinterlacing() {
        let mut stream = builder.clone().build().unwrap();
        push_with(&mut stream, 0, Some(7)).unwrap();
        pull_data(&mut stream);
        for (number, pair) in (1..).zip([Some(7), None, None, Some(9), None].windows(2)) {
            push_with(&mut stream, number, pair[1]).unwrap();
            assert_eq!(pull_data(&mut stream), pair, "{builder:?}");
        }
        stream.flush().unwrap();
        assert_eq!(pull_data(&mut stream), [None], "{builder:?}");
    }
}

#[test]
fn a_reset_discards_the_data() {
    for builder in deinterlacing() {
        let mut stream = builder.clone().build().unwrap();
        for number in 0..3 {
            push_with(&mut stream, number, Some(number)).unwrap();
            pull_data(&mut stream);
        }
        stream.reset();
        push_with(&mut stream, 3, None).unwrap();
        assert_eq!(pull_data(&mut stream), [None], "{builder:?}");
        stream.flush().unwrap();
        assert_eq!(pull_data(&mut stream), [None], "{builder:?}");
    }
}

#[test]
fn a_refused_frame_does_not_change_the_data() {
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    push_with(&mut stream, 0, Some(0)).unwrap();
    assert_eq!(push_with(&mut stream, 1, Some(1)), Err(Error::OutputWaiting));
    assert_eq!(pull_data(&mut stream), [Some(0)]);
    let short = [PlaneRef::new(&[0_u8; 4][..], 20); 3];
    assert!(matches!(stream.push(Input::new(&short).user_data(UserData::new(2_usize))), Err(Error::Plane { .. })));
    push_with(&mut stream, 3, Some(3)).unwrap();
    assert_eq!(pull_data(&mut stream), [Some(0), Some(3)]);
    stream.flush().unwrap();
    assert_eq!(push_with(&mut stream, 4, Some(4)), Err(Error::OutputWaiting));
    assert_eq!(pull_data(&mut stream), [Some(3)]);
}

/// Clones share the value.
#[test]
fn data_is_not_copied() {
    let data = UserData::new(String::from("header"));
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    stream.push(Input::new(&flat(stream.input_format(), 0).planes()).user_data(data.clone())).unwrap();
    stream.flush().unwrap_err();
    let first = stream.pull().unwrap();
    stream.flush().unwrap();
    let second = stream.pull().unwrap();
    assert_eq!([first.user_data, second.user_data], [Some(data.clone()), Some(data)]);
}

/// A clip of two field orders and progressive frames, so that the converter restarts its stream.
/// Repeats carry the data, too.
#[test]
fn outputs_of_a_converter_carry_the_data_of_their_frame() {
    use FieldOrder::*;
    let format = Format::new(32, 16, Sampling::C420);
    let flags = |progressive, field_order| FrameFlags::default().progressive(progressive).field_order(field_order);
    let (top, bottom, progressive) = (flags(false, TopFirst), flags(false, BottomFirst), flags(true, TopFirst));
    let clip = [top, top, top, bottom, bottom, progressive, progressive, top, top];
    for rate in [OutputRate::Field, OutputRate::Frame, OutputRate::Film] {
        for mode in [FieldOrderMode::Flags, FieldOrderMode::TopFirst, FieldOrderMode::Progressive, FieldOrderMode::Auto] {
            if rate == OutputRate::Film && mode != FieldOrderMode::Auto {
                continue; // It needs the detector.
            }
            let builder = Converter::builder(format).interlacing(Interlacing::Mixed).field_order(mode).rate(Some(rate));
            let converter = builder.stream(|stream| stream.denoise(false)).build().unwrap();
            let frames = clip
                .iter()
                .enumerate()
                .map(|(number, flags)| ClipFrame::new(flat(format, number)).flags(*flags).user_data(UserData::new(number)));
            let outputs: Vec<_> = converter.convert(frames).map(Result::unwrap).collect();
            let least = if rate == OutputRate::Field { 2 * clip.len() } else { clip.len() };
            assert!(outputs.len() >= least || rate == OutputRate::Film, "{rate}, {mode}: {} outputs", outputs.len());
            for output in outputs {
                let number = number_of(output.user_data.as_ref()).unwrap();
                assert_eq!(number as u64, output.field / 2, "{rate}, {mode}");
                let order = match mode {
                    FieldOrderMode::Flags => clip[number].field_order,
                    FieldOrderMode::TopFirst => Some(TopFirst),
                    _ => None,
                };
                let Some(order) = order else { continue };
                let parity = usize::from(order == BottomFirst) ^ (output.field % 2) as usize;
                let mut lines = output.frame.plane(0).chunks(32).skip(parity).step_by(2);
                assert!(lines.all(|line| line == [level(number); 32]), "{rate}, {mode}, field {}", output.field);
            }
        }
    }
}
