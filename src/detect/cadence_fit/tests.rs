//! Windows in which one measure decides whether a pattern fits.
use super::super::cadence::{IN_PHASE, PHASES};
use super::super::frame_metrics::FrameMetrics;
use super::super::lookahead::Lookahead;
use super::super::synthetic::{lookahead, score};
use super::super::zscore::ZScore;
use super::*;
use crate::format::FieldOrder;

const FIRST: u64 = 4;

/// The phase whose pictures have the fields of the pattern from the pair [`FIRST`] on.
fn phase(pulldown: Pulldown, fields: &[u64]) -> usize {
    let starts = |index: usize| (FIRST..40).filter(move |&pair| cadence_phase(index).starts_picture(pair));
    let expected = fields.iter().cycle().scan(FIRST, |at, length| Some(std::mem::replace(at, *at + length)));
    let is_same = |index: usize| starts(index).eq(expected.clone().take_while(|&pair| pair < 40));
    (0..PHASES).find(|&index| cadence_phase(index).pulldown == pulldown && is_same(index)).unwrap()
}

/// The phase of 3:2 whose starts are pairs 0, 2, 5, 7, 10 … of a window from [`FIRST`] on.
fn film() -> usize {
    phase(Pulldown::P32, &[2, 3])
}

/// Frames with clear peaks, so that all starts together comb.
fn clear(_: usize, metrics: &mut FrameMetrics) {
    metrics.pairs.as_flattened_mut().iter_mut().for_each(|pair| pair.peak = score(16, 0));
    metrics.static_tiles = [[10, 10]; 2];
}

/// A window of `length` pairs that the phase fits: pictures start with a comb metric of 10 000
/// above a detail of `detail`.
fn fitting(lookahead: &Lookahead, phase: usize, length: u64, detail: u64) -> Window<'_> {
    let mut window = Window::new(lookahead, FieldOrder::TopFirst, FIRST..FIRST + length);
    let starts = cadence_phase(phase).starts_from(FIRST) & window.all();
    for i in 0..length as usize {
        window.combing[i] = detail + if starts >> i & 1 == 1 { 10_000 } else { 0 };
    }
    (window.visible_changes, window.peaks, window.still_fields) = (starts, starts, 0);
    (window.repeated_fields, window.cuts, window.known_starts) = (0, 0, 0);
    (window.surely_progressive, window.distinct_pictures) = (0, 0);
    window
}

/// The fit of 3:2 in a window that `change` changes.
fn fit(length: u64, allow_still: bool, change: impl Fn(&mut Window)) -> u8 {
    let lookahead = lookahead(24, clear);
    let mut window = fitting(&lookahead, film(), length, 0);
    change(&mut window);
    CadenceFit::new(&window, film()).fit(allow_still)
}

#[test]
fn three_visible_starts_are_enough() {
    // Starts 0, 2, 5, 7, 10.
    let visible = |set: u32, allow_still: bool| {
        fit(12, allow_still, |window| (window.visible_changes, window.still_fields) = (set, window.all()))
    };
    assert_eq!(visible(0b100_1010_0101, false), 0);
    assert_eq!([0b1010_0101, 0b1010_0001].map(|set| visible(set, true)), [1, 2]);
    assert_eq!(visible(0b1010_0000, true), NO_FIT);
    assert_eq!(visible(0b1010_0101, false), NO_FIT);
    // Of two starts both.
    let two = |set: u32| fit(5, true, |window| (window.visible_changes, window.still_fields) = (set, window.all()));
    assert_eq!([two(0b101), two(0b100), two(0b1)], [0, NO_FIT, NO_FIT]);
}

#[test]
fn pictures_without_a_change_repeat_still_fields() {
    let still = |set: u32| fit(12, true, |window| (window.visible_changes, window.still_fields) = (0b100_0010_0101, set));
    assert_eq!([still(0b1000_0000), still(0)], [1, NO_FIT]);
}

#[test]
fn half_of_the_starts_are_peaks() {
    let peaks = |length: u64, set: u32| fit(length, false, |window| window.peaks = set);
    assert_eq!([peaks(12, 0b1010_0001), peaks(12, 0b1010_0000)], [0, NO_FIT]);
    // Peaks elsewhere do not count; two of four do.
    assert_eq!([peaks(10, 0b101), peaks(10, 0b110)], [0, NO_FIT]);
}

