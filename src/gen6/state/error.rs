//! Errors of hardware state: names, counts, values and combinations that a structure does not
//! allow.
use crate::parameters::field::ParameterError;
use std::fmt;

/// The reason why a name does not exist, or why DWords or values are no state of a structure.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StateError {
    /// No structure has this name.
    Structure {
        /// The name that was given.
        name: String,
        /// The names of all structures.
        known: Vec<&'static str>,
    },
    /// No field of the structure has this name.
    Field {
        /// The structure.
        structure: &'static str,
        /// The name that was given.
        name: String,
    },
    /// A number of DWords other than that of the structure.
    Count {
        /// The structure.
        structure: &'static str,
        /// DWords given.
        count: usize,
        /// DWords of the structure.
        needed: usize,
    },
    /// A value that its field cannot hold.
    Range {
        /// The name of the field.
        name: &'static str,
        /// The value.
        value: i64,
        /// Smallest value allowed.
        min: i64,
        /// Largest value allowed.
        max: i64,
        /// The value must be a multiple of this number.
        step: i64,
        /// Fractional bits of these numbers: value, limits and step are in units of
        /// `1 / (1 << extra_fraction_bits)`.
        extra_fraction_bits: u32,
    },
    /// Fields that exclude each other.
    Conflict {
        /// The names of the fields.
        fields: &'static [&'static str],
        /// The values, and the condition that they violate.
        message: String,
    },
    /// Parameters in the fields that exclude each other.
    Parameter(ParameterError),
    /// Reserved bits that are set.
    Reserved {
        /// The structure.
        structure: &'static str,
        /// Each DWord, from 0, with its reserved bits that are set.
        bits: Vec<(usize, u32)>,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::Structure { name, known } => {
                write!(f, "no structure '{name}'; there are")?;
                known.iter().try_for_each(|known| write!(f, " {known}"))
            }
            StateError::Field { structure, name } => write!(f, "{structure} has no field '{name}'"),
            StateError::Count { structure, count, needed } => write!(f, "{count} DWords; {structure} has {needed}"),
            &StateError::Range { name, value, min, max, step, extra_fraction_bits } => {
                let decimal = |number: i64| match extra_fraction_bits {
                    0 => number.to_string(),
                    bits => (number as f64 * 0.5f64.powi(bits.min(1000) as i32)).to_string(),
                };
                let [given, least, most] = [value, min, max].map(decimal);
                match ((min..=max).contains(&value), value.checked_rem(step) == Some(0)) {
                    (true, false) => write!(f, "{name} = {given} is no multiple of {step}"),
                    (true, true) => write!(f, "{name} = {given} is a reserved value of {least}…{most}"),
                    _ => write!(f, "{name} = {given} is outside {least}…{most}"),
                }
            }
            StateError::Conflict { message, .. } => f.write_str(message),
            StateError::Parameter(error) => error.fmt(f),
            StateError::Reserved { structure, bits } => {
                write!(f, "reserved bits of {structure} are set:")?;
                bits.iter().try_for_each(|(dword, bits)| write!(f, " {bits:#x} in DWord {dword}"))
            }
        }
    }
}

impl std::error::Error for StateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StateError::Parameter(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ParameterError> for StateError {
    fn from(error: ParameterError) -> StateError {
        StateError::Parameter(error)
    }
}
