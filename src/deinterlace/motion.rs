//! Temporal difference, complexity and the motion measure STMM of a block row (§3.1, §3.2).
use super::block_row::{BlockRow, Input};
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use crate::plane::BandMut;

/// Scratch buffers for the motion measure of a block row. Rows hold the pairs of
/// [`Span::widened`](super::block_row::Span::widened).
#[derive(Debug)]
pub(super) struct Scratch {
    /// Temporal differences of lines -2…5 of the block row.
    differences: [Vec<u16>; 8],
    /// stmm2 of a line, with one pair more on both sides; 0 outside the picture.
    stmm2: Vec<u8>,
    /// stmm3 of each line of the block row, with one pair more on both sides; 0 outside the
    /// picture. The outermost values are wrong where a row does not end at the picture's edge.
    stmm3: [Vec<u8>; 4],
    /// svcm + shcm of each line of the block row.
    pub detail: [Vec<u16>; 4],
}

impl Scratch {
    /// Buffers for rows of `pairs` pairs.
    pub fn new(pairs: usize) -> Result<Scratch, OutOfMemory> {
        Ok(Scratch {
            differences: zeroed_rows(pairs)?,
            stmm2: zeroed(pairs + 2)?,
            stmm3: zeroed_rows(pairs + 2)?,
            detail: zeroed_rows(pairs)?,
        })
    }

    /// Measures the motion of a block row and writes its stmm2 to `stored`. The block rows of a
    /// tile must be measured in order; `first` marks the first one.
    pub fn measure<S: PlaneSample>(&mut self, input: &Input<S>, row: &BlockRow<S>, first: bool, stored: &mut BandMut) {
        self.update_differences(input, row, first);
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

    /// stmm3 of line `l` of the block row, beginning one pair earlier.
    pub fn stmm3_around(&self, l: usize) -> &[u8] {
        &self.stmm3[l]
    }

    /// Computes the temporal differences of lines -2…5, which both outputs use.
    fn update_differences<S: PlaneSample>(&mut self, input: &Input<S>, row: &BlockRow<S>, first: bool) {
        // Lines -2…1 of this block row are lines 2…5 of the one above. That one saw other lines of
        // the current frame denoised, so its differences are reusable without denoising only,
        // except for one line, whose difference reads the same lines in both views.
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
