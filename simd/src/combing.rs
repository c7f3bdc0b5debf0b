//! How much lines comb: the third difference from line to line, greatest where every second line belongs to another time.
use crate::isa::{Isa, load_each, squares};

/// `min(255, |a - 3b + 3c - d| >> 2)²` of the lines a, b, c, d, top to bottom, and the same of b, c, d, e added up in `sums`, one entry for
/// each 16 samples. The lines are equally long.
pub fn scalar(sums: &mut [u32], lines: [&[u8]; 5]) {
    let n = lines[0].len();
    let lines = lines.map(|line| &line[..n]);
    for (i, sum) in sums.iter_mut().enumerate().take(n.div_ceil(16)) {
        *sum = 0;
        for [a, b, c, d] in [[lines[0], lines[1], lines[2], lines[3]], [lines[1], lines[2], lines[3], lines[4]]] {
            for x in 16 * i..n.min(16 * i + 16) {
                let third = a[x] as i32 - d[x] as i32 - 3 * (b[x] as i32 - c[x] as i32);
                *sum += (third.unsigned_abs() >> 2).min(255).pow(2);
            }
        }
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, sums: &mut [u32], lines: [&[u8]; 5]) -> bool {
    let n = lines[0].len();
    if !n.is_multiple_of(I::N) {
        return false;
    }
    for (x, sums) in (0..n).step_by(I::N).zip(sums.chunks_mut(I::N / 16)) {
        let [a, b, c, d, e] = load_each(s, lines, x);
        let even = [s.even(a), s.even(b), s.even(c), s.even(d), s.even(e)];
        let odd = [s.odd(a), s.odd(b), s.odd(c), s.odd(d), s.odd(e)];
        let first = squares(s, third(s, even[0], even[1], even[2], even[3]), third(s, odd[0], odd[1], odd[2], odd[3]));
        let second = squares(s, third(s, even[1], even[2], even[3], even[4]), third(s, odd[1], odd[2], odd[3], odd[4]));
        for (sum, group) in sums.iter_mut().zip(s.sum_groups(s.add32(first, second))) {
            *sum = group;
        }
    }
    true
}

/// `|a - 3b + 3c - d| >> 2`, at most 255.
#[inline(always)]
fn third<I: Isa>(s: I, a: I::H, b: I::H, c: I::H, d: I::H) -> I::H {
    let step = s.sub16(b, c);
    let third = s.sub16(s.sub16(a, d), s.add16(step, s.add16(step, step)));
    let distance = s.max15(third, s.sub16(s.splat16(0), third));
    s.min15(s.shr::<2>(distance), s.splat16(255))
}
