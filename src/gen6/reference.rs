//! The structures of the Gen11 reference as data: 473 structures, commands, registers, instructions
//! and messages, as tables of fields (§8.4).
//!
//! [`state`](crate::gen6::state) has the structures that this library uses, with checked values.
//! The tables here describe many more, but only their bits: [`ReferenceStructure::fields`] lists
//! the fields, which read and write DWords.
//!
//! ```
//! use dndi::gen6::reference::ReferenceStructure;
//!
//! # fn main() -> Result<(), dndi::gen6::reference::ReferenceError> {
//! let structure = ReferenceStructure::named("3DSTATE_CLIP_BODY")?;
//! let mut dwords = structure.defaults();
//! structure.set(&mut dwords, "clip_mode", "3")?;
//! assert_eq!(dwords, [0, 3 << 13, 0]);
//! # Ok(())
//! # }
//! ```
mod error;
mod field;
mod kind;
mod structure;
mod tables;
mod value;

pub use error::ReferenceError;
pub use field::{NamedValue, ReferenceField};
pub use structure::ReferenceStructure;
pub use value::ReferenceValue;
