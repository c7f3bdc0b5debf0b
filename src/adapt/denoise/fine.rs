//! Chosen thresholds for samples of more than 8 bits (§9.3): in units of these samples, and for noise
//! below two 8-bit code values, too.
use super::Noise;
use crate::adapt::curve::{Curve, WHOLE, interpolate};
use crate::denoise::{DenoiseParameters, Thresholds};

/// Level up to which the filter is the identity: a quarter of a code value.
const NONE: u16 = 16;

/// [`RAMP`](super::RAMP) for more than 8 bits: all from a level of a half on. A picture of 8 bits
/// hides fainter noise by its rounding; one of more bits shows it in smooth gradients.
const RAMP: Curve<4> = [(NONE, 0), (32, WHOLE), (512, WHOLE), (1024, WHOLE * 9 / 8)];

/// [`STAD`](super::STAD) in 1/16 of a code value: 23 times the level from the faintest noise on.
const STAD: Curve<2> = [(0, 0), (710, 16 * 255)];

/// [`TEMPORAL`](super::TEMPORAL) in 1/16 of a code value.
const TEMPORAL: Curve<3> = [(NONE, 0), (32, 43), (192, 16 * 16)];

/// [`TEMPORAL_STILL`](super::TEMPORAL_STILL) in 1/16 of a code value.
const TEMPORAL_STILL: Curve<4> = [(NONE, 0), (32, 43), (192, 16 * 16), (768, 16 * 60)];

/// Replaces the thresholds that follow from the level by finer ones, except the caller's own.
/// `parameters` receives their values in whole 8-bit code values.
pub(super) fn refine(parameters: &mut DenoiseParameters, thresholds: &mut Thresholds, given: &DenoiseParameters, noise: Noise) {
    let (default, e) = (DenoiseParameters::default(), thresholds.blend.depth - 8);
    let level = noise.level;
    let (spatial, still) = noise.weights(&RAMP);
    // Values in 1/16 of a code value, in units of the samples.
    let scaled = |value: u16| (u32::from(value) << e) >> 4;
    let limited = |value: u32, most: u32| value.min(most << e) as u16;
    let whole = |value: u16| (value >> e) as u8;
    if given.good_neighbor_th == default.good_neighbor_th {
        let good = ((u32::from(level) * u32::from(spatial)) << e).saturating_add(2048) >> 12;
        thresholds.blend.good_neighbor_th = limited(good, 63);
        parameters.good_neighbor_th = whole(thresholds.blend.good_neighbor_th);
    }
    if given.stad_th == default.stad_th {
        thresholds.history.stad_th = limited(scaled(interpolate(&STAD, level)), 255);
        parameters.stad_th = whole(thresholds.history.stad_th);
    }
    // The caller's own threshold of the blend keeps both in whole code values.
    if (given.temporal_diff_th, given.temporal_diff_low) == (default.temporal_diff_th, default.temporal_diff_low) {
        let moving = u32::from(interpolate(&TEMPORAL, level));
        let more = u32::from(interpolate(&TEMPORAL_STILL, level)) - moving;
        let value = moving + (more * u32::from(still) + u32::from(WHOLE) / 2) / u32::from(WHOLE);
        let th = limited(scaled(value as u16), 63);
        let low = th.saturating_sub(u16::from(super::BLEND) << e);
        (thresholds.blend.temporal_diff_th, thresholds.blend.temporal_diff_low) = (th, low);
        thresholds.history.temporal_diff_th = th;
        (parameters.temporal_diff_th, parameters.temporal_diff_low) = (whole(th), whole(low));
    }
}
