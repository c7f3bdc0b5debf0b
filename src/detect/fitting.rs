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

#[cfg(test)]
mod tests {
    use super::super::frame_metrics::FrameMetrics;
    use super::super::synthetic::{lookahead, score};
    use super::*;

    /// Frames of 3:2 film whose pictures start at the field pairs 0 and 2 of five, in the top-first
    /// order. Another shot starts at the pair `cut`, if it is not 0.
    fn film(frames: usize, cut: usize) -> Lookahead {
        telecined(film_phase(), FieldOrder::TopFirst, frames, cut)
    }

    /// The same with the pictures of another phase, in either order. If the phase is progressive,
    /// the frames have no order.
    fn telecined(phase: usize, order: FieldOrder, frames: usize, cut: usize) -> Lookahead {
        let phase = cadence_phase(phase);
        let starts = |pair: usize| phase.starts_picture(pair as u64);
        // The third and the fourth field of a picture repeat the first and the second.
        let repeats = |field: usize| field > 0 && !starts(field) && !starts(field - 1);
        lookahead(frames, |frame, metrics: &mut FrameMetrics| {
            let (first, second) = (2 * frame, 2 * frame + 1);
            let combing = |pair: usize| if starts(pair) { 10_000 } else { 0 };
            let other = if phase.is_progressive() { combing(first) } else { 0 };
            (metrics.across, metrics.inside) = ([combing(first), other], combing(second));
            for pair in [first, second] {
                let peak = if starts(pair) { score(100, 0) } else { score(0, 100) };
                for metrics in &mut metrics.pairs[pair % 2][..1 + usize::from(phase.is_progressive())] {
                    (metrics.peak, metrics.peak_q4) = (peak, peak.quarter_sigmas());
                }
            }
            let change = |field: usize| match field {
                field if cut > 0 && (field == cut || field == cut + 1) => 100_000,
                field if repeats(field) => 0,
                _ => 1000,
            };
            metrics.changed = [3 * change(first), 2 * change(second)];
            metrics.static_tiles = [first, second].map(|field| if repeats(field) { [50, 50] } else { [0, 50] });
            if order == FieldOrder::BottomFirst {
                metrics.across.reverse();
                metrics.pairs.iter_mut().for_each(|orders| orders.reverse());
                metrics.changed = [3 * change(second), 2 * change(first)];
                metrics.static_tiles.reverse();
            }
        })
    }

    /// The phase of that film.
    fn film_phase() -> usize {
        (2..PHASES).find(|&phase| cadence_phase(phase).starts_from(0) & 0x3ff == 0b00_1010_0101).unwrap()
    }

    /// The field pairs at which the phase of the film fits.
    fn fitting(lookahead: &Lookahead, order: FieldOrder) -> Vec<u64> {
        let fits = |pair: &u64| lookahead.fits(order, *pair)[film_phase()] != NO_FIT;
        lookahead.known_pairs(0..1000).filter(fits).collect()
    }

    fn fitted(lookahead: &mut Lookahead, is_finished: bool) -> Vec<u64> {
        Fitting::new(true).advance(lookahead, is_finished);
        assert!(fitting(lookahead, FieldOrder::BottomFirst).is_empty());
        fitting(lookahead, FieldOrder::TopFirst)
    }

    #[test]
    fn every_phase_is_fitted() {
        for (phase, order) in (0..27).flat_map(|phase| FieldOrder::BOTH.map(|order| (phase, order))) {
            let mut lookahead = telecined(phase, order, 24, 0);
            Fitting::new(true).advance(&mut lookahead, true);
            let fits = |order: FieldOrder| (8..40).all(|pair| lookahead.fits(order, pair)[phase] != NO_FIT);
            assert!(fits(order) && fits(order.reversed()) == cadence_phase(phase).is_progressive(), "{phase} {order:?}");
        }
    }

    #[test]
    fn windows_are_fitted_as_soon_as_they_are_known() {
        // The measures of the last frame are not complete: a short window ends with pair 12.
        assert_eq!(fitted(&mut film(6, 0), false), []);
        assert_eq!(fitted(&mut film(7, 0), false), Vec::from_iter(1..13));
        // A clip shows the pairs at its end only when it is finished. Pictures start at pairs 12
        // and 15.
        assert_eq!(fitted(&mut film(8, 0), false), Vec::from_iter(1..13));
        assert_eq!(fitted(&mut film(12, 0), false), Vec::from_iter(1..23));
        assert_eq!(fitted(&mut film(12, 0), true), Vec::from_iter(1..24));
    }

