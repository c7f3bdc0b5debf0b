//! Motion search of a missing line (§3.5).
use crate::{APRON, Row};

/// The candidate vectors (Mx, My) in the order of the search.
pub const VECTORS: [(i8, i8); 16] = [
    (-1, -2),
    (0, -2),
    (1, -2),
    (-6, 0),
    (-5, 0),
    (-4, 0),
    (-3, 0),
    (-2, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (-1, 2),
    (0, 2),
    (1, 2),
];

/// Writes each pair's smallest SAD and the index of its vector; on equal SAD the later vector wins. `k` are the lines y-2…y+2 of
/// the frame being completed, `r` the lines y-4…y+4 of the other one.
pub fn scalar(best: &mut [u16], vector: &mut [u8], k: [Row; 5], r: [Row; 9]) {
    for (pair, (best, vector)) in best.iter_mut().zip(vector).enumerate() {
        let x = APRON + 2 * pair - 2;
        *best = u16::MAX;
        for (index, (mx, my)) in VECTORS.into_iter().enumerate() {
            let mut sad = 0;
            for (j, k) in k.iter().enumerate() {
                let r = r[(j + 2).wrapping_add_signed(my as isize)];
                let moved = x.wrapping_add_signed(mx as isize);
                sad += k[x..x + 6].iter().zip(&r[moved..moved + 6]).map(|(a, b)| a.abs_diff(*b) as u16).sum::<u16>();
            }
            if sad <= *best {
                (*best, *vector) = (sad, index as u8);
            }
        }
    }
}
