//! Orders of given measures.
use super::super::synthetic::{lookahead, score};
use super::*;
use std::cmp::Ordering;

/// Whether frame 2 has the opposite of a field order. `tiles` comb less and more in that order,
/// in the frames from 3 on.
fn changes(tiles: &[[usize; 2]]) -> bool {
    let with = |order: FieldOrder| {
        let lookahead = lookahead(12, |frame, metrics| {
            let [fewer, more] = frame.checked_sub(3).and_then(|frame| tiles.get(frame)).copied().unwrap_or([0; 2]);
            metrics.order = if order == FieldOrder::TopFirst { score(fewer, more) } else { score(more, fewer) };
        });
        changes_at(&lookahead, 2, order)
    };
    assert_eq!(with(FieldOrder::TopFirst), with(FieldOrder::BottomFirst));
    with(FieldOrder::TopFirst)
}

#[test]
fn three_frames_confirm_a_change_by_three_sigma_each() {
    // Nine tiles are three sigma.
    assert!(changes(&[[0, 9], [0, 9], [0, 9]]));
    assert!(!changes(&[[0, 9], [0, 9], [0, 8]]));
    assert!(!changes(&[[0, 90], [0, 90]]));
    // The first of them must be one of the three.
    assert!(!changes(&[[0, 8], [0, 9], [0, 9], [0, 9]]));
    assert!(!changes(&[[0, 0], [0, 9], [0, 9], [0, 9]]));
}

#[test]
fn six_frames_confirm_a_change_by_five_sigma_together() {
    assert!(changes(&[[0, 9], [0, 0], [0, 9], [0, 0], [0, 0], [0, 9]]));
    assert!(!changes(&[[0, 9], [0, 0], [0, 9], [0, 0], [0, 0], [0, 0], [0, 9]]));
    // 27 tiles in the root of 29 or 31.
    assert!(changes(&[[0, 9], [0, 9], [0, 9], [1, 1]]));
    assert!(!changes(&[[0, 9], [0, 9], [0, 9], [2, 2]]));
}

#[test]
fn a_frame_of_three_sigma_contradicts_a_change() {
    assert!(changes(&[[0, 90], [0, 90], [0, 90], [8, 0]]));
    assert!(!changes(&[[0, 90], [0, 90], [0, 90], [9, 0]]));
    assert!(!changes(&[[0, 90], [9, 0], [0, 90], [0, 90]]));
}

/// Whether frames have an order that comb by these sums across and in themselves.
fn have_order(frames: &[([u64; 2], u64)]) -> bool {
    let lookahead = lookahead(frames.len(), |frame, metrics| {
        (metrics.across, metrics.own_combing) = frames[frame];
        metrics.order = score(10, 0);
    });
    let (found, all) = (ordered(&lookahead, 0..9), score(10 * frames.len(), 0));
    assert!(found == all || found == ZScore::default());
    found == all
}

/// The same of two frames alike, in both orders.
fn has_order([a, b]: [u64; 2], own: u64) -> bool {
    let [found, reversed] = [[a, b], [b, a]].map(|across| have_order(&[(across, own); 2]));
    assert_eq!(found, reversed);
    found
}

#[test]
fn traces_are_no_order() {
    // A thirty-second of the own combing.
    assert!(has_order([3300, 3200], 3200) && !has_order([3299, 3200], 3200));
}

#[test]
fn frames_after_an_unrelated_one_have_no_order() {
    // Three times the difference of 1000 in the sum of both orders.
    assert!(has_order([2100, 1100], 100) && !has_order([2101, 1101], 100));
}

#[test]
fn motion_within_a_line_is_no_order() {
    // Half of the own combing.
    assert!(has_order([1000, 500], 1000) && !has_order([1000, 501], 1000));
    // A quarter of the difference of 400 in the sum of both orders.
    assert!(has_order([1250, 850], 1000) && !has_order([1249, 849], 1000));
}

#[test]
fn the_frame_after_a_cut_does_not_count() {
    let (frame, cut, black) = (([1250, 850], 1000), ([1_000_000; 2], 1000), ([1_000_000; 2], 0));
    assert!(have_order(&[frame, cut, frame]) && have_order(&[cut, frame, frame]));
    // Of two frames both count.
    assert!(!have_order(&[frame, cut]) && !have_order(&[frame, cut, cut]));
    // Nor does a frame without combing of its own, such as the first one.
    assert!(have_order(&[black, frame, frame]) && !have_order(&[black, frame, cut]));
    assert!(have_order(&[([0, 300], 0), frame, frame]) && !have_order(&[([0, 300], 1), frame, frame]));
    // The sum of both orders decides, not one of them.
    let of = |frames: [[u64; 2]; 3]| have_order(&frames.map(|across| (across, 1000)));
    assert!(of([[0, 100], [100, 1200], [500, 1000]]) && !of([[3000, 2000], [5000, 1200], [1200, 1200]]));
    assert!(of([[3000, 1000], [3000, 5000], [5000, 1200]]) && !of([[1000, 800], [100, 5000], [500, 1000]]));
}

