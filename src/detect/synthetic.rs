//! Look-aheads with given measures, for unit tests.
use super::frame_metrics::FrameMetrics;
use super::lookahead::Lookahead;
use super::sampling::SampleGrid;
use super::zscore::ZScore;

/// Third differences in each comb metric of the pictures.
pub(super) const SAMPLES: u64 = 32;

/// A look-ahead at pictures of one tile. `set` sets the measures of each frame, from 0 on, which
/// are otherwise 0.
pub(super) fn lookahead(frames: usize, set: impl Fn(usize, &mut FrameMetrics)) -> Lookahead {
    let grid = SampleGrid::new(64, 6);
    assert_eq!(grid.samples(), SAMPLES);
    let frame = |number| {
        let mut metrics = FrameMetrics::new(grid).unwrap();
        set(number, &mut metrics);
        metrics
    };
    Lookahead::of(grid, (0..frames).map(frame))
}

/// The look-ahead at 12 frames, 24 field pairs, whose comb metric is that of `combing` by pair, in
/// both field orders, and whose fields change by six times `change` by field.
pub(super) fn fields(combing: impl Fn(usize) -> u64, change: impl Fn(usize) -> u64) -> Lookahead {
    lookahead(12, |frame, metrics| {
        let (first, second) = (2 * frame, 2 * frame + 1);
        (metrics.across, metrics.inside) = ([combing(first); 2], combing(second));
        // `Lookahead::change` multiplies by 2 and 3.
        metrics.changed = [3 * change(first), 2 * change(second)];
    })
}

/// The score of tiles that differ by one unit: `more` tiles in one direction, `fewer` in the other.
/// With n tiles in one direction only it is the root of n sigmas.
pub(super) fn score(more: usize, fewer: usize) -> ZScore {
    ZScore::of(std::iter::repeat_n(1, more).chain(std::iter::repeat_n(-1, fewer)))
}
