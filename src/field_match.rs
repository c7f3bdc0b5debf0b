//! Field matches and comb masks (§3.8): the contract between the detector, which finds them, and
//! the deinterlacer, which follows them.
use crate::format::NameError;
use crate::memory::{OutOfMemory, copied};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The source of the lines of an output that its field does not have (§3.8). Names: `deinterlace`,
/// `previous`, `next`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FieldMatch {
    /// Code 0: no match; the lines are interpolated.
    #[default]
    Deinterlace,
    /// Code 1: the lines are those of the previous field in time.
    Previous,
    /// Code 2: the lines are those of the next field in time.
    Next,
}

impl FieldMatch {
    const NAMES: &'static [&'static str] = &["deinterlace", "previous", "next"];
    /// All matches in the order of their codes.
    const ALL: [FieldMatch; 3] = [FieldMatch::Deinterlace, FieldMatch::Previous, FieldMatch::Next];

    /// The code of §3.8: 0, 1 or 2.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The match with this code of §3.8; none above 2.
    pub fn from_code(code: u8) -> Option<FieldMatch> {
        FieldMatch::ALL.get(usize::from(code)).copied()
    }
}

/// `deinterlace`, `previous` or `next`.
impl fmt::Display for FieldMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FieldMatch::NAMES[usize::from(self.code())])
    }
}

/// `deinterlace`, `previous` or `next`; case does not matter.
impl FromStr for FieldMatch {
    type Err = NameError;

    fn from_str(name: &str) -> Result<FieldMatch, NameError> {
        NameError::find("field match", name, FieldMatch::NAMES, &FieldMatch::ALL)
    }
}

/// The field matches of the two outputs of a step (§3.8). Step N processes frame N; its outputs are
/// the second field of frame N - 1 and the first field of frame N.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StepMatches {
    /// The match of the second field of the previous frame (`prev2`): [`FieldMatch::Previous`]
    /// weaves it with the first field of the same frame, [`FieldMatch::Next`] with the first field
    /// of the current frame.
    pub second_of_previous: FieldMatch,
    /// The match of the first field of the current frame (`cur1`): [`FieldMatch::Previous`] weaves
    /// it with the second field of the previous frame, [`FieldMatch::Next`] with the second field
    /// of the current frame.
    pub first_of_current: FieldMatch,
}

impl StepMatches {
    /// Both matches in order of time.
    pub(crate) fn in_time(self) -> [FieldMatch; 2] {
        [self.second_of_previous, self.first_of_current]
    }
}

/// The field matches of a step with the regions where the woven fields comb, and the match of the
/// last field in case the stream ends after the step. [`StepMatches`] alone convert to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldMatches {
    /// The matches of the two outputs of the step.
    pub step: StepMatches,
    /// For each of these outputs, in order of time, the regions that are deinterlaced although the
    /// output is woven.
    pub comb_masks: [CombMask; 2],
    /// The match of the second field of the frame of this step. It counts if the stream is flushed
    /// after the step. [`FieldMatch::Previous`] weaves the field; with any other value it is
    /// deinterlaced.
    pub final_match: FieldMatch,
}

impl FieldMatches {
    /// Sets the comb masks of the two outputs, in order of time.
    #[must_use]
    pub fn comb_masks(self, comb_masks: [CombMask; 2]) -> FieldMatches {
        FieldMatches { comb_masks, ..self }
    }

    /// Sets the match of the second field of the frame of this step.
    #[must_use]
    pub fn final_match(self, final_match: FieldMatch) -> FieldMatches {
        FieldMatches { final_match, ..self }
    }

    /// The comb masks that are not empty.
    pub(crate) fn masks(&self) -> [Option<&CombMask>; 2] {
        self.comb_masks.each_ref().map(|mask| Some(mask).filter(|mask| !mask.is_empty()))
    }
}

impl From<StepMatches> for FieldMatches {
    /// Matches without comb masks.
    fn from(step: StepMatches) -> FieldMatches {
        FieldMatches { step, ..FieldMatches::default() }
    }
}

/// The regions of a woven output that are deinterlaced because the woven fields comb there, as
/// tiles of a grid. `Default` is an empty mask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CombMask {
    /// The number of tiles in a row.
    columns: usize,
    /// The width of a tile in luma samples.
    tile_width: usize,
    /// The height of a tile in luma lines.
    tile_height: usize,
    /// Whether each tile is marked, row by row.
    tiles: Vec<bool>,
}

impl CombMask {
    /// A mask of tiles of `tile_width`×`tile_height` luma samples, `columns` in a row, row by row;
    /// true marks a tile that is deinterlaced. Lines below the last row belong to the last row.
    /// Columns right of the last tile, and tiles that are missing in the last row, are not marked.
    /// A size of 0 counts as 1.
    pub fn new(columns: usize, tile_width: usize, tile_height: usize, tiles: Vec<bool>) -> CombMask {
        CombMask { columns, tile_width, tile_height, tiles }
    }

