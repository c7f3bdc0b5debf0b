//! Weight of expanded colours in the advanced mode (§13.4).
use crate::contract;
use crate::isa::Isa;

/// Fields of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamutWeight {
    /// Gain of the saturation, and of the red, 0…1023.
    pub gains: [u16; 2],
    /// The share of saturation, and of red, that has no weight, 0…255.
    pub thresholds: [u8; 2],
}

/// Writes the weight of each pixel, 0…1024. `rgb` is limited to 0…65535. All levels use the same
/// loop, which the compiler vectorises.
#[inline(always)]
pub fn scalar(dst: &mut [i32], rgb: [&[i32]; 3], p: &GamutWeight) {
    let n = dst.len();
    let [red, green, blue] = rgb.map(|component| &component[..n]);
    let [gain, red_gain] = p.gains.map(i32::from);
    let [least, red_least] = p.thresholds.map(i32::from);
    for (x, out) in dst.iter_mut().enumerate() {
        let [r, g, b] = [red[x], green[x], blue[x]].map(|v| v.clamp(0, 65535));
        let (most, other) = (r.max(g).max(b), g.max(b));
        // The numerator is below 2^24, so that no quotient rounds up to the next integer. It is 0
        // where the divisor would be.
        let ratio = |v: i32| ((v << 8) as f32 / most.max(1) as f32) as i32;
        let saturation = ratio(most - r.min(g).min(b));
        let redness = ratio((r - other).max(0));
        let weight = (((gain * saturation) >> 8) - least).clamp(0, 256);
        let red_weight = (((red_gain * redness) >> 8) - red_least).clamp(0, 256);
        *out = 4 * weight.max(red_weight);
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[i32], rgb: [&[i32]; 3], p: &GamutWeight) {
    contract::at_least(rgb, dst.len());
    contract::within(p.gains[0] | p.gains[1], 0..=1023);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [i32], _: [&[i32]; 3], _: &GamutWeight) -> bool {
    false
}
