//! The measures of a frame: sums over the picture, and the significance of their differences.
use super::sampling::{self, SampleGrid, SubsampledLuma};
use super::vertical_motion::VerticalMotion;
use super::zscore::ZScore;
use crate::format::FieldOrder;
use crate::memory::{OutOfMemory, zeroed};
use dndi_simd::{Kernels, Tile};

/// The part of the excess over the own combing of the frames that the difference of both orders
/// must exceed to exclude one of them: a half. In a progressive frame the difference is smaller,
/// since the previous frame is equally far from both fields. If it had to exceed the whole excess,
/// slow fades at the field rate would no longer count as interlaced; a quarter changes no clip that
/// was measured.
const EXCLUDING_PART: u64 = 2;

/// A tile counts as static if its change is below this part of the mean change of the neighbouring
/// frames: a half. With all of the mean, rounding in fades passes for repeated fields; with a
/// quarter, noise hides repeated fields.
const STATIC_PART: u64 = 2;

/// A tile counts against a repeated field if its change exceeds the mean change of the neighbouring
/// frames by this factor. With 1, text that rolls over film hides the pattern of the film; 4
/// changes no clip that was measured.
const MOVING_RATIO: u64 = 2;

/// The largest ratio of two similar comb metrics. 1.2 and 4 change no clip that was measured.
const SIMILAR_RATIO: u64 = 2;

/// The measures of frame N alone, and compared with the frames before and after. The comb metric of
/// two fields is the sum of their third differences from line to line, squared. An index `order` is
/// a [`FieldOrder`] as a number; an index `parity` is 0 for the top field and 1 for the bottom
/// field.
#[derive(Debug, Default)]
pub(super) struct FrameMetrics {
    /// Comb metric of the frame's two fields.
    pub inside: u64,
    /// The detail that combs in the pictures by themselves: the mean of `inside` of frames N-1 and
    /// N.
    pub own_combing: u64,
    /// Per order: comb metric of the first field and the second field of frame N-1.
    pub across: [u64; 2],
    /// Per parity: sum of squared differences to the field of frame N-1.
    pub changed: [u64; 2],
    /// How much more the frame combs bottom first than top first.
    pub order: ZScore,
    motion: VerticalMotion,
    /// The field order that the frame certainly does not have. Such a frame is not progressive,
    /// either.
    pub excluded_order: Option<FieldOrder>,
    /// Whether both fields are certainly from one time, whatever the comb metric is.
    pub surely_progressive: bool,
    /// Whether the two fields are uncorrelated.
    pub uncorrelated: bool,
    /// Per parity `[fewer - more, fewer + more]`: `fewer` counts tiles that changed by less than
    /// half the mean change of the neighbouring frames, `more` those that changed by more than
    /// twice that mean.
    pub static_tiles: [[i64; 2]; 2],
    /// Field pairs 2N and 2N + 1, per order.
    pub pairs: [[PairMetrics; 2]; 2],
    pub tiles: Vec<Tile>,
}

/// The measures of a field pair in one field order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairMetrics {
    /// Twice the comb metric minus those of the field pairs before and after.
    pub peak: ZScore,
    /// The z-score of `peak`, in quarters of a sigma.
    pub peak_q4: i64,
    /// Whether a picture certainly starts at this field pair and at one beside it.
    pub distinct_pictures: bool,
}

impl FrameMetrics {
    /// Memory for the measures of a frame.
    pub fn new(grid: SampleGrid) -> Result<FrameMetrics, OutOfMemory> {
        Ok(FrameMetrics { tiles: zeroed(grid.tiles())?, ..FrameMetrics::default() })
    }

    /// Measures a frame after `previous`, or alone if it is the first, and drops the old measures.
    pub fn measure(&mut self, grid: SampleGrid, kernels: &Kernels, current: &SubsampledLuma, previous: Option<&SubsampledLuma>) {
        let mut tiles = std::mem::take(&mut self.tiles);
        sampling::measure_tiles(grid, kernels, current, previous.unwrap_or(current), &mut tiles);
        let inside = sum(&tiles, |tile| tile.inside);
        *self = FrameMetrics { inside, ..FrameMetrics::default() };
        if previous.is_some() {
            self.motion = VerticalMotion::of(&tiles);
            self.uncorrelated = self.motion.fields_uncorrelated();
            self.across = [0, 1].map(|order| sum(&tiles, |tile| tile.across[order]));
            self.changed = [0, 1].map(|parity| sum(&tiles, |tile| tile.changed[parity]));
            self.order = ZScore::of(tiles.iter().map(|tile| tile.across[1] as i64 - tile.across[0] as i64));
        }
        self.tiles = tiles;
    }

