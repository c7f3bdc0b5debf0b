//! Rounded average of two rows (§15.2).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// `dst[x] = (a[x] + b[x] + 1) >> 1`.
pub fn scalar<S: Sample>(dst: &mut [S], a: &[S], b: &[S]) {
    for (out, (&a, &b)) in dst.iter_mut().zip(a.iter().zip(b)) {
        *out = S::from_u32((a.into() + b.into() + 1) >> 1);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], a: &[S], b: &[S]) {
    contract::at_least([a, b], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], a: &[S], b: &[S]) -> bool {
    let n = dst.len();
    let (a, b) = (&a[..n], &b[..n]);
    blocks!(n, I::N / 2, x => {
        S::store_half(s, &mut dst[x..], s.avg_up16(S::load_half(s, &a[x..]), S::load_half(s, &b[x..])));
    })
}
