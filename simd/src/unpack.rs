//! Unpacker of the colour pipe: from samples to components (§6, §9.5).
use crate::Sample;
use crate::color_depth::{Gate, check_depth};
use crate::contract;
use crate::isa::{Isa, Lane, blocks};

/// `dst[x] = src[x] << (Q - depth)`, Q = max(12, depth). Samples above 2^depth - 1 count as
/// 2^depth - 1.
pub fn scalar<S: Sample>(dst: &mut [u16], src: &[S], depth: u8) {
    let gate = Gate::new::<S>(depth);
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = gate.component(v);
    }
}

/// Panics if a slice is too short or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[u16], src: &[S], depth: u8) {
    contract::at_least([src], dst.len());
    check_depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [u16], src: &[S], depth: u8) -> bool {
    let n = dst.len();
    let src = &src[..n];
    let gate = Gate::new::<S>(depth);
    blocks!(n, I::N / 2, x => {
        s.store16(&mut dst[x..], gate.components::<I, S>(s, S::load_half(s, &src[x..])));
    })
}
