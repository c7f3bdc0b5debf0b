//! Scratch buffers of a deinterlacer with look-ahead.
use super::settings::Settings;
use crate::deinterlace::balanced;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed_rows};

/// Scratch buffers of a band.
#[derive(Debug)]
pub(super) struct FieldScratch<S> {
    pub balanced: balanced::Scratch<S>,
    /// Rows of chroma that is converted.
    pub rows: [Vec<S>; 3],
}

impl<S: PlaneSample> FieldScratch<S> {
    /// Buffers for pictures of the settings; empty for the deinterlacer of the hardware.
    pub fn new(settings: &Settings) -> Result<FieldScratch<S>, OutOfMemory> {
        let needed = settings.looks_ahead();
        let width = if needed { settings.held_chroma_size().0 } else { 0 };
        Ok(FieldScratch { balanced: balanced::Scratch::new(needed)?, rows: zeroed_rows(width)? })
    }
}
