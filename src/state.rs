//! Hardware state of the sample_8x8 message, DWords to parameters and back (§8.2).
use crate::enhance::Enhancement;
use crate::parameters::{ParameterError, Parameters};
use crate::scale::Tables;

/// DWords of a SAMPLER_8x8_STATE.
pub const SCALER_DWORDS: usize = 138;
/// DWords of a SAMPLER_STATE for sample_8x8.
pub const SAMPLER_DWORDS: usize = 16;

/// Where a parameter stands: its name, the DWord, the highest and the lowest bit.
type Field = (&'static str, usize, u32, u32);

const SCALER: [Field; 9] = [
    ("scaler.default_sharpness", 136, 31, 24),
    ("scaler.max_deriv_4", 136, 23, 16),
    ("scaler.max_deriv_8", 136, 15, 8),
    ("scaler.transition_4", 136, 6, 4),
    ("scaler.transition_8", 136, 2, 0),
    ("scaler.bypass_x_adaptive", 137, 22, 22),
    ("scaler.bypass_y_adaptive", 137, 21, 21),
    ("scaler.adaptive_filter_for_all_channels", 137, 1, 1),
    ("scaler.rgb_adaptive", 137, 0, 0),
];

const SAMPLER: [Field; 55] = [
    ("scaler.avs_filter_type", 0, 31, 31),
    ("ief.global_noise_estimation", 2, 15, 8),
    ("ief.strong_edge_threshold", 2, 7, 4),
    ("ief.weak_edge_threshold", 2, 3, 0),
    ("ief.strong_edge_weight", 3, 30, 28),
    ("ief.regular_weight", 3, 26, 24),
    ("ief.non_edge_weight", 3, 22, 20),
    ("ief.gain_factor", 3, 19, 14),
    ("ief.r3c_coefficient", 3, 10, 6),
    ("ief.r3x_coefficient", 3, 4, 0),
    ("ief.r5c_coefficient", 4, 30, 26),
    ("ief.r5cx_coefficient", 4, 24, 20),
    ("ief.r5x_coefficient", 4, 18, 14),
    ("ief.steepness_threshold", 4, 11, 8),
    ("ief.steepness_boost", 4, 7, 7),
    ("ief.mr_threshold", 4, 6, 3),
    ("ief.mr_boost", 4, 2, 2),
    ("ief.pwl1_point_4", 5, 31, 24),
    ("ief.pwl1_point_3", 5, 23, 16),
    ("ief.pwl1_point_2", 5, 15, 8),
    ("ief.pwl1_point_1", 5, 7, 0),
    ("ief.pwl1_r3_bias_1", 6, 31, 24),
    ("ief.pwl1_r3_bias_0", 6, 23, 16),
    ("ief.pwl1_point_6", 6, 15, 8),
    ("ief.pwl1_point_5", 6, 7, 0),
    ("ief.pwl1_r3_bias_5", 7, 31, 24),
    ("ief.pwl1_r3_bias_4", 7, 23, 16),
    ("ief.pwl1_r3_bias_3", 7, 15, 8),
    ("ief.pwl1_r3_bias_2", 7, 7, 0),
    ("ief.pwl1_r5_bias_2", 8, 31, 24),
    ("ief.pwl1_r5_bias_1", 8, 23, 16),
    ("ief.pwl1_r5_bias_0", 8, 15, 8),
    ("ief.pwl1_r3_bias_6", 8, 7, 0),
    ("ief.pwl1_r5_bias_6", 9, 31, 24),
    ("ief.pwl1_r5_bias_5", 9, 23, 16),
    ("ief.pwl1_r5_bias_4", 9, 15, 8),
    ("ief.pwl1_r5_bias_3", 9, 7, 0),
    ("ief.pwl1_r3_slope_3", 10, 31, 24),
    ("ief.pwl1_r3_slope_2", 10, 23, 16),
    ("ief.pwl1_r3_slope_1", 10, 15, 8),
    ("ief.pwl1_r3_slope_0", 10, 7, 0),
    ("ief.pwl1_r5_slope_0", 11, 31, 24),
    ("ief.pwl1_r3_slope_6", 11, 23, 16),
    ("ief.pwl1_r3_slope_5", 11, 15, 8),
    ("ief.pwl1_r3_slope_4", 11, 7, 0),
    ("ief.pwl1_r5_slope_4", 12, 31, 24),
    ("ief.pwl1_r5_slope_3", 12, 23, 16),
    ("ief.pwl1_r5_slope_2", 12, 15, 8),
    ("ief.pwl1_r5_slope_1", 12, 7, 0),
    ("ief.maximum_limiter", 13, 31, 28),
    ("ief.minimum_limiter", 13, 27, 24),
    ("ief.limiter_boost", 13, 19, 16),
    ("ief.pwl1_r5_slope_6", 13, 15, 8),
    ("ief.pwl1_r5_slope_5", 13, 7, 0),
    ("ief.clip_limiter", 14, 17, 8),
];

/// Bits of DWord 0 of a SAMPLER_STATE: no enhancement, detail filter, 5×5.
const BYPASS: u32 = 1 << 29;
const DETAIL: u32 = 1 << 28;
const WIDE: u32 = 1 << 27;

/// DWords of a row of all four tables.
const ROW: usize = 8;

impl Parameters {
    /// Takes tables and parameters of the scaler from a SAMPLER_8x8_STATE. Reserved bits are ignored.
    ///
    /// # Errors
    /// [`ParameterError::Range`] where a field holds what its parameter cannot be.
    pub fn set_scaler_state(&mut self, state: &[u32; SCALER_DWORDS]) -> Result<(), ParameterError> {
        let empty = [[0; 8]; 17];
        let mut tables = Tables { x0: empty, y0: empty, x1: empty, y1: empty };
        for (beta, row) in state[..17 * ROW].chunks_exact(ROW).enumerate() {
            let taps = |at: usize| -> [i8; 8] {
                let bytes = [row[at].to_le_bytes(), row[at + 1].to_le_bytes()];
                std::array::from_fn(|k| bytes[k / 4][k % 4] as i8)
            };
            let inner = |taps: [i8; 8]| [0, 0, taps[2], taps[3], taps[4], taps[5], 0, 0];
            (tables.x0[beta], tables.y0[beta]) = (taps(0), taps(2));
            (tables.x1[beta], tables.y1[beta]) = (inner(taps(4)), inner(taps(6)));
        }
        self.decode(&SCALER, state)?;
        self.coefficients.tables = Some(Box::new(tables));
        Ok(())
    }

    /// The SAMPLER_8x8_STATE of `tables` and the scaler's parameters, reserved bits 0.
    pub fn scaler_state(&self, tables: &Tables) -> [u32; SCALER_DWORDS] {
        let mut state = [0; SCALER_DWORDS];
        for (beta, row) in state[..17 * ROW].chunks_exact_mut(ROW).enumerate() {
            for (dwords, (_, table)) in row.chunks_exact_mut(2).zip(tables.named()) {
                for (dword, taps) in dwords.iter_mut().zip(table[beta].chunks_exact(4)) {
                    *dword = u32::from_le_bytes(std::array::from_fn(|k| taps[k] as u8));
                }
            }
        }
        self.encode(&SCALER, &mut state);
        state
    }

    /// Takes the parameters of the enhancement and the scaler's filter type from a SAMPLER_STATE of sample_8x8, and tells how it
    /// says to enhance. Reserved bits and those of other features are ignored.
    ///
    /// # Errors
    /// [`ParameterError::Range`] where a field holds what its parameter cannot be.
    pub fn set_sampler_state(&mut self, state: &[u32; SAMPLER_DWORDS]) -> Result<Option<Enhancement>, ParameterError> {
        self.decode(&SAMPLER, state)?;
        Ok(match state[0] {
            first if first & BYPASS != 0 => None,
            first if first & DETAIL == 0 => Some(Enhancement::Combination),
            first if first & WIDE == 0 => Some(Enhancement::Detail3),
            _ => Some(Enhancement::Detail5),
        })
    }

    /// The SAMPLER_STATE of these parameters and a kind of enhancement, reserved bits 0.
    pub fn sampler_state(&self, enhance: Option<Enhancement>) -> [u32; SAMPLER_DWORDS] {
        let mut state = [0; SAMPLER_DWORDS];
        self.encode(&SAMPLER, &mut state);
        state[0] |= match enhance {
            None => BYPASS,
            Some(Enhancement::Combination) => WIDE,
            Some(Enhancement::Detail3) => DETAIL,
            Some(Enhancement::Detail5) => DETAIL | WIDE,
        };
        state
    }

    fn decode(&mut self, fields: &[Field], state: &[u32]) -> Result<(), ParameterError> {
        for &(name, dword, high, low) in fields {
            let width = high - low + 1;
            let value = (state[dword] << (31 - high)) as i32 as i64;
            // Fields whose range is signed hold two's complement.
            let value = if is_signed(name) { value >> (32 - width) } else { (value as u32 >> (32 - width)).into() };
            self.set(name, value)?;
        }
        Ok(())
    }

    fn encode(&self, fields: &[Field], state: &mut [u32]) {
        let known: Vec<_> = Parameters::fields().zip(self.values()).collect();
        for &(name, dword, high, low) in fields {
            let value = known.iter().find(|(field, _)| field.name == name).map_or(0, |&(_, value)| value);
            let mask = u32::MAX >> (31 - (high - low));
            state[dword] |= (value as u32 & mask) << low;
        }
    }
}

fn is_signed(name: &str) -> bool {
    Parameters::fields().any(|field| field.name == name && field.min < 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_the_groups_has_its_bits() {
        for (fields, dwords) in [(&SCALER[..], SCALER_DWORDS), (&SAMPLER, SAMPLER_DWORDS)] {
            let mut taken = vec![0u32; dwords];
            for &(name, dword, high, low) in fields {
                let field = Parameters::fields().find(|field| field.name == name).unwrap_or_else(|| panic!("{name}"));
                let bits = (u32::MAX >> (31 - (high - low))) << low;
                assert_eq!(taken[dword] & bits, 0, "{name} overlaps");
                taken[dword] |= bits;
                assert_eq!((field.max as i64 - field.min as i64) as u32, bits >> low, "{name}");
            }
        }
        let mut names = SCALER.iter().chain(&SAMPLER).map(|field| field.0);
        for field in Parameters::fields().filter(|field| field.name.starts_with("scaler.") || field.name.starts_with("ief.")) {
            assert!(names.clone().any(|name| name == field.name), "{}", field.name);
        }
        assert!(names.all(|name| name.contains('.')));
    }

    /// Whatever the bits, reading and writing them gives the same parameters again, and the second writing the same bits.
    #[test]
    fn states_round_trip() {
        let mut noise = 1u32;
        let mut next = || {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            noise.rotate_left(16)
        };
        for _ in 0..200 {
            let mut parameters = Parameters::default();
            parameters.set_scaler_state(&std::array::from_fn(|_| next())).unwrap();
            let enhance = parameters.set_sampler_state(&std::array::from_fn(|_| next())).unwrap();
            let tables = parameters.coefficients.tables((1, 1), (1, 1));
            let (scaler, sampler) = (parameters.scaler_state(&tables), parameters.sampler_state(enhance));
            let mut again = Parameters::default();
            again.set_scaler_state(&scaler).unwrap();
            assert_eq!(again.set_sampler_state(&sampler), Ok(enhance));
            assert_eq!(again, parameters);
            assert_eq!((again.scaler_state(&tables), again.sampler_state(enhance)), (scaler, sampler));
        }
    }
}
