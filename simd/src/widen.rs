//! Components as numbers of 16 bits, the form of the stages on RGB (§13.1).
use crate::color_depth::check_bits;
use crate::contract;
use crate::isa::Isa;

/// Writes `src[x] << (16 - bits)`. Components have `bits` bits, 12 to 16. All levels use the same
/// loop, which the compiler vectorises.
#[inline(always)]
pub fn scalar(dst: &mut [i32], src: &[u16], bits: u8) {
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = i32::from(v) << (16 - bits);
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[i32], src: &[u16], bits: u8) {
    contract::at_least([src], dst.len());
    check_bits(bits);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [i32], _: &[u16], _: u8) -> bool {
    false
}
