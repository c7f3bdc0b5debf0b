//! Parts of completing a field to a frame that the first step, the end of the stream and all others share.
use super::picture::{ChromaPath, Picture};
use super::step::{Scratch, Tiling, Work};
use crate::deinterlace::chroma::{self, Store, Woven};
use crate::deinterlace::{self, Role};
use crate::frame::{Frame, Sampling};
use crate::surface::{PairPlane, Target};
use rayon::prelude::*;

/// An output's field and what completes it.
#[derive(Clone, Copy)]
pub(super) struct Completion<'a> {
    pub role: Role,
    /// K, the frame that holds the field.
    pub completed: &'a Picture,
    /// R, the other frame, and the motion measure of the step; none where all is spatial (§1.4).
    pub temporal: Option<(&'a Picture, &'a PairPlane)>,
    /// The frame that the missing lines are woven from, if any.
    pub weave: Option<Woven>,
}

impl Completion<'_> {
    /// Completes luma and chroma by spatial deinterlacing alone, or weaves them.
    pub fn spatial(&self, work: Work, tiling: Tiling, scratch: &mut [Scratch], angles: &mut PairPlane, frame: &mut Frame) {
        let input = deinterlace::Spatial {
            kernels: work.kernels,
            parameters: &work.settings.parameters.deinterlace,
            pairs: work.pairs(),
            missing: self.role.missing(work.top_first()),
            field: self.completed.luma(work.settings).fields(),
            weave: self.weave.is_some(),
        };
        let bands = (scratch.par_iter_mut(), luma_bands(frame, tiling.lines), angles.bands_mut(tiling.lines));
        bands.into_par_iter().enumerate().for_each(|(band, (scratch, mut luma, mut angles))| {
            for rect in tiling.tiles(band, work.size()) {
                deinterlace::spatial_tile(&input, rect, &mut luma, &mut angles, &mut scratch.deinterlace);
            }
        });
        self.chroma(work, tiling, scratch, angles, frame);
    }

    /// Completes the chroma along the angles that were found for the luma.
    pub fn chroma(&self, work: Work, tiling: Tiling, scratch: &mut [Scratch], angles: &PairPlane, frame: &mut Frame) {
        let (format, ChromaPath { sampling, store }) = (work.settings.format, work.settings.chroma_path());
        if sampling == Sampling::Mono {
            return;
        }
        let out_width = frame.format().plane_size(1).0;
        let out_lines = if store == Store::Native { tiling.lines } else { tiling.lines / 2 };
        let input = chroma::Input {
            kernels: work.kernels,
            mix: work.settings.parameters.deinterlace.mix(),
            sampling,
            store,
            width: sampling.chroma_size(format.width, format.height).0,
            lines: format.height,
            missing: self.role.missing(work.top_first()),
            completed: &self.completed.chroma,
            temporal: self.temporal.map(|(other, measure)| (&other.chroma, measure)),
            angles,
            weave: self.weave,
        };
        let [_, u, v] = frame.planes_mut();
        let bands = |plane| <[u8]>::par_chunks_mut(plane, out_width * out_lines);
        (scratch.par_iter_mut(), bands(u), bands(v)).into_par_iter().enumerate().for_each(|(band, (scratch, u, v))| {
            let mut out = [u, v].map(|plane| Target::new(plane, out_width, band * out_lines));
            for rect in tiling.tiles(band, work.size()) {
                chroma::tile(&input, rect, &mut out, &mut scratch.chroma);
            }
        });
    }
}

/// The luma of an output, cut into bands.
pub(super) fn luma_bands(frame: &mut Frame, lines: usize) -> impl IndexedParallelIterator<Item = Target<'_>> {
    let width = frame.format().width;
    let [luma, ..] = frame.planes_mut();
    luma.par_chunks_mut(width * lines).enumerate().map(move |(band, data)| Target::new(data, width, band * lines))
}
