//! Horizontal detail measures of an existing line, for the first fallback of the angle (§3.3).
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
