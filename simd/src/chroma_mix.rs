//! Weighted mean of two rows of chroma (§13.10).
use crate::color_depth::is_byte;
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// `dst[x] = (a[x] * (16 - weight) + b[x] * weight + 8) >> 4`; the weight is 0…16.
pub fn scalar<S: Sample>(dst: &mut [S], [a, b]: [&[S]; 2], weight: u8) {
    let (own, other) = (16 - u32::from(weight), u32::from(weight));
    for (out, (&a, &b)) in dst.iter_mut().zip(a.iter().zip(b)) {
        *out = S::from_u32((a.into() * own + b.into() * other + 8) >> 4);
    }
}

/// Panics if a slice is too short or the weight outside its range.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], rows: [&[S]; 2], weight: u8) {
    contract::at_least(rows, dst.len());
    contract::within(weight, 0..=16);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], [a, b]: [&[S]; 2], weight: u8) -> bool {
    let n = dst.len();
    let (a, b) = (&a[..n], &b[..n]);
    blocks!(n, I::N / 2, x => {
        let (a, b) = (S::load_half(s, &a[x..]), S::load_half(s, &b[x..]));
        S::store_half(s, &mut dst[x..], mix::<I, S>(s, a, b, weight));
    })
}

/// The weighted mean of samples as halfwords.
#[inline(always)]
pub(crate) fn mix<I: Isa, S: Sample>(s: I, a: I::H, b: I::H, weight: u8) -> I::H {
    let weights = [16 - weight, weight];
    if is_byte::<S>() {
        let [own, other] = weights.map(|weight| s.splat16(weight.into()));
        return s.shr::<4>(s.add16(s.add16(s.mul_low(a, own), s.mul_low(b, other)), s.splat16(8)));
    }
    // A bias makes signed halfwords of words; the mean has the same bias, as the weights sum to 16.
    let bias = s.splat16(1 << 15);
    let (a, b, weights) = (s.xor16(a, bias), s.xor16(b, bias), s.pair16(weights.map(|weight| weight as i8)));
    let mean = |pairs| s.sra32::<4>(s.add32(s.madd16(pairs, weights), s.splat32(8)));
    s.xor16(s.pack32(mean(s.interleave_low16(a, b)), mean(s.interleave_high16(a, b))), bias)
}
