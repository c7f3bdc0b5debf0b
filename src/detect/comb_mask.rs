//! Comb masks: the tiles of woven film in which the fields of a picture comb, such as a text crawl
//! over the film.
//!
//! In a picture of three or four fields the third field repeats the first. Where it does not,
//! something moves at the field rate. 2:2 has no repeated fields, so it has no comb masks.
use super::lookahead::{Lookahead, parity};
use super::sampling::{SampleGrid, TILE_PIXELS, change_samples};
use crate::field_match::CombMask;
use crate::format::FieldOrder;
use crate::memory::{OutOfMemory, with_capacity};
use dndi_simd::Tile;

/// Fields on either side of a woven field within which the nearest repeated field is used: a period
/// of 3:2 plus one. With two, text over film is missed; twelve change no clip that was measured.
const REPEAT_REACH: u64 = 6;

/// Mean square of a visible difference. Tuned on text crawls over 3:2 film: higher values miss
/// faint text, lower ones mark codec noise in repeated fields.
const VISIBLE_CHANGE: u32 = 24;

/// How many times more than the median tile a tile must differ. All tiles differ by noise or
/// coding, which lower values mark; higher ones miss text over film that moves.
const MEDIAN_RATIO: u32 = 4;

/// The part of the mean change of the fields of its parity before and after that the difference of
/// a tile must reach: a half. Codec noise in repeated fields is strongest where the film moves, but
/// smaller than the motion. With all of the mean, text crawls are missed; with a quarter, codec
/// noise is marked.
const CHANGE_PART: u64 = 2;

/// The part of the combing with the neighbouring pictures that the fields of a picture must reach
/// in a tile: a half. Codec noise hardly combs. With twice the combing, text crawls are missed;
/// lower values may mark codec noise.
const COMB_PART: u64 = 2;

/// Memory for comb masks.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// A mask that only the detector sees.
    pub mask: Vec<bool>,
    /// One value per tile.
    changed: Vec<u32>,
}

impl Scratch {
    pub fn new(grid: SampleGrid) -> Result<Scratch, OutOfMemory> {
        Ok(Scratch { mask: memory(grid)?, changed: with_capacity(grid.tiles())? })
    }
}

/// The memory of a mask.
pub(super) fn memory(grid: SampleGrid) -> Result<Vec<bool>, OutOfMemory> {
    with_capacity(grid.tiles())
}

/// A mask of the tiles of the grid, none of them marked, in `memory`.
pub(super) fn empty(grid: SampleGrid, mut memory: Vec<bool>) -> CombMask {
    memory.clear();
    memory.resize(grid.tiles(), false);
    CombMask::new(grid.columns(), TILE_PIXELS, grid.pitch, memory)
}

/// Adds the residual combing of a woven field to a mask: marks the tiles that comb in the nearest
/// repeated fields (`is_repeat`) before or at the field and after it, and the tiles around them.
pub(super) fn mark_residual_combing(
    mask: &mut CombMask,
    scratch: &mut Scratch,
    lookahead: &Lookahead,
    order: FieldOrder,
    field: u64,
    is_repeat: impl Fn(u64) -> bool,
) {
    let before = (field.saturating_sub(REPEAT_REACH)..=field).rev().find(|&field| is_repeat(field));
    let after = (field + 1..field + REPEAT_REACH).find(|&field| is_repeat(field));
    for field in [before, after].into_iter().flatten() {
        if let Some(repeat) = RepeatFieldMetrics::new(lookahead, order, field) {
            mark(mask, &mut scratch.changed, &repeat);
        }
    }
    mask.dilate();
}

/// The tiles of a field pair.
#[derive(Clone, Copy, Debug)]
struct PairTiles<'a> {
    tiles: &'a [Tile],
    /// The order in which the pair consists of fields of two frames; none for the fields of one
    /// frame.
    across: Option<FieldOrder>,
}

