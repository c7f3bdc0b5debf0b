//! Values limited to a range around the temporal mean (§15.6).
use crate::contract;
use crate::isa::Isa;
use crate::isa::Lane;
use crate::sample::Sample;

/// `dst[x]` is `value[x]`, limited to `mean[x]` ± `range[x]`, then clipped to `depth` bits.
pub fn scalar<S: Sample>(dst: &mut [S], value: &[S], mean: &[S], range: &[u16], depth: u8) {
    let max = (1 << depth) - 1;
    for (x, out) in dst.iter_mut().enumerate() {
        let (value, mean, range) = (value[x].signed(), mean[x].signed(), i32::from(range[x]));
        *out = S::from_u32(value.clamp((mean - range).max(0), (mean + range).min(max)) as u32);
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
pub(crate) fn vector<I: Isa, S: Lane>(_: I, _: &mut [S], _: &[S], _: &[S], _: &[u16], _: u8) -> bool {
    false
}
