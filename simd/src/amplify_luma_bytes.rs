//! Brightness and contrast of 8-bit luma (§6, §6.5): unpacker, ProcAmp and repacker in one pass.
use crate::amplify_luma::Amplifier;
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes the luma that [`amplify_luma`](crate::Kernels::amplify_luma) computes, with `<< 4` before
/// and `>> 4` after.
pub fn scalar(dst: &mut [u8], y: &[u8], contrast: u16, brightness: i16) {
    for (out, &y) in dst.iter_mut().zip(y) {
        let y12 = [(y as u16) << 4];
        let mut out12 = [0];
        crate::amplify_luma::scalar(&mut out12, &y12, contrast, brightness);
        *out = (out12[0] >> 4) as u8;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u8], y: &[u8], contrast: u16, brightness: i16) {
    contract::at_least([y], dst.len());
    contract::within(contrast, 0..=2047);
    contract::within(brightness, -2048..=2047);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], y: &[u8], contrast: u16, brightness: i16) -> bool {
    let n = dst.len();
    let y = &y[..n];
    let p = Amplifier::new(s, contrast, brightness);
    blocks!(n, I::N, x => {
        let y = s.load(&y[x..]);
        let even = s.shr::<4>(p.amplified(s, s.shl::<4>(s.even(y))));
        let odd = s.shr::<4>(p.amplified(s, s.shl::<4>(s.odd(y))));
        s.store(&mut dst[x..], s.merge(even, odd));
    })
}
