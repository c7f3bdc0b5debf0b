//! Hardware state: the bit layouts as data, DWords to parameters and back (§8).
//!
//! A [`Structure`] is a table of [`Field`]s that cover each bit of its DWords once. A packed state decodes to [`Parameters`] and what
//! the stream or an option owns, and encodes back to the same DWords. Reserved bits are written as 0 and ignored on reading;
//! [`Structure::check`] reports them. A value outside its field's range is an error that names the field, the value and the range.
//!
//! ```
//! use dndi::{Parameters, state::Structure};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let layout = Structure::named("COLOR_PROCESSING_STATE")?;
//! let mut dwords = Parameters::default().color_state()?;
//! layout.field("color.contrast")?.set(&mut dwords, 160)?;
//! let mut parameters = Parameters::default();
//! parameters.set_color_state(&dwords)?;
//! assert_eq!(parameters.color.contrast, 160);
//! # Ok(())
//! # }
//! ```
mod color;
mod deinterlace;
mod field;
mod iecp;
mod sampler;
mod scaler;
mod structure;
mod surface;
mod vebox;

use crate::parameters::Parameters;
use crate::parameters::field::ParameterError;
pub use color::COLOR_DWORDS;
pub use deinterlace::{DEINTERLACE_DWORDS, DeinterlaceControl};
pub use field::{Field, Format};
pub use iecp::VEBOX_IECP_DWORDS;
pub use sampler::{SAMPLER_DWORDS, SampleControl};
pub use scaler::SCALER_DWORDS;
use std::fmt;
pub use structure::Structure;
pub use surface::{BindingTableState, MediaSurfaceState, SurfaceState};
pub use vebox::{VEBOX_DNDI_DWORDS, VeboxControl};

/// Why DWords or values are no state of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// No structure is called so.
    Structure {
        /// The name that was given.
        name: String,
    },
    /// No field of the structure is called so.
    Field {
        /// The structure.
        structure: &'static str,
        /// The name that was given.
        name: String,
    },
    /// Another number of DWords than the structure has.
    Count {
        /// The structure.
        structure: &'static str,
        /// DWords given.
        count: usize,
        /// DWords needed.
        needed: usize,
    },
    /// A value that its field cannot hold.
    Range {
        /// The field's name.
        name: &'static str,
        /// The value.
        value: i64,
        /// Smallest value allowed.
        min: i64,
        /// Largest value allowed.
        max: i64,
        /// What a multiple of which the value must be.
        step: i64,
        /// Fractional bits of these numbers.
        finer: u32,
    },
    /// Fields that do not fit each other.
    Conflict(
        /// Which, and what is required of them.
        String,
    ),
    /// Reserved bits that are set.
    Reserved {
        /// The structure.
        structure: &'static str,
        /// DWords and the bits in them.
        bits: Vec<(usize, u32)>,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::Structure { name } => {
                write!(f, "no structure '{name}'; there are")?;
                Structure::all().try_for_each(|known| write!(f, " {}", known.name))
            }
            StateError::Field { structure, name } => write!(f, "{structure} has no field '{name}'"),
            StateError::Count { structure, count, needed } => write!(f, "{count} DWords; {structure} has {needed}"),
            &StateError::Range { name, value, min, max, step, finer } => {
                let told = |number: i64| match finer {
                    0 => number.to_string(),
                    _ => (number as f64 / f64::from(1 << finer)).to_string(),
                };
                let [told, least, most] = [value, min, max].map(told);
                match ((min..=max).contains(&value), value % step == 0) {
                    (true, false) => write!(f, "{name} = {told} is no multiple of {step}"),
                    (true, true) => write!(f, "{name} = {told} is a reserved value of {least}…{most}"),
                    _ => write!(f, "{name} = {told} is outside {least}…{most}"),
                }
            }
            StateError::Conflict(what) => f.write_str(what),
            StateError::Reserved { structure, bits } => {
                write!(f, "reserved bits of {structure} are set:")?;
                bits.iter().try_for_each(|(dword, bits)| write!(f, " {bits:#x} in DWord {dword}"))
            }
        }
    }
}

impl std::error::Error for StateError {}

impl Parameters {
    /// Takes the parameters that `structure` holds, without fractional bits that they lack; nothing is changed if one of them is out of
    /// range.
    fn read_structure(&mut self, structure: &Structure, dwords: &[u32]) -> Result<(), ParameterError> {
        let held =
            || structure.fields.iter().filter_map(|field| Some((field, field.parameter?, field.value(dwords) >> field.finer)));
        held().try_for_each(|(field, _, value)| check(field, value))?;
        held().for_each(|(_, index, value)| self.put(index, value as i32));
        Ok(())
    }

    /// Puts the parameters that `structure` holds into `dwords`. What a field holds beyond a parameter that is the same stays.
    fn write_structure(&self, structure: &Structure, dwords: &mut [u32]) -> Result<(), ParameterError> {
        let values: Vec<_> = self.values().map(i64::from).collect();
        let held = || structure.fields.iter().filter_map(|field| Some((field, values[field.parameter?])));
        held().try_for_each(|(field, value)| check(field, value))?;
        for (field, value) in held() {
            if field.value(dwords) >> field.finer != value {
                field.set(dwords, value << field.finer).expect("a value that was checked");
            }
        }
        Ok(())
    }
}

/// Whether the parameter that `field` holds may be `value` there.
fn check(field: &Field, value: i64) -> Result<(), ParameterError> {
    let [min, max] = [field.min, field.max].map(|limit| (limit >> field.finer) as i32);
    let allowed = field.allows(value << field.finer);
    allowed.then_some(()).ok_or(ParameterError::Range { name: field.name, value, min, max })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            parameters.set_color_state(&std::array::from_fn(|_| next())).unwrap();
            let tables = parameters.coefficients.tables((1, 1), (1, 1));
            let written = |parameters: &Parameters| {
                (parameters.scaler_state(&tables), parameters.sampler_state(enhance), parameters.color_state())
            };
            let (scaler, sampler, color) = written(&parameters);
            let mut again = Parameters::default();
            again.set_scaler_state(&scaler.clone().unwrap()).unwrap();
            assert_eq!(again.set_sampler_state(&sampler.clone().unwrap()), Ok(enhance));
            again.set_color_state(&color.clone().unwrap()).unwrap();
            assert_eq!(again, parameters);
            assert_eq!(written(&again), (scaler, sampler, color));
        }
    }
}
