//! A frame of the stream in padded planes (§1.6).
use super::settings::Settings;
use crate::format::{Format, Sampling};
use crate::frame::InputPlane;
use crate::memory::OutOfMemory;
use crate::plane::PaddedPlane;

/// A frame as the deinterlacer reads it.
#[derive(Debug)]
pub(super) struct Picture {
    /// The luma, denoised unless that is off; empty in stateless streams, which read the caller's
    /// plane.
    pub luma: PaddedPlane,
    /// The chroma, 4:1:1 as 4:2:2; empty if the caller's planes are copied to the output.
    pub chroma: [PaddedPlane; 2],
}

impl Picture {
    /// Planes for the stages that the settings enable.
    pub fn new(settings: &Settings) -> Result<Picture, OutOfMemory> {
        let Format { width, height, .. } = settings.format;
        let chroma = || match settings.held_chroma_size() {
            (width, height) if settings.deinterlace || settings.denoises_chroma() => PaddedPlane::new(width, height),
            _ => Ok(PaddedPlane::default()),
        };
        let luma = if settings.is_stateless() { PaddedPlane::default() } else { PaddedPlane::new(width, height)? };
        Ok(Picture { luma, chroma: [chroma()?, chroma()?] })
    }
}

impl Settings {
    /// Copies one of the caller's chroma planes to a plane of the stream.
    pub(super) fn import_chroma(&self, to: &mut PaddedPlane, plane: &InputPlane) {
        match self.format.sampling {
            Sampling::Mono => {}
            Sampling::C411 if self.deinterlace => to.import_doubled(*plane),
            _ => to.import(*plane),
        }
    }
}
