//! How far two compensated pictures differ (§15.6).
use crate::contract;
use crate::isa::Isa;
use crate::{APRON, Row};

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
pub(crate) fn vector<I: Isa>(_: I, _: &mut [u16], _: Row, _: Row, _: u8) -> bool {
    false
}
