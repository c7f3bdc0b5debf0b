//! The purpose of the stages in numbers: less noise, and no loss where nothing moves.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use dndi::{Deinterlacer, Format, Frame, Parameters, Sampling, Scan, Stream, StreamBuilder};

fn format(sampling: Sampling) -> Format {
    Format::new(96, 64, sampling)
}

/// Smooth waves in all planes, with values from 60 to 180.
fn waves(format: Format) -> Frame {
    let mut frame = Frame::new(format);
    for (index, plane) in frame.byte_planes_mut().into_iter().enumerate() {
        let width = format.plane_size(index).0;
        for (i, sample) in plane.iter_mut().enumerate() {
            let (x, y) = ((i % width) as f64, (i / width) as f64);
            *sample = (120.0 + 40.0 * (x / 11.0).sin() + 20.0 * (y / 9.0 + index as f64).cos()).round() as u8;
        }
    }
    frame
}

/// Adds nearly normal noise of this standard deviation to the luma.
fn with_noise(clean: &Frame, number: u64, deviation: f64) -> Frame {
    let mut state = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut frame = clean.clone();
    for sample in frame.byte_planes_mut()[0].iter_mut() {
        // The sum of twelve uniform values has a variance of 1.
        let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        *sample = (f64::from(*sample) + deviation * normal).round().clamp(0.0, 255.0) as u8;
    }
    frame
}

fn squared_error(a: &Frame, b: &Frame, plane: usize) -> f64 {
    let samples = a.plane(plane).iter().zip(b.plane(plane));
    samples.map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2)).sum::<f64>() / a.plane(plane).len() as f64
}

/// All output frames.
fn process(builder: StreamBuilder, input: impl Iterator<Item = Frame>) -> Vec<Frame> {
    let mut stream = builder.build().unwrap();
    let mut frames = vec![];
    for frame in input {
        stream.push(&frame.planes()).unwrap();
        frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame));
    }
    stream.flush().unwrap();
    frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame));
    frames
}

/// The default filter on a still picture with noise.
#[test]
fn denoising_brings_a_picture_nearer_to_the_clean_one() {
    let format = format(Sampling::Mono);
    let clean = waves(format);
    for scan in [Scan::Progressive, Scan::BottomFirst] {
        for (deviation, factor) in [(1.0, 2.0), (2.0, 3.5), (3.0, 4.5), (4.0, 3.0), (6.0, 2.0)] {
            let noisy = |n| with_noise(&clean, n, deviation);
            let frames = process(Stream::builder(format, scan).denoise(true).deinterlace(false), (0..16).map(noisy));
            for (n, frame) in (0..).zip(&frames) {
                let (before, after) = (squared_error(&noisy(n), &clean, 0), squared_error(frame, &clean, 0));
                assert_relative_eq!(before, deviation * deviation, max_relative = 0.15);
                // The first frame has only the spatial filter, and the history needs nine more
                // frames.
                let factor = if n < 10 { f64::min(factor, 2.0) } else { factor };
                assert!(after * factor < before, "{scan:?}, frame {n}: {before} became {after}, not divided by {factor}");
            }
        }
    }
}

/// A mean of nine samples reduces the noise variance to 1/9 (§2.3); a recursion with weight a =
/// 192/256 reduces it to (1 - a) / (1 + a) = 1/7 (§2.2).
#[test]
fn each_filter_has_the_gain_of_its_formula() {
    let (format, deviation) = (format(Sampling::Mono), 6.0);
    let grey = Frame::from_vec(format, vec![100; format.samples()]);
    let clean = waves(format);
    let builder = |settings: &[(&str, i64)]| {
        let mut parameters = Parameters::default();
        settings.iter().for_each(|(name, value)| parameters.set(name, *value).unwrap());
        Stream::builder(format, Scan::Progressive).denoise(true).parameters(parameters)
    };

    let spatial = builder(&[("good_neighbor_th", 63)]);
    let first = &process(spatial, std::iter::once(with_noise(&grey, 0, deviation)))[0];
    assert_relative_eq!(squared_error(first, &grey, 0), deviation * deviation / 9.0, max_relative = 0.1);

    // Nothing counts as motion.
    let still = [("stad_th", 255), ("moving_pixel_th", 16), ("scm_th", 0), ("temporal_diff_th", 63), ("temporal_diff_low", 63)];
    let frames = process(builder(&still), (0..30).map(|n| with_noise(&clean, n, deviation)));
    assert_relative_eq!(squared_error(&frames[29], &clean, 0), deviation * deviation / 7.0, max_relative = 0.1);
}

