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

/// The previous frame is unrelated if the mean excess of both orders over the own combing exceeds
/// this many halves of the difference: 1.5 times. With half of that, fades have no order; twice
/// that changes no clip that was measured.
const UNRELATED_HALVES: u64 = 3;

/// Sub-line motion causes a difference below this part of the own combing, a half, if the
/// difference is centred on it ([`CENTRED_PART`]). A quarter and all of it change no clip that was
/// measured.
const SMALL_PART: u64 = 2;

/// A difference is centred on the own combing if the mean excess of both orders over it is below
/// this part of the difference: 1/8. With 1/2 fades and rolling text have no order; 1/16 and 1/4
/// change no clip that was measured.
const CENTRED_PART: u64 = 8;

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
/// If the order changes within the look-ahead, it is that of the first frames.
pub(super) fn first_order(lookahead: &Lookahead, flags: Option<FieldOrder>) -> FieldOrder {
    let order = ordered(lookahead, 0..LOOK_AHEAD + 1);
    let film = |order: FieldOrder| {
        let fits_film = |pair: &u64| {
            let mut fits = lookahead.fits(order, *pair).iter().enumerate();
            fits.any(|(phase, &fit)| fit != NO_FIT && !cadence_phase(phase).is_progressive())
        };
        lookahead.known_pairs(1..2 * LOOK_AHEAD + 2).filter(fits_film).count()
    };
    let found = match (order.quarter_sigmas(), film(FieldOrder::TopFirst), film(FieldOrder::BottomFirst)) {
        (SIGNIFICANT_Q4.., ..) => FieldOrder::TopFirst,
        (score, ..) if score <= -SIGNIFICANT_Q4 => FieldOrder::BottomFirst,
        (_, top, bottom) if top > bottom => FieldOrder::TopFirst,
        (_, top, bottom) if top < bottom => FieldOrder::BottomFirst,
        _ => flags.unwrap_or(FieldOrder::TopFirst),
    };
    // A few frames at the start may have no order by themselves.
    let unordered = (1..MIN_CONFIRMING as u64).take_while(|&frame| {
        let score: ZScore = lookahead.frames(1..frame + 1).map(|frame| frame.order).sum();
        score.quarter_sigmas().abs() < FRAME_Q4
    });
    let begins_otherwise = std::iter::once(0).chain(unordered).any(|frame| changes_at(lookahead, frame, found));
    let changes_early = (3..=LOOK_AHEAD - CONFIRMING).any(|frame| changes_early_at(lookahead, frame, found.reversed()));
    if begins_otherwise || changes_early { found.reversed() } else { found }
}

/// Whether a clip begins with a field order and has the other one from `frame` on: all frames
/// before it, except frame 0, which has no frame before it, have the order by 3 sigma each and by 5
/// sigma together. The order of a single frame would be that of an edit.
fn changes_early_at(lookahead: &Lookahead, frame: u64, order: FieldOrder) -> bool {
    let mut first = lookahead.frames(1..frame).map(|frame| support(frame.order, order));
    let together = support(ordered(lookahead, 1..frame), order);
    first.all(|score| score >= FRAME_Q4) && together >= CHANGE_Q4 && changes_at(lookahead, frame, order)
}

/// By how many quarters of a sigma a score supports an order.
fn support(score: ZScore, order: FieldOrder) -> i64 {
    match order {
        FieldOrder::TopFirst => score.quarter_sigmas(),
        FieldOrder::BottomFirst => -score.quarter_sigmas(),
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
    let is_unrelated = beyond > UNRELATED_HALVES * difference;
    let is_sub_line = SMALL_PART * difference < own && CENTRED_PART * beyond < 2 * difference;
    if is_trace || is_unrelated || is_sub_line {
        return ZScore::default();
    }
    lookahead.frames(frames).map(|frame| frame.order).sum()
}

/// Whether the frames from `frame` on have the opposite of a field order. All of these must hold:
/// the six frames after it together contradict the order by 5 sigma, the first of them and three in
/// all by 3 sigma each, and none supports it by 3 sigma.
pub(super) fn changes_at(lookahead: &Lookahead, frame: u64, order: FieldOrder) -> bool {
    let support = |score| support(score, order);
    let ahead = || lookahead.frames(frame + 1..frame + 1 + CONFIRMING).map(|frame| frame.order);
    let contradicts = |score: &ZScore| support(*score) <= -FRAME_Q4;
    support(ahead().sum()) <= -CHANGE_Q4
        && ahead().take(1).all(|score| contradicts(&score))
        && ahead().filter(contradicts).count() >= MIN_CONFIRMING
        && !ahead().any(|score| support(score) >= FRAME_Q4)
}

#[cfg(test)]
mod tests;
