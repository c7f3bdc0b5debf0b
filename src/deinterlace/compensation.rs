//! Parameters of the motion compensation (§3.5).
use crate::parameters::field::parameters;
use dndi_simd::Compensate;

parameters! {
    /// Parameters of the motion compensation. The Gen6 state has no place for them; names, defaults and ranges are those of Gen11.
    CompensationParameters {
        /// whether missing lines may be motion compensated
        mcdi_enable: bool = 1 in 0..=1;
        /// detail per unit of the content-adaptive threshold
        cat_slope: u8 = 10 in 1..=16;
        /// margin below the vertical cost
        sad_tight_th: u8 = 5 in 0..=15;
        /// by how much neighbouring vectors may differ
        smooth_mv_th: u8 = 0 in 0..=3;
        /// a SAD up to it needs fewer checks
        cat_th1: u8 = 0 in 0..=3;
        /// distance to a vertical neighbour that counts as near
        neighbor_pixel_th: u8 = 10 in 0..=15;
        /// the two compensations must differ by less
        mc_pixel_consistency_th: u8 = 25 in 0..=63;
        /// content-adaptive threshold of flat areas
        sad_tha: u8 = 5 in 0..=15;
        /// content-adaptive threshold of detailed areas
        sad_thb: u8 = 10 in 0..=15;
    }
}

impl CompensationParameters {
    /// `stmm_min` is the deinterlacer's.
    pub(crate) fn compensate(&self, stmm_min: u8) -> Compensate {
        Compensate {
            stmm_min,
            cat_slope: self.cat_slope,
            sad_tight_th: self.sad_tight_th,
            smooth_mv_th: self.smooth_mv_th,
            cat_th1: self.cat_th1,
            neighbor_pixel_th: self.neighbor_pixel_th,
            mc_pixel_consistency_th: self.mc_pixel_consistency_th,
            sad_tha: self.sad_tha,
            sad_thb: self.sad_thb,
        }
    }
}
