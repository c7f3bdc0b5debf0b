//! Capture of raw Bayer frames (§13.8): black points, balance and interpolation of colours.
mod demosaic;
mod parameters;

pub(crate) use demosaic::Demosaic;
pub use parameters::{BayerPattern, CaptureParameters};
