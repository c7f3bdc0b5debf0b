//! Maximum over three neighbours: stmm3 (§3.2).

use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[i]` = the greatest of `src[i]`, `src[i + 1]`, `src[i + 2]`; `src` is two longer than `dst`.
pub fn scalar(dst: &mut [u8], src: &[u8]) {
    for (out, three) in dst.iter_mut().zip(src.windows(3)) {
        *out = three[0].max(three[1]).max(three[2]);
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
        s.store(&mut dst[x..], s.max(s.max(s.load(&src[x..]), s.load(&src[x + 1..])), s.load(&src[x + 2..])));
    })
}
