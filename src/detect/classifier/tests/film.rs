//! Film that is held or ended: phases without a fit, valleys, still pictures, cuts.
use super::*;

/// The state of pair 9 of frames that nothing fits.
fn state(classifier: &Classifier, lookahead: &Lookahead, hint: FlagHint) -> (Option<usize>, bool, bool) {
    let PairState { phase, is_held, same_picture } = classifier.pair_state(lookahead, 9, hint);
    (phase, is_held, same_picture)
}

#[test]
fn phases_are_held_without_a_fit() {
    let still = lookahead(24, |_, _| {});
    let none = (None, false, false);
    assert_eq!(state(&classifier(Some(FILM)), &still, FlagHint::Unknown), (Some(FILM), true, true));
    assert_eq!(state(&classifier(Some(IN_PHASE)), &still, FlagHint::Unknown), (Some(IN_PHASE), true, true));
    assert_eq!(state(&classifier(None), &still, FlagHint::Unknown), none);
    // Progressive flags count unless pictures contradicted them, and after the phase.
    assert_eq!(state(&classifier(None), &still, FlagHint::Progressive), (Some(IN_PHASE), true, true));
    assert_eq!(state(&classifier(Some(FILM)), &still, FlagHint::Progressive), (Some(FILM), true, true));
    let distrusting = Classifier { distrusts_flags: true, ..classifier(None) };
    assert_eq!(state(&distrusting, &still, FlagHint::Progressive), none);
    assert_eq!(state(&classifier(Some(IN_PHASE)), &interlaced_frames(), FlagHint::Unknown), none);
    let mut fitting = lookahead(24, |_, _| {});
    fitting.add_fit(ORDER, 9, FILM, 1);
    assert_eq!(state(&classifier(None), &fitting, FlagHint::Unknown), (Some(FILM), false, true));
}

#[test]
fn valleys_are_woven_only_always() {
    let lookahead = lookahead(12, |_, metrics| (metrics.inside, metrics.across) = (0, [1000, 0]));
    for (mode, same_picture) in [(FieldMatching::Always, true), (FieldMatching::Pattern, false), (FieldMatching::Off, false)] {
        let classifier = Classifier { mode, ..classifier(None) };
        assert_eq!(state(&classifier, &lookahead, FlagHint::Unknown), (None, false, same_picture));
    }
    let even = self::lookahead(12, |_, metrics| (metrics.inside, metrics.across) = (1000, [1000, 2000]));
    let always = Classifier { mode: FieldMatching::Always, ..classifier(None) };
    assert_eq!(state(&always, &even, FlagHint::Unknown), (None, false, false));
}

/// Frames whose fields comb by 1000 across and by `inside` in frame 4. Fields 9 and 10 change by
/// `changes`, all others by 2000.
fn combing(inside: u64, changes: [u64; 2]) -> Lookahead {
    lookahead(24, |frame, metrics| {
        (metrics.across, metrics.inside) = ([1000; 2], if frame == 4 { inside } else { 0 });
        metrics.changed = match frame {
            4 => [2000, changes[0]],
            5 => [changes[1], 2000],
            _ => [2000; 2],
        };
    })
}

#[test]
fn film_is_held_where_its_pictures_do_not_comb() {
    let held = |pair: u64, inside: u64| classifier(Some(FILM)).is_held(&combing(inside, [2000; 2]), pair, FILM);
    // Pair 9 is inside a picture, pair 10 starts one.
    assert!(held(9, 0) && !held(9, 900) && held(10, 900));
    // It starts at pair 7, which does not comb: 45 % of 500, and 2.56 for the 32 samples.
    assert!(held(9, 227) && !held(9, 228));
}

#[test]
fn before_the_first_fit_still_pictures_are_held() {
    let held = |first_fit: u64, changes: [u64; 2]| {
        let classifier = Classifier { first_fit, ..classifier(Some(FILM)) };
        classifier.is_held(&combing(900, changes), 9, FILM)
    };
    assert!(held(10, [0, 0]) && !held(9, [0, 0]) && !held(10, [2000, 0]) && !held(10, [0, 2000]));
}

#[test]
fn before_the_first_fit_progressive_frames_are_held_unless_they_comb() {
    let held = |first_fit: u64, pair: u64, tiles: usize| {
        let lookahead = lookahead(24, |frame, metrics| {
            (metrics.across, metrics.own_combing) = ([1000, 2000], 1000);
            metrics.inside = if frame == 4 { 1500 } else { 0 };
            (metrics.order, metrics.changed) = (score(tiles, 0), [[2000; 2], [1000; 2]][frame % 2]);
        });
        Classifier { first_fit, ..classifier(Some(IN_PHASE)) }.is_held(&lookahead, pair, IN_PHASE)
    };
    assert!(held(30, 9, 0) && !held(30, 9, 16), "the fields of frame 4 comb");
    assert!(held(30, 11, 16) && !held(11, 11, 16) && held(11, 11, 0), "those of frame 5 do not");
    assert!(held(30, 10, 16), "a picture starts there");
}

#[test]
fn film_is_not_held_across_a_cut() {
    let held = |phase: usize, change: u64| {
        let lookahead = lookahead(24, |frame, metrics| {
            metrics.changed = [if frame == 5 { change } else { 0 }; 2];
        });
        classifier(Some(phase)).is_held(&lookahead, 10, phase)
    };
    assert!(held(FILM, 0) && !held(FILM, 9000) && held(IN_PHASE, 9000));
}
