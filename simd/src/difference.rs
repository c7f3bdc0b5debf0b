//! Differences of values to a base, the inputs of a network (§14.3).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// `dst[x] = (value[x] >> shift) - (base[x] >> shift)`, signed; shifted values have at most 12
/// bits.
pub fn scalar<S: Sample>(dst: &mut [u16], value: &[S], base: &[S], shift: u8) {
    for (out, (&value, &base)) in dst.iter_mut().zip(value.iter().zip(base)) {
        *out = ((value.signed() >> shift) - (base.signed() >> shift)) as u16;
    }
}

/// Panics if a slice is too short or the shift above 4.
#[inline(always)]
pub(crate) fn check<S>(dst: &[u16], value: &[S], base: &[S], shift: u8) {
    contract::at_least([value, base], dst.len());
    contract::within(shift, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [u16], value: &[S], base: &[S], shift: u8) -> bool {
    let n = dst.len();
    let (value, base) = (&value[..n], &base[..n]);
    blocks!(n, I::N / 2, x => {
        let [mut value, mut base] = [S::load_half(s, &value[x..]), S::load_half(s, &base[x..])];
        if shift > 0 {
            (value, base) = (s.shr_by(value, shift), s.shr_by(base, shift));
        }
        s.store16(&mut dst[x..], s.sub16(value, base));
    })
}
