//! Weighted mean of two rows of chroma (§13.10).
use crate::contract;
use crate::isa::Isa;
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

/// The compiler makes vectors of the scalar form with the instructions of each level.
#[inline(always)]
pub(crate) fn vector<I: Isa, S: Sample>(_: I, _: &mut [S], _: [&[S]; 2], _: u8) -> bool {
    false
}
