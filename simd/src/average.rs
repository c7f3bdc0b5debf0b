//! Average of two rows: up-sampled chroma without motion, chroma stored as 4:2:0 (§3.6, §1.6).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::{Sample, average};

/// `dst[x] = (a[x] + b[x]) >> 1`; the rows have equal length.
pub fn scalar<S: Sample>(dst: &mut [S], a: &[S], b: &[S]) {
    for (out, (&a, &b)) in dst.iter_mut().zip(a.iter().zip(b)) {
        *out = average(a, b);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], a: &[S], b: &[S]) {
    contract::at_least([a, b], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], a: &[S], b: &[S]) -> bool {
    let n = dst.len();
    let (a, b) = (&a[..n], &b[..n]);
    blocks!(n, S::count::<I>(), x => {
        S::store(s, &mut dst[x..], S::avg(s, S::load(s, &a[x..]), S::load(s, &b[x..])));
    })
}
