//! Colour pipe (§6, §9.5), 12 to 16 bits per component: skin tones, contrast, saturation by colour,
//! picture controls, conversion of the colour space.
pub(crate) mod contrast;
mod convert;
mod frame;
mod parameters;
mod picture_controls;
mod pipe;
mod skin;
mod skin_tone;
mod space;
mod total_color;

pub(crate) use frame::{Band, Scratch};
pub use parameters::ColorParameters;
pub use picture_controls::{ColorSaturation, ProcAmp};
#[cfg(feature = "gen6")]
pub(crate) use pipe::Line;
pub(crate) use pipe::Pipe;
