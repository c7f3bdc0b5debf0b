//! The commands: the conversion, and the subcommands `inspect`, `view` and `state`.

pub mod conversion;
pub mod convert;
pub mod destination;
pub mod inspect;
pub mod matches_file;
pub mod open;
pub mod plan;
pub mod source;
pub mod state;
pub mod view;
