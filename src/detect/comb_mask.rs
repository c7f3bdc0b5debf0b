//! Tiles of woven film in which the fields of a picture comb: a crawl of text over the film, for one.
use super::sampling::{SampleGrid, TILE_PIXELS};
use crate::field_match::CombMask;

/// A mask of the tiles of the grid, none of them marked.
pub(super) fn empty(grid: SampleGrid) -> CombMask {
    CombMask::new(grid.columns(), TILE_PIXELS, grid.pitch, vec![false; grid.tiles()])
}

/// Measures, tile by tile, of the third field of a picture, which should repeat the first one.
#[derive(Debug)]
pub(super) struct RepeatFieldMetrics {
    /// Difference to the first field.
    pub changed: Vec<u32>,
    /// Differences of the fields of its parity before and after it to those before them.
    pub around: [Vec<u32>; 2],
    /// Samples of a tile that are compared in these.
    pub samples: u32,
    /// Combing of the picture's fields with each other.
    pub inside: [Option<Vec<u32>>; 2],
    /// Combing of the first and the third field with the neighbouring pictures.
    pub beside: [Option<Vec<u32>>; 2],
}

/// Mean square of a visible difference. Tuned on text crawls over 3:2 film: higher values miss faint text, lower ones mark
/// what codecs leave of repeated fields.
const VISIBLE: u32 = 24;

/// Marks the tiles where the third field of a picture does not repeat the first. A tile is marked if all of these hold: the fields differ
/// visibly, and by more than four times the median tile; the difference is not below half the mean of the fields of the same parity before
/// and after; the fields of the picture comb with each other at least half as much as with the neighbouring pictures. Compression artefacts
/// of repeated fields differ where the film moves, but less than the motion, and hardly comb.
pub(super) fn mark_residual_combing(mask: &mut CombMask, repeat: &RepeatFieldMetrics) {
    let mut changed = repeat.changed.clone();
    if changed.is_empty() {
        return;
    }
    let middle = changed.len() / 2;
    let median = *changed.select_nth_unstable(middle).1;
    let least = (4 * median).max(VISIBLE * repeat.samples);
    for (i, marked) in mask.tiles_mut().iter_mut().enumerate() {
        let combing = |pairs: &[Option<Vec<u32>>]| pairs.iter().flatten().map(|tiles| tiles[i] as u64).sum::<u64>();
        let is_static = 4 * (repeat.changed[i] as u64) < repeat.around.iter().map(|tiles| tiles[i] as u64).sum::<u64>();
        *marked |= repeat.changed[i] > least && !is_static && 2 * combing(&repeat.inside) >= combing(&repeat.beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILES: usize = 12;

    /// Marks the third field of a picture of four times three tiles of 48 samples in which tile 5 `changed` by that and others by `rest`,
    /// where fields `around` changed by that and the picture's borders comb by `inside` and `beside`.
    fn marks([changed, rest]: [u32; 2], around: u32, inside: [Option<u32>; 2], beside: [Option<u32>; 2]) -> CombMask {
        let mut own = [rest; TILES];
        own[5] = changed;
        let around = [[around; TILES], [0; TILES]];
        let [inside, beside] = [inside, beside].map(|borders| borders.map(|border| border.map(|v| vec![v; TILES])));
        let repeat = RepeatFieldMetrics { changed: own.to_vec(), around: around.map(Vec::from), samples: 48, inside, beside };
        let mut mask = CombMask::new(4, TILE_PIXELS, 2, vec![false; TILES]);
        mark_residual_combing(&mut mask, &repeat);
        mask
    }

    fn tears(changed: [u32; 2], around: u32, inside: [Option<u32>; 2], beside: [Option<u32>; 2]) -> bool {
        let mut torn = marks(changed, around, inside, beside);
        let tiles = torn.tiles_mut();
        assert!((0..TILES).all(|tile| tile == 5 || !tiles[tile]));
        tiles[5]
    }

    #[test]
    fn what_nobody_sees_does_not_tear() {
        let none = [None; 2];
        assert!(!tears([24 * 48, 0], 0, none, none));
        assert!(tears([24 * 48 + 1, 0], 0, none, none));
    }

    #[test]
    fn what_all_tiles_do_does_not_tear() {
        let none = [None; 2];
        assert!(!tears([8000, 2000], 0, none, none));
        assert!(tears([8001, 2000], 0, none, none));
    }

    #[test]
    fn what_is_calm_beside_the_fields_around_does_not_tear() {
        let none = [None; 2];
        assert!(tears([4000, 0], 16_000, none, none));
        assert!(!tears([4000, 0], 16_001, none, none));
    }

    #[test]
    fn what_does_not_comb_does_not_tear() {
        assert!(tears([4000, 0], 0, [Some(200), Some(300)], [Some(600), Some(400)]));
        assert!(!tears([4000, 0], 0, [Some(200), Some(299)], [Some(600), Some(400)]));
        // Borders that are not known do not count.
        assert!(tears([4000, 0], 0, [Some(200), None], [None, Some(400)]));
        assert!(!tears([4000, 0], 0, [None, None], [None, Some(1)]));
    }
}