impl PairTiles<'_> {
    /// The comb metric of a tile.
    fn combing(&self, tile: usize) -> u64 {
        let tile = &self.tiles[tile];
        self.across.map_or(tile.inside, |order| tile.across[order as usize]).into()
    }
}

/// Measures, tile by tile, of the third field of a picture, which should repeat the first one.
#[derive(Debug)]
struct RepeatFieldMetrics<'a> {
    parity: usize,
    /// The frame of the field, with its difference to the first field, squared.
    own: &'a [Tile],
    /// The frames before and after it, with the same of the fields of its parity.
    around: [&'a [Tile]; 2],
    /// Samples of a tile that are compared in these.
    samples: u32,
    /// The picture's fields with each other.
    inside: [Option<PairTiles<'a>>; 2],
    /// The first and the third field with the neighbouring pictures.
    beside: [Option<PairTiles<'a>>; 2],
}

impl<'a> RepeatFieldMetrics<'a> {
    /// The measures of field `field`, at least 2, if it is known.
    fn new(lookahead: &'a Lookahead, order: FieldOrder, field: u64) -> Option<RepeatFieldMetrics<'a>> {
        let parity = parity(order, field);
        let tiles = |frame: u64| Some(lookahead.get(frame)?.tiles.as_slice());
        let pair = |pair: u64| Some(PairTiles { tiles: tiles(pair / 2)?, across: pair.is_multiple_of(2).then_some(order) });
        let (frame, own) = (field / 2, tiles(field / 2)?);
        // Frame 0 has no changes.
        let before = Some(frame - 1).filter(|&before| before > 0).and_then(tiles);
        Some(RepeatFieldMetrics {
            parity,
            own,
            around: [before, tiles(frame + 1)].map(|around| around.unwrap_or(own)),
            samples: change_samples(parity),
            inside: [field - 1, field].map(pair),
            beside: [field - 2, field + 1].map(|beside| pair(beside).filter(|_| beside > 0)),
        })
    }
}

/// Marks the tiles where the third field of a picture does not repeat the first. A tile is marked
/// if all of these hold:
/// * the fields differ visibly ([`VISIBLE_CHANGE`]), and by more than [`MEDIAN_RATIO`] times the
///   median tile;
/// * the difference is not below half the mean change of the fields of the same parity before and
///   after ([`CHANGE_PART`]);
/// * the fields of the picture comb with each other at least half as much as with the neighbouring
///   pictures ([`COMB_PART`]).
fn mark(mask: &mut CombMask, scratch: &mut Vec<u32>, repeat: &RepeatFieldMetrics) {
    if repeat.own.is_empty() {
        return;
    }
    let changed = |tiles: &[Tile], tile: usize| tiles[tile].changed[repeat.parity];
    scratch.clear();
    scratch.extend((0..repeat.own.len()).map(|tile| changed(repeat.own, tile)));
    let median = *scratch.select_nth_unstable(repeat.own.len() / 2).1;
    let least = (MEDIAN_RATIO * median).max(VISIBLE_CHANGE * repeat.samples);
    for (tile, marked) in mask.tiles_mut().iter_mut().enumerate() {
        let combing = |pairs: &[Option<PairTiles>]| pairs.iter().flatten().map(|pair| pair.combing(tile)).sum::<u64>();
        let around = || repeat.around.iter().map(|tiles| changed(tiles, tile) as u64).sum::<u64>();
        let own = changed(repeat.own, tile);
        *marked |= own > least
            && 2 * CHANGE_PART * own as u64 >= around()
            && COMB_PART * combing(&repeat.inside) >= combing(&repeat.beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

    const TILES: usize = 12;

    /// The mask of a picture of 4×3 tiles of 48 samples. Its third field differs by `changed` in
    /// tile 5 and by `rest` in the others. The fields around it changed by `around` in sum. The
    /// field pairs inside the picture comb by `inside`, those at its ends by `beside`.
    fn mask([changed, rest]: [u32; 2], around: u32, inside: [Option<u32>; 2], beside: [Option<u32>; 2]) -> CombMask {
        let mut own = [rest; TILES];
        own[5] = changed;
        mask_of(own, around, inside, beside)
    }

    /// The same if the third field differs by `own` in all tiles.
    fn mask_of(own: [u32; TILES], around: u32, inside: [Option<u32>; 2], beside: [Option<u32>; 2]) -> CombMask {
        let changes = |changed| Tile { changed: [changed, 0], ..Tile::default() };
        let own = own.map(changes);
        let around = [[changes(around); TILES], [changes(0); TILES]];
        // The pairs of one frame have one metric, those of two frames another.
        let tiles = |combing: Option<u32>| [Tile { inside: combing.unwrap_or(0), ..Tile::default() }; TILES];
        let across = |combing: Option<u32>| [Tile { across: [0, combing.unwrap_or(0)], ..Tile::default() }; TILES];
        let order = FieldOrder::BottomFirst;
        let (first, second) = ([tiles(inside[0]), across(inside[1])], [across(beside[0]), tiles(beside[1])]);
        let pair = |combing: Option<u32>, tiles, across| combing.map(|_| PairTiles { tiles, across });
        let repeat = RepeatFieldMetrics {
            parity: 0,
            own: &own,
            around: [&around[0], &around[1]],
            samples: 48,
            inside: [pair(inside[0], &first[0], None), pair(inside[1], &first[1], Some(order))],
            beside: [pair(beside[0], &second[0], Some(order)), pair(beside[1], &second[1], None)],
        };
        let mut mask = CombMask::new(4, TILE_PIXELS, 2, vec![false; TILES]);
        mark(&mut mask, &mut vec![], &repeat);
        mask
    }

    /// Whether tile 5 is marked, of the mask with these measures. No other tile must be.
    fn is_marked(changed: [u32; 2], around: u32, inside: [Option<u32>; 2], beside: [Option<u32>; 2]) -> bool {
        let mut mask = mask(changed, around, inside, beside);
        let tiles = mask.tiles_mut();
        assert!((0..TILES).all(|tile| tile == 5 || !tiles[tile]));
        tiles[5]
    }

    #[test]
    fn invisible_differences_are_not_marked() {
        let none = [None; 2];
        assert!(!is_marked([24 * 48, 0], 0, none, none));
        assert!(is_marked([24 * 48 + 1, 0], 0, none, none));
    }

    #[test]
    fn differences_of_all_tiles_are_not_marked() {
        let none = [None; 2];
        assert!(!is_marked([8000, 2000], 0, none, none));
        assert!(is_marked([8001, 2000], 0, none, none));
        // The median is the larger one of the two in the middle.
        let with = |larger: Range<usize>| {
            let own = std::array::from_fn(|tile| match tile {
                5 => 7000,
                tile if larger.contains(&tile) => 2000,
                _ => 0,
            });
            mask_of(own, 0, none, none).tiles_mut()[5]
        };
        assert!(with(0..4) && !with(0..6) && with(8..12) && !with(7..12));
    }

    #[test]
    fn tiles_that_change_less_than_around_are_not_marked() {
        let none = [None; 2];
        assert!(is_marked([4000, 0], 16_000, none, none));
        assert!(!is_marked([4000, 0], 16_001, none, none));
    }

    #[test]
    fn tiles_that_do_not_comb_are_not_marked() {
        assert!(is_marked([4000, 0], 0, [Some(200), Some(300)], [Some(600), Some(400)]));
        assert!(!is_marked([4000, 0], 0, [Some(200), Some(299)], [Some(600), Some(400)]));
        // Field pairs that are not known do not count.
        assert!(is_marked([4000, 0], 0, [Some(200), None], [None, Some(400)]));
        assert!(!is_marked([4000, 0], 0, [None, None], [None, Some(1)]));
    }

    /// A tile is 64 pixels wide, and as high as the distance of two groups of lines.
    #[test]
    fn tiles_are_parts_of_the_picture() {
        let grid = SampleGrid::new(512, 192);
        let mut mask = empty(grid, vec![true; 3]);
        assert!(mask.is_empty());
        mask.tiles_mut()[grid.columns() + 1] = true;
        let marked = |x: usize, y: usize| mask.contains(x, y);
        assert_eq!([63, 64, 127, 128].map(|x| marked(x, 5)), [false, true, true, false]);
        assert_eq!([3, 4, 7, 8].map(|y| marked(100, y)), [false, true, true, false]);
    }

    /// Whether the mask of field 10 marks a tile that changes in the frame of field `changed`, if
    /// `repeats` are the repeated fields.
    fn marks(changed: u64, repeats: &[u64]) -> bool {
        let lookahead = super::super::synthetic::lookahead(12, |frame, metrics| {
            if frame as u64 == changed / 2 {
                metrics.tiles[0].changed = [100_000; 2];
            }
        });
        let grid = SampleGrid::new(64, 6);
        let (mut mask, mut scratch) = (empty(grid, vec![]), Scratch::new(grid).unwrap());
        let is_repeat = |field| repeats.contains(&field);
        mark_residual_combing(&mut mask, &mut scratch, &lookahead, FieldOrder::TopFirst, 10, is_repeat);
        !mask.is_empty()
    }

    #[test]
    fn the_nearest_repeated_fields_count() {
        // Six fields before, and five after.
        assert!(marks(4, &[4]) && !marks(3, &[3]) && marks(10, &[10]));
        assert!(marks(15, &[15]) && !marks(16, &[16]) && marks(11, &[11]));
        assert!(!marks(4, &[4, 7]) && !marks(15, &[12, 15]) && marks(4, &[4, 12]) && marks(15, &[7, 15]));
        // The field itself lies before the fields after it.
        assert!(marks(15, &[10, 15]) && !marks(15, &[10]));
    }

    #[test]
    fn a_third_field_is_measured_with_those_around_it() {
        let lookahead = super::super::synthetic::lookahead(4, |frame, metrics| {
            let frame = frame as u32;
            for tile in &mut metrics.tiles {
                (tile.changed, tile.inside, tile.across) = ([10 + frame, 20 + frame], 30 + frame, [40 + frame, 50 + frame]);
            }
        });
        let measured = |order, field| {
            let metrics = RepeatFieldMetrics::new(&lookahead, order, field)?;
            let [before, after] = metrics.around;
            let all = [metrics.own, before, after].map(|tiles| tiles[0].changed[metrics.parity]);
            let pairs = [metrics.inside, metrics.beside].map(|pairs| pairs.map(|pair| pair.map(|pair| pair.combing(0))));
            Some((all, metrics.samples, pairs))
        };
        let [top, bottom] = FieldOrder::BOTH;
        // Field 4 is the first one of frame 2; field 2 the first one of its picture.
        assert_eq!(measured(top, 4), Some(([12, 11, 13], 48, [[Some(31), Some(42)], [Some(41), Some(32)]])));
        assert_eq!(measured(bottom, 4), Some(([22, 21, 23], 32, [[Some(31), Some(52)], [Some(51), Some(32)]])));
        assert_eq!(measured(top, 5), Some(([22, 21, 23], 32, [[Some(42), Some(32)], [Some(31), Some(43)]])));
        // Frame 0 has no changes, pair 0 does not exist, and nothing follows the last frame.
        assert_eq!(measured(top, 2), Some(([11, 11, 12], 48, [[Some(30), Some(41)], [None, Some(31)]])));
        assert_eq!(measured(top, 3), Some(([21, 21, 22], 32, [[Some(41), Some(31)], [Some(30), Some(42)]])));
        assert_eq!(measured(top, 7), Some(([23, 22, 23], 32, [[Some(43), Some(33)], [Some(32), None]])));
        assert_eq!(measured(top, 8), None);
    }
}
