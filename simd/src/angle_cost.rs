//! Costs of the nine angles between two lines of a field (§3.3).
use crate::isa::{Isa, blocks};
use crate::{APRON, OFFSETS, Row};

/// For each offset o of [`OFFSETS`] and each pair x: `|upper(x+i+o) - lower(x+i-o)|` summed over i = 0, 1. `dst` holds nine rows of
/// equal length one after the other; row k belongs to `OFFSETS[k]`.
pub fn scalar(dst: &mut [u16], upper: Row, lower: Row) {
    let pairs = dst.len() / OFFSETS.len();
    for (row, o) in dst.chunks_exact_mut(pairs.max(1)).zip(OFFSETS) {
        for (pair, out) in row.iter_mut().enumerate() {
            let difference =
                |x: usize| upper[x.wrapping_add_signed(o as isize)].abs_diff(lower[x.wrapping_add_signed(-o as isize)]);
            let x = APRON + 2 * pair;
            *out = difference(x) as u16 + difference(x + 1) as u16;
        }
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], upper: Row, lower: Row) -> bool {
    let pairs = dst.len() / OFFSETS.len();
    let (upper, lower) = (&upper[..2 * pairs + 2 * APRON], &lower[..2 * pairs + 2 * APRON]);
    blocks!(pairs, I::N / 2, pair => {
        for (k, o) in OFFSETS.into_iter().enumerate() {
            let x = APRON + 2 * pair;
            let upper = s.load(&upper[x.wrapping_add_signed(o as isize)..]);
            let lower = s.load(&lower[x.wrapping_add_signed(-o as isize)..]);
            s.store16(&mut dst[k * pairs + pair..], s.pair_sum(s.abs_diff(upper, lower)));
        }
    })
}
