//! The commands: the conversion, and the subcommands.

pub mod chunk_frames;
pub mod chunk_queue;
pub mod chunk_run;
pub mod completions;
pub mod conversion;
pub mod convert;
pub mod deblend;
pub mod destination;
mod header_line;
pub mod help;
pub mod inspect;
pub mod join;
pub mod join_media;
pub mod man;
pub mod matches_file;
pub mod measured_values;
pub mod open;
pub mod option_errors;
pub mod part;
pub mod plan;
pub mod program;
pub mod source;
pub mod state;
pub mod survey;
pub mod view;
