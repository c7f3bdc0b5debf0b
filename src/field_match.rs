//! Field matches and comb masks (§3.8): the contract between the detector, which finds them, and the deinterlacer, which follows them.
use std::fmt;
use std::ops::Range;

/// The source of the missing lines of an output (§3.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FieldMatch {
    /// Code 0: no match; the field is deinterlaced.
    #[default]
    Deinterlace,
    /// Code 1: the previous field in time is woven in.
    Previous,
    /// Code 2: the next field in time is woven in.
    Next,
}

impl FieldMatch {
    /// The code of §3.8: 0, 1 or 2.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The match of a code of §3.8; none for a number above 2.
    pub fn from_code(code: u8) -> Option<FieldMatch> {
        [FieldMatch::Deinterlace, FieldMatch::Previous, FieldMatch::Next].get(usize::from(code)).copied()
    }
}

/// `deinterlace`, `previous` or `next`.
impl fmt::Display for FieldMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["deinterlace", "previous", "next"][usize::from(self.code())])
    }
}

/// The field matches of the two outputs of a step (§3.8). Step N takes frame N.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StepMatches {
    /// Match of the second field of the previous frame (`prev2`): [`FieldMatch::Previous`] weaves it with the first field of the
    /// previous frame, [`FieldMatch::Next`] with the first field of the current frame.
    pub second_of_previous: FieldMatch,
    /// Match of the first field of the current frame (`cur1`): [`FieldMatch::Previous`] weaves it with the second field of the
    /// previous frame, [`FieldMatch::Next`] with the second field of the current frame.
    pub first_of_current: FieldMatch,
}

impl StepMatches {
    /// Both matches in the order of time.
    pub(crate) fn in_time(self) -> [FieldMatch; 2] {
        [self.second_of_previous, self.first_of_current]
    }
}

/// Everything that a step needs to weave fields: its matches, the regions where woven fields comb, and the match of the last field of
/// the stream, should the stream end after this step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldMatches {
    /// The matches of the two outputs of the step.
    pub step: StepMatches,
    /// For each of these outputs the regions that are deinterlaced although the output is woven.
    pub comb_masks: [CombMask; 2],
    /// Match of the second field of the frame that the step takes, which counts if the stream is flushed after the step. Only
    /// [`FieldMatch::Previous`] weaves it.
    pub final_match: FieldMatch,
}

impl FieldMatches {
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

/// Regions of an output that are deinterlaced although the output is woven elsewhere: tiles of a grid. The default is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CombMask {
    /// Tiles in a row.
    columns: usize,
    /// Luma samples of a tile's lines.
    tile_width: usize,
    /// Luma lines of a tile.
    tile_height: usize,
    /// Row after row.
    tiles: Vec<bool>,
}

impl CombMask {
    /// A mask of tiles of `tile_width`×`tile_height` luma samples, `columns` in a row, row after row; true is deinterlaced. Lines and
    /// columns beyond the last tile belong to the last row and to no tile.
    pub fn new(columns: usize, tile_width: usize, tile_height: usize, tiles: Vec<bool>) -> CombMask {
        CombMask { columns, tile_width, tile_height, tiles }
    }

    /// Whether no tile is marked.
    pub fn is_empty(&self) -> bool {
        !self.tiles.contains(&true)
    }

    /// Whether luma sample x of line y lies in a marked tile.
    pub fn contains(&self, x: usize, y: usize) -> bool {
        self.is_marked(self.row(y)..self.row(y) + 1, x)
    }

    /// All tiles, row after row, to be marked.
    pub(crate) fn tiles_mut(&mut self) -> &mut [bool] {
        &mut self.tiles
    }

    fn row(&self, y: usize) -> usize {
        let rows = (self.tiles.len() / self.columns.max(1)).max(1);
        (y / self.tile_height.max(1)).min(rows - 1)
    }

    /// Whether one of the tiles of `rows` that holds column x is marked.
    fn is_marked(&self, mut rows: Range<usize>, x: usize) -> bool {
        let column = x / self.tile_width.max(1);
        column < self.columns && rows.any(|row| self.tiles.get(row * self.columns + column) == Some(&true))
    }

    /// The parts of `columns` of luma `lines` that are marked, and those that are not, in order.
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

    /// Marks the eight neighbours of each marked tile, too: a morphological dilation by one tile.
    pub(crate) fn dilate(&mut self) {
        let (marked, columns) = (self.tiles.clone(), self.columns);
        for (tile, _) in marked.iter().enumerate().filter(|&(_, &marked)| marked) {
            let (row, column) = (tile / columns, tile % columns);
            for row in self.tiles.chunks_exact_mut(columns).take(row + 2).skip(row.saturating_sub(1)) {
                row[column.saturating_sub(1)..columns.min(column + 2)].fill(true);
            }
        }
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
    fn codes_lead_back() {
        for code in 0..3 {
            assert_eq!(FieldMatch::from_code(code).map(FieldMatch::code), Some(code));
        }
        assert_eq!(FieldMatch::from_code(3), None);
    }
}
