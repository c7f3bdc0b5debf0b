//! Spatial deinterlacer: the angle of each pair of a missing line (§3.3).
use super::block_row::Span;
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use dndi_simd::{AngleThresholds, Kernels, Row};

/// Scratch buffers for the angles of a block row. Rows hold the pairs of [`Span::widened`].
#[derive(Debug)]
pub(super) struct Scratch {
    /// Angles of a line before the median, with one pair more on both sides: outside the picture
    /// the outermost one inside.
    unfiltered: Vec<u8>,
    /// Final angles of each line. The outermost values are wrong where a row does not end at the
    /// picture's edge.
    angle: [Vec<u8>; 4],
    /// Costs of the vertical of each line.
    pub cost90: [Vec<u16>; 4],
}

impl Scratch {
    /// Buffers for rows of `pairs` pairs.
    pub fn new(pairs: usize) -> Result<Scratch, OutOfMemory> {
        Ok(Scratch { unfiltered: zeroed(pairs + 2)?, angle: zeroed_rows(pairs)?, cost90: zeroed_rows(pairs)? })
    }

    /// Computes the final angles of line `l` of a block row and the costs of its vertical. `lines`
    /// are y-3, y-1, y+1, y+3 of the field; `stmm` has one pair more on both sides.
    pub fn find(&mut self, kernels: &Kernels, l: usize, lines: [Row; 4], stmm: &[u8], span: Span, th: &AngleThresholds) {
        let pairs = span.widened().1;
        let unfiltered = &mut self.unfiltered[..pairs + 2];
        (kernels.angle)(&mut unfiltered[1..=pairs], &mut self.cost90[l][..pairs], lines, stmm, th);
        (unfiltered[0], unfiltered[pairs + 1]) = (unfiltered[1], unfiltered[pairs]);
        (kernels.median3)(&mut self.angle[l][..pairs], unfiltered);
    }

    /// The final angles of the tile's own pairs in line `l`.
    pub fn of_line(&self, l: usize, span: Span) -> &[u8] {
        span.own(&self.angle[l])
    }
}
