//! Deinterlacer of the chroma (§3.6), and its conversion back to 4:2:0 (§1.6).
use super::role::Role;
use crate::field_match::{CombMask, FieldMatch};
use crate::format::{Rect, Sampling};
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use crate::plane::{BandMut, PaddedPlane};
use dndi_simd::{APRON, Kernels, Row, SampleKernels, StmmBlend};
use std::ops::Range;

/// Conversion of the deinterlaced chroma for the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// None, all lines are kept: 4:2:2 or 4:4:4.
    Native,
    /// To 4:2:0 by averages of two lines.
    Averaged,
    /// To 4:2:0 by dropping every second line.
    Dropped,
}

/// Input of the chroma of a tile, for one output.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a, S = u8> {
    pub kernels: &'a Kernels,
    pub mix: StmmBlend,
    /// Sampling of the planes: 4:2:0, 4:2:2 or 4:4:4.
    pub sampling: Sampling,
    pub store: Store,
    /// Samples in a line of the planes.
    pub width: usize,
    /// Luma lines of the picture.
    pub lines: usize,
    /// Parity of the missing lines.
    pub missing: usize,
    /// Both planes of K, the frame that holds the field being completed.
    pub completed: &'a [PaddedPlane<S>; 2],
    /// Both planes of R, the other frame; none if the output is made spatially (§1.4).
    pub other: Option<&'a [PaddedPlane<S>; 2]>,
    /// The frame whose lines are woven in, if any.
    pub weave: Option<Woven>,
    /// Tiles that are deinterlaced although the output is woven.
    pub comb_mask: Option<&'a CombMask>,
}

/// The frame that the missing lines of a woven output come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woven {
    /// K itself: its other field.
    Completed,
    /// R.
    Other,
}

impl Woven {
    /// The frame that a field match selects for an output; none if it is deinterlaced (§3.8).
    pub fn of(field_match: FieldMatch, role: Role) -> Option<Woven> {
        match (field_match, role) {
            (FieldMatch::Deinterlace, _) => None,
            (FieldMatch::Previous, Role::Prev2) | (FieldMatch::Next, Role::Cur1) => Some(Woven::Completed),
            (FieldMatch::Previous, Role::Cur1) | (FieldMatch::Next, Role::Prev2) => Some(Woven::Other),
        }
    }
}

/// Angles and motion of the pairs of a missing line.
#[derive(Clone, Copy)]
pub(crate) struct Pairs<'a> {
    /// Final angles of the tile's pairs.
    pub angle: &'a [u8],
    /// stmm3 of `left` pairs before the tile, of the tile's pairs and of those after it; empty if
    /// the output is made spatially.
    pub stmm3: &'a [u8],
    /// Pairs of `stmm3` before the tile.
    pub left: usize,
}

/// Scratch buffers for the rows of a tile.
#[derive(Debug)]
pub(crate) struct Scratch<S = u8> {
    /// stmm3 of each sample of a 4:4:4 line.
    stmm3: Vec<u8>,
    /// The existing line of a block row that 4:2:0 chroma lacks, up-sampled, with its apron.
    existing: Vec<S>,
    /// A missing line, interpolated along its angles: c3 of §3.6.
    c3: Vec<S>,
    /// A missing line, completed.
    missing: Vec<S>,
    /// A missing line as K and as R have it, up-sampled where 4:2:0 chroma lacks it.
    fields: [Vec<S>; 2],
}

impl<S: PlaneSample> Scratch<S> {
    /// Buffers for tiles up to `width` chroma samples wide.
    pub fn new(width: usize) -> Result<Scratch<S>, OutOfMemory> {
        let [existing, c3, missing, k, r] = zeroed_rows(width + 2 * APRON)?;
        Ok(Scratch { stmm3: zeroed(width)?, existing, c3, missing, fields: [k, r] })
    }
}

/// Completes both chroma planes of an output in the block row of a tile that begins at luma line
/// `top`. `pairs` are those of its four lines.
pub(crate) fn block_row<S: PlaneSample>(
    input: &Input<S>,
    rect: Rect,
    top: usize,
    pairs: [Pairs; 4],
    out: &mut [BandMut<S>; 2],
    scratch: &mut Scratch<S>,
) {
    let lines = 4.min(rect.y + rect.height - top);
    let Some(comb_mask) = input.comb_mask.filter(|_| input.weave.is_some()) else {
        return columns(input, rect.x..rect.x + rect.width, (top, lines), pairs, out, scratch);
    };
    for (part, comb_mask) in comb_mask.parts(top..top + lines, rect.x..rect.x + rect.width) {
        let weave = input.weave.filter(|_| !comb_mask);
        let before = (part.start - rect.x) / 2;
        let pairs = pairs.map(|Pairs { angle, stmm3, left }| Pairs { angle: &angle[before..], stmm3, left: left + before });
        columns(&Input { weave, ..*input }, part, (top, lines), pairs, out, scratch);
    }
}

