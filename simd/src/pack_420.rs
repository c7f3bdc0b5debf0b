//! Repacker of the colour pipe for chroma sited at the left pixel of a pair: 4:4:4 to 4:2:0, from
//! components to samples (§6, §9.5).
use crate::Sample;
use crate::color_depth::{Gate, check_depth};
use crate::contract;
use crate::isa::{Isa, Lane, blocks};

/// `dst[x]` is the sample of `src[2x]` like [`pack`](crate::SampleKernels::pack).
pub fn scalar<S: Sample>(dst: &mut [S], src: &[u16], depth: u8) {
    let gate = Gate::new::<S>(depth);
    for (out, pair) in dst.iter_mut().zip(src.chunks_exact(2)) {
        *out = gate.sample(pair[0]);
    }
}

/// Panics if a slice is too short or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], src: &[u16], depth: u8) {
    contract::at_least([src], 2 * dst.len());
    check_depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], src: &[u16], depth: u8) -> bool {
    let n = dst.len();
    let src = &src[..2 * n];
    let gate = Gate::new::<S>(depth);
    blocks!(n, I::N / 4, x => {
        S::store_quarter(s, &mut dst[x..], gate.samples::<I, S>(s, s.load16(&src[2 * x..])));
    })
}
