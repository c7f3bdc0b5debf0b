//! Measures of given tiles.
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
    let mut last = moving(300, [0; 2]);
    last.compare_inside(false, None);
    assert!(!last.pairs[1][0].distinct_pictures && !last.pairs[1][1].distinct_pictures);
}

#[test]
fn measures_are_sums_over_the_tiles() {
    use crate::format::{Format, Sampling};
    use crate::frame::PlaneRef;
    use dndi_simd::SimdLevel;
    let (grid, kernels) = (SampleGrid::new(320, 64), Kernels::at(SimdLevel::Portable).unwrap());
    let [before, current] = [3u32, 7].map(|seed| {
        let noise = |i: u32| (i.wrapping_mul(seed.wrapping_mul(2_654_435_761)) >> 24) as u8;
        let data: Vec<u8> = (0..320 * 64).map(noise).collect();
        let mut luma = SubsampledLuma::new(grid).unwrap();
        luma.load(grid, kernels, PlaneRef::new(&data[..], 320), &Format::new(320, 64, Sampling::Mono));
        luma
    });
    let mut metrics = FrameMetrics::new(grid).unwrap();
    metrics.measure(grid, kernels, &current, Some(&before));
    let sum = |of: fn(&Tile) -> u32| metrics.tiles.iter().map(|tile| of(tile) as u64).sum::<u64>();
    assert_eq!(metrics.inside, sum(|tile| tile.inside));
    assert_eq!(metrics.across, [sum(|tile| tile.across[0]), sum(|tile| tile.across[1])]);
    assert_eq!(metrics.changed, [sum(|tile| tile.changed[0]), sum(|tile| tile.changed[1])]);
    let less_top_first = metrics.tiles.iter().map(|tile| tile.across[1] as i64 - tile.across[0] as i64);
    assert_eq!(metrics.order, ZScore::of(less_top_first));
    assert!(metrics.across[0] != metrics.across[1] && metrics.changed[0] != metrics.changed[1] && metrics.inside > 0);
    // The first frame is measured alone.
    let inside = metrics.inside;
    metrics.measure(grid, kernels, &current, None);
    assert_eq!((metrics.inside, metrics.across, metrics.changed), (inside, [0; 2], [0; 2]));
    assert!(metrics.tiles.iter().all(|tile| tile.changed == [0; 2]) && metrics.order == ZScore::default());
}
