//! Repacker of the colour pipe for chroma that two pixels share: 4:4:4 to 4:2:2, from 12 bits to 8
//! (§6).
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x] = avg(src[2x], src[2x + 1]) >> 4` of samples 0…4095.
pub fn scalar(dst: &mut [u8], src: &[u16]) {
    for (out, pair) in dst.iter_mut().zip(src.chunks_exact(2)) {
        *out = ((pair[0] + pair[1]) >> 1 >> 4) as u8;
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
        let v = s.load16(&src[2 * x..]);
        s.store_quarter(&mut dst[x..], s.shr::<5>(s.add16(v, s.swap16(v))));
    })
}
