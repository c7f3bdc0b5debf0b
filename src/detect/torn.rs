//! Places where the fields of a picture of film do not belong together: a crawl of text over it, for one.
use super::picture::{Grid, TILE_PIXELS};
use std::ops::Range;

/// Places of an output that are deinterlaced though its fields are woven elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Torn {
    columns: usize,
    /// Lines of a tile.
    pitch: usize,
    /// Row after row.
    tiles: Vec<bool>,
}

/// What the tiles tell of the third field of a picture.
#[derive(Debug)]
pub(super) struct Third {
    /// How much it differs from the first.
    pub changed: Vec<u32>,
    /// How much the fields of its parity before and after it differ from those before them.
    pub around: [Vec<u32>; 2],
    /// Samples of a tile that are compared in that.
    pub samples: u32,
    /// How much the picture's fields comb with each other, and how much the first and the third one with the pictures beside them.
    pub inside: [Option<Vec<u32>>; 2],
    pub beside: [Option<Vec<u32>>; 2],
}

impl Torn {
    pub(super) fn new(grid: Grid) -> Torn {
        Torn { columns: grid.columns(), pitch: grid.pitch, tiles: vec![false; grid.tiles()] }
    }

    /// Tiles of `columns`×`pitch` pixels that are given.
    #[cfg(test)]
    pub(crate) fn marked(columns: usize, pitch: usize, tiles: Vec<bool>) -> Torn {
        Torn { columns, pitch, tiles }
    }

    /// Whether there is no such place.
    pub fn is_empty(&self) -> bool {
        !self.tiles.contains(&true)
    }

    /// Whether luma sample x of line y lies in such a place.
    pub fn contains(&self, x: usize, y: usize) -> bool {
        self.parts(y..y + 1, x..x + 1).any(|(_, torn)| torn)
    }

    /// The parts of `columns` of luma `lines` that are torn, and those that are not, in order.
    pub(crate) fn parts(&self, lines: Range<usize>, columns: Range<usize>) -> impl Iterator<Item = (Range<usize>, bool)> {
        let rows = (self.tiles.len() / self.columns.max(1)).max(1);
        let row = |y: usize| (y / self.pitch.max(1)).min(rows - 1);
        let rows = row(lines.start)..row(lines.end - 1) + 1;
        let torn = move |x: usize| rows.clone().any(|row| self.tiles.get(row * self.columns + x / TILE_PIXELS) == Some(&true));
        let mut next = columns.start;
        std::iter::from_fn(move || {
            let (start, kind) = (next, torn(next));
            while next < columns.end && torn(next) == kind {
                next = (next / TILE_PIXELS + 1) * TILE_PIXELS;
            }
            (start < columns.end).then(|| (start..next.min(columns.end), kind))
        })
    }

    /// Marks the tiles where the third field of a picture does not repeat the first: where it differs visibly and much more than in most
    /// places, not much less than the fields of its parity around it do, and where the picture's fields comb with each other, too, at least
    /// half as much as with the pictures beside it. What a codec leaves of repeated fields differs where the film moves, but less than that
    /// moves, and hardly combs.
    pub(super) fn mark_changes(&mut self, third: &Third) {
        let mut changed = third.changed.clone();
        if changed.is_empty() {
            return;
        }
        let middle = changed.len() / 2;
        let median = *changed.select_nth_unstable(middle).1;
        let least = (4 * median).max(VISIBLE * third.samples);
        for (i, torn) in self.tiles.iter_mut().enumerate() {
            let combing = |borders: &[Option<Vec<u32>>]| borders.iter().flatten().map(|tiles| tiles[i] as u64).sum::<u64>();
            let calm = 4 * (third.changed[i] as u64) < third.around.iter().map(|tiles| tiles[i] as u64).sum::<u64>();
            *torn |= third.changed[i] > least && !calm && 2 * combing(&third.inside) >= combing(&third.beside);
        }
    }

    /// Marks the tiles beside those that are marked, too.
    pub(super) fn widen(&mut self) {
        let (marked, columns) = (self.tiles.clone(), self.columns);
        for (tile, _) in marked.iter().enumerate().filter(|&(_, &torn)| torn) {
            let (row, column) = (tile / columns, tile % columns);
            for row in self.tiles.chunks_exact_mut(columns).take(row + 2).skip(row.saturating_sub(1)) {
                row[column.saturating_sub(1)..columns.min(column + 2)].fill(true);
            }
        }
    }
}

/// Mean square of a difference that is visible.
const VISIBLE: u32 = 24;

#[cfg(test)]
mod tests {
    use super::*;

    const TILES: usize = 12;

    /// Marks the third field of a picture of four times three tiles of 48 samples in which tile 5 `changed` by that and others by `rest`,
    /// where fields `around` changed by that and the picture's borders comb by `inside` and `beside`.
    fn marks([changed, rest]: [u32; 2], around: u32, inside: [Option<u32>; 2], beside: [Option<u32>; 2]) -> Torn {
        let mut own = [rest; TILES];
        own[5] = changed;
        let around = [[around; TILES], [0; TILES]];
        let [inside, beside] = [inside, beside].map(|borders| borders.map(|border| border.map(|v| vec![v; TILES])));
        let third = Third { changed: own.to_vec(), around: around.map(Vec::from), samples: 48, inside, beside };
        let mut torn = Torn { columns: 4, pitch: 2, tiles: vec![false; TILES] };
        torn.mark_changes(&third);
        torn
    }

    fn tears(changed: [u32; 2], around: u32, inside: [Option<u32>; 2], beside: [Option<u32>; 2]) -> bool {
        let torn = marks(changed, around, inside, beside);
        assert!((0..TILES).all(|tile| tile == 5 || !torn.tiles[tile]));
        torn.tiles[5]
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

    #[test]
    fn the_tiles_around_tear_with_it() {
        let widened = |tile: usize| {
            let mut torn = Torn::marked(4, 2, (0..TILES).map(|other| other == tile).collect());
            torn.widen();
            (0..TILES).filter(|&tile| torn.tiles[tile]).collect::<Vec<_>>()
        };
        assert_eq!(widened(5), [0, 1, 2, 4, 5, 6, 8, 9, 10]);
        assert_eq!(widened(0), [0, 1, 4, 5]);
        assert_eq!(widened(7), [2, 3, 6, 7, 10, 11]);
        assert_eq!(widened(11), [6, 7, 10, 11]);
    }
}