    /// The order in which the weave with the previous frame combs significantly more than in the
    /// other order, if the difference is more than half ([`EXCLUDING_PART`]) of the excess of that
    /// combing over the own combing of the frames.
    fn excluded_order(&self) -> Option<FieldOrder> {
        let [top_first, bottom_first] = self.across;
        let beyond = top_first.max(bottom_first).saturating_sub(self.own_combing);
        let is_excluded = self.order.is_significant() && EXCLUDING_PART * top_first.abs_diff(bottom_first) > beyond;
        is_excluded.then_some(if top_first > bottom_first { FieldOrder::TopFirst } else { FieldOrder::BottomFirst })
    }

    /// Compares field pair 2N with those beside it; `before` is the previous frame.
    pub fn compare_across(&mut self, before: &FrameMetrics) {
        self.own_combing = (before.inside + self.inside) / 2;
        self.excluded_order = self.excluded_order();
        self.surely_progressive = self.motion.shows_progressive() && self.excluded_order.is_none();
        let [across, inside] = &mut self.pairs;
        for order in [0, 1] {
            let beside = before.tiles.iter().zip(&self.tiles).map(|(before, own)| [before.inside, own.inside]);
            across[order].set_peak(self.tiles.iter().map(|tile| tile.across[order]), beside);
            if are_similar(self.across[order], self.inside) && self.motion.shows_distinct_before(order) {
                across[order].distinct_pictures = true;
                inside[order].distinct_pictures = true;
            }
        }
    }

    /// Compares the changes with those of the frames before and after, or of one of them if the
    /// other is not known.
    pub fn compare_changes(&mut self, before: Option<&FrameMetrics>, after: Option<&FrameMetrics>) {
        let Some((before, after)) = before.or(after).zip(after.or(before)) else { return };
        for parity in [0, 1] {
            let (mut fewer, mut more) = (0, 0);
            for ((own, before), after) in self.tiles.iter().zip(&before.tiles).zip(&after.tiles) {
                let [own, before, after] = [own, before, after].map(|tile| tile.changed[parity] as u64);
                let twice_mean = before + after;
                fewer += i64::from(2 * STATIC_PART * own < twice_mean);
                more += i64::from(2 * own > MOVING_RATIO * twice_mean);
            }
            self.static_tiles[parity] = [fewer - more, fewer + more];
        }
    }

    /// Compares field pair 2N + 1 with those beside it. `after` is the next frame, if there is one;
    /// else the pair before counts for both. The first frame has no field pair before, so the pair
    /// after counts for both.
    pub fn compare_inside(&mut self, is_first: bool, after: Option<&FrameMetrics>) {
        let next = after.map_or(&self.tiles, |after| &after.tiles);
        let last = if is_first { next } else { &self.tiles };
        for (order, pair) in self.pairs[1].iter_mut().enumerate() {
            let beside = last.iter().zip(next).map(|(last, next)| [last.across[order], next.across[order]]);
            pair.set_peak(self.tiles.iter().map(|tile| tile.inside), beside);
            pair.distinct_pictures |= after.is_some_and(|after| {
                are_similar(self.inside, after.across[order]) && self.motion.shows_distinct_after(&after.motion, order)
            });
        }
    }
}

impl PairMetrics {
    /// Compares the comb metric of each tile with those of the field pairs `beside`.
    fn set_peak(&mut self, own: impl Iterator<Item = u32>, beside: impl Iterator<Item = [u32; 2]>) {
        let differences = own.zip(beside).map(|(own, [before, after])| 2 * own as i64 - before as i64 - after as i64);
        self.peak = ZScore::of(differences);
        self.peak_q4 = self.peak.quarter_sigmas();
    }
}

/// Whether two comb metrics are within a factor of [`SIMILAR_RATIO`].
fn are_similar(a: u64, b: u64) -> bool {
    a <= SIMILAR_RATIO * b && b <= SIMILAR_RATIO * a
}

/// The sum of a measure over all tiles.
fn sum(tiles: &[Tile], measure: impl Fn(&Tile) -> u32) -> u64 {
    tiles.iter().map(|tile| measure(tile) as u64).sum()
}

#[cfg(test)]
mod tests;
