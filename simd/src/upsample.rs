//! Up-sampling of a 4:2:0 chroma line that is missing in its field (§3.6).
use crate::StmmBlend;
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::{Sample, average};

/// Writes the blend of the truncated averages of two `spatial` rows, above and below in the field,
/// and of two `temporal` rows, from the fields before and after. `stmm` is the motion measure of
/// each sample.
pub fn scalar<S: Sample>(dst: &mut [S], spatial: [&[S]; 2], temporal: [&[S]; 2], stmm: &[u8], p: &StmmBlend) {
    let avg = |rows: [&[S]; 2], x: usize| average(rows[0][x], rows[1][x]);
    for (x, out) in dst.iter_mut().enumerate() {
        *out = p.blend(stmm[x], avg(spatial, x), avg(temporal, x));
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], spatial: [&[S]; 2], temporal: [&[S]; 2], stmm: &[u8], p: &StmmBlend) {
    contract::at_least(spatial, dst.len());
    contract::at_least(temporal, dst.len());
    contract::at_least([stmm], dst.len());
    contract::within(p.stmm_shift, 0..=7);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(
    s: I,
    dst: &mut [S],
    spatial: [&[S]; 2],
    temporal: [&[S]; 2],
    stmm: &[u8],
    p: &StmmBlend,
) -> bool {
    let n = dst.len();
    let [above, below, before, after] = [&spatial[0][..n], &spatial[1][..n], &temporal[0][..n], &temporal[1][..n]];
    let stmm = &stmm[..n];
    blocks!(n, S::count::<I>(), x => {
        let weights = p.weights::<I, S>(s, S::load_bytes(s, &stmm[x..]));
        let mut value = S::avg(s, S::load(s, &above[x..]), S::load(s, &below[x..]));
        if weights.any_still(s) {
            value = weights.blend(s, value, S::avg(s, S::load(s, &before[x..]), S::load(s, &after[x..])));
        }
        S::store(s, &mut dst[x..], value);
    })
}
