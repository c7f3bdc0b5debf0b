//! Median over three neighbours: the final angle (§3.3).

use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[i]` = the median of `src[i]`, `src[i + 1]`, `src[i + 2]`; `src` is two longer than `dst`.
pub fn scalar(dst: &mut [u8], src: &[u8]) {
    for (out, three) in dst.iter_mut().zip(src.windows(3)) {
        let (low, high) = (three[0].min(three[1]), three[0].max(three[1]));
        *out = low.max(high.min(three[2]));
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], src: &[u8]) {
    contract::at_least([src], dst.len() + 2);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], src: &[u8]) -> bool {
    let n = dst.len();
    let src = &src[..n + 2];
    blocks!(n, I::N, x => {
        let (a, b, c) = (s.load(&src[x..]), s.load(&src[x + 1..]), s.load(&src[x + 2..]));
        s.store(&mut dst[x..], s.max(s.min(a, b), s.min(s.max(a, b), c)));
    })
}
