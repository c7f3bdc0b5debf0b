//! Thresholds that automatic denoising chooses for samples of more than 8 bits (§9.3), in units of
//! these samples, and for noise below two 8-bit code values, too.
use super::curve::{Curve, WHOLE, interpolate};
use crate::denoise::{DenoiseParameters, Thresholds};

/// Level up to which the filter is the identity: a quarter of a code value.
const NONE: u16 = 16;

/// The share of the spatial filter by level. For 8 bits it begins at a level of 2, here it is all
/// from a level of a half on: the rounding of 8 bits hides fainter noise, more bits show it in
/// gradients.
pub(super) const RAMP: Curve<4> = [(NONE, 0), (32, WHOLE), (512, WHOLE), (1024, WHOLE * 9 / 8)];

/// `stad_th` in 1/16 of a code value: 23 times the level from the faintest noise on.
const STAD: Curve<2> = [(0, 0), (710, 16 * 255)];

/// `temporal_diff_th` in moving or flat pictures, in 1/16 of a code value.
const TEMPORAL: Curve<3> = [(NONE, 0), (32, 43), (192, 16 * 16)];

/// `temporal_diff_th` in still, textured pictures, in 1/16 of a code value.
const TEMPORAL_STILL: Curve<4> = [(NONE, 0), (32, 43), (192, 16 * 16), (768, 16 * 60)];

/// Share of the filter by flatness for noise below two code values: the estimate counts texture as
/// such noise, and only flat pictures show it. At 8 bits nothing below two code values is filtered.
const FLAT: Curve<2> = [(870, 0), (980, WHOLE)];

/// Share of the filter by level for any flatness.
const VISIBLE: Curve<2> = [(128, 0), (192, WHOLE)];

/// The share of the filter at a level and a flatness.
pub(super) fn share(level: u16, flatness: u16) -> u16 {
    interpolate(&FLAT, flatness).max(interpolate(&VISIBLE, level))
}

/// The measurements that the thresholds follow from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// The noise level in 1/64 of a code value.
    pub level: u16,
    /// `good_neighbor_th` in noise levels (1/64), with the share of [`RAMP`].
    pub spatial: u16,
    /// The share of the thresholds for still, textured pictures.
    pub still: u16,
    /// The [`share`] of the filter, which `spatial` has already.
    pub share: u16,
    /// Distance of the thresholds of the blend in code values, at most.
    pub blend: u8,
}

/// Replaces the thresholds that follow from the level by finer ones, except the caller's own.
/// `parameters` receives their values in whole 8-bit code values.
pub(super) fn refine(
    parameters: &mut DenoiseParameters,
    thresholds: &mut Thresholds,
    given: &DenoiseParameters,
    weights: Weights,
) {
    let (default, e) = (DenoiseParameters::default(), thresholds.blend.depth - 8);
    let Weights { level, spatial, still, share, blend } = weights;
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
        let value = value * u32::from(share) / u32::from(WHOLE);
        let th = limited(scaled(value as u16), 63);
        let low = th.saturating_sub(u16::from(blend) << e);
        (thresholds.blend.temporal_diff_th, thresholds.blend.temporal_diff_low) = (th, low);
        thresholds.history.temporal_diff_th = th;
        (parameters.temporal_diff_th, parameters.temporal_diff_low) = (whole(th), whole(low));
    }
}
