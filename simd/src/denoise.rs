//! Denoise filter of one line: good-neighbour mean, recursive temporal filter and their blend (§2.2 to §2.4).
use crate::{APRON, Row};

/// 2048 / count of good neighbours, truncated as the hardware's table is (§2.3).
pub(crate) const G: [u16; 9] = [2048, 1024, 682, 512, 409, 341, 292, 256, 227];

/// 1024 / (temporal_diff_th - temporal_diff_low), rounded (§2.4).
pub(crate) const Q: [u16; 16] = [1024, 512, 341, 256, 205, 171, 146, 128, 114, 102, 93, 85, 79, 73, 68, 64];

/// Thresholds of [`denoise`](crate::Kernels::denoise), named as in §8.1.
#[derive(Clone, Copy, Debug)]
pub struct DenoiseThresholds {
    /// A neighbour that differs by less is good; 0…63.
    pub good_neighbor_th: u8,
    /// From here on the spatial filter alone; 0…63, at most 16 above `temporal_diff_low`.
    pub temporal_diff_th: u8,
    /// Below it the temporal filter alone; 0…63.
    pub temporal_diff_low: u8,
}

/// Writes the filtered line. `cur` are the original lines above, at and below it, `prev` the clean previous line, `history` the
/// new history of each pixel's 4×4 block, where a value below 128 means motion.
pub fn scalar(dst: &mut [u8], cur: [Row; 3], prev: Row, history: &[u8], th: &DenoiseThresholds) {
    let (high, low) = (th.temporal_diff_th as u32, th.temporal_diff_low as u32);
    for (x, (out, &h)) in dst.iter_mut().zip(history).enumerate() {
        let (c, p, h) = (cur[1][APRON + x], prev[APRON + x] as u32, h as u32);
        let (mut sum, mut count, mut least, mut most) = (0, 0, c, c);
        for (line, row) in cur.into_iter().enumerate() {
            for (column, &n) in row[APRON + x - 1..=APRON + x + 1].iter().enumerate() {
                if n.abs_diff(c) < th.good_neighbor_th || (line, column) == (1, 1) {
                    sum += n as u32;
                    count += 1;
                }
                least = least.min(n);
                most = most.max(n);
            }
        }
        let sp = ((sum + (count >> 1)) * G[count as usize - 1] as u32) >> 11;
        let (c, least, most) = (c as u32, least as u32, most as u32);
        let mut t = (h * p + (256 - h) * c + 128) >> 8;
        if t >= most {
            t = (t + most) >> 1;
        }
        if t < least {
            t = (t + least) >> 1;
        }
        let td = c.abs_diff(p);
        *out = if td >= high || h < 128 {
            sp
        } else if td < low {
            t
        } else {
            let n = high - low;
            (((sp * (td - low) + t * (high - td) + n / 2) * Q[n as usize - 1] as u32) >> 10).min(255)
        } as u8;
    }
}
