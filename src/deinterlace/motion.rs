//! Temporal difference, complexity and the motion measure STMM (§3.1, §3.2), and the view C of the current frame (§1.5).
use super::{BlockRow, DeinterlaceParameters, Input};
use crate::plane::{BandMut, PlaneView};
use dndi_simd::{Row, Stmm};

/// C: the current frame as a block row sees it, denoised near it and original elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Current<'a> {
    pub denoised: PlaneView<'a>,
    /// None with denoise off, when all block rows see the same.
    pub original: Option<PlaneView<'a>>,
    pub top_first: bool,
}

impl<'a> Current<'a> {
    /// Line `y` as seen from the block row that begins at line `top`; arguments as in [`PlaneView::row`].
    pub fn row(&self, top: usize, y: isize, x: isize, width: usize) -> Row<'a> {
        let seen = if self.top_first { -2..=6 } else { -3..=5 };
        let view = match self.original {
            Some(original) if !seen.contains(&(y - top as isize)) => original,
            _ => self.denoised,
        };
        view.row(y, x, width)
    }
}

/// Room for the motion measure of a block row. Rows cover the pairs of [`Span::widened`](super::Span::widened).
#[derive(Debug)]
pub(crate) struct Scratch {
    /// Temporal differences of the lines -2…5 of the block row.
    differences: [Vec<u16>; 8],
    /// stmm2 of a line, one pair more on both sides; 0 outside the picture.
    stmm2: Vec<u8>,
    /// stmm3 of each line of the block row, one pair more on both sides; 0 outside the picture. Wrong at the ends where these are not
    /// the picture's.
    stmm3: [Vec<u8>; 4],
    /// svcm + shcm of each line of the block row.
    pub detail: [Vec<u16>; 4],
}

impl Scratch {
    pub fn new(pairs: usize) -> Scratch {
        Scratch {
            differences: [0; 8].map(|_| vec![0; pairs]),
            stmm2: vec![0; pairs + 2],
            stmm3: [0; 4].map(|_| vec![0; pairs + 2]),
            detail: [0; 4].map(|_| vec![0; pairs]),
        }
    }

    /// Measures the lines of a block row; `stored` takes their stmm2. Block rows of a tile come in order.
    pub fn measure(&mut self, input: &Input, row: &BlockRow, first: bool, stored: &mut BandMut) {
        self.find_differences(input, row, first);
        let pairs = row.span.widened().1;
        let [own, stmm2] = [row.span.left + 1..row.span.left + 1 + row.span.count, 0..pairs + 2];
        let stmm2 = &mut self.stmm2[stmm2];
        (stmm2[0], stmm2[pairs + 1]) = (0, 0);
        for l in 0..row.lines {
            let k = [0, 1, 2, 3, 4].map(|j| row.k(l, j - 2));
            let differences = [0, 1, 2, 3, 4].map(|j| &self.differences[l + j][..pairs]);
            let old = input.stored.line(row.top + l, row.span.first - row.span.left, pairs);
            (input.kernels.stmm)(&mut stmm2[1..=pairs], &mut self.detail[l], k, differences, old, &input.parameters.stmm());
            stored.line(row.top + l, row.span.first, row.span.count).copy_from_slice(&stmm2[own.clone()]);
            (input.kernels.max3)(&mut self.stmm3[l][1..=pairs], stmm2);
            self.stmm3[l][pairs + 1] = 0;
        }
    }

    /// stmm3 of line `l` of the block row.
    pub fn stmm3(&self, l: usize) -> &[u8] {
        &self.stmm3[l][1..]
    }

    /// The same from one pair before on.
    pub fn stmm3_around(&self, l: usize) -> &[u8] {
        &self.stmm3[l]
    }

    /// Finds the temporal differences that the lines of the block row need; both outputs use the same.
    fn find_differences(&mut self, input: &Input, row: &BlockRow, first: bool) {
        // Those of the lines -2…1 were found for the block row above as its lines 2…5. That saw other lines denoised, if any are, but
        // for one of the differences both saw the same.
        self.differences.rotate_left(4);
        let same = if input.current.top_first { 2 } else { 1 };
        let known = |j: usize| !first && (j == same || j < 4 && input.current.original.is_none());
        let pairs = row.span.widened().1;
        for (j, dst) in self.differences.iter_mut().enumerate().filter(|(j, _)| !known(*j)) {
            let lines = row.frames.map(|frame| [frame[j], frame[j + 2], frame[j + 4]]);
            (input.kernels.temporal_difference)(&mut dst[..pairs], lines[0], lines[1]);
        }
    }
}

impl DeinterlaceParameters {
    fn stmm(&self) -> Stmm {
        Stmm {
            vecm_mul: self.vecm_mul,
            stmm_c2: self.stmm_c2,
            stmm_shift_down: self.stmm_shift_down,
            stmm_shift_up: self.stmm_shift_up,
            stmm_trc1: self.stmm_trc1,
            stmm_trc2: self.stmm_trc2,
            md_th: if self.blending_constant_select == 1 { self.stmm_trc1 } else { self.stmm_trc2 },
        }
    }
}