#[test]
fn starts_comb_by_four_sigma_together_or_are_known() {
    let with = |tiles: usize, least: u32| {
        // Pairs 4 to 15 of frames 2 to 7; the first start combs, no other pair does.
        let lookahead = lookahead(24, |frame, metrics| {
            clear(frame, metrics);
            metrics.pairs = Default::default();
            metrics.pairs[0][0].peak = if frame == 2 { score(tiles, 0) } else { ZScore::default() };
        });
        let mut window = fitting(&lookahead, film(), 12, 0);
        window.known_starts = least;
        CadenceFit::new(&window, film()).fit(false)
    };
    assert_eq!([with(16, 0), with(15, 0)], [0, NO_FIT]);
    // Known starts do not count in the sum. Three of them are enough.
    assert_eq!([with(16, 1), with(0, 0b1010_0100), with(0, 0b1010_0000)], [NO_FIT, 0, NO_FIT]);
}

#[test]
fn contradicted_phases_do_not_fit() {
    assert_eq!(fit(12, false, |window| window.surely_progressive = 1 << 3), 0, "inside a picture");
    assert_eq!(fit(12, false, |window| window.surely_progressive = 1 << 5), NO_FIT, "at a start");
    assert_eq!(fit(12, false, |window| window.known_starts = 1 << 3), NO_FIT, "a start inside a picture");
    assert_eq!(fit(12, false, |window| window.known_starts = 1 << 5), 0);
    // Distinct pictures contradict 2:2 only.
    assert_eq!(fit(12, false, |window| window.distinct_pictures = 1 << 3), 0);
    let shifted = phase(Pulldown::P22, &[2]);
    let distinct = |phase: usize, pair: u32| {
        let lookahead = lookahead(24, clear);
        let mut window = fitting(&lookahead, phase, 12, 0);
        window.distinct_pictures = 1 << pair;
        CadenceFit::new(&window, phase).fit(false)
    };
    assert_eq!([distinct(shifted, 2), distinct(shifted, 3)], [0, NO_FIT]);
}

#[test]
fn excluded_orders_contradict() {
    let excluded = |phase: usize, order: FieldOrder, frames: usize| {
        let lookahead = lookahead(24, |frame, metrics| {
            clear(frame, metrics);
            metrics.excluded_order = (2..2 + frames).contains(&frame).then_some(order);
        });
        CadenceFit::new(&fitting(&lookahead, phase, 12, 0), phase).fit(false)
    };
    let [top, bottom] = FieldOrder::BOTH;
    // Of six frames, more than a quarter against film and more than a third against frames.
    assert_eq!([excluded(film(), top, 1), excluded(film(), top, 2), excluded(film(), bottom, 6)], [0, NO_FIT, 0]);
    assert_eq!(cadence_phase(IN_PHASE).starts_from(FIRST) & 3, 1);
    assert_eq!([excluded(IN_PHASE, top, 2), excluded(IN_PHASE, bottom, 3)], [0, NO_FIT]);
}

/// In 20 pairs of 3:2 four fields repeat others: 4, 9, 14 and 19.
const REPEATS: u32 = 1 << 4 | 1 << 9 | 1 << 14 | 1 << 19;

#[test]
fn three_repeated_fields_are_certain() {
    // Without visible changes and peaks nothing else fits.
    let certain = |length: u64, repeated: u32, cuts: u32| {
        fit(length, false, |window| {
            (window.visible_changes, window.peaks) = (0, 0);
            (window.repeated_fields, window.cuts) = (repeated, cuts);
        })
    };
    assert_eq!([certain(20, REPEATS, 0), certain(15, REPEATS, 0), certain(14, REPEATS, 0)], [0, 0, NO_FIT]);
    assert_eq!(certain(20, REPEATS & !(1 << 9), 0), NO_FIT);
    assert_eq!(certain(20, REPEATS | 1 << 7, 0), 0);
    // Film may begin after a cut, but none is inside.
    assert_eq!([certain(20, REPEATS, 1), certain(20, REPEATS, 2)], [0, NO_FIT]);
}

#[test]
fn certain_film_combs_at_its_starts() {
    let with = |[more, fewer]: [usize; 2]| {
        let lookahead = lookahead(24, |_, metrics| {
            metrics.pairs.as_flattened_mut().iter_mut().for_each(|pair| pair.peak = score(more, fewer));
        });
        let mut window = fitting(&lookahead, film(), 20, 0);
        window.repeated_fields = REPEATS;
        CadenceFit::new(&window, film()).fit(false)
    };
    assert_eq!([with([1, 0]), with([1, 1]), with([0, 1])], [0, NO_FIT, NO_FIT]);
    // A quarter of a sigma is enough: 8 by the root of 328, but not 8 by that of 1096.
    assert_eq!([with([21, 20]), with([69, 68])], [0, NO_FIT]);
}

