//! The default conversion of a clip: detection with look-ahead, field matching, deinterlacing, a
//! new stream where the field order changes, repeated frames, decimation and timestamps. It uses no
//! files and no terminal: it is the processing of `dndi INPUT OUTPUT` between reading and writing.
//!
//! [`Converter::builder`] takes the format of the clip and the options. [`Converter::convert`]
//! converts an iterator of frames; [`Converter::push`], [`Converter::pull`] and
//! [`Converter::finish`] do the same frame by frame, and [`Converter::next_event`] also reports
//! each processed frame with its statistics. [`Converter::pull_decided`] pairs frames with the
//! decisions of the detector alone.
//!
//! ```
//! use dndi::convert::Converter;
//! use dndi::{Format, Frame, Sampling};
//!
//! # fn main() -> Result<(), dndi::Error> {
//! # let format = Format::new(64, 48, Sampling::C420);
//! # let frames = (0..20).map(|_| Frame::new(format));
//! # let mut shown = 0;
//! let converter = Converter::builder(format).frame_rate(25, 1).build()?;
//! for output in converter.convert(frames) {
//!     let output = output?; // show `output.frame` at `output.time`
//! #   assert_eq!((output.time, output.duration), (4 * shown, 4));
//! #   shown += 1;
//! }
//! # assert_eq!(shown, 20);
//! # Ok(())
//! # }
//! ```
//!
//! [`Chunks`] cut a clip into parts that are converted independently of each other, in any order.
//!
//! A [`Survey`] of a clip that can be read twice shows the output rate that loses and repeats
//! nothing.
//!
//! Times count quarters of the duration of an input frame: a frame lasts 4, a field 2, and a
//! picture of 3:2 telecined film 5.
mod builder;
mod chunks;
mod converter;
mod deblend;
mod decimate;
pub(crate) mod engine;
mod events;
mod frame_queue;
mod matches;
mod needs;
mod options;
mod packed_frame;
mod plan;
mod repair;
mod running;
mod segments;
mod survey;

pub use builder::ConverterBuilder;
pub use chunks::{Chunk, Chunks};
pub use converter::Converter;
pub use deblend::Deblender;
pub use engine::Engine;
pub use events::{Captured, Converted, Event, Notice, StepReport};
pub use frame_queue::{ClipFrame, DecidedFrame, DetectedStart};
pub use needs::{DetectionNeeds, NoFieldMatching};
pub use options::{DeinterlaceMode, FieldOrderMode, MatchSource, OutputRate};
pub use plan::ClipPlan;
pub use survey::Survey;
