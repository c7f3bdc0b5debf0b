//! Vertical low-pass of a picture for the block search (§15.3).
use crate::contract;
use crate::isa::{Isa, blocks, load_each};

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
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], lines: [&[u8]; 5]) -> bool {
    let n = dst.len();
    let round = s.splat16(8);
    let [a, b, c, d, e] = lines.map(|line| &line[..n]);
    blocks!(n, I::N, x => {
        let [a, b, c, d, e] = load_each(s, [a, b, c, d, e], x);
        let outer = s.add16(s.madd_bytes(s.interleave_low(a, b), [1, 4]), s.add16(s.widen_low(e), round));
        let low = s.add16(outer, s.madd_bytes(s.interleave_low(c, d), [6, 4]));
        let outer = s.add16(s.madd_bytes(s.interleave_high(a, b), [1, 4]), s.add16(s.widen_high(e), round));
        let high = s.add16(outer, s.madd_bytes(s.interleave_high(c, d), [6, 4]));
        s.store(&mut dst[x..], s.pack16(s.shr::<4>(low), s.shr::<4>(high)));
    })
}
