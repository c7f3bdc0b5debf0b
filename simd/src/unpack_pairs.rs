//! Unpacker of the colour pipe for chroma that two pixels share: from 8 bits to 12, 4:2:2 to
//! 4:4:4 (§6).
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[2x] = dst[2x + 1] = src[x] << 4`. The last entry of a `dst` of odd length is not written.
pub fn scalar(dst: &mut [u16], src: &[u8]) {
    for (pair, &v) in dst.chunks_exact_mut(2).zip(src) {
        pair.fill((v as u16) << 4);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u16], src: &[u8]) {
    contract::at_least([src], dst.len() / 2);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], src: &[u8]) -> bool {
    let pairs = dst.len() / 2;
    let src = &src[..pairs];
    blocks!(pairs, I::N / 2, x => {
        let v = s.shl::<4>(s.load_half(&src[x..]));
        let (low, high) = (s.interleave_low16(v, v), s.interleave_high16(v, v));
        s.store_parts(&mut dst[2 * x..], low, high);
    })
}
