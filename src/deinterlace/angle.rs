//! Spatial deinterlacer: the angle of each pair (§3.3).
use super::{DeinterlaceParameters, Span};
use dndi_simd::{AngleThresholds, Kernels, Row};

/// Room for the angles of a block row. Rows cover the pairs of [`Span::widened`](super::Span::widened).
#[derive(Debug)]
pub(crate) struct Scratch {
    /// Angles of a line before the median, one pair more on both sides: outside the picture the last one inside.
    found: Vec<u8>,
    /// Final angles of each line; wrong at the ends of the rows where these are not the picture's.
    angle: [Vec<u8>; 4],
    /// Costs of the vertical of each line.
    pub cost90: [Vec<u16>; 4],
}

impl Scratch {
    pub fn new(pairs: usize) -> Scratch {
        Scratch { found: vec![0; pairs + 2], angle: [0; 4].map(|_| vec![0; pairs]), cost90: [0; 4].map(|_| vec![0; pairs]) }
    }

    /// Finds the final angles of line `l` of a block row and its costs of the vertical. `lines` are y-3, y-1, y+1, y+3 of the field,
    /// `stmm` has one pair more on both sides.
    pub fn find(&mut self, kernels: &Kernels, l: usize, lines: [Row; 4], stmm: &[u8], span: Span, th: &AngleThresholds) {
        let pairs = span.widened().1;
        let found = &mut self.found[..pairs + 2];
        (kernels.angle)(&mut found[1..=pairs], &mut self.cost90[l][..pairs], lines, stmm, th);
        (found[0], found[pairs + 1]) = (found[1], found[pairs]);
        (kernels.median3)(&mut self.angle[l][..pairs], found);
    }

    /// The final angles of the tile's own pairs in line `l`.
    pub fn of_line(&self, l: usize, span: Span) -> &[u8] {
        span.own(&self.angle[l])
    }
}

impl DeinterlaceParameters {
    pub(crate) fn angle(&self) -> AngleThresholds {
        AngleThresholds {
            stmm_min: self.stmm_min,
            sdi_threshold: self.sdi_threshold,
            sdi_delta: self.sdi_delta,
            sdi_t1: self.sdi_t1,
            sdi_t2: self.sdi_t2,
            angle2x1: self.angle2x1,
        }
    }
}
