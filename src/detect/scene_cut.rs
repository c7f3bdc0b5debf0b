//! Scene cuts between two fields, and the evidence that a cut voids.
//!
//! Automatic denoising and automatic contrast detect scene cuts by other measures;
//! `docs/design/scene-cuts.md` compares them.
use super::lookahead::Lookahead;
use crate::format::FieldOrder;
use std::ops::Range;

/// The mean square that both fields after a cut must differ by. Tuned on film of low contrast that
/// is held across a cut. At 60 the pattern is held into another shot; at 4 an invisible change ends
/// it.
const MIN_CUT_CHANGE: u64 = 26;

/// Fields on either side that a cut is compared with. Also the field pairs that a window must have
/// on one side of a cut to determine the pulldown pattern of that side. Tuned on spliced clips:
/// with fewer a pattern may reach a few fields into the next shot.
pub(super) const MIN_PART: u64 = 8;

/// How many times the largest change of the quieter side the changes at a cut must exceed. With 8
/// fewer cuts are detected; with 2 more captions pass for cuts.
const QUIET_RATIO: u64 = 4;

/// The same for the other side, where the shot may move fast: 1.5 times, as numerator and
/// denominator. With 3 cuts to shots that move fast are missed and fields are woven across them;
/// with 1 flashes are cuts.
const FAST_RATIO: [u64; 2] = [3, 2];

/// Whether another shot starts at a field pair: the changes of both fields from it on are more than
/// four times as large as that of any field on one side, and more than one and a half times as
/// large as that of any field on the other side, where the shot may move fast. The fields of a cut
/// are new in both parities.
pub(super) fn is_cut(lookahead: &Lookahead, order: FieldOrder, pair: u64) -> bool {
    if lookahead.known_pairs(pair.max(2)..pair + 2) != (pair..pair + 2) {
        return false;
    }
    let change = |field: u64| lookahead.change(order, field);
    let both = change(pair).min(change(pair + 1));
    // A change counts six lines of each group, three times the samples of a third difference.
    if both <= 3 * MIN_CUT_CHANGE * lookahead.samples() {
        return false;
    }
    let most = |fields| lookahead.known_pairs(fields).map(change).max();
    let sides = [most(pair.saturating_sub(MIN_PART).max(2)..pair), most(pair + 2..pair + MIN_PART + 2)];
    let [before, after] = [0, 1].map(|side: usize| sides[side].or(sides[1 - side]).unwrap_or(0));
    let [times, per] = FAST_RATIO;
    both > QUIET_RATIO * before.min(after) && per * both > times * before.max(after)
}

/// Whether a field pair is inside a frame that is certainly progressive. After a cut the previous
/// frame is no evidence of that.
pub(super) fn is_surely_progressive(lookahead: &Lookahead, pair: u64) -> bool {
    !pair.is_multiple_of(2) && lookahead.frame_of(pair).surely_progressive && !is_cut(lookahead, FieldOrder::TopFirst, pair - 1)
}

/// Whether a known frame of a range is certainly progressive.
pub(super) fn has_surely_progressive(lookahead: &Lookahead, frames: Range<u64>) -> bool {
    lookahead.known_pairs(2 * frames.start..2 * frames.end).any(|pair| is_surely_progressive(lookahead, pair))
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{SAMPLES, fields};
    use super::*;

    /// Whether a cut is at pair 10 of fields that change by six times `change`.
    fn cuts(change: impl Fn(usize) -> u64) -> bool {
        is_cut(&fields(|_| 0, change), FieldOrder::TopFirst, 10)
    }

    #[test]
    fn both_fields_of_a_cut_are_new() {
        assert!(cuts(|field| if field == 10 || field == 11 { 1000 } else { 0 }));
        assert!(!cuts(|field| if field == 10 { 1000 } else { 0 }));
        assert!(!cuts(|field| if field == 11 { 1000 } else { 0 }));
    }

    #[test]
    fn invisible_changes_are_no_cuts() {
        // A mean square of 26 over the samples of a change.
        let least = 26 * 3 * SAMPLES / 6;
        assert!(!cuts(|field| if field == 10 || field == 11 { least } else { 0 }));
        assert!(cuts(|field| if field == 10 || field == 11 { least + 1 } else { 0 }));
    }

    #[test]
    fn cuts_exceed_the_changes_beside_them() {
        let with = |cut: u64, before: u64, after: u64| {
            cuts(|field| match field {
                10 | 11 => cut,
                5 => before,
                15 => after,
                _ => 0,
            })
        };
        // Four times the quieter side.
        assert!(!with(4000, 1000, 1000) && with(4001, 1000, 1000));
        assert!(!with(4000, 1000, 2000) && with(4001, 1000, 2000));
        assert!(!with(4000, 2000, 1000) && with(4001, 2000, 1000));
        // One and a half times the other side.
        assert!(!with(3000, 0, 2000) && with(3001, 0, 2000));
        assert!(!with(3000, 2000, 0) && with(3001, 2000, 0));
    }

    #[test]
    fn eight_fields_on_either_side_count() {
        let with = |other: usize| {
            cuts(|field| match field {
                10 | 11 => 1000,
                field if field == other => 700,
                _ => 0,
            })
        };
        assert!(with(19) == with(12) && !with(19) && with(20));
        assert!(with(2) == with(9) && !with(2) && with(1));
    }

    /// At the ends of the known fields the other side counts alone.
    #[test]
    fn cuts_near_the_ends() {
        let at = |pair: u64, change: fn(u64) -> u64| {
            is_cut(&fields(|_| 0, |field| change(field as u64)), FieldOrder::BottomFirst, pair)
        };
        assert!(at(2, |field| if field < 4 { 1000 } else { 10 }));
        assert!(!at(2, |field| if field < 4 { 1000 } else { 300 }));
        assert!(at(22, |field| if field > 21 { 1000 } else { 10 }));
        assert!(!at(22, |field| if field > 21 { 1000 } else { 300 }));
        // One of the two fields is not known, or has no field before it.
        assert!(!at(23, |field| if field > 22 { 1000 } else { 0 }));
        assert!(!at(1, |field| if field < 3 { 1000 } else { 0 }));
        assert!(!is_cut(&fields(|_| 0, |field| if field < 3 { 1000 } else { 0 }), FieldOrder::TopFirst, 1));
    }

    #[test]
    fn only_frames_without_a_cut_before_them_are_surely_progressive() {
        let with = |change: u64| {
            super::super::synthetic::lookahead(12, |frame, metrics| {
                metrics.surely_progressive = frame == 5;
                metrics.changed = if frame == 5 { [3 * change, 2 * change] } else { [0; 2] };
            })
        };
        let (still, cut) = (with(0), with(1000));
        assert!(is_surely_progressive(&still, 11) && !is_surely_progressive(&cut, 11));
        assert!(!is_surely_progressive(&still, 10) && !is_surely_progressive(&still, 9));
        assert!(has_surely_progressive(&still, 5..6) && !has_surely_progressive(&cut, 5..6));
        assert!(!has_surely_progressive(&still, 0..5) && !has_surely_progressive(&still, 6..12));
    }
}
