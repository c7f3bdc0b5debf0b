//! The 8 most significant bits of the mean of R, G, B, which the scaler computes its weights from
//! (§5.2, §9.4).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::{Sample, average};

/// `dst[x] = ((R + 2G + B) >> 2) >> (depth - 8)` of samples of `depth` bits; `planes` are G, B, R.
pub fn scalar<S: Sample>(dst: &mut [u8], planes: [&[S]; 3], depth: u8) {
    let [g, b, r] = planes;
    for (out, (&g, (&r, &b))) in dst.iter_mut().zip(g.iter().zip(r.iter().zip(b))) {
        // The floor of an average with a floor is that of the whole sum.
        *out = (average(average(r, b), g).into() >> (depth - 8)).min(255) as u8;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[u8], planes: [&[S]; 3], depth: u8) {
    contract::at_least(planes, dst.len());
    contract::depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [u8], planes: [&[S]; 3], depth: u8) -> bool {
    let n = dst.len();
    let [g, b, r] = planes.map(|plane| &plane[..n]);
    blocks!(n, S::count::<I>(), x => {
        let mean = S::avg(s, S::avg(s, S::load(s, &r[x..]), S::load(s, &b[x..])), S::load(s, &g[x..]));
        S::store_bytes(s, &mut dst[x..], mean, depth - 8);
    })
}
