//! Weighted mean of a sample and those of two references (§16.6).
use crate::contract;
use crate::isa::Isa;

/// Writes the mean of `own` and `others`. The weights of the references are in 1/32768, one for four
/// samples; the rest of 32768 is the weight of `own`. The weights of both sum to at most 32767.
pub fn scalar(dst: &mut [u16], own: &[u16], others: [&[u16]; 2], weights: [&[u16]; 2], _depth: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        let own = i32::from(own[x]);
        let [first, second] = [0, 1].map(|k| i32::from(weights[k][x / 4]).wrapping_mul(i32::from(others[k][x]) - own));
        *out = (own + (first.wrapping_add(second).wrapping_add(1 << 14) >> 15)) as u16;
    }
}

/// Panics if a slice is too short or the samples do not have 12 to 16 bits.
#[inline(always)]
pub(crate) fn check(dst: &[u16], own: &[u16], others: [&[u16]; 2], weights: [&[u16]; 2], depth: u8) {
    contract::at_least([own], dst.len());
    contract::at_least(others, dst.len());
    contract::at_least(weights, dst.len().div_ceil(4));
    contract::within(depth, 12..=16);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    _s: I,
    _dst: &mut [u16],
    _own: &[u16],
    _others: [&[u16]; 2],
    _weights: [&[u16]; 2],
    _depth: u8,
) -> bool {
    false
}
