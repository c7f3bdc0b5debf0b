//! Spatial chroma interpolation along the three chroma angles (§3.6).
use crate::{APRON, Row, VERTICAL};

/// Writes c3 of each chroma sample; `angle` is the luma angle of its pair.
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
