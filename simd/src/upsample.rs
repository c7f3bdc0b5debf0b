//! Up-sampling of a 4:2:0 chroma line that is missing in its field (§3.6).
use crate::StmmBlend;
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes the blend of the truncated averages of two `spatial` rows, above and below in the field,
/// and of two `temporal` rows, from the fields before and after. `stmm` is the motion measure of
/// each sample.
pub fn scalar(dst: &mut [u8], spatial: [&[u8]; 2], temporal: [&[u8]; 2], stmm: &[u8], p: &StmmBlend) {
    let avg = |rows: [&[u8]; 2], x: usize| ((rows[0][x] as u16 + rows[1][x] as u16) >> 1) as u8;
    for (x, out) in dst.iter_mut().enumerate() {
        *out = p.blend(stmm[x], avg(spatial, x), avg(temporal, x));
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u8], spatial: [&[u8]; 2], temporal: [&[u8]; 2], stmm: &[u8], p: &StmmBlend) {
    contract::at_least(spatial, dst.len());
    contract::at_least(temporal, dst.len());
    contract::at_least([stmm], dst.len());
    contract::within(p.stmm_shift, 0..=7);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    dst: &mut [u8],
    spatial: [&[u8]; 2],
    temporal: [&[u8]; 2],
    stmm: &[u8],
    p: &StmmBlend,
) -> bool {
    let n = dst.len();
    let [above, below, before, after] = [&spatial[0][..n], &spatial[1][..n], &temporal[0][..n], &temporal[1][..n]];
    let stmm = &stmm[..n];
    blocks!(n, I::N, x => {
        let weights = p.weights(s, s.load(&stmm[x..]));
        let mut value = s.avg(s.load(&above[x..]), s.load(&below[x..]));
        if weights.any_still(s) {
            value = weights.blend(s, value, s.avg(s.load(&before[x..]), s.load(&after[x..])));
        }
        s.store(&mut dst[x..], value);
    })
}