    /// Whether no tile is marked.
    pub fn is_empty(&self) -> bool {
        !self.tiles.contains(&true)
    }

    /// Whether luma sample `x` of line `y` lies in a marked tile.
    pub fn contains(&self, x: usize, y: usize) -> bool {
        self.is_marked(self.row(y)..self.row(y) + 1, x)
    }

    /// All tiles, row by row, for marking.
    pub(crate) fn tiles_mut(&mut self) -> &mut [bool] {
        &mut self.tiles
    }

    fn row(&self, y: usize) -> usize {
        let rows = (self.tiles.len() / self.columns.max(1)).max(1);
        (y / self.tile_height.max(1)).min(rows - 1)
    }

    /// Whether a tile of `rows` that contains column `x` is marked.
    fn is_marked(&self, mut rows: Range<usize>, x: usize) -> bool {
        let column = x / self.tile_width.max(1);
        column < self.columns && rows.any(|row| self.tiles.get(row * self.columns + column) == Some(&true))
    }

    /// The runs of `columns` of luma `lines` with one state, from left to right: the columns of the
    /// run, and whether it is marked.
    pub(crate) fn parts(&self, lines: Range<usize>, columns: Range<usize>) -> impl Iterator<Item = (Range<usize>, bool)> {
        let rows = self.row(lines.start)..self.row(lines.end - 1) + 1;
        let marked = move |x: usize| self.is_marked(rows.clone(), x);
        let width = self.tile_width.max(1);
        let mut next = columns.start;
        std::iter::from_fn(move || {
            let (start, kind) = (next, marked(next));
            while next < columns.end && marked(next) == kind {
                next = (next / width + 1) * width;
            }
            (start < columns.end).then(|| (start..next.min(columns.end), kind))
        })
    }

    /// The memory of the tiles, for another mask.
    pub(crate) fn into_tiles(self) -> Vec<bool> {
        self.tiles
    }

    /// A copy of the mask.
    pub(crate) fn try_clone(&self) -> Result<CombMask, OutOfMemory> {
        Ok(CombMask { tiles: copied(&self.tiles)?, ..*self })
    }

    /// Marks the eight neighbours of each marked tile: a morphological dilation by one tile, first
    /// along the rows, then along the columns.
    pub(crate) fn dilate(&mut self) {
        let columns = self.columns.max(1);
        for row in self.tiles.chunks_mut(columns) {
            widen(row, 0, 1);
        }
        (0..columns).for_each(|column| widen(&mut self.tiles, column, columns));
    }
}

/// Marks the neighbours of each marked tile among every `step`th tile from `first` on.
fn widen(tiles: &mut [bool], first: usize, step: usize) {
    let mut before = false;
    for tile in (first..tiles.len()).step_by(step) {
        let own = tiles[tile];
        tiles[tile] |= before || tiles.get(tile + step) == Some(&true);
        before = own;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILES: usize = 12;

    #[test]
    fn dilation_marks_the_neighbours() {
        let dilated = |tile: usize| {
            let mut mask = CombMask::new(4, 64, 2, (0..TILES).map(|other| other == tile).collect());
            mask.dilate();
            (0..TILES).filter(|&tile| mask.tiles[tile]).collect::<Vec<_>>()
        };
        assert_eq!(dilated(5), [0, 1, 2, 4, 5, 6, 8, 9, 10]);
        assert_eq!(dilated(0), [0, 1, 4, 5]);
        assert_eq!(dilated(7), [2, 3, 6, 7, 10, 11]);
        assert_eq!(dilated(11), [6, 7, 10, 11]);
    }

    #[test]
    fn samples_belong_to_tiles() {
        let mask = CombMask::new(4, 64, 2, (0..TILES).map(|tile| tile == 5 || tile == 11).collect());
        assert!(mask.contains(64, 2) && mask.contains(127, 3) && !mask.contains(63, 2) && !mask.contains(64, 1));
        // Lines below the last row belong to it; columns beyond the last tile belong to none.
        assert!(mask.contains(200, 100) && mask.contains(255, usize::MAX) && !mask.contains(256, 100));
        assert!(!mask.contains(usize::MAX, 0) && !CombMask::default().contains(0, usize::MAX));
        let parts: Vec<_> = mask.parts(2..4, 10..200).collect();
        assert_eq!(parts, [(10..64, false), (64..128, true), (128..200, false)]);
    }

    #[test]
    fn codes_convert_to_their_matches() {
        for code in 0..3 {
            assert_eq!(FieldMatch::from_code(code).map(FieldMatch::code), Some(code));
        }
        assert_eq!(FieldMatch::from_code(3), None);
    }
}
