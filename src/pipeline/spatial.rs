//! Output frames cut into bands, and fields completed without another frame: the first step and the
//! end of the stream (§1.4).
use super::context::{Scratch, StepContext, Tiling};
use super::picture::Picture;
use super::settings::ChromaPath;
use crate::deinterlace::chroma::{self, Store, Woven};
use crate::deinterlace::{self, Role};
use crate::field_match::CombMask;
use crate::format::Sampling;
use crate::frame::{Frame, PlaneSample};
use crate::plane::BandMut;
use crate::scratch_pool::ScratchPool;
use rayon::iter::Either;
use rayon::prelude::*;

impl StepContext<'_> {
    /// The chroma input of an output; none for mono. `completed` is K, `other` is R or none for
    /// spatial deinterlacing, `weave` is the frame that the output is woven from, except in the
    /// marked tiles of `comb_mask`.
    pub fn chroma<'a, S: PlaneSample>(
        &'a self,
        role: Role,
        completed: &'a Picture<S>,
        other: Option<&'a Picture<S>>,
        weave: Option<Woven>,
        comb_mask: Option<&'a CombMask>,
    ) -> Option<chroma::Input<'a, S>> {
        let (format, ChromaPath { sampling, store }) = (self.settings.format, self.settings.chroma_path());
        (sampling != Sampling::Mono).then(|| chroma::Input {
            kernels: self.kernels,
            mix: self.settings.parameters.deinterlace.mix(),
            sampling,
            store,
            width: sampling.chroma_size(format.width, format.height).0,
            lines: format.height,
            missing: role.missing(self.top_first()),
            completed: &completed.chroma,
            other: other.map(|other| &other.chroma),
            weave,
            comb_mask,
        })
    }

    /// Completes a field by spatial deinterlacing alone, or weaves it with the other field of its
    /// frame.
    pub fn spatial<S: PlaneSample>(
        &self,
        role: Role,
        completed: &Picture<S>,
        weave: bool,
        tiling: Tiling,
        pool: &ScratchPool<Scratch<S>>,
        frame: &mut Frame,
    ) {
        let input = deinterlace::Spatial {
            kernels: self.kernels,
            parameters: &self.settings.parameters.deinterlace,
            pairs: self.pairs(),
            missing: role.missing(self.top_first()),
            field: completed.luma.fields(),
            weave,
            chroma: self.chroma(role, completed, None, weave.then_some(Woven::Completed), None),
        };
        self.bands(frame, tiling).enumerate().for_each(|(band, (mut luma, mut chroma))| {
            let scratch = &mut pool.get().deinterlace;
            for rect in tiling.tiles(band, self.size()) {
                deinterlace::spatial_tile(&input, rect, &mut luma, &mut chroma, scratch);
            }
        });
    }

    /// Luma and chroma of a deinterlaced frame, cut into bands; the chroma bands of mono are empty.
    pub fn bands<'a, S: PlaneSample>(
        &self,
        frame: &'a mut Frame,
        tiling: Tiling,
    ) -> impl IndexedParallelIterator<Item = (BandMut<'a, S>, [BandMut<'a, S>; 2])> {
        let (width, chroma_width) = (frame.format().width, frame.format().plane_size(1).0);
        let chroma_lines = if self.settings.chroma_path().store == Store::Native { tiling.lines } else { tiling.lines / 2 };
        let [luma, u, v] = frame.output_planes::<S>();
        let luma = luma.par_chunks_mut(width * tiling.lines);
        let planes = if u.is_empty() {
            Either::Left(luma.map(|luma| (luma, [&mut [][..], &mut []])))
        } else {
            let [u, v] = [u, v].map(|plane| plane.par_chunks_mut(chroma_width * chroma_lines));
            Either::Right((luma, u, v).into_par_iter().map(|(luma, u, v)| (luma, [u, v])))
        };
        planes.enumerate().map(move |(band, (luma, chroma))| {
            let luma = BandMut::new(luma, width, band * tiling.lines);
            (luma, chroma.map(|plane| BandMut::new(plane, chroma_width, band * chroma_lines)))
        })
    }
}
