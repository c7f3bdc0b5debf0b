//! Horizontal detail measures of an existing line, for the first fallback of the angle (§3.3).
use crate::isa::{Isa, blocks, load_each};
use crate::{APRON, Row};

/// The first half of `dst` takes h1 of each pair of the line, the second half h2.
pub fn scalar(dst: &mut [u16], row: Row) {
    let (h1, h2) = dst.split_at_mut(dst.len() / 2);
    for (pair, (h1, h2)) in h1.iter_mut().zip(h2).enumerate() {
        let at = |i: isize| row[(APRON + 2 * pair).wrapping_add_signed(i)];
        let step = |a: u8, b: u8| a.abs_diff(b) as u16;
        *h1 = (-2..4).map(|i| step(at(i), at(i + 1))).sum();
        *h2 = (-2..4).map(|i| step(at(-2), at(i)) + step(at(i), at(4))).max().unwrap_or(0);
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], row: Row) -> bool {
    let n = dst.len() / 2;
    let row = &row[APRON - 2..APRON + 2 * n + 4];
    let (h1, h2) = dst.split_at_mut(n);
    let h2 = &mut h2[..n];
    blocks!(n, I::N / 2, pair => {
        // Samples -2…4 of each pixel.
        let at = load_each(s, [0, 1, 2, 3, 4, 5, 6].map(|i| &row[i..]), 2 * pair);
        let mut sum = s.splat16(0);
        for i in [0, 2, 4] {
            sum = s.add16(sum, s.pair_sum(s.abs_diff(at[i], at[i + 1])));
        }
        s.store16(&mut h1[pair..], sum);
        let mut most = s.even(s.abs_diff(at[0], at[6]));
        for v in &at[1..6] {
            let sum = s.add16(s.even(s.abs_diff(at[0], *v)), s.even(s.abs_diff(*v, at[6])));
            most = s.max15(most, sum);
        }
        s.store16(&mut h2[pair..], most);
    })
}
