//! Denoising along motion: each step comes when the next frame was pushed.
use super::*;
use dndi::{DenoiseMode, Output, Scale, SharpenMode, Statistics, UserData};

/// Streams of each kind. Without noise in the pictures, denoising does not change them.
fn builders() -> Vec<StreamBuilder> {
    let progressive = |sampling| Stream::builder(Format::new(52, 36, sampling), Scan::Progressive);
    let interlaced = |sampling| Stream::builder(Format::new(52, 36, sampling), Scan::BottomFirst);
    vec![
        progressive(Sampling::C420),
        progressive(Sampling::Mono).statistics(false).scale(Some(Scale::new(40, 50))),
        progressive(Sampling::C444).statistics(false).luma_statistics(true),
        interlaced(Sampling::C411).deinterlace(false),
        interlaced(Sampling::C420).deinterlacer(Deinterlacer::Gen6),
        interlaced(Sampling::C422).deinterlacer(Deinterlacer::Gen6).sharpen(Some(SharpenMode::Detail3)).measured_noise(true),
        interlaced(Sampling::C420),
        interlaced(Sampling::C411).chroma(ChromaOutput::C420).output_depth(10),
        interlaced(Sampling::C422).deinterlacer(Deinterlacer::Best),
    ]
}

/// The stream without denoising, and the one that denoises along motion.
fn both(builder: &StreamBuilder) -> [Stream; 2] {
    let off = builder.clone().denoise(false);
    let on = builder.clone().denoise_motion(true).denoise_chroma(DenoiseMode::Auto);
    [off, on].map(|builder| builder.build().unwrap())
}

/// A bright square that moves over grey, without noise.
fn picture(format: Format, number: usize) -> Frame {
    let mut samples = vec![];
    for plane in 0..format.sampling.planes() {
        let (width, height) = format.plane_size(plane);
        let inside = |x: usize, y: usize| (2 + number..14 + number).contains(&x) && (height / 4..height / 2).contains(&y);
        samples.extend((0..width * height).map(|i| if inside(i % width, i / width) { 160 } else { 60 }));
    }
    Frame::from_vec(format, samples)
}

/// Pushes picture `number` with its number as user data.
fn push_picture(stream: &mut Stream, number: usize) -> Vec<Output> {
    let picture = picture(stream.input_format(), number);
    stream.push(Input::new(&picture.planes()).user_data(UserData::new(number))).unwrap();
    pulled(stream)
}

/// All outputs that are ready, without the denoise filters and the user data, which must be that of
/// the frame.
fn pulled(stream: &mut Stream) -> Vec<Output> {
    let clear = |mut output: Output| {
        let data = output.user_data.take().and_then(|data| data.get::<usize>().copied());
        assert!(data.is_none_or(|number| number as u64 == output.field_time / 2), "{data:?} at {}", output.field_time);
        (output.denoise, output.denoise_chroma) = (None, None);
        output
    };
    std::iter::from_fn(|| stream.pull()).map(clear).collect()
}

/// The statistics of the last step, without the denoise filters.
fn statistics(stream: &Stream) -> Option<Statistics> {
    let statistics = stream.statistics().cloned();
    statistics.map(|mut statistics| {
        (statistics.denoise, statistics.denoise_chroma) = (None, None);
        statistics
    })
}

/// The outputs and the statistics of a step come with the next push, and the last ones at the end.
#[test]
fn each_step_is_one_frame_later() {
    for (case, builder) in builders().iter().enumerate() {
        let [mut off, mut on] = both(builder);
        assert_eq!(on.latency(), off.latency() + 2, "stream {case}");
        // The second run starts with an empty stream again.
        for frames in [5, 1, 3] {
            let mut waiting: (Vec<Output>, Option<Statistics>) = (vec![], None);
            for number in 0..frames {
                let later = push_picture(&mut on, number);
                assert!(later == waiting.0, "stream {case}: frame {number}");
                assert_eq!(statistics(&on), waiting.1, "stream {case}: frame {number}");
                // All outputs up to the latency are complete.
                let complete = (2 * number as u64 + 2).saturating_sub(on.latency());
                let ready = later.iter().all(|output| output.field_time < complete);
                assert!(
                    ready && later.last().is_none_or(|last| last.field_time + 2 >= complete),
                    "stream {case}: frame {number}"
                );
                waiting = (push_picture(&mut off, number), statistics(&off));
            }
            for stream in [&mut off, &mut on] {
                stream.flush().unwrap();
            }
            waiting.0.extend(pulled(&mut off));
            assert!(pulled(&mut on) == waiting.0, "stream {case}: end of {frames} frames");
            assert_eq!(statistics(&on), waiting.1, "stream {case}: end of {frames} frames");
            assert_eq!(push(&mut on, 0), Err(Error::Ended));
            for stream in [&mut off, &mut on] {
                stream.reset();
            }
            // A stream of no frames.
            on.flush().unwrap();
            assert_eq!(on.pull(), None);
            on.reset();
            // A reset discards the frame that waits.
            push_picture(&mut on, 7);
            on.reset();
        }
    }
}

