//! Progressive chroma rows of 4:2:0 as 4:2:2 lines (§14.6).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::{Sample, average};

/// `dst[x] = (near[x] + ((near[x] + far[x]) >> 1) + 1) >> 1`: three quarters of the near row and
/// one quarter of the far one; the rows have equal length.
pub fn scalar<S: Sample>(dst: &mut [S], near: &[S], far: &[S]) {
    for (out, (&near, &far)) in dst.iter_mut().zip(near.iter().zip(far)) {
        *out = S::from_u32((near.into() + average(near, far).into() + 1) >> 1);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], near: &[S], far: &[S]) {
    contract::at_least([near, far], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], near: &[S], far: &[S]) -> bool {
    let n = dst.len();
    let (near, far) = (&near[..n], &far[..n]);
    blocks!(n, I::N / 2, x => {
        let (near, far) = (S::load_half(s, &near[x..]), S::load_half(s, &far[x..]));
        S::store_half(s, &mut dst[x..], s.avg_up16(near, s.avg16(near, far)));
    })
}
