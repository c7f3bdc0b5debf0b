//! A curve on numbers of 16 bits (§13.4). All levels use the scalar form: a table look-up per
//! number limits its speed.
use crate::contract;
use crate::isa::Isa;

/// The number of values of 16 bits.
pub const WIDE: usize = 65536;

/// Writes the value of `curve` at each number, which is first limited to 0…65535.
#[inline(always)]
pub fn scalar(dst: &mut [i32], src: &[i32], curve: &[u16; WIDE]) {
    for (out, &v) in dst.iter_mut().zip(src) {
        *out = curve[v.clamp(0, 65535) as usize].into();
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[i32], src: &[i32], _: &[u16; WIDE]) {
    contract::at_least([src], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [i32], _: &[i32], _: &[u16; WIDE]) -> bool {
    false
}
