//! Unpacker of the colour pipe: from 8 bits to 12 (§6).
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x] = src[x] << 4`.
pub fn scalar(dst: &mut [u16], src: &[u8]) {
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = (v as u16) << 4;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u16], src: &[u8]) {
    contract::at_least([src], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], src: &[u8]) -> bool {
    let n = dst.len();
    let src = &src[..n];
    blocks!(n, I::N / 2, x => {
        s.store16(&mut dst[x..], s.shl::<4>(s.load_half(&src[x..])));
    })
}
