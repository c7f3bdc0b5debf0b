//! Repacker of the colour pipe: from components to samples (§6, §9.5).
use crate::Sample;
use crate::color_depth::{Gate, check_depth};
use crate::contract;
use crate::isa::{Isa, Lane, blocks};

/// The samples of components 0…2^Q - 1, Q = max(12, depth): `src[x] >> 4` for 8 bits, else
/// `src[x] >> (Q - depth)`, rounded to the nearest and at most 2^depth - 1.
pub fn scalar<S: Sample>(dst: &mut [S], src: &[u16], depth: u8) {
    let gate = Gate::new::<S>(depth);
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = gate.sample(v);
    }
}

/// Panics if a slice is too short or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], src: &[u16], depth: u8) {
    contract::at_least([src], dst.len());
    check_depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], src: &[u16], depth: u8) -> bool {
    let n = dst.len();
    let src = &src[..n];
    let gate = Gate::new::<S>(depth);
    blocks!(n, I::N / 2, x => {
        S::store_half(s, &mut dst[x..], gate.samples::<I, S>(s, s.load16(&src[x..])));
    })
}
