//! How much four lines comb: the third difference from line to line, greatest where every second line belongs to another time.
use crate::isa::{Isa, load_each};

/// Adds `min(255, |a - 3b + 3c - d| >> 2)²` of the lines a, b, c, d, top to bottom, to `sums`, one entry for each 16 samples. The
/// lines are equally long.
pub fn scalar(sums: &mut [u32], lines: [&[u8]; 4]) {
    let n = lines[0].len();
    let [a, b, c, d] = lines.map(|line| &line[..n]);
    for (i, sum) in sums.iter_mut().enumerate().take(n.div_ceil(16)) {
        for x in 16 * i..n.min(16 * i + 16) {
            let third = a[x] as i32 - d[x] as i32 - 3 * (b[x] as i32 - c[x] as i32);
            *sum += (third.unsigned_abs() >> 2).min(255).pow(2);
        }
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, sums: &mut [u32], lines: [&[u8]; 4]) -> bool {
    let n = lines[0].len();
    let lines = lines.map(|line| &line[..n]);
    // Sums must not count a sample twice: whole vectors, then the rest plainly.
    let whole = n / I::N * I::N;
    for x in (0..whole).step_by(I::N) {
        let [a, b, c, d] = load_each(s, lines, x);
        let even = third(s, [s.even(a), s.even(b), s.even(c), s.even(d)]);
        let odd = third(s, [s.odd(a), s.odd(b), s.odd(c), s.odd(d)]);
        let squares = s.sum_squares(s.merge(even, odd));
        for (sum, square) in sums[x / 16..].iter_mut().zip(&squares[..I::N / 16]) {
            *sum += square;
        }
    }
    scalar(&mut sums[whole / 16..], lines.map(|line| &line[whole..]));
    true
}

/// `|a - 3b + 3c - d| >> 2`, at most 255.
#[inline(always)]
fn third<I: Isa>(s: I, [a, b, c, d]: [I::H; 4]) -> I::H {
    let step = s.sub16(b, c);
    let third = s.sub16(s.sub16(a, d), s.add16(step, s.add16(step, step)));
    let distance = s.max15(third, s.sub16(s.splat16(0), third));
    s.min15(s.shr::<2>(distance), s.splat16(255))
}
