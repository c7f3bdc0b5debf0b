//! Calls in any order, from any thread.
use super::planes::planes_mut;
use super::*;

/// The first step ignores its matches. At the end of the stream only the match with the other field
/// of the last frame has an effect (§1.4).
#[test]
fn matches_with_missing_fields_are_ignored() {
    let weave = StepMatches { second_of_previous: FieldMatch::Next, first_of_current: FieldMatch::Previous };
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    let expected = run(&mut stream, 1);
    for (end, woven) in [(FieldMatch::Deinterlace, false), (FieldMatch::Next, false), (FieldMatch::Previous, true)] {
        stream.reset();
        let matches = FieldMatches::from(weave).final_match(end);
        stream.push(Input::new(&frame(stream.input_format(), 0).planes()).matches(&matches)).unwrap();
        assert!(pull_all(&mut stream) == expected[..1]);
        stream.flush().unwrap();
        assert_eq!(pull_all(&mut stream) != expected[1..], woven, "{end:?}");
    }
}

#[test]
fn streams_can_move_between_threads() {
    fn can_be_sent<T: Send + 'static>(_: &T) {}
    fn can_be_shared<T: Sync>() {}
    can_be_shared::<(Stream, StreamBuilder, Frame, Error)>();
    let expected = run(&mut interlaced(Sampling::C420).build().unwrap(), 4);
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
    assert!(outputs == expected);
}

#[test]
fn a_stream_works_in_the_pool_of_its_caller() {
    let expected = run(&mut interlaced(Sampling::C420).build().unwrap(), 4);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| run(&mut interlaced(Sampling::C420).build().unwrap(), 4)) == expected, "{threads} threads");
    }
}

/// Calls in any order have the documented results, and none panics.
#[test]
fn random_calls_have_the_documented_results() {
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
        let builder =
            Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6).denoise(below(4) > 0).deinterlace(deinterlace);
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
                    assert_eq!(stream.flush(), refused, "seed {seed}");
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
                    assert_eq!(
                        pull_into(&mut stream, &mut planes_mut(&mut memory, strides)),
                        Ok(waiting.pop_front()),
                        "seed {seed}"
                    );
                }
                _ => {
                    let output = stream.pull();
                    assert_eq!(output.as_ref().map(|output| output.field_time), waiting.pop_front(), "seed {seed}");
                    output.into_iter().filter(|_| seed % 2 == 0).for_each(|output| stream.recycle(output.frame));
                }
            }
            assert_eq!(stream.statistics().map(|statistics| statistics.step), steps.checked_sub(1), "seed {seed}");
        }
    }
}
