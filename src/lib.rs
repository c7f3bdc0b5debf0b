//! dndi denoises, deinterlaces, scales and sharpens video, removes telecine and corrects colours.
//! The result is defined bit for bit by a written specification and depends neither on the
//! instruction set nor on the number of threads.
//!
//! | Task | Type |
//! | --- | --- |
//! | convert as `dndi in.y4m out.y4m` does, from frames to frames | [`convert::Converter`] |
//! | process frames of known field order, from denoising to colours | [`Stream`] |
//! | find scan, field order and pulldown pattern of a clip | [`Detector`] |
//! | read and write y4m | [`y4m::Reader`], [`y4m::Writer`] |
//! | set parameters of the algorithms by field or by name | [`Parameters`] |
//! | decode and encode hardware state, simulate the media messages (feature `gen6`) | `gen6` |
//!
//! A stream takes planes of any stride and returns frames:
//!
//! ```
//! use dndi::{Format, Frame, Input, Sampling, Scan, Stream, UserData};
//!
//! # fn main() -> Result<(), dndi::Error> {
//! let format = Format::new(720, 576, Sampling::C420);
//! let mut stream = Stream::builder(format, Scan::TopFirst).build()?;
//! let mut field_time = 0;
//! for number in 0..3 {
//!     let frame = Frame::new(format);
//!     stream.push(Input::new(&frame.planes()).user_data(UserData::new(number)))?;
//!     while let Some(output) = stream.pull() {
//!         assert_eq!(output.field_time, field_time); // one frame per field
//!         field_time += 1;
//!         stream.recycle(output.frame); // optional: the next step reuses its memory
//!     }
//! }
//! stream.flush()?; // the second field of the last frame
//! while let Some(output) = stream.pull() {
//!     assert_eq!(output.frame.format(), stream.output_format());
//!     field_time += 1;
//! }
//! assert_eq!(field_time, 6);
//! # Ok(())
//! # }
//! ```
//!
//! # Depth
//!
//! Samples have 8 to 16 bits: bytes for 8, words for more ([`Format::depth`]). Parameters in steps
//! of a sample, noise levels and histograms are those of 8 bits at each depth.
//! [`StreamBuilder::output_depth`] changes the depth.
//!
//! # Threads
//!
//! All work runs in the rayon pool of the caller: the global pool, or the pool whose `install`
//! encloses the call.
//!
//! # Errors
//!
//! [`Error`] is the error of streams and converters. It carries the values as data. No function
//! panics on any size, parameter or sample value, unless its documentation says so.
//!
//! # Features
//!
//! * `cli` (default): the program `dndi`. Libraries switch it off with `default-features = false`.
//! * `gen6` (part of `cli`): hardware state and media messages of Intel's Gen6 graphics.
//!
//! # Sources
//!
//! Section numbers (§) are those of the written specification in `docs/specification`.

mod adapt;
mod blend;
mod capture;
mod color;
pub mod convert;
mod deflicker;
mod deinterlace;
mod denoise;
mod denoise_motion;
mod depth;
mod detect;
mod enhance;
mod error;
mod field_match;
mod fmd;
mod format;
mod frame;
#[cfg(feature = "gen6")]
pub mod gen6;
mod geometry;
mod hot_pixels;
mod luma;
mod memory;
mod motion;
mod noise;
mod parameters;
mod picture_filter;
mod pipeline;
mod plane;
mod repair;

mod scale;
mod scratch_pool;
pub mod y4m;

pub use adapt::denoise::{DenoiseMode, DenoiseState};
pub use blend::{Blend, BlendKernel, BlendRate};
pub use capture::{BayerPattern, CaptureParameters};
pub use color::{
    ColorCorrectionParameters, ColorParameters, ColorSaturation, GammaTable, GamutParameters, GamutTable,
    LocalContrastParameters, ProcAmp, VertexTable, WhiteBalance, WhiteBalanceParameters,
};
pub use deflicker::DeflickerParameters;
pub use deinterlace::{CompensationParameters, DeinterlaceParameters, Deinterlacer, PixelSources};
pub use denoise::{ChromaDenoiseParameters, Denoise5Parameters, DenoiseFilter, DenoiseParameters};
pub use depth::{Dither, FullRange};
pub use detect::{ClipStart, Content, Decision, Detector, DetectorBuilder, FieldMatching, Pulldown, Reason};
pub use dndi_simd::{SimdLevel, SimdLevelError};
pub use enhance::{SharpenMode, SharpenParameters};
pub use error::{EngineError, Error, OptionConflict};
pub use field_match::{CombMask, FieldMatch, FieldMatches, StepMatches};
pub use fmd::FmdParameters;
pub use format::{
    Canvas, ChromaLocation, ColorMatrix, ColorRange, ColorSpace, DEPTHS, FieldOrder, Format, FrameFlags, Geometry, GeometryError,
    Interlacing, MAX_SIZE, Mirror, NameError, Rect, RectError, Rotation, Sampling, Scan, Siting, SizeRequirement,
};
pub use frame::{Frame, PlaneMut, PlaneRef, Planes, PlanesMut, Samples, SamplesMut, UserData};
pub use hot_pixels::HotPixelParameters;
pub use luma::{GreyStatistics, LumaStatistics};
pub use memory::OutOfMemory;
pub use noise::NoiseParameters;
pub use parameters::field::{ParameterError, ParameterField};
pub use parameters::{Parameters, PassthroughParameters};
pub use picture_filter::{ConvolutionKernel, ConvolveParameters, FilterWindow, PictureFilters};
pub use pipeline::{ChromaOutput, Input, Maps, Output, Statistics, Stream, StreamBuilder};
pub use repair::{
    ChromaShift, ChromaShiftError, ChromaShiftMeter, CompositeCrosstalk, CompositeStandard, CompositeStandardError,
    DotCrawlMeter, DotCrawlRepair, DropOutRepair,
};
pub use scale::{Addresses, Coefficients, FilterTable, FilterTables, Scale, ScaleFilter, ScalerParameters};

/// The example of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// And that of the document about colour.
#[cfg(doctest)]
#[doc = include_str!("../docs/design/color.md")]
struct Color;
