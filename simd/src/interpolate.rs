//! Spatial interpolation along the angle (§3.4).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::{Sample, average};
use crate::{APRON, OFFSETS, Row, VERTICAL, offset};

/// `dst[x] = avg(upper(x+o), lower(x-o))`, o = the offset of `angle[x / 2]`.
pub fn scalar<S: Sample>(dst: &mut [S], upper: Row<S>, lower: Row<S>, angle: &[u8]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let o = offset(angle[x / 2]);
        let x = APRON + x;
        *out = average(upper[x.wrapping_add_signed(o)], lower[x.wrapping_add_signed(-o)]);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], upper: Row<S>, lower: Row<S>, angle: &[u8]) {
    contract::rows([upper, lower], dst.len());
    contract::at_least([angle], dst.len().div_ceil(2));
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], upper: Row<S>, lower: Row<S>, angle: &[u8]) -> bool {
    let n = dst.len();
    let (upper, lower) = (&upper[..n + 2 * APRON], &lower[..n + 2 * APRON]);
    // Whole pairs. If the width is odd, the scalar form computes the last pixel.
    let done = blocks!(n / 2, S::count::<I>() / 2, pair => {
        let x = APRON + 2 * pair;
        let angle = S::load_pairs(s, &angle[pair..]);
        let mut value = S::avg(s, S::load(s, &upper[x..]), S::load(s, &lower[x..]));
        if S::any(s, S::xor(s, angle, S::splat(s, VERTICAL.into()))) {
            for (k, o) in OFFSETS.into_iter().enumerate().filter(|(_, o)| *o != 0) {
                let (upper, lower) = (&upper[x.wrapping_add_signed(o as isize)..], &lower[x.wrapping_add_signed(-o as isize)..]);
                let slanted = S::avg(s, S::load(s, upper), S::load(s, lower));
                value = S::select(s, S::equal(s, angle, S::splat(s, k as u16)), slanted, value);
            }
        }
        S::store(s, &mut dst[2 * pair..], value);
    });
    if done && n % 2 == 1 {
        scalar(&mut dst[n - 1..], &upper[n - 1..], &lower[n - 1..], &angle[n / 2..]);
    }
    done
}
