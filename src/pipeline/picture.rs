//! A frame of the stream on padded surfaces (§1.6).
use super::Builder;
use crate::deinterlace::chroma::Store;
use crate::frame::{Format, PlaneRef, Sampling};
use crate::surface::Surface;

/// Sampling of the chroma surfaces, and what becomes of the native chroma of an output.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChromaPath {
    pub sampling: Sampling,
    pub store: Store,
}

/// A frame as the deinterlacer reads it.
#[derive(Debug)]
pub(super) struct Picture {
    /// Denoised, unless that is off; empty where the scaler reads the caller's.
    pub luma: Surface,
    /// As 4:2:2 or as it is; empty where it is passed on.
    pub chroma: [Surface; 2],
}

impl Picture {
    pub fn new(settings: &Builder) -> Picture {
        let Format { width, height, .. } = settings.format;
        let chroma = || match settings.chroma_surface_size() {
            (width, height) if settings.deinterlace || settings.denoises_chroma() => Surface::new(width, height),
            _ => Surface::default(),
        };
        let luma = if settings.is_stateless() { Surface::default() } else { Surface::new(width, height) };
        Picture { luma, chroma: [chroma(), chroma()] }
    }
}

impl Builder {
    /// Size of the chroma surfaces; 0×0 for mono.
    pub(super) fn chroma_surface_size(&self) -> (usize, usize) {
        let Format { width, height, sampling, .. } = self.format;
        if self.deinterlace { self.chroma_path().sampling } else { sampling }.chroma_size(width, height)
    }

    /// Takes one of the caller's chroma planes.
    pub(super) fn import_chroma(&self, surface: &mut Surface, plane: &PlaneRef) {
        match self.format.sampling {
            Sampling::Mono => {}
            Sampling::C411 if self.deinterlace => surface.import_doubled(*plane),
            _ => surface.import(*plane),
        }
    }
}
