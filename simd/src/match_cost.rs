//! How far two compensated pictures differ (§15.8).
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

/// The third part of a sum, rounded: (sum · 10923 + 2^14) >> 15 is that up to 5 · 255.
const THIRD: u16 = 10923;

/// `dst[x]` is a third of the sum of `|a - b|` in the columns x - 2 … x + 2, rounded, then shifted
/// left by `shift`.
pub fn scalar(dst: &mut [u16], a: Row, b: Row, shift: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        let columns = APRON + x - 2..=APRON + x + 2;
        let sum: u32 = a[columns.clone()].iter().zip(&b[columns]).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        *out = ((sum * 21845 + 32768) >> 16 << shift) as u16;
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
    let (a, b) = (&a[APRON - 2..][..n + 4], &b[APRON - 2..][..n + 4]);
    let factor = s.splat16(THIRD);
    blocks!(n, I::N, x => {
        // A window is two pairs of neighbours and the sample before or behind them.
        let before = s.abs_diff(s.load(&a[x..]), s.load(&b[x..]));
        let here = s.abs_diff(s.load(&a[x + 2..]), s.load(&b[x + 2..]));
        let behind = s.abs_diff(s.load(&a[x + 4..]), s.load(&b[x + 4..]));
        let pair = s.pair_sum(here);
        let even = s.add16(s.add16(s.pair_sum(before), pair), s.even(behind));
        let odd = s.add16(s.add16(s.odd(before), pair), s.pair_sum(behind));
        let even = s.shl_by(s.mul_round(even, factor), shift);
        let odd = s.shl_by(s.mul_round(odd, factor), shift);
        s.store_alternating(&mut dst[x..], even, odd);
    })
}
