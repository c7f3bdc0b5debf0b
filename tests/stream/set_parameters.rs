//! Parameters that change between frames.
use super::*;
use dndi::convert::{Converter, ConverterBuilder, FieldOrderMode, OutputRate};
use dndi::{Scale, SharpenMode};

const FRAMES: usize = 6;
/// The frame before which the parameters change.
const CHANGE: usize = 3;

/// All outputs. `change` is called between the outputs of frame `CHANGE - 1` and the push of frame
/// `CHANGE`. The second value is the number of outputs before the call.
fn run_with(builder: StreamBuilder, change: impl FnOnce(&mut Stream)) -> (Vec<(u64, Frame)>, usize) {
    let (mut outputs, mut change, mut before) = (vec![], Some(change), 0);
    let mut stream = builder.build().unwrap();
    for number in 0..FRAMES {
        if let Some(change) = change.take_if(|_| number == CHANGE) {
            before = outputs.len();
            change(&mut stream);
        }
        push(&mut stream, number).unwrap();
        outputs.extend(pull_all(&mut stream));
    }
    stream.flush().unwrap();
    outputs.extend(pull_all(&mut stream));
    (outputs, before)
}

fn unchanged(builder: &StreamBuilder) -> Vec<(u64, Frame)> {
    run_with(builder.clone(), |_| ()).0
}

fn with(change: impl FnOnce(&mut Parameters)) -> Parameters {
    let mut parameters = Parameters::default();
    change(&mut parameters);
    parameters
}

/// Streams of each kind, and old and new parameters of a stage without memory.
fn cases() -> Vec<(StreamBuilder, Parameters, Parameters)> {
    let procamp = |contrast| {
        with(|parameters| {
            parameters.color.procamp_enable = true;
            parameters.color.contrast = contrast;
        })
    };
    let gain = |gain| with(|parameters| parameters.sharpen.gain_factor = gain);
    let scaler = |bypass| {
        with(|parameters| {
            parameters.scaler.bypass_x_adaptive = bypass;
            parameters.scaler.bypass_y_adaptive = bypass;
        })
    };
    let progressive = Stream::builder(Format::new(20, 12, Sampling::C420), Scan::Progressive);
    let mut cases = vec![];
    let stateless = progressive.clone().denoise(false).statistics(false);
    for builder in [stateless, progressive, interlaced(Sampling::C420), interlaced(Sampling::C422).deinterlace(false)] {
        let scaled = builder.clone().scale(Some(Scale::new(30, 18)));
        let sharpened = builder.clone().sharpen(Some(SharpenMode::Detail3));
        cases.push((builder.clone(), procamp(100), procamp(180)));
        // The colour pipe is added and removed.
        cases.push((builder.clone(), Parameters::default(), procamp(180)));
        cases.push((builder, procamp(180), Parameters::default()));
        cases.push((sharpened, gain(0), gain(63)));
        cases.push((scaled, scaler(false), scaler(true)));
    }
    cases
}

/// The stages have no memory, so that the outputs after the change are those of a stream that had
/// the new parameters from its start. The second field of the frame before the change is completed
/// after it.
#[test]
fn new_parameters_count_from_the_next_frame_on() {
    for (builder, old, new) in cases() {
        let [old_outputs, new_outputs] =
            [&old, &new].map(|parameters| unchanged(&builder.clone().parameters(parameters.clone())));
        let (outputs, before) = run_with(builder.clone().parameters(old.clone()), |stream| {
            assert_eq!(*stream.parameters(), old);
            stream.set_parameters(new.clone()).unwrap();
            assert_eq!(*stream.parameters(), new);
        });
        assert_eq!(before, outputs.iter().filter(|(time, _)| *time <= 2 * (CHANGE as u64 - 1)).count());
        assert!(outputs[..before] == old_outputs[..before], "before the change: {builder:?}");
        assert!(outputs[before..] == new_outputs[before..], "after the change: {builder:?}");
        // Every output depends on the parameters.
        assert!(old_outputs.iter().zip(&new_outputs).all(|(old, new)| old.1 != new.1), "no effect: {builder:?}");
    }
}

#[test]
fn parameters_can_change_before_the_first_frame_and_after_a_reset() {
    for (builder, old, new) in cases() {
        let mut stream = builder.clone().parameters(old).build().unwrap();
        stream.set_parameters(new.clone()).unwrap();
        let expected = unchanged(&builder.clone().parameters(new));
        assert!(run(&mut stream, FRAMES) == expected, "{builder:?}");
        // A reset keeps them.
        stream.reset();
        assert!(run(&mut stream, FRAMES) == expected, "{builder:?}");
    }
}

