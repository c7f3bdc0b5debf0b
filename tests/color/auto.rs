//! Automatic contrast: the inputs that change it, and those that must not.

use crate::content::Random;
use dndi::{Format, Frame, Rect, Sampling, Scan, SimdLevel, Stream, StreamBuilder};

const FORMAT: (usize, usize) = (64, 48);

fn format() -> Format {
    Format::new(FORMAT.0, FORMAT.1, Sampling::C420)
}

/// A noisy picture with mean `mean`, and mean `below` in its lowest third.
fn picture(seed: u64, mean: u8, below: u8) -> Frame {
    let random = &mut Random::new(seed);
    let mut frame = Frame::new(format());
    let [y, u, v] = frame.byte_planes_mut();
    for (line, samples) in y.chunks_exact_mut(FORMAT.0).enumerate() {
        let mean = if line < FORMAT.1 * 2 / 3 { mean } else { below };
        samples.iter_mut().for_each(|y| *y = mean - 16 + (random.bits() % 33) as u8);
    }
    u.fill(120);
    v.fill(130);
    frame
}

/// A scene, a second scene, and the first scene again.
fn clip() -> Vec<Frame> {
    let means = [60, 62, 64, 66, 150, 151, 152, 60, 61];
    (1..).zip(means).map(|(seed, mean)| picture(seed, mean, mean + 20)).collect()
}

fn builder() -> StreamBuilder {
    Stream::builder(format(), Scan::Progressive).denoise(false).statistics(false).auto_contrast(Some(100))
}

fn run(stream: &mut Stream, clip: &[Frame]) -> Vec<Frame> {
    let mut made = vec![];
    for frame in clip {
        stream.push(&frame.planes()).unwrap();
        made.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame));
    }
    made
}

#[test]
fn levels_and_threads_change_nothing() {
    let want = run(&mut builder().simd_level(SimdLevel::Scalar).build().unwrap(), &clip());
    assert!(want.iter().zip(&clip()).all(|(made, frame)| made != frame));
    for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let got = pool.install(|| run(&mut builder().simd_level(level).build().unwrap(), &clip()));
            assert!(got == want, "{level}, {threads} threads");
        }
    }
}

/// The result does not depend on whether the colour pipe or another stage reads the frame first.
#[test]
fn the_position_of_the_pipe_changes_nothing() {
    let behind = builder().statistics(true);
    assert!(run(&mut behind.build().unwrap(), &clip()) == run(&mut builder().build().unwrap(), &clip()));
}

#[test]
fn a_reset_stream_knows_no_history() {
    let clip = clip();
    let (before, after) = clip.split_at(2);
    let fresh = run(&mut builder().build().unwrap(), after);
    let mut stream = builder().build().unwrap();
    run(&mut stream, before);
    assert!(run(&mut stream, after) != fresh, "two frames of the same scene went before");
    stream.reset();
    assert!(run(&mut stream, after) == fresh);
}

/// Pixels outside the area of interest do not change lines inside it.
#[test]
fn the_area_of_interest_alone_counts() {
    let inside = Rect { x: 0, y: 0, width: FORMAT.0, height: FORMAT.1 * 2 / 3 };
    let lines = |frame: &Frame| frame.plane(0)[..FORMAT.0 * inside.height].to_vec();
    let made = |below, area| lines(&run(&mut builder().area_of_interest(area).build().unwrap(), &[picture(7, 80, below)])[0]);
    assert_eq!(made(40, Some(inside)), made(200, Some(inside)));
    assert_ne!(made(40, None), made(200, None));
}

/// A scene after a cut equals the same scene processed alone.
#[test]
fn nothing_crosses_a_cut() {
    let frames = clip();
    let whole = run(&mut builder().build().unwrap(), &frames);
    for cut in [4, 7] {
        let alone = run(&mut builder().build().unwrap(), &frames[cut..]);
        assert!(whole[cut..][..2] == alone[..2], "{cut}");
    }
}