#[test]
fn repeated_fields_are_static_by_two_deviations() {
    let with = |pulldown: usize, tiles: [i64; 2]| {
        let lookahead = lookahead(24, |frame, metrics| {
            clear(frame, metrics);
            metrics.static_tiles = [tiles; 2];
        });
        CadenceFit::new(&fitting(&lookahead, pulldown, 12, 0), pulldown).fit(false)
    };
    // Two repeated fields in 12 pairs: 20 * 20 is four times 100.
    assert_eq!([with(film(), [10, 50]), with(film(), [10, 51]), with(film(), [-50, 50])], [0, NO_FIT, NO_FIT]);
    assert_eq!([with(film(), [0, 0]), with(phase(Pulldown::P22, &[2]), [0, 0])], [NO_FIT, 0]);
}

#[test]
fn a_repeated_frame_is_seen_twice() {
    let index = phase(Pulldown::P2224, &[2, 2, 2, 4]);
    let with = |length: u64| {
        let lookahead = lookahead(24, clear);
        CadenceFit::new(&fitting(&lookahead, index, length, 0), index).fit(false)
    };
    assert_eq!([with(20), with(19)], [0, NO_FIT]);
}

#[test]
fn two_pairs_are_inside_pictures() {
    let shifted = phase(Pulldown::P22, &[2]);
    let with = |length: u64| {
        let lookahead = lookahead(24, clear);
        CadenceFit::new(&fitting(&lookahead, shifted, length, 0), shifted).fit(false)
    };
    assert_eq!([with(3), with(4)], [NO_FIT, 0]);
}

/// Whether pair 8 of 3:2, between starts of 10 000, combs too much by this much above the detail.
/// `change` changes the window.
fn combs(length: u64, detail: u64, excess: u64, change: impl Fn(&mut Window)) -> bool {
    let lookahead = lookahead(24, clear);
    let mut window = fitting(&lookahead, film(), length, detail);
    window.combing[8] += excess;
    change(&mut window);
    let fit = CadenceFit::new(&window, film());
    let combs = fit.combs(FIRST + 8);
    assert_eq!(fit.fit(false) == NO_FIT, combs || window.repeated_fields != 0 && fit.has_combing(true));
    combs
}

/// The limit is 45 % of the motion of 10 000, and 8 % of the detail and of the 32 samples.
#[test]
fn fields_inside_a_picture_comb_little() {
    // 4500 + 0.08 * 18 + 2.56 = 4504.0, 4500 + 0.08 * 5 + 2.56 = 4502.96.
    assert!(!combs(12, 18, 4504, |_| {}) && combs(12, 18, 4505, |_| {}));
    assert!(!combs(12, 5, 4502, |_| {}) && combs(12, 5, 4503, |_| {}));
    // The mean of both starts counts: 10 000 and 6000.
    let lower = |i: usize| move |window: &mut Window| window.combing[i] = 6018;
    for i in [7, 10] {
        assert!(!combs(12, 18, 3604, lower(i)) && combs(12, 18, 3605, lower(i)), "{i}");
    }
    let after_the_first_start = |excess: u64| {
        let lookahead = lookahead(24, clear);
        let mut window = fitting(&lookahead, film(), 12, 18);
        (window.combing[0], window.combing[1]) = (6018, 18 + excess);
        CadenceFit::new(&window, film()).combs(FIRST + 1)
    };
    assert!(!after_the_first_start(3604) && after_the_first_start(3605));
    // Of surely progressive frames the comb metric does not count.
    assert!(!combs(12, 18, 4505, |window| window.surely_progressive = 1 << 8));
}

/// The same with 150 % between the first and the last field that certainly repeats another.
#[test]
fn certain_film_may_comb_more() {
    let certain = |pair: usize, detail: u64, excess: u64, repeated: u32| {
        let lookahead = lookahead(24, clear);
        let mut window = fitting(&lookahead, film(), 20, detail);
        window.combing[pair] += excess;
        window.repeated_fields = repeated;
        CadenceFit::new(&window, film()).fit(false) != NO_FIT
    };
    assert!(certain(8, 18, 15_004, REPEATS) && !certain(8, 18, 15_005, REPEATS));
    assert!(certain(8, 5, 15_002, REPEATS) && !certain(8, 5, 15_003, REPEATS));
    assert!(!certain(8, 18, 4505, REPEATS & !(1 << 4)));
    // From pair 3 to pair 19.
    assert!(certain(3, 18, 15_004, REPEATS) && certain(19, 18, 15_004, REPEATS));
    assert!(certain(1, 18, 4504, REPEATS) && !certain(1, 18, 4505, REPEATS));
}

