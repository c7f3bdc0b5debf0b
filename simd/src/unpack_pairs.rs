//! Unpacker of the colour pipe for chroma that two pixels share: from samples to components, 4:2:2
//! to 4:4:4 (§6, §9.5).
use crate::Sample;
use crate::color_depth::{Gate, check_depth};
use crate::contract;
use crate::isa::{Isa, Lane, blocks};

/// `dst[2x] = dst[2x + 1] = src[x] << (Q - depth)` like [`unpack`](crate::SampleKernels::unpack).
/// The last entry of a `dst` of odd length is not written.
pub fn scalar<S: Sample>(dst: &mut [u16], src: &[S], depth: u8) {
    let gate = Gate::new::<S>(depth);
    for (pair, &v) in dst.chunks_exact_mut(2).zip(src) {
        pair.fill(gate.component(v));
    }
}

/// Panics if a slice is too short or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[u16], src: &[S], depth: u8) {
    contract::at_least([src], dst.len() / 2);
    check_depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [u16], src: &[S], depth: u8) -> bool {
    let pairs = dst.len() / 2;
    let src = &src[..pairs];
    let gate = Gate::new::<S>(depth);
    blocks!(pairs, I::N / 2, x => {
        let v = gate.components::<I, S>(s, S::load_half(s, &src[x..]));
        let (low, high) = (s.interleave_low16(v, v), s.interleave_high16(v, v));
        s.store_parts(&mut dst[2 * x..], low, high);
    })
}
