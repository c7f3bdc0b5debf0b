//! Fits all pulldown patterns in all phases to all windows of field pairs, and records which field
//! pairs each fit covers.
use super::cadence::{IN_PHASE, NO_FIT, PHASES, cadence_phase};
use super::cadence_fit::CadenceFit;
use super::lookahead::Lookahead;
use super::scene_cut::{MIN_PART, is_cut};
use super::window::{WINDOWS, Window, indices};
use crate::format::FieldOrder;
use std::ops::Range;

/// Fields of the shortest clip that can have a pulldown pattern: those of three frames. Two frames
/// fit too many phases.
const MIN_FIELDS: u64 = 6;

/// The progress of fitting through a clip.
#[derive(Debug)]
pub(super) struct Fitting {
    /// Whether all phases are fitted, or progressive frames only.
    all_phases: bool,
    /// Per length the first field pair of the next window.
    next: [u64; WINDOWS.len()],
}

/// The ends of a window.
#[derive(Clone, Copy, Debug)]
struct Extent {
    /// Whether the window may hold still pictures.
    allow_still: bool,
    /// Whether the clip ends with the window.
    is_last: bool,
}

impl Fitting {
    pub fn new(all_phases: bool) -> Fitting {
        // Field pair 0 does not exist.
        Fitting { all_phases, next: [1; WINDOWS.len()] }
    }

    /// Fits the windows that end before the last frame, whose measures are not complete; after
    /// [`Lookahead::finish`], with `is_finished`, all windows.
    pub fn advance(&mut self, lookahead: &mut Lookahead, is_finished: bool) {
        let end = 2 * lookahead.next_frame() - u64::from(!is_finished);
        for (index, length) in WINDOWS.into_iter().enumerate() {
            let allow_still = index == 0;
            while self.next[index] + length <= end {
                let window = self.next[index]..self.next[index] + length;
                let is_last = is_finished && window.end == end;
                self.fit(lookahead, window, Extent { allow_still, is_last });
                self.next[index] += 1;
            }
            // A clip that is shorter than a window is a window of its own.
            if is_finished && self.next[index] == 1 && end >= MIN_FIELDS {
                self.fit(lookahead, 1..end, Extent { allow_still, is_last: true });
            }
        }
    }

    fn fit(&self, lookahead: &mut Lookahead, pairs: Range<u64>, Extent { allow_still, is_last }: Extent) {
        let windows = FieldOrder::BOTH.map(|order| Window::new(lookahead, order, pairs.clone()));
        let ends = |order: FieldOrder| {
            let starts_shot = windows[order as usize].cuts & 1 == 1;
            [pairs.start == 1 || starts_shot, is_last || is_cut(lookahead, order, pairs.end)]
        };
        let ends = FieldOrder::BOTH.map(ends);
        let cuts = [0, 1].map(|order| windows[order].cuts);
        let mut found = vec![];
        for phase in if self.all_phases { 0..PHASES } else { IN_PHASE..IN_PHASE + 1 } {
            let tried = [0, 1].map(|order| CadenceFit::new(&windows[order], phase));
            let mut fits = [tried[0].fit(allow_still), tried[1].fit(allow_still)];
            // Progressive frames comb with both neighbours; fields in the wrong order comb with one
            // only.
            if cadence_phase(phase).is_progressive() {
                fits = [fits[0].max(fits[1]); 2];
            }
            let fitting = FieldOrder::BOTH.into_iter().filter(|&order| fits[order as usize] != NO_FIT);
            found.extend(fitting.map(|order| {
                let index = order as usize;
                (order, phase, fits[index], tried[index].covered(ends[index]))
            }));
        }
        for (order, phase, fit, covered) in found {
            for pair in indices(covered).map(|i| pairs.start + i as u64) {
                // The few pairs on a side of a cut do not determine the pattern of that side.
                let cuts = || indices(cuts[order as usize]).map(|i| pairs.start + i as u64);
                let after = cuts().rev().find(|&cut| cut <= pair).map_or(MIN_PART, |cut| pairs.end - cut);
                let before = cuts().find(|&cut| cut > pair).map_or(MIN_PART, |cut| cut - pairs.start);
                if after >= MIN_PART && before >= MIN_PART {
                    lookahead.add_fit(order, pair, phase, fit);
                }
            }
        }
    }
}
