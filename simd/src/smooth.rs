//! Smoothness check of the motion vectors (§3.5).
use crate::VECTORS;

/// Stands for the vector of a neighbour outside the picture; it passes every check.
pub const OUTSIDE: u8 = 16;

/// `dst[i]` = 255 where the vector of pair i agrees with its neighbours within `smooth_mv_th` (0…3), else 0. Rows hold indices into
/// [`VECTORS`]: `own` the line itself, `other` the compared line of the other parity (whose vectors point the opposite way),
/// `same` that of the same parity; the fourth neighbour is the other pair of the line's four pixels.
pub fn scalar(dst: &mut [u8], own: &[u8], other: &[u8], same: &[u8], smooth_mv_th: u8) {
    let close = |a: u8, b: u8, sign: i8| {
        b == OUTSIDE || {
            let ((ax, ay), (bx, by)) = (VECTORS[a as usize], VECTORS[b as usize]);
            (ax - sign * bx).unsigned_abs() <= smooth_mv_th && (ay - sign * by).unsigned_abs() <= smooth_mv_th
        }
    };
    for (pair, out) in dst.iter_mut().enumerate() {
        let v = own[pair];
        let beside = own.get(pair ^ 1).copied().unwrap_or(OUTSIDE);
        let smooth = close(v, other[pair], -1) && close(v, same[pair], 1) && close(v, beside, 1);
        *out = if smooth { 255 } else { 0 };
    }
}
