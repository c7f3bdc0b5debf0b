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

/// A frame as the stages read it.
#[derive(Debug)]
pub(super) struct Picture {
    pub original: Surface,
    /// Empty with denoise off, when the original takes its place.
    pub denoised: Surface,
    /// Empty with deinterlacing off, when chroma is passed on.
    pub chroma: [Surface; 2],
}

impl Picture {
    pub fn new(settings: &Builder) -> Picture {
        let Format { width, height, .. } = settings.format;
        let surface = |needed: bool, (width, height): (usize, usize)| {
            if needed { Surface::new(width, height) } else { Surface::default() }
        };
        let chroma_size = settings.chroma_path().sampling.chroma_size(width, height);
        Picture {
            original: Surface::new(width, height),
            denoised: surface(settings.denoise, (width, height)),
            chroma: [(); 2].map(|()| surface(settings.deinterlace, chroma_size)),
        }
    }

    /// What the deinterlacer reads.
    pub fn luma(&self, settings: &Builder) -> &Surface {
        if settings.denoise { &self.denoised } else { &self.original }
    }

    /// Takes the caller's planes, chroma as 4:2:2 or as it is.
    pub fn import(&mut self, settings: &Builder, planes: &[PlaneRef; 3]) {
        self.original.import(planes[0]);
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
