//! SAMPLER_STATE of sample_8x8: the scaler's filter type and the enhancement.
use super::field::Field;
use super::field::Format::{Aligned, Signed as S, Unsigned as U};
use super::structure::Structure;
use crate::enhance::Enhancement;
use crate::parameters::{ParameterError, Parameters};
use std::sync::LazyLock;

/// DWords of a SAMPLER_STATE for sample_8x8.
pub const SAMPLER_DWORDS: usize = 16;

/// Bits of DWord 0: no enhancement, detail filter, 5×5.
const BYPASS: u32 = 1 << 29;
const DETAIL: u32 = 1 << 28;
const WIDE: u32 = 1 << 27;

impl Parameters {
    /// Takes the parameters of the enhancement and the scaler's filter type from a SAMPLER_STATE of sample_8x8, and tells how it
    /// says to enhance. Reserved bits and those of other features are ignored.
    ///
    /// # Errors
    /// [`ParameterError::Range`] where a field holds what its parameter cannot be; nothing is changed then.
    pub fn set_sampler_state(&mut self, state: &[u32; SAMPLER_DWORDS]) -> Result<Option<Enhancement>, ParameterError> {
        self.take(&LAYOUT, state)?;
        Ok(match state[0] {
            first if first & BYPASS != 0 => None,
            first if first & DETAIL == 0 => Some(Enhancement::Combination),
            first if first & WIDE == 0 => Some(Enhancement::Detail3),
            _ => Some(Enhancement::Detail5),
        })
    }

    /// The SAMPLER_STATE of these parameters and a kind of enhancement, reserved bits 0.
    ///
    /// # Errors
    /// [`ParameterError::Range`] of a parameter that its field cannot hold.
    pub fn sampler_state(&self, enhance: Option<Enhancement>) -> Result<[u32; SAMPLER_DWORDS], ParameterError> {
        let mut state = [0; SAMPLER_DWORDS];
        self.put(&LAYOUT, &mut state)?;
        state[0] |= match enhance {
            None => BYPASS,
            Some(Enhancement::Combination) => WIDE,
            Some(Enhancement::Detail3) => DETAIL,
            Some(Enhancement::Detail5) => DETAIL | WIDE,
        };
        Ok(state)
    }
}

