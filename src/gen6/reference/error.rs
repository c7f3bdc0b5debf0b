//! Errors of structures of the reference.
use std::fmt;

/// The reason why a name does not exist, or why DWords or values are none of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReferenceError {
    /// No structure has this name.
    Structure {
        /// The name that was given.
        name: String,
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
    /// A text that is no whole number.
    Number {
        /// The text.
        text: String,
    },
    /// A value that the bits of its field do not hold.
    Range {
        /// The field.
        field: String,
        /// The value.
        value: String,
        /// The type of the field, as in the tables.
        kind: String,
        /// The number of its bits.
        width: u32,
    },
    /// A value that is none of the named ones, in a field that has only such values.
    Unnamed {
        /// The field.
        field: String,
        /// The bits of the field, as an unsigned number.
        bits: u128,
    },
    /// Reserved bits that are set.
    Reserved {
        /// The structure.
        structure: &'static str,
        /// Each DWord, from 0, with its reserved bits that are set.
        bits: Vec<(usize, u32)>,
    },
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReferenceError::Structure { name } => write!(f, "no structure '{name}'"),
            ReferenceError::Field { structure, name } => write!(f, "{structure} has no field '{name}'"),
            ReferenceError::Count { structure, count, needed } => write!(f, "{count} DWords; {structure} has {needed}"),
            ReferenceError::Number { text } => write!(f, "'{text}' is no whole number"),
            ReferenceError::Range { field, value, kind, width } => {
                write!(f, "{field} = {value} does not fit {width} bits of type {kind}")
            }
            ReferenceError::Unnamed { field, bits } => write!(f, "{field} has the bits {bits:#x}, a value without a meaning"),
            ReferenceError::Reserved { structure, bits } => {
                write!(f, "reserved bits of {structure} are set:")?;
                bits.iter().try_for_each(|(dword, bits)| write!(f, " {bits:#x} in DWord {dword}"))
            }
        }
    }
}

impl std::error::Error for ReferenceError {}
