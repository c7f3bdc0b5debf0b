//! The 8 most significant bits of words, which the scaler computes its weights from (§5.2, §9.4).
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x] = src[x] >> (depth - 8)` of samples of `depth` bits, 9…16.
pub fn scalar(dst: &mut [u8], src: &[u16], depth: u8) {
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = (v >> (depth - 8)).min(255) as u8;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u8], src: &[u16], depth: u8) {
    contract::at_least([src], dst.len());
    contract::depth::<u16>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], src: &[u16], depth: u8) -> bool {
    let n = dst.len();
    let src = &src[..n];
    blocks!(n, I::N / 2, x => {
        let v = s.shr_by(s.load16(&src[x..]), depth - 8);
        s.store_half(&mut dst[x..], s.min15(v, s.splat16(255)));
    })
}
