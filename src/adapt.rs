//! Adaptive policy over the stages: measured noise, scene cuts and contrast decide the parameters
//! of the next step.
//!
//! The pipeline and the message engine share this module, so that both choose the same parameters.
//! All decisions are integer arithmetic on sums over a complete frame: neither threads nor
//! instruction sets can change them.
//!
//! Each tuned constant documents its evidence and the effect of other values.
//! `docs/design/constants.md` has all measurements. Effects in dB are mean changes of the PSNR of
//! automatically denoised clips: six clips, progressive and interlaced, with Gaussian noise of
//! standard deviation 4, 8 and 16 code values.
pub(crate) mod contrast;
pub(crate) mod controller;
mod curve;
mod deinterlace;
pub(crate) mod denoise;
pub(crate) mod denoise_motion;
pub(crate) mod field_cuts;
mod fine_thresholds;
mod noise_level;
mod noise_tracker;
pub(crate) mod scene;
