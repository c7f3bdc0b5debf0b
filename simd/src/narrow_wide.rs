//! Components of numbers of 16 bits (§13.1).
use crate::color_depth::check_bits;
use crate::contract;
use crate::isa::Isa;

/// Writes `(src[x] + half) >> (16 - bits)`, limited to 0…2^bits - 1, with half = 2^(15 - bits), or
/// 0 for 16 bits. Components have `bits` bits, 12 to 16. All levels use the same loop, which the
/// compiler vectorises.
#[inline(always)]
pub fn scalar(dst: &mut [u16], src: &[i32], bits: u8) {
    let (shift, most) = (16 - bits, i32::from(u16::MAX >> (16 - bits)));
    let half = (1 << shift) >> 1;
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = ((v.clamp(0, 65535) + half) >> shift).min(most) as u16;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], src: &[i32], bits: u8) {
    contract::at_least([src], dst.len());
    check_bits(bits);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [u16], _: &[i32], _: u8) -> bool {
    false
}
