//! State of a denoise filter in the statistics.

use dndi::{DenoiseParameters, DenoiseState};

/// The parameters in use, and the measurements from which automatic denoising chose them.
#[derive(Clone, Debug, serde::Serialize)]
pub struct DenoiseRow {
    stad_th: u8,
    history_max: u8,
    history_delta: u8,
    asd_th: u8,
    temporal_diff_th: u8,
    temporal_diff_low: u8,
    moving_pixel_th: u8,
    scm_th: u8,
    good_neighbor_th: u8,
    /// Standard deviation of the noise for which the parameters were chosen, in code values. None
    /// if the caller set the parameters.
    noise: Option<f64>,
    /// Share of moving blocks for which the parameters were chosen, 0…1, if it was known.
    motion: Option<f64>,
    /// Whether the step starts a new shot.
    cut: bool,
}

impl DenoiseRow {
    /// The row of the filter state of one step.
    pub fn new(state: &DenoiseState) -> DenoiseRow {
        let &DenoiseParameters { stad_th, history_max, history_delta, asd_th, temporal_diff_th, temporal_diff_low, .. } =
            &state.parameters;
        let &DenoiseParameters { moving_pixel_th, scm_th, good_neighbor_th, .. } = &state.parameters;
        DenoiseRow {
            stad_th,
            history_max,
            history_delta,
            asd_th,
            temporal_diff_th,
            temporal_diff_low,
            moving_pixel_th,
            scm_th,
            good_neighbor_th,
            // The library measures noise in 1/64 and motion in 1/1024.
            noise: state.noise.map(|noise| f64::from(noise) / 64.0),
            motion: state.motion.map(|motion| f64::from(motion) / 1024.0),
            cut: state.cut,
        }
    }
}
