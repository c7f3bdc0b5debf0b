//! Deinterlacer of the luma: what a missing line becomes (§3). Chroma follows in [`chroma`], with the angles and the motion measure
//! found here.
pub(crate) mod angle;
pub(crate) mod chroma;
pub(crate) mod compensation;
pub(crate) mod motion;
mod pixel_sources;
pub(crate) mod trace;

use crate::field_match::{CombMask, FieldMatch};
use crate::format::Rect;
use crate::parameters::field::{ParameterError, parameters};
use crate::plane::{BandMut, PairPlane, PlaneView};
pub use compensation::CompensationParameters;
use dndi_simd::{APRON, AngleThresholds, CompensateRows, Kernels, Row, StmmBlend};
pub use pixel_sources::PixelSources;
use std::ops::Range;

parameters! {
    /// Parameters of the deinterlacer.
    DeinterlaceParameters {
        /// added to the complexity that divides the motion measure
        stmm_c2: u8 = 3 in 1..=8;
        /// which constant decides between the two: stmm_trc2 (0) or stmm_trc1 (1)
        blending_constant_select: u8 = 0 in 0..=1;
        /// weight of the stored motion measure where the new one is large
        stmm_trc1: u8 ["trc1"] = 64 in 0..=127;
        /// weight of the stored motion measure where the new one is small
        stmm_trc2: u8 ["trc2"] = 125 in 0..=255;
        /// weight of vertical edges in the complexity, in 1/32
        vecm_mul: u8 = 30 in 0..=63;
        /// above it a pair moves; stmm_max - stmm_min = 1 << stmm_shift
        stmm_max: u8 = 150 in 0..=255;
        /// below it a pair is still
        stmm_min: u8 = 118 in 0..=255;
        /// right shift of the temporal difference
        stmm_shift_down: u8 ["shift1"] = 4 in 4..=6;
        /// left shift of the temporal difference
        stmm_shift_up: u8 ["shift2"] = 7 in 6..=8;
        /// log2 of stmm_max - stmm_min; above 7 unusable
        stmm_shift: u8 = 5 in 0..=16;
        /// what a side's angle must win by and stay below
        sdi_threshold: u8 = 100 in 0..=255;
        /// what each flatter angle must win by
        sdi_delta: u8 = 5 in 0..=255;
        /// margin of fine detail that forces the vertical
        sdi_t1: u8 = 50 in 0..=255;
        /// least fine detail that forces the vertical
        sdi_t2: u8 = 100 in 0..=255;
        /// handicap of an angle in the small window
        angle2x1: u8 = 37 in 0..=255;
    }
}

impl DeinterlaceParameters {
    /// Checks that `stmm_max - stmm_min = 1 << stmm_shift`.
    pub(crate) fn check_blend(&self) -> Result<(), ParameterError> {
        let (max, min, shift) = (self.stmm_max, self.stmm_min, self.stmm_shift);
        let fits = shift < 8 && i32::from(max) - i32::from(min) == 1 << shift;
        fits.then_some(()).ok_or_else(|| {
            let message = format!("stmm_max - stmm_min = {max} - {min} is not 1 << stmm_shift with stmm_shift = {shift} in 0…7");
            ParameterError::Conflict { fields: &["stmm_max", "stmm_min", "stmm_shift"], message }
        })
    }

