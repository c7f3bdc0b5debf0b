//! Whether a cadence fits what the borders of a window tell.
use super::cadence::{Hypothesis, NO_FIT, Pulldown, WINDOWS, hypothesis};
use super::evidence::{Contrast, Order};
use super::history::History;
use std::ops::Range;

/// Strengths, in quarters: of all changes of picture together, and of one that counts as visible.
pub(super) const SURE: i64 = 16;
const VISIBLE: i64 = 10;

/// A cadence in one of its phases, and the borders that it is compared with.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    history: &'a History,
    order: Order,
    hypothesis: &'static Hypothesis,
    window: Range<u64>,
    /// A bit for each border of the window where another picture begins.
    starts: u32,
}

/// What fields that should repeat others tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeats {
    /// There are none.
    None,
    /// They do not.
    Missing,
    /// All together they do.
    Seen,
    /// Each of them does, and those beside it do not: nothing but film does that.
    Sure,
}

impl<'a> Trial<'a> {
    /// Of the hypothesis `index` and a window of up to 32 borders.
    pub fn new(history: &'a History, order: Order, index: usize, window: Range<u64>) -> Trial<'a> {
        let hypothesis = hypothesis(index);
        let mut phase = window.start % hypothesis.period;
        let starts = (0..window.end.saturating_sub(window.start)).fold(0, |starts, i| {
            let begins = hypothesis.begins_at(phase);
            phase = if phase + 1 == hypothesis.period { 0 } else { phase + 1 };
            starts | u32::from(begins) << i
        });
        Trial { history, order, hypothesis, window, starts }
    }

    /// Whether another picture begins at a border of the window.
    fn begins(&self, border: u64) -> bool {
        self.starts >> (border - self.window.start) & 1 == 1
    }

    /// In how many places a new picture was expected and none was seen (not at all if not `still`), or [`NO_FIT`].
    pub fn fit(history: &'a History, order: Order, index: usize, window: Range<u64>, still: bool) -> u8 {
        let trial = Trial::new(history, order, index, window);
        // The repeated frame must be seen twice: once anything may pause.
        let long = trial.window.end - trial.window.start >= WINDOWS[0];
        if trial.hypothesis.pulldown == Pulldown::P2224 && !long {
            return NO_FIT;
        }
        let repeats = trial.repeats();
        let expected = trial.begin().count();
        let visible = trial.begin().filter(|&border| trial.is_seen(border)).count();
        let enough = visible >= expected.min(3) && (visible == expected || still);
        // The cheapest questions come first: most fail them.
        if expected == 0 || repeats == Repeats::Missing || repeats != Repeats::Sure && !enough || trial.is_refuted() {
            return NO_FIT;
        }
        let sure = repeats == Repeats::Sure;
        let moves = || sure || trial.stands_out() && trial.unseen().all(|border| trial.stands(border));
        // Film that surely repeats fields need not comb much, but not less where pictures change, as it does in the wrong order.
        if trial.is_whole(repeats) && trial.changes(if sure { 1 } else { SURE }, expected) && moves() {
            if repeats == Repeats::Sure { 0 } else { (expected - visible) as u8 }
        } else {
            NO_FIT
        }
    }

    /// The borders where another picture begins.
    fn begin(&self) -> impl Iterator<Item = u64> {
        self.window.clone().filter(|&border| self.begins(border))
    }

    /// Those inside pictures.
    fn inside(&self) -> impl Iterator<Item = u64> {
        self.window.clone().filter(|&border| !self.begins(border))
    }

    fn combing(&self, border: u64) -> u64 {
        self.history.combing(self.order, border)
    }

    /// Whether the frame after a border is known to be whole, and another picture than that before, however the border combs.
    fn is_proven(&self, border: u64) -> bool {
        border.is_multiple_of(2) && self.window.contains(&(border + 1)) && self.history.is_whole(border + 1)
    }

    fn is_seen(&self, border: u64) -> bool {
        self.history.strength(self.order, border) >= VISIBLE || self.is_proven(border)
    }

    fn unseen(&self) -> impl Iterator<Item = u64> {
        self.begin().filter(|&border| !self.is_seen(border))
    }

    /// Whether all changes of picture together comb more than what is beside them, with a strength of `least`, or are proven.
    fn changes(&self, least: i64, expected: usize) -> bool {
        let proven = self.begin().filter(|&border| self.is_proven(border)).count();
        let others = || self.begin().filter(|&border| !self.is_proven(border));
        let peaks = || others().map(|border| self.history.peak(self.order, border)).sum::<Contrast>();
        proven >= expected.min(3) || peaks().strength() >= least
    }

    /// Whether vertical motion, or the distance to the frame before, says that fields inside a picture are of different times, or those of
    /// different pictures of one time.
    fn is_refuted(&self) -> bool {
        // Text that rolls over film at the rate of fields has fields of its own, but the film below repeats some.
        let alone = |border| self.hypothesis.period == 2 && self.history.is_apart(self.order, border);
        let frames = self.window.start.div_ceil(2)..self.window.end / 2;
        let lopsided = || frames.clone().filter_map(|frame| self.history.lopsided(frame));
        let refuted = if self.hypothesis.keeps_frames() {
            3 * lopsided().count() > frames.clone().count()
        } else {
            4 * lopsided().filter(|&order| order == self.order).count() > frames.clone().count()
        };
        refuted
            || self.begin().any(|border| self.history.is_whole(border))
            || self.inside().any(|border| alone(border) || self.is_proven(border))
    }

    /// Whether most borders between pictures comb more than those beside them by at least a sixth of what fields do that are three
    /// apart, the wrong way round. Where each field is of its own time all borders comb alike but for the picture's own detail.
    fn stands_out(&self) -> bool {
        let stands_out = |&border: &u64| {
            let beside = [border - 1, border + 1].into_iter().filter(|border| self.window.contains(border));
            let least = beside.map(|border| self.combing(border)).min().unwrap_or(0);
            self.is_above(self.combing(border), border, least)
        };
        2 * self.begin().filter(stands_out).count() >= self.begin().count()
    }

    /// Whether `high` is above `low` by at least a sixth of what the outer fields around a border comb above it.
    pub fn is_above(&self, high: u64, border: u64, low: u64) -> bool {
        let around = [border & !1, (border + 1) & !1].into_iter().filter(|border| self.window.contains(border));
        let farther = around.map(|border| self.history.combing(self.order.other(), border)).min().unwrap_or(0);
        6 * high.saturating_sub(low) >= farther.saturating_sub(low)
    }

    /// The fields that repeat the last but one before them.
    fn thirds(&self) -> impl DoubleEndedIterator<Item = u64> {
        (self.window.start + 1..self.window.end).filter(|&field| !self.begins(field - 1) && !self.begins(field))
    }

    /// Whether the fields that repeat others change less than those around them. What fades evenly combs no more at one border than at
    /// the next but for rounding, which may well come in the rhythm of a cadence.
    fn repeats(&self) -> Repeats {
        let (mut sum, mut fewer, mut count) = ([0, 0], 0, 0);
        for field in self.thirds() {
            let [calm, all] = self.history.calm(self.order, field);
            sum = [sum[0] + calm, sum[1] + all];
            let change = |field| self.history.change(self.order, field);
            let beside = [field - 2, field + 2].into_iter().filter(|field| self.window.contains(field) && *field > 1);
            fewer += usize::from(beside.map(change).any(|beside| 4 * change(field) + self.history.samples() > beside));
            count += 1;
        }
        match sum {
            _ if count == 0 => Repeats::None,
            _ if count > 2 && fewer == 0 => Repeats::Sure,
            [calm, all] if calm > 0 && calm * calm >= 4 * all => Repeats::Seen,
            _ => Repeats::Missing,
        }
    }

    /// Whether the field after a border differs from the one of its parity before by not much more than the fields of the window do that
    /// differ least: video that moves evenly shows no changes of picture either.
    pub fn stands(&self, border: u64) -> bool {
        let changes = || self.window.clone().filter(|&field| field > 1).map(|field| self.history.change(self.order, field));
        let (least, most) = (changes().min().unwrap_or(0), changes().max().unwrap_or(0));
        let change = || self.history.change(self.order, border);
        border < 2 || !self.window.contains(&border) || 4 * (change() - least) <= most - least
    }

    /// Whether no picture is torn. Between fields that surely repeat others is film, whose pictures may well have more detail than others.
    fn is_whole(&self, repeats: Repeats) -> bool {
        let between = self.between();
        let mut sure = self.thirds().filter(|_| repeats == Repeats::Sure);
        let film = sure.next().zip(sure.next_back()).map_or(0..0, |(first, last)| first - 1..last + 1);
        let share = |border| if film.contains(&border) { 150 } else { TORN };
        self.inside().nth(1).is_some() && !self.inside().any(|border| self.is_torn_by(border, &between, share(border)))
    }

    /// Whether the fields at a border inside a picture comb too much to belong together.
    pub fn is_torn(&self, border: u64) -> bool {
        self.is_torn_by(border, &self.between(), TORN)
    }

    /// What a border inside a picture combs at least, and the second most that one between pictures does: the most may be a cut.
    fn between(&self) -> Range<u64> {
        let least = self.inside().map(|border| self.combing(border)).min().unwrap_or(0);
        let order = |[first, second]: [u64; 2], v: u64| [first.max(v), second.max(v.min(first))];
        let [first, second] = self.begin().map(|border| self.combing(border)).fold([0, 0], order);
        least..if second > 0 { second } else { first }
    }

    /// Whether a border inside a picture combs by more than `share` percent of what the borders of the picture have above the least, 8 % of
    /// that, and a rest that nobody sees. `between` are the least and the most that counts.
    fn is_torn_by(&self, border: u64, between: &Range<u64>, share: u64) -> bool {
        if self.history.is_whole(border) {
            return false;
        }
        let least = between.start;
        let excess = self.combing(border).saturating_sub(least);
        let around = self.hypothesis.around(border, &self.window);
        let [left, right] = around.map(|border| border.map(|border| self.combing(border).min(between.end)));
        let Some((left, right)) = left.or(right).zip(right.or(left)) else { return excess > 0 };
        let motion = (left + right).saturating_sub(2 * least);
        200 * excess > share * motion + 16 * least + 16 * self.history.samples()
    }
}

/// Percent of the borders of a picture that one inside may comb.
const TORN: u64 = 45;
