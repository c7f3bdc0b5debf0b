//! Tests of the command line. They run the `dndi` binary.

mod broken;
mod chunks;
mod clip;
mod closed_stdout;
mod color;
mod converter;
mod denoise;
mod denoise_motion;
mod depth;
mod detect;
mod differential;
mod engine;
#[allow(dead_code, reason = "the tests of the detector use the rest")]
#[path = "../detect/clip.rs"]
mod fields;
mod files;
mod first_contact;
mod fuzz;
mod golden;
mod guide_pictures;
mod ineffective_options;
mod inspect;
mod matches;
mod memory;
mod mixed_interlacing;
mod options;
mod profile;
mod program;
mod progress;
mod random_clip;
mod random_options;
mod range;
mod relations;
mod repair;
mod reports;
mod rgb;
mod scaling;
mod side_files;
mod signals;
mod state;
mod stored;
mod survey;
mod termination;
mod uninformative_start;
mod usage;
mod view;
