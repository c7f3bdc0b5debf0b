//! Cadences of film, and how well they fit what the borders between fields tell.
use super::evidence::{Contrast, Order};
use super::history::History;
use std::fmt;
use std::ops::Range;

/// How the pictures of film are spread over fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pulldown {
    /// Two fields each: 25 pictures in 50 fields, progressive frames in phase or a field late.
    P22,
    /// Two and three fields in turn: 24 pictures in 60 fields.
    P32,
    /// Two, three, three, two: the same from cameras that want to be undone easily.
    P2332,
    /// Two, two, two, four: 24 pictures in 60 fields, a frame repeated.
    P2224,
}

impl Pulldown {
    const ALL: [Pulldown; 4] = [Pulldown::P22, Pulldown::P32, Pulldown::P2332, Pulldown::P2224];

    /// Fields of each picture.
    const fn fields(self) -> &'static [usize] {
        match self {
            Pulldown::P22 => &[2],
            Pulldown::P32 => &[2, 3],
            Pulldown::P2332 => &[2, 3, 3, 2],
            Pulldown::P2224 => &[2, 2, 2, 4],
        }
    }

    /// Pictures and the frames that hold them, such as 4 in 5.
    pub fn ratio(self) -> (u32, u32) {
        if self == Pulldown::P22 { (1, 1) } else { (4, 5) }
    }
}

impl fmt::Display for Pulldown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pulldown::P22 => "2:2",
            Pulldown::P32 => "3:2",
            Pulldown::P2332 => "3:2:2:3",
            Pulldown::P2224 => "2:2:2:4",
        })
    }
}

/// A cadence in one of its phases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hypothesis {
    pub pulldown: Pulldown,
    period: u64,
    /// A bit for each border of the period where another picture begins.
    starts: u16,
}

/// All cadences in all phases.
pub(super) const HYPOTHESES: usize = 2 + 5 + 10 + 10;

/// The hypothesis that both fields of each frame belong together.
pub(super) const IN_PHASE: usize = 0;

static TABLE: [Hypothesis; HYPOTHESES] = table();

const fn table() -> [Hypothesis; HYPOTHESES] {
    let mut table = [Hypothesis { pulldown: Pulldown::P22, period: 2, starts: 1 }; HYPOTHESES];
    let (mut count, mut kind) = (0, 0);
    while kind < Pulldown::ALL.len() {
        let fields = Pulldown::ALL[kind].fields();
        let (mut period, mut i) = (0, 0);
        while i < fields.len() {
            period += fields[i];
            i += 1;
        }
        let mut phase = 0;
        while phase < period {
            let (mut starts, mut at, mut i) = (0, phase, 0);
            while i < fields.len() {
                starts |= 1 << (at % period);
                at += fields[i];
                i += 1;
            }
            table[count] = Hypothesis { pulldown: Pulldown::ALL[kind], period: period as u64, starts };
            (count, phase) = (count + 1, phase + 1);
        }
        kind += 1;
    }
    assert!(count == HYPOTHESES);
    table
}

pub(super) fn hypothesis(index: usize) -> &'static Hypothesis {
    &TABLE[index]
}

impl Hypothesis {
    /// Whether another picture begins at a border.
    pub fn begins(&self, border: u64) -> bool {
        self.starts >> (border % self.period) & 1 == 1
    }

    /// Whether both fields of every frame belong to one picture.
    pub fn keeps_frames(&self) -> bool {
        self.period.is_multiple_of(2) && self.starts & 0xaaaa == 0
    }

    /// The nearest borders inside `window` where another picture begins, before and after `border`.
    fn around(&self, border: u64, window: &Range<u64>) -> [Option<u64>; 2] {
        let before = (window.start..border).rev().take(4).find(|&border| self.begins(border));
        [before, (border + 1..window.end).take(4).find(|&border| self.begins(border))]
    }
}

/// Instead of the number of pictures that stood still.
pub(super) const NO_FIT: u8 = u8::MAX;

/// Borders that are looked at together: a long window allows pictures that do not change, a short one does not.
pub(super) const WINDOWS: [u64; 2] = [20, 12];

/// Strengths, in quarters: of all changes of picture together, and of one that counts as visible.
pub(super) const SURE: i64 = 16;
const VISIBLE: i64 = 10;

