//! Motion history of the denoise filter, one value per 4×4 block (§2.1).
use crate::{APRON, Row};

/// Thresholds of [`history`](crate::Kernels::history), named as in §8.1.
#[derive(Clone, Copy, Debug)]
pub struct HistoryThresholds {
    /// A block whose sum of absolute differences reaches it moves; 0…255.
    pub stad_th: u8,
    /// A history below it grows; 128…240.
    pub history_max: u8,
    /// What it grows by; 0…15.
    pub history_delta: u8,
    /// A sum of signed differences above it, in a flat block, restarts the history; 0…63.
    pub asd_th: u8,
    /// A pixel whose difference reaches it moves; 0…63.
    pub temporal_diff_th: u8,
    /// A block with more moving pixels moves; 0…16.
    pub moving_pixel_th: u8,
    /// A block whose complexity is below it is flat; 0…255.
    pub scm_th: u8,
}

/// Writes the new history of each block of four lines. `old` is the stored one, `cur` the original current and `prev` the
/// clean previous lines, `4 * dst.len()` samples each. A block has motion exactly when its new history is below 128.
pub fn scalar(dst: &mut [u8], old: &[u8], cur: [Row; 4], prev: [Row; 4], th: &HistoryThresholds) {
    for (block, (out, &h)) in dst.iter_mut().zip(old).enumerate() {
        let at = |row: Row, x: usize| row[APRON + 4 * block + x] as i32;
        let (mut stad, mut asd, mut moving, mut scm) = (0, 0, 0, 0);
        for y in 0..4 {
            for x in 0..4 {
                let d = at(cur[y], x) - at(prev[y], x);
                stad += d.abs();
                asd += d;
                moving += (d.abs() >= th.temporal_diff_th as i32) as u8;
                if x < 3 {
                    scm += (at(cur[y], x) - at(cur[y], x + 1)).abs();
                }
                if y < 3 {
                    scm += (at(cur[y], x) - at(cur[y + 1], x)).abs();
                }
            }
        }
        let tasd = asd.abs();
        *out = if stad >= th.stad_th as i32 || moving > th.moving_pixel_th {
            if h >= 128 { h / 2 } else { 0 }
        } else if tasd > th.asd_th as i32 && scm < th.scm_th as i32 || h < 128 {
            128
        } else if h < th.history_max {
            h + th.history_delta
        } else {
            h
        };
    }
}
