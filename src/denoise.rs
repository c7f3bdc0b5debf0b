//! Denoise filter of the luma with its motion history (§2.1 to §2.4), and how strongly it works.
use crate::format::Rect;
use crate::parameters::field::{ParameterError, Stage, parameters};
use crate::plane::{BandMut, PlaneView};
use dndi_simd::{DenoiseThresholds, Kernels, MotionHistoryThresholds};

/// Declares what the filter goes by, for the luma and for the chroma, and what the luma alone has.
macro_rules! filter_parameters {
    ($($group:literal,)? $(#[$meta:meta])* $name:ident { $($own:tt)* }) => {
        parameters! {
            $($group,)?
            $(#[$meta])*
            $name {
                /// a block whose sum of absolute differences reaches it moves
                stad_th: u8 = 128 in 0..=255;
                /// a history below it grows
                history_max: u8 = 192 in 128..=240;
                /// what a history grows by
                history_delta: u8 = 8 in 0..=15;
                /// a sum of signed differences above it, in a flat block, restarts the history
                asd_th: u8 = 32 in 0..=63;
                /// from this difference on the spatial filter works alone
                temporal_diff_th: u8 = 12 in 0..=63;
                /// below this difference the temporal filter works alone; at most 16 under temporal_diff_th
                temporal_diff_low: u8 = 6 in 0..=63;
                /// a block with more moving pixels moves
                moving_pixel_th: u8 = 0 in 0..=16;
                /// a block whose complexity is below it is flat
                scm_th: u8 = 32 in 0..=255;
                /// a neighbour that differs by less joins the spatial mean
                good_neighbor_th: u8 = 12 in 0..=63;
                $($own)*
            }
        }
    };
}

filter_parameters! {
    /// Parameters of the denoise filter.
    DenoiseParameters {
        /// carried, used by no equation
        denoise_edge_th: u8 = 7 in 0..=15;
    }
}

filter_parameters! {
    "chroma.",
    /// Parameters of the denoise filter of the chroma planes: the luma's, by themselves.
    ChromaDenoiseParameters {}
}

impl ChromaDenoiseParameters {
    /// The parameters in the type that the filter takes: they are the luma's first ones.
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

    fn history(&self) -> MotionHistoryThresholds {
        MotionHistoryThresholds {
            stad_th: self.stad_th,
            history_max: self.history_max,
            history_delta: self.history_delta,
            asd_th: self.asd_th,
            temporal_diff_th: self.temporal_diff_th,
            moving_pixel_th: self.moving_pixel_th,
            scm_th: self.scm_th,
        }
    }

    fn blend(&self) -> DenoiseThresholds {
        DenoiseThresholds {
            good_neighbor_th: self.good_neighbor_th,
            temporal_diff_th: self.temporal_diff_th,
            temporal_diff_low: self.temporal_diff_low,
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
    pub current: PlaneView<'a>,
    /// The clean previous frame and its history, one value per 4×4 block; none on the first step.
    pub previous: Option<(PlaneView<'a>, &'a [u8])>,
    /// Blocks in a row of the history.
    pub blocks: usize,
}

/// Filters a rectangle whose corner lies on the 4×4 grid. `history` are the new values of the rows of blocks from `rect.y` on;
/// `weights` is room for one value per pixel of a line.
pub(crate) fn tile(input: &Input, rect: Rect, out: &mut BandMut, history: &mut BandMut, weights: &mut [u8]) {
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
                (input.kernels.motion_history)(new, old, current, clean, &input.parameters.history());
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
