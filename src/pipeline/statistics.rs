//! Statistics of a step (§8.3): by-products of its stages, and measures that no picture depends on.
use super::context::StepContext;
use super::denoise_stage::moving;
use super::step::State;
use crate::adapt::denoise::DenoiseState;
use crate::fmd;
use crate::frame::PlaneSample;
use rayon::prelude::*;

/// Statistics of one step (§8.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Number of the step, which is that of its input frame, from 0.
    pub step: u64,
    /// Sum of the block noise estimates below 255 (§2.6).
    pub gne_sum: u64,
    /// Number of blocks with an estimate below 255.
    pub gne_count: u64,
    /// The global noise estimate, `gne_sum` / `gne_count`; 0 without such blocks.
    pub gne: u64,
    /// Film mode variances v0…v10 (§4.1); 0 with deinterlacing off.
    pub fmd_variances: [u64; 11],
    /// Number of 4×4 blocks with motion, including those that extend beyond the picture; 0 on the
    /// first step, with denoising off and with denoising along motion.
    pub motion_blocks: u64,
    /// Sum of the motion history, 0…255 per block, over the same blocks.
    pub history_sum: u64,
    /// Sum of the stored motion measure, 0…255 per pair, over all pairs and lines; 0 with
    /// deinterlacing off.
    pub stmm_sum: u64,
    /// The denoise filter of the luma; none with denoising off.
    pub denoise: Option<DenoiseState>,
    /// The denoise filter of the chroma; none with chroma denoising off.
    pub denoise_chroma: Option<DenoiseState>,
    /// Encoder statistics (§13.12) of each block of 16×4 pixels, four DWords each, row by row;
    /// empty unless
    /// [`StreamBuilder::encoder_statistics`](crate::StreamBuilder::encoder_statistics) is on.
    pub encoder: Vec<[u32; 4]>,
}

impl<S: PlaneSample> State<S> {
    /// The statistics of step `number`, between [`step`](State::step) and
    /// [`end_step`](State::end_step). `filters` are the denoise filters of the step.
    pub fn statistics(&mut self, context: StepContext, number: u64, filters: [Option<DenoiseState>; 2]) -> Statistics {
        if context.settings.encoder_statistics {
            self.fill_encoder_statistics(context, number == 0);
        }
        let fmd_variances = if context.settings.deinterlace { self.fmd_variances(context, number == 0) } else { [0; 11] };
        let history = if number > 0 { self.luma.history() } else { &[] };
        let noise = self.luma.noise;
        let [denoise, denoise_chroma] = filters;
        Statistics {
            step: number,
            gne_sum: noise.sum,
            gne_count: noise.count,
            gne: noise.gne(),
            fmd_variances,
            motion_blocks: moving(history),
            history_sum: history.iter().map(|&h| h as u64).sum(),
            stmm_sum: self.measure[1].sum(),
            denoise,
            denoise_chroma,
            encoder: std::mem::take(&mut self.encoder),
        }
    }

    /// The film mode variances of the step (§4.1).
    fn fmd_variances(&self, context: StepContext, first: bool) -> [u64; 11] {
        let tiling = self.tiling;
        let input = fmd::Input {
            kernels: context.kernels,
            parameters: &context.settings.parameters.fmd,
            size: context.size(),
            current: self.current.luma.fields().bytes,
            previous: (!first).then(|| self.previous.luma.fields().bytes),
        };
        let bands = (0..tiling.bands(context.size())).into_par_iter().map(|band| {
            let scratch = &mut *self.pool.get();
            let mut v = [0; 11];
            for rect in tiling.tiles(band, context.size()) {
                fmd::tile(&input, rect, &mut scratch.film, &mut v);
            }
            v
        });
        bands.reduce(|| [0; 11], |a, b| std::array::from_fn(|i| a[i] + b[i]))
    }
}
