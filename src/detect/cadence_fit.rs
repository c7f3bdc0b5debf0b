//! Whether a pulldown pattern in one of its phases fits a window of field pairs.
use super::cadence::{CadencePhase, NO_FIT, Pulldown, cadence_phase};
use super::window::{WINDOWS, Window, indices};
use super::zscore::SIGNIFICANT_Q4;
use std::ops::Range;

/// How much a field pair inside a picture may comb, in percent of the mean combing of the two pairs
/// at which the picture starts and ends; each above the detail of the pictures themselves. At 60 %
/// fields of video are woven, at 35 % film is deinterlaced.
const COMB_PERCENT: u64 = 45;

/// The same for pictures between fields that certainly repeat others. These are film, but pictures
/// of film may have more detail than their neighbours. Tuned on a clip of such film. 300 and 45
/// change no other clip that was measured.
const COMB_PERCENT_CERTAIN: u64 = 150;

/// How much a field pair inside a picture may comb besides, in percent of the detail of the
/// pictures. At 16 % fields of video are woven, at 4 % sharp progressive pictures and animation do
/// not fit.
pub(super) const DETAIL_PERCENT: u64 = 8;

/// How much a field pair inside a picture may comb besides, in percent of the number of third
/// differences: a mean square of 0.08, which is invisible. At 16 % fades of video are woven; at 0
/// held film ends at faint noise.
const INVISIBLE_PERCENT: u64 = 8;

/// Visible picture starts, known starts or repeated fields that are enough to see a pattern. Two
/// may be chance: fields of video are woven then. With four, animation does not fit.
const MIN_OCCURRENCES: u32 = 3;

/// The part of the picture starts that must be peaks: a half. With a quarter, fades of video fit;
/// with two thirds, film does not.
const PEAKS_PART: u32 = 2;

/// Standard deviations by which the static tiles of the fields that repeat others must outnumber
/// the moving ones; chance reaches two in 2.5 % of cases. An even fade combs alike at all pairs but
/// for rounding, which may have the rhythm of a pattern: with one it fits. Three change no clip
/// that was measured.
const STATIC_SIGMAS: i64 = 2;

/// How many times more than any other start a scene cut combs. With four, video is woven beside
/// fast film; 1.5 changes no clip that was measured.
const CUT_RATIO: u64 = 2;

/// A pulldown pattern in one of its phases, compared with a window.
#[derive(Debug)]
pub(super) struct CadenceFit<'a> {
    window: &'a Window<'a>,
    phase: &'static CadencePhase,
    /// Pairs at which a picture starts.
    starts: u32,
    /// Pairs inside a picture.
    inside: u32,
    /// Fields that repeat the previous one of their parity: the third and fourth fields of a
    /// picture.
    repeat_fields: u32,
}

