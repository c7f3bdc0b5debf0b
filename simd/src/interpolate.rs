//! Spatial interpolation along the angle (§3.4).
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::{APRON, OFFSETS, Row, VERTICAL, offset};

/// `dst[x] = avg(upper(x+o), lower(x-o))`, o = the offset of `angle[x / 2]`.
pub fn scalar(dst: &mut [u8], upper: Row, lower: Row, angle: &[u8]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let o = offset(angle[x / 2]);
        let x = APRON + x;
        *out = ((upper[x.wrapping_add_signed(o)] as u16 + lower[x.wrapping_add_signed(-o)] as u16) >> 1) as u8;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], upper: Row, lower: Row, angle: &[u8]) {
    contract::rows([upper, lower], dst.len());
    contract::at_least([angle], dst.len().div_ceil(2));
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], upper: Row, lower: Row, angle: &[u8]) -> bool {
    let n = dst.len();
    let (upper, lower) = (&upper[..n + 2 * APRON], &lower[..n + 2 * APRON]);
    // Whole pairs. If the width is odd, the scalar form computes the last pixel.
    let done = blocks!(n / 2, I::N / 2, pair => {
        let x = APRON + 2 * pair;
        let angle = s.load_half(&angle[pair..]);
        let angle = s.merge(angle, angle);
        let mut value = s.avg(s.load(&upper[x..]), s.load(&lower[x..]));
        if s.any(s.xor(angle, s.splat(VERTICAL))) {
            for (k, o) in OFFSETS.into_iter().enumerate().filter(|(_, o)| *o != 0) {
                let (upper, lower) = (&upper[x.wrapping_add_signed(o as isize)..], &lower[x.wrapping_add_signed(-o as isize)..]);
                value = s.select(s.eq(angle, s.splat(k as u8)), s.avg(s.load(upper), s.load(lower)), value);
            }
        }
        s.store(&mut dst[2 * pair..], value);
    });
    if done && n % 2 == 1 {
        scalar(&mut dst[n - 1..], &upper[n - 1..], &lower[n - 1..], &angle[n / 2..]);
    }
    done
}
