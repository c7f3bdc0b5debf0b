//! Final blend of the chroma: temporal interpolation where nothing moves, spatial where the picture
//! moves (§3.6).
use crate::StmmBlend;
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::{Sample, average};

/// Writes the blend of csdi and ctdi. csdi is the blend of `c3`, the interpolation along the angle,
/// and the truncated average of the `existing` lines above and below. ctdi is the truncated average
/// of the line in the two adjacent `fields`. `stmm` is the motion measure of each sample.
pub fn scalar<S: Sample>(dst: &mut [S], c3: &[S], existing: [&[S]; 2], fields: [&[S]; 2], stmm: &[u8], p: &StmmBlend) {
    let avg = |rows: [&[S]; 2], x: usize| average(rows[0][x], rows[1][x]);
    for (x, out) in dst.iter_mut().enumerate() {
        let csdi = p.blend(stmm[x], c3[x], avg(existing, x));
        *out = p.blend(stmm[x], csdi, avg(fields, x));
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], c3: &[S], existing: [&[S]; 2], fields: [&[S]; 2], stmm: &[u8], p: &StmmBlend) {
    contract::at_least([c3], dst.len());
    contract::at_least([stmm], dst.len());
    contract::at_least(existing, dst.len());
    contract::at_least(fields, dst.len());
    contract::within(p.stmm_shift, 0..=7);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(
    s: I,
    dst: &mut [S],
    c3: &[S],
    existing: [&[S]; 2],
    fields: [&[S]; 2],
    stmm: &[u8],
    p: &StmmBlend,
) -> bool {
    let n = dst.len();
    let [upper, lower, before, after] = [&existing[0][..n], &existing[1][..n], &fields[0][..n], &fields[1][..n]];
    let (c3, stmm) = (&c3[..n], &stmm[..n]);
    blocks!(n, S::count::<I>(), x => {
        let weights = p.weights::<I, S>(s, S::load_bytes(s, &stmm[x..]));
        let mut value = S::load(s, &c3[x..]);
        if weights.any_still(s) {
            let c90 = S::avg(s, S::load(s, &upper[x..]), S::load(s, &lower[x..]));
            // Except at a few slanted edges c3 equals the vertical average.
            if S::any(s, S::xor(s, value, c90)) {
                value = weights.blend(s, value, c90);
            }
            value = weights.blend(s, value, S::avg(s, S::load(s, &before[x..]), S::load(s, &after[x..])));
        }
        S::store(s, &mut dst[x..], value);
    })
}
