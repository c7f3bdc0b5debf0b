//! A line of a picture of half the size (§15.3).
use crate::contract;
use crate::isa::{Isa, blocks};

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
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], lines: [&[u8]; 2]) -> bool {
    let n = dst.len();
    let round = s.splat16(2);
    let [upper, lower] = lines.map(|line| &line[..2 * n]);
    blocks!(n, I::N / 2, x => {
        let sum = s.add16(s.pair_sum(s.load(&upper[2 * x..])), s.pair_sum(s.load(&lower[2 * x..])));
        s.store_half(&mut dst[x..], s.shr::<2>(s.add16(sum, round)));
    })
}
