//! Denoising of the luma, or of the chroma planes (§2): the filter's state and its control.
use super::context::BandContext;
use crate::adapt::controller::DenoiseController;
use crate::adapt::denoise::DenoiseMode;
use crate::denoise::{self, DenoiseParameters, Thresholds};
use crate::format::Rect;
use crate::memory::{OutOfMemory, with_capacity, zeroed_rows};
use crate::noise::{Estimate, Sums};
use crate::plane::{BandMut, FilteredPlane};
use dndi_simd::Denoise5;
use rayon::prelude::*;

/// Lines of a row of blocks of the motion history.
const BLOCK_LINES: usize = 4;

/// Denoising of planes that share their parameters: the luma, or Cb and Cr.
#[derive(Debug)]
pub(super) struct DenoiseStage<P> {
    planes: Vec<Plane<P>>,
    /// Chooses the parameters of each step.
    pub controller: DenoiseController,
    /// Noise estimates of all blocks in the last step, if these were needed.
    pub noise: Sums,
}

/// A plane with the state of its filter.
#[derive(Debug)]
struct Plane<P> {
    size: (usize, usize),
    /// The plane of the current frame before denoising.
    original: P,
    /// Motion histories of the previous step and of this one, one value per 4×4 block.
    history: [Vec<u8>; 2],
}

impl<P: FilteredPlane> Plane<P> {
    fn new(size: (usize, usize), depth: u8, tops: bool) -> Result<Plane<P>, OutOfMemory> {
        let blocks = size.0.div_ceil(4) * size.1.div_ceil(4);
        Ok(Plane { size, original: P::new(size.0, size.1, depth, tops)?, history: zeroed_rows(blocks)? })
    }

    /// Denoises the original into `out`.
    fn filter(
        &mut self,
        bands: BandContext<P::Sample>,
        (thresholds, weights): (&Thresholds, Option<&Denoise5>),
        previous: Option<&P>,
        out: &mut P,
    ) {
        let BandContext { context, tiling, pool } = bands;
        let [old, new] = &mut self.history;
        let blocks = self.size.0.div_ceil(4);
        let input = denoise::Input {
            kernels: context.kernels,
            thresholds,
            step: context.line_step(),
            current: context.lines(self.original.samples()),
            previous: previous.map(|previous| (context.lines(previous.samples()), old.as_slice())),
            blocks,
            weights,
        };
        let block_rows = tiling.lines / 4;
        let lines = (out.bands_mut(tiling.lines), new.par_chunks_mut(blocks * block_rows));
        lines.into_par_iter().enumerate().for_each(|(band, (mut out, history))| {
            let line = &mut pool.get().line;
            let mut history = BandMut::new(history, blocks, band * block_rows);
            let top = band * tiling.lines;
            let end = (top + tiling.lines).min(self.size.1);
            for y in (top..end).step_by(BLOCK_LINES) {
                let lines = y..end.min(y + BLOCK_LINES);
                for rect in tiling.tiles(band, self.size) {
                    let rect = Rect { y, height: lines.len(), ..rect };
                    denoise::tile(&input, rect, &mut out.samples, &mut history, line);
                }
                out.finish(context.kernels, lines);
            }
        });
    }
}

impl<P: FilteredPlane> DenoiseStage<P> {
    /// The stage for planes of these sizes with samples of `depth` bits; without planes it does
    /// nothing. With `tops` the originals keep their 8 most significant bits.
    pub fn new(mode: DenoiseMode, sizes: &[(usize, usize)], depth: u8, tops: bool) -> Result<DenoiseStage<P>, OutOfMemory> {
        let mut planes = with_capacity(sizes.len())?;
        for &size in sizes {
            planes.push(Plane::new(size, depth, tops)?);
        }
        let mode = if sizes.is_empty() { DenoiseMode::Off } else { mode };
        Ok(DenoiseStage { planes, controller: DenoiseController::new(mode, depth), noise: Sums::default() })
    }

    /// The planes before denoising, to be filled.
    pub fn originals(&mut self) -> impl Iterator<Item = &mut P> {
        self.planes.iter_mut().map(|plane| &mut plane.original)
    }

    /// The first plane before denoising; none with denoising off.
    pub fn original(&self) -> Option<&P> {
        self.planes.first().map(|plane| &plane.original)
    }

    /// The first plane's motion history of the last complete step; empty with denoising off.
    pub fn last_history(&self) -> &[u8] {
        self.planes.first().map_or(&[], |plane| &plane.history[0])
    }

    /// The first plane's motion history of the running step; empty with denoising off.
    pub fn history(&self) -> &[u8] {
        self.planes.first().map_or(&[], |plane| &plane.history[1])
    }

    /// Denoises the originals into the planes `out`. `previous` are the denoised planes of the
    /// previous frame; none on the first step. With `all` the stage also estimates the noise of all
    /// blocks. `weights` are those of the 5×5 neighbourhood for each plane, if that is the filter.
    pub fn run(
        &mut self,
        bands: BandContext<P::Sample>,
        given: &DenoiseParameters,
        previous: Option<&[P]>,
        out: &mut [P],
        (all, weights): (bool, &[Denoise5]),
    ) {
        let (context, automatic) = (bands.context, self.controller.is_automatic());
        let mut noise = Estimate::default();
        if automatic || all {
            for plane in &self.planes {
                noise += bands.estimate_noise(plane.original.samples(), plane.size, all, automatic);
            }
        }
        self.noise = noise.all;
        let measured = automatic
            .then(|| bands.measured(self.planes.iter().map(|plane| (plane.original.samples(), plane.size)), noise.sampled));
        let fields = context.line_step() == 2;
        self.controller.begin_step(previous.is_none(), given, fields, measured.as_ref());
        let thresholds = self.controller.thresholds();
        for (index, (plane, out)) in self.planes.iter_mut().zip(out).enumerate() {
            plane.filter(bands, (&thresholds, weights.get(index)), previous.map(|previous| &previous[index]), out);
        }
        if automatic {
            let histories = || self.planes.iter().map(|plane| &plane.history[1]);
            let blocks = histories().map(|history| history.len() as u64).sum();
            self.controller.end_step(histories().map(|history| moving(history)).sum(), blocks);
        }
    }

    /// Ends the step: the next step reads the histories that this one wrote.
    pub fn end_step(&mut self) {
        self.planes.iter_mut().for_each(|plane| plane.history.swap(0, 1));
    }
}

/// Number of blocks with motion: those with a history below 128.
pub(super) fn moving(history: &[u8]) -> u64 {
    history.chunks(1 << 16).map(|values| values.iter().map(|&h| (h < 128) as u32).sum::<u32>() as u64).sum()
}