impl<'a> CadenceFit<'a> {
    /// Compares the phase with index `phase`.
    pub fn new(window: &'a Window<'a>, phase: usize) -> CadenceFit<'a> {
        let phase = cadence_phase(phase);
        let starts = phase.starts_from(window.pairs.start) & window.all();
        let inside = !starts & window.all();
        CadenceFit { window, phase, starts, inside, repeat_fields: inside & inside << 1 }
    }

    /// The number of picture starts without a visible change, which must be 0 unless `allow_still`;
    /// or [`NO_FIT`].
    pub fn fit(&self, allow_still: bool) -> u8 {
        let window = self.window;
        let expected = self.starts.count_ones();
        // The repeated frame of 2:2:2:4 must be seen twice, since any motion may pause once.
        let is_long = window.pairs.end - window.pairs.start >= WINDOWS[0];
        if expected == 0 || self.phase.pulldown == Pulldown::P2224 && !is_long {
            return NO_FIT;
        }
        let invisible = self.starts & !window.visible_changes;
        let is_visible = expected - invisible.count_ones() >= expected.min(MIN_OCCURRENCES) && (invisible == 0 || allow_still);
        // Only film has fields that repeat others where expected and nowhere beside. It may end at
        // a cut.
        let is_certain = self.repeat_fields.count_ones() >= MIN_OCCURRENCES
            && self.repeat_fields & !window.repeated_fields == 0
            && window.cuts >> 1 == 0;
        // The cheapest tests come first, since most phases fail them.
        if !(is_certain || is_visible) || self.is_contradicted() || !(is_certain || self.has_static_repeats()) {
            return NO_FIT;
        }
        // Film that certainly repeats fields need not comb much, but it must comb at its starts: in
        // the wrong field order it does not.
        let moves = is_certain || self.has_peaks() && invisible & !window.still_fields == 0;
        if moves && self.starts_comb(if is_certain { 1 } else { SIGNIFICANT_Q4 }) && !self.has_combing(is_certain) {
            if is_certain { 0 } else { invisible.count_ones() as u8 }
        } else {
            NO_FIT
        }
    }

    /// The pairs that a fit covers: those from the first start to the last, because beyond them the
    /// window shows one side of a picture only. A window that begins, or ends, with the clip or a
    /// shot covers its pairs to that end.
    pub fn covered(&self, [begins, ends]: [bool; 2]) -> u32 {
        let before = if begins { 0 } else { (1 << self.starts.trailing_zeros()) - 1 };
        let after = if ends { 0 } else { u32::MAX << (31 - self.starts.leading_zeros()) << 1 };
        self.window.all() & !before & !after
    }

    /// Whether all starts together comb more than the pairs beside them, by `least` quarters of a
    /// sigma, or enough of them are known.
    fn starts_comb(&self, least: i64) -> bool {
        let known = self.starts & self.window.known_starts;
        known.count_ones() >= self.starts.count_ones().min(MIN_OCCURRENCES)
            || self.window.peak_sum(self.starts & !known).quarter_sigmas() >= least
    }

    /// Whether vertical motion or the excluded field orders contradict the phase: fields inside a
    /// picture are from different times, or fields of different pictures are from one time.
    fn is_contradicted(&self) -> bool {
        let window = self.window;
        // Text that rolls over film at the field rate has distinct pictures, but the film below
        // repeats fields.
        let distinct = if self.phase.pulldown == Pulldown::P22 { window.distinct_pictures } else { 0 };
        let is_excluded = if self.phase.is_progressive() { window.excludes_progressive() } else { window.excludes_order() };
        is_excluded || self.starts & window.surely_progressive != 0 || self.inside & (distinct | window.known_starts) != 0
    }

    /// Whether half of the starts ([`PEAKS_PART`]) or more are peaks.
    fn has_peaks(&self) -> bool {
        PEAKS_PART * (self.starts & self.window.peaks).count_ones() >= self.starts.count_ones()
    }

    /// Whether the fields that should repeat others, if there are any, are static: together they
    /// have significantly more static tiles than moving ones ([`STATIC_SIGMAS`]).
    fn has_static_repeats(&self) -> bool {
        let [excess, count] = self.window.static_tiles(self.repeat_fields);
        self.repeat_fields == 0 || excess > 0 && excess * excess >= STATIC_SIGMAS * STATIC_SIGMAS * count
    }

    /// Whether a pair inside a picture combs too much, or fewer than two pairs are inside pictures.
    /// If fields certainly repeat others (`is_certain`), the pairs between the first and the last
    /// of them are film.
    fn has_combing(&self, is_certain: bool) -> bool {
        let limits = self.limits();
        let mut repeats = indices(self.repeat_fields).filter(|_| is_certain);
        let film = repeats.next().zip(repeats.next_back()).map_or(0..0, |(first, last)| first - 1..last + 1);
        let percent = |i| if film.contains(&i) { COMB_PERCENT_CERTAIN } else { COMB_PERCENT };
        self.inside.count_ones() < 2 || indices(self.inside).any(|i| self.combs_at(i, &limits, percent(i)))
    }

    /// Whether the fields of a pair inside a picture comb too much to belong together.
    pub fn combs(&self, pair: u64) -> bool {
        self.combs_at((pair - self.window.pairs.start) as usize, &self.limits(), COMB_PERCENT)
    }

    /// The smallest comb metric of a pair inside a picture, which is the detail of the pictures,
    /// and the second largest of a pair at a start: the largest may be a scene cut.
    fn limits(&self) -> Range<u64> {
        let least = indices(self.inside).map(|i| self.window.combing[i]).min().unwrap_or(0);
        let [first, second] = self.largest_starts();
        least..if second > 0 { second } else { first }
    }

    /// The two largest comb metrics of pairs at starts.
    fn largest_starts(&self) -> [u64; 2] {
        let insert = |[first, second]: [u64; 2], v: u64| [first.max(v), second.max(v.min(first))];
        indices(self.starts).map(|i| self.window.combing[i]).fold([0, 0], insert)
    }

    /// Whether pair `i` of the window, inside a picture, combs too much. Its comb metric exceeds
    /// the detail (`limits.start`) by more than the sum of `percent` of the mean excess of the
    /// pairs at the start and the end of the picture (their comb metrics count up to `limits.end`),
    /// [`DETAIL_PERCENT`] of the detail, and [`INVISIBLE_PERCENT`].
    fn combs_at(&self, i: usize, limits: &Range<u64>, percent: u64) -> bool {
        if self.window.surely_progressive >> i & 1 == 1 {
            return false;
        }
        let detail = limits.start;
        let combing = |i: usize| self.window.combing[i];
        let excess = combing(i).saturating_sub(detail);
        let start = indices(self.starts & ((1 << i) - 1)).next_back();
        let end = indices(self.starts & !((2 << i) - 1)).next();
        let [left, right] = [start, end].map(|pair| pair.map(|i| combing(i).min(limits.end)));
        let Some((left, right)) = left.or(right).zip(right.or(left)) else { return excess > 0 };
        // Beside a possible cut, motion in the other shot is no measure of a picture that seems
        // still.
        let [first, second] = self.largest_starts();
        let beside = [start, end].into_iter().flatten();
        let has_cut = beside.clone().any(|i| combing(i) == first && first > CUT_RATIO * second);
        let is_still = beside.clone().any(|i| self.window.visible_changes >> i & 1 == 0);
        // Twice the mean of both pairs, which is why the percentages are doubled.
        let motion = if has_cut && is_still {
            2 * left.min(right).saturating_sub(detail)
        } else {
            (left + right).saturating_sub(2 * detail)
        };
        200 * excess > percent * motion + 2 * (DETAIL_PERCENT * detail + INVISIBLE_PERCENT * self.window.samples())
    }
}

#[cfg(test)]
mod tests;
