//! SAMPLER_STATE of `sample_8x8`: the filter type of the scaler, and sharpening.
use crate::enhance::SharpenMode;
use crate::gen6::state::error::StateError;
use crate::gen6::state::field::Format::{Aligned, Signed as S, Unsigned as U};
use crate::gen6::state::field::{Field, field, parameter, reserved};
use crate::gen6::state::structure::{Structure, unconditional};
use crate::parameters::Parameters;
use std::sync::LazyLock;

/// Number of DWords of a SAMPLER_STATE for `sample_8x8`.
pub const SAMPLER_DWORDS: usize = 16;

/// The settings in a SAMPLER_STATE for `sample_8x8` that are no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SampleControl {
    /// Luma sharpening; none if it is off. The combination mode ignores the window size of the
    /// state.
    pub sharpen: Option<SharpenMode>,
    /// The entry, 0…3, of the chroma key table; none without chroma key.
    pub chroma_key: Option<u32>,
    /// Offset in bytes of the SAMPLER_8x8_STATE from the dynamic state base address, a multiple of
    /// 32.
    pub scaler_state: u32,
}

impl SampleControl {
    /// The settings in `state`. Reserved bits are ignored.
    pub fn decode(state: &[u32; SAMPLER_DWORDS]) -> SampleControl {
        let [bypass, detail, wide, key] = [BYPASS, DETAIL, WIDE, KEY].map(|field| field.bits(state) == 1);
        let sharpen = match (detail, wide) {
            (false, _) => SharpenMode::Combination,
            (true, false) => SharpenMode::Detail3,
            (true, true) => SharpenMode::Detail5,
        };
        SampleControl {
            sharpen: (!bypass).then_some(sharpen),
            chroma_key: key.then(|| KEY_INDEX.bits(state)),
            scaler_state: POINTER.value(state) as u32,
        }
    }

    /// Writes the settings into `state`. The bits of parameters are kept.
    ///
    /// # Errors
    /// [`StateError::Range`] if the chroma key or the offset is outside its range,
    /// [`StateError::Conflict`] for [`SharpenMode::Smooth3`]; nothing is changed then.
    pub fn encode(&self, state: &mut [u32; SAMPLER_DWORDS]) -> Result<(), StateError> {
        // [bypass, detail, 5×5], as the open drivers write them.
        let [bypass, detail, wide] = match self.sharpen {
            None => [1, 0, 0],
            Some(SharpenMode::Combination) => [0, 0, 1],
            Some(SharpenMode::Detail3) => [0, 1, 0],
            Some(SharpenMode::Detail5) => [0, 1, 1],
            Some(SharpenMode::Smooth3) => {
                let message = "a SAMPLER_STATE has no smoothing mode".to_owned();
                return Err(StateError::Conflict { fields: &["sharpen"], message });
            }
        };
        let (key, index) = (self.chroma_key.is_some().into(), self.chroma_key.unwrap_or(0).into());
        let mut written = *state;
        let values = [
            (BYPASS, bypass),
            (DETAIL, detail),
            (WIDE, wide),
            (KEY, key),
            (KEY_INDEX, index),
            (POINTER, self.scaler_state.into()),
        ];
        values.iter().try_for_each(|(field, value)| field.set(&mut written, *value))?;
        *state = written;
        Ok(())
    }
}

impl Parameters {
    /// Sets the parameters of sharpening and the filter type of the scaler from a SAMPLER_STATE for
    /// `sample_8x8`, and returns its sharpening mode. Reserved bits are ignored.
    /// [`SampleControl::decode`] returns all settings that are no parameters.
    ///
    /// # Errors
    /// [`StateError::Range`] if a field is outside the range of its parameter; nothing is changed
    /// then.
    pub fn set_sampler_state(&mut self, state: &[u32; SAMPLER_DWORDS]) -> Result<Option<SharpenMode>, StateError> {
        self.read_structure(&LAYOUT, state)?;
        Ok(SampleControl::decode(state).sharpen)
    }

    /// The SAMPLER_STATE of these parameters and a sharpening mode, with reserved bits 0.
    /// [`SampleControl::encode`] writes the other settings.
    ///
    /// # Errors
    /// [`StateError::Range`] if a parameter is outside the range of its field.
    pub fn sampler_state(&self, sharpen: Option<SharpenMode>) -> Result<[u32; SAMPLER_DWORDS], StateError> {
        let mut state = [0; SAMPLER_DWORDS];
        self.write_structure(&LAYOUT, &mut state)?;
        SampleControl { sharpen, ..SampleControl::default() }.encode(&mut state)?;
        Ok(state)
    }
}

const BYPASS: Field = field("ief_bypass", 0, 29, 29, U(1, 0)).with_default(1).about("no sharpening");
const DETAIL: Field =
    field("ief_filter_type", 0, 28, 28, U(1, 0)).only_values(&[(0, "combination"), (1, "detail")]).about("sharpening mode");
const WIDE: Field =
    field("ief_filter_size", 0, 27, 27, U(1, 0)).only_values(&[(0, "3x3"), (1, "5x5")]).about("window of the detail filter");
const KEY: Field = field("chroma_key_enable", 0, 18, 18, U(1, 0)).about("samples that match the key become black");
const KEY_INDEX: Field = field("chroma_key_index", 0, 17, 16, U(2, 0)).about("entry of the chroma key table");
const POINTER: Field =
    field("sampler_8x8_state_pointer", 1, 31, 5, Aligned(5)).about("offset from the dynamic state base address");

pub(in crate::gen6::state) static LAYOUT: LazyLock<Structure> = LazyLock::new(|| Structure {
    name: "SAMPLER_STATE_8x8",
    dwords: SAMPLER_DWORDS,
    section: "Gen6 volume 4 part 1, 2.11.3.2",
    condition: unconditional,
    fields: vec![
        parameter("scaler.avs_filter_type", 0, 31, 31, U(1, 0)),
        reserved(0, 30, 30),
        BYPASS,
        DETAIL,
        WIDE,
        reserved(0, 26, 19),
        KEY,
        KEY_INDEX,
        reserved(0, 15, 0),
        POINTER,
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
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_round_trip() {
        for sharpen in [None, Some(SharpenMode::Combination), Some(SharpenMode::Detail3), Some(SharpenMode::Detail5)] {
            let control = SampleControl { sharpen, chroma_key: Some(2), scaler_state: 0x2_0040 };
            let mut state = Parameters::default().sampler_state(None).unwrap();
            let before = state;
            control.encode(&mut state).unwrap();
            assert_eq!(SampleControl::decode(&state), control);
            assert_eq!((state[1], &state[2..]), (0x2_0040, &before[2..]));
            assert!(SampleControl { chroma_key: Some(4), ..control }.encode(&mut state).is_err());
            assert!(SampleControl { scaler_state: 16, ..control }.encode(&mut state).is_err());
            assert_eq!(SampleControl::decode(&state), control);
        }
    }
}
