//! The detector.
use crate::{SAMPLINGS, SIZES, pairs, texture};
use dndi::{Detector, DetectorBuilder, Error, FieldMatching, Format, Frame, MAX_SIZE, PlaneRef, Sampling};

#[test]
fn formats_outside_the_range_are_errors() {
    for sampling in SAMPLINGS {
        for (width, height) in pairs(&SIZES) {
            let inside = (1..=MAX_SIZE).contains(&width) && (1..=MAX_SIZE).contains(&height);
            for depth in [0, 7, 17, 255] {
                let format = Format::new(width, height, sampling).with_depth(depth);
                assert_eq!(Detector::builder(format).build().err(), Some(Error::Depth(depth)));
            }
            if !inside {
                let error = Detector::builder(Format::new(width, height, sampling)).build().unwrap_err();
                assert!(matches!(error, Error::Size { width: w, height: h, .. } if (w, h) == (width, height)), "{error}");
            }
        }
    }
}

#[test]
fn planes_of_absurd_strides_are_errors() {
    let format = Format::new(33, 20, Sampling::Mono);
    let frame = texture(Frame::new(format), 1);
    for stride in SIZES {
        for length in [0, 1, 33 * 20 - 1, 33 * 20] {
            let mut detector = Detector::builder(format).build().unwrap();
            let result = detector.push(PlaneRef::new(&frame.data()[..length], stride), None);
            assert!(matches!(result, Err(Error::Plane { .. })), "{stride} {length}");
        }
    }
}

/// Absurd frame rates find no blends, and no rate is like none.
#[test]
fn absurd_frame_rates_have_decisions() {
    let format = Format::new(64, 48, Sampling::Mono);
    for (frames, seconds) in pairs(&[0, 1, 1001, 30_000, u32::MAX as usize]) {
        let builder: DetectorBuilder = Detector::builder(format).frame_rate(frames as u32, seconds as u32);
        let mut detector = builder.seek_blends(true).build().unwrap();
        for seed in 0..30 {
            detector.push(texture(Frame::new(format), seed).planes()[0], None).unwrap();
        }
        detector.finish();
        let decisions: Vec<_> = std::iter::from_fn(|| detector.pull()).collect();
        assert_eq!(decisions.len(), 30, "{frames}/{seconds}");
        assert!(decisions.iter().all(|decision| decision.blend.is_none()), "{frames}/{seconds}");
    }
}

/// The narrowest and the flattest pictures have all decisions.
#[test]
fn extreme_shapes_are_decided() {
    for (width, height) in [(1, 1), (1, MAX_SIZE), (MAX_SIZE, 1), (2, 3), (3, 5), (MAX_SIZE, 6)] {
        for mode in [FieldMatching::Off, FieldMatching::Pattern, FieldMatching::Always] {
            let format = Format::new(width, height, Sampling::Mono);
            let mut detector = Detector::builder(format).field_matching(mode).build().unwrap();
            for seed in 0..14 {
                detector.push(texture(Frame::new(format), seed).planes()[0], None).unwrap();
            }
            detector.finish();
            let decisions: Vec<_> = std::iter::from_fn(|| detector.pull()).collect();
            assert_eq!(decisions.len(), 14);
            for decision in decisions {
                for mask in &decision.matches.comb_masks {
                    let contains = pairs(&[0, usize::MAX]).filter(|&(x, y)| mask.contains(x, y)).count();
                    assert!(contains == 0 || !mask.is_empty());
                }
            }
        }
    }
}
