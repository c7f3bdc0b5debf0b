//! Spatial interpolation along the angle (§3.4).
use crate::{APRON, OFFSETS, Row};

/// `dst[x] = avg(upper(x+o), lower(x-o))`, o = the offset of `angle[x / 2]`.
pub fn scalar(dst: &mut [u8], upper: Row, lower: Row, angle: &[u8]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let o = OFFSETS[angle[x / 2] as usize] as isize;
        let x = APRON + x;
        *out = ((upper[x.wrapping_add_signed(o)] as u16 + lower[x.wrapping_add_signed(-o)] as u16) >> 1) as u8;
    }
}
