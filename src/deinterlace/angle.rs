//! Spatial deinterlacer: the angle of each pair (§3.3).
use super::{DeinterlaceParameters, Span};
use crate::surface::View;
use dndi_simd::{AngleThresholds, Kernels, OFFSETS};

/// Room for the angles of a field, sliding down its missing lines.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// Costs of the nine angles between the lines (y-3, y-1), (y-1, y+1), (y+1, y+3).
    costs: [Vec<u16>; 3],
    /// Detail of the lines y-1 and y+1.
    detail: [Vec<u16>; 2],
    /// Angles of a line, one pair more on both sides; pairs outside the picture repeat the last one inside.
    angle: Vec<u8>,
    cost90: Vec<u16>,
}

impl Scratch {
    pub fn new(pairs: usize) -> Scratch {
        Scratch {
            costs: [0; 3].map(|_| vec![0; 2 * OFFSETS.len() * (pairs + 2)]),
            detail: [0; 2].map(|_| vec![0; 2 * (pairs + 2)]),
            angle: vec![0; pairs + 2],
            cost90: vec![0; pairs + 2],
        }
    }

    /// Prepares for the missing line `y`, the first of a tile.
    pub fn begin(&mut self, kernels: &Kernels, field: View, span: Span, y: usize) {
        let y = y as isize;
        self.costs_below(kernels, field, span, 1, y - 3);
        self.costs_below(kernels, field, span, 2, y - 1);
        self.detail_of(kernels, field, span, y - 1);
    }

    /// Finds the angles and vertical costs of the missing line `y`; lines come in order from [`begin`](Scratch::begin) on.
    pub fn select(&mut self, kernels: &Kernels, field: View, span: Span, y: usize, th: &AngleThresholds) {
        let pairs = span.widened().1;
        self.costs.rotate_left(1);
        self.costs_below(kernels, field, span, 2, y as isize + 1);
        self.detail.rotate_left(1);
        self.detail_of(kernels, field, span, y as isize + 1);
        let costs = [0, 1, 2].map(|i| &self.costs[i][..2 * OFFSETS.len() * pairs]);
        let detail = [0, 1].map(|i| &self.detail[i][..2 * pairs]);
        let own = 1 - span.left..1 - span.left + pairs;
        (kernels.angle_select)(&mut self.angle[own.clone()], &mut self.cost90[own], costs, detail, th);
        if span.left == 0 {
            self.angle[0] = self.angle[1];
        }
        if span.right == 0 {
            self.angle[span.count + 1] = self.angle[span.count];
        }
    }

    /// The horizontal median of the angles found.
    pub fn smooth(&self, kernels: &Kernels, span: Span, dst: &mut [u8]) {
        (kernels.median3)(dst, &self.angle[..span.count + 2]);
    }

    /// The costs of the vertical of the line.
    pub fn cost90(&self, span: Span) -> &[u16] {
        &self.cost90[1..=span.count]
    }

    fn costs_below(&mut self, kernels: &Kernels, field: View, span: Span, slot: usize, upper: isize) {
        let (x, pairs) = span.widened();
        let [upper, lower] = [upper, upper + 2].map(|y| field.row(y, x, 2 * pairs));
        (kernels.angle_cost)(&mut self.costs[slot][..2 * OFFSETS.len() * pairs], upper, lower);
    }

    fn detail_of(&mut self, kernels: &Kernels, field: View, span: Span, y: isize) {
        let (x, pairs) = span.widened();
        (kernels.fine_detail)(&mut self.detail[1][..2 * pairs], field.row(y, x, 2 * pairs));
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