/// The first order of frames that comb less top first by `score`. `fits` are the phases that
/// fit, each with its order and field pair.
fn first(score: ZScore, fits: &[(FieldOrder, u64, usize)], flags: Option<FieldOrder>) -> FieldOrder {
    // The first and the last frame of the look-ahead count; the one after it would hide the score.
    let [first, last] = [0, 11].map(|decisive| {
        let mut lookahead = lookahead(14, |frame, metrics| {
            (metrics.across, metrics.own_combing) = ([2000, 1000], 1000);
            metrics.order = match frame {
                12 => super::super::synthetic::score(50, 50),
                frame if frame == decisive => score,
                _ => ZScore::default(),
            };
        });
        fits.iter().for_each(|&(order, pair, phase)| lookahead.add_fit(order, pair, phase, 1));
        first_order(&lookahead, flags)
    });
    assert_eq!(first, last);
    first
}

/// A phase of 3:2, which is never progressive.
const FILM: usize = 3;

#[test]
fn a_significant_order_comes_before_film_and_flags() {
    let [top, bottom] = FieldOrder::BOTH;
    for (score, order) in [(score(16, 0), top), (score(0, 16), bottom)] {
        assert_eq!(first(score, &[(order.reversed(), 5, FILM)], Some(order.reversed())), order);
    }
    for score in [score(15, 0), score(0, 15)] {
        for order in FieldOrder::BOTH {
            assert_eq!(first(score, &[], Some(order)), order);
            assert_eq!(first(score, &[(order, 5, FILM)], Some(order.reversed())), order);
        }
        assert_eq!(first(score, &[], None), top);
    }
}

#[test]
fn the_order_of_more_film_counts() {
    let [top, bottom] = FieldOrder::BOTH;
    for order in FieldOrder::BOTH {
        let (other, flags) = (order.reversed(), Some(order.reversed()));
        let first = |fits: &[_]| first(ZScore::default(), fits, flags);
        assert_eq!(first(&[(order, 5, FILM), (order, 6, FILM), (other, 7, FILM)]), order);
        assert_eq!(first(&[(order, 5, FILM), (other, 6, FILM)]), other, "as many: the flags decide");
        // Pairs 1 to 23 count.
        assert_eq!(first(&[(order, 1, FILM)]), order);
        assert_eq!(first(&[(order, 23, FILM)]), order);
        assert_eq!(first(&[(order, 24, FILM)]), other);
        // Progressive frames have no order.
        assert_eq!(first(&[(order, 5, super::super::cadence::IN_PHASE)]), other);
    }
    assert_eq!(first(ZScore::default(), &[(bottom, 5, FILM)], None), bottom);
    assert_eq!(first(ZScore::default(), &[], None), top);
}

/// A clip whose order changes after a few frames begins with the order of these.
#[test]
fn a_change_within_the_look_ahead_is_not_the_start() {
    let start = |frames: usize| {
        let lookahead = lookahead(12, |frame, metrics| {
            let is_first = (1..=frames).contains(&frame);
            (metrics.across, metrics.own_combing) = (if is_first { [100, 300] } else { [900, 100] }, 100);
            metrics.order = if is_first { score(20, 0) } else { score(0, 90) };
        });
        first_order(&lookahead, None)
    };
    assert_eq!([start(6), start(7)], [FieldOrder::TopFirst; 2]);
    // A frame before them has no order.
    let unordered = lookahead(14, |frame, metrics| {
        let is_first = (2..=8).contains(&frame);
        (metrics.across, metrics.own_combing) = (if is_first { [100, 300] } else { [900, 100] }, 100);
        metrics.order = if is_first { score(20, 0) } else { score(0, if frame < 2 { 3 } else { 90 }) };
    });
    assert_eq!(first_order(&unordered, None), FieldOrder::TopFirst);
    // Fewer frames, with a clear order each. The frame at the change has none.
    let after = |across: [u64; 2], change: usize, first: ZScore| {
        let lookahead = lookahead(12, |frame, metrics| {
            (metrics.across, metrics.own_combing) = (if frame < change { across } else { [900, 100] }, 100);
            metrics.order = match frame.cmp(&change) {
                Ordering::Less => first,
                Ordering::Equal => ZScore::default(),
                Ordering::Greater => score(0, 90),
            };
        });
        first_order(&lookahead, None)
    };
    let early = |change, first| after([100, 300], change, first);
    assert_eq!([3, 5, 6].map(|change| early(change, score(25, 0))), [FieldOrder::TopFirst; 3]);
    assert_eq!(early(3, score(13, 0)), FieldOrder::TopFirst, "5 sigma together");
    assert_eq!([early(3, score(12, 0)), early(5, score(8, 0))], [FieldOrder::BottomFirst; 2]);
    assert_eq!(early(2, score(90, 0)), FieldOrder::BottomFirst, "an edit behind the first frame");
    assert_eq!(after([700, 900], 3, score(25, 0)), FieldOrder::BottomFirst, "unrelated frames");
    assert_eq!([start(0), start(5)], [FieldOrder::BottomFirst, FieldOrder::TopFirst]);
}
