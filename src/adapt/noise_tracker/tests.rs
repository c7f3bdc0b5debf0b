//! Steps with measured noise.
use super::*;

/// Runs steps with a measured level, motion, and whether a shot begins. Returns the levels that
/// their parameters are chosen by. All pictures are flat.
fn levels(steps: &[(Sigma6, Share10, bool)]) -> Vec<Sigma6> {
    let (mut tracker, mut shot) = (NoiseTracker::default(), 0);
    let step = |(number, &(level, motion, other)): (usize, &(Sigma6, Share10, bool))| {
        shot = (shot + other as usize) % SHOTS.len();
        let noise = Some(NoiseLevel { level, flatness: WHOLE });
        tracker.begin_step(number == 0, noise, SHOTS[shot]);
        let state = tracker.state;
        assert_eq!((state.cut, state.cut && state.motion.is_some()), (number == 0 || other, false), "{number}");
        tracker.end_step(noise, motion);
        state.level
    };
    steps.iter().enumerate().map(step).collect()
}

/// Thumbnails that do not correlate.
const SHOTS: [Option<Thumbnail>; 2] = [Some(Thumbnail::half(0)), Some(Thumbnail::half(1))];

#[test]
fn small_changes_are_ignored_and_large_ones_followed_slowly() {
    let fluctuation: Vec<_> = (0..50).map(|n| (8 * SIGMA_ONE + 30 * (n % 2), 100, false)).collect();
    assert!(levels(&fluctuation).iter().all(|&level| level == 8 * SIGMA_ONE));
    let rise: Vec<_> = (0..80).map(|n| (if n < 10 { 4 * SIGMA_ONE } else { 16 * SIGMA_ONE }, 100, false)).collect();
    let levels = levels(&rise);
    assert!(levels.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= SIGMA_ONE / 2));
    assert!(levels[79].abs_diff(16 * SIGMA_ONE) <= SIGMA_ONE, "{levels:?}");
}

#[test]
fn a_shot_goes_by_its_own_noise_whatever_moves() {
    for motion in [100, 1000] {
        let cut: Vec<_> = (0..20).map(|n| (if n < 10 { 2 * SIGMA_ONE } else { 9 * SIGMA_ONE }, motion, n == 10)).collect();
        let levels = levels(&cut);
        assert_eq!((levels[9], levels[10], levels[19]), (2 * SIGMA_ONE, 9 * SIGMA_ONE, 9 * SIGMA_ONE), "{levels:?}");
    }
    // Motion is no cut, neither constant motion nor its start.
    let pan: Vec<_> =
        (0..20).map(|n| (if n % 2 == 0 { 4 * SIGMA_ONE } else { 8 * SIGMA_ONE }, if n < 9 { 0 } else { 1000 }, false)).collect();
    assert!(levels(&pan).windows(2).all(|pair| pair[0].abs_diff(pair[1]) <= SIGMA_ONE / 2));
    // Shots about as noisy as the previous one change nothing.
    let similar_shots: Vec<_> = (0..9).map(|n| (8 * SIGMA_ONE + 60 * (n % 2), 1000, true)).collect();
    assert!(levels(&similar_shots).iter().all(|&level| level == 8 * SIGMA_ONE));
    // Every frame starts a shot.
    let every_frame: Vec<_> = (0..9).map(|n| (n * SIGMA_ONE, 1000, true)).collect();
    assert_eq!(levels(&every_frame), every_frame.iter().map(|step| step.0).collect::<Vec<_>>());
}

#[test]
fn a_step_without_estimates_changes_nothing() {
    let mut tracker = NoiseTracker::default();
    tracker.begin_step(true, None, SHOTS[0]);
    assert_eq!(tracker.state, NoiseState { level: 0, flatness: WHOLE, motion: None, noisy: false, cut: true });
    // The first step keeps nothing, however near it is.
    tracker.begin_step(true, Some(NoiseLevel { level: 1, flatness: WHOLE - 1 }), SHOTS[0]);
    assert_eq!((tracker.state.level, tracker.state.flatness), (1, WHOLE - 1));
    tracker.begin_step(true, Some(NoiseLevel { level: 5 * SIGMA_ONE, flatness: WHOLE }), SHOTS[0]);
    tracker.end_step(None, WHOLE);
    tracker.begin_step(false, None, SHOTS[0]);
    tracker.end_step(None, 100);
    let steady = NoiseState { level: 5 * SIGMA_ONE, flatness: WHOLE, motion: Some(100), noisy: true, cut: false };
    assert_eq!(tracker.state, steady);
    // No block of the new shot qualifies.
    tracker.begin_step(false, None, SHOTS[1]);
    assert_eq!(tracker.state, NoiseState { motion: None, cut: true, ..steady });
}

