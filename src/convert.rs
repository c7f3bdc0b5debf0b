//! The default conversion of a clip: detection with look-ahead, field matching, deinterlacing, restarts where the field order changes,
//! repeats, decimation and timestamps. No files, no terminal: this is what `dndi INPUT OUTPUT` does between reading and writing.
//!
//! ```
//! use dndi::convert::Converter;
//! use dndi::{Format, Frame, Sampling};
//!
//! # fn main() -> Result<(), dndi::Error> {
//! # let format = Format::new(64, 48, Sampling::C420);
//! # let mut frames = (0..20).map(|_| Frame::new(format));
//! # let mut shown = 0;
//! let mut converter = Converter::builder(format).frame_rate(25, 1).build()?;
//! loop {
//!     while let Some(output) = converter.pull()? {
//!         shown += 1; // show `output.frame` at `output.time`, for `output.duration`, in quarters of an input frame's duration
//!         converter.recycle(output.frame);
//!     }
//!     match frames.next() {
//!         Some(frame) => converter.push(frame)?,
//!         None if converter.is_finished() => break,
//!         None => converter.finish(),
//!     }
//! }
//! # assert_eq!(shown, 20);
//! # Ok(())
//! # }
//! ```
mod converter;
mod decimate;
mod engine;
mod lookahead;
mod matches;
mod options;
mod plan;
mod segments;

pub use converter::{Captured, Converted, Converter, ConverterBuilder, Event, Notice, StepReport};
pub use engine::Engine;
pub use lookahead::{ClipBeginning, ClipFrame, DecidedFrame, Lookahead};
pub use options::{DeinterlaceMode, FieldOrderMode, MatchSource, OutputRate};
pub use plan::{ClipPlan, DetectionNeeds, NoFieldMatching};
