//! Parameters by noise, flatness and motion.
use super::*;

fn parameters(level: Sigma6, flatness: Share10, motion: Share10, fields: bool) -> DenoiseParameters {
    super::parameters(Noise { level, flatness, motion, fields })
}

#[test]
fn names_parse_to_their_modes() {
    for (mode, name) in DenoiseMode::ALL.into_iter().zip(["off", "on", "auto", "light", "medium", "strong"]) {
        assert_eq!((mode.to_string().as_str(), name.to_uppercase().parse()), (name, Ok(mode)));
    }
    let error = "heavy".parse::<DenoiseMode>().unwrap_err().to_string();
    assert_eq!(error, "no denoise mode 'heavy'; there are: off, on, auto, light, medium, strong");
}

#[test]
fn every_choice_is_valid_and_grows_with_the_noise() {
    for fields in [false, true] {
        for flatness in [0, WHOLE / 4, WHOLE / 2, WHOLE * 3 / 4, WHOLE] {
            let mut before = parameters(0, flatness, 0, fields);
            assert_eq!((before.good_neighbor_th, before.temporal_diff_th), (0, 0), "nothing changes");
            for level in 0..=24 * SIGMA_ONE {
                for motion in [0, 100, 180, 300, WHOLE] {
                    assert_eq!(parameters(level, flatness, motion, fields).check_blend(), Ok(()), "{level} {motion}");
                }
                let now = parameters(level, flatness, 0, fields);
                assert!(now.good_neighbor_th >= before.good_neighbor_th && now.stad_th >= before.stad_th, "{level}");
                let steps = [
                    now.good_neighbor_th.abs_diff(before.good_neighbor_th),
                    now.temporal_diff_th.abs_diff(before.temporal_diff_th),
                ];
                assert!(steps.iter().all(|&step| step <= 1), "{level}: {steps:?}");
                before = now;
            }
        }
        let [moving, still] = [WHOLE, 0].map(|motion| parameters(8 * SIGMA_ONE, WHOLE / 2, motion, fields).temporal_diff_th);
        assert!(moving == BLEND && still > 2 * BLEND, "{moving} {still}");
        // The spatial mean filters flat pictures.
        assert_eq!(parameters(8 * SIGMA_ONE, WHOLE, 0, fields).temporal_diff_th, BLEND);
    }
}

#[test]
fn given_parameters_are_kept() {
    let none = NoiseState::default();
    let default = DenoiseParameters::default();
    for mode in [DenoiseMode::Auto, DenoiseMode::Light, DenoiseMode::Medium, DenoiseMode::Strong] {
        for index in 0..DenoiseParameters::FIELDS.len() {
            for value in [DenoiseParameters::FIELDS[index].min, DenoiseParameters::FIELDS[index].max] {
                let mut given = default.clone();
                given.put(index, value);
                let chosen = DenoiseState::new(mode, &given, true, &none, 8).0.parameters;
                let kept = value == default.values().nth(index).unwrap() || chosen.values().nth(index) == Some(value);
                assert!(
                    kept && chosen.check_blend().is_ok() && chosen.check_ranges().is_ok(),
                    "{mode:?} {} {value}",
                    DenoiseParameters::FIELDS[index].name
                );
            }
        }
    }
    assert_eq!(DenoiseState::new(DenoiseMode::On, &default, true, &none, 8).0.parameters, default);
}

/// The parameters between the points of each curve, where a change of a neighbouring number by one
/// is visible.
#[test]
fn curves_by_level() {
    for fields in [false, true] {
        let stad = |level| parameters(level, 512, WHOLE, fields).stad_th;
        assert_eq!([0, 128, 160, 174, 710, 2000].map(stad), [46, 46, 57, 63, 255, 255]);
        let moving = |level| parameters(level, 512, WHOLE, fields).temporal_diff_th;
        assert_eq!([128, 129, 130, 145, 192, 2000].map(moving), [0, 0, 1, 4, 16, 16]);
        // Still, textured pictures.
        let still = |level| parameters(level, 512, 0, fields).temporal_diff_th;
        assert_eq!([0, 128, 130, 192, 251, 277].map(still), [0, 0, 1, 16, 21, 22]);
        assert_eq!([768, 800, 806, 899, 1024].map(still), [60, 55, 53, 37, 16]);
    }
    let spatial = |(level, flatness)| parameters(level, flatness, 0, false).good_neighbor_th;
    assert_eq!([128, 166, 192].map(|level| spatial((level, 0))), [0, 2, 3]);
    assert_eq!([(173, 900), (570, WHOLE), (653, WHOLE), (1024, WHOLE)].map(spatial), [6, 41, 47, 63]);
}

