//! What the borders of a window tell, whatever the cadence.
use super::frame_metrics::Contrast;
use super::lookahead::History;
use crate::format::FieldOrder;
use std::ops::Range;

/// The strength, in quarters, of a change of picture that counts as visible.
const VISIBLE: i64 = 10;

/// Borders that are looked at together, at most: sets of them have a bit to spare.
const LONGEST: usize = 31;

/// Borders between fields, or the fields after them, in one order. Sets of them are bits that count from the first.
#[derive(Debug)]
pub(super) struct Window<'a> {
    history: &'a History,
    order: FieldOrder,
    pub borders: Range<u64>,
    /// How much each combs.
    pub combing: [u64; LONGEST],
    /// Inside frames whose fields are surely of one time, however they comb.
    pub whole: u32,
    /// Before such frames: another picture than that before is known to begin there.
    pub proven: u32,
    /// Where a change of picture is visible, or proven.
    pub seen: u32,
    /// Where the fields are surely of different times, each a picture of its own.
    pub apart: u32,
    /// What combs more than the borders beside it by at least a sixth of what fields do that are three apart, the wrong way round. Where
    /// each field is of its own time all borders comb alike but for the picture's own detail.
    pub above: u32,
    /// Fields that differ from the one of their parity before by not much more than the fields do that differ least: video that moves
    /// evenly shows no changes of picture either.
    pub standing: u32,
    /// Fields that differ from the one of their parity before by much less than those beside them do.
    pub repeated: u32,
    /// Where another shot begins.
    pub cuts: u32,
    frames: usize,
    /// Frames whose fields surely are not in some order, and those where it is this one.
    lopsided: [usize; 2],
}

impl<'a> Window<'a> {
    /// Of up to 31 borders that are known.
    pub fn new(history: &'a History, order: FieldOrder, borders: Range<u64>) -> Window<'a> {
        let mut combing = [0; LONGEST];
        for (combing, border) in combing.iter_mut().zip(borders.clone()) {
            *combing = history.combing(order, border);
        }
        let whole = set(&borders, |border| history.is_whole(border));
        // A whole frame's own border is odd, the one before it even.
        let proven = whole >> 1;
        let frames = borders.start.div_ceil(2)..borders.end / 2;
        let lopsided = || frames.clone().filter_map(|frame| history.lopsided(frame));
        let mut window = Window {
            history,
            order,
            combing,
            whole,
            proven,
            seen: proven | set(&borders, |border| history.strength(order, border) >= VISIBLE),
            apart: set(&borders, |border| history.is_apart(order, border)),
            above: 0,
            standing: 0,
            repeated: 0,
            cuts: set(&borders, |border| history.is_cut(order, border)),
            lopsided: [lopsided().count(), lopsided().filter(|&other| other == order).count()],
            frames: frames.count(),
            borders: borders.clone(),
        };
        let change = |field: u64| history.change(order, field);
        let changes = || borders.clone().filter(|&field| field > 1).map(change);
        let (least, most) = (changes().min().unwrap_or(0), changes().max().unwrap_or(0));
        window.standing = set(&borders, |field| field < 2 || 4 * (change(field) - least) <= most - least);
        window.repeated = set(&borders, |field| {
            let beside = [field.saturating_sub(2), field + 2].into_iter().filter(|field| borders.contains(field) && *field > 1);
            beside.map(change).all(|beside| 4 * change(field) + history.samples() <= beside)
        });
        window.above = set(&borders, |border| {
            let beside = [border - 1, border + 1].into_iter().filter(|border| borders.contains(border));
            let least = beside.map(|border| window.combing(border)).min().unwrap_or(0);
            window.is_above(window.combing(border), border, least)
        });
        window
    }

    fn combing(&self, border: u64) -> u64 {
        self.combing[(border - self.borders.start) as usize]
    }

    /// All borders.
    pub fn all(&self) -> u32 {
        (1 << (self.borders.end - self.borders.start)) - 1
    }

    /// How much more some of the borders together comb than those beside them.
    pub fn peaks(&self, borders: u32) -> Contrast {
        each(borders).map(|i| self.history.peak(self.order, self.borders.start + i as u64)).sum()
    }

    /// In how many tiles some of the fields together are calm but for those where they are not, and how many these are together.
    pub fn calm(&self, fields: u32) -> [i64; 2] {
        let calm = each(fields).map(|i| self.history.calm(self.order, self.borders.start + i as u64));
        calm.fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]])
    }

    /// Whether too many frames are lopsided for whole frames.
    pub fn is_lopsided(&self) -> bool {
        3 * self.lopsided[0] > self.frames
    }

    /// Whether too many are against the order.
    pub fn is_reversed(&self) -> bool {
        4 * self.lopsided[1] > self.frames
    }

    /// Whether a field is among those that stand still, or before all that change.
    pub fn stands(&self, field: u64) -> bool {
        field < 2 || !self.borders.contains(&field) || self.standing >> (field - self.borders.start) & 1 == 1
    }

    /// Whether `high` is above `low` by at least a sixth of what the outer fields around a border comb above it.
    pub fn is_above(&self, high: u64, border: u64, low: u64) -> bool {
        let around = [border & !1, (border + 1) & !1].into_iter().filter(|border| self.borders.contains(border));
        let farther = around.map(|border| self.history.combing(self.order.reversed(), border)).min().unwrap_or(0);
        6 * high.saturating_sub(low) >= farther.saturating_sub(low)
    }

    /// A difference of combing that nobody sees.
    pub fn rest(&self) -> u64 {
        self.history.samples()
    }
}

/// Those of the borders that something tells of.
fn set(borders: &Range<u64>, tells: impl Fn(u64) -> bool) -> u32 {
    borders.clone().enumerate().fold(0, |set, (i, border)| set | u32::from(tells(border)) << i)
}

/// The places of the bits of a set.
pub(super) fn each(set: u32) -> impl DoubleEndedIterator<Item = usize> {
    (0..32).filter(move |i| set >> i & 1 == 1)
}