    pub(crate) fn mix(&self) -> StmmBlend {
        StmmBlend { stmm_min: self.stmm_min, stmm_max: self.stmm_max, stmm_shift: self.stmm_shift }
    }
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
    /// The current frame as block rows see it (§1.5).
    pub current: motion::Current<'a>,
    /// The denoised previous frame.
    pub previous: PlaneView<'a>,
    /// The motion measure that the previous step stored.
    pub stored: &'a PairPlane,
    /// What the missing lines of prev2 and cur1 become.
    pub matches: [FieldMatch; 2],
    /// Where they are deinterlaced whatever their codes.
    pub comb_masks: [Option<&'a CombMask>; 2],
    /// Whether it is counted what pixels are made of.
    pub counts: bool,
    /// The chroma of prev2 and cur1, unless there is none.
    pub chroma: Option<[chroma::Input<'a>; 2]>,
}

impl Input<'_> {
    /// The output that line `l` of a block row is missing in.
    fn role(&self, l: usize) -> Role {
        ROLES[(l % 2 == Role::Cur1.missing(self.current.top_first)) as usize]
    }
}

/// Pairs that a tile computes. Neighbours inside the picture are computed too where a step looks at them.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    first: usize,
    count: usize,
    /// Pairs left and right of the tile inside the picture, at most two.
    left: usize,
    right: usize,
}

impl Span {
    fn of(rect: Rect, pairs: usize) -> Span {
        let (first, end) = (rect.x / 2, (rect.x + rect.width).div_ceil(2));
        Span { first, count: end - first, left: first.min(2), right: (pairs - end).min(2) }
    }

    /// With the neighbours: first sample and number of pairs.
    fn widened(self) -> (isize, usize) {
        (2 * (self.first - self.left) as isize, self.left + self.count + self.right)
    }

    /// The tile's own pairs among those.
    fn own<T>(self, row: &[T]) -> &[T] {
        &row[self.left..][..self.count]
    }
}

