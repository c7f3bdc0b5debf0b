//! The measures of a frame: sums over the picture, and the significance of their differences.
use super::sampling::{self, SampleGrid, SubsampledLuma};
use super::vertical_motion::VerticalMotion;
use super::zscore::ZScore;
use crate::format::FieldOrder;
use dndi_simd::{Kernels, Tile};

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
    pub fn new(grid: SampleGrid) -> FrameMetrics {
        FrameMetrics { tiles: vec![Tile::default(); grid.tiles()], ..FrameMetrics::default() }
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
    /// other order, if the difference is more than half of what it combs more than the frames by
    /// themselves. The fields of a progressive frame differ less: the previous frame is equally far
    /// from both. If the difference had to be all of it, slow fades at the field rate would no
    /// longer count as interlaced.
    fn excluded_order(&self) -> Option<FieldOrder> {
        let [top_first, bottom_first] = self.across;
        let beyond = top_first.max(bottom_first).saturating_sub(self.own_combing);
        let is_excluded = self.order.is_significant() && 2 * top_first.abs_diff(bottom_first) > beyond;
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
    /// other is not known. If a tile counted as `fewer` below the mean instead of half of it,
    /// rounding in fades would pass for repeated fields, and below a quarter noise would hide them;
    /// if it counted as `more` above half of the mean, text that rolls over film would hide the
    /// pattern of the film.
    pub fn compare_changes(&mut self, before: Option<&FrameMetrics>, after: Option<&FrameMetrics>) {
        let Some((before, after)) = before.or(after).zip(after.or(before)) else { return };
        for parity in [0, 1] {
            let (mut fewer, mut more) = (0, 0);
            for ((own, before), after) in self.tiles.iter().zip(&before.tiles).zip(&after.tiles) {
                let [own, before, after] = [own, before, after].map(|tile| tile.changed[parity] as u64);
                fewer += i64::from(4 * own < before + after);
                more += i64::from(own > before + after);
            }
            self.static_tiles[parity] = [fewer - more, fewer + more];
        }
    }

    /// Compares field pair 2N + 1 with those beside it. `after` is the next frame, if there is one.
    /// The first frame has no field pair before.
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

/// Whether two comb metrics are within a factor of two. 1.2 and 4 change no clip that was measured.
fn are_similar(a: u64, b: u64) -> bool {
    a <= 2 * b && b <= 2 * a
}

/// The sum of a measure over all tiles.
fn sum(tiles: &[Tile], measure: impl Fn(&Tile) -> u32) -> u64 {
    tiles.iter().map(|tile| measure(tile) as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::score;
    use super::*;

    /// The excluded order of a frame that combs by these sums, with an order of `tiles` tiles.
    fn excluded(across: [u64; 2], own_combing: u64, tiles: usize) -> Option<FieldOrder> {
        FrameMetrics { across, own_combing, order: score(tiles, 0), ..FrameMetrics::default() }.excluded_order()
    }

    #[test]
    fn orders_that_comb_much_more_are_excluded() {
        let [top, bottom] = FieldOrder::BOTH;
        assert_eq!([excluded([2000, 1000], 100, 16), excluded([1000, 2000], 100, 16)], [Some(top), Some(bottom)]);
        // A difference of 500 is half of 1500 - 500.
        assert_eq!([excluded([1500, 1000], 500, 16), excluded([1501, 1000], 500, 16)], [None, Some(top)]);
        assert_eq!([excluded([1000, 1500], 500, 16), excluded([1000, 1501], 500, 16)], [None, Some(bottom)]);
        // Four sigma.
        assert_eq!(excluded([2000, 1000], 100, 15), None);
        assert_eq!([excluded([900, 800], 1000, 16), excluded([900, 900], 1000, 16)], [Some(top), None]);
    }

    fn with_tiles(tile: Tile) -> FrameMetrics {
        FrameMetrics { tiles: vec![tile; 10], ..FrameMetrics::default() }
    }

    #[test]
    fn own_combing_is_that_of_both_frames() {
        let before = FrameMetrics { inside: 300, ..with_tiles(Tile { inside: 7, ..Tile::default() }) };
        let mut frame = FrameMetrics { inside: 101, ..with_tiles(Tile { inside: 1, across: [6, 3], ..Tile::default() }) };
        frame.compare_across(&before);
        assert_eq!(frame.own_combing, 200);
        // Twice 6 exceeds 7 + 1, twice 3 does not.
        let peaks = [0, 1].map(|order| (frame.pairs[0][order].peak, frame.pairs[0][order].peak_q4));
        assert_eq!(peaks.map(|(peak, _)| peak), [4, -2].map(|by| ZScore::of([by; 10].into_iter())));
        assert_eq!(peaks.map(|(_, q4)| q4), [12, -12]);
        assert_eq!(frame.pairs[1].map(|pair| pair.peak_q4), [0; 2]);
    }

    #[test]
    fn pairs_inside_frames_are_compared_with_those_beside_them() {
        let tile = |inside, across| Tile { inside, across, ..Tile::default() };
        let after = with_tiles(tile(0, [3, 10]));
        let peaks = |is_first: bool, after: Option<&FrameMetrics>| {
            let mut frame = with_tiles(tile(5, [6, 1]));
            frame.compare_inside(is_first, after);
            frame.pairs[1].map(|pair| pair.peak)
        };
        let all = |by: [i64; 2]| by.map(|by| ZScore::of([by; 10].into_iter()));
        assert_eq!(peaks(false, Some(&after)), all([10 - 6 - 3, 10 - 1 - 10]));
        assert_eq!(peaks(true, Some(&after)), all([10 - 3 - 3, 10 - 10 - 10]));
        assert_eq!(peaks(false, None), all([10 - 6 - 6, 10 - 1 - 1]));
    }

    #[test]
    fn similar_metrics_are_within_a_factor_of_two() {
        assert!(are_similar(200, 100) && are_similar(100, 200) && are_similar(0, 0));
        assert!(!are_similar(201, 100) && !are_similar(100, 201));
    }

    #[test]
    fn tiles_with_half_and_with_twice_the_change() {
        let frame = |changed: [u32; 2]| with_tiles(Tile { changed, ..Tile::default() });
        // `fewer - more` and `fewer + more` of both parities.
        let counts = |own: [u32; 2], before: Option<[u32; 2]>, after: Option<[u32; 2]>| {
            let mut own = frame(own);
            own.compare_changes(before.map(frame).as_ref(), after.map(frame).as_ref());
            own.static_tiles
        };
        // 300 + 100: half of the mean is 100, twice the mean is 400.
        let counts_of = |own: [u32; 2]| counts(own, Some([300; 2]), Some([100; 2]));
        assert_eq!(counts_of([99, 100]), [[10, 10], [0, 0]]);
        assert_eq!(counts_of([401, 400]), [[-10, 10], [0, 0]]);
        assert_eq!(counts_of([100, 99]), [[0, 0], [10, 10]]);
        // One of both counts twice if the other is not known.
        for (before, after) in [(Some([200; 2]), None), (None, Some([200; 2]))] {
            assert_eq!(counts([99, 401], before, after), [[10, 10], [-10, 10]]);
        }
        assert_eq!(counts([99, 401], None, None), [[0, 0]; 2]);
    }

    /// Vertical motion over the tiles: `inside` and, in both orders, `across`.
    fn moving(inside: i32, across: [i32; 2]) -> FrameMetrics {
        let tile = Tile { changed: [1000; 2], vertical_motion: inside, vertical_motion_across: across, ..Tile::default() };
        let tiles = vec![tile; 20];
        FrameMetrics { motion: VerticalMotion::of(&tiles), tiles, ..FrameMetrics::default() }
    }

    #[test]
    fn vertical_motion_shows_progressive_frames_unless_an_order_is_excluded() {
        let progressive = |tiles: usize| {
            let mut frame = moving(0, [300, -300]);
            (frame.across, frame.order) = ([2000, 900], score(tiles, 0));
            frame.compare_across(&moving(0, [0; 2]));
            frame.surely_progressive
        };
        assert!(progressive(15) && !progressive(16));
    }

    #[test]
    fn three_fields_of_different_times() {
        // The pair across combs as much as the one inside, within a factor of two.
        let distinct = |across: u64| {
            let mut frame = moving(300, [-300, 300]);
            (frame.inside, frame.across) = (100, [across; 2]);
            frame.compare_across(&moving(0, [0; 2]));
            frame.pairs.map(|pairs| pairs.map(|pair| pair.distinct_pictures))
        };
        assert_eq!(distinct(200), [[true, false]; 2]);
        assert_eq!(distinct(201), [[false; 2]; 2]);
        let after = |across: u64| {
            let (mut frame, mut after) = (moving(300, [0; 2]), moving(0, [300, -300]));
            (frame.inside, after.across) = (100, [across; 2]);
            frame.compare_inside(false, Some(&after));
            frame.pairs.map(|pairs| pairs.map(|pair| pair.distinct_pictures))
        };
        assert_eq!(after(50), [[false; 2], [false, true]]);
        assert_eq!(after(49), [[false; 2]; 2]);
    }
}