#[test]
fn curves_by_motion_and_flatness() {
    let by_motion = |motion| parameters(768, 512, motion, false).temporal_diff_th;
    assert_eq!([0, 150, 154, 181, 220, WHOLE].map(by_motion), [60, 60, 57, 41, 16, 16]);
    let by_flatness = |flatness| parameters(768, flatness, 0, false).temporal_diff_th;
    assert_eq!([0, 820, 830, 841, 900, WHOLE].map(by_flatness), [60, 60, 55, 48, 16, 16]);
    let of_fields = |flatness| parameters(768, flatness, 0, true).temporal_diff_th;
    assert_eq!([0, 560, 575, 616, 680, WHOLE].map(of_fields), [60, 60, 55, 39, 16, 16]);
    let spatial = |fields: bool| move |(level, flatness)| parameters(level, flatness, 0, fields).good_neighbor_th;
    let of_frames = [(194, 542), (199, 942), (200, 184), (200, 511), (201, 1004), (202, 770), (202, 771), (221, 155)];
    assert_eq!(of_frames.map(spatial(false)), [7, 12, 4, 8, 13, 9, 10, 3]);
    assert_eq!([(132, 968), (160, 407), (211, 583)].map(spatial(false)), [0, 3, 8]);
    assert_eq!(parameters(100, 896, 155, false).history_max, 239);
    let of_fields = [(195, 402), (195, 542), (195, 738), (196, 397), (197, 617), (198, 612)];
    assert_eq!(of_fields.map(spatial(true)), [6, 8, 9, 5, 9, 8]);
    let of_fields = [(200, 952), (204, 513), (206, 942), (209, 771), (211, 120), (221, 103)];
    assert_eq!(of_fields.map(spatial(true)), [12, 7, 13, 11, 3, 4]);
}

#[test]
fn other_parameters_by_motion() {
    let [still, moving] = [0, WHOLE].map(|motion| parameters(768, 512, motion, false));
    assert_eq!([still.history_max, moving.history_max], [208, 240]);
    assert_eq!([still.temporal_diff_low, moving.temporal_diff_low], [60 - 16, 0]);
    assert_eq!([still.history_delta, still.moving_pixel_th], [15, 16]);
    let half = parameters(768, 512, 185, false);
    assert_eq!((half.history_max, half.temporal_diff_th), (224, 38));
}

#[test]
fn fixed_modes_assume_natural_pictures_that_move() {
    let given = DenoiseParameters::default();
    for (mode, level) in [(DenoiseMode::Light, 192), (DenoiseMode::Medium, 384)] {
        for fields in [false, true] {
            let state = DenoiseState::new(mode, &given, fields, &NoiseState { level: 77, ..NoiseState::default() }, 8).0;
            assert_eq!((state.noise, state.motion, state.cut), (Some(level), None, false));
            assert_eq!(state.parameters, parameters(level, 768, WHOLE, fields));
        }
    }
}

/// `Strong` filters faint noise for 12, and heavier noise exactly as `Auto` does.
#[test]
fn strong_is_never_weaker_than_auto() {
    let given = DenoiseParameters::default();
    for (level, motion) in [(0, None), (77, Some(100)), (767, Some(0)), (768, Some(300)), (769, None), (1300, Some(50))] {
        for (fields, depth) in [(false, 8), (true, 8), (true, 10)] {
            let state = NoiseState { level, flatness: 600, motion, ..NoiseState::default() };
            let of = |mode, state| {
                let (state, thresholds) = DenoiseState::new(mode, &given, fields, &state, depth);
                (state, format!("{thresholds:?}"))
            };
            let least = NoiseState { level: level.max(768), ..state };
            assert_eq!(of(DenoiseMode::Strong, state), of(DenoiseMode::Auto, least), "{level}");
            assert_eq!(of(DenoiseMode::Strong, state).0.noise, Some(level.max(768)));
        }
    }
}

