//! The options: arguments, presets and profiles are parsed into values.

pub mod args;
pub mod automatic;
pub mod chunk_args;
pub mod clap_text;
pub mod color_args;
pub mod colorspace_arg;
pub mod conversion_help;
pub mod extended_args;
pub mod filter_args;
pub mod geometry_args;
mod geometry_text;
pub mod hardware_args;
pub mod help;
pub mod layers;
pub mod media_args;
pub mod origins;
pub mod parse;
pub mod profile;
pub mod profile_dump;
pub mod set_option;
pub mod side_files;
pub mod similar;
pub mod size;
pub mod state_file;
pub mod values;
pub mod vebox_state;
pub mod words;

use std::path::Path;

/// The largest number of threads. The operating system refuses larger numbers, or they take most of
/// the memory.
pub const MAX_THREADS: u16 = 1024;

/// Whether a path is `-`: stdin or stdout.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}
