//! 3×3 low-pass of a picture for the block search (§16.3).
use crate::contract;
use crate::isa::{Isa, blocks, load_each};

/// `dst[x]` is the sum of samples x … x + 2 of three rows with the weights 1, 2, 1 in both
/// directions, divided by 16 and rounded. So the rows begin one sample before the line.
pub fn scalar(dst: &mut [u8], rows: [&[u8]; 3]) {
    let column = |x: usize| {
        let [a, b, c] = rows.map(|row| u32::from(row[x]));
        a + 2 * b + c
    };
    for (x, out) in dst.iter_mut().enumerate() {
        *out = ((column(x) + 2 * column(x + 1) + column(x + 2) + 8) >> 4) as u8;
    }
}

/// Panics if a row is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], rows: [&[u8]; 3]) {
    contract::at_least(rows, dst.len() + 2);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], rows: [&[u8]; 3]) -> bool {
    let n = dst.len();
    let round = s.splat16(8);
    let [a, b, c] = rows.map(|row| &row[..n + 2]);
    blocks!(n, I::N, x => {
        let [first, second] = columns(s, load_each(s, [a, b, c], x));
        let [third, fourth] = columns(s, load_each(s, [a, b, c], x + 2));
        let even = s.add16(s.add16(first, third), s.add16(s.shl::<1>(second), round));
        let odd = s.add16(s.add16(second, fourth), s.add16(s.shl::<1>(third), round));
        s.store(&mut dst[x..], s.merge(s.shr::<4>(even), s.shr::<4>(odd)));
    })
}

/// The sums of even and of odd columns.
#[inline(always)]
fn columns<I: Isa>(s: I, [a, b, c]: [I::B; 3]) -> [I::H; 2] {
    let even = s.add16(s.add16(s.even(a), s.even(c)), s.shl::<1>(s.even(b)));
    let odd = s.add16(s.add16(s.odd(a), s.odd(c)), s.shl::<1>(s.odd(b)));
    [even, odd]
}
