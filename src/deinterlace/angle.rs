//! Spatial deinterlacer: the angle of each pair (§3.3).
use super::{DeinterlaceParameters, Span};
use crate::surface::View;
use dndi_simd::{AngleThresholds, Kernels};

/// Room for the angles of a line.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// Angles before the median, one pair more on both sides; pairs outside the picture repeat the last one inside.
    angle: Vec<u8>,
    cost90: Vec<u16>,
}

impl Scratch {
    pub fn new(pairs: usize) -> Scratch {
        Scratch { angle: vec![0; pairs + 2], cost90: vec![0; pairs + 2] }
    }

    /// Writes the final angles of the missing line `y` of a field and returns its costs of the vertical.
    pub fn find(&mut self, kernels: &Kernels, field: View, span: Span, y: usize, th: &AngleThresholds, dst: &mut [u8]) -> &[u16] {
        let (x, pairs) = span.widened();
        let lines = [-3, -1, 1, 3].map(|dy| field.row(y as isize + dy, x, 2 * pairs));
        let own = 1 - span.left..1 - span.left + pairs;
        (kernels.angle)(&mut self.angle[own.clone()], &mut self.cost90[own], lines, th);
        if span.left == 0 {
            self.angle[0] = self.angle[1];
        }
        if span.right == 0 {
            self.angle[span.count + 1] = self.angle[span.count];
        }
        (kernels.median3)(dst, &self.angle[..span.count + 2]);
        &self.cost90[1..=span.count]
    }
}

impl DeinterlaceParameters {
    pub(crate) fn angle(&self) -> AngleThresholds {
        AngleThresholds {
            sdi_threshold: self.sdi_threshold as u8,
            sdi_delta: self.sdi_delta as u8,
            sdi_t1: self.sdi_t1 as u8,
            sdi_t2: self.sdi_t2 as u8,
            angle2x1: self.angle2x1 as u8,
        }
    }
}
