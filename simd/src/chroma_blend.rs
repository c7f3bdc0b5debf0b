//! Final blend of the chroma: temporal interpolation where nothing moves, spatial where the picture
//! moves (§3.6).
use crate::StmmBlend;
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes the blend of csdi and ctdi. csdi is the blend of `c3`, the interpolation along the angle,
/// and the truncated average of the `existing` lines above and below. ctdi is the truncated average
/// of the line in the two adjacent `fields`. `stmm` is the motion measure of each sample.
pub fn scalar(dst: &mut [u8], c3: &[u8], existing: [&[u8]; 2], fields: [&[u8]; 2], stmm: &[u8], p: &StmmBlend) {
    let avg = |rows: [&[u8]; 2], x: usize| ((rows[0][x] as u16 + rows[1][x] as u16) >> 1) as u8;
    for (x, out) in dst.iter_mut().enumerate() {
        let csdi = p.blend(stmm[x], c3[x], avg(existing, x));
        *out = p.blend(stmm[x], csdi, avg(fields, x));
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u8], c3: &[u8], existing: [&[u8]; 2], fields: [&[u8]; 2], stmm: &[u8], p: &StmmBlend) {
    contract::at_least([c3, stmm], dst.len());
    contract::at_least(existing, dst.len());
    contract::at_least(fields, dst.len());
    contract::within(p.stmm_shift, 0..=7);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    dst: &mut [u8],
    c3: &[u8],
    existing: [&[u8]; 2],
    fields: [&[u8]; 2],
    stmm: &[u8],
    p: &StmmBlend,
) -> bool {
    let n = dst.len();
    let [upper, lower, before, after] = [&existing[0][..n], &existing[1][..n], &fields[0][..n], &fields[1][..n]];
    let (c3, stmm) = (&c3[..n], &stmm[..n]);
    blocks!(n, I::N, x => {
        let weights = p.weights(s, s.load(&stmm[x..]));
        let mut value = s.load(&c3[x..]);
        if weights.any_still(s) {
            let c90 = s.avg(s.load(&upper[x..]), s.load(&lower[x..]));
            // Except at a few slanted edges c3 equals the vertical average.
            if s.any(s.xor(value, c90)) {
                value = weights.blend(s, value, c90);
            }
            value = weights.blend(s, value, s.avg(s.load(&before[x..]), s.load(&after[x..])));
        }
        s.store(&mut dst[x..], value);
    })
}
