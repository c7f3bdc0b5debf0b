//! Adaptive policy over the stages: measured noise, scene cuts and contrast decide the parameters of the next step.
//!
//! The pipeline and the message engine share this module, so that both choose the same parameters. All decisions are integer sums over
//! a complete frame: neither threads nor instruction sets can change them.
pub(crate) mod contrast;
pub(crate) mod controller;
mod curve;
mod deinterlace;
pub(crate) mod denoise;
mod noise_level;
mod noise_tracker;
pub(crate) mod scene;
