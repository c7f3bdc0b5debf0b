//! The measures of consecutive field pairs as sets, which no pulldown pattern influences.
use super::lookahead::Lookahead;
use super::scene_cut::{is_cut, is_surely_progressive};
use super::zscore::ZScore;
use crate::format::FieldOrder;
use std::ops::Range;

/// Field pairs of a window: of a long one, which tolerates pictures that do not change, and of a
/// short one, in which every picture must change.
///
/// The long one holds two periods of 2:2:2:4 or 3:2:2:3; with 26 pairs short segments are missed,
/// with 16 patterns fit by chance. The short one holds two periods of 3:2 and a pair on either
/// side, and is the shortest segment whose pattern is detected; with 14 pairs fewer are, with 10
/// patterns fit by chance.
pub(super) const WINDOWS: [u64; 2] = [20, 12];

/// The z-score of a peak, in quarters of a sigma, from which on a new picture is visible: 2.5
/// sigma. At 14 quarters twice as many fields of film are missed as at 10; at 8 chance peaks pass
/// for pictures.
const VISIBLE_Q4: i64 = 10;

/// A field is still if it changes by no more than the field that changes least, plus this part of
/// the range of changes in the window: a quarter. Uniformly moving video shows no new pictures
/// either, but its fields all change. With half, fades of video fit.
const STILL_PART: u64 = 4;

/// A field repeats the previous one of its parity if its change is less than this part of the
/// changes of the fields of its parity beside it: a quarter. With half, fields are woven across
/// scene cuts; with an eighth, more film is deinterlaced.
const REPEAT_PART: u64 = 4;

/// The least change, as a mean square in thirds, of the fields beside a field that repeats another:
/// smaller changes are coding noise. The allowance is part of the test of [`REPEAT_PART`].
const REPEAT_NOISE_THIRDS: u64 = 1;

/// A field pair is a peak if its comb metric exceeds those beside it by at least this part of the
/// excess of fields that are three field periods apart: a sixth. Uniformly moving video combs alike
/// in all field pairs, apart from the detail that the picture adds to one parity. With a third,
/// film is deinterlaced; with a twelfth, fades of video fit.
const PEAK_PART: u64 = 6;

/// Progressive frames are ruled out if more than this part of the frames exclude a field order: a
/// third. One frame in four does where blocks of a codec interfere with the sampled lines. Two
/// thirds change no clip that was measured.
const PROGRESSIVE_PART: usize = 3;

/// A field order is ruled out if more than this part of the frames exclude it: a quarter. With an
/// eighth, film that rolls by a line is woven in the wrong order. Half changes no clip that was
/// measured.
const ORDER_PART: usize = 4;

/// The largest number of field pairs: their sets have a bit to spare.
const MAX_PAIRS: usize = 31;

/// Known field pairs in one field order. A set of pairs, or of the second fields of the pairs, is a
/// mask of bits that count from the first pair.
#[derive(Debug)]
pub(super) struct Window<'a> {
    lookahead: &'a Lookahead,
    order: FieldOrder,
    pub pairs: Range<u64>,
    /// The comb metric of each pair.
    pub combing: [u64; MAX_PAIRS],
    /// Pairs inside frames that are certainly progressive, whatever the comb metric is.
    pub surely_progressive: u32,
    /// Pairs before such frames, at which a picture certainly starts.
    pub known_starts: u32,
    /// Pairs at which a new picture is visible, and the known starts.
    pub visible_changes: u32,
    /// Pairs at which a picture certainly starts, as it does at a pair beside.
    pub distinct_pictures: u32,
    /// Pairs that comb more than those beside them.
    pub peaks: u32,
    /// Fields that change about as little as the field of the window that changes least.
    pub still_fields: u32,
    /// Fields that change much less than those of their parity beside them.
    pub repeated_fields: u32,
    /// Pairs at which another shot starts.
    pub cuts: u32,
    /// Whole frames in the window.
    frames: usize,
    /// Frames that exclude a field order, and those that exclude this one.
    excluding: [usize; 2],
}