/// Completes the luma columns `part`, which begin with a pair, of a block row.
fn columns<S: PlaneSample>(
    input: &Input<S>,
    part: Range<usize>,
    (top, lines): (usize, usize),
    pairs: [Pairs; 4],
    out: &mut [BandMut<S>; 2],
    scratch: &mut Scratch<S>,
) {
    let (x, end) = match input.sampling {
        Sampling::C444 => (part.start, part.end),
        _ => (part.start / 2, part.end.div_ceil(2)),
    };
    for (plane, out) in out.iter_mut().enumerate() {
        let part = Part { input, pairs: &pairs, x, width: end - x, plane, top, lines };
        match (input.weave, input.sampling, input.store) {
            (Some(woven), Sampling::C420, Store::Averaged | Store::Dropped) => part.weave_rows(woven, out),
            _ => part.complete(out, scratch),
        }
    }
}

/// The samples of a block row of a plane.
#[derive(Clone, Copy)]
struct Part<'a, S> {
    input: &'a Input<'a, S>,
    pairs: &'a [Pairs<'a>; 4],
    x: usize,
    width: usize,
    plane: usize,
    /// First luma line, and lines inside the picture.
    top: usize,
    lines: usize,
}

impl<'a, S: PlaneSample> Part<'a, S> {
    /// The kernels for these samples.
    fn kernels(self) -> &'a SampleKernels<S> {
        S::kernels(self.input.kernels)
    }

    /// Samples left and right of the part inside the picture: 0 or 1.
    fn beside(self) -> [usize; 2] {
        [(self.x > 0) as usize, (self.x + self.width < self.input.width) as usize]
    }

    /// The plane of K or of R; K if there is no R.
    fn source(self, which: Woven) -> &'a PaddedPlane<S> {
        match (which, self.input.other) {
            (Woven::Other, Some(other)) => &other[self.plane],
            _ => &self.input.completed[self.plane],
        }
    }

    /// Weaves the 4:2:0 chroma rows of both fields without up-sampling.
    fn weave_rows(self, woven: Woven, out: &mut BandMut<S>) {
        for row in self.top / 2..(self.top + self.lines) / 2 {
            let from = if row % 2 == self.input.missing { woven } else { Woven::Completed };
            let line = self.source(from).frame().line(row as isize, self.x, self.width);
            out.line(row, self.x, self.width).copy_from_slice(line);
        }
    }

    /// stmm3 of the missing line `y` from `before` pairs before the part on; 4:4:4 has two samples
    /// for each value.
    fn stmm3(self, y: usize, before: usize) -> &'a [u8] {
        let Pairs { stmm3, left, .. } = self.pairs[y % 4];
        if self.input.other.is_some() { &stmm3[left - before..] } else { &[] }
    }

    /// Completes the missing lines and stores them and the existing ones as the output needs them.
    fn complete(self, out: &mut BandMut<S>, scratch: &mut Scratch<S>) {
        let Part { input, x, width, top, lines, .. } = self;
        let upsampled = top + 1 + input.missing;
        if input.sampling == Sampling::C420 && upsampled < input.lines {
            let [left, right] = self.beside();
            let existing = &mut scratch.existing;
            let upsampled_line = &mut existing[APRON - left..][..left + width + right];
            self.upsample(Woven::Completed, upsampled, x - left, upsampled_line, self.stmm3(upsampled ^ 1, left));
            if left == 0 {
                existing[APRON - 1] = existing[APRON];
            }
            if right == 0 {
                existing[APRON + width] = existing[APRON + width - 1];
            }
        }
        for y in (top + input.missing..top + lines).step_by(2) {
            self.missing_line(y, scratch);
            let Scratch { existing, missing, .. } = &*scratch;
            let existing = &self.existing(y as isize ^ 1, existing)[APRON..APRON + width];
            let missing = &missing[..width];
            match input.store {
                Store::Native => {
                    out.line(y ^ 1, x, width).copy_from_slice(existing);
                    out.line(y, x, width).copy_from_slice(missing);
                }
                Store::Averaged => (self.kernels().average)(out.line(y / 2, x, width), existing, missing),
                Store::Dropped => out.line(y / 2, x, width).copy_from_slice(if y % 2 == 0 { missing } else { existing }),
            }
        }
    }

    /// Whether the chroma is 4:2:0 and lacks line `y`, which is then up-sampled.
    fn is_upsampled(self, y: usize) -> bool {
        self.input.sampling == Sampling::C420 && matches!(y % 4, 1 | 2)
    }

    /// The existing line `y`, or the nearest one of its field inside the picture, with its apron.
    fn existing<'b>(self, y: isize, upsampled: &'b [S]) -> Row<'b, S>
    where
        'a: 'b,
    {
        let parity = y & 1;
        let y = y.clamp(parity, self.input.lines as isize - 2 + parity) as usize;
        if self.is_upsampled(y) { &upsampled[..self.width + 2 * APRON] } else { self.own(Woven::Completed, y) }
    }

    /// Line `y` of a frame whose chroma has that line, with its apron.
    fn own(self, which: Woven, y: usize) -> Row<'a, S> {
        let row = if self.input.sampling == Sampling::C420 { y / 2 } else { y };
        self.source(which).frame().row(row as isize, self.x as isize, self.width)
    }

    /// Up-samples line `y` of the chroma of a frame, from sample `start` on.
    fn upsample(self, which: Woven, y: usize, start: usize, dst: &mut [S], stmm3: &[u8]) {
        let Part { input, plane, .. } = self;
        let (row, count) = (y as isize / 2, dst.len());
        let spatial = [row - 1, row + 1].map(|row| self.source(which).fields().line(row, start, count));
        let Some(other) = input.other else { return (self.kernels().average)(dst, spatial[0], spatial[1]) };
        // The temporal neighbours have the other parity and the same row of the frame: K's own, and
        // R's if the field lies between both in time.
        let outermost = which == Woven::Completed && y % 2 == input.missing;
        let k = input.completed[plane].frame().line(row, start, count);
        let r = if outermost { k } else { other[plane].frame().line(row, start, count) };
        (self.kernels().upsample)(dst, spatial, [k, r], stmm3, &input.mix);
    }

    /// Line `y` of a frame; a line that 4:2:0 chroma lacks is up-sampled into `buffer`.
    fn field_line<'b>(self, which: Woven, y: usize, buffer: &'b mut [S], stmm3: &[u8]) -> &'b [S]
    where
        'a: 'b,
    {
        if !self.is_upsampled(y) {
            return &self.own(which, y)[APRON..APRON + self.width];
        }
        let buffer = &mut buffer[..self.width];
        self.upsample(which, y, self.x, buffer, stmm3);
        buffer
    }

    /// Completes the missing line `y` in `scratch.missing`.
    fn missing_line(self, y: usize, scratch: &mut Scratch<S>) {
        let Part { input, width, .. } = self;
        let Scratch { stmm3: doubled, existing, c3, missing, fields: [k, r] } = scratch;
        let (missing, c3) = (&mut missing[..width], &mut c3[..width]);
        let mut stmm3 = self.stmm3(y, 0);
        if input.sampling == Sampling::C444 && input.other.is_some() {
            (input.kernels.expand_pairs)(&mut doubled[..width], stmm3);
            stmm3 = doubled;
        }
        if let Some(woven) = input.weave {
            return missing.copy_from_slice(self.field_line(woven, y, k, stmm3));
        }
        let [upper, lower] = [y as isize - 1, y as isize + 1].map(|y| self.existing(y, existing));
        let along_angle = |dst: &mut [S]| match input.sampling {
            Sampling::C444 => (self.kernels().interpolate)(dst, upper, lower, self.pairs[y % 4].angle),
            _ => (self.kernels().chroma_angle)(dst, upper, lower, self.pairs[y % 4].angle),
        };
        if input.other.is_none() {
            return along_angle(missing);
        }
        along_angle(c3);
        let fields = [self.field_line(Woven::Completed, y, k, stmm3), self.field_line(Woven::Other, y, r, stmm3)];
        let existing = [upper, lower].map(|line| &line[APRON..]);
        (self.kernels().chroma_blend)(missing, c3, existing, fields, stmm3, &input.mix);
    }
}
