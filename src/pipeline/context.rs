//! Settings, kernels, tiling and scratch buffers that all parts of a step share.
use super::field_scratch::FieldScratch;
use super::picture::Picture;
use super::settings::Settings;
use crate::adapt::controller::Measured;
use crate::adapt::scene::Thumbnail;
use crate::deinterlace::{self, Current, DeinterlaceParameters};
use crate::field_match::{CombMask, FieldMatch};
use crate::fmd;
use crate::format::{MAX_SIZE, Rect, Scan};
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed};
use crate::noise::{self, Distribution, Estimate};
use crate::plane::{LumaPlane, PaddedPlane, PairPlane, PlaneView};
use crate::scratch_pool::ScratchPool;
use dndi_simd::Kernels;
use rayon::prelude::*;

/// Sizes of bands and tiles. They do not affect any sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiling {
    /// Lines of a band, the unit of work of a thread; a multiple of 8.
    pub lines: usize,
    /// Pixels in a line of a tile; a multiple of 16.
    pub columns: usize,
}

/// The sizes of all streams, not measured. The lines follow from the number of tasks and from the
/// cache: 576 lines make 18 bands, and 32 lines of 1920 pixels are 60 KiB of each luma plane. Fewer
/// lines cost more task overhead and read more lines of the bands above and below; more lines give
/// small pictures fewer tasks than threads. The columns follow from the largest picture: a band is
/// one tile. Narrower tiles would read the columns at their sides twice.
pub(super) const TILING: Tiling = Tiling { lines: 32, columns: MAX_SIZE };

impl Tiling {
    /// Number of bands of a picture.
    pub fn bands(self, (_, height): (usize, usize)) -> usize {
        height.div_ceil(self.lines)
    }

    /// The tiles of a band.
    pub fn tiles(self, band: usize, (width, height): (usize, usize)) -> impl Iterator<Item = Rect> {
        let y = band * self.lines;
        let height = self.lines.min(height - y);
        (0..width).step_by(self.columns).map(move |x| Rect { x, y, width: self.columns.min(width - x), height })
    }
}

/// Scratch buffers for a tile.
#[derive(Debug)]
pub(super) struct Scratch<S> {
    /// Motion histories of a line's pixels.
    pub line: Vec<u8>,
    /// Noise estimates of a line's pixels.
    pub noise: Vec<S>,
    pub film: fmd::Scratch,
    pub deinterlace: deinterlace::Scratch<S>,
    pub fields: FieldScratch<S>,
}

impl<S: PlaneSample> Scratch<S> {
    /// Buffers for the stages that the settings enable.
    pub fn new(settings: &Settings, tiling: Tiling) -> Result<Scratch<S>, OutOfMemory> {
        let width = settings.format.width.min(tiling.columns);
        let (film, lines) = if settings.deinterlace { (width, tiling.lines) } else { (0, 0) };
        let field = if settings.is_gen6() { width } else { 0 };
        Ok(Scratch {
            line: zeroed(width)?,
            noise: zeroed(width)?,
            film: fmd::Scratch::new(film, lines)?,
            deinterlace: deinterlace::Scratch::new(field)?,
            fields: FieldScratch::new(settings, tiling.lines)?,
        })
    }
}

/// Settings and kernels of a step.
#[derive(Clone, Copy)]
pub(super) struct StepContext<'a> {
    pub settings: &'a Settings,
    pub kernels: &'static Kernels,
}

impl StepContext<'_> {
    /// Width and height of the picture.
    pub fn size(&self) -> (usize, usize) {
        (self.settings.format.width, self.settings.format.height)
    }

    /// Pairs of pixels in a line.
    pub fn pairs(&self) -> usize {
        self.settings.format.width.div_ceil(2)
    }

    /// Whether the top field is the earlier one.
    pub fn top_first(&self) -> bool {
        self.settings.scan == Scan::TopFirst
    }

    /// The first line of the earlier field, or of a progressive frame.
    pub fn first_line(&self) -> usize {
        (self.settings.scan == Scan::BottomFirst) as usize
    }

    /// The lines of a plane as the denoise filter reads them (§1.2, §2).
    pub fn lines<'a, S: PlaneSample>(&self, plane: &'a PaddedPlane<S>) -> PlaneView<'a, S> {
        if self.settings.scan == Scan::Progressive { plane.frame() } else { plane.fields() }
    }

    /// The input of the deinterlacer without chroma, with the parameters `given`.
    pub fn deinterlacing<'a, S: PlaneSample>(
        &'a self,
        given: &'a DeinterlaceParameters,
        [current, previous]: [&'a Picture<S>; 2],
        original: Option<&'a LumaPlane<S>>,
        stored: &'a PairPlane,
        matches: [FieldMatch; 2],
        comb_masks: [Option<&'a CombMask>; 2],
    ) -> deinterlace::Input<'a, S> {
        let compensation = &self.settings.parameters.compensation;
        deinterlace::Input {
            kernels: self.kernels,
            parameters: given,
            compensation: compensation.mcdi_enable.then_some(compensation),
            pairs: self.pairs(),
            current: Current {
                denoised: current.luma.fields(),
                original: original.map(LumaPlane::fields),
                top_first: self.top_first(),
            },
            previous: previous.luma.fields(),
            stored,
            matches,
            comb_masks,
            counts: self.settings.statistics,
            wanted: [true; 2],
            chroma: None,
        }
    }

    /// Lines of a block of the noise estimate (§2.5).
    pub fn noise_lines(&self) -> usize {
        if self.settings.deinterlace { 4 } else { 8 }
    }

    /// Lines from one vertical neighbour to the next, for denoising (§2).
    pub fn line_step(&self) -> isize {
        if self.settings.scan == Scan::Progressive { 1 } else { 2 }
    }
}

/// The context of a step with its tiling and scratch buffers.
pub(super) struct BandContext<'a, S> {
    pub context: StepContext<'a>,
    pub tiling: Tiling,
    pub pool: &'a ScratchPool<Scratch<S>>,
}

impl<S> Clone for BandContext<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for BandContext<'_, S> {}

impl<S: PlaneSample> BandContext<'_, S> {
    /// The noise estimate of a plane: with `all` of all its blocks, with `sampled` of sampled ones.
    pub fn estimate_noise(self, plane: &PaddedPlane<S>, size: (usize, usize), all: bool, sampled: bool) -> Estimate {
        let BandContext { context, tiling, pool } = self;
        let input = noise::Input {
            kernels: context.kernels,
            parameters: &context.settings.parameters.noise,
            depth: context.settings.working_depth(),
            step: context.line_step(),
            lines: context.noise_lines(),
            current: context.lines(plane),
            size,
            all,
            sampled,
        };
        let bands = (0..tiling.bands(size)).into_par_iter().map(|band| {
            let line = &mut pool.get().noise;
            let mut estimate = Estimate::default();
            for rect in tiling.tiles(band, size) {
                estimate += noise::tile(&input, rect, line);
            }
            estimate
        });
        bands.reduce(Estimate::default, |mut a, b| {
            a += b;
            a
        })
    }

    /// The measurements of planes by which automatic denoising chooses: their noise estimates, and
    /// their thumbnail.
    pub fn measured<'p>(
        self,
        planes: impl Iterator<Item = (&'p PaddedPlane<S>, (usize, usize))>,
        estimates: Distribution,
    ) -> Measured
    where
        S: 'p,
    {
        let views = planes.map(|(plane, size)| (plane.frame(), size));
        let thumbnail = Thumbnail::of(views, self.context.first_line(), self.context.settings.working_depth());
        Measured { estimates, lines: self.context.noise_lines(), thumbnail }
    }
}
