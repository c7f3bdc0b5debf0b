//! The command line, through the real program.

mod beginning;
mod broken;
mod cadence;
mod clip;
mod color;
mod denoise;
mod detect;
mod endings;
mod engine;
#[allow(dead_code, reason = "the detector's tests use the rest")]
#[path = "../detect/clip.rs"]
mod fields;
mod files;
mod fuzz;
mod golden;
mod inspect;
mod mixed;
mod options;
mod profile;
mod program;
mod progress;
mod range;
mod reports;
mod rgb;
mod scaling;
mod state;
mod usage;
mod view;
mod wishes;
