//! Temporal difference, complexity and the motion measure STMM (§3.1, §3.2), and the view C of the current frame (§1.5).
use super::{DeinterlaceParameters, Input, Line, Span};
use crate::surface::View;
use dndi_simd::{DIFFERENCE_APRON, Row, Stmm};

/// C: the current frame as a block row sees it, denoised near it and original elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Current<'a> {
    pub denoised: View<'a>,
    pub original: View<'a>,
    pub top_first: bool,
}

impl<'a> Current<'a> {
    /// Line `y` as seen from the block row that begins at line `top`; arguments as in [`View::row`].
    pub fn row(&self, top: usize, y: isize, x: isize, width: usize) -> Row<'a> {
        let seen = if self.top_first { -2..=6 } else { -3..=5 };
        let view = if seen.contains(&(y - top as isize)) { self.denoised } else { self.original };
        view.row(y, x, width)
    }
}

/// Room for the motion measure of a block row.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// |C' - P'| of the lines -2…5 of the block row.
    differences: [Vec<u8>; 8],
    /// stmm2 of a line, one pair more on both sides; 0 outside the picture.
    stmm2: Vec<u8>,
    wide_detail: Vec<u16>,
    /// stmm3 of each line of the block row.
    pub stmm3: [Vec<u8>; 4],
    /// svcm + shcm of each line of the block row.
    pub detail: [Vec<u16>; 4],
}

impl Scratch {
    pub fn new(pairs: usize) -> Scratch {
        Scratch {
            differences: [0; 8].map(|_| vec![0; 2 * (pairs + 2) + 2 * DIFFERENCE_APRON]),
            stmm2: vec![0; pairs + 2],
            wide_detail: vec![0; pairs + 2],
            stmm3: [0; 4].map(|_| vec![0; pairs]),
            detail: [0; 4].map(|_| vec![0; pairs]),
        }
    }

    /// The temporal differences that the lines of the block row at `top` need. Both outputs use the same.
    pub fn differences(&mut self, input: &Input, span: Span, top: usize) {
        let (x, pairs) = span.widened();
        let (x, width) = (x - DIFFERENCE_APRON as isize, 2 * pairs + 2 * DIFFERENCE_APRON);
        for (line, dst) in (top as isize - 2..).zip(&mut self.differences) {
            let current = [-2, 0, 2].map(|dy| input.current.row(top, line + dy, x, width));
            let previous = [-2, 0, 2].map(|dy| input.previous.row(line + dy, x, width));
            (input.kernels.temporal_difference)(&mut dst[..width], current, previous);
        }
    }

    /// Measures a missing line; `stored` takes its stmm2.
    pub fn measure(&mut self, input: &Input, line: Line, stored: &mut [u8]) {
        let Line { role, span, top, l, .. } = line;
        let (x, pairs) = span.widened();
        let k = [-2, -1, 0, 1, 2].map(|dy| input.completed(role, top, line.y() as isize + dy, x, 2 * pairs));
        let differences = [0, 1, 2, 3, 4].map(|j| &self.differences[l + j][..2 * pairs + 2 * DIFFERENCE_APRON]);
        let old = input.stored.line(line.y(), span.first - span.left, pairs);
        let stmm2 = &mut self.stmm2[..span.count + 2];
        stmm2.fill(0);
        let own = 1 - span.left..1 - span.left + pairs;
        let detail = &mut self.wide_detail[..pairs];
        (input.kernels.stmm)(&mut stmm2[own], detail, k, differences, old, &input.parameters.stmm());
        stored.copy_from_slice(&stmm2[1..=span.count]);
        self.detail[l][..span.count].copy_from_slice(&detail[span.left..][..span.count]);
        (input.kernels.max3)(&mut self.stmm3[l][..span.count], stmm2);
    }
}

impl DeinterlaceParameters {
    fn stmm(&self) -> Stmm {
        Stmm {
            vecm_mul: self.vecm_mul as u8,
            stmm_c2: self.stmm_c2 as u8,
            stmm_shift_down: self.stmm_shift_down as u8,
            stmm_shift_up: self.stmm_shift_up as u8,
            stmm_trc1: self.stmm_trc1 as u8,
            stmm_trc2: self.stmm_trc2 as u8,
            md_th: if self.blending_constant_select == 1 { self.stmm_trc1 } else { self.stmm_trc2 } as u8,
        }
    }
}
