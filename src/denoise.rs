//! Denoise filter with its motion history (§2.1 to §2.4, §9.3), for the luma and for chroma planes.
mod neighbourhood;

use crate::format::Rect;
use crate::frame::PlaneSample;
use crate::parameters::field::{ParameterError, Stage, parameters};
use crate::plane::{BandMut, PlaneView};
use dndi_simd::{Denoise5, DenoiseThresholds, Kernels, MotionHistoryThresholds};

pub use neighbourhood::{Denoise5Parameters, DenoiseFilter};

/// Declares the parameters of the filter, which luma and chroma have alike, and those of the luma
/// alone.
macro_rules! filter_parameters {
    ($($group:literal,)? $(#[$meta:meta])* $name:ident { $($own:tt)* }) => {
        parameters! {
            $($group,)?
            $(#[$meta])*
            $name {
                /// sum of absolute differences of a 4x4 block from which on the block is moving
                stad_th: u8 = 128 in 0..=255;
                /// history up to which a still block's history grows
                history_max: u8 = 192 in 128..=240;
                /// growth of a still block's history per step
                history_delta: u8 = 8 in 0..=15;
                /// absolute sum of signed differences above which a flat block's history restarts
                asd_th: u8 = 32 in 0..=63;
                /// temporal difference from which on the spatial filter works alone, in code values
                temporal_diff_th: u8 = 12 in 0..=63;
                /// temporal difference below which the temporal filter works alone, in code values
                temporal_diff_low: u8 = 6 in 0..=63;
                /// number of moving pixels of a 4x4 block above which the block is moving
                moving_pixel_th: u8 = 0 in 0..=16;
                /// complexity (sum of 24 neighbour differences) below which a 4x4 block is flat
                scm_th: u8 = 32 in 0..=255;
                /// difference below which a neighbour joins the spatial mean, in code values
                good_neighbor_th: u8 = 12 in 0..=63;
                $($own)*
            }
        }
    };
}

filter_parameters! {
    /// Parameters of the denoise filter of the luma. `temporal_diff_th - temporal_diff_low` must be
    /// in 0…16.
    DenoiseParameters {
        /// field of the hardware state without effect
        denoise_edge_th: u8 = 7 in 0..=15;
    }
}

filter_parameters! {
    "chroma.",
    /// Parameters of the denoise filter of the chroma planes, with the ranges, defaults and
    /// conditions of the luma's.
    ChromaDenoiseParameters {}
}

impl ChromaDenoiseParameters {
    /// The parameters in the type that the filter takes. They are its first fields.
    pub(crate) fn denoise(&self) -> DenoiseParameters {
        let mut parameters = DenoiseParameters::default();
        self.values().enumerate().for_each(|(index, value)| parameters.put(index, value));
        parameters
    }

    /// Checks that `chroma.temporal_diff_th - chroma.temporal_diff_low` is in 0…16.
    pub(crate) fn check_blend(&self) -> Result<(), ParameterError> {
        check_blend(&["chroma.temporal_diff_th", "chroma.temporal_diff_low"], self.temporal_diff_th, self.temporal_diff_low)
    }
}

/// Checks that the difference of the two fields is in 0…16.
fn check_blend(fields: &'static [&'static str; 2], th: u8, low: u8) -> Result<(), ParameterError> {
    if th.checked_sub(low).is_some_and(|difference| difference <= 16) {
        return Ok(());
    }
    let message = format!("{} - {} = {th} - {low} is outside 0…16", fields[0], fields[1]);
    Err(ParameterError::Conflict { fields, message })
}

impl DenoiseParameters {
    /// Checks that `temporal_diff_th - temporal_diff_low` is in 0…16.
    pub(crate) fn check_blend(&self) -> Result<(), ParameterError> {
        check_blend(&["temporal_diff_th", "temporal_diff_low"], self.temporal_diff_th, self.temporal_diff_low)
    }

    /// The thresholds for samples of `depth` bits.
    pub(crate) fn thresholds(&self, depth: u8) -> Thresholds {
        let at_depth = |th: u8| u16::from(th) << (depth - 8);
        Thresholds {
            history: MotionHistoryThresholds {
                stad_th: at_depth(self.stad_th),
                history_max: self.history_max,
                history_delta: self.history_delta,
                asd_th: at_depth(self.asd_th),
                temporal_diff_th: at_depth(self.temporal_diff_th),
                moving_pixel_th: self.moving_pixel_th,
                scm_th: at_depth(self.scm_th),
            },
            blend: DenoiseThresholds {
                depth,
                good_neighbor_th: at_depth(self.good_neighbor_th),
                temporal_diff_th: at_depth(self.temporal_diff_th),
                temporal_diff_low: at_depth(self.temporal_diff_low),
            },
        }
    }
}

/// The parameters in units of the samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thresholds {
    pub history: MotionHistoryThresholds,
    pub blend: DenoiseThresholds,
}

