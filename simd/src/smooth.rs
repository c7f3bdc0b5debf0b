//! Smoothness check of the motion vectors (§3.5).
use crate::VECTORS;
use crate::isa::{Isa, blocks};

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

/// Components of the vectors as bytes, 8 added; the second tables are those of the opposite vectors.
const COMPONENTS: [[[u8; 16]; 2]; 2] = {
    let mut tables = [[[0; 16]; 2]; 2];
    let mut i = 0;
    while i < VECTORS.len() {
        let (x, y) = VECTORS[i];
        tables[0][0][i] = (8 + x) as u8;
        tables[0][1][i] = (8 + y) as u8;
        tables[1][0][i] = (8 - x) as u8;
        tables[1][1][i] = (8 - y) as u8;
        i += 1;
    }
    tables
};

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], own: &[u8], other: &[u8], same: &[u8], smooth_mv_th: u8) -> bool {
    // Whole groups of two pairs, so that each finds its neighbour in the same vector.
    let n = dst.len() / 2 * 2;
    let outside = s.splat(OUTSIDE);
    let done = blocks!(n, I::N, pair => {
        let own = s.load(&own[pair..]);
        let (other, same) = (s.load(&other[pair..]), s.load(&same[pair..]));
        let beside = s.merge(s.odd(own), s.even(own));
        let smooth = if smooth_mv_th == 0 {
            // Equal vectors have equal indices, opposite ones indices whose sum is 15.
            let opposite = s.xor(other, s.splat(15));
            let other = s.or(s.eq(own, opposite), s.eq(other, outside));
            s.and(other, s.and(s.or(s.eq(own, same), s.eq(same, outside)), s.eq(own, beside)))
        } else {
            let limit = s.splat(smooth_mv_th);
            let (same, beside) = (near(s, own, same, 0, limit), near(s, own, beside, 0, limit));
            s.and(near(s, own, other, 1, limit), s.and(same, beside))
        };
        s.store(&mut dst[pair..], smooth);
    });
    if done && n < dst.len() {
        scalar(&mut dst[n..], &own[n..], &other[n..], &same[n..], smooth_mv_th);
    }
    done
}

/// Where the neighbour is outside the picture or both components agree; `table` 1 turns the neighbour's vector round.
#[inline(always)]
fn near<I: Isa>(s: I, own: I::B, neighbour: I::B, table: usize, limit: I::B) -> I::B {
    let mut near = s.splat(255);
    for (mine, theirs) in COMPONENTS[0].iter().zip(&COMPONENTS[table]) {
        near = s.and(near, s.ge(limit, s.abs_diff(s.lookup(mine, own), s.lookup(theirs, neighbour))));
    }
    s.or(s.eq(neighbour, s.splat(OUTSIDE)), near)
}
