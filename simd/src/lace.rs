//! Local contrast of the pixels between the centres of four regions (§13.6). All levels use the
//! same loop: its table look-ups limit its speed.
use crate::color_depth::{check_bits, clipped};
use crate::contract;
use crate::isa::Isa;

/// Parameters of local contrast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lace {
    /// Share of the change, 0…256.
    pub strength: u16,
    /// The least and the greatest luma that changes.
    pub range: [u16; 2],
    /// log2 of the number of values of a curve.
    pub log2_bins: u8,
    /// Whether a curve has a value for each 8-bit luma, at which it is taken, in place of values
    /// between which it is interpolated.
    pub is_direct: bool,
}

/// The curves of the regions and the weights of a pixel's four.
#[derive(Clone, Copy, Debug)]
pub struct LaceCurves<'a> {
    /// The curves above at the left and right, then those below.
    pub curves: [&'a [u16]; 4],
    /// Weight of the right ones for each pixel, 0…255 of 256.
    pub right: &'a [u16],
    /// Weight of the ones below, 0…255 of 256.
    pub below: u16,
}

/// Writes the luma of the curves, where it is within the range; the change is reduced where
/// `factor` marks skin. Components have `bits` bits, 12 to 16.
#[inline(always)]
pub fn scalar(dst: &mut [u16], y: &[u16], factor: &[u16], curves: &LaceCurves, p: &Lace, bits: u8) {
    let n = dst.len();
    let (y, factor, right) = (&y[..n], &factor[..n], &curves.right[..n]);
    let bins = 1 << p.log2_bins;
    let curves_of = curves.curves.map(|curve| &curve[..bins]);
    let shift = bits - p.log2_bins;
    let half = (1 << shift) >> 1;
    for x in 0..n {
        let old = i32::from(y[x]);
        let values = if p.is_direct {
            let k = (old >> shift) as usize & (bins - 1);
            curves_of.map(|curve| u32::from(curve[k]))
        } else {
            let at = old - half;
            let (k, f) = (at >> shift, (at & (2 * half - 1)) as u32);
            let [k, next] = [k, k + 1].map(|k| k.clamp(0, bins as i32 - 1) as usize);
            let whole = 2 * half as u32;
            curves_of.map(|curve| (u32::from(curve[k]) * (whole - f) + u32::from(curve[next]) * f + half as u32) >> shift)
        };
        let (g, below) = (u32::from(right[x] & 255), u32::from(curves.below & 255));
        let [top, bottom] = [[values[0], values[1]], [values[2], values[3]]].map(|[a, b]| a * (256 - g) + b * g);
        // Curves of 16 bits need all bits of an unsigned word.
        let m = (top * (256 - below) + bottom * below).wrapping_add(32768);
        let new = old + ((((m >> 16) as i32 - old) * i32::from(p.strength)) >> 8);
        let skin = old + (((new - old) * (32 - i32::from(factor[x].min(32)))) >> 5);
        let is_within = (p.range[0]..=p.range[1]).contains(&y[x]);
        dst[x] = if is_within { clipped(skin, bits) } else { y[x] };
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], y: &[u16], factor: &[u16], curves: &LaceCurves, p: &Lace, bits: u8) {
    check_bits(bits);
    contract::within(p.strength, 0..=256);
    contract::within(p.log2_bins, 7..=8);
    contract::at_least([y, factor, curves.right], dst.len());
    contract::at_least(curves.curves, 1 << p.log2_bins);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [u16], _: &[u16], _: &[u16], _: &LaceCurves, _: &Lace, _: u8) -> bool {
    false
}
