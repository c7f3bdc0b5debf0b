//! Motion history of the denoise filter, one value per 4×4 block (§2.1).
use crate::isa::{Isa, blocks};
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
        let at = |row: Row, x: usize| row[APRON + 4 * block + x] as i16;
        let (mut stad, mut asd, mut moving, mut scm) = (0, 0i16, 0, 0);
        for y in 0..4 {
            for x in 0..4 {
                let d = at(cur[y], x) - at(prev[y], x);
                stad += d.unsigned_abs();
                asd += d;
                moving += (d.unsigned_abs() >= th.temporal_diff_th as u16) as u16;
                if x < 3 {
                    scm += (at(cur[y], x) - at(cur[y], x + 1)).unsigned_abs();
                }
                if y < 3 {
                    scm += (at(cur[y], x) - at(cur[y + 1], x)).unsigned_abs();
                }
            }
        }
        *out = next(h, stad, asd.unsigned_abs(), moving, scm, th);
    }
}

/// h' of a block.
#[inline(always)]
fn next(h: u8, stad: u16, tasd: u16, moving: u16, scm: u16, th: &HistoryThresholds) -> u8 {
    if stad >= th.stad_th as u16 || moving > th.moving_pixel_th as u16 {
        if h >= 128 { h / 2 } else { 0 }
    } else if tasd > th.asd_th as u16 && scm < th.scm_th as u16 || h < 128 {
        128
    } else if h < th.history_max {
        h + th.history_delta
    } else {
        h
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], old: &[u8], cur: [Row; 4], prev: [Row; 4], th: &HistoryThresholds) -> bool {
    let n = dst.len();
    let cur = cur.map(|row| &row[APRON..APRON + 4 * n + 1]);
    let prev = prev.map(|row| &row[APRON..APRON + 4 * n]);
    let th_diff = s.splat(th.temporal_diff_th);
    let inner = s.load([[255, 255, 255, 0]; 16].as_flattened());
    // Sums of the pairs of a vector; a block has two.
    let (mut stad, mut asd, mut moving, mut scm) = ([0; 32], [0; 32], [0; 32], [0; 32]);
    blocks!(n, I::N / 4, block => {
        let zero = s.splat16(0);
        let (mut sums, mut above) = ([zero; 4], s.splat(0));
        for y in 0..4 {
            let (c, p) = (s.load(&cur[y][4 * block..]), s.load(&prev[y][4 * block..]));
            let d = s.abs_diff(c, p);
            sums[0] = s.add16(sums[0], s.pair_sum(d));
            sums[1] = s.add16(sums[1], s.sub16(s.pair_sum(c), s.pair_sum(p)));
            sums[2] = s.add16(sums[2], s.pair_sum(s.and(s.ge(d, th_diff), s.splat(1))));
            let across = s.and(s.abs_diff(c, s.load(&cur[y][4 * block + 1..])), inner);
            sums[3] = s.add16(sums[3], s.pair_sum(across));
            if y > 0 {
                sums[3] = s.add16(sums[3], s.pair_sum(s.abs_diff(c, above)));
            }
            above = c;
        }
        for (sums, v) in [&mut stad, &mut asd, &mut moving, &mut scm].into_iter().zip(sums) {
            s.store16(sums, v);
        }
        for i in 0..I::N / 4 {
            let pair = |sums: &[u16; 32]| sums[2 * i].wrapping_add(sums[2 * i + 1]);
            let tasd = (pair(&asd) as i16).unsigned_abs();
            dst[block + i] = next(old[block + i], pair(&stad), tasd, pair(&moving), pair(&scm), th);
        }
    })
}
