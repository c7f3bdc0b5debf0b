//! 3×3 low-pass of a picture for the block search (§16.3).
use crate::contract;
use crate::isa::Isa;

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
pub(crate) fn vector<I: Isa>(_s: I, _dst: &mut [u8], _rows: [&[u8]; 3]) -> bool {
    false
}
