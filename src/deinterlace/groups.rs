//! Groups of samples of a line, of which some need no network (§15.1).
use crate::frame::PlaneSample;
use std::ops::Range;

/// Samples of a group.
pub(super) const GROUP: usize = 64;

/// The runs of adjacent groups that `is_of` chooses by their numbers, without samples outside
/// `columns`.
pub(super) fn runs(columns: Range<usize>, is_of: impl Fn(usize) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = columns.start;
    std::iter::from_fn(move || {
        let end = |x: usize| ((x / GROUP + 1) * GROUP).min(columns.end);
        while at < columns.end && !is_of(at / GROUP) {
            at = end(at);
        }
        let start = at;
        while at < columns.end && is_of(at / GROUP) {
            at = end(at);
        }
        (start < at).then_some(start..at)
    })
}

/// A run with as many samples before it, from `first` on, as fill the vectors. The caller must then
/// write those samples again.
pub(super) fn widened(run: Range<usize>, first: usize) -> Range<usize> {
    run.start.min(run.end.saturating_sub(GROUP)).max(first)..run.end
}

/// Whether all samples of a group are less than `limit`.
pub(super) fn are_below<S: PlaneSample>(samples: &[S], limit: u32) -> bool {
    samples.iter().fold(S::default(), |most, &v| most.max(v)).into() < limit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_the_chosen_groups_inside_the_columns() {
        let chosen = [true, false, false, true, true, false, true];
        let found = |columns| runs(columns, |group| chosen[group]).collect::<Vec<_>>();
        assert_eq!(found(0..448), [0..64, 192..320, 384..448]);
        assert_eq!(found(10..400), [10..64, 192..320, 384..400]);
        assert_eq!(found(70..180), []);
        assert_eq!(found(200..201), vec![Range { start: 200, end: 201 }]);
        assert_eq!(found(30..30), []);
    }

    #[test]
    fn short_runs_are_widened() {
        assert_eq!(widened(128..256, 0), 128..256);
        assert_eq!(widened(128..140, 0), 76..140);
        assert_eq!(widened(128..140, 100), 100..140);
        assert_eq!(widened(0..20, 0), 0..20);
    }

    #[test]
    fn each_sample_of_a_group_counts() {
        assert!(are_below(&[3u8, 5, 2], 6) && !are_below(&[3u8, 6, 2], 6) && are_below(&[255u8], 256));
        assert!(!are_below(&[0u16, 0, 1536], 1536) && are_below(&[1535u16], 1536));
    }
}
