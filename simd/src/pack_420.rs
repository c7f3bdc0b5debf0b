//! Repacker of the colour pipe for chroma sited at the left pixel of a pair: 4:4:4 to 4:2:0, from
//! 12 bits to 8 (§6).
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x] = src[2x] >> 4` of samples 0…4095.
pub fn scalar(dst: &mut [u8], src: &[u16]) {
    for (out, pair) in dst.iter_mut().zip(src.chunks_exact(2)) {
        *out = (pair[0] >> 4) as u8;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], src: &[u16]) {
    contract::at_least([src], 2 * dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], src: &[u16]) -> bool {
    let n = dst.len();
    let src = &src[..2 * n];
    blocks!(n, I::N / 4, x => {
        s.store_quarter(&mut dst[x..], s.shr::<4>(s.load16(&src[2 * x..])));
    })
}
