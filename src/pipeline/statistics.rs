//! Statistics of a step: what its stages left behind, and the measures that no picture depends on.
use super::context::StepContext;
use super::denoise_stage::moving;
use super::step::State;
use crate::adapt::denoise::DenoiseState;
use crate::fmd;
use rayon::prelude::*;

/// Statistics of one step (§8.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Number of the step, that of the frame it took, from 0.
    pub step: u64,
    /// Sum of the block noise estimates below 255 (§2.6).
    pub gne_sum: u64,
    /// Number of such blocks.
    pub gne_count: u64,
    /// Their quotient, the global noise estimate; 0 without such blocks.
    pub gne: u64,
    /// Film mode variances v0…v10 (§4.1); 0 with deinterlacing off.
    pub fmd_variances: [u64; 11],
    /// 4×4 blocks with motion, those included that stick out; 0 on the first step and with denoise off.
    pub motion_blocks: u64,
    /// Sum of the motion history written over the same blocks.
    pub history_sum: u64,
    /// Sum of the motion measure written, all pairs and lines; 0 with deinterlacing off.
    pub stmm_sum: u64,
    /// What the denoise filter of the luma worked with; none where it is off.
    pub denoise: Option<DenoiseState>,
    /// The same of the chroma.
    pub denoise_chroma: Option<DenoiseState>,
}

impl State {
    /// The statistics of step `number`, when its frames are made.
    pub fn statistics(&self, context: StepContext, number: u64) -> Statistics {
        let v = if context.settings.deinterlace { self.film(context, number == 0) } else { [0; 11] };
        let history = if number > 0 { self.luma.history() } else { &[] };
        let noise = self.luma.noise;
        let [denoise, denoise_chroma] = self.filters();
        Statistics {
            step: number,
            gne_sum: noise.sum,
            gne_count: noise.count,
            gne: noise.gne(),
            fmd_variances: v,
            motion_blocks: moving(history),
            history_sum: history.iter().map(|&h| h as u64).sum(),
            stmm_sum: self.measure[1].sum(),
            denoise,
            denoise_chroma,
        }
    }

    fn film(&self, context: StepContext, first: bool) -> [u64; 11] {
        let tiling = self.tiling;
        let input = fmd::Input {
            kernels: context.kernels,
            parameters: &context.settings.parameters.fmd,
            size: context.size(),
            current: self.current.luma.fields(),
            previous: (!first).then(|| self.previous.luma.fields()),
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
