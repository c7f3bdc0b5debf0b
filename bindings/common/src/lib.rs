//! Code that the bindings of dndi share: options by name and value, a converter that takes planes
//! of the caller, and the inspection of a clip.
//!
//! A binding translates the types of its host and nothing else, so that the same options give the
//! same frames in each host and on the command line.

mod conversion;
mod error;
mod extended;
mod inspection;
mod options;
mod settings;
mod values;

pub use conversion::{Conversion, Progress, fill_plane};
pub use error::{Error, Kind};
pub use inspection::{Finding, Inspector};
pub use settings::Settings;
