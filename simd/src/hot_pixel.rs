//! Removal of hot pixels (§13.2).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::noise::{column, median9};
use crate::{APRON, Row, Sample};

/// Writes the median of the 3×3 neighbourhood where at least `count` of the eight neighbours differ
/// by more than `threshold`, and the sample itself elsewhere. `rows` are the lines above, at and
/// below it.
pub fn scalar<S: Sample>(dst: &mut [S], rows: [Row<S>; 3], threshold: u16, count: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        let mut all = [S::default(); 9];
        for (three, row) in all.as_chunks_mut::<3>().0.iter_mut().zip(rows) {
            three.copy_from_slice(&row[APRON + x - 1..=APRON + x + 1]);
        }
        let c = all[4];
        // The sample itself does not differ.
        let far = all.iter().filter(|&&n| n.into().abs_diff(c.into()) > threshold.into()).count();
        all.sort_unstable();
        *out = if far >= count.into() { all[4] } else { c };
    }
}

/// Panics if a slice is too short or the threshold above 255 for samples of 8 bits.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], rows: [Row<S>; 3], threshold: u16, _: u8) {
    contract::rows(rows, dst.len());
    contract::within(threshold, 0..=S::MAX.signed());
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], rows: [Row<S>; 3], threshold: u16, count: u8) -> bool {
    let n = dst.len();
    let rows = rows.map(|row| &row[APRON - 1..APRON + n + 1]);
    let (zero, one, threshold) = (S::splat(s, 0), S::splat(s, 1), S::splat(s, threshold));
    // At most so many neighbours may be near; with a count above 8 no number is.
    let Some(most_near) = 8u8.checked_sub(count) else {
        dst.copy_from_slice(&rows[1][1..=n]);
        return true;
    };
    let most_near = S::splat(s, most_near.into());
    blocks!(n, S::count::<I>(), x => {
        let (a, b, c) = (column(s, rows, x), column(s, rows, x + 1), column(s, rows, x + 2));
        let mut near = zero;
        for v in [a[0], a[1], a[2], b[0], b[2], c[0], c[1], c[2]] {
            let is_near = S::equal(s, S::sub_saturating(s, S::abs_diff(s, v, b[1]), threshold), zero);
            near = S::add_saturating(s, near, S::lesser(s, is_near, one));
        }
        let hot = S::at_least(s, most_near, near);
        let value = if S::any(s, hot) {
            let rows = [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]];
            S::select(s, hot, median9::<I, S>(s, rows[0], rows[1], rows[2]), b[1])
        } else {
            b[1]
        };
        S::store(s, &mut dst[x..], value);
    })
}
