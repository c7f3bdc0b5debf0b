//! Deinterlacer of the luma: what a missing line becomes (§3). Chroma follows in [`chroma`], with the angles and the motion measure
//! found here.
pub(crate) mod angle;
pub(crate) mod chroma;
pub(crate) mod motion;
pub(crate) mod search;

use crate::parameters::{ParameterError, parameters};
use crate::surface::{PairPlane, Rect, Target, View};
use dndi_simd::{Kernels, Mix, Row};
pub use search::CompensationParameters;

parameters! {
    /// Parameters of the deinterlacer.
    DeinterlaceParameters {
        /// added to the complexity that divides the motion measure
        stmm_c2 = 3 in 1..=8;
        /// which constant decides between the two: stmm_trc2 (0) or stmm_trc1 (1)
        blending_constant_select = 0 in 0..=1;
        /// weight of the stored motion measure where the new one is large
        stmm_trc1 ["trc1"] = 64 in 0..=127;
        /// weight of the stored motion measure where the new one is small
        stmm_trc2 ["trc2"] = 125 in 0..=255;
        /// weight of vertical edges in the complexity, in 1/32
        vecm_mul = 30 in 0..=63;
        /// above it a pair moves; stmm_max - stmm_min = 1 << stmm_shift
        stmm_max = 150 in 0..=255;
        /// below it a pair is still
        stmm_min = 118 in 0..=255;
        /// right shift of the temporal difference
        stmm_shift_down ["shift1"] = 4 in 4..=6;
        /// left shift of the temporal difference
        stmm_shift_up ["shift2"] = 7 in 6..=8;
        /// log2 of stmm_max - stmm_min; above 7 unusable
        stmm_shift = 5 in 0..=16;
        /// what a side's angle must win by and stay below
        sdi_threshold = 100 in 0..=255;
        /// what each flatter angle must win by
        sdi_delta = 5 in 0..=255;
        /// margin of fine detail that forces the vertical
        sdi_t1 = 50 in 0..=255;
        /// least fine detail that forces the vertical
        sdi_t2 = 100 in 0..=255;
        /// handicap of an angle in the small window
        angle2x1 = 37 in 0..=255;
    }
}

impl DeinterlaceParameters {
    /// Checks that `stmm_max - stmm_min = 1 << stmm_shift`.
    pub(crate) fn check_blend(&self) -> Result<(), ParameterError> {
        let (max, min, shift) = (self.stmm_max, self.stmm_min, self.stmm_shift);
        let fits = (0..8).contains(&shift) && max - min == 1 << shift;
        fits.then_some(()).ok_or_else(|| {
            ParameterError::Conflict(format!(
                "stmm_max - stmm_min = {max} - {min} is not 1 << stmm_shift with stmm_shift = {shift} in 0…7"
            ))
        })
    }

    pub(crate) fn mix(&self) -> Mix {
        Mix { stmm_min: self.stmm_min as u8, stmm_max: self.stmm_max as u8, stmm_shift: self.stmm_shift as u8 }
    }
}

/// What an output's missing lines are made of (§3.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Code {
    /// Deinterlaced.
    #[default]
    Deinterlace,
    /// The previous field in sequence, woven.
    Previous,
    /// The next field in sequence, woven.
    Next,
}

/// One of the two frames that a step makes (§1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The 2nd field of the previous frame, completed.
    Prev2,
    /// The 1st field of the current frame, completed.
    Cur1,
}

/// The outputs of a step in the order of time, each at its own index.
pub(crate) const ROLES: [Role; 2] = [Role::Prev2, Role::Cur1];

impl Role {
    /// Parity of the lines that are missing.
    pub fn missing(self, top_first: bool) -> usize {
        match self {
            Role::Prev2 => !top_first as usize,
            Role::Cur1 => top_first as usize,
        }
    }
}

