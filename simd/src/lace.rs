//! Local contrast of the pixels between the centres of four regions (§13.6). All levels use the
//! same loops: table look-ups limit the speed of one, the compiler vectorises the other.
use crate::color_depth::{check_bits, clipped};
use crate::contract;
use crate::isa::Isa;

/// Pixels whose curves are looked up at a time. It does not affect any sample.
const CHUNK: usize = 64;

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
    let chunks = dst.chunks_mut(CHUNK).zip(y.chunks(CHUNK).zip(factor.chunks(CHUNK)).zip(right.chunks(CHUNK)));
    for (dst, ((y, factor), right)) in chunks {
        // The look-ups by themselves, so that the compiler vectorises the loop after them.
        let mut values = [[0u32; CHUNK]; 4];
        for (x, &y) in y.iter().enumerate() {
            if p.is_direct {
                let k = usize::from(y >> shift) & (bins - 1);
                values.iter_mut().zip(curves_of).for_each(|(value, curve)| value[x] = curve[k].into());
            } else {
                let at = i32::from(y) - half;
                let (k, f) = (at >> shift, (at & (2 * half - 1)) as u32);
                let [k, next] = [k, k + 1].map(|k| k.clamp(0, bins as i32 - 1) as usize);
                let whole = 2 * half as u32;
                let between =
                    |curve: &[u16]| (u32::from(curve[k]) * (whole - f) + u32::from(curve[next]) * f + half as u32) >> shift;
                values.iter_mut().zip(curves_of).for_each(|(value, curve)| value[x] = between(curve));
            }
        }
        let below = u32::from(curves.below & 255);
        let [a, b, c, d] = &values;
        let pixels = dst.iter_mut().zip(y).zip(factor.iter().zip(right));
        for (((out, &y), (&factor, &right)), (((a, b), c), d)) in pixels.zip(a.iter().zip(b).zip(c).zip(d)) {
            let g = u32::from(right & 255);
            let (top, bottom) = (a * (256 - g) + b * g, c * (256 - g) + d * g);
            // Curves of 16 bits need all bits of an unsigned word.
            let m = (top * (256 - below) + bottom * below).wrapping_add(32768);
            let old = i32::from(y);
            let new = old + ((((m >> 16) as i32 - old) * i32::from(p.strength)) >> 8);
            let skin = old + (((new - old) * (32 - i32::from(factor.min(32)))) >> 5);
            let is_within = (p.range[0] <= y) & (y <= p.range[1]);
            *out = if is_within { clipped(skin, bits) } else { y };
        }
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
