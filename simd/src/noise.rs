//! Block noise estimate: the metric of one pixel (§2.5).
use crate::{APRON, Row};

/// Lowers `dst[x]` to the pixel's metric - the sum of the absolute differences of its 3×3 neighbourhood to their median, at most
/// 255 - where the pixel qualifies: edge strength below `edge_th` and range of the differences below `noise_th`. `rows` are the
/// lines above, at and below it.
pub fn scalar(dst: &mut [u8], rows: [Row; 3], edge_th: u8, noise_th: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        let [a, b, c] = rows.map(|row| [-1, 0, 1].map(|dx: isize| row[(APRON + x).wrapping_add_signed(dx)] as i32));
        let hrz = (a[0] + 2 * a[1] + a[2] - c[0] - 2 * c[1] - c[2]).abs();
        let vrt = (a[0] + 2 * b[0] + c[0] - a[2] - 2 * b[2] - c[2]).abs();
        let ed = (hrz + vrt) >> 3;
        let mut sorted = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
        sorted.sort_unstable();
        let m = sorted[4];
        let (mut metric, mut least, mut most) = (0, i32::MAX, 0);
        for n in sorted {
            let d = (n - m).abs();
            metric += d;
            least = least.min(d);
            most = most.max(d);
        }
        if ed < edge_th as i32 && most - least < noise_th as i32 {
            *out = (*out).min(metric.min(255) as u8);
        }
    }
}