/// What the tiles of a step read.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub kernels: &'a Kernels,
    pub parameters: &'a DeinterlaceParameters,
    /// Motion compensation, unless it is off.
    pub compensation: Option<&'a CompensationParameters>,
    /// Pairs in a line of the picture.
    pub pairs: usize,
    pub top_first: bool,
    /// The current frame as block rows see it (§1.5).
    pub current: motion::Current<'a>,
    /// The denoised previous frame.
    pub previous: View<'a>,
    /// The motion measure that the previous step stored.
    pub stored: &'a PairPlane,
    /// What the missing lines of prev2 and cur1 become.
    pub codes: [Code; 2],
}

impl<'a> Input<'a> {
    /// K, the frame that holds the field being completed, near the block row that begins at line `top`.
    fn completed(&self, role: Role, top: usize, y: isize, x: isize, width: usize) -> Row<'a> {
        match role {
            Role::Prev2 => self.previous.row(y, x, width),
            Role::Cur1 => self.current.row(top, y, x, width),
        }
    }

    /// R, the other frame.
    fn other(&self, role: Role, top: usize, y: isize, x: isize, width: usize) -> Row<'a> {
        match role {
            Role::Prev2 => self.current.row(top, y, x, width),
            Role::Cur1 => self.previous.row(y, x, width),
        }
    }

    /// The denoised picture that holds the field being completed: enough where only lines near the missing one are read.
    fn field(&self, role: Role) -> View<'a> {
        match role {
            Role::Prev2 => self.previous,
            Role::Cur1 => self.current.denoised,
        }
    }
}

/// Pairs that a tile computes. Neighbours inside the picture are computed too where a step looks at them.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    first: usize,
    count: usize,
    /// Pairs left and right of the tile inside the picture: 0 or 1.
    left: usize,
    right: usize,
}

impl Span {
    fn of(rect: Rect, pairs: usize) -> Span {
        let (first, end) = (rect.x / 2, (rect.x + rect.width).div_ceil(2));
        Span { first, count: end - first, left: (first > 0) as usize, right: (end < pairs) as usize }
    }

    /// With the neighbours: first sample and number of pairs.
    fn widened(self) -> (isize, usize) {
        (2 * (self.first - self.left) as isize, self.left + self.count + self.right)
    }
}

/// What a tile writes: lines of the band it belongs to.
pub(crate) struct Output<'a> {
    /// Luma of prev2 and cur1.
    pub luma: [Target<'a>; 2],
    /// The motion measure of the missing lines of both.
    pub measure: Target<'a>,
    /// Their final angles.
    pub angle: Target<'a>,
}

/// A missing line of a tile.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    /// The output that it is missing in.
    role: Role,
    span: Span,
    /// First line of its block row.
    top: usize,
    /// Its place in the block row, 0…3.
    l: usize,
    /// Lines of the block row inside the picture.
    lines: usize,
}

impl Line {
    fn y(self) -> usize {
        self.top + self.l
    }
}

/// Room for the rows of a tile.
#[derive(Debug)]
pub(crate) struct Scratch {
    motion: motion::Scratch,
    angle: angle::Scratch,
    search: search::Scratch,
    /// stmm3 of each pixel.
    stmm3: Vec<u8>,
    /// The interpolation for motion.
    di: Vec<u8>,
}

impl Scratch {
    /// For tiles up to `width` pixels wide.
    pub fn new(width: usize) -> Scratch {
        let pairs = width.div_ceil(2);
        Scratch {
            motion: motion::Scratch::new(pairs),
            angle: angle::Scratch::new(pairs),
            search: search::Scratch::new(pairs),
            stmm3: vec![0; 2 * pairs],
            di: vec![0; width],
        }
    }
}

