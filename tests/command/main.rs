//! The command line, through the real program.

mod broken;
mod cadence;
mod clip;
mod endings;
mod files;
mod fuzz;
mod golden;
mod mixed;
mod options;
mod program;
mod range;
mod reports;
mod scaling;
mod state;
mod usage;
