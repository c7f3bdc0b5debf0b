//! What an application sees of a stream: calls in and out of order, borrowed planes, settings that cannot be.

use dndi::{
    Builder, Cadence, ChromaOutput, Code, Error, Format, Frame, Level, ParameterError, Parameters, PlaneMut, PlaneRef, Sampling,
    Scan, Stream,
};
use std::collections::VecDeque;

const SAMPLINGS: [Sampling; 5] = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];
const CHROMA: [ChromaOutput; 4] = [ChromaOutput::Same, ChromaOutput::C422, ChromaOutput::C420, ChromaOutput::C420Drop];

fn interlaced(sampling: Sampling) -> Builder {
    Builder::new(Format::new(20, 12, sampling), Scan::TopFirst)
}

/// Frame `number` of a clip: noise over a moving ramp.
fn frame(format: Format, number: usize) -> Frame {
    let mut state = 0x9e37_79b9_u32.wrapping_add(number as u32);
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 28) as usize
    };
    let data = (0..format.samples()).map(|i| (i * 3 + number * 7 + noise()) as u8);
    Frame::from_vec(format, data.collect())
}

fn push(stream: &mut Stream, number: usize) -> Result<(), Error> {
    stream.push(&frame(stream.input_format(), number).planes())
}

fn pull_all(stream: &mut Stream) -> Vec<(u64, Frame)> {
    std::iter::from_fn(|| stream.pull()).map(|output| (output.time, output.frame)).collect()
}

fn times(stream: &mut Stream) -> Vec<u64> {
    pull_all(stream).into_iter().map(|(time, _)| time).collect()
}

/// All that becomes of the first `frames` frames.
fn run(stream: &mut Stream, frames: usize) -> Vec<(u64, Frame)> {
    let mut outputs = vec![];
    for number in 0..frames {
        push(stream, number).unwrap();
        outputs.extend(pull_all(stream));
    }
    stream.flush().unwrap();
    outputs.extend(pull_all(stream));
    outputs
}

#[test]
fn a_deinterlaced_stream_gives_two_frames_for_one() {
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    assert_eq!(times(&mut stream), []);
    let mut made = vec![];
    for number in 0..4 {
        push(&mut stream, number).unwrap();
        made.push(times(&mut stream));
        // All frames up to the latency are there.
        let newest = 2 * number as u64 + 1 - stream.latency();
        assert_eq!(made[number].last(), Some(&newest));
    }
    stream.flush().unwrap();
    made.push(times(&mut stream));
    assert_eq!(made, [vec![0], vec![1, 2], vec![3, 4], vec![5, 6], vec![7]]);
    assert_eq!(stream.latency(), 1);
}

#[test]
fn other_streams_give_one_frame_for_one() {
    let progressive = Builder::new(Format::new(7, 5, Sampling::C420), Scan::Progressive);
    for builder in [progressive, interlaced(Sampling::C411).deinterlace(false)] {
        let mut stream = builder.build().unwrap();
        assert_eq!(stream.latency(), 0);
        let outputs = run(&mut stream, 3);
        assert_eq!(outputs.iter().map(|(time, _)| *time).collect::<Vec<_>>(), [0, 2, 4]);
        assert!(outputs.iter().all(|(_, frame)| frame.format() == stream.input_format()));
    }
}

#[test]
fn a_stream_that_does_nothing_passes_frames_on() {
    for sampling in SAMPLINGS {
        let mut stream = interlaced(sampling).denoise(false).deinterlace(false).build().unwrap();
        let passed: Vec<(u64, Frame)> = (0..3).map(|n| (2 * n as u64, frame(stream.input_format(), n))).collect();
        assert!(run(&mut stream, 3) == passed, "{sampling:?}");
    }
}

