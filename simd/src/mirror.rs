//! Reverses a row (§13.10).
use crate::contract;
use crate::isa::Isa;
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

/// The compiler makes vectors of the scalar form with the instructions of each level: there is no
/// operation that reverses a vector of all instruction sets.
#[inline(always)]
pub(crate) fn vector<I: Isa, S: Sample>(_: I, _: &mut [S], _: &[S]) -> bool {
    false
}
