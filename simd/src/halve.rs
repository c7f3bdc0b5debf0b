//! A line of a picture of half the size (§15.3).
use crate::contract;
use crate::isa::Isa;

/// `dst[x]` is the rounded mean of samples 2x and 2x + 1 of two lines.
pub fn scalar(dst: &mut [u8], lines: [&[u8]; 2]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let [upper, lower] = lines.map(|line| u32::from(line[2 * x]) + u32::from(line[2 * x + 1]));
        *out = ((upper + lower + 2) >> 2) as u8;
    }
}

/// Panics if a line is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], lines: [&[u8]; 2]) {
    contract::at_least(lines, 2 * dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [u8], _: [&[u8]; 2]) -> bool {
    false
}
