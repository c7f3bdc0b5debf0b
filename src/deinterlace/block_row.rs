//! Input of a tile and its block rows: four lines, each missing in one of the two outputs (§1.3).
use super::chroma;
use super::parameters::{CompensationParameters, DeinterlaceParameters};
use super::role::{ROLES, Role};
use crate::field_match::{CombMask, FieldMatch};
use crate::format::Rect;
use crate::plane::{LumaView, PairPlane};
use dndi_simd::{APRON, Kernels, Row, Sample};

/// Input of the tiles of a step.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a, S = u8> {
    pub kernels: &'a Kernels,
    pub parameters: &'a DeinterlaceParameters,
    /// Motion compensation, unless it is off.
    pub compensation: Option<&'a CompensationParameters>,
    /// Pairs of pixels in a line of the picture.
    pub pairs: usize,
    /// The current frame as block rows see it (§1.5).
    pub current: Current<'a, S>,
    /// The denoised previous frame.
    pub previous: LumaView<'a, S>,
    /// The motion measure that the previous step stored.
    pub stored: &'a PairPlane,
    /// Field matches of prev2 and cur1.
    pub matches: [FieldMatch; 2],
    /// Tiles of prev2 and cur1 that are deinterlaced although the output is woven.
    pub comb_masks: [Option<&'a CombMask>; 2],
    /// Whether prev2 and cur1 are needed. One that is not is unspecified.
    pub wanted: [bool; 2],
    /// Whether the sources of the pixels are counted.
    pub counts: bool,
    /// The chroma of prev2 and cur1; none for mono.
    pub chroma: Option<[chroma::Input<'a, S>; 2]>,
}

impl<S> Input<'_, S> {
    /// The output in which line `l` of a block row is missing.
    #[inline]
    pub(super) fn role(&self, l: usize) -> Role {
        ROLES[(l % 2 == Role::Cur1.missing(self.current.top_first)) as usize]
    }
}

/// The view C: the current frame as a block row sees it, denoised near it and original elsewhere
/// (§1.5).
#[derive(Clone, Copy)]
pub(crate) struct Current<'a, S = u8> {
    pub denoised: LumaView<'a, S>,
    /// None with denoise off: all block rows then see the same lines.
    pub original: Option<LumaView<'a, S>>,
    pub top_first: bool,
}

impl<'a, S: Sample> Current<'a, S> {
    /// The frame in which the block row that begins at line `top` sees line `y`.
    #[inline]
    fn at(&self, top: usize, y: isize) -> LumaView<'a, S> {
        let denoised = if self.top_first { -2..=6 } else { -3..=5 };
        match self.original {
            Some(original) if !denoised.contains(&(y - top as isize)) => original,
            _ => self.denoised,
        }
    }
}

/// The pairs of a tile. Angles and motion are also computed for up to two pairs on either side,
/// which maxima and medians of the tile's pairs read.
#[derive(Clone, Copy)]
pub(super) struct Span {
    /// First pair of the tile.
    pub first: usize,
    /// Pairs of the tile.
    pub count: usize,
    /// Pairs left of the tile inside the picture, at most two.
    pub left: usize,
    /// Pairs right of the tile inside the picture, at most two.
    right: usize,
}

impl Span {
    /// The pairs of a rectangle in a picture of `pairs` pairs per line.
    pub fn of(rect: Rect, pairs: usize) -> Span {
        let (first, end) = (rect.x / 2, (rect.x + rect.width).div_ceil(2));
        Span { first, count: end - first, left: first.min(2), right: (pairs - end).min(2) }
    }

    /// First sample and number of pairs, with the neighbours on either side.
    #[inline]
    pub fn widened(self) -> (isize, usize) {
        (2 * (self.first - self.left) as isize, self.left + self.count + self.right)
    }

    /// The values of the tile's own pairs in a row that begins with its neighbours.
    #[inline]
    pub fn own<T>(self, row: &[T]) -> &[T] {
        &row[self.left..][..self.count]
    }
}

/// A block row of a tile: four lines, each missing in one of the two outputs.
pub(super) struct BlockRow<'a, S = u8> {
    /// Its first line.
    pub top: usize,
    /// Its lines inside the picture.
    pub lines: usize,
    pub span: Span,
    /// The 8 most significant bits of lines -4…7 of both frames as this block row sees them, for
    /// decisions. Index 0 is the frame in which the even lines are missing, index 1 the frame in
    /// which the odd lines are missing.
    pub frames: [[Row<'a>; 12]; 2],
    /// The same lines with all bits, for pixels.
    pub samples: [[Row<'a, S>; 12]; 2],
}

impl<'a, S: Sample> BlockRow<'a, S> {
    /// The block row of the tile `rect` that begins at line `top`.
    pub fn new(input: &Input<'a, S>, rect: Rect, span: Span, top: usize) -> BlockRow<'a, S> {
        let (x, pairs) = span.widened();
        let y = |j: usize| (top + j) as isize - 4;
        let previous = |j: usize| (input.previous, y(j));
        let current = |j: usize| (input.current.at(top, y(j)), y(j));
        let bytes = |(view, y): (LumaView<'a, S>, isize)| view.bytes.row(y, x, 2 * pairs);
        let samples = |(view, y): (LumaView<'a, S>, isize)| view.samples.row(y, x, 2 * pairs);
        let lines: [usize; 12] = std::array::from_fn(|j| j);
        let current_first = Role::Cur1.missing(input.current.top_first) == 0;
        BlockRow {
            top,
            lines: 4.min(rect.y + rect.height - top),
            span,
            frames: ordered(current_first, lines.map(|j| bytes(current(j))), lines.map(|j| bytes(previous(j)))),
            samples: ordered(current_first, lines.map(|j| samples(current(j))), lines.map(|j| samples(previous(j)))),
        }
    }

    /// Line `l + dy` of K, the frame that holds the field being completed at line `l`.
    #[inline]
    pub fn k(&self, l: usize, dy: isize) -> Row<'a> {
        self.frames[l % 2][(l + 4).wrapping_add_signed(dy)]
    }

    /// The lines above and below line `l` of K with all bits: the tile's own samples with their
    /// apron.
    #[inline]
    pub fn around(&self, l: usize) -> [Row<'a, S>; 2] {
        [l + 3, l + 5].map(|line| self.own(self.samples[l % 2][line]))
    }

    /// Line `l` of the output in which it is not missing, with all bits, without apron.
    #[inline]
    pub fn existing(&self, l: usize) -> &'a [S] {
        &self.own(self.samples[1 - l % 2][l + 4])[APRON..]
    }

    /// The tile's own samples of a row, with their apron.
    #[inline]
    pub fn own<T>(&self, row: Row<'a, T>) -> Row<'a, T> {
        &row[2 * self.span.left..]
    }

    /// Line `l` in both fields that hold it, with all bits, without apron.
    #[inline]
    pub fn fields(&self, l: usize) -> [&'a [S]; 2] {
        self.samples.map(|frame| &self.own(frame[l + 4])[APRON..])
    }
}

/// Both frames in the order of [`BlockRow::frames`].
fn ordered<T>(current_first: bool, current: T, previous: T) -> [T; 2] {
    if current_first { [current, previous] } else { [previous, current] }
}
