//! Final blend of the luma: temporal interpolation where nothing moves, `di` where the picture
//! moves (§3.4, §3.7).
use crate::StmmBlend;
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::{Sample, average};

/// Writes the blend of `di` and the truncated average of the line in the two adjacent `fields`.
/// `stmm` is the motion measure of each pair.
pub fn scalar<S: Sample>(dst: &mut [S], di: &[S], fields: [&[S]; 2], stmm: &[u8], p: &StmmBlend) {
    for (x, out) in dst.iter_mut().enumerate() {
        *out = p.blend(stmm[x / 2], di[x], average(fields[0][x], fields[1][x]));
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], di: &[S], fields: [&[S]; 2], stmm: &[u8], p: &StmmBlend) {
    contract::at_least([di], dst.len());
    contract::at_least(fields, dst.len());
    contract::at_least([stmm], dst.len().div_ceil(2));
    contract::within(p.stmm_shift, 0..=7);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], di: &[S], fields: [&[S]; 2], stmm: &[u8], p: &StmmBlend) -> bool {
    let n = dst.len();
    let (di, a, b) = (&di[..n], &fields[0][..n], &fields[1][..n]);
    // Whole pairs. If the width is odd, the scalar form computes the last pixel.
    let done = blocks!(n / 2, S::count::<I>() / 2, pair => {
        let x = 2 * pair;
        let weights = p.weights::<I, S>(s, S::load_pairs(s, &stmm[pair..]));
        let mut value = S::load(s, &di[x..]);
        if weights.any_still(s) {
            value = weights.blend(s, value, S::avg(s, S::load(s, &a[x..]), S::load(s, &b[x..])));
        }
        S::store(s, &mut dst[x..], value);
    });
    if done && n % 2 == 1 {
        let x = n - 1;
        scalar(&mut dst[x..], &di[x..], [&a[x..], &b[x..]], &stmm[n / 2..], p);
    }
    done
}