#[test]
fn the_output_format_is_known_beforehand() {
    use Sampling::*;
    for (input, outputs) in [
        // As asked for with Same, C422, C420, C420Drop.
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
    let calm = run(&mut builder.clone().build().unwrap(), 3);
    let mut stream = builder.build().unwrap();
    let mut outputs = vec![];
    for number in 0..3 {
        push(&mut stream, number).unwrap();
        while let Some(output) = {
            assert_eq!(push(&mut stream, 8), Err(Error::OutputWaiting));
            assert_eq!(stream.flush(), Err(Error::OutputWaiting));
            stream.pull()
        } {
            outputs.push((output.time, output.frame));
            if outputs.len() % 2 == 1 {
                break;
            }
        }
    }
    stream.flush().unwrap();
    assert_eq!(stream.flush(), Err(Error::OutputWaiting));
    outputs.extend(pull_all(&mut stream));
    assert!(outputs == calm, "a refused call left a trace");
}

#[test]
fn a_flushed_stream_has_ended() {
    for builder in [interlaced(Sampling::Mono), interlaced(Sampling::Mono).deinterlace(false)] {
        let mut stream = builder.build().unwrap();
        run(&mut stream, 2);
        assert_eq!(push(&mut stream, 2), Err(Error::Ended));
        assert_eq!(stream.flush(), Err(Error::Ended));
        assert_eq!(stream.flush_with(Code::Previous), Err(Error::Ended));
        assert_eq!(stream.pull(), None);
    }
}

#[test]
fn a_stream_without_frames_ends_without_frames() {
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    stream.flush().unwrap();
    assert_eq!((stream.pull(), stream.statistics()), (None, None));
    assert_eq!(push(&mut stream, 0), Err(Error::Ended));
    stream.reset();
    assert_eq!(run(&mut stream, 1).len(), 2);
}

/// Whatever was pushed, pulled or flushed before.
#[test]
fn a_reset_stream_is_a_new_one() {
    for sampling in SAMPLINGS {
        let fresh = run(&mut interlaced(sampling).build().unwrap(), 3);
        let mut stream = interlaced(sampling).build().unwrap();
        for frames in [0, 1, 2, 5] {
            for number in 0..frames {
                pull_all(&mut stream);
                push(&mut stream, 20 + number).unwrap();
            }
            stream.reset();
            assert_eq!(stream.pull(), None);
            assert!(run(&mut stream, 3) == fresh, "{sampling:?} after {frames} frames");
            stream.reset();
        }
    }
}

#[test]
fn recycled_frames_leave_no_trace() {
    for sampling in SAMPLINGS {
        for chroma in CHROMA {
            let builder = interlaced(sampling).chroma(chroma);
            let calm = run(&mut builder.clone().build().unwrap(), 4);
            let mut stream = builder.build().unwrap();
            let mut outputs = vec![];
            let dirty = |format: Format| Frame::from_vec(format, vec![0xa5; format.samples()]);
            for number in 0..=4 {
                if number < 4 {
                    push(&mut stream, number).unwrap()
                } else {
                    stream.flush().unwrap()
                }
                while let Some(output) = stream.pull() {
                    outputs.push((output.time, output.frame));
                    // None that it can use, then more than it can use.
                    stream.recycle(dirty(Format::new(20, 14, stream.output_format().sampling)));
                    stream.recycle(Frame::default());
                    (0..3).for_each(|_| stream.recycle(dirty(stream.output_format())));
                }
            }
            assert!(outputs == calm, "{sampling:?} to {chroma:?}");
        }
    }
}

#[test]
fn planes_may_lie_in_larger_ones() {
    for sampling in SAMPLINGS {
        let calm = run(&mut interlaced(sampling).build().unwrap(), 2);
        let mut stream = interlaced(sampling).build().unwrap();
        let format = stream.input_format();
        let mut outputs = vec![];
        for number in 0..2 {
            let frame = frame(format, number);
            // The last row ends with its last sample.
            let wide = [0, 1, 2].map(|i| {
                let (width, height) = format.plane_size(i);
                let mut data = vec![0x77; (width + 3 + i) * height];
                let rows = data.chunks_mut(width + 3 + i).zip(frame.plane(i).chunks(width.max(1)));
                rows.for_each(|(to, from)| to[..width].copy_from_slice(from));
                data.truncate(data.len().saturating_sub(3 + i));
                data
            });
            let planes = [0, 1, 2].map(|i| PlaneRef { data: &wide[i], stride: format.plane_size(i).0 + 3 + i });
            stream.push(&planes).unwrap();
            outputs.extend(pull_all(&mut stream));
        }
        stream.flush().unwrap();
        outputs.extend(pull_all(&mut stream));
        assert!(outputs == calm, "{sampling:?}");
    }
}

#[test]
fn planes_that_are_too_small_are_named() {
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    let frame = frame(stream.input_format(), 0);
    for (index, size, len, stride) in [
        (0, (20, 12), 239, 20),
        (0, (20, 12), 240, 19),
        (0, (20, 12), 0, 20),
        (0, (20, 12), 240, 21),
        (1, (10, 6), 59, 10),
        (2, (10, 6), 60, 9),
        (2, (10, 6), 60, 0),
        (2, (10, 6), 60, usize::MAX),
    ] {
        let mut planes = frame.planes();
        planes[index] = PlaneRef { data: &planes[0].data[..len], stride };
        let error = stream.push(&planes).unwrap_err();
        assert_eq!(error, Error::Plane { index, len, stride, size });
        let message = format!("plane {index}: {len} bytes at stride {stride} do not hold {}x{} samples", size.0, size.1);
        assert_eq!(error.to_string(), message);
    }
    // None of them was a step.
    assert_eq!((stream.pull(), stream.statistics()), (None, None));
    assert!(run(&mut stream, 2) == run(&mut interlaced(Sampling::C420).build().unwrap(), 2));
}

#[test]
fn mono_needs_no_chroma_planes() {
    let mut stream = interlaced(Sampling::Mono).build().unwrap();
    let luma = frame(stream.input_format(), 0);
    let none = PlaneRef { data: &[], stride: 0 };
    stream.push(&[luma.planes()[0], none, none]).unwrap();
    let mut out = [9; 240];
    let [mut u, mut v] = [[9; 4]; 2];
    let [luma, u, v] = [&mut out[..], &mut u, &mut v].map(|data| PlaneMut { data, stride: 20 });
    let mut planes = [luma, u, v];
    assert_eq!(stream.pull_into(&mut planes), Ok(Some(0)));
    assert!(planes[1..].iter().all(|plane| *plane.data == [9; 4]));
    let [luma, ..] = planes;
    assert_eq!(*luma.data, *run(&mut interlaced(Sampling::Mono).build().unwrap(), 1)[0].1.data());
}

fn planes_mut([luma, u, v]: &mut [Vec<u8>; 3], strides: [usize; 3]) -> [PlaneMut<'_>; 3] {
    let plane = |data, stride| PlaneMut { data, stride };
    [plane(luma, strides[0]), plane(u, strides[1]), plane(v, strides[2])]
}

/// Bytes beside and below the picture stay as they are.
#[test]
fn frames_are_pulled_into_larger_planes() {
    for sampling in SAMPLINGS {
        let calm = run(&mut interlaced(sampling).build().unwrap(), 3);
        let mut stream = interlaced(sampling).build().unwrap();
        let format = stream.output_format();
        let sizes = [0, 1, 2].map(|i| format.plane_size(i));
        let strides = [0, 1, 2].map(|i| sizes[i].0 + i);
        let mut expected = calm.iter();
        for number in 0..=3 {
            if number < 3 {
                push(&mut stream, number).unwrap()
            } else {
                stream.flush().unwrap()
            }
            loop {
                let mut memory = [0, 1, 2].map(|i| vec![0xcd; strides[i] * (sizes[i].1 + 1)]);
                let Some(time) = stream.pull_into(&mut planes_mut(&mut memory, strides)).unwrap() else { break };
                let (expected_time, frame) = expected.next().unwrap();
                assert_eq!(time, *expected_time);
                for (i, (width, height)) in sizes.into_iter().enumerate() {
                    for (y, row) in memory[i].chunks(strides[i].max(1)).enumerate() {
                        let (inside, beside) = row.split_at(if y < height { width } else { 0 });
                        assert!(y >= height || *inside == frame.plane(i)[y * width..][..width], "{sampling:?} plane {i} row {y}");
                        assert!(beside.iter().all(|&byte| byte == 0xcd), "{sampling:?} beside plane {i} row {y}");
                    }
                }
            }
        }
        assert_eq!(expected.next(), None);
    }
}

#[test]
fn a_frame_stays_where_planes_are_too_small() {
    let mut stream = interlaced(Sampling::C422).build().unwrap();
    let pull = |stream: &mut Stream, lens: [usize; 3], strides: [usize; 3]| {
        let mut memory = lens.map(|len| vec![0xcd; len]);
        let pulled = stream.pull_into(&mut planes_mut(&mut memory, strides));
        assert!(matches!(pulled, Ok(Some(_))) || memory.iter().flatten().all(|&byte| byte == 0xcd), "written in vain");
        pulled
    };
    assert_eq!(pull(&mut stream, [0; 3], [0; 3]), Ok(None));
    push(&mut stream, 0).unwrap();
    for (index, len, stride) in
        [(0, 0, 20), (0, 239, 20), (0, 240, 19), (0, 240, 0), (0, 240, usize::MAX), (1, 119, 10), (2, 120, 9), (2, 120, 0)]
    {
        let (mut lens, mut strides) = ([240, 120, 120], [20, 10, 10]);
        (lens[index], strides[index]) = (len, stride);
        let size = if index == 0 { (20, 12) } else { (10, 12) };
        assert_eq!(pull(&mut stream, lens, strides), Err(Error::Plane { index, len, stride, size }));
    }
    assert_eq!(push(&mut stream, 1), Err(Error::OutputWaiting));
    assert_eq!(pull(&mut stream, [240, 120, 120], [20, 10, 10]), Ok(Some(0)));
    assert_eq!(pull(&mut stream, [240, 120, 120], [20, 10, 10]), Ok(None));
}

#[test]
fn sizes_out_of_range_are_refused() {
    use Sampling::*;
    use Scan::*;
    for (width, height, sampling, scan, needs) in [
        (0, 2, Mono, Progressive, "must be within 1x1 and 8192x8192"),
        (2, 0, C420, TopFirst, "must be within 1x1 and 8192x8192"),
        (8193, 2, C422, TopFirst, "must be within 1x1 and 8192x8192"),
        (2, 8193, Mono, Progressive, "must be within 1x1 and 8192x8192"),
        (2, usize::MAX, C444, BottomFirst, "must be within 1x1 and 8192x8192"),
        (4, 1, Mono, TopFirst, "an interlaced picture needs an even height"),
        (4, 575, C422, BottomFirst, "an interlaced picture needs an even height"),
        (4, 2, C420, TopFirst, "an interlaced 4:2:0 picture needs at least 4 lines"),
    ] {
        let builder = Builder::new(Format::new(width, height, sampling), scan);
        let error = builder.check().unwrap_err();
        assert_eq!(error, Error::Size { width, height, needs });
        assert_eq!(error.to_string(), format!("picture size {width}x{height}: {needs}"));
        assert_eq!(builder.clone().build().unwrap_err(), error);
        // Fields stay fields when they are not completed.
        assert_eq!(builder.deinterlace(false).check(), Err(error));
    }
}

#[test]
fn the_smallest_and_largest_sizes_are_possible() {
    use Sampling::*;
    for sampling in SAMPLINGS {
        let largest = Format::new(8192, 8192, sampling);
        assert_eq!(Builder::new(largest, Scan::BottomFirst).check(), Ok(()));
        let smallest = Builder::new(Format::new(1, 1, sampling), Scan::Progressive);
        assert_eq!(run(&mut smallest.build().unwrap(), 3).len(), 3);
        let lines = if sampling == C420 { 4 } else { 2 };
        for chroma in CHROMA {
            let smallest = Builder::new(Format::new(1, lines, sampling), Scan::BottomFirst).chroma(chroma);
            assert_eq!(run(&mut smallest.build().unwrap(), 3).len(), 6);
        }
    }
    let mut long = Builder::new(Format::new(8192, 2, Mono), Scan::TopFirst).build().unwrap();
    let mut high = Builder::new(Format::new(1, 8192, C411), Scan::TopFirst).build().unwrap();
    assert_eq!((run(&mut long, 2).len(), run(&mut high, 2).len()), (4, 4));
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let mut deep = Format::new(20, 12, Sampling::C420);
    deep.depth = 10;
    let error = Builder::new(deep, Scan::TopFirst).build().unwrap_err();
    assert_eq!((&error, error.to_string().contains("10 bits")), (&Error::Depth(10), true));

    let progressive = Builder::new(Format::new(20, 12, Sampling::C420), Scan::Progressive);
    assert_eq!(progressive.clone().check(), Ok(()));
    assert_eq!(progressive.deinterlace(true).build().unwrap_err(), Error::NotInterlaced);

    for chroma in [ChromaOutput::C422, ChromaOutput::C420, ChromaOutput::C420Drop] {
        let error = interlaced(Sampling::C411).deinterlace(false).chroma(chroma).build().unwrap_err();
        let why = "without deinterlacing it stays the same";
        assert_eq!(error, Error::Chroma { input: Sampling::C411, why });
        assert_eq!(error.to_string(), format!("output chroma for C411: {why}"));
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let refused = |change: fn(&mut Parameters)| {
        let mut parameters = Parameters::default();
        change(&mut parameters);
        interlaced(Sampling::C420).parameters(parameters).build().unwrap_err()
    };
    let error = refused(|parameters| parameters.denoise.stad_th = 256);
    assert!(matches!(error, Error::Parameter(ParameterError::Range { name: "stad_th", value: 256, min: 0, max: 255, .. })));
    assert_eq!(error.to_string(), "stad_th = 256 is outside 0…255");
    let error = refused(|parameters| parameters.carried.column_width = 0);
    assert_eq!(error.to_string(), "column_width = 0 is outside 1…512");
    let error = refused(|parameters| parameters.denoise.temporal_diff_low = 13);
    assert!(matches!(error, Error::Parameter(ParameterError::Conflict(_))), "{error}");
    let error = refused(|parameters| parameters.deinterlace.stmm_max = 149);
    assert!(error.to_string().contains("stmm_max - stmm_min = 149 - 118"), "{error}");
    // Every field of every stage is looked at.
    for field in Parameters::fields() {
        let mut parameters = Parameters::default();
        for outside in [i64::from(field.min) - 1, i64::from(field.max) + 1, i64::MAX, i64::MIN] {
            let error = parameters.set(field.name, outside).unwrap_err();
            assert!(matches!(error, ParameterError::Range { name, .. } if name == field.name), "{error}");
        }
        assert_eq!(parameters, Parameters::default());
    }
}

#[test]
fn the_level_is_the_one_asked_for() {
    for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
        assert_eq!(interlaced(Sampling::C420).level(level).build().unwrap().level(), level);
    }
}

/// The first step takes its codes as 0, and at the end only the weave with the frame's own field means something (§1.4).
#[test]
fn codes_without_their_fields_deinterlace() {
    let weave = Cadence { prev2: Code::Next, cur1: Code::Previous };
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    let calm = run(&mut stream, 1);
    for (end, woven) in [(Code::Deinterlace, false), (Code::Next, false), (Code::Previous, true)] {
        stream.reset();
        stream.push_with(&frame(stream.input_format(), 0).planes(), weave).unwrap();
        assert!(pull_all(&mut stream) == calm[..1]);
        stream.flush_with(end).unwrap();
        assert_eq!(pull_all(&mut stream) != calm[1..], woven, "{end:?}");
    }
}

#[test]
fn streams_go_to_other_threads() {
    fn can_be_sent<T: Send + 'static>(_: &T) {}
    fn can_be_shared<T: Sync>() {}
    can_be_shared::<(Stream, Builder, Frame, Error)>();
    let calm = run(&mut interlaced(Sampling::C420).build().unwrap(), 4);
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    can_be_sent(&stream);
    let mut outputs = vec![];
    for number in 0..4 {
        (stream, outputs) = std::thread::spawn(move || {
            push(&mut stream, number).unwrap();
            outputs.extend(pull_all(&mut stream));
            (stream, outputs)
        })
        .join()
        .unwrap();
    }
    stream.flush().unwrap();
    outputs.extend(pull_all(&mut stream));
    assert!(outputs == calm);
}

#[test]
fn a_stream_works_in_its_callers_pool() {
    let calm = run(&mut interlaced(Sampling::C420).build().unwrap(), 4);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| run(&mut interlaced(Sampling::C420).build().unwrap(), 4)) == calm, "{threads} threads");
    }
}