pub(super) static LAYOUT: LazyLock<Structure> = LazyLock::new(|| {
    let (parameter, own, reserved) = (Field::parameter, Field::own, Field::reserved);
    Structure {
        name: "SAMPLER_STATE_8x8",
        dwords: SAMPLER_DWORDS,
        section: "seed 000, 2.11.3.2",
        fields: vec![
            parameter("scaler.avs_filter_type", 0, 31, 31, U(1, 0)),
            reserved(0, 30, 30),
            own("ief_bypass", 0, 29, 29, U(1, 0)).about("no enhancement").usually(1),
            own("ief_filter_type", 0, 28, 28, U(1, 0)).about("kind of enhancement").values(&[(0, "combination"), (1, "detail")]),
            own("ief_filter_size", 0, 27, 27, U(1, 0)).about("window of the detail filter").values(&[(0, "3x3"), (1, "5x5")]),
            reserved(0, 26, 19),
            own("chroma_key_enable", 0, 18, 18, U(1, 0)).about("samples within the key's range become black"),
            own("chroma_key_index", 0, 17, 16, U(2, 0)).about("entry of the chroma key table"),
            reserved(0, 15, 0),
            own("sampler_8x8_state_pointer", 1, 31, 5, Aligned(5))
                .about("SAMPLER_8x8_STATE, an offset from the dynamic state base address"),
            reserved(1, 4, 0),
            reserved(2, 31, 16),
            parameter("ief.global_noise_estimation", 2, 15, 8, U(8, 0)),
            parameter("ief.strong_edge_threshold", 2, 7, 4, U(4, 0)),
            parameter("ief.weak_edge_threshold", 2, 3, 0, U(4, 0)),
            reserved(3, 31, 31),
            parameter("ief.strong_edge_weight", 3, 30, 28, U(3, 0)),
            reserved(3, 27, 27),
            parameter("ief.regular_weight", 3, 26, 24, U(3, 0)),
            reserved(3, 23, 23),
            parameter("ief.non_edge_weight", 3, 22, 20, U(3, 0)),
            parameter("ief.gain_factor", 3, 19, 14, U(6, 0)),
            reserved(3, 13, 11),
            parameter("ief.r3c_coefficient", 3, 10, 6, U(0, 5)),
            reserved(3, 5, 5),
            parameter("ief.r3x_coefficient", 3, 4, 0, U(0, 5)),
            reserved(4, 31, 31),
            parameter("ief.r5c_coefficient", 4, 30, 26, U(0, 5)),
            reserved(4, 25, 25),
            parameter("ief.r5cx_coefficient", 4, 24, 20, U(0, 5)),
            reserved(4, 19, 19),
            parameter("ief.r5x_coefficient", 4, 18, 14, U(0, 5)),
            reserved(4, 13, 12),
            parameter("ief.steepness_threshold", 4, 11, 8, U(4, 0)),
            parameter("ief.steepness_boost", 4, 7, 7, U(1, 0)),
            parameter("ief.mr_threshold", 4, 6, 3, U(4, 0)),
            parameter("ief.mr_boost", 4, 2, 2, U(1, 0)),
            reserved(4, 1, 0),
            parameter("ief.pwl1_point_4", 5, 31, 24, U(8, 0)),
            parameter("ief.pwl1_point_3", 5, 23, 16, U(8, 0)),
            parameter("ief.pwl1_point_2", 5, 15, 8, U(8, 0)),
            parameter("ief.pwl1_point_1", 5, 7, 0, U(8, 0)),
            parameter("ief.pwl1_r3_bias_1", 6, 31, 24, U(8, 0)),
            parameter("ief.pwl1_r3_bias_0", 6, 23, 16, U(8, 0)),
            parameter("ief.pwl1_point_6", 6, 15, 8, U(8, 0)),
            parameter("ief.pwl1_point_5", 6, 7, 0, U(8, 0)),
            parameter("ief.pwl1_r3_bias_5", 7, 31, 24, U(8, 0)),
            parameter("ief.pwl1_r3_bias_4", 7, 23, 16, U(8, 0)),
            parameter("ief.pwl1_r3_bias_3", 7, 15, 8, U(8, 0)),
            parameter("ief.pwl1_r3_bias_2", 7, 7, 0, U(8, 0)),
            parameter("ief.pwl1_r5_bias_2", 8, 31, 24, U(8, 0)),
            parameter("ief.pwl1_r5_bias_1", 8, 23, 16, U(8, 0)),
            parameter("ief.pwl1_r5_bias_0", 8, 15, 8, U(8, 0)),
            parameter("ief.pwl1_r3_bias_6", 8, 7, 0, U(8, 0)),
            parameter("ief.pwl1_r5_bias_6", 9, 31, 24, U(8, 0)),
            parameter("ief.pwl1_r5_bias_5", 9, 23, 16, U(8, 0)),
            parameter("ief.pwl1_r5_bias_4", 9, 15, 8, U(8, 0)),
            parameter("ief.pwl1_r5_bias_3", 9, 7, 0, U(8, 0)),
            parameter("ief.pwl1_r3_slope_3", 10, 31, 24, S(3, 4)),
            parameter("ief.pwl1_r3_slope_2", 10, 23, 16, S(3, 4)),
            parameter("ief.pwl1_r3_slope_1", 10, 15, 8, S(3, 4)),
            parameter("ief.pwl1_r3_slope_0", 10, 7, 0, S(3, 4)),
            parameter("ief.pwl1_r5_slope_0", 11, 31, 24, S(3, 4)),
            parameter("ief.pwl1_r3_slope_6", 11, 23, 16, S(3, 4)),
            parameter("ief.pwl1_r3_slope_5", 11, 15, 8, S(3, 4)),
            parameter("ief.pwl1_r3_slope_4", 11, 7, 0, S(3, 4)),
            parameter("ief.pwl1_r5_slope_4", 12, 31, 24, S(3, 4)),
            parameter("ief.pwl1_r5_slope_3", 12, 23, 16, S(3, 4)),
            parameter("ief.pwl1_r5_slope_2", 12, 15, 8, S(3, 4)),
            parameter("ief.pwl1_r5_slope_1", 12, 7, 0, S(3, 4)),
            parameter("ief.maximum_limiter", 13, 31, 28, U(0, 4)),
            parameter("ief.minimum_limiter", 13, 27, 24, U(0, 4)),
            reserved(13, 23, 20),
            parameter("ief.limiter_boost", 13, 19, 16, U(0, 4)),
            parameter("ief.pwl1_r5_slope_6", 13, 15, 8, S(3, 4)),
            parameter("ief.pwl1_r5_slope_5", 13, 7, 0, S(3, 4)),
            reserved(14, 31, 18),
            parameter("ief.clip_limiter", 14, 17, 8, U(10, 0)),
            reserved(14, 7, 0),
            reserved(15, 31, 0),
        ],
    }
});
