//! Spatial deinterlacing alone: the first step and the end of the stream (§1.4).
use super::block_row::Span;
use super::chroma;
use super::luma::Scratch;
use super::parameters::DeinterlaceParameters;
use crate::format::Rect;
use crate::frame::PlaneSample;
use crate::plane::{BandMut, LumaView};
use dndi_simd::{AngleThresholds, Kernels};

/// Input of the tiles of a field that is completed without another frame.
#[derive(Clone, Copy)]
pub(crate) struct Spatial<'a, S = u8> {
    pub kernels: &'a Kernels,
    pub parameters: &'a DeinterlaceParameters,
    /// Pairs of pixels in a line of the picture.
    pub pairs: usize,
    /// Parity of the missing lines.
    pub missing: usize,
    /// The denoised frame that holds the field.
    pub field: LumaView<'a, S>,
    /// Whether the missing lines are woven from the same frame instead.
    pub weave: bool,
    /// The chroma; none for mono.
    pub chroma: Option<chroma::Input<'a, S>>,
}

/// Completes a field spatially inside a rectangle whose corner lies on the 4×4 grid.
pub(crate) fn spatial_tile<S: PlaneSample>(
    input: &Spatial<S>,
    rect: Rect,
    luma: &mut BandMut<S>,
    chroma: &mut [BandMut<S>; 2],
    scratch: &mut Scratch<S>,
) {
    let span = Span::of(rect, input.pairs);
    // With a minimum of 0 every pair counts as moving.
    let th = AngleThresholds { stmm_min: 0, ..input.parameters.angle() };
    let (x, pairs) = span.widened();
    for top in (rect.y..rect.y + rect.height).step_by(4) {
        for y in top..(top + 4).min(rect.y + rect.height) {
            let line = luma.line(y, rect.x, rect.width);
            line.copy_from_slice(input.field.samples.line(y as isize, rect.x, rect.width));
            if y % 2 != input.missing {
                continue;
            }
            let lines = [-3, -1, 1, 3].map(|dy| input.field.bytes.row(y as isize + dy, x, 2 * pairs));
            scratch.angle.find(input.kernels, y - top, lines, &scratch.moving, span, &th);
            if !input.weave {
                let around = |dy| input.field.samples.row(y as isize + dy, rect.x as isize, rect.width);
                let [upper, lower] = [-1, 1].map(around);
                (S::kernels(input.kernels).interpolate)(line, upper, lower, scratch.angle.of_line(y - top, span));
            }
        }
        if let Some(input) = &input.chroma {
            let pairs = |l: usize| chroma::Pairs { angle: scratch.angle.of_line(l, span), stmm3: &[], left: span.left };
            chroma::block_row(input, rect, top, [0, 1, 2, 3].map(pairs), chroma, &mut scratch.chroma);
        }
    }
}