/// Any calls in any order do what the documentation says, and nothing panics.
#[test]
fn random_calls_follow_the_rules() {
    for seed in 0..400_u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) % n
        };
        let format = Format::new(below(24) as usize, below(24) as usize, SAMPLINGS[below(5) as usize]);
        let scan = [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst][below(3) as usize];
        let deinterlace = below(3) > 0;
        let builder = Builder::new(format, scan).denoise(below(4) > 0).deinterlace(deinterlace);
        let builder = builder.chroma(CHROMA[(below(8) as usize).saturating_sub(4)]);
        let Ok(mut stream) = builder.build() else { continue };
        let mut waiting = VecDeque::new();
        let (mut steps, mut ended) = (0, false);
        for _ in 0..40 {
            let refused = if !waiting.is_empty() {
                Err(Error::OutputWaiting)
            } else if ended {
                Err(Error::Ended)
            } else {
                Ok(())
            };
            match below(16) {
                0..6 => {
                    assert_eq!(push(&mut stream, steps as usize), refused, "seed {seed}");
                    if refused.is_ok() {
                        waiting.extend((deinterlace && steps > 0).then(|| 2 * steps - 1));
                        waiting.push_back(2 * steps);
                        steps += 1;
                    }
                }
                6 => {
                    assert_eq!(stream.flush_with(Code::Previous), refused, "seed {seed}");
                    if refused.is_ok() {
                        waiting.extend((deinterlace && steps > 0).then(|| 2 * steps - 1));
                        ended = true;
                    }
                }
                7 => {
                    stream.reset();
                    waiting.clear();
                    (steps, ended) = (0, false);
                }
                8 => {
                    let mut memory = [0, 1, 2].map(|i| vec![0; stream.output_format().plane_size(i).0 * 24]);
                    let strides = [0, 1, 2].map(|i| stream.output_format().plane_size(i).0);
                    assert_eq!(stream.pull_into(&mut planes_mut(&mut memory, strides)), Ok(waiting.pop_front()), "seed {seed}");
                }
                _ => {
                    let output = stream.pull();
                    assert_eq!(output.as_ref().map(|output| output.time), waiting.pop_front(), "seed {seed}");
                    output.into_iter().filter(|_| seed % 2 == 0).for_each(|output| stream.recycle(output.frame));
                }
            }
            assert_eq!(stream.statistics().map(|statistics| statistics.step), steps.checked_sub(1), "seed {seed}");
        }
    }
}
