//! From P bits to the depth of the picture: the exit of the scaler and of the enhancement (§5.1,
//! §9.4).
use crate::Sample;
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::polyphase::unit_depth;

/// `dst[x] = min(2^depth - 1, (src[x] + half) >> s)` of samples of P = max(10, depth) bits, with
/// s = P - depth and half = 1 << (s - 1); `src[x]` itself from 10 bits on.
pub fn scalar<S: Sample>(dst: &mut [S], src: &[u16], depth: u8) {
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = narrowed(v, depth);
    }
}

/// One sample of [`scalar`].
#[inline(always)]
pub(crate) fn narrowed<S: Sample>(v: u16, depth: u8) -> S {
    let (v, shift) = (v as u32, unit_depth(depth) - depth);
    S::from_u32(if shift == 0 { v } else { ((v + (1 << (shift - 1))) >> shift).min((1 << depth) - 1) })
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], src: &[u16], depth: u8) {
    contract::at_least([src], dst.len());
    contract::depth::<S>(depth);
}

/// Stores halfwords of P bits as samples.
pub(crate) trait Narrow: Sample {
    /// Stores into the first N/2 samples of `dst`, rounded to `depth` bits.
    fn store_narrow<I: Isa>(s: I, dst: &mut [Self], v: I::H, depth: u8);
}

impl Narrow for u8 {
    #[inline(always)]
    fn store_narrow<I: Isa>(s: I, dst: &mut [u8], v: I::H, _: u8) {
        s.store_half(dst, s.min15(s.shr::<2>(s.add16(v, s.splat16(2))), s.splat16(255)));
    }
}

impl Narrow for u16 {
    #[inline(always)]
    fn store_narrow<I: Isa>(s: I, dst: &mut [u16], v: I::H, depth: u8) {
        let rounded = match depth {
            9 => s.min15(s.shr::<1>(s.add16(v, s.splat16(1))), s.splat16(511)),
            _ => v,
        };
        s.store16(dst, rounded);
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Narrow>(s: I, dst: &mut [S], src: &[u16], depth: u8) -> bool {
    let n = dst.len();
    let src = &src[..n];
    blocks!(n, I::N / 2, x => {
        S::store_narrow(s, &mut dst[x..], s.load16(&src[x..]), depth);
    })
}
