//! Costs of the nine angles between two lines of a field (§3.3).
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
