//! The field order: that of the start of a clip, and its changes.
//!
//! Fields that are adjacent in time comb less than fields that are three field periods apart.
use super::cadence::{NO_FIT, cadence_phase};
use super::frame_metrics::FrameMetrics;
use super::lookahead::{LOOK_AHEAD, Lookahead};
use super::zscore::{SIGNIFICANT_Q4, ZScore};
use crate::format::FieldOrder;
use std::ops::Range;

/// A difference of the two orders below this part of the frames' own combing is a trace: 1/32.
/// Tuned on codec noise. With 1/8 fades have no order; 1/128 changes no clip that was measured.
const TRACE: u64 = 32;

/// Frames after a change of the field order that must confirm it. With three, a few frames of the
/// other order change it; ten change no clip that was measured.
const CONFIRMING: u64 = 6;

/// The z-score, in quarters of a sigma, by which these frames together confirm a change: 5 sigma.
/// Half and twice the value change no clip that was measured.
const CHANGE_Q4: i64 = 20;

/// The z-score, in quarters of a sigma, by which a single frame confirms or contradicts a change: 3
/// sigma. Interlaced clips have 3 to 16 sigma per frame; at 6 sigma changes are detected late.
const FRAME_Q4: i64 = 12;

/// Frames that must confirm a change each by itself. With one, single frames of film change the
/// order; with five, changes are missed.
const MIN_CONFIRMING: usize = 3;

/// The field order of the start of a clip: the one in which the fields comb significantly less,
/// else the one in which more field pairs fit film, else that of the flags, else top field first.
pub(super) fn first_order(lookahead: &Lookahead, flags: Option<FieldOrder>) -> FieldOrder {
    let order = ordered(lookahead, 0..LOOK_AHEAD + 1);
    let film = |order: FieldOrder| {
        let fits_film = |pair: &u64| {
            let mut fits = lookahead.fits(order, *pair).iter().enumerate();
            fits.any(|(phase, &fit)| fit != NO_FIT && !cadence_phase(phase).is_progressive())
        };
        lookahead.known_pairs(1..2 * LOOK_AHEAD + 2).filter(fits_film).count()
    };
    match (order.quarter_sigmas(), film(FieldOrder::TopFirst), film(FieldOrder::BottomFirst)) {
        (SIGNIFICANT_Q4.., ..) => FieldOrder::TopFirst,
        (score, ..) if score <= -SIGNIFICANT_Q4 => FieldOrder::BottomFirst,
        (_, top, bottom) if top > bottom => FieldOrder::TopFirst,
        (_, top, bottom) if top < bottom => FieldOrder::BottomFirst,
        _ => flags.unwrap_or(FieldOrder::TopFirst),
    }
}

/// How much less the fields of some frames comb top first than bottom first.
///
/// Returns zero (undetermined) if any of these holds:
/// * the difference is below 1/32 of the frames' own combing;
/// * both orders exceed the own combing by more than 1.5 times the difference, i.e. the previous
///   frame is unrelated;
/// * the difference is below half of the own combing, and the mean of both orders exceeds the own
///   combing by less than 1/8 of the difference. Sub-line motion causes this: it adds to the detail
///   of the picture in one order and removes from it in the other.
///
/// With half of 1.5 fades have no order; with 1/2 instead of 1/8 fades and rolling text have none.
pub(super) fn ordered(lookahead: &Lookahead, frames: Range<u64>) -> ZScore {
    let sums = |frame: &FrameMetrics| [frame.across[0], frame.across[1], frame.own_combing];
    let all = || lookahead.frames(frames.clone()).filter(|frame| frame.own_combing > 0);
    let add = |a: [u64; 3], b: [u64; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    // A scene cut adds a large, meaningless value: leave out the frame with the largest sum.
    let largest = all().max_by_key(|frame| frame.across[0] + frame.across[1]).filter(|_| all().count() > 2);
    let largest = largest.map_or([0; 3], sums);
    let total = all().map(sums).fold([0; 3], add);
    let [top_first, bottom_first, own] = [0, 1, 2].map(|i| total[i] - largest[i]);
    let difference = top_first.abs_diff(bottom_first);
    // Twice the mean by which the orders exceed the own combing.
    let beyond = (top_first + bottom_first).saturating_sub(2 * own);
    let is_trace = TRACE * difference < own;
    let is_unrelated = beyond > 3 * difference;
    let is_sub_line = 2 * difference < own && 4 * beyond < difference;
    if is_trace || is_unrelated || is_sub_line {
        return ZScore::default();
    }
    lookahead.frames(frames).map(|frame| frame.order).sum()
}

/// Whether the frames from `frame` on have the opposite of a field order. All of these must hold:
/// the six frames after it together contradict the order by 5 sigma, the first of them and three in
/// all by 3 sigma each, and none supports it by 3 sigma.
pub(super) fn changes_at(lookahead: &Lookahead, frame: u64, order: FieldOrder) -> bool {
    let support = |score: ZScore| match order {
        FieldOrder::TopFirst => score.quarter_sigmas(),
        FieldOrder::BottomFirst => -score.quarter_sigmas(),
    };
    let ahead = || lookahead.frames(frame + 1..frame + 1 + CONFIRMING).map(|frame| frame.order);
    let contradicts = |score: &ZScore| support(*score) <= -FRAME_Q4;
    support(ahead().sum()) <= -CHANGE_Q4
        && ahead().take(1).all(|score| contradicts(&score))
        && ahead().filter(contradicts).count() >= MIN_CONFIRMING
        && !ahead().any(|score| support(score) >= FRAME_Q4)
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{lookahead, score};
    use super::*;

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
    }

    /// The first order of frames that comb less top first by `score`. `fits` are the phases that
    /// fit, each with its order and field pair.
    fn first(score: ZScore, fits: &[(FieldOrder, u64, usize)], flags: Option<FieldOrder>) -> FieldOrder {
        let mut lookahead = lookahead(14, |frame, metrics| {
            (metrics.across, metrics.own_combing) = ([2000, 1000], 1000);
            // The last frame of the look-ahead is decisive; the one after it would hide it.
            metrics.order = match frame {
                11 => score,
                12 => super::super::synthetic::score(50, 50),
                _ => ZScore::default(),
            };
        });
        fits.iter().for_each(|&(order, pair, phase)| lookahead.add_fit(order, pair, phase, 1));
        first_order(&lookahead, flags)
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
}
