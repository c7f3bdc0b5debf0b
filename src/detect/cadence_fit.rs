//! Whether a cadence fits what the borders of a window tell.
use super::cadence::{Hypothesis, NO_FIT, Pulldown, WINDOWS, hypothesis};
use super::window::{Window, each};
use std::ops::Range;

/// Strength, in quarters, of what is sure.
pub(super) const SURE: i64 = 16;

/// Percent of the borders of a picture that one inside may comb, and of one that surely is film, whose pictures may well have more detail than
/// others.
const TORN: u64 = 45;
const TORN_FILM: u64 = 150;

/// A cadence in one of its phases, and the window that it is compared with.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    window: &'a Window<'a>,
    hypothesis: &'static Hypothesis,
    /// The borders where another picture begins, those inside pictures, and the fields that repeat the last but one before them.
    begin: u32,
    inside: u32,
    thirds: u32,
}

impl<'a> Trial<'a> {
    /// Of the hypothesis `index`.
    pub fn new(window: &'a Window<'a>, index: usize) -> Trial<'a> {
        let hypothesis = hypothesis(index);
        let begin = hypothesis.begin_from(window.borders.start) & window.all();
        let inside = !begin & window.all();
        Trial { window, hypothesis, begin, inside, thirds: inside & inside << 1 }
    }

    /// In how many places a new picture was expected and none was seen (not at all if not `still`), or [`NO_FIT`].
    pub fn fit(&self, still: bool) -> u8 {
        let window = self.window;
        // The repeated frame must be seen twice: once anything may pause.
        let long = window.borders.end - window.borders.start >= WINDOWS[0];
        let expected = self.begin.count_ones();
        if expected == 0 || self.hypothesis.pulldown == Pulldown::P2224 && !long {
            return NO_FIT;
        }
        let unseen = self.begin & !window.seen;
        let enough = expected - unseen.count_ones() >= expected.min(3) && (unseen == 0 || still);
        // Fields each of which repeats another where those beside it do not: nothing but film does that. Beyond a cut it may end.
        let sure = self.thirds.count_ones() > 2 && self.thirds & !window.repeated == 0 && window.cuts >> 1 == 0;
        // The cheapest questions come first: most fail them.
        if !(sure || enough) || self.is_refuted() || !(sure || self.repeats()) {
            return NO_FIT;
        }
        // Film that surely repeats fields need not comb much, but not less where pictures change, as it does in the wrong order.
        let moves = sure || self.stands_out() && unseen & !window.standing == 0;
        if moves && self.changes(if sure { 1 } else { SURE }) && self.is_whole(sure) {
            if sure { 0 } else { unseen.count_ones() as u8 }
        } else {
            NO_FIT
        }
    }

    /// The borders that a fit tells of: what lies before the first picture that begins, or after the last, is seen from one side only, and
    /// surely a part of a picture only where a shot begins or ends with the window.
    pub fn tells(&self, [begins, ends]: [bool; 2]) -> u32 {
        let before = if begins { 0 } else { (1 << self.begin.trailing_zeros()) - 1 };
        let after = if ends { 0 } else { u32::MAX << (31 - self.begin.leading_zeros()) << 1 };
        self.window.all() & !before & !after
    }

    /// Whether all changes of picture together comb more than what is beside them, with a strength of `least`, or are proven.
    fn changes(&self, least: i64) -> bool {
        let proven = self.begin & self.window.proven;
        proven.count_ones() >= self.begin.count_ones().min(3) || self.window.peaks(self.begin & !proven).strength() >= least
    }

    /// Whether vertical motion, or the distance to the frame before, says that fields inside a picture are of different times, or those of
    /// different pictures of one time.
    fn is_refuted(&self) -> bool {
        let window = self.window;
        // Text that rolls over film at the rate of fields has fields of its own, but the film below repeats some.
        let alone = if self.hypothesis.period == 2 { window.apart } else { 0 };
        let against = if self.hypothesis.keeps_frames() { window.is_lopsided() } else { window.is_reversed() };
        against || self.begin & window.whole != 0 || self.inside & (alone | window.proven) != 0
    }

    /// Whether most borders between pictures comb more than those beside them.
    fn stands_out(&self) -> bool {
        2 * (self.begin & self.window.above).count_ones() >= self.begin.count_ones()
    }

    /// Whether the fields that repeat others, if there are any, all together change less than those around them. What fades evenly combs no
    /// more at one border than at the next but for rounding, which may well come in the rhythm of a cadence.
    fn repeats(&self) -> bool {
        let [calm, all] = self.window.calm(self.thirds);
        self.thirds == 0 || calm > 0 && calm * calm >= 4 * all
    }

    /// Whether no picture is torn; `sure` where fields surely repeat others: what lies between them is film.
    fn is_whole(&self, sure: bool) -> bool {
        let between = self.between();
        let mut repeated = each(self.thirds).filter(|_| sure);
        let film = repeated.next().zip(repeated.next_back()).map_or(0..0, |(first, last)| first - 1..last + 1);
        let share = |i| if film.contains(&i) { TORN_FILM } else { TORN };
        self.inside.count_ones() > 1 && !each(self.inside).any(|i| self.is_torn_by(i, &between, share(i)))
    }

    /// Whether the fields at a border inside a picture comb too much to belong together.
    pub fn is_torn(&self, border: u64) -> bool {
        self.is_torn_by((border - self.window.borders.start) as usize, &self.between(), TORN)
    }

    /// What a border inside a picture combs at least, and the second most that one between pictures does: the most may be a cut.
    fn between(&self) -> Range<u64> {
        let least = each(self.inside).map(|i| self.window.combing[i]).min().unwrap_or(0);
        let [first, second] = self.most();
        least..if second > 0 { second } else { first }
    }

    /// The two that comb most of the borders between pictures.
    fn most(&self) -> [u64; 2] {
        let order = |[first, second]: [u64; 2], v: u64| [first.max(v), second.max(v.min(first))];
        each(self.begin).map(|i| self.window.combing[i]).fold([0, 0], order)
    }

    /// Whether border `i` of the window, inside a picture, combs by more than `share` percent of what the borders of the picture have above the
    /// least, 8 % of that, and a rest that nobody sees. `between` are the least and the most that counts.
    fn is_torn_by(&self, i: usize, between: &Range<u64>, share: u64) -> bool {
        if self.window.whole >> i & 1 == 1 {
            return false;
        }
        let least = between.start;
        let combing = |i: usize| self.window.combing[i];
        let excess = combing(i).saturating_sub(least);
        let before = each(self.begin & ((1 << i) - 1)).next_back();
        let after = each(self.begin & !((2 << i) - 1)).next();
        let [left, right] = [before, after].map(|border| border.map(|i| combing(i).min(between.end)));
        let Some((left, right)) = left.or(right).zip(right.or(left)) else { return excess > 0 };
        // What may be another shot is no measure of a picture that seems to stand on the other side.
        let [first, second] = self.most();
        let beside = [before, after].into_iter().flatten();
        let cut = beside.clone().any(|i| combing(i) == first && first > 2 * second);
        if cut && beside.clone().any(|i| self.window.seen >> i & 1 == 0) {
            let motion = 2 * left.min(right).saturating_sub(least);
            return 200 * excess > share * motion + 16 * least + 16 * self.window.rest();
        }
        let motion = (left + right).saturating_sub(2 * least);
        200 * excess > share * motion + 16 * least + 16 * self.window.rest()
    }
}
