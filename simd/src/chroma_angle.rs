//! Spatial chroma interpolation along the three chroma angles (§3.6).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::{Sample, average};
use crate::{APRON, Row, VERTICAL};

/// Writes c3 of each chroma sample; `angle` is the angle of its luma pair.
pub fn scalar<S: Sample>(dst: &mut [S], upper: Row<S>, lower: Row<S>, angle: &[u8]) {
    for (x, (out, &angle)) in dst.iter_mut().zip(angle).enumerate() {
        let x = APRON + x;
        let c90 = average(upper[x], lower[x]);
        let positive = average(upper[x + 1], lower[x - 1]);
        let negative = average(upper[x - 1], lower[x + 1]);
        let c27 = if angle > VERTICAL { positive } else { negative };
        *out = match angle.abs_diff(VERTICAL) {
            0 => c90,
            1 => average(c90, c27),
            _ => c27,
        };
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], upper: Row<S>, lower: Row<S>, angle: &[u8]) {
    contract::rows([upper, lower], dst.len());
    contract::at_least([angle], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], upper: Row<S>, lower: Row<S>, angle: &[u8]) -> bool {
    let n = dst.len();
    let (upper, lower) = (&upper[APRON - 1..APRON + n + 1], &lower[APRON - 1..APRON + n + 1]);
    let angle = &angle[..n];
    let vertical = S::splat(s, VERTICAL.into());
    blocks!(n, S::count::<I>(), x => {
        let angle = S::load_bytes(s, &angle[x..]);
        let c90 = S::avg(s, S::load(s, &upper[x + 1..]), S::load(s, &lower[x + 1..]));
        let distance = S::abs_diff(s, angle, vertical);
        let mut value = c90;
        if S::any(s, distance) {
            let positive = S::avg(s, S::load(s, &upper[x + 2..]), S::load(s, &lower[x..]));
            let negative = S::avg(s, S::load(s, &upper[x..]), S::load(s, &lower[x + 2..]));
            let c27 = S::select(s, S::at_least(s, angle, vertical), positive, negative);
            let one = S::equal(s, distance, S::splat(s, 1));
            let slanted = S::select(s, one, S::avg(s, c90, c27), c27);
            value = S::select(s, S::equal(s, distance, S::splat(s, 0)), c90, slanted);
        }
        S::store(s, &mut dst[x..], value);
    })
}