/// Histories, motion measures and contrast curves are kept.
#[test]
fn equal_parameters_change_nothing() {
    let progressive = Stream::builder(Format::new(20, 12, Sampling::C420), Scan::Progressive);
    for builder in [progressive, interlaced(Sampling::C420)] {
        let parameters = with(|parameters| parameters.color.procamp_enable = true);
        let builder = builder.parameters(parameters).auto_contrast(Some(80)).denoise_chroma(true);
        for builder in [builder.clone(), builder.measured_noise(true).sharpen(Some(SharpenMode::Combination))] {
            let (outputs, _) = run_with(builder.clone(), |stream| {
                let parameters = stream.parameters().clone();
                stream.set_parameters(parameters).unwrap();
            });
            assert!(outputs == unchanged(&builder), "{builder:?}");
        }
    }
}

/// Each invalid set also has another contrast, which would be visible.
#[test]
fn invalid_parameters_are_refused_and_change_nothing() {
    let old = with(|parameters| parameters.color.procamp_enable = true);
    for builder in [Stream::builder(Format::new(20, 12, Sampling::C420), Scan::Progressive), interlaced(Sampling::C420)] {
        let builder = builder.parameters(old.clone()).auto_contrast(Some(50));
        let expected = unchanged(&builder);
        type Change = fn(&mut Parameters);
        let invalid: [(Change, &str); 3] = [
            (|parameters| parameters.color.brightness = 2048, "color.brightness = 2048 is outside -2048…2047"),
            (|parameters| parameters.denoise.temporal_diff_low = 13, "temporal_diff_th - temporal_diff_low"),
            (|parameters| parameters.color.ymax = 0, "color.ymin must be below color.ymax"),
        ];
        for (change, message) in invalid {
            let mut parameters = old.clone();
            parameters.color.contrast = 200;
            change(&mut parameters);
            let refused = builder.clone().parameters(parameters.clone()).check().unwrap_err();
            let (outputs, _) = run_with(builder.clone(), |stream| {
                let error = stream.set_parameters(parameters).unwrap_err();
                assert_eq!(error, refused);
                assert!(error.to_string().contains(message), "{error}");
                assert_eq!(*stream.parameters(), old);
            });
            assert!(outputs == expected, "{message}: {builder:?}");
        }
    }
}

#[test]
fn parameters_do_not_change_while_outputs_wait() {
    let old = Parameters::default();
    let new = with(|parameters| {
        parameters.color.procamp_enable = true;
        parameters.color.contrast = 200;
    });
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    let mut outputs = vec![];
    for number in 0..FRAMES {
        push(&mut stream, number).unwrap();
        for _ in 0..if number == 0 { 1 } else { 2 } {
            assert_eq!(stream.set_parameters(new.clone()), Err(Error::OutputWaiting));
            assert_eq!(*stream.parameters(), old);
            outputs.extend(stream.pull().map(|output| (output.field_time, output.frame)));
        }
    }
    assert!(outputs == unchanged(&interlaced(Sampling::C420))[..2 * FRAMES - 1]);
    assert_eq!(stream.set_parameters(new), Ok(()));
}

/// The converter counts pushed frames, whether or not they wait in the look-ahead.
#[test]
fn a_converter_changes_parameters_at_the_pushed_frame() {
    let format = Format::new(20, 12, Sampling::C420);
    for mode in [FieldOrderMode::Auto, FieldOrderMode::TopFirst] {
        let new = with(|parameters| {
            parameters.color.procamp_enable = true;
            parameters.color.contrast = 200;
        });
        let builder = || {
            let builder = Converter::builder(format).field_order(mode);
            builder.rate(Some(OutputRate::Frame)).stream(|stream| stream.denoise(false))
        };
        let outputs = |builder: ConverterBuilder, change: Option<usize>| {
            let mut converter = builder.build().unwrap();
            let mut outputs = vec![];
            for number in 0..FRAMES {
                if change == Some(number) {
                    converter.set_parameters(new.clone()).unwrap();
                }
                converter.push(frame(format, number)).unwrap();
                outputs.extend(std::iter::from_fn(|| converter.pull().unwrap()));
            }
            converter.finish();
            outputs.extend(std::iter::from_fn(|| converter.pull().unwrap()));
            outputs.into_iter().map(|output| output.frame).collect::<Vec<_>>()
        };
        let old_outputs = outputs(builder(), None);
        let new_outputs = outputs(builder().stream(|stream| stream.parameters(new.clone())), None);
        let changed = outputs(builder(), Some(CHANGE));
        assert!(old_outputs != new_outputs && changed.len() == FRAMES);
        assert!(changed[..CHANGE] == old_outputs[..CHANGE], "{mode}: before the change");
        assert!(changed[CHANGE..] == new_outputs[CHANGE..], "{mode}: after the change");
    }
}

#[test]
fn a_converter_refuses_invalid_parameters() {
    let mut converter = Converter::builder(Format::new(20, 12, Sampling::C420)).build().unwrap();
    let invalid = with(|parameters| parameters.color.brightness = 2048);
    assert!(matches!(converter.set_parameters(invalid), Err(Error::Parameter(_))));
}
