//! Average of two rows: up-sampled chroma without motion, chroma stored as 4:2:0 (§3.6, §1.6).

use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x] = (a[x] + b[x]) >> 1`; the rows have equal length.
pub fn scalar(dst: &mut [u8], a: &[u8], b: &[u8]) {
    for (out, (&a, &b)) in dst.iter_mut().zip(a.iter().zip(b)) {
        *out = ((a as u16 + b as u16) >> 1) as u8;
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
        s.store(&mut dst[x..], s.avg(s.load(&a[x..]), s.load(&b[x..])));
    })
}
