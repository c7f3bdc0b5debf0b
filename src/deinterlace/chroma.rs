//! Deinterlacer of one chroma plane (§3.6), and the way back to 4:2:0 (§1.6).
use super::{Code, Role};
use crate::frame::Sampling;
use crate::surface::{PairPlane, Rect, Surface, Target};
use dndi_simd::{APRON, Kernels, Mix};

/// What becomes of the native chroma of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// All lines are kept: 4:2:2 or 4:4:4.
    Native,
    /// 4:2:0: averages of two lines.
    Averaged,
    /// 4:2:0: every second line.
    Dropped,
}

/// What a tile reads.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub kernels: &'a Kernels,
    pub mix: Mix,
    /// Sampling of the surfaces: 4:2:0, 4:2:2 or 4:4:4.
    pub sampling: Sampling,
    pub store: Store,
    /// Width of the surfaces.
    pub width: usize,
    /// Luma lines of the picture.
    pub lines: usize,
    /// Parity of the missing lines.
    pub missing: usize,
    /// K, the frame that holds the field being completed.
    pub completed: &'a Surface,
    /// R, the other frame, the motion measure that this step stored; none where all is spatial (§1.4).
    pub temporal: Option<(&'a Surface, &'a PairPlane)>,
    /// The final angles of the missing lines.
    pub angles: &'a PairPlane,
    /// The frame whose lines are woven in, if any.
    pub weave: Option<Woven>,
}

/// Which frame the lines of a woven output come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woven {
    /// K itself: its other field.
    Completed,
    /// R.
    Other,
}

impl Woven {
    /// What the code of an output means for its frames K and R (§3.8).
    pub fn of(code: Code, role: Role) -> Option<Woven> {
        match (code, role) {
            (Code::Deinterlace, _) => None,
            (Code::Previous, Role::Prev2) | (Code::Next, Role::Cur1) => Some(Woven::Completed),
            (Code::Previous, Role::Cur1) | (Code::Next, Role::Prev2) => Some(Woven::Other),
        }
    }
}

/// Room for the rows of a tile.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// The existing lines above and below a missing one.
    existing: [Vec<u8>; 2],
    missing: Vec<u8>,
    /// The missing line in the fields of K and of R.
    fields: [Vec<u8>; 2],
    stmm3: Vec<u8>,
    still: Vec<u8>,
    c3: Vec<u8>,
    csdi: Vec<u8>,
    upsampling: Upsampling,
}

/// Room for the up-sampling of a line.
#[derive(Debug)]
struct Upsampling {
    spatial: Vec<u8>,
    temporal: Vec<u8>,
    stmm3: Vec<u8>,
}

impl Scratch {
    /// For tiles up to `width` chroma samples wide.
    pub fn new(width: usize) -> Scratch {
        let row = || vec![0; width + 2 * APRON];
        Scratch {
            existing: [row(), row()],
            missing: row(),
            fields: [row(), row()],
            stmm3: row(),
            still: row(),
            c3: row(),
            csdi: row(),
            upsampling: Upsampling { spatial: row(), temporal: row(), stmm3: row() },
        }
    }
}

/// Completes the chroma under a luma rectangle whose corner lies on the 4×4 grid.
pub(crate) fn tile(input: &Input, rect: Rect, out: &mut Target, scratch: &mut Scratch) {
    let (x, end) = match input.sampling {
        Sampling::C444 => (rect.x, rect.x + rect.width),
        _ => (rect.x / 2, (rect.x + rect.width).div_ceil(2)),
    };
    let columns = Columns { input, x, width: end - x };
    for pair in (rect.y..rect.y + rect.height).step_by(2) {
        columns.line_pair(pair, pair == rect.y, out, scratch);
    }
}

/// The samples of a tile's lines.
#[derive(Clone, Copy)]
struct Columns<'a> {
    input: &'a Input<'a>,
    x: usize,
    width: usize,
}

