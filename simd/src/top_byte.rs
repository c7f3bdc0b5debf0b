//! The 8 most significant bits of samples, which the deinterlacer's decisions (§9.2) and the
//! scaler's weights (§9.4) read.
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// `dst[x] = src[x] >> shift`, with shift = depth - 8; at most 255 for samples above their depth.
pub fn scalar<S: Sample>(dst: &mut [u8], src: &[S], shift: u8) {
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = (v.into() >> shift).min(255) as u8;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S>(dst: &[u8], src: &[S], shift: u8) {
    contract::at_least([src], dst.len());
    contract::within(shift, if size_of::<S>() == 1 { 0..=0 } else { 1..=8 });
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [u8], src: &[S], shift: u8) -> bool {
    let n = dst.len();
    let src = &src[..n];
    blocks!(n, S::count::<I>(), x => {
        S::store_bytes(s, &mut dst[x..], S::load(s, &src[x..]), shift);
    })
}
