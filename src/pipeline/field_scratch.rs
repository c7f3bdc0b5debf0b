//! Scratch buffers of a deinterlacer with look-ahead.
use super::settings::Settings;
use crate::deinterlace::balanced;
use crate::deinterlace::fields::REACH;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed_rows};
use crate::plane::top_lines::TopLines;
use std::ops::Range;

/// Lines above and below the band of a plane that its outputs depend on: those that a missing line
/// reads, from the one row beside the band that the conversion of 4:2:0 to 4:2:2 reads.
const MARGIN: usize = REACH + 1;

/// Scratch buffers of a band.
#[derive(Debug)]
pub(super) struct FieldScratch<S> {
    pub lines: LineScratch<S>,
    /// The 8 most significant bits of the older frame, of the frame and of the newer one, for both
    /// outputs.
    pub tops: [TopLines; 3],
}

/// Scratch buffers of the lines of an output.
#[derive(Debug)]
pub(super) struct LineScratch<S> {
    pub balanced: balanced::Scratch<S>,
    /// Rows of chroma that is converted.
    pub rows: [Vec<S>; 3],
}

impl<S: PlaneSample> FieldScratch<S> {
    /// Buffers for bands of `lines` lines; empty for the deinterlacer of the hardware.
    pub fn new(settings: &Settings, lines: usize) -> Result<FieldScratch<S>, OutOfMemory> {
        let needed = settings.looks_ahead();
        let width = if needed { settings.held_chroma_size().0 } else { 0 };
        let balanced = balanced::Scratch::new(needed, settings.format.width)?;
        Ok(FieldScratch { lines: LineScratch { balanced, rows: zeroed_rows(width)? }, tops: tops(settings, lines)? })
    }
}

/// Memory for the 8 most significant bits of three frames near a band of `lines` lines; empty
/// unless they are extracted.
pub(super) fn tops(settings: &Settings, lines: usize) -> Result<[TopLines; 3], OutOfMemory> {
    let Settings { format, .. } = settings;
    let width = if settings.extracts_top() { format.width } else { 0 };
    let top = || TopLines::new(width, (lines + 2 * MARGIN).min(format.height));
    Ok([top()?, top()?, top()?])
}

/// The lines of a plane of `height` lines that a band of it depends on.
pub(super) fn with_margin(band: &Range<usize>, height: usize) -> Range<usize> {
    band.start.saturating_sub(MARGIN)..(band.end + MARGIN).min(height)
}
