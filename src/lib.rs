//! Denoise, deinterlace, scale, sharpen real footage and correct its colours, bit for bit as specified, on any instruction set and any number of threads.
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
//! A [`StreamBuilder`] says what becomes of the frames: after the deinterlacer, [`StreamBuilder::scale`] takes a [`Scale`] (a size, a part of the
//! picture, a [`ChromaLocation`]), and [`StreamBuilder::enhance`] an [`SharpenMode`] of the luma. The stages of the colour pipe run where the
//! [`ColorParameters`] enable them: field by field, or by knobs, [`ColorParameters::set_procamp`],
//! [`set_color_saturation`](ColorParameters::set_color_saturation), [`set_skin_tone`](ColorParameters::set_skin_tone),
//! [`set_conversion`](ColorParameters::set_conversion) and [`set_conversion_to_rgb`](ColorParameters::set_conversion_to_rgb). All [`Parameters`] have
//! names, ranges and defaults, and come from and go to the DWords of the hardware's state ([`state`]). [`FilterTables`] are the scaler's
//! coefficients.
//!
//! A [`Stream`] works on the rayon pool that its caller runs in (the global one, or the one whose `install` surrounds the call);
//! neither the number of threads nor the instruction set changes a bit of what it makes. Section numbers (§) are those of the
//! written specification in `docs/specification`.

mod adapt;
mod color;
pub mod convert;
mod deinterlace;
mod denoise;
mod detect;
mod enhance;
mod error;
mod field_match;
mod fmd;
mod format;
mod frame;
#[cfg(feature = "gen6")]
pub mod gen6;
mod luma;
mod noise;
mod parameters;
mod pipeline;
mod plane;
mod scale;
mod scratch_pool;
pub mod y4m;

pub use adapt::denoise::{DenoiseMode, DenoiseState};
pub use color::{ColorParameters, ColorSaturation, ProcAmp};
pub use deinterlace::{CompensationParameters, DeinterlaceParameters, PixelSources};
pub use denoise::{ChromaDenoiseParameters, DenoiseParameters};
pub use detect::{ClipStart, Content, Decision, Detector, DetectorBuilder, FieldMatching, Pulldown, Reason};
pub use dndi_simd::{SimdLevel, SimdLevelError};
pub use enhance::{SharpenMode, SharpenParameters};
pub use error::{EngineError, Error};
pub use field_match::{CombMask, FieldMatch, FieldMatches, StepMatches};
pub use fmd::FmdParameters;
pub use format::{
    ChromaLocation, ColorMatrix, ColorRange, ColorSpace, DEPTHS, FieldOrder, Format, FrameFlags, Interlacing, MAX_SIZE,
    NameError, Rect, Sampling, Scan,
};
pub use frame::{Frame, PlaneMut, PlaneRef, Planes, Samples, SamplesMut, UserData};
pub use luma::LumaStatistics;
pub use noise::NoiseParameters;
pub use parameters::field::{ParameterError, ParameterField};
pub use parameters::{Parameters, PassthroughParameters};
pub use pipeline::{ChromaOutput, Input, Maps, Output, Statistics, Stream, StreamBuilder};
pub use scale::{Addresses, Coefficients, FilterTable, FilterTables, Scale, ScalerParameters};

/// The example of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// And that of the document about colour.
#[cfg(doctest)]
#[doc = include_str!("../docs/color.md")]
struct Color;
