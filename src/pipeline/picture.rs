//! A frame of the stream in padded planes (§1.6).
use super::settings::Settings;
use crate::deinterlace::steady::CellChanges;
use crate::format::{Format, Sampling};
use crate::frame::{InputPlane, PlaneSample};
use crate::memory::OutOfMemory;
use crate::plane::{FilteredPlane, LumaPlane, LumaView, PaddedPlane};
use dndi_simd::Kernels;

/// A frame as the deinterlacer reads it.
#[derive(Debug)]
pub(super) struct Picture<S> {
    /// The luma, denoised unless that is off; empty in stateless streams, which read the caller's
    /// plane.
    pub luma: LumaPlane<S>,
    /// The chroma, 4:1:1 as 4:2:2; empty if the caller's planes are copied to the output.
    pub chroma: [PaddedPlane<S>; 2],
    /// The 8 most significant bits of chroma in words, for decisions of
    /// [`Deinterlacer::Best`](crate::Deinterlacer::Best); otherwise empty.
    pub chroma_top: [PaddedPlane; 2],
    /// Whether a scene cut separates the first field, and the second one, from the field before.
    /// Only a deinterlacer with look-ahead finds them.
    pub cuts: [bool; 2],
    /// The changes of the luma from the frame before. Only a deinterlacer with look-ahead measures
    /// them.
    pub changes: CellChanges,
}

impl<S: PlaneSample> Picture<S> {
    /// Planes for the stages that the settings enable.
    pub fn new(settings: &Settings) -> Result<Picture<S>, OutOfMemory> {
        let Format { width, height, .. } = settings.format;
        let chroma = || match settings.held_chroma_size() {
            (width, height) if settings.deinterlace || settings.denoises_chroma() => PaddedPlane::new(width, height),
            _ => Ok(PaddedPlane::default()),
        };
        let top = || match settings.held_chroma_size() {
            (width, height) if settings.keeps_chroma_top() => PaddedPlane::new(width, height),
            _ => Ok(PaddedPlane::default()),
        };
        let (width, height) = if settings.is_stateless() { (0, 0) } else { (width, height) };
        let luma = LumaPlane::new(width, height, settings.working_depth(), settings.keeps_luma_top())?;
        let changes = if settings.looks_ahead() { CellChanges::new((width, height))? } else { CellChanges::default() };
        let (chroma, chroma_top) = ([chroma()?, chroma()?], [top()?, top()?]);
        Ok(Picture { luma, chroma, chroma_top, cuts: [false; 2], changes })
    }

    /// Plane `index` with all bits.
    pub fn plane(&self, index: usize) -> &PaddedPlane<S> {
        match index {
            0 => &self.luma.samples,
            index => &self.chroma[index - 1],
        }
    }

    /// Plane `index` with all bits and with 8, if these are kept.
    pub fn fields(&self, index: usize) -> LumaView<'_, S> {
        match index {
            0 => self.luma.fields(),
            index => self.chroma[index - 1].fields_with(&self.chroma_top[index - 1]),
        }
    }
}

impl Settings {
    /// Copies one of the caller's chroma planes to a plane of the stream.
    pub(super) fn import_chroma<S: PlaneSample>(&self, kernels: &Kernels, to: &mut PaddedPlane<S>, plane: &InputPlane<S>) {
        match self.format.sampling {
            Sampling::Mono => {}
            Sampling::C411 if self.deinterlace => to.import_doubled(*plane),
            _ => to.import(kernels, *plane),
        }
    }
}