/// Filters and levels of the outputs are those of their frame.
#[test]
fn outputs_have_the_filter_of_their_frame() {
    for (case, builder) in builders().iter().enumerate() {
        let mut stream = builder.clone().denoise_motion(true).denoise(DenoiseMode::Light).denoise_chroma(false).build().unwrap();
        let mut outputs = vec![];
        for number in 0..4 {
            push(&mut stream, number).unwrap();
            outputs.extend(std::iter::from_fn(|| stream.pull()));
            let level = stream.statistics().map(|statistics| statistics.denoise.as_ref().and_then(|state| state.noise));
            assert!(level.is_none_or(|level| level == Some(192)), "stream {case}: {level:?}");
        }
        stream.flush().unwrap();
        outputs.extend(std::iter::from_fn(|| stream.pull()));
        assert!(outputs.len() >= 4);
        for output in outputs {
            let state = output.denoise.unwrap();
            assert_eq!((state.noise, state.motion, output.denoise_chroma), (Some(192), None, None), "stream {case}");
        }
    }
}

/// Field matches and comb masks wait with their frame.
#[test]
fn matches_wait_with_their_frame() {
    let step = |second_of_previous, first_of_current| StepMatches { second_of_previous, first_of_current };
    for deinterlacer in [Deinterlacer::Gen6, Deinterlacer::Balanced] {
        let builder = Stream::builder(Format::new(52, 36, Sampling::C420), Scan::TopFirst).deinterlacer(deinterlacer);
        let [off, on] = both(&builder).map(|mut stream| {
            let mut outputs = vec![];
            for number in 0..6 {
                let next = if number % 2 == 0 { FieldMatch::Next } else { FieldMatch::Deinterlace };
                let matches = FieldMatches::from(step(FieldMatch::Previous, next));
                let matches = if number == 5 { matches.final_match(FieldMatch::Previous) } else { matches };
                let picture = picture(stream.input_format(), number);
                stream.push(Input::new(&picture.planes()).matches(&matches)).unwrap();
                outputs.extend(pulled(&mut stream));
            }
            stream.flush().unwrap();
            outputs.extend(pulled(&mut stream));
            outputs
        });
        assert!(off == on && on.len() == 12, "{deinterlacer}");
        assert!(on.iter().any(|output| output.field_match == FieldMatch::Next), "{deinterlacer}");
        assert_eq!(on[11].field_match, FieldMatch::Previous, "{deinterlacer}");
    }
}

/// New parameters count from the frame on before which they were set.
#[test]
fn new_parameters_count_from_the_next_frame_on() {
    for (case, builder) in builders().iter().enumerate() {
        for changes in [&[2][..], &[2, 3], &[0, 1, 4], &[4, 4], &[5]] {
            let [off, on] = both(builder).map(|mut stream| {
                let mut outputs = vec![];
                for number in 0..6 {
                    for (index, _) in changes.iter().enumerate().filter(|(_, at)| **at == number) {
                        let mut parameters = Parameters::default();
                        (parameters.color.procamp_enable, parameters.color.contrast) = (true, 150 + 20 * index as u16);
                        stream.set_parameters(parameters.clone()).unwrap();
                        assert_eq!(*stream.parameters(), parameters);
                    }
                    if number < 5 {
                        outputs.extend(push_picture(&mut stream, number));
                    }
                }
                stream.flush().unwrap();
                outputs.extend(pulled(&mut stream));
                outputs
            });
            // If the stream ends, there is no next frame: with gen6, which has a latency of one
            // field, the last output has the new parameters without denoising along motion alone.
            let is_gen6 = builder.clone().denoise(false).build().unwrap().latency() == 1;
            let count = off.len() - usize::from(is_gen6 && changes == [5]);
            for (off, on) in off.iter().zip(&on).take(count) {
                assert!(off == on, "stream {case}: {changes:?}, time {}", on.field_time);
            }
            assert_eq!(off.len(), on.len(), "stream {case}");
        }
    }
}