impl Columns<'_> {
    /// Makes the lines `pair` and `pair + 1`, one of them missing, and stores what becomes of them. Pairs come in order.
    fn line_pair(&self, pair: usize, first: bool, out: &mut Target, scratch: &mut Scratch) {
        let &Columns { input, x, width } = self;
        let own = APRON..APRON + width;
        if let (Some(woven), Sampling::C420, Store::Averaged | Store::Dropped) = (input.weave, input.sampling, input.store) {
            let row = pair / 2;
            let surface = if row % 2 == input.missing { self.frame(woven) } else { input.completed };
            out.line(row, x, width).copy_from_slice(surface.frame().line(row as isize, x, width));
            return;
        }
        let Scratch { existing, upsampling, .. } = scratch;
        let y = pair + input.missing;
        if first {
            self.field_line(Woven::Completed, self.in_field(y as isize - 1), &mut existing[1], upsampling);
        }
        existing.rotate_left(1);
        self.field_line(Woven::Completed, self.in_field(y as isize + 1), &mut existing[1], upsampling);
        self.missing_line(y, scratch);
        let Scratch { existing, missing, .. } = scratch;
        let (existing, missing) = (&existing[1 - input.missing][own.clone()], &missing[own]);
        match input.store {
            Store::Native => {
                out.line(pair + 1 - input.missing, x, width).copy_from_slice(existing);
                out.line(y, x, width).copy_from_slice(missing);
            }
            Store::Averaged => (input.kernels.average)(out.line(pair / 2, x, width), existing, missing),
            Store::Dropped => out.line(pair / 2, x, width).copy_from_slice(if input.missing == 0 { missing } else { existing }),
        }
    }

    /// Fills `scratch.missing` from the existing lines and the fields around line `y`.
    fn missing_line(&self, y: usize, scratch: &mut Scratch) {
        let &Columns { input, x, width } = self;
        let Scratch { existing: [upper, lower], missing, fields, stmm3, still, c3, csdi, upsampling } = scratch;
        let own = APRON..APRON + width;
        if let Some(woven) = input.weave {
            return self.field_line(woven, y, missing, upsampling);
        }
        let missing = &mut missing[own.clone()];
        let (upper, lower) = (&upper[..width + 2 * APRON], &lower[..width + 2 * APRON]);
        let along_angle = |dst: &mut [u8]| match input.sampling {
            Sampling::C444 => (input.kernels.interpolate)(dst, upper, lower, input.angles.line(y, x / 2, width.div_ceil(2))),
            _ => (input.kernels.chroma_angle)(dst, upper, lower, input.angles.line(y, x, width)),
        };
        let Some((_, measure)) = input.temporal else { return along_angle(missing) };
        let [stmm3, still, c3, csdi] = [stmm3, still, c3, csdi].map(|row| &mut row[..width]);
        if input.sampling == Sampling::C444 {
            let pairs = width.div_ceil(2);
            (input.kernels.max3)(&mut upsampling.stmm3[..pairs], measure.around(y, x / 2, pairs));
            (input.kernels.double)(stmm3, &upsampling.stmm3[..pairs]);
        } else {
            (input.kernels.max3)(stmm3, measure.around(y, x, width));
        }
        along_angle(c3);
        (input.kernels.average)(still, &upper[own.clone()], &lower[own.clone()]);
        (input.kernels.mix)(csdi, c3, still, stmm3, &input.mix);
        self.field_line(Woven::Completed, y, &mut fields[0], upsampling);
        self.field_line(Woven::Other, y, &mut fields[1], upsampling);
        (input.kernels.average)(still, &fields[0][own.clone()], &fields[1][own]);
        (input.kernels.mix)(missing, csdi, still, stmm3, &input.mix);
    }

    fn frame(&self, which: Woven) -> &Surface {
        match (which, self.input.temporal) {
            (Woven::Other, Some((other, _))) => other,
            _ => self.input.completed,
        }
    }

    /// The nearest line of the picture that belongs to the field of `y`.
    fn in_field(&self, y: isize) -> usize {
        let parity = y & 1;
        y.clamp(parity, self.input.lines as isize - 2 + parity) as usize
    }

    /// Writes line `y` of the up-sampled chroma of a frame, with an apron.
    fn field_line(&self, which: Woven, y: usize, dst: &mut [u8], scratch: &mut Upsampling) {
        let &Columns { input, x, width } = self;
        let dst = &mut dst[..width + 2 * APRON];
        let view = self.frame(which).fields();
        if input.sampling != Sampling::C420 {
            return dst.copy_from_slice(view.row(y as isize, x as isize, width));
        }
        let row = (y / 2) as isize;
        if matches!(y % 4, 0 | 3) {
            return dst.copy_from_slice(view.row(row, x as isize, width));
        }
        // One sample more on both sides, for the chroma angles.
        let (left, right) = ((x > 0) as usize, (x + width < input.width) as usize);
        let (start, count) = (x - left, left + width + right);
        let made = &mut dst[APRON - left..APRON + width + right];
        let (above, below) = (view.line(row - 1, start, count), view.line(row + 1, start, count));
        match input.temporal {
            None => (input.kernels.average)(made, above, below),
            Some((other, measure)) => {
                let Upsampling { spatial, temporal, stmm3 } = scratch;
                let [spatial, temporal, stmm3] = [spatial, temporal, stmm3].map(|row| &mut row[..count]);
                (input.kernels.average)(spatial, above, below);
                // Rows of the other parity stand in the same row of the frame: K's own, and R's where the field lies between both.
                let (k, r) = (input.completed.frame().line(row, start, count), other.frame().line(row, start, count));
                let outermost = which == Woven::Completed && y % 2 == input.missing;
                (input.kernels.average)(temporal, k, if outermost { k } else { r });
                let measured = if y % 2 == input.missing { y } else { y ^ 1 };
                (input.kernels.max3)(stmm3, measure.around(measured, start, count));
                (input.kernels.mix)(made, spatial, temporal, stmm3, &input.mix);
            }
        }
        if left == 0 {
            dst[APRON - 1] = dst[APRON];
        }
        if right == 0 {
            dst[APRON + width] = dst[APRON + width - 1];
        }
    }
}
