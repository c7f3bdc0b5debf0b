//! Adaptive contrast enhancement of 12 bits (§6.3). `contrast_pieces` is that of more bits.
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::skin::clip12;

/// The number of values of a 12-bit sample.
pub const DEEP: usize = 4096;

/// Writes the luma that `curve` maps `y` to; the change is reduced where `factor` marks skin.
/// Samples are 0…4095, values of the curve 0…12266.
pub fn scalar(dst: &mut [u16], y: &[u16], factor: &[u16], curve: &[u16; DEEP]) {
    for (out, (&y, &factor)) in dst.iter_mut().zip(y.iter().zip(factor)) {
        let (old, new) = (y as i32, curve[y as usize] as i32);
        *out = (old + (((new - old) * (32 - factor as i32)) >> 5)).clamp(0, 4095) as u16;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u16], y: &[u16], factor: &[u16], _: &[u16; DEEP]) {
    contract::at_least([y, factor], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], y: &[u16], factor: &[u16], curve: &[u16; DEEP]) -> bool {
    let n = dst.len();
    let (y, factor) = (&y[..n], &factor[..n]);
    blocks!(n, I::N / 2, x => {
        let mut new = [0; 32];
        for (new, &y) in new[..I::N / 2].iter_mut().zip(&y[x..]) {
            *new = curve[y as usize % DEEP];
        }
        let (mut new, factor) = (s.load16(&new), s.load16(&factor[x..]));
        if s.any16(factor) {
            let old = s.load16(&y[x..]);
            let share = s.sub16(s.splat16(32), factor);
            // Adding 8192 makes the difference positive.
            let difference = s.add16(s.sub16(new, old), s.splat16(8192));
            let part = s.mul_high(s.shl::<1>(difference), s.shl::<10>(share));
            new = s.add16(old, s.sub16(part, s.shl::<8>(share)));
        }
        s.store16(&mut dst[x..], clip12(s, new));
    })
}
