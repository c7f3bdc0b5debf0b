//! Parameters in the fields of a structure, both ways.
use super::error::StateError;
use super::field::Field;
use super::structure::Structure;
use crate::parameters::Parameters;

impl Parameters {
    /// Sets the parameters that `structure` holds, without the fractional bits that the parameters
    /// lack. Nothing is changed if one of them is out of range.
    pub(super) fn read_structure(&mut self, structure: &Structure, dwords: &[u32]) -> Result<(), StateError> {
        let held = || {
            let parameters = structure.fields.iter().filter_map(|field| Some((field, field.parameter?)));
            parameters.map(|(field, index)| (field, index, field.value(dwords) >> field.extra_fraction_bits))
        };
        held().try_for_each(|(field, _, value)| check(field, value))?;
        held().for_each(|(_, index, value)| self.put(index, value as i32));
        Ok(())
    }

    /// Writes the parameters that `structure` holds into `dwords`. A field whose parameter does not
    /// change keeps the fractional bits that the parameter lacks. Nothing is changed if one of the
    /// parameters is out of range.
    pub(super) fn write_structure(&self, structure: &Structure, dwords: &mut [u32]) -> Result<(), StateError> {
        let values: Vec<_> = self.values().map(i64::from).collect();
        let held = || structure.fields.iter().filter_map(|field| Some((field, values[field.parameter?])));
        held().try_for_each(|(field, value)| check(field, value))?;
        for (field, value) in held() {
            if field.value(dwords) >> field.extra_fraction_bits != value {
                field.set(dwords, value << field.extra_fraction_bits)?;
            }
        }
        Ok(())
    }
}

/// Checks that `value` is allowed for the parameter in `field`. The error is in units of the
/// parameter.
fn check(field: &Field, value: i64) -> Result<(), StateError> {
    if field.allows(value << field.extra_fraction_bits) {
        return Ok(());
    }
    let [min, max] = [field.min, field.max].map(|limit| limit >> field.extra_fraction_bits);
    Err(StateError::Range { name: field.name, value, min, max, step: 1, extra_fraction_bits: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any bits: the parameters that are read from them are written and read again unchanged, and
    /// the second writing gives the same bits as the first.
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
            let mode = parameters.set_sampler_state(&std::array::from_fn(|_| next())).unwrap();
            parameters.set_color_state(&std::array::from_fn(|_| next())).unwrap();
            let tables = parameters.coefficients.filter_tables((1, 1), (1, 1));
            let written = |parameters: &Parameters| {
                (parameters.scaler_state(&tables), parameters.sampler_state(mode), parameters.color_state())
            };
            let (scaler, sampler, color) = written(&parameters);
            let mut again = Parameters::default();
            again.set_scaler_state(&scaler.clone().unwrap()).unwrap();
            assert_eq!(again.set_sampler_state(&sampler.clone().unwrap()), Ok(mode));
            again.set_color_state(&color.clone().unwrap()).unwrap();
            assert_eq!(again, parameters);
            assert_eq!(written(&again), (scaler, sampler, color));
        }
    }
}