/// Whether a hypothesis fits the borders of `window`: in how many places a new picture was expected and none was seen (not at all if not
/// `still`), or [`NO_FIT`].
pub(super) fn fit(history: &History, order: Order, index: usize, window: Range<u64>, still: bool) -> u8 {
    let h = hypothesis(index);
    // The repeated frame must be seen twice: once anything may pause.
    if h.pulldown == Pulldown::P2224 && window.end - window.start < WINDOWS[0] {
        return NO_FIT;
    }
    let begin = || window.clone().filter(|&border| h.begins(border));
    let inside = || window.clone().filter(|&border| !h.begins(border));
    // The frame that follows a new picture may be known to be whole, however it combs.
    let proven = |border: u64| border.is_multiple_of(2) && window.contains(&(border + 1)) && history.is_whole(border + 1);
    let seen = |border: u64| history.strength(order, border) >= VISIBLE || proven(border);
    // The cheapest question comes first: most fail it.
    let (expected, visible) = (begin().count(), begin().filter(|&border| seen(border)).count());
    if expected == 0 || visible < expected.min(3) || visible < expected && !still {
        return NO_FIT;
    }
    // Text that rolls over film at the rate of fields has fields of its own, but the film below repeats some.
    let apart = |border: u64| h.period == 2 && history.is_apart(order, border) || proven(border);
    if begin().any(|border| history.is_whole(border)) || inside().any(apart) || !stands_out(history, order, h, &window) {
        return NO_FIT;
    }
    let frames = window.start.div_ceil(2)..window.end / 2;
    let against = |order: Order| frames.clone().filter(|&frame| history.is_lopsided(order, frame)).count();
    if h.keeps_frames() && against(order) + against(order.other()) > 0 || against(order) > 2 {
        return NO_FIT;
    }
    let between = least(history, order, h, &window)..most(history, order, h, &window);
    if inside().nth(1).is_none() || inside().any(|border| torn(history, order, h, border, &window, &between)) {
        return NO_FIT;
    }
    let stood = || begin().filter(|&border| !seen(border)).all(|border| stands(history, order, border, &window));
    let peaks = || begin().filter(|&border| !proven(border)).map(|border| history.peak(order, border)).sum::<Contrast>();
    let sure = || begin().filter(|&border| proven(border)).count() >= 3.min(expected) || peaks().strength() >= SURE;
    if sure() && stood() && repeats(history, order, h, &window) { (expected - visible) as u8 } else { NO_FIT }
}

/// Whether most borders between pictures comb more than those beside them by at least a sixth of what fields do that are three apart, the
/// wrong way round. Where each field is of its own time all borders comb alike but for the picture's own detail.
fn stands_out(history: &History, order: Order, h: &Hypothesis, window: &Range<u64>) -> bool {
    let stands_out = |&border: &u64| {
        let beside = [border - 1, border + 1].into_iter().filter(|border| window.contains(border));
        let own = beside.map(|border| history.combing(order, border)).min().unwrap_or(0);
        let around = [border & !1, border + 1 & !1].into_iter().filter(|border| window.contains(border));
        let farther = around.map(|border| history.combing(order.other(), border)).min().unwrap_or(0);
        6 * history.combing(order, border).saturating_sub(own) >= farther.saturating_sub(own)
    };
    let begin = || window.clone().filter(|&border| h.begins(border));
    2 * begin().filter(stands_out).count() >= begin().count()
}

/// Whether the fields that repeat others change less than those around them, if there are any. What fades evenly combs no more at one
/// border than at the next but for rounding, which may well come in the rhythm of a cadence.
fn repeats(history: &History, order: Order, h: &Hypothesis, window: &Range<u64>) -> bool {
    let mut fields = window.clone().skip(1).filter(|&field| !h.begins(field - 1) && !h.begins(field)).peekable();
    if fields.peek().is_none() {
        return true;
    }
    let [calm, all] = fields.map(|field| history.calm(order, field)).fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]]);
    calm > 0 && calm * calm >= 4 * all
}

/// Whether the field after a border differs from the one of its parity before by not much more than the fields of `window` do that differ
/// least: video that moves evenly shows no changes of picture either.
pub(super) fn stands(history: &History, order: Order, border: u64, window: &Range<u64>) -> bool {
    let changes = || window.clone().filter(|&field| field > 1).map(|field| history.change(order, field));
    let (least, most) = (changes().min().unwrap_or(0), changes().max().unwrap_or(0));
    border < 2 || !window.contains(&border) || 4 * (history.change(order, border) - least) <= most - least
}

/// The least that a border inside a picture combs.
pub(super) fn least(history: &History, order: Order, h: &Hypothesis, window: &Range<u64>) -> u64 {
    window.clone().filter(|&border| !h.begins(border)).map(|border| history.combing(order, border)).min().unwrap_or(0)
}

/// The second most that a border between pictures combs: the most may be a cut.
pub(super) fn most(history: &History, order: Order, h: &Hypothesis, window: &Range<u64>) -> u64 {
    let begin = window.clone().filter(|&border| h.begins(border)).map(|border| history.combing(order, border));
    let [first, second] = begin.fold([0, 0], |[first, second], v| [first.max(v), second.max(v.min(first))]);
    if second > 0 { second } else { first }
}

/// Whether the fields at a border inside a picture comb too much to belong together: by more than 45 % of what the borders of the picture
/// have above the least, 8 % of that, and a rest that nobody sees. `between` are the least and the most that counts.
pub(super) fn torn(
    history: &History,
    order: Order,
    h: &Hypothesis,
    border: u64,
    window: &Range<u64>,
    between: &Range<u64>,
) -> bool {
    if history.is_whole(border) {
        return false;
    }
    let least = between.start;
    let excess = history.combing(order, border).saturating_sub(least);
    let combing = |border: u64| history.combing(order, border).min(between.end);
    let [left, right] = h.around(border, window).map(|border| border.map(combing));
    let (Some(left), Some(right)) = (left.or(right), right.or(left)) else { return excess > 0 };
    let motion = (left + right).saturating_sub(2 * least);
    200 * excess > 45 * motion + 16 * least + 16 * history.samples()
}