/// Flat pictures do not change, except for the truncation in the mean's table (§2.3).
#[test]
fn flat_pictures_stay_flat() {
    for level in 0..=255 {
        let format = format(Sampling::C422);
        let flat = Frame::from_vec(format, vec![level; format.samples()]);
        for frame in process(Stream::builder(format, Scan::TopFirst).denoise(true), std::iter::repeat_n(flat.clone(), 3)) {
            for sample in frame.plane(0) {
                assert_abs_diff_eq!(f64::from(*sample), f64::from(level), epsilon = if level > 181 { 1.0 } else { 0.0 });
            }
            assert!(frame.plane(1).iter().chain(frame.plane(2)).all(|sample| *sample == level));
        }
    }
}

/// In a still scene the other field completes each picture without loss, after the motion measure
/// has settled.
#[test]
fn a_still_scene_comes_back_whole() {
    for sampling in [Sampling::Mono, Sampling::C420, Sampling::C422, Sampling::C444] {
        let scans = [Scan::TopFirst, Scan::BottomFirst];
        let deinterlacers = [Deinterlacer::Gen6, Deinterlacer::Balanced, Deinterlacer::Best];
        for (scan, deinterlacer) in scans.into_iter().flat_map(|scan| deinterlacers.map(|deinterlacer| (scan, deinterlacer))) {
            let scene = waves(format(sampling));
            let still = || std::iter::repeat_n(scene.clone(), 8);
            let stream = || Stream::builder(format(sampling), scan).deinterlacer(deinterlacer);
            let (frames, denoised) = (process(stream().denoise(false), still()), process(stream().denoise(true), still()));
            let last = frames.len() - 1;
            for (n, (frame, denoised)) in frames.iter().zip(&denoised).enumerate() {
                // The first three pictures and the last one use one field at least in part.
                for plane in 0..sampling.planes() {
                    let error = match (3..last).contains(&n) {
                        true => 0.0,
                        false => 1.0,
                    };
                    assert_abs_diff_eq!(squared_error(frame, &scene, plane), 0.0, epsilon = error);
                    assert_abs_diff_eq!(squared_error(denoised, frame, plane), 0.0, epsilon = if n < 3 { 1.0 } else { 0.1 });
                }
            }
        }
    }
}

/// Fine lines alias to large shapes that differ between the fields of a still frame: that is no
/// scene cut.
#[test]
fn still_fine_lines_come_back_whole() {
    let format = Format::new(192, 128, Sampling::Mono);
    let lines = |i: usize| if (i / 192 + i % 192 / 64) % 7 < 3 { 200 } else { 60 };
    let still = Frame::from_vec(format, (0..192 * 128).map(lines).collect());
    for deinterlacer in [Deinterlacer::Balanced, Deinterlacer::Best] {
        for scan in [Scan::TopFirst, Scan::BottomFirst] {
            let builder = Stream::builder(format, scan).deinterlacer(deinterlacer).denoise(false);
            let frames = process(builder, std::iter::repeat_n(still.clone(), 5));
            assert!(frames[2..8].iter().all(|frame| *frame == still), "{deinterlacer:?}, {scan:?}");
        }
    }
}

/// Black frames amid moving content: no deinterlacer that reads other fields takes content from
/// them, or black for the content.
#[test]
fn black_frames_stay_black() {
    let format = format(Sampling::C420);
    let black = {
        let mut frame = Frame::new(format);
        frame.byte_planes_mut().into_iter().zip([16, 128, 128]).for_each(|(plane, value)| plane.fill(value));
        frame
    };
    // Noise, so that no content is static.
    let content = |n: u64| with_noise(&waves(format), n, 6.0);
    let input = || (0..9).map(|n| if (3..5).contains(&n) { black.clone() } else { content(n) });
    for deinterlacer in [Deinterlacer::Gen6, Deinterlacer::Balanced, Deinterlacer::Best] {
        for scan in [Scan::TopFirst, Scan::BottomFirst] {
            let builder = Stream::builder(format, scan).deinterlacer(deinterlacer).denoise(false);
            let frames = process(builder, input());
            assert_eq!(frames.len(), 18);
            assert!(frames[6..10].iter().all(|frame| *frame == black), "{deinterlacer:?}, {scan:?}: content in black frames");
            let darkest = |n: usize| frames[n].plane(0).iter().copied().min();
            let (beside, other) = (darkest(10), darkest(14));
            assert!(beside > Some(16) && other > Some(16), "{deinterlacer:?}, {scan:?}: {beside:?}, {other:?}");
        }
    }
}
