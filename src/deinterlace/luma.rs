//! Both outputs of a step inside a tile: luma, motion measure, and the calls for the chroma (§3).
use super::block_row::{BlockRow, Input, Span};
use super::compensation::compensate_rows;
use super::pixel_sources::PixelSources;
use super::role::{ROLES, Role};
use super::{angle, chroma, motion};
use crate::field_match::FieldMatch;
use crate::format::Rect;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, filled, zeroed_rows};
use crate::plane::BandMut;
use std::ops::Range;

/// Output of a tile: lines of the band that it belongs to.
pub(crate) struct Output<'a, S = u8> {
    /// Luma of prev2 and cur1.
    pub luma: [BandMut<'a, S>; 2],
    /// Both chroma planes of prev2 and of cur1; empty bands for mono.
    pub chroma: [[BandMut<'a, S>; 2]; 2],
    /// The motion measure of the missing lines of both.
    pub measure: BandMut<'a>,
}

/// Scratch buffers for the rows of a tile.
#[derive(Debug)]
pub(crate) struct Scratch<S = u8> {
    pub(super) motion: motion::Scratch,
    pub(super) angle: angle::Scratch,
    /// Each line of a block row, interpolated along its angles and motion compensated.
    pub(super) di: [Vec<S>; 4],
    /// The same lines before motion compensation, if sources are counted.
    pub(super) sdi: [Vec<S>; 4],
    pub(super) chroma: chroma::Scratch<S>,
    /// A line of motion measures that count as moving.
    pub(super) moving: Vec<u8>,
}

impl<S: PlaneSample> Scratch<S> {
    /// Buffers for tiles up to `width` pixels wide.
    pub fn new(width: usize) -> Result<Scratch<S>, OutOfMemory> {
        let widened = if width == 0 { 0 } else { width.div_ceil(2) + 4 };
        Ok(Scratch {
            motion: motion::Scratch::new(widened)?,
            angle: angle::Scratch::new(widened)?,
            di: zeroed_rows(width)?,
            sdi: zeroed_rows(width)?,
            chroma: chroma::Scratch::new(width)?,
            moving: filled(widened + 2, 255)?,
        })
    }

    /// Measures the motion of a block row, and writes it to `measure`. The block rows of a tile
    /// must come in order.
    pub(super) fn measure(&mut self, input: &Input<S>, row: &BlockRow<S>, rect: Rect, measure: &mut BandMut) {
        self.motion.measure(input, row, row.top == rect.y, measure);
    }

    /// Interpolates the missing lines of a block row, whose motion was measured, for moving pixels:
    /// it finds the angles, interpolates and compensates.
    pub(super) fn interpolate(&mut self, input: &Input<S>, row: &BlockRow<S>, rect: Rect) {
        let kernels = S::kernels(input.kernels);
        let Scratch { motion, angle, di, sdi, .. } = self;
        let (span, th) = (row.span, input.parameters.angle());
        for (l, di) in di.iter_mut().enumerate().take(row.lines) {
            angle.find(input.kernels, l, [-3, -1, 1, 3].map(|dy| row.k(l, dy)), motion.stmm3_around(l), span, &th);
            let [upper, lower] = row.around(l);
            (kernels.interpolate)(&mut di[..rect.width], upper, lower, angle.of_line(l, span));
        }
        if input.counts {
            sdi.iter_mut().zip(di.iter()).for_each(|(sdi, di)| sdi[..rect.width].copy_from_slice(&di[..rect.width]));
        }
        if let Some(parameters) = input.compensation {
            let p = parameters.compensate(input.parameters.stmm_min);
            let rows = compensate_rows(row, motion, angle);
            (kernels.compensate)(&mut di.each_mut().map(|di| &mut di[..rect.width]), &rows, &p);
        }
    }
}

/// Completes the wanted outputs of a step inside a rectangle whose corner lies on the 4×4 grid.
/// Returns the sources of their pixels; zeros unless `input.counts` is set.
pub(crate) fn tile<S: PlaneSample>(
    input: &Input<S>,
    rect: Rect,
    out: &mut Output<S>,
    scratch: &mut Scratch<S>,
) -> [PixelSources; 2] {
    let mut sources = [PixelSources::default(); 2];
    let span = Span::of(rect, input.pairs);
    for top in (rect.y..rect.y + rect.height).step_by(4) {
        let row = &BlockRow::new(input, rect, span, top);
        scratch.measure(input, row, rect, &mut out.measure);
        let is_interpolated = ROLES.map(|role| is_interpolated(input, row, rect, role));
        if is_interpolated.contains(&true) {
            scratch.interpolate(input, row, rect);
        }
        for l in 0..row.lines {
            // The line is missing in one output and exists in the other.
            let (role, y) = (input.role(l), top + l);
            if input.wanted[1 - role as usize] {
                let other = out.luma[1 - role as usize].line(y, rect.x, rect.width);
                other.copy_from_slice(&row.existing(l)[..rect.width]);
            }
            if !input.wanted[role as usize] {
                continue;
            }
            let line = out.luma[role as usize].line(y, rect.x, rect.width);
            missing_line(input, row, rect, l, line, is_interpolated[role as usize].then_some(&*scratch));
            if input.counts {
                let sources = &mut sources[role as usize];
                count(input, row, rect, l, scratch, sources);
                let stored = out.measure.line(y, span.first, span.count);
                sources.stmm_sum += u64::from(stored.iter().map(|&v| u32::from(v)).sum::<u32>());
                sources.pairs += span.count as u64;
            }
        }
        let Scratch { motion, angle, chroma, .. } = scratch;
        let outputs = input.chroma.iter().flatten().zip(&mut out.chroma).zip(input.wanted);
        for (input, out) in outputs.filter_map(|(output, wanted)| wanted.then_some(output)) {
            let pairs = |l: usize| chroma::Pairs { angle: angle.of_line(l, span), stmm3: motion.stmm3(l), left: span.left };
            chroma::block_row(input, rect, top, [0, 1, 2, 3].map(pairs), out, chroma);
        }
    }
    sources
}

/// Whether any sample of an output is interpolated in a block row.
#[inline]
fn is_interpolated<S: PlaneSample>(input: &Input<S>, row: &BlockRow<S>, rect: Rect, role: Role) -> bool {
    let is_deinterlaced = input.matches[role as usize] == FieldMatch::Deinterlace;
    input.wanted[role as usize] && (is_deinterlaced || parts(input, row, rect, role).any(|(_, combed)| combed))
}

/// Writes the missing line `l` of a block row: woven, deinterlaced, or a mixture by the comb mask.
/// `interpolated` has the interpolated lines; none if the whole line is woven.
#[inline]
fn missing_line<S: PlaneSample>(
    input: &Input<S>,
    row: &BlockRow<S>,
    rect: Rect,
    l: usize,
    luma: &mut [S],
    interpolated: Option<&Scratch<S>>,
) {
    let (role, y) = (input.role(l), (row.top + l) as isize);
    if let Some(Scratch { di, motion, .. }) = interpolated {
        let stmm3 = row.span.own(motion.stmm3(l));
        (S::kernels(input.kernels).blend)(luma, &di[l][..rect.width], row.fields(l), stmm3, &input.parameters.mix());
    }
    let woven = match input.matches[role as usize] {
        FieldMatch::Previous => input.previous.samples.line(y, rect.x, rect.width),
        FieldMatch::Next => input.current.denoised.samples.line(y, rect.x, rect.width),
        FieldMatch::Deinterlace => return,
    };
    if interpolated.is_none() {
        return luma.copy_from_slice(woven);
    }
    for (part, _) in parts(input, row, rect, role).filter(|(_, combed)| !combed) {
        luma[part.clone()].copy_from_slice(&woven[part]);
    }
}

/// The parts of the tile's columns that the comb mask of an output marks, and those it does not.
fn parts<'a, S: PlaneSample>(
    input: &Input<'a, S>,
    row: &BlockRow<S>,
    rect: Rect,
    role: Role,
) -> impl Iterator<Item = (Range<usize>, bool)> + use<'a, S> {
    let (lines, columns) = (row.top..row.top + row.lines, rect.x..rect.x + rect.width);
    let parts = input.comb_masks[role as usize].map(|mask| mask.parts(lines, columns));
    parts.into_iter().flatten().map(move |(part, combed)| (part.start - rect.x..part.end - rect.x, combed))
}

/// Counts the sources of the pixels of the missing line `l` of a block row.
fn count<S: PlaneSample>(
    input: &Input<S>,
    row: &BlockRow<S>,
    rect: Rect,
    l: usize,
    scratch: &Scratch<S>,
    sources: &mut PixelSources,
) {
    let role = input.role(l);
    let (stmm3, woven) = (row.span.own(scratch.motion.stmm3(l)), input.matches[role as usize] != FieldMatch::Deinterlace);
    let mut count = |part: Range<usize>, woven| match woven {
        true => *sources += PixelSources::of(part.len() as u64, true),
        false => sources.count(input.kernels, part, stmm3, input.parameters.stmm_min, [&scratch.di[l], &scratch.sdi[l]]),
    };
    if woven && input.comb_masks[role as usize].is_some() {
        parts(input, row, rect, role).for_each(|(part, combed)| count(part, !combed));
    } else {
        count(0..rect.width, woven);
    }
}
