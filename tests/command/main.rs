//! The command line, through the real program.

mod broken;
mod cadence;
mod clip;
mod color;
mod endings;
mod files;
mod fuzz;
mod golden;
mod mixed;
mod options;
mod program;
mod range;
mod reports;
mod rgb;
mod scaling;
mod state;
mod usage;