/// Input of the filter.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a, S = u8> {
    pub kernels: &'a Kernels,
    pub thresholds: &'a Thresholds,
    /// Lines from one vertical neighbour to the next: 2 interlaced, 1 progressive.
    pub step: isize,
    /// The original frame.
    pub current: PlaneView<'a, S>,
    /// The denoised previous frame and its history, one value per 4×4 block; none on the first
    /// step.
    pub previous: Option<(PlaneView<'a, S>, &'a [u8])>,
    /// Blocks in a row of the history.
    pub blocks: usize,
    /// The weights of the 5×5 neighbourhood, if that is the spatial filter.
    pub weights: Option<&'a Denoise5>,
}

/// Filters a rectangle whose corner lies on the 4×4 grid. `history` receives the new values of the
/// rows of blocks from `rect.y` on; `weights` is a scratch buffer of one value per pixel of a line.
pub(crate) fn tile<S: PlaneSample>(
    input: &Input<S>,
    rect: Rect,
    out: &mut BandMut<S>,
    history: &mut BandMut,
    weights: &mut [u8],
) {
    let kernels = S::kernels(input.kernels);
    let Rect { x, width, .. } = rect;
    let weights = &mut weights[..width];
    let (first_block, blocks) = (x / 4, width.div_ceil(4));
    for top in (rect.y..rect.y + rect.height).step_by(4) {
        let new = history.line(top / 4, first_block, blocks);
        match input.previous {
            Some((previous, old)) => {
                let lines = [0, 1, 2, 3].map(|y| (top + y) as isize);
                let current = lines.map(|y| input.current.row(y, x as isize, 4 * blocks));
                let clean = lines.map(|y| previous.row(y, x as isize, 4 * blocks));
                let old = &old[top / 4 * input.blocks + first_block..][..blocks];
                (kernels.motion_history)(new, old, current, clean, &input.thresholds.history);
            }
            None => new.fill(0),
        }
        let (whole, rest) = weights.as_chunks_mut::<4>();
        for (weights, &h) in whole.iter_mut().zip(new.iter()) {
            *weights = [h; 4];
        }
        rest.fill(new[blocks - 1]);
        for y in top..(top + 4).min(rect.y + rect.height) {
            let row = |line: isize| input.current.row(y as isize + line * input.step, x as isize, width);
            let neighbours = [-1, 0, 1].map(row);
            let clean = input.previous.map_or(neighbours[1], |(previous, _)| previous.row(y as isize, x as isize, width));
            let (out, thresholds) = (out.line(y, x, width), &input.thresholds.blend);
            match input.weights {
                None => (kernels.denoise)(out, neighbours, clean, weights, thresholds),
                Some(p) => (kernels.denoise5)(out, [-2, -1, 0, 1, 2].map(row), clean, weights, thresholds, p),
            }
        }
    }
}
