//! Clean-up and count of the tear flags of a line (§4.1).

use crate::contract;
use crate::isa::Isa;

/// Adds the remaining tears to `sums` (v8, v9, v10), one entry per 16 pixels. A flag is cleared if
/// its four neighbours are clear. `above`, `flags`, `below` are rows of
/// [`fmd`](crate::Kernels::fmd) for the lines y-2, y, y+2, with one more pixel on both sides;
/// outside the picture the flags are 0.
pub fn scalar(sums: &mut [[u32; 3]], above: &[u8], flags: &[u8], below: &[u8]) {
    let n = flags.len() - 2;
    for x in 0..n {
        let kept = flags[x + 1] & (flags[x] | flags[x + 2] | above[x + 1] | below[x + 1]);
        for (bit, sum) in sums[x / 16].iter_mut().enumerate() {
            *sum += (kept >> bit & 1) as u32;
        }
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(sums: &[[u32; 3]], above: &[u8], flags: &[u8], below: &[u8]) {
    contract::at_least([flags], 2);
    contract::at_least([above, below], flags.len());
    contract::at_least([sums], (flags.len() - 2).div_ceil(16));
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, sums: &mut [[u32; 3]], above: &[u8], flags: &[u8], below: &[u8]) -> bool {
    let n = flags.len() - 2;
    let (above, below) = (&above[..n + 2], &below[..n + 2]);
    // Sums must count each pixel once, so vectors must not overlap. The scalar form adds the
    // remaining pixels.
    let whole = n / I::N * I::N;
    for x in (0..whole).step_by(I::N) {
        let beside = s.or(s.load(&flags[x..]), s.load(&flags[x + 2..]));
        let near = s.or(beside, s.or(s.load(&above[x + 1..]), s.load(&below[x + 1..])));
        let kept = s.and(s.load(&flags[x + 1..]), near);
        if s.any(kept) {
            for bit in 0..3 {
                let flag = s.splat(1 << bit);
                let counts = s.count(s.eq(s.and(kept, flag), flag));
                for (sum, count) in sums[x / 16..].iter_mut().zip(&counts[..I::N / 16]) {
                    sum[bit] += count;
                }
            }
        }
    }
    scalar(&mut sums[whole / 16..], &above[whole..], &flags[whole..], &below[whole..]);
    true
}
