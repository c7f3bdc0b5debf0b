//! Colour pipe (§6): skin tone, contrast, saturation of colours, amplification, conversion of the colour space.
mod knobs;
mod parameters;
mod space;

pub use knobs::{ColorSaturation, KnobError, ProcAmp};
pub use parameters::ColorParameters;
pub use space::{ColorSpace, Matrix, Range};
