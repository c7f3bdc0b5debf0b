//! Temporal difference of the cross-filtered fields (§3.2).
use crate::contract;
use crate::isa::{Isa, blocks, chunks};
use crate::{APRON, Row};

/// For each pair x the sum of |C'(x+i) - P'(x+i)|, i = -1…2: the part of `tdm` that one line
/// contributes. `c` and `p` are the lines y-2, y, y+2 of both frames, in either order.
pub fn scalar(dst: &mut [u16], c: [Row; 3], p: [Row; 3]) {
    let cross = |[above, at, below]: [Row; 3], x: usize| {
        let sum = 2 * at[x] as u16 + at[x - 1] as u16 + at[x + 1] as u16 + 2 * above[x] as u16 + 2 * below[x] as u16;
        sum >> 3
    };
    for (pair, out) in dst.iter_mut().enumerate() {
        let x = APRON + 2 * pair;
        *out = (x - 1..x + 3).map(|x| cross(c, x).abs_diff(cross(p, x))).sum();
    }
}

/// Pairs per chunk. With the adjacent pixels a chunk fills whole vectors.
const CHUNK: usize = 127;

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u16], c: [Row; 3], p: [Row; 3]) {
    contract::rows(c, 2 * dst.len());
    contract::rows(p, 2 * dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], c: [Row; 3], p: [Row; 3]) -> bool {
    let n = dst.len();
    let c = c.map(|row| &row[APRON - 2..APRON + 2 * n + 2]);
    let p = p.map(|row| &row[APRON - 2..APRON + 2 * n + 2]);
    // From one pixel before the first pair to one after the last.
    let mut differences = [0; 2 * CHUNK + 2];
    chunks!(n, CHUNK, I::N / 2, first, count => {
        blocks!(2 * count + 2, I::N, x => {
            let difference = s.abs_diff(cross(s, c, 2 * first + x), cross(s, p, 2 * first + x));
            s.store(&mut differences[x..], difference);
        });
        blocks!(count, I::N / 2, pair => {
            let (left, right) = (s.load(&differences[2 * pair..]), s.load(&differences[2 * pair + 2..]));
            s.store16(&mut dst[first + pair..], s.add16(s.pair_sum(left), s.pair_sum(right)));
        });
    })
}

/// 255 minus the cross filter of the samples after x. The filter (2 at + left + right + 2 above + 2
/// below) >> 3 equals (at + d + above + below) >> 2 with d = (left + right) >> 1. Inverted samples
/// turn averages that round up into averages that truncate.
#[inline(always)]
fn cross<I: Isa>(s: I, [above, at, below]: [&[u8]; 3], x: usize) -> I::B {
    let not = s.splat(255);
    let (left, here, right) = (s.xor(s.load(&at[x..]), not), s.xor(s.load(&at[x + 1..]), not), s.xor(s.load(&at[x + 2..]), not));
    let (above, below) = (s.xor(s.load(&above[x + 1..]), not), s.xor(s.load(&below[x + 1..]), not));
    let sides = s.avg_up(left, right);
    let (first, second) = (s.avg_up(here, sides), s.avg_up(above, below));
    // Two of the three averages round up once too often where all of them rounded.
    let both = s.and(s.xor(here, sides), s.xor(above, below));
    let all = s.and(s.and(both, s.xor(first, second)), s.splat(1));
    s.sub_saturating(s.avg_up(first, second), all)
}
