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
    /// Empty with deinterlacing off, when chroma is passed on.
    pub chroma: [Surface; 2],
}

impl Picture {
    pub fn new(settings: &Builder) -> Picture {
        let Format { width, height, .. } = settings.format;
        let chroma = || match settings.chroma_path().sampling.chroma_size(width, height) {
            (width, height) if settings.deinterlace => Surface::new(width, height),
            _ => Surface::default(),
        };
        let luma = if settings.is_stateless() { Surface::default() } else { Surface::new(width, height) };
        Picture { luma, chroma: [chroma(), chroma()] }
    }

    /// Takes the caller's chroma, as 4:2:2 or as it is.
    pub fn import_chroma(&mut self, settings: &Builder, planes: &[PlaneRef; 3]) {
        if settings.deinterlace && settings.format.sampling != Sampling::Mono {
            for (surface, plane) in self.chroma.iter_mut().zip(&planes[1..]) {
                match settings.format.sampling {
                    Sampling::C411 => surface.import_doubled(*plane),
                    _ => surface.import(*plane),
                }
            }
        }
    }
}
