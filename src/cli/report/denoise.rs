//! What the statistics tell of the denoise filter.

use dndi::{DenoiseParameters, Strength};

/// The parameters that act, and what they were chosen by.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Denoise {
    stad_th: i32,
    history_max: i32,
    history_delta: i32,
    asd_th: i32,
    temporal_diff_th: i32,
    temporal_diff_low: i32,
    moving_pixel_th: i32,
    scm_th: i32,
    good_neighbor_th: i32,
    /// Standard deviation of the noise that they suit; none where they are what was said.
    noise: Option<f64>,
    /// Share of moving blocks that they suit, if one was known.
    motion: Option<f64>,
    /// Whether a shot begins with the step.
    cut: bool,
}

impl Denoise {
    /// Of a step.
    pub fn new(strength: &Strength) -> Denoise {
        let &DenoiseParameters { stad_th, history_max, history_delta, asd_th, temporal_diff_th, temporal_diff_low, .. } =
            &strength.parameters;
        let &DenoiseParameters { moving_pixel_th, scm_th, good_neighbor_th, .. } = &strength.parameters;
        Denoise {
            stad_th,
            history_max,
            history_delta,
            asd_th,
            temporal_diff_th,
            temporal_diff_low,
            moving_pixel_th,
            scm_th,
            good_neighbor_th,
            noise: strength.noise.map(|noise| f64::from(noise) / 64.0),
            motion: strength.motion.map(|motion| f64::from(motion) / 1024.0),
            cut: strength.cut,
        }
    }
}
