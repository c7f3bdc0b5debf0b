//! How far two compensated pictures differ (§15.6).
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

/// Samples whose differences are computed before they are summed over windows: they fit the
/// first-level cache.
const CHUNK: usize = 512;
/// Samples of a window on either side of its centre.
const RADIUS: usize = 2;
/// Entries of a row of differences: a chunk and its windows.
const LEN: usize = CHUNK + 2 * RADIUS;

/// The third part of a sum, rounded: (sum · 21845 + 2^15) >> 16.
const THIRD: u16 = 21845;

/// `dst[x]` is a third of the sum of `|a - b|` in the columns x - 2 … x + 2, rounded, then shifted
/// left by `shift`.
pub fn scalar(dst: &mut [u16], a: Row, b: Row, shift: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        let columns = APRON + x - 2..=APRON + x + 2;
        let sum: u32 = a[columns.clone()].iter().zip(&b[columns]).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        *out = ((sum * u32::from(THIRD) + 32768) >> 16 << shift) as u16;
    }
}

/// Panics if a row is too short or the shift above 4.
#[inline(always)]
pub(crate) fn check(dst: &[u16], a: Row, b: Row, shift: u8) {
    contract::rows([a, b], dst.len());
    contract::within(shift, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], a: Row, b: Row, shift: u8) -> bool {
    let n = dst.len();
    // A row of differences has whole vectors of bytes.
    if n < I::N {
        return false;
    }
    let mut differences = [0; LEN];
    let count = CHUNK.min(n);
    let (a, b) = (&a[APRON - RADIUS..], &b[APRON - RADIUS..]);
    let factor = s.splat16(THIRD);
    blocks!(n, count, start => {
        let (dst, a, b) = (&mut dst[start..][..count], &a[start..][..count + 2 * RADIUS], &b[start..][..count + 2 * RADIUS]);
        blocks!(count + 2 * RADIUS, I::N, x => {
            let difference = s.abs_diff(s.load(&a[x..]), s.load(&b[x..]));
            s.store_parts(&mut differences[x..], s.widen_low(difference), s.widen_high(difference));
        });
        blocks!(count, I::N / 2, x => {
            let outer = s.add16(s.load16(&differences[x..]), s.load16(&differences[x + 4..]));
            let inner = s.add16(s.load16(&differences[x + 1..]), s.load16(&differences[x + 3..]));
            let sum = s.add16(s.add16(outer, inner), s.load16(&differences[x + 2..]));
            s.store16(&mut dst[x..], s.shl_by(s.mul_rounded(sum, factor), shift));
        });
    })
}