/// Completes both outputs of a step inside a rectangle whose corner lies on the 4×4 grid.
pub(crate) fn tile(input: &Input, rect: Rect, out: &mut Output, scratch: &mut Scratch) {
    let span = Span::of(rect, input.pairs);
    let th = input.parameters.angle();
    for top in (rect.y..rect.y + rect.height).step_by(4) {
        let lines = 4.min(rect.y + rect.height - top);
        let line = |l: usize| Line { role: ROLES[(l % 2 == Role::Cur1.missing(input.top_first)) as usize], span, top, l, lines };
        scratch.motion.differences(input, span, top);
        for line in (0..lines).map(line) {
            let measure = out.measure.line(line.y(), span.first, span.count);
            scratch.motion.measure(input, line, measure);
            let angle = out.angle.line(line.y(), span.first, span.count);
            let cost90 = scratch.angle.find(input.kernels, input.field(line.role), span, line.y(), &th, angle);
            if input.compensation.is_some() {
                scratch.search.find(input, line, cost90);
            }
        }
        for line in (0..lines).map(line) {
            let existing = 1 - line.role as usize;
            let (y, x, width) = (line.y() as isize, rect.x, rect.width);
            out.luma[existing].line(line.y(), x, width).copy_from_slice(input.field(ROLES[existing]).line(y, x, width));
            complete(input, rect, line, out, scratch);
        }
    }
}

/// Fills a missing line (§3.4, §3.7, §3.8).
fn complete(input: &Input, rect: Rect, line: Line, out: &mut Output, scratch: &mut Scratch) {
    let Scratch { motion, search, stmm3, di, .. } = scratch;
    let (di, stmm3) = (&mut di[..rect.width], &mut stmm3[..rect.width]);
    let (y, x, width) = (line.y() as isize, rect.x, rect.width);
    let luma = out.luma[line.role as usize].line(line.y(), x, width);
    let (previous, current) = (input.previous.line(y, x, width), input.current.denoised.line(y, x, width));
    match input.codes[line.role as usize] {
        Code::Previous => return luma.copy_from_slice(previous),
        Code::Next => return luma.copy_from_slice(current),
        Code::Deinterlace => {}
    }
    let angle = &*out.angle.line(line.y(), line.span.first, line.span.count);
    let [upper, lower] = [y - 1, y + 1].map(|y| input.field(line.role).row(y, x as isize, width));
    (input.kernels.interpolate)(di, upper, lower, angle);
    if let Some(parameters) = input.compensation {
        search.compensate(input, parameters, line, angle, &motion.detail[line.l], di);
    }
    (input.kernels.double)(stmm3, &motion.stmm3[line.l][..line.span.count]);
    (input.kernels.blend)(luma, di, [current, previous], stmm3, &input.parameters.mix());
}

/// What a tile of spatial deinterlacing alone reads: the first step and the end of the stream (§1.4).
#[derive(Clone, Copy)]
pub(crate) struct Spatial<'a> {
    pub kernels: &'a Kernels,
    pub parameters: &'a DeinterlaceParameters,
    /// Pairs in a line of the picture.
    pub pairs: usize,
    /// Parity of the missing lines.
    pub missing: usize,
    /// The denoised frame that holds the field.
    pub field: View<'a>,
    /// Whether the missing lines are woven from the same frame instead.
    pub weave: bool,
}

/// Completes a field spatially inside a rectangle whose corner lies on the 4×4 grid.
pub(crate) fn spatial_tile(input: &Spatial, rect: Rect, luma: &mut Target, angles: &mut Target, scratch: &mut Scratch) {
    let span = Span::of(rect, input.pairs);
    let th = input.parameters.angle();
    for y in rect.y..rect.y + rect.height {
        let line = luma.line(y, rect.x, rect.width);
        line.copy_from_slice(input.field.line(y as isize, rect.x, rect.width));
        if y % 2 == input.missing {
            let found = angles.line(y, span.first, span.count);
            scratch.angle.find(input.kernels, input.field, span, y, &th, found);
            if !input.weave {
                let [upper, lower] = [-1, 1].map(|dy| input.field.row(y as isize + dy, rect.x as isize, rect.width));
                (input.kernels.interpolate)(line, upper, lower, found);
            }
        }
    }
}
