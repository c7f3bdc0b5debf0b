//! The output of a deinterlacer with a network: base and correction, except where the picture is
//! static (§14.4).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// Writes `base[x]` plus the signed number `correction[x]`, clipped to `depth` bits; -32768 counts
/// as -32767. Where the static measure `still.0[x]` is below `still.1`, `dst[x]` keeps its value.
pub fn scalar<S: Sample>(dst: &mut [S], base: &[S], correction: &[u16], still: (&[u16], u16), depth: u8) {
    let max = (1 << depth) - 1;
    for (x, out) in dst.iter_mut().enumerate() {
        let corrected = base[x].signed() + i32::from(correction[x] as i16).max(-32767);
        if still.0[x] >= still.1 {
            *out = S::from_u32(corrected.clamp(0, max) as u32);
        }
    }
}

/// Panics if a slice is too short, a threshold above 2^15 - 1, or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], base: &[S], correction: &[u16], still: (&[u16], u16), depth: u8) {
    contract::at_least([base], dst.len());
    contract::at_least([correction, still.0], dst.len());
    contract::within(still.1, 0..=0x7fff);
    contract::depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(
    s: I,
    dst: &mut [S],
    base: &[S],
    correction: &[u16],
    (still, threshold): (&[u16], u16),
    depth: u8,
) -> bool {
    let n = dst.len();
    let (base, correction, still) = (&base[..n], &correction[..n], &still[..n]);
    let (zero, max) = (s.splat16(0), s.splat16(((1u32 << depth) - 1) as u16));
    let (threshold, least) = (s.splat16(threshold), s.splat16(-32767i16 as u16));
    blocks!(n, I::N / 2, x => {
        let correction = s.max15(s.load16(&correction[x..]), least);
        let (more, less) = (s.max15(correction, zero), s.max15(s.sub16(zero, correction), zero));
        let sum = s.sub_saturating16(s.add_saturating16(S::load_half(s, &base[x..]), more), less);
        let is_still = s.gt15(threshold, s.load16(&still[x..]));
        let out = s.select16(is_still, S::load_half(s, &dst[x..]), s.min16(sum, max));
        S::store_half(s, &mut dst[x..], out);
    })
}
