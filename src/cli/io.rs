//! Input and output files and pipes, and interrupts.

pub mod clip_file;
pub mod files;
pub mod input;
pub mod interrupt;
pub mod names;
pub mod open_output;
pub mod output;
pub mod processes;
pub mod rgb;
pub mod source;
pub mod spool;
