//! Temporal difference of the cross-filtered fields (§3.2).
use crate::{APRON, Row};

/// `dst[x] = |C'(x) - P'(x)|`, the cross filter over the lines y-2, y, y+2 of the current (`c`) and the previous (`p`) frame.
pub fn scalar(dst: &mut [u8], c: [Row; 3], p: [Row; 3]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let cross = |[above, at, below]: [Row; 3]| {
            let x = APRON + x;
            let sum = 2 * at[x] as u16 + at[x - 1] as u16 + at[x + 1] as u16 + 2 * above[x] as u16 + 2 * below[x] as u16;
            (sum >> 3) as u8
        };
        *out = cross(c).abs_diff(cross(p));
    }
}
