//! Files and pipes in and out, and interrupts.

pub mod files;
pub mod input;
pub mod interrupt;
pub mod names;
pub mod open_output;
pub mod output;
pub mod rgb;