#[test]
fn a_start_that_is_a_cut_does_not_count() {
    // The largest start counts as the second one.
    assert!(!combs(12, 18, 4504, |window| window.combing[10] = 19_018));
    assert!(combs(12, 18, 4505, |window| window.combing[10] = 19_018));
    // Beside a picture that seems still, more than twice the second: the lower start counts alone.
    let (all, without_10) = (0b100_1010_0101, 0b1010_0101);
    let fits_with = |excess: u64, cut: u64, visible: u32, [at, beside]: [usize; 2]| {
        let lookahead = lookahead(24, clear);
        let mut window = fitting(&lookahead, film(), 12, 18);
        window.combing[8] += excess;
        (window.combing[at], window.combing[beside]) = (cut, 4018);
        (window.visible_changes, window.still_fields) = (visible, window.all());
        CadenceFit::new(&window, film()).fit(true) != NO_FIT
    };
    let fits = |excess: u64, cut: u64, visible: u32| fits_with(excess, cut, visible, [10, 7]);
    // 45 % of the mean of 4000 and 10 000 is 3150, of 4000 alone 1800.
    assert!(fits(3154, 20_036, without_10) && !fits(3155, 20_036, without_10));
    assert!(fits(1804, 20_037, without_10) && !fits(1805, 20_037, without_10));
    assert!(fits(3154, 20_037, all) && !fits(3155, 20_037, all));
    assert!(fits_with(1804, 20_037, without_10, [7, 10]) && !fits_with(1805, 20_037, without_10, [7, 10]));
    // A cut elsewhere does not matter.
    let elsewhere = |excess: u64| {
        let lookahead = lookahead(24, clear);
        let mut window = fitting(&lookahead, film(), 12, 18);
        (window.combing[8], window.combing[0], window.combing[7]) = (18 + excess, 90_000, 4018);
        (window.visible_changes, window.still_fields) = (without_10, window.all());
        CadenceFit::new(&window, film()).fit(true) != NO_FIT
    };
    assert!(elsewhere(3154) && !elsewhere(3155));
}

/// A pair before the first start, or after the last one, is compared with one start.
#[test]
fn pairs_at_the_ends_of_a_window() {
    let with = |pair: usize, excess: u64| {
        let lookahead = lookahead(24, clear);
        // Starts 1, 4, 6, 9.
        let later = phase(Pulldown::P32, &[2, 3]);
        let index = (0..PHASES)
            .find(|&index| cadence_phase(index).starts_from(FIRST) & 0b11_1111_1111 == 0b10_0101_0010)
            .unwrap_or(later);
        let mut window = fitting(&lookahead, index, 11, 18);
        window.combing[1] = 6018;
        window.combing[pair] += excess;
        CadenceFit::new(&window, index).combs(FIRST + pair as u64)
    };
    assert!(!with(0, 2704) && with(0, 2705));
    assert!(!with(10, 4504) && with(10, 4505));
    // Without a start nothing may comb.
    let lookahead = lookahead(24, clear);
    let mut window = Window::new(&lookahead, FieldOrder::TopFirst, FIRST + 3..FIRST + 5);
    let fit = |window: &Window| CadenceFit::new(window, film()).combs(FIRST + 3);
    assert!(!fit(&window));
    window.combing[0] = 1;
    assert!(fit(&window));
    window.combing[0] = 0;
    assert_eq!(CadenceFit::new(&window, film()).fit(true), NO_FIT, "no picture starts");
}

/// With one start only, that start counts.
#[test]
fn windows_with_a_single_start() {
    let index = phase(Pulldown::P2332, &[3, 3, 2, 2]);
    let fits = |excess: u64| {
        let lookahead = lookahead(24, clear);
        let mut window = Window::new(&lookahead, FieldOrder::TopFirst, FIRST + 1..FIRST + 6);
        window.combing[..5].copy_from_slice(&[18 + excess, 18, 10_018, 18, 18]);
        (window.visible_changes, window.peaks) = (1 << 2, 1 << 2);
        CadenceFit::new(&window, index).fit(false) != NO_FIT
    };
    assert!(fits(4504) && !fits(4505));
}

/// The lower of two starts limits the larger one, unless it does not comb at all.
#[test]
fn the_second_start_limits_the_largest() {
    let combs = |excess: u64, second: u64| {
        let lookahead = lookahead(24, clear);
        // Starts 0 and 2 of pairs 0 to 4.
        let mut window = Window::new(&lookahead, FieldOrder::TopFirst, FIRST..FIRST + 5);
        window.combing[..5].copy_from_slice(&[second, excess, 10_000, 0, 0]);
        window.visible_changes = 0b101;
        CadenceFit::new(&window, film()).combs(FIRST + 1)
    };
    // 45 % of 2000, of 1, and of the mean of 0 and 10 000; and 2.56.
    assert!(!combs(902, 2000) && combs(903, 2000));
    assert!(!combs(3, 1) && combs(4, 1));
    assert!(!combs(2252, 0) && combs(2253, 0));
}
