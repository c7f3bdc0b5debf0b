//! Repair of faults of tapes in the frames of the input.
mod alternation;
mod chroma_meter;
mod chroma_shift;
mod composite;
mod dot_crawl;
mod dot_crawl_meter;
mod drop_outs;
mod line_pictures;
mod line_prediction;
mod suspects;

pub use chroma_meter::ChromaShiftMeter;
pub use chroma_shift::{ChromaShift, ChromaShiftError};
pub use composite::{CompositeStandard, CompositeStandardError};
pub use dot_crawl::DotCrawlRepair;
pub use dot_crawl_meter::{CompositeCrosstalk, DotCrawlMeter};
pub use drop_outs::DropOutRepair;

use crate::frame::{Frame, Samples, SamplesMut};
use crate::memory::OutOfMemory;

/// Copies a frame into the memory of another one.
fn copy(to: &mut Frame, from: &Frame) -> Result<(), OutOfMemory> {
    if to.format() != from.format() {
        *to = from.try_clone()?;
        return Ok(());
    }
    match (to.samples_mut(), from.samples()) {
        (SamplesMut::U8(to), Samples::U8(from)) => to.copy_from_slice(from),
        (SamplesMut::U16(to), Samples::U16(from)) => to.copy_from_slice(from),
        _ => {}
    }
    Ok(())
}
