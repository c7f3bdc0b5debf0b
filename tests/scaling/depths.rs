//! The scaler and the sharpening filter at 9 to 16 bits (§9.4, §9.8).
use super::*;

const DEPTHS: [u8; 5] = [9, 10, 12, 14, 16];

#[test]
fn random_pictures_of_each_depth_become_what_the_model_makes_of_them() {
    for seed in seeds(400) {
        matches_the_model(random_case(seed, DEPTHS[seed as usize % DEPTHS.len()]));
    }
}

/// The highest contrast and the greatest coefficients, whose sums have the most bits.
#[test]
fn extreme_pictures_and_parameters_fit() {
    for seed in seeds(60) {
        let depth = DEPTHS[seed as usize % DEPTHS.len()];
        let random = &mut Random::new(seed);
        let format = Format::new(random.within(60..=90) as usize, 40, Sampling::Mono).with_depth(depth);
        let data = (0..format.samples()).map(|_| if random.once_in(2) { u16::MAX >> (16 - depth) } else { 0 });
        let frame = Frame::from_vec_u16(format, data.collect());
        let mut parameters = Parameters::default();
        let sharpen = &mut parameters.sharpen;
        (sharpen.r5c_coefficient, sharpen.r5x_coefficient, sharpen.r5cx_coefficient) = (31, 31, 31);
        (sharpen.r3c_coefficient, sharpen.r3x_coefficient) = (31, 31);
        (sharpen.pwl1_r5_bias_6, sharpen.pwl1_r5_slope_6, sharpen.pwl1_r3_bias_6) = (255, 0, 255);
        (sharpen.gain_factor, sharpen.strong_edge_weight, sharpen.clip_limiter) = (63, 7, 1023);
        (sharpen.maximum_limiter, sharpen.minimum_limiter, sharpen.limiter_boost) = (15, 15, 15);
        sharpen.global_noise_estimation = random.pick(&[0, 255]);
        let mode = MODES[seed as usize % MODES.len()];
        let scale = random.once_in(2).then_some(Scale::new(70, 60));
        let builder = builder(format, Scan::Progressive).sharpen(Some(mode)).scale(scale).parameters(parameters.clone());
        let name = format!("seed {seed}, {mode:?}, {format:?}, {scale:?}");
        matches_the_model((name, builder, frame, scale, ChromaLocation::Left, Some(mode), parameters));
    }
}

/// At equal sizes the scaler changes no picture of any depth.
#[test]
fn equal_sizes_are_the_identity_at_each_depth() {
    for (seed, sampling) in (0..).zip(SAMPLINGS) {
        for depth in DEPTHS {
            for (width, height) in [(1, 1), (7, 5), (65, 33), (130, 70)] {
                let format = Format::new(width, height, sampling).with_depth(depth);
                let frame = picture(&mut Random::new(seed), format);
                for location in LOCATIONS {
                    let mut parameters = Parameters::default();
                    parameters.scaler.adaptive_filter_for_all_channels = true;
                    parameters.scaler.rgb_adaptive = seed % 2 == 0;
                    parameters.scaler.max_deriv_8 = 0;
                    let settings = builder(format, Scan::Progressive).parameters(parameters).chroma_location(location);
                    let got = process(&settings.scale(Some(Scale::new(width, height))), &frame);
                    assert!(got == frame, "{format:?} {location:?}");
                }
            }
        }
    }
}

/// A rectangle of its own size is cut out without a change.
#[test]
fn a_rectangle_is_cut_out_at_16_bits() {
    let format = Format::new(40, 30, Sampling::C444).with_depth(16);
    let frame = picture(&mut Random::new(3), format);
    let crop = Rect { x: 7, y: 5, width: 21, height: 12 };
    let got = grids(&process(&builder(format, Scan::Progressive).scale(Some(Scale::cut(crop))), &frame));
    for (whole, part) in grids(&frame).iter().zip(got) {
        for (at, &v) in part.data.iter().enumerate() {
            assert_eq!(v, whole.at((at % 21 + 7) as i64, (at / 21 + 5) as i64));
        }
    }
}

/// Samples of 9 and 10 bits that represent 8-bit ones give the same 10-bit values before the exit,
/// so the 8-bit result is theirs, rounded.
#[test]
fn up_to_ten_bits_the_values_before_the_exit_are_the_same() {
    for seed in seeds(100) {
        let (name, settings, frame, scale, location, sharpen, parameters) = random_case(seed, 8);
        let narrow = grids(&process(&settings, &frame));
        for depth in [9, 10] {
            let format = frame.format().with_depth(depth);
            let raised = Frame::from_vec_u16(format, frame.data().iter().map(|&v| (v as u16) << (depth - 8)).collect());
            let settings = builder(format, Scan::Progressive).scale(scale).chroma_location(location).sharpen(sharpen);
            let deep = grids(&process(&settings.parameters(parameters.clone()), &raised));
            for (narrow, deep) in narrow.iter().zip(&deep) {
                for (&narrow, &deep) in narrow.data.iter().zip(&deep.data) {
                    // The 10-bit value v has left as (v + 2) >> 2, and as v or (v + 1) >> 1.
                    match depth {
                        10 => assert_eq!(narrow, ((deep + 2) >> 2).min(255), "{name}"),
                        _ => assert!((2 * narrow - deep).abs() <= 1, "{name}: {narrow} {deep}"),
                    }
                }
            }
        }
    }
}

/// Beyond 10 bits the weights of the first direction are those of the 8 most significant bits: with
/// low bits of 0 the picture is the 8-bit one of greater precision.
#[test]
fn the_values_before_the_exit_approach_those_of_eight_bits() {
    for depth in [12, 16] {
        let format = Format::new(50, 40, Sampling::Mono);
        let frame = picture(&mut Random::new(8), format);
        let raised = frame.data().iter().map(|&v| (v as u16) << (depth - 8)).collect();
        let raised = Frame::from_vec_u16(format.with_depth(depth), raised);
        let scaled = |frame: &Frame| process(&builder(frame.format(), Scan::Progressive).scale(Some(Scale::new(83, 40))), frame);
        let (narrow, deep) = (grids(&scaled(&frame)), grids(&scaled(&raised)));
        for (&narrow, &deep) in narrow[0].data.iter().zip(&deep[0].data) {
            assert!((narrow << (depth - 8)).abs_diff(deep) <= 1 << (depth - 8), "{depth} bits: {narrow} {deep}");
        }
    }
}
