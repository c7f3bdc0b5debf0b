//! Copies samples and limits them to the greatest value of their depth, where planes of the caller
//! enter (§9.1).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// `dst[x] = min(src[x], most)`.
pub fn scalar<S: Sample>(dst: &mut [S], src: &[S], most: S) {
    if most == S::MAX {
        return dst.copy_from_slice(&src[..dst.len()]);
    }
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = v.min(most);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], src: &[S], _: S) {
    contract::at_least([src], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], src: &[S], most: S) -> bool {
    // The scalar form copies.
    if most == S::MAX {
        return false;
    }
    let n = dst.len();
    let (src, most) = (&src[..n], S::splat(s, most.into() as u16));
    blocks!(n, S::count::<I>(), x => {
        S::store(s, &mut dst[x..], S::lesser(s, S::load(s, &src[x..]), most));
    })
}
