//! Parameters of the deinterlacer and of its motion compensation (§3, §8.1).
use crate::parameters::field::{ParameterError, parameters};
use dndi_simd::{AngleThresholds, Compensate, Stmm, StmmBlend};

parameters! {
    /// Parameters of the deinterlacer.
    DeinterlaceParameters {
        /// constant added to the complexity that divides the temporal difference
        stmm_c2: u8 = 3 in 1..=8;
        /// constant that a new motion measure is compared with: stmm_trc2 (0) or stmm_trc1 (1)
        blending_constant_select: u8 = 0 in 0..=1;
        /// weight of the stored motion measure if the new one is large, in 1/256
        stmm_trc1: u8 ["trc1"] = 64 in 0..=127;
        /// weight of the stored motion measure if the new one is small, in 1/256
        stmm_trc2: u8 ["trc2"] = 125 in 0..=255;
        /// weight of vertical edges, which reduce the complexity, in 1/32
        vecm_mul: u8 = 30 in 0..=63;
        /// motion measure above which a pair is moving; stmm_max - stmm_min = 1 << stmm_shift
        stmm_max: u8 = 150 in 0..=255;
        /// motion measure below which a pair is still
        stmm_min: u8 = 118 in 0..=255;
        /// right shift of the temporal difference, in bits
        stmm_shift_down: u8 ["shift1"] = 4 in 4..=6;
        /// left shift of the temporal difference after stmm_shift_down, in bits
        stmm_shift_up: u8 ["shift2"] = 7 in 6..=8;
        /// log2 of stmm_max - stmm_min; values above 7 are rejected when deinterlacing
        stmm_shift: u8 = 5 in 0..=16;
        /// sum of differences by which a side must win, and below which its angle must stay
        sdi_threshold: u8 = 100 in 0..=255;
        /// sum of differences by which each flatter angle must win
        sdi_delta: u8 = 5 in 0..=255;
        /// excess of fine detail that forces the vertical, as a sum of differences
        sdi_t1: u8 = 50 in 0..=255;
        /// smallest fine detail that forces the vertical, as a sum of differences
        sdi_t2: u8 = 100 in 0..=255;
        /// handicap of an angle against the vertical in the small window, a sum of differences
        angle2x1: u8 = 37 in 0..=255;
    }
}

parameters! {
    /// Parameters of the motion compensation (§3.5). The Gen6 state has no fields for them; names,
    /// defaults and ranges are those of Gen11.
    CompensationParameters {
        /// motion compensation of missing lines: 0 off, 1 on
        mcdi_enable: bool = 1 in 0..=1;
        /// detail of an area per unit of its content-adaptive threshold
        cat_slope: u8 = 10 in 1..=16;
        /// margin of the best SAD below the cost of the vertical, in code values per sample
        sad_tight_th: u8 = 5 in 0..=15;
        /// largest difference between neighbouring vectors, in pixels and in lines
        smooth_mv_th: u8 = 0 in 0..=3;
        /// largest SAD for which only consistency and smoothness are checked
        cat_th1: u8 = 0 in 0..=3;
        /// difference to a vertical neighbour below which a pixel is accepted, in code values
        neighbor_pixel_th: u8 = 10 in 0..=15;
        /// difference below which both compensations of a pixel agree, in code values
        mc_pixel_consistency_th: u8 = 25 in 0..=63;
        /// content-adaptive threshold of flat areas, in code values per sample
        sad_tha: u8 = 5 in 0..=15;
        /// content-adaptive threshold of detailed areas, in code values per sample
        sad_thb: u8 = 10 in 0..=15;
    }
}

impl DeinterlaceParameters {
    /// Checks that `stmm_max - stmm_min = 1 << stmm_shift`.
    pub(crate) fn check_blend(&self) -> Result<(), ParameterError> {
        let (max, min, shift) = (self.stmm_max, self.stmm_min, self.stmm_shift);
        let fits = shift < 8 && i32::from(max) - i32::from(min) == 1 << shift;
        fits.then_some(()).ok_or_else(|| {
            let message = format!("stmm_max - stmm_min = {max} - {min} is not 1 << stmm_shift with stmm_shift = {shift} in 0…7");
            ParameterError::Conflict { fields: &["stmm_max", "stmm_min", "stmm_shift"], message }
        })
    }

    /// The range of the blend between still and moving (§3.7).
    pub(crate) fn mix(&self) -> StmmBlend {
        StmmBlend { stmm_min: self.stmm_min, stmm_max: self.stmm_max, stmm_shift: self.stmm_shift }
    }

    /// The constants of the motion measure (§3.2).
    pub(super) fn stmm(&self) -> Stmm {
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

    /// The thresholds of the angles (§3.3).
    pub(super) fn angle(&self) -> AngleThresholds {
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

impl CompensationParameters {
    /// The thresholds of the motion compensation; `stmm_min` is that of the deinterlacer.
    pub(super) fn compensate(&self, stmm_min: u8) -> Compensate {
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