/// A block row of a tile: four lines, each missing in one of the two outputs.
pub(crate) struct BlockRow<'a> {
    /// Its first line.
    top: usize,
    /// Its lines inside the picture.
    lines: usize,
    span: Span,
    /// The lines -4…7 of both frames as seen from here: first of that whose even lines are missing, then of that whose odd lines are.
    frames: [[Row<'a>; 12]; 2],
}

impl<'a> BlockRow<'a> {
    fn new(input: &Input<'a>, rect: Rect, span: Span, top: usize) -> BlockRow<'a> {
        let (x, pairs) = span.widened();
        let y = |j: usize| (top + j) as isize - 4;
        let mut frames: [[Row; 12]; 2] = [std::array::from_fn(|j| input.previous.row(y(j), x, 2 * pairs)); 2];
        let current = std::array::from_fn(|j| input.current.row(top, y(j), x, 2 * pairs));
        frames[Role::Cur1.missing(input.current.top_first)] = current;
        BlockRow { top, lines: 4.min(rect.y + rect.height - top), span, frames }
    }

    /// Line `dy` from line `l` on of K, the frame that holds the field being completed.
    fn k(&self, l: usize, dy: isize) -> Row<'a> {
        self.frames[l % 2][(l + 4).wrapping_add_signed(dy)]
    }

    /// The tile's own samples of a row.
    fn own(&self, row: Row<'a>) -> Row<'a> {
        &row[2 * self.span.left..]
    }

    /// Line `l` itself in both fields that hold it: no apron.
    fn fields(&self, l: usize) -> [&'a [u8]; 2] {
        self.frames.map(|frame| &self.own(frame[l + 4])[APRON..])
    }
}

/// What a tile writes: lines of the band it belongs to.
pub(crate) struct Output<'a> {
    /// Luma of prev2 and cur1.
    pub luma: [BandMut<'a>; 2],
    /// Both planes of their chroma, if there is any.
    pub chroma: [[BandMut<'a>; 2]; 2],
    /// The motion measure of the missing lines of both.
    pub measure: BandMut<'a>,
}

/// Room for the rows of a tile.
#[derive(Debug)]
pub(crate) struct Scratch {
    motion: motion::Scratch,
    angle: angle::Scratch,
    /// The interpolation for motion of each line of a block row.
    di: [Vec<u8>; 4],
    /// The same before motion compensation, where that is counted.
    sdi: [Vec<u8>; 4],
    chroma: chroma::Scratch,
    /// A line of motion measures for where there are none.
    moving: Vec<u8>,
}

impl Scratch {
    /// For tiles up to `width` pixels wide.
    pub fn new(width: usize) -> Scratch {
        let widened = if width == 0 { 0 } else { width.div_ceil(2) + 4 };
        Scratch {
            motion: motion::Scratch::new(widened),
            angle: angle::Scratch::new(widened),
            di: [0; 4].map(|_| vec![0; width]),
            sdi: [0; 4].map(|_| vec![0; width]),
            chroma: chroma::Scratch::new(width),
            moving: vec![255; widened + 2],
        }
    }

    /// Finds what the missing lines of a block row are made of where they move: measures their motion, which `measure` takes, finds their
    /// angles, interpolates and compensates. Block rows of a tile come in order.
    fn find(&mut self, input: &Input, row: &BlockRow, rect: Rect, measure: &mut BandMut) {
        let Scratch { motion, angle, di, sdi, .. } = self;
        let (span, th) = (row.span, input.parameters.angle());
        motion.measure(input, row, row.top == rect.y, measure);
        for (l, di) in di.iter_mut().enumerate().take(row.lines) {
            angle.find(input.kernels, l, [-3, -1, 1, 3].map(|dy| row.k(l, dy)), motion.stmm3_around(l), span, &th);
            let [upper, lower] = [-1, 1].map(|dy| row.own(row.k(l, dy)));
            (input.kernels.interpolate)(&mut di[..rect.width], upper, lower, angle.of_line(l, span));
        }
        if input.counts {
            sdi.iter_mut().zip(di.iter()).for_each(|(sdi, di)| sdi[..rect.width].copy_from_slice(&di[..rect.width]));
        }
        if let Some(parameters) = input.compensation {
            let p = parameters.compensate(input.parameters.stmm_min);
            let rows = compensate_rows(row, motion, angle);
            (input.kernels.compensate)(&mut di.each_mut().map(|di| &mut di[..rect.width]), &rows, &p);
        }
    }
}

fn compensate_rows<'a>(row: &BlockRow<'a>, motion: &'a motion::Scratch, angle: &'a angle::Scratch) -> CompensateRows<'a> {
    let (own, span) = ([0, 1, 2, 3], row.span);
    CompensateRows {
        lines: row.lines,
        frames: row.frames.map(|frame| frame.map(|line| row.own(line))),
        stmm3: own.map(|l| span.own(motion.stmm3(l))),
        angle: own.map(|l| angle.of_line(l, span)),
        detail: own.map(|l| span.own(&motion.detail[l])),
        cost90: own.map(|l| span.own(&angle.cost90[l])),
    }
}

/// Completes both outputs of a step inside a rectangle whose corner lies on the 4×4 grid; returns what they were made of, if that is
/// counted.
pub(crate) fn tile(input: &Input, rect: Rect, out: &mut Output, scratch: &mut Scratch) -> [PixelSources; 2] {
    let mut sources = [PixelSources::default(); 2];
    let span = Span::of(rect, input.pairs);
    for top in (rect.y..rect.y + rect.height).step_by(4) {
        let row = &BlockRow::new(input, rect, span, top);
        scratch.find(input, row, rect, &mut out.measure);
        let Scratch { motion, angle, di, sdi, chroma, .. } = scratch;
        for (l, di) in di.iter().enumerate().take(row.lines) {
            let (role, y) = (input.role(l), top + l);
            // In the other output it is an existing line.
            let existing = row.own(row.frames[1 - l % 2][l + 4]);
            out.luma[1 - role as usize].line(y, rect.x, rect.width).copy_from_slice(&existing[APRON..][..rect.width]);
            let luma = out.luma[role as usize].line(y, rect.x, rect.width);
            let (comb_mask, stmm3) = (input.comb_masks[role as usize], span.own(motion.stmm3(l)));
            let woven = match input.matches[role as usize] {
                FieldMatch::Previous => Some(input.previous.line(y as isize, rect.x, rect.width)),
                FieldMatch::Next => Some(input.current.denoised.line(y as isize, rect.x, rect.width)),
                FieldMatch::Deinterlace => None,
            };
            if woven.is_none() || comb_mask.is_some() {
                (input.kernels.blend)(luma, &di[..rect.width], row.fields(l), stmm3, &input.parameters.mix());
            }
            let parts =
                || comb_mask.map(|mask| mask.parts(top..top + row.lines, rect.x..rect.x + rect.width)).into_iter().flatten();
            let within = |part: Range<usize>| part.start - rect.x..part.end - rect.x;
            match (woven, comb_mask) {
                (Some(woven), None) => luma.copy_from_slice(woven),
                (Some(woven), Some(_)) => parts().filter(|(_, combed)| !combed).for_each(|(part, _)| {
                    luma[within(part.clone())].copy_from_slice(&woven[within(part)]);
                }),
                _ => {}
            }
            if input.counts {
                let sources = &mut sources[role as usize];
                let mut count = |part, woven| match woven {
                    true => *sources += PixelSources::of(Range::len(&part) as u64, true),
                    false => sources.count(part, stmm3, input.parameters.stmm_min, [di, &sdi[l]]),
                };
                match (woven, comb_mask) {
                    (Some(_), Some(_)) => parts().for_each(|(part, combed)| count(within(part), !combed)),
                    (woven, _) => count(0..rect.width, woven.is_some()),
                }
                let stored = out.measure.line(y, span.first, span.count);
                sources.stmm_sum += stored.iter().map(|&v| v as u64).sum::<u64>();
                sources.pairs += span.count as u64;
            }
        }
        for (input, out) in input.chroma.iter().flatten().zip(&mut out.chroma) {
            let pairs = |l: usize| chroma::Pairs { angle: angle.of_line(l, span), stmm3: motion.stmm3(l), left: span.left };
            chroma::block_row(input, rect, top, [0, 1, 2, 3].map(pairs), out, chroma);
        }
    }
    sources
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
    pub field: PlaneView<'a>,
    /// Whether the missing lines are woven from the same frame instead.
    pub weave: bool,
    /// The chroma, unless there is none.
    pub chroma: Option<chroma::Input<'a>>,
}

/// Completes a field spatially inside a rectangle whose corner lies on the 4×4 grid.
pub(crate) fn spatial_tile(input: &Spatial, rect: Rect, luma: &mut BandMut, chroma: &mut [BandMut; 2], scratch: &mut Scratch) {
    let span = Span::of(rect, input.pairs);
    // Everything counts as moving.
    let th = AngleThresholds { stmm_min: 0, ..input.parameters.angle() };
    let (x, pairs) = span.widened();
    for top in (rect.y..rect.y + rect.height).step_by(4) {
        for y in top..(top + 4).min(rect.y + rect.height) {
            let line = luma.line(y, rect.x, rect.width);
            line.copy_from_slice(input.field.line(y as isize, rect.x, rect.width));
            if y % 2 != input.missing {
                continue;
            }
            let lines = [-3, -1, 1, 3].map(|dy| input.field.row(y as isize + dy, x, 2 * pairs));
            scratch.angle.find(input.kernels, y - top, lines, &scratch.moving, span, &th);
            if !input.weave {
                let [upper, lower] = [-1, 1].map(|dy| input.field.row(y as isize + dy, rect.x as isize, rect.width));
                (input.kernels.interpolate)(line, upper, lower, scratch.angle.of_line(y - top, span));
            }
        }
        if let Some(input) = &input.chroma {
            let pairs = |l: usize| chroma::Pairs { angle: scratch.angle.of_line(l, span), stmm3: &[], left: span.left };
            chroma::block_row(input, rect, top, [0, 1, 2, 3].map(pairs), chroma, &mut scratch.chroma);
        }
    }
}
