//! Absolute differences of bytes (§15.8).
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x] = |a[x] - b[x]|`.
pub fn scalar(dst: &mut [u8], a: &[u8], b: &[u8]) {
    for (out, (&a, &b)) in dst.iter_mut().zip(a.iter().zip(b)) {
        *out = a.abs_diff(b);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], a: &[u8], b: &[u8]) {
    contract::at_least([a, b], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], a: &[u8], b: &[u8]) -> bool {
    let n = dst.len();
    let (a, b) = (&a[..n], &b[..n]);
    blocks!(n, I::N, x => {
        s.store(&mut dst[x..], s.abs_diff(s.load(&a[x..]), s.load(&b[x..])));
    })
}
