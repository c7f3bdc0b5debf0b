//! Levels of estimates.
use super::super::curve::SIGMA_ONE;
use super::*;

/// Estimates with this lowest tenth and median, with blank blocks and blocks without an
/// estimate.
fn estimates(tenth: usize, median: usize, [blank, noisy, none]: [u32; 3]) -> Distribution {
    let mut estimates = Distribution { none, ..Distribution::default() };
    let counts = &mut estimates.counts;
    counts[0] = blank;
    (counts[tenth], counts[median], counts[median + 10]) = (noisy / 5, noisy * 3 / 5, noisy / 5);
    estimates
}

#[test]
fn levels_of_flat_pictures() {
    // Standard deviations and estimates as measured (`docs/design/denoise.md`).
    for (tenth, none, sigma) in [(4, 0, 2), (9, 0, 4), (16, 13, 6), (23, 82, 8), (38, 330, 12), (51, 620, 16)] {
        let noise = measure(&estimates(tenth, tenth * 3 / 2, [0, 1000 - none, none]), 8).unwrap();
        assert!(noise.level.abs_diff(sigma * SIGMA_ONE) <= SIGMA_ONE / 4, "{sigma}: {noise:?}");
        assert!(noise.flatness >= WHOLE * 9 / 10, "{sigma}: {noise:?}");
    }
    assert_eq!(measure(&estimates(9, 14, [0, 0, 1000]), 8), None);
    assert_eq!(measure(&estimates(9, 14, [1000, 0, 0]), 4), Some(NO_NOISE));
    assert_eq!(measure(&estimates(9, 14, [1, 0, 0]), 4), Some(NO_NOISE));
    // The largest estimate that is one.
    assert_eq!(measured(&[(254, 10)], 4), (24 * SIGMA_ONE, WHOLE));
    assert_eq!(measure(&estimates(240, 244, [0, 1000, 0]), 4), Some(NoiseLevel { level: 24 * SIGMA_ONE, flatness: WHOLE }));
}

#[test]
fn raised_samples_have_the_level_of_those_of_8_bits() {
    let eight = estimates(9, 14, [20, 900, 80]);
    for fine in [1, 2] {
        let mut raised = Distribution { none: eight.none, fine, ..Distribution::default() };
        (0..256).for_each(|estimate| raised.counts[estimate << fine] = eight.counts[estimate]);
        assert_eq!([4, 8].map(|lines| measure(&raised, lines)), [4, 8].map(|lines| measure(&eight, lines)));
        // An estimate between two code values: samples of more bits.
        raised.counts[(9 << fine) + 1] += 1;
        assert_ne!(measure(&raised, 8), measure(&eight, 8));
    }
}

#[test]
fn textures_are_no_noise() {
    // The estimates of a zone plate without noise differ widely.
    assert_eq!(measure(&estimates(12, 43, [20, 490, 490]), 8).unwrap().level, 0);
    // Hardly any block of a finer zone plate qualifies.
    assert_eq!(measure(&estimates(12, 20, [0, 90, 910]), 8).unwrap().level, 0);
    // Noise on texture has the same level and a lower flatness.
    let [plain, textured] = [0, 500].map(|none| measure(&estimates(9, 14, [0, 1000 - none, none]), 8).unwrap());
    assert_eq!(plain.level, textured.level);
    assert!(plain.flatness == WHOLE && textured.flatness.abs_diff(WHOLE / 2) <= 1, "{plain:?} {textured:?}");
}

#[test]
fn bars_are_no_picture_without_noise() {
    let level = |blank| measure(&estimates(9, 14, [blank, 1000 - blank, 0]), 8).unwrap().level;
    assert_eq!(level(450), level(0));
    assert!(level(600) < level(0) && level(810) == 0);
}

#[test]
fn quantiles_lie_between_values() {
    let counts = [0, 0, 100, 0, 50, 50];
    assert_eq!([20, 10, 4, 2].map(|part| quantile(&counts, 200, part)), [32 + 1, 32 + 3, 32 + 8, 32 + 16]);
    assert_eq!(quantile(&[0, 0, 1], 1, 10), 32 + 1);
}

/// The level and the flatness by counts of estimates.
fn measured(counts: &[(usize, u32)], lines: usize) -> (Sigma6, Share10) {
    let mut all = Distribution::default();
    counts.iter().for_each(|&(estimate, count)| match estimate {
        255 => all.none = count,
        estimate => all.counts[estimate] = count,
    });
    let NoiseLevel { level, flatness } = measure(&all, lines).unwrap();
    (level, flatness)
}

fn check(curve: &[(u16, u16)], values: &[(u16, u16)]) {
    values.iter().for_each(|&(x, value)| assert_eq!(interpolate(curve, x), value, "at {x}"));
}

