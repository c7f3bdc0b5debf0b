//! Repacker of the colour pipe: from 12 bits to 8 (§6).
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x] = src[x] >> 4` of samples 0…4095.
pub fn scalar(dst: &mut [u8], src: &[u16]) {
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = (v >> 4) as u8;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], src: &[u16]) {
    contract::at_least([src], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], src: &[u16]) -> bool {
    let n = dst.len();
    let src = &src[..n];
    blocks!(n, I::N / 2, x => {
        s.store_half(&mut dst[x..], s.shr::<4>(s.load16(&src[x..])));
    })
}
