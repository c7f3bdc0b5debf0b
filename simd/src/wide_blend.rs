//! Blend of expanded and original colours (§13.4).
use crate::contract;
use crate::isa::Isa;

/// Writes `(e * w + v * (1024 - w) + 512) >> 10` with v limited to 0…65535. `expanded` is 0…65535,
/// `weight` 0…1024. All levels use the same loop, which the compiler vectorises.
#[inline(always)]
pub fn scalar(dst: &mut [i32], expanded: &[i32], original: &[i32], weight: &[i32]) {
    for (out, ((&e, &v), &w)) in dst.iter_mut().zip(expanded.iter().zip(original).zip(weight)) {
        let sum = e.wrapping_mul(w).wrapping_add(v.clamp(0, 65535).wrapping_mul(1024i32.wrapping_sub(w)));
        *out = sum.wrapping_add(512) >> 10;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[i32], expanded: &[i32], original: &[i32], weight: &[i32]) {
    contract::at_least([expanded, original, weight], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [i32], _: &[i32], _: &[i32], _: &[i32]) -> bool {
    false
}
