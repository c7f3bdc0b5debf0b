//! Colour pipe (§6): skin tone, contrast, saturation of colours, amplification, conversion of the colour space.
mod parameters;

pub use parameters::ColorParameters;
