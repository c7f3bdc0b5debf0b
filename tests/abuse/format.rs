//! Formats, frames, comb masks and the other values of the first modules.
use crate::{SAMPLINGS, SIZES, pairs, panics};
use dndi::{ColorMatrix, CombMask, FieldMatch, Format, Frame, Maps, PixelSources, Rect, Sampling};

#[test]
fn sizes_of_formats_saturate() {
    for sampling in SAMPLINGS {
        for (width, height) in pairs(&SIZES) {
            let (across, down) = sampling.chroma_size(width, height);
            assert!(across <= width && down <= height);
            let product = |width: usize, height: usize| width as u128 * height as u128;
            let exact = product(width, height).saturating_add(product(across, down).saturating_mul(2));
            for depth in [0, 8, 9, 16, 255] {
                let format = Format::new(width, height, sampling).with_depth(depth);
                assert_eq!(format.samples(), usize::try_from(exact).unwrap_or(usize::MAX));
                assert_eq!((format.plane_size(0), format.plane_size(usize::MAX)), ((width, height), (across, down)));
                assert_eq!(format.bytes_per_sample(), if depth > 8 { 2 } else { 1 });
                assert!(!format.has_fields() || height.is_multiple_of(2));
            }
        }
    }
}

#[test]
fn frames_that_no_memory_holds_are_documented_panics() {
    for sampling in SAMPLINGS {
        for (width, height) in pairs(&SIZES) {
            let format = Format::new(width, height, sampling);
            if format.samples() == usize::MAX {
                assert!(panics(|| Frame::new(format)), "{format:?}");
                assert!(panics(|| Frame::new(format.with_depth(16))), "{format:?}");
                assert!(Frame::try_new(format).is_err() && Frame::try_new(format.with_depth(16)).is_err(), "{format:?}");
            }
            if format.samples() != 7 {
                assert!(panics(|| Frame::from_vec(format, vec![0; 7])), "{format:?}");
                assert!(panics(|| Frame::from_vec_u16(format.with_depth(9), vec![0; 7])), "{format:?}");
            }
        }
    }
}

#[test]
fn frames_without_samples() {
    for sampling in SAMPLINGS {
        for size in SIZES {
            for (width, height) in [(0, size), (size, 0)] {
                let format = Format::new(width, height, sampling);
                let mut frame = Frame::new(format);
                assert_eq!((frame.data().len(), frame.planes().len()), (0, sampling.planes()));
                assert!(
                    frame
                        .planes_mut()
                        .iter()
                        .all(|plane| matches!(&plane.samples, dndi::SamplesMut::U8(samples) if samples.is_empty()))
                );
                assert!(frame.byte_planes_mut().iter().all(|plane| plane.is_empty()));
                assert!((0..3).all(|index| frame.plane(index).is_empty()));
            }
        }
    }
}

#[test]
fn planes_of_absurd_numbers() {
    for index in SIZES.into_iter().filter(|&index| index > 2) {
        assert!(Frame::new(Format::new(4, 4, Sampling::Mono)).plane(index).is_empty());
        for sampling in [Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444] {
            assert!(panics(|| Frame::new(Format::new(4, 4, sampling)).plane(index).len()), "{sampling} {index}");
        }
    }
}

#[test]
fn comb_masks_of_any_shape() {
    for tiles in [vec![], vec![true], vec![false; 5], vec![true; 6]] {
        for columns in SIZES {
            for (width, height) in pairs(&SIZES) {
                let mask = CombMask::new(columns, width, height, tiles.clone());
                assert_eq!(mask.is_empty(), !tiles.contains(&true));
                for (x, y) in pairs(&[0, 1, 5, usize::MAX / 2, usize::MAX]) {
                    let marked = mask.contains(x, y);
                    assert!(!marked || !mask.is_empty());
                    // The first tile covers the first sample.
                    assert!((x, y) != (0, 0) || marked == (columns > 0 && tiles.first() == Some(&true)));
                }
            }
        }
    }
}

#[test]
fn other_values() {
    assert!((0..=u8::MAX).filter_map(FieldMatch::from_code).count() == 3);
    for (width, height) in pairs(&SIZES) {
        let matrix = ColorMatrix::usual(width, height);
        assert_eq!(matrix == ColorMatrix::Bt601, width <= 1024 && height <= 576);
        let rect = Rect { x: width, y: height, width, height };
        assert_eq!(rect.to_string().parse(), Ok(rect));
        let mut maps = Maps::default();
        (maps.size, maps.step) = ((width, height), u64::MAX);
        assert!(maps.pairs() <= width && maps.blocks() <= maps.pairs());
    }
    assert!("0,0,1,99999999999999999999".parse::<Rect>().is_err());
    let mut sources = PixelSources::default();
    (sources.woven, sources.temporal, sources.compensated) = (u64::MAX, 1, u64::MAX - 1);
    (sources.spatial, sources.network, sources.stmm_sum, sources.pairs) = (1 << 63, u64::MAX, u64::MAX, 0);
    sources += sources;
    assert_eq!((sources.woven, sources.temporal, sources.network, sources.pairs), (u64::MAX, 2, u64::MAX, 0));
    assert_eq!(sources.spatial, u64::MAX);
}
