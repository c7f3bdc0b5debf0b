//! From 10 bits to 8 (§5.1, §5.2).
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x] = min(255, (src[x] + round) >> 2)` of samples 0…1023. `round` is 2 for output samples
/// and 0 for samples that are only measured.
pub fn scalar(dst: &mut [u8], src: &[u16], round: u16) {
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = ((v + round) >> 2).min(255) as u8;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u8], src: &[u16], round: u16) {
    contract::at_least([src], dst.len());
    contract::within(round, 0..=3);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], src: &[u16], round: u16) -> bool {
    let n = dst.len();
    let (src, round) = (&src[..n], s.splat16(round));
    blocks!(n, I::N / 2, x => {
        let v = s.shr::<2>(s.add16(s.load16(&src[x..]), round));
        s.store_half(&mut dst[x..], s.min15(v, s.splat16(255)));
    })
}