/// The calibration between its points, where a change of a neighbouring number by one is visible.
#[test]
fn calibration() {
    check(EIGHT.level, &[(48, 64), (54, 82), (59, 98), (75, 138), (109, 192), (132, 224), (168, 272), (182, 290), (267, 391)]);
    check(EIGHT.level, &[(320, 448), (506, 647), (559, 704), (768, 949), (785, 971), (978, 1331), (1011, 1461), (1031, 1536)]);
    check(EIGHT.share, &[(0, 1024), (264, 1024), (349, 1015), (388, 1008), (517, 926), (526, 917), (826, 612), (901, 525)]);
    check(EIGHT.share, &[(960, 460), (1213, 246), (1351, 164), (1462, 117), (1536, 85)]);
    check(FOUR.level, &[(48, 64), (57, 84), (67, 106), (125, 195), (136, 208), (207, 293), (279, 369), (466, 571), (475, 581)]);
    check(FOUR.level, &[(654, 782), (695, 832), (869, 1088), (980, 1344), (1025, 1440), (1071, 1536)]);
    check(FOUR.share, &[(0, 1010), (270, 1003), (272, 1003), (400, 894), (443, 839), (651, 563), (700, 507), (851, 360)]);
    check(FOUR.share, &[(997, 251), (1327, 92), (1417, 71), (1536, 45)]);
    // Blocks of four lines have a calibration of their own.
    assert_ne!(measured(&[(20, 1000)], 4), measured(&[(20, 1000)], 8));
}

#[test]
fn estimates_up_to_two_are_blank() {
    // A picture of such blocks has no noise, one of blocks with 3 has.
    assert_eq!([0, 2].map(|estimate| measured(&[(estimate, 1000)], 8)), [(0, WHOLE); 2]);
    assert!(measured(&[(3, 1000)], 8).0 > 0);
    // 600 of 1000 blank blocks lower the level.
    let with = |estimate: usize| measured(&[(estimate, 600), (20, 400)], 8).0;
    assert!(with(2) == with(0) && with(3) != with(2));
}

/// From half of the qualifying blocks to four fifths.
#[test]
fn blank_blocks_lower_the_level() {
    let level = |blank: u32| measured(&[(0, blank), (20, 1024 - blank)], 8).0;
    assert_eq!([0, 512, 525, 594, 818, 819].map(level), [449, 449, 430, 328, 1, 0]);
}

/// The median is from 1.875 times the lowest tenth to 2.6 times.
#[test]
fn widely_spread_estimates_lower_the_level() {
    let level = |median: usize| measured(&[(9, 300), (median, 700)], 8).0;
    assert_eq!([9, 17, 18, 21, 23, 24].map(level), [242, 248, 221, 107, 37, 0]);
}

/// From 0.16 of the blocks that qualify in a picture of noise alone, to 0.26.
#[test]
fn few_qualifying_blocks_lower_the_level() {
    let level = |none: u32| measured(&[(20, 1024 - none), (255, none)], 8).0;
    assert_eq!([0, 768, 769, 792, 871, 872].map(level), [449, 449, 445, 346, 3, 0]);
}

/// Noise from 11 to 15 on outweighs texture: hardly any block qualifies here.
#[test]
fn heavy_noise_is_noise_on_any_texture() {
    let level = |tenth: usize| measured(&[(tenth, 100), (tenth + 1, 100), (255, 40_000)], 8).0;
    assert_eq!([34, 36, 42, 48, 49].map(level), [0, 62, 427, 926, 974]);
}

#[test]
fn a_tenth_of_the_estimates_lies_below_the_value() {
    // With a tenth of all at 9 it lies there; with less at 20.
    let level = |below: u32| measured(&[(9, below), (20, 1000 - below)], 8).0;
    assert!(level(100) < level(99) && level(99) > 400, "{} {}", level(100), level(99));
}

/// Estimates of samples of 10 bits, in quarters of a code value.
#[test]
fn noise_below_one_code_value_has_a_level_with_more_than_8_bits() {
    // Standard deviations in 1/64 and lowest tenths in 1/16 as measured.
    for (lines, points) in
        [(8, [(16, 6), (32, 17), (64, 35), (96, 52), (128, 70)]), (4, [(16, 8), (32, 19), (64, 39), (96, 58), (128, 77)])]
    {
        for (sigma, tenth) in points {
            let mut estimates = Distribution { fine: 2, ..Distribution::default() };
            // A tenth of the blocks lies below the value, all others above it by a third.
            let at = tenth / 4;
            estimates.counts[at] = 100;
            estimates.counts[at + 1] = 100;
            estimates.counts[at + 1 + at / 3] += 800;
            let level = measure(&estimates, lines).unwrap().level;
            assert!(level.abs_diff(sigma) <= 9, "{lines} lines, {sigma}: {level}");
        }
    }
    let blank = Distribution { counts: std::array::from_fn(|at| if at == 0 { 1000 } else { 0 }), none: 0, fine: 2 };
    assert_eq!(measure(&blank, 8), Some(NO_NOISE));
}
