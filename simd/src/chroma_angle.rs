//! Spatial chroma interpolation along the three chroma angles (§3.6).
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::{APRON, Row, VERTICAL};

/// Writes c3 of each chroma sample; `angle` is the angle of its luma pair.
pub fn scalar(dst: &mut [u8], upper: Row, lower: Row, angle: &[u8]) {
    let avg = |a: u8, b: u8| ((a as u16 + b as u16) >> 1) as u8;
    for (x, (out, &angle)) in dst.iter_mut().zip(angle).enumerate() {
        let x = APRON + x;
        let c90 = avg(upper[x], lower[x]);
        let positive = avg(upper[x + 1], lower[x - 1]);
        let negative = avg(upper[x - 1], lower[x + 1]);
        let c27 = if angle > VERTICAL { positive } else { negative };
        *out = match angle.abs_diff(VERTICAL) {
            0 => c90,
            1 => avg(c90, c27),
            _ => c27,
        };
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], upper: Row, lower: Row, angle: &[u8]) {
    contract::rows([upper, lower], dst.len());
    contract::at_least([angle], dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], upper: Row, lower: Row, angle: &[u8]) -> bool {
    let n = dst.len();
    let (upper, lower) = (&upper[APRON - 1..APRON + n + 1], &lower[APRON - 1..APRON + n + 1]);
    let angle = &angle[..n];
    let vertical = s.splat(VERTICAL);
    blocks!(n, I::N, x => {
        let angle = s.load(&angle[x..]);
        let c90 = s.avg(s.load(&upper[x + 1..]), s.load(&lower[x + 1..]));
        let distance = s.abs_diff(angle, vertical);
        let mut value = c90;
        if s.any(distance) {
            let positive = s.avg(s.load(&upper[x + 2..]), s.load(&lower[x..]));
            let negative = s.avg(s.load(&upper[x..]), s.load(&lower[x + 2..]));
            let c27 = s.select(s.ge(angle, vertical), positive, negative);
            let slanted = s.select(s.eq(distance, s.splat(1)), s.avg(c90, c27), c27);
            value = s.select(s.eq(distance, s.splat(0)), c90, slanted);
        }
        s.store(&mut dst[x..], value);
    })
}
