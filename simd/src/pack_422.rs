//! Repacker of the colour pipe for chroma that two pixels share: 4:4:4 to 4:2:2, from components to
//! samples (§6, §9.5).
use crate::Sample;
use crate::color_depth::{Gate, check_depth, is_byte};
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::average;

/// `dst[x]` is the sample of the truncated average of `src[2x]` and `src[2x + 1]` like
/// [`pack`](crate::SampleKernels::pack).
pub fn scalar<S: Sample>(dst: &mut [S], src: &[u16], depth: u8) {
    let gate = Gate::new::<S>(depth);
    for (out, pair) in dst.iter_mut().zip(src.chunks_exact(2)) {
        *out = gate.sample(average(pair[0], pair[1]));
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
        let v = s.load16(&src[2 * x..]);
        let pair = s.swap16(v);
        let sample = if is_byte::<S>() {
            // Both shifts at once: components of 12 bits cannot overflow.
            s.shr::<5>(s.add16(v, pair))
        } else {
            gate.samples::<I, S>(s, s.avg16(v, pair))
        };
        S::store_quarter(s, &mut dst[x..], sample);
    })
}