#[test]
fn black_between_pictures_is_none() {
    for (after, level) in [(SHOTS[0], 8 * SIGMA_ONE), (SHOTS[1], 3 * SIGMA_ONE)] {
        let mut tracker = NoiseTracker::default();
        let mut step = |number, level, thumbnail| {
            let noise = if level == 0 { NO_NOISE } else { NoiseLevel { level, flatness: WHOLE } };
            tracker.begin_step(number == 0, Some(noise), thumbnail);
            let result = (tracker.state.level, tracker.state.cut);
            tracker.end_step(Some(noise), 0);
            result
        };
        (0..4).for_each(|number| assert_eq!(step(number, 8 * SIGMA_ONE, SHOTS[0]), (8 * SIGMA_ONE, number == 0)));
        (4..30).for_each(|number| assert_eq!(step(number, 0, None), (8 * SIGMA_ONE, false)));
        assert_eq!(step(30, 3 * SIGMA_ONE, after), (level, after == SHOTS[1]));
    }
    // A drawn shot is visible and has no noise.
    let mut tracker = NoiseTracker::default();
    tracker.begin_step(true, Some(NoiseLevel { level: 8 * SIGMA_ONE, flatness: WHOLE }), SHOTS[0]);
    tracker.end_step(None, 0);
    tracker.begin_step(false, Some(NO_NOISE), SHOTS[1]);
    assert_eq!(tracker.state.level, 0);
    // Noise that ends in a visible picture is not kept.
    tracker.begin_step(true, Some(NoiseLevel { level: 8 * SIGMA_ONE, flatness: WHOLE }), SHOTS[0]);
    for _ in 0..3 {
        tracker.end_step(Some(NO_NOISE), 0);
        tracker.begin_step(false, Some(NO_NOISE), SHOTS[0]);
    }
    assert_eq!(tracker.state.level, 7 * SIGMA_ONE);
    // After black frames at the start, the first visible picture starts a shot.
    tracker.begin_step(true, Some(NO_NOISE), None);
    tracker.end_step(Some(NO_NOISE), 0);
    tracker.begin_step(false, Some(NoiseLevel { level: 8 * SIGMA_ONE, flatness: WHOLE }), SHOTS[1]);
    assert_eq!((tracker.state.level, tracker.state.cut), (8 * SIGMA_ONE, true));
}

/// The state after a step with this noise and motion, from a level of 640 or `level` and shares of
/// 512 on.
fn next(level: Sigma6, noise: NoiseLevel, motion: Share10) -> NoiseState {
    let state = NoiseState { level, flatness: 512, motion: Some(512), noisy: true, cut: false };
    let mut tracker = NoiseTracker { state, ..NoiseTracker::default() };
    tracker.end_step(Some(noise), motion);
    tracker.state
}

#[test]
fn levels_rest_within_a_sixteenth_and_follow_by_an_eighth() {
    let level = |old, level| next(old, NoiseLevel { level, flatness: 512 }, 512).level;
    // 40 is a sixteenth of 640, and 41 / 8 is rounded up.
    assert_eq!([600, 680, 599, 681].map(|new| level(640, new)), [640, 640, 640 - 6, 640 + 6]);
    // At least an eighth of a code value.
    assert_eq!([56, 72, 55, 73].map(|new| level(64, new)), [64, 64, 62, 66]);
    // At most half a code value.
    assert_eq!([640 + 256, 640 + 257, 2000, 0].map(|new| level(640, new)), [672, 672, 672, 608]);
    assert_eq!([640 + 248, 640 + 249].map(|new| level(640, new)), [671, 672]);
    // An eighth, neither a seventh nor a ninth.
    assert_eq!([640 + 64, 640 + 65].map(|new| level(640, new)), [648, 649]);
}

#[test]
fn flatness_rests_within_a_32nd_and_motion_within_a_64th() {
    let flatness = |flatness| next(640, NoiseLevel { level: 640, flatness }, 512).flatness;
    assert_eq!([480, 544, 479, 545].map(flatness), [512, 512, 512 - 5, 512 + 5]);
    assert_eq!([512 + 120, 512 + 121, WHOLE, 0].map(flatness), [527, 528, 528, 496]);
    let motion = |motion| next(640, NoiseLevel { level: 640, flatness: 512 }, motion).motion.unwrap();
    assert_eq!([496, 528, 495, 529].map(motion), [512, 512, 512 - 3, 512 + 3]);
    assert_eq!([512 + 120, 512 + 121, WHOLE, 0].map(motion), [527, 528, 528, 496]);
}

/// A false cut, as in a fast pan, changes little.
#[test]
fn at_a_cut_levels_are_kept_within_an_eighth() {
    let cut = |old: Sigma6, level: Sigma6, flatness: Share10| {
        let state = NoiseState { level: old, flatness: 512, motion: Some(512), noisy: false, cut: false };
        let mut tracker = NoiseTracker { state, visible: SHOTS[0], blank: false };
        tracker.begin_step(false, Some(NoiseLevel { level, flatness }), SHOTS[1]);
        (tracker.state.level, tracker.state.flatness)
    };
    // 80 is an eighth of 640.
    assert_eq!([560, 720, 559, 721].map(|level| cut(640, level, 512).0), [640, 640, 559, 721]);
    // At least an eighth of a code value.
    assert_eq!([32, 48, 31, 49].map(|level| cut(40, level, 512).0), [40, 40, 31, 49]);
    assert_eq!([480, 544, 479, 545].map(|flatness| cut(640, 640, flatness).1), [512, 512, 479, 545]);
}

/// The deinterlacer adapts from 3 code values on, until the level falls below 2.5.
#[test]
fn noise_disturbs_the_deinterlacer_with_hysteresis() {
    assert_eq!([191, 192].map(|level| is_noisy(level, false)), [false, true]);
    assert_eq!([159, 160].map(|level| is_noisy(level, true)), [false, true]);
    let steady = |level: Sigma6, noisy: bool| {
        let state = NoiseState { level, flatness: WHOLE, motion: None, noisy, cut: false };
        let mut tracker = NoiseTracker { state, ..NoiseTracker::default() };
        tracker.end_step(None, 0);
        tracker.state.noisy
    };
    assert!(!steady(191, false) && steady(191, true) && steady(160, true) && !steady(159, true) && steady(192, false));
    // A shot starts without history.
    let shot = |level: Sigma6| {
        let state = NoiseState { level: 1000, flatness: WHOLE, motion: None, noisy: true, cut: false };
        let mut tracker = NoiseTracker { state, visible: SHOTS[0], blank: false };
        tracker.begin_step(false, Some(NoiseLevel { level, flatness: WHOLE }), SHOTS[1]);
        tracker.state.noisy
    };
    assert!(!shot(191) && shot(192));
}
