//! The greatest less the least of several rows (§15.2, §15.9).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// `dst[x]` is the greatest less the least of `rows[0][x]`, `rows[1][x]`, …; 0 without a row.
pub fn scalar<S: Sample>(dst: &mut [S], rows: &[&[S]]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let values = rows.iter().map(|row| row[x].into());
        let (least, greatest) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
        *out = S::from_u32(greatest - least);
    }
}

/// Panics if a row is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], rows: &[&[S]]) {
    rows.iter().for_each(|row| contract::at_least([row], dst.len()));
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], rows: &[&[S]]) -> bool {
    let n = dst.len();
    let Some((first, others)) = rows.split_first() else { return false };
    blocks!(n, S::count::<I>(), x => {
        let first = S::load(s, &first[x..]);
        let (mut least, mut greatest) = (first, first);
        for row in others {
            let value = S::load(s, &row[x..]);
            (least, greatest) = (S::lesser(s, least, value), S::greater(s, greatest, value));
        }
        S::store(s, &mut dst[x..], S::sub_saturating(s, greatest, least));
    })
}
