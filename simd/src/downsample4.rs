//! Reduces a line to a quarter of its width. The detector analyses such lines.
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x]` is the truncated average of `src[4x]…src[4x + 3]`. `src` has at least four samples for
/// each of `dst`.
pub fn scalar(dst: &mut [u8], src: &[u8]) {
    let (groups, _) = src[..4 * dst.len()].as_chunks::<4>();
    for (out, group) in dst.iter_mut().zip(groups) {
        *out = (group.iter().map(|&v| v as u16).sum::<u16>() >> 2) as u8;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], src: &[u8]) {
    contract::at_least([src], 4 * dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], src: &[u8]) -> bool {
    let n = dst.len();
    let src = &src[..4 * n];
    blocks!(n, I::N / 4, x => {
        let pairs = s.pair_sum(s.load(&src[4 * x..]));
        s.store_quarter(&mut dst[x..], s.shr::<2>(s.add16(pairs, s.swap16(pairs))));
    })
}