    #[test]
    fn fits_end_with_the_last_start() {
        // Windows that begin within the clip: pairs before the first start are not covered.
        let mut lookahead = film(24, 0);
        let fitting = Fitting { all_phases: true, next: [1, 3] };
        fitting.fit(&mut lookahead, 3..15, Extent { allow_still: false, is_last: false });
        assert_eq!(self::fitting(&lookahead, FieldOrder::TopFirst), Vec::from_iter(5..13));
        fitting.fit(&mut lookahead, 3..15, Extent { allow_still: false, is_last: true });
        assert_eq!(self::fitting(&lookahead, FieldOrder::TopFirst), Vec::from_iter(5..15));
        fitting.fit(&mut lookahead, 1..13, Extent { allow_still: false, is_last: false });
        assert_eq!(self::fitting(&lookahead, FieldOrder::TopFirst), Vec::from_iter(1..15));
    }

    #[test]
    fn advancing_step_by_step_is_the_same() {
        let mut fitting = Fitting::new(true);
        let (mut all, mut stepwise) = (film(24, 0), film(24, 0));
        fitting.advance(&mut stepwise, false);
        assert_eq!(fitting.next, [28, 36]);
        fitting.advance(&mut stepwise, true);
        assert_eq!(fitting.next, [29, 37]);
        Fitting::new(true).advance(&mut all, true);
        for order in FieldOrder::BOTH {
            assert!((1..48).all(|pair| all.fits(order, pair) == stepwise.fits(order, pair)));
        }
    }

    #[test]
    fn three_frames_are_a_window() {
        let progressive = |frames: usize, is_finished: bool| {
            let mut lookahead = lookahead(frames, |_, metrics| {
                (metrics.across, metrics.inside) = ([10_000; 2], 0);
                for order in [0, 1] {
                    let metrics = &mut metrics.pairs[0][order];
                    (metrics.peak, metrics.peak_q4) = (score(100, 0), 40);
                }
                metrics.changed = [3000, 2000];
            });
            Fitting::new(false).advance(&mut lookahead, is_finished);
            let fits = |order: FieldOrder, pair: u64| lookahead.fits(order, pair)[IN_PHASE] != NO_FIT;
            let all = (1..2 * frames as u64).all(|pair| FieldOrder::BOTH.into_iter().all(|order| fits(order, pair)));
            assert!(all || !(1..2 * frames as u64).any(|pair| fits(FieldOrder::TopFirst, pair)));
            all
        };
        assert!(!progressive(2, true) && progressive(3, true) && !progressive(3, false) && progressive(6, true));
    }

    #[test]
    fn only_progressive_frames_are_fitted_without_field_matching() {
        let mut lookahead = film(12, 0);
        Fitting::new(false).advance(&mut lookahead, true);
        assert_eq!(fitting(&lookahead, FieldOrder::TopFirst), []);
        // Nor are pictures of two fields that do not start with a frame.
        let shifted = (0..PHASES).find(|&phase| cadence_phase(phase).starts_from(0) & 0xf == 0b1010).unwrap();
        let mut lookahead = telecined(shifted, FieldOrder::TopFirst, 12, 0);
        let fits = |all_phases: bool| {
            Fitting::new(all_phases).advance(&mut lookahead, true);
            lookahead.fits(FieldOrder::TopFirst, 10)[shifted] != NO_FIT
        };
        assert_eq!([false, true].map(fits), [false, true]);
    }

    /// Eight pairs on a side of a cut determine the pattern of that side.
    #[test]
    fn cuts_end_fits() {
        let with = |cut: usize, pairs: Range<u64>, is_last: bool| {
            let [top, bottom] = FieldOrder::BOTH.map(|order| {
                let mut lookahead = telecined(film_phase(), order, 24, cut);
                let fitting = Fitting { all_phases: true, next: [1, 1] };
                fitting.fit(&mut lookahead, pairs.clone(), Extent { allow_still: true, is_last });
                self::fitting(&lookahead, order)
            });
            assert_eq!(top, bottom);
            top
        };
        // The shot begins with the window, or right after it: the pairs up to the cut are covered.
        assert_eq!(with(13, 13..25, false), Vec::from_iter(13..23));
        assert_eq!(with(14, 13..25, false), Vec::from_iter(15..23));
        assert_eq!(with(24, 12..24, false), Vec::from_iter(12..24));
        assert_eq!(with(25, 12..24, false), Vec::from_iter(12..23));
        // Seven pairs before the cut do not count, eight do; the same after it.
        assert_eq!(with(17, 10..30, false), Vec::from_iter(17..28));
        assert_eq!(with(18, 10..30, false), Vec::from_iter(10..28));
        assert_eq!(with(22, 10..30, false), Vec::from_iter(10..28));
        assert_eq!(with(23, 10..30, false), Vec::from_iter(10..23));
    }
}
