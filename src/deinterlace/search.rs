//! Motion compensated deinterlacing: search, checks, compensation (§3.5).
use super::{Input, Line};
use crate::parameters::parameters;
use dndi_simd::{Compensate, CompensateRows, OUTSIDE};

parameters! {
    /// Parameters of the motion compensation. The Gen6 state has no place for them; names, defaults and ranges are those of Gen11.
    CompensationParameters {
        /// whether missing lines may be motion compensated
        mcdi_enable = 1 in 0..=1;
        /// detail per unit of the content-adaptive threshold
        cat_slope = 10 in 1..=16;
        /// margin below the vertical cost
        sad_tight_th = 5 in 0..=15;
        /// by how much neighbouring vectors may differ
        smooth_mv_th = 0 in 0..=3;
        /// a SAD up to it needs fewer checks
        cat_th1 = 0 in 0..=3;
        /// distance to a vertical neighbour that counts as near
        neighbor_pixel_th = 10 in 0..=15;
        /// the two compensations must differ by less
        mc_pixel_consistency_th = 25 in 0..=63;
        /// content-adaptive threshold of flat areas
        sad_tha = 5 in 0..=15;
        /// content-adaptive threshold of detailed areas
        sad_thb = 10 in 0..=15;
    }
}

impl CompensationParameters {
    fn compensate(&self) -> Compensate {
        Compensate {
            cat_slope: self.cat_slope as u8,
            sad_tight_th: self.sad_tight_th as u8,
            cat_th1: self.cat_th1 as u8,
            neighbor_pixel_th: self.neighbor_pixel_th as u8,
            mc_pixel_consistency_th: self.mc_pixel_consistency_th as u8,
            sad_tha: self.sad_tha as u8,
            sad_thb: self.sad_thb as u8,
        }
    }
}

/// Vectors and SADs of the lines of a block row.
#[derive(Debug)]
pub(crate) struct Scratch {
    vector: [Vec<u8>; 4],
    best_sad: [Vec<u16>; 4],
    /// Costs of the vertical, from the angle's search.
    cost90: [Vec<u16>; 4],
    smooth: Vec<u8>,
    /// A line of vectors outside the picture.
    outside: Vec<u8>,
}

impl Scratch {
    pub fn new(pairs: usize) -> Scratch {
        Scratch {
            vector: [0; 4].map(|_| vec![0; pairs]),
            best_sad: [0; 4].map(|_| vec![0; pairs]),
            cost90: [0; 4].map(|_| vec![0; pairs]),
            smooth: vec![0; pairs],
            outside: vec![OUTSIDE; pairs],
        }
    }

    /// Searches the vectors of a missing line and keeps its vertical costs for the checks.
    pub fn find(&mut self, input: &Input, line: Line, cost90: &[u16]) {
        let Line { role, span, top, l, .. } = line;
        let (y, x, width) = (line.y() as isize, 2 * span.first as isize, 2 * span.count);
        let k = [-2, -1, 0, 1, 2].map(|dy| input.completed(role, top, y + dy, x, width));
        let r = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map(|dy| input.other(role, top, y + dy, x, width));
        (input.kernels.search)(&mut self.best_sad[l][..span.count], &mut self.vector[l][..span.count], k, r);
        self.cost90[l][..span.count].copy_from_slice(cost90);
    }

    /// Puts compensated samples into `di`, which holds the spatial interpolation of the line along `angle`.
    pub fn compensate(
        &mut self,
        input: &Input,
        parameters: &CompensationParameters,
        line: Line,
        angle: &[u8],
        detail: &[u16],
        di: &mut [u8],
    ) {
        let Line { role, span, top, l, lines } = line;
        let (y, x, width, count) = (line.y() as isize, 2 * span.first as isize, 2 * span.count, span.count);
        // Lines 0 and 1 are compared with those below, lines 2 and 3 with those above.
        let neighbours = if l < 2 { [l + 1, l + 2] } else { [l - 1, l - 2] };
        let [other, same] = neighbours.map(|n| if n < lines { &self.vector[n][..count] } else { &self.outside[..count] });
        let own = &self.vector[l][..count];
        (input.kernels.smooth)(&mut self.smooth[..count], own, other, same, parameters.smooth_mv_th as u8);
        let rows = CompensateRows {
            angle,
            best_sad: &self.best_sad[l][..count],
            vector: own,
            smooth: &self.smooth[..count],
            detail: &detail[..count],
            cost90: &self.cost90[l][..count],
            k: [-2, -1, 0, 1, 2].map(|dy| input.completed(role, top, y + dy, x, width)),
            r: [-2, 0, 2].map(|dy| input.other(role, top, y + dy, x, width)),
        };
        (input.kernels.compensate)(di, &rows, &parameters.compensate());
    }
}