impl<'a> Window<'a> {
    /// Measures up to 31 known field pairs.
    pub fn new(lookahead: &'a Lookahead, order: FieldOrder, pairs: Range<u64>) -> Window<'a> {
        let mut combing = [0; MAX_PAIRS];
        for (combing, pair) in combing.iter_mut().zip(pairs.clone()) {
            *combing = lookahead.combing(order, pair);
        }
        let surely_progressive = set(&pairs, |pair| is_surely_progressive(lookahead, pair));
        // The pair inside a frame is odd, the one before it even.
        let known_starts = surely_progressive >> 1;
        let visible = set(&pairs, |pair| lookahead.pair(order, pair).peak_q4 >= VISIBLE_Q4);
        let frames = pairs.start.div_ceil(2)..pairs.end / 2;
        let excluded = || lookahead.frames(frames.clone()).filter_map(|frame| frame.excluded_order);
        let mut window = Window {
            lookahead,
            order,
            combing,
            surely_progressive,
            known_starts,
            visible_changes: known_starts | visible,
            distinct_pictures: set(&pairs, |pair| lookahead.pair(order, pair).distinct_pictures),
            peaks: 0,
            still_fields: 0,
            repeated_fields: 0,
            cuts: set(&pairs, |pair| is_cut(lookahead, order, pair)),
            excluding: [excluded().count(), excluded().filter(|&excluded| excluded == order).count()],
            frames: frames.clone().count(),
            pairs: pairs.clone(),
        };
        let change = |field: u64| lookahead.change(order, field);
        // Fields 0 and 1 have no field before them to differ from.
        let changes = || pairs.clone().filter(|&field| field > 1).map(change);
        let (least, most) = (changes().min().unwrap_or(0), changes().max().unwrap_or(0));
        window.still_fields = set(&pairs, |field| field < 2 || STILL_PART * (change(field) - least) <= most - least);
        window.repeated_fields = set(&pairs, |field| {
            let beside = [field.saturating_sub(2), field + 2].into_iter();
            let beside = beside.filter(|field| pairs.contains(field) && *field > 1);
            // A change counts three times the samples of a third difference.
            let noise = REPEAT_NOISE_THIRDS * lookahead.samples();
            beside.map(change).all(|beside| REPEAT_PART * change(field) + noise <= beside)
        });
        window.peaks = set(&pairs, |pair| {
            let beside = [pair - 1, pair + 1].into_iter().filter(|pair| pairs.contains(pair));
            let least = beside.map(|pair| window.combing(pair)).min().unwrap_or(0);
            window.is_peak(window.combing(pair), pair, least)
        });
        window
    }

    fn combing(&self, pair: u64) -> u64 {
        self.combing[(pair - self.pairs.start) as usize]
    }

    /// All pairs.
    pub fn all(&self) -> u32 {
        (1 << (self.pairs.end - self.pairs.start)) - 1
    }

    /// How much more some of the pairs comb together than the pairs beside them.
    pub fn peak_sum(&self, pairs: u32) -> ZScore {
        indices(pairs).map(|i| self.lookahead.pair(self.order, self.pairs.start + i as u64).peak).sum()
    }

    /// The static tiles of some of the fields together, `[fewer - more, fewer + more]`.
    pub fn static_tiles(&self, fields: u32) -> [i64; 2] {
        let tiles = indices(fields).map(|i| self.lookahead.static_tiles(self.order, self.pairs.start + i as u64));
        tiles.fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]])
    }

    /// Whether too many frames exclude a field order for the frames to be progressive.
    pub fn excludes_progressive(&self) -> bool {
        PROGRESSIVE_PART * self.excluding[0] > self.frames
    }

    /// Whether too many frames exclude the field order of the window.
    pub fn excludes_order(&self) -> bool {
        ORDER_PART * self.excluding[1] > self.frames
    }

    /// Whether a field is still, or is one of the first two or outside the window.
    pub fn is_still(&self, field: u64) -> bool {
        !self.pairs.contains(&field) || self.still_fields >> (field - self.pairs.start) & 1 == 1
    }

    /// Whether a comb metric `high` exceeds `low` by a sixth or more of the excess over `low` of
    /// the fields around the pair that are three field periods apart.
    pub fn is_peak(&self, high: u64, pair: u64, low: u64) -> bool {
        let around = [pair & !1, (pair + 1) & !1].into_iter().filter(|pair| self.pairs.contains(pair));
        let apart = around.map(|pair| self.lookahead.combing(self.order.reversed(), pair)).min().unwrap_or(0);
        PEAK_PART * high.saturating_sub(low) >= apart.saturating_sub(low)
    }

    /// Third differences in each comb metric.
    pub fn samples(&self) -> u64 {
        self.lookahead.samples()
    }
}

/// The set of the pairs that meet a condition.
fn set(pairs: &Range<u64>, condition: impl Fn(u64) -> bool) -> u32 {
    pairs.clone().enumerate().fold(0, |set, (i, pair)| set | u32::from(condition(pair)) << i)
}

/// The indices of the pairs of a set, in order.
pub(super) fn indices(set: u32) -> impl DoubleEndedIterator<Item = usize> {
    (0..32).filter(move |i| set >> i & 1 == 1)
}

#[cfg(test)]
mod tests;