/// Thresholds that the caller gives move the other one, to a distance of 16 at most.
#[test]
fn given_thresholds_move_the_other_one() {
    let chosen = |th: Option<u8>, low: Option<u8>| {
        let mut given = DenoiseParameters::default();
        given.temporal_diff_th = th.unwrap_or(given.temporal_diff_th);
        given.temporal_diff_low = low.unwrap_or(given.temporal_diff_low);
        // Chosen are 16 and 0.
        let DenoiseParameters { temporal_diff_th, temporal_diff_low, .. } =
            DenoiseState::new(DenoiseMode::Medium, &given, false, &NoiseState::default(), 8).0.parameters;
        (temporal_diff_th, temporal_diff_low)
    };
    assert_eq!(chosen(None, None), (16, 0));
    assert_eq!([1, 5, 20, 60].map(|low| chosen(None, Some(low))), [(16, 1), (16, 5), (20, 20), (60, 60)]);
    assert_eq!([3, 20, 63].map(|th| chosen(Some(th), None)), [(3, 0), (20, 4), (63, 47)]);
    assert_eq!(chosen(Some(30), Some(20)), (30, 20));
    assert_eq!(chosen(Some(63), Some(10)), (63, 47));
    // Chosen are 60 and 44.
    let given = DenoiseParameters { temporal_diff_low: 5, ..DenoiseParameters::default() };
    let still = NoiseState { level: 768, flatness: 512, motion: Some(0), ..NoiseState::default() };
    let chosen = DenoiseState::new(DenoiseMode::Auto, &given, false, &still, 8).0.parameters;
    assert_eq!((chosen.temporal_diff_th, chosen.temporal_diff_low), (21, 5));
}

/// Thresholds of 10 bits grow from the faintest noise on, and remain near those of 8 bits.
#[test]
fn finer_thresholds_for_more_than_8_bits() {
    let given = DenoiseParameters::default();
    let of = |level, flatness, depth| {
        let state = NoiseState { level, flatness, motion: Some(WHOLE), ..NoiseState::default() };
        DenoiseState::new(DenoiseMode::Auto, &given, false, &state, depth)
    };
    let choose = |level, depth| of(level, WHOLE, depth);
    for depth in [9, 10, 12, 14, 16] {
        // Texture measures as faint noise.
        let textured = of(2 * SIGMA_ONE, 768, depth).1.blend;
        assert_eq!((textured.good_neighbor_th, textured.temporal_diff_th), (0, 0));
        let e = depth - 8;
        // A good camera has this noise at 10 bits, and 8 bits hide it.
        let (_, none) = choose(16, depth);
        assert_eq!((none.blend.good_neighbor_th, none.blend.temporal_diff_th), (0, 0));
        let (state, half) = choose(SIGMA_ONE / 2, depth);
        assert_eq!(u32::from(half.blend.good_neighbor_th), (((32 * 288) << e) + 2048) >> 12);
        assert_eq!(half.blend.temporal_diff_th, (43u32 << e >> 4) as u16);
        assert_eq!(half.history.stad_th, (184u32 << e >> 4) as u16);
        assert_eq!((state.parameters.good_neighbor_th, state.parameters.temporal_diff_th), (2, 2));
        for level in (192..1536).step_by(32) {
            let ((eight, _), (deep, thresholds)) = (choose(level, 8), choose(level, depth));
            let near = |a: u8, b: u8| a.abs_diff(b) <= 1;
            let (a, b) = (&eight.parameters, &deep.parameters);
            assert!(near(a.good_neighbor_th, b.good_neighbor_th) && near(a.stad_th, b.stad_th), "{level}: {a:?} {b:?}");
            assert!(near(a.temporal_diff_th, b.temporal_diff_th), "{level}: {a:?} {b:?}");
            assert!(thresholds.blend.temporal_diff_th - thresholds.blend.temporal_diff_low <= 16 << e);
        }
    }
}

#[test]
fn own_parameters_are_kept_with_more_than_8_bits() {
    let state = NoiseState { level: 100, flatness: 768, motion: Some(WHOLE), ..NoiseState::default() };
    let choose = |given: &DenoiseParameters| DenoiseState::new(DenoiseMode::Auto, given, false, &state, 10);
    let given = DenoiseParameters { good_neighbor_th: 20, stad_th: 99, ..DenoiseParameters::default() };
    let (_, thresholds) = choose(&given);
    assert_eq!((thresholds.blend.good_neighbor_th, thresholds.history.stad_th), (80, 396));
    let given = DenoiseParameters { temporal_diff_low: 30, ..DenoiseParameters::default() };
    let (state, thresholds) = choose(&given);
    assert_eq!((thresholds.blend.temporal_diff_low, thresholds.blend.temporal_diff_th), (120, 120));
    assert_eq!(state.parameters.temporal_diff_low, 30);
}
