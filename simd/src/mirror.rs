//! Reverses a row (§13.10).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// `dst[x] = src[n - 1 - x]`, where n is the length of `dst`.
pub fn scalar<S: Sample>(dst: &mut [S], src: &[S]) {
    let n = dst.len();
    for (out, &v) in dst.iter_mut().zip(src[..n].iter().rev()) {
        *out = v;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], src: &[S]) {
    contract::at_least([src], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], src: &[S]) -> bool {
    let n = dst.len();
    let src = &src[..n];
    blocks!(n, S::count::<I>(), x => {
        let v = S::load(s, &src[n - S::count::<I>() - x..]);
        S::store(s, &mut dst[x..], S::reverse(s, v));
    })
}
