//! Denoise filter of the luma with its motion history (§2.1 to §2.4), and how strongly it works.
pub(crate) mod automatic;
pub(crate) mod curve;
pub(crate) mod outline;
pub(crate) mod strength;

use crate::parameters::{ParameterError, Stage, parameters};
use crate::surface::{Rect, Target, View};
use dndi_simd::{DenoiseThresholds, HistoryThresholds, Kernels};

/// Declares what the filter goes by, for the luma and for the chroma, and what the luma alone has.
macro_rules! filter_parameters {
    ($($group:literal,)? $(#[$meta:meta])* $name:ident { $($own:tt)* }) => {
        parameters! {
            $($group,)?
            $(#[$meta])*
            $name {
                /// a block whose sum of absolute differences reaches it moves
                stad_th = 128 in 0..=255;
                /// a history below it grows
                history_max = 192 in 128..=240;
                /// what a history grows by
                history_delta = 8 in 0..=15;
                /// a sum of signed differences above it, in a flat block, restarts the history
                asd_th = 32 in 0..=63;
                /// from this difference on the spatial filter works alone
                temporal_diff_th = 12 in 0..=63;
                /// below this difference the temporal filter works alone; at most 16 under temporal_diff_th
                temporal_diff_low = 6 in 0..=63;
                /// a block with more moving pixels moves
                moving_pixel_th = 0 in 0..=16;
                /// a block whose complexity is below it is flat
                scm_th = 32 in 0..=255;
                /// a neighbour that differs by less joins the spatial mean
                good_neighbor_th = 12 in 0..=63;
                $($own)*
            }
        }
    };
}

filter_parameters! {
    /// Parameters of the denoise filter.
    DenoiseParameters {
        /// carried, used by no equation
        denoise_edge_th = 7 in 0..=15;
    }
}

filter_parameters! {
    "chroma.",
    /// Parameters of the denoise filter of the chroma planes: the luma's, by themselves.
    ChromaDenoiseParameters {}
}

impl ChromaDenoiseParameters {
    /// As the filter takes them: they are the luma's first ones.
    pub(crate) fn denoise(&self) -> DenoiseParameters {
        let mut parameters = DenoiseParameters::default();
        self.values().enumerate().for_each(|(index, value)| *parameters.field_mut(index) = value);
        parameters
    }

    /// Checks what [`DenoiseParameters::check`] does.
    pub(crate) fn check(&self) -> Result<(), ParameterError> {
        self.check_ranges()?;
        self.denoise().check().map_err(|error| match error {
            ParameterError::Conflict(what) => ParameterError::Conflict(what.replace("temporal_diff", "chroma.temporal_diff")),
            error => error,
        })
    }
}

impl DenoiseParameters {
    /// Checks the ranges, and that `temporal_diff_th - temporal_diff_low` is in 0…16.
    pub(crate) fn check(&self) -> Result<(), ParameterError> {
        self.check_ranges()?;
        let (th, low) = (self.temporal_diff_th, self.temporal_diff_low);
        let fits = (0..=16).contains(&(th - low));
        fits.then_some(()).ok_or_else(|| {
            let what = format!("temporal_diff_th - temporal_diff_low = {th} - {low} is outside 0…16");
            ParameterError::Conflict(what)
        })
    }

    fn history(&self) -> HistoryThresholds {
        HistoryThresholds {
            stad_th: self.stad_th as u8,
            history_max: self.history_max as u8,
            history_delta: self.history_delta as u8,
            asd_th: self.asd_th as u8,
            temporal_diff_th: self.temporal_diff_th as u8,
            moving_pixel_th: self.moving_pixel_th as u8,
            scm_th: self.scm_th as u8,
        }
    }

    fn blend(&self) -> DenoiseThresholds {
        DenoiseThresholds {
            good_neighbor_th: self.good_neighbor_th as u8,
            temporal_diff_th: self.temporal_diff_th as u8,
            temporal_diff_low: self.temporal_diff_low as u8,
        }
    }
}

/// What the filter reads.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub kernels: &'a Kernels,
    pub parameters: &'a DenoiseParameters,
    /// Lines from one neighbour to the next: 2 interlaced, 1 progressive.
    pub step: isize,
    /// The original frame.
    pub current: View<'a>,
    /// The clean previous frame and its history, one value per 4×4 block; none on the first step.
    pub previous: Option<(View<'a>, &'a [u8])>,
    /// Blocks in a row of the history.
    pub blocks: usize,
}

/// Filters a rectangle whose corner lies on the 4×4 grid. `history` are the new values of the rows of blocks from `rect.y` on;
/// `weights` is room for one value per pixel of a line.
pub(crate) fn tile(input: &Input, rect: Rect, out: &mut Target, history: &mut Target, weights: &mut [u8]) {
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
                (input.kernels.history)(new, old, current, clean, &input.parameters.history());
            }
            None => new.fill(0),
        }
        let (whole, rest) = weights.as_chunks_mut::<4>();
        for (weights, &h) in whole.iter_mut().zip(new.iter()) {
            *weights = [h; 4];
        }
        rest.fill(new[blocks - 1]);
        for y in top..(top + 4).min(rect.y + rect.height) {
            let neighbours = [-1, 0, 1].map(|line| input.current.row(y as isize + line * input.step, x as isize, width));
            let clean = input.previous.map_or(neighbours[1], |(previous, _)| previous.row(y as isize, x as isize, width));
            (input.kernels.denoise)(out.line(y, x, width), neighbours, clean, weights, &input.parameters.blend());
        }
    }
}
