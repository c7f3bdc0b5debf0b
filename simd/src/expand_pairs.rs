//! Expands one value per pair to one value per pixel.
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x] = src[x / 2]`.
pub fn scalar(dst: &mut [u8], src: &[u8]) {
    for (pixels, &v) in dst.chunks_mut(2).zip(src) {
        pixels.fill(v);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], src: &[u8]) {
    contract::at_least([src], dst.len().div_ceil(2));
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], src: &[u8]) -> bool {
    let n = dst.len() / 2;
    let done = blocks!(n, I::N / 2, pair => {
        let v = s.load_half(&src[pair..]);
        s.store(&mut dst[2 * pair..], s.merge(v, v));
    });
    if done && dst.len() % 2 == 1 {
        dst[2 * n] = src[n];
    }
    done
}
