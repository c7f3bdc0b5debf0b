//! Vertical low-pass of a picture for the block search (§15.3).
use crate::contract;
use crate::isa::Isa;

/// `dst[x]` is the sum of five lines with the weights 1, 4, 6, 4, 1, divided by 16 and rounded.
pub fn scalar(dst: &mut [u8], lines: [&[u8]; 5]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let [a, b, c, d, e] = lines.map(|line| u32::from(line[x]));
        *out = ((a + 4 * b + 6 * c + 4 * d + e + 8) >> 4) as u8;
    }
}

/// Panics if a line is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], lines: [&[u8]; 5]) {
    contract::at_least(lines, dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [u8], _: [&[u8]; 5]) -> bool {
    false
}
