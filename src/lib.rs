//! Denoise, deinterlace, scale and sharpen real footage, bit for bit as specified, on any instruction set and any number of threads.
//!
//! ```
//! use dndi::{Builder, Format, Frame, Sampling, Scan};
//!
//! # fn main() -> Result<(), dndi::Error> {
//! let format = Format::new(720, 576, Sampling::C420);
//! let mut stream = Builder::new(format, Scan::TopFirst).build()?;
//! let mut shown = 0;
//! for _ in 0..3 {
//!     let input = Frame::new(format); // or borrow your own planes, with any stride
//!     stream.push(&input.planes())?;
//!     while let Some(output) = stream.pull() {
//!         assert_eq!(output.time, shown); // in fields: two frames leave for one that enters
//!         shown += 1;
//!         stream.recycle(output.frame); // optional: then no step allocates
//!     }
//! }
//! stream.flush()?; // the second field of the last frame
//! while let Some(output) = stream.pull() {
//!     assert_eq!(output.frame.format(), stream.output_format());
//!     shown += 1;
//! }
//! assert_eq!(shown, 6);
//! # Ok(())
//! # }
//! ```
//!
//! A [`Builder`] says what becomes of the frames: after the deinterlacer, [`Builder::scale`] takes a [`Scale`] (a size, a part of the
//! picture, a [`ChromaLocation`]), and [`Builder::enhance`] an [`Enhancement`] of the luma. All [`Parameters`] have names, ranges and
//! defaults; those of the scaler and the enhancement also come from, and go to, the DWords of the hardware's state
//! ([`Parameters::set_scaler_state`], [`Parameters::set_sampler_state`]). [`Tables`] are the scaler's coefficients.
//!
//! A [`Stream`] works on the rayon pool that its caller runs in (the global one, or the one whose `install` surrounds the call);
//! neither the number of threads nor the instruction set changes a bit of what it makes. Section numbers (§) are those of the
//! written specification in `docs/specification`.

mod color;
mod deinterlace;
mod denoise;
mod detect;
mod enhance;
mod error;
mod film;
mod frame;
mod luma;
mod noise;
mod parameters;
mod pipeline;
mod scale;
mod state;
mod surface;
pub mod y4m;

pub use color::ColorParameters;
pub use deinterlace::{Code, CompensationParameters, DeinterlaceParameters, Making};
pub use denoise::DenoiseParameters;
pub use detect::{Content, Decision, Detector, FilmMode, Opening, Pulldown, Reason, Torn};
pub use dndi_simd::{Level, LevelError};
pub use enhance::{EnhanceParameters, Enhancement};
pub use error::Error;
pub use film::FilmParameters;
pub use frame::{Format, Frame, MAX_SIZE, PlaneMut, PlaneRef, Sampling};
pub use luma::LumaStatistics;
pub use noise::NoiseParameters;
pub use parameters::{CarriedParameters, ParameterError, ParameterField, Parameters};
pub use pipeline::{Builder, Cadence, ChromaOutput, Output, Scan, Statistics, Stream};
pub use scale::{Addresses, ChromaLocation, Coefficients, Crop, Scale, ScalerParameters, Table, Tables};
pub use state::{SAMPLER_DWORDS, SCALER_DWORDS};

/// The example of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
