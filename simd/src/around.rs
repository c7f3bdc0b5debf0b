//! Values limited to a range around the temporal mean (§15.8).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// `dst[x]` is `value[x]`, limited to `mean[x]` ± `range[x]`, then clipped to `depth` bits.
pub fn scalar<S: Sample>(dst: &mut [S], value: &[S], mean: &[S], range: &[u16], depth: u8) {
    let max = (1 << depth) - 1;
    for (x, out) in dst.iter_mut().enumerate() {
        let (value, mean, range) = (value[x].signed(), mean[x].signed(), i32::from(range[x]));
        *out = S::from_u32(value.max(mean - range).min(mean + range).min(max) as u32);
    }
}

/// Panics if a slice is too short or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], value: &[S], mean: &[S], range: &[u16], depth: u8) {
    contract::at_least([value, mean], dst.len());
    contract::at_least([range], dst.len());
    contract::depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], value: &[S], mean: &[S], range: &[u16], depth: u8) -> bool {
    let n = dst.len();
    let (value, mean, range) = (&value[..n], &mean[..n], &range[..n]);
    let max = s.splat16(((1u32 << depth) - 1) as u16);
    blocks!(n, I::N / 2, x => {
        let (value, mean) = (S::load_half(s, &value[x..]), S::load_half(s, &mean[x..]));
        S::store_half(s, &mut dst[x..], limit(s, value, mean, s.load16(&range[x..]), max));
    })
}

/// `value`, limited to `mean` ± `range` and then to 0 … `max`. The sums saturate at the limits of
/// halfwords, so all depths fit.
#[inline(always)]
pub(crate) fn limit<I: Isa>(s: I, value: I::H, mean: I::H, range: I::H, max: I::H) -> I::H {
    let (least, greatest) = (s.sub_saturating16(mean, range), s.add_saturating16(mean, range));
    s.min16(s.max16(value, least), s.min16(greatest, max))
}
