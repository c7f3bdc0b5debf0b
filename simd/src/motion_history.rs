//! Motion history of the denoise filter, one value per 4×4 block (§2.1).
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

/// Thresholds of [`motion_history`](crate::Kernels::motion_history), named as in §8.1.
#[derive(Clone, Copy, Debug)]
pub struct MotionHistoryThresholds {
    /// A block moves if its sum of absolute differences reaches this; 0…255.
    pub stad_th: u8,
    /// A history below this grows; 128…240.
    pub history_max: u8,
    /// Increment of the history; 0…15.
    pub history_delta: u8,
    /// In a flat block a sum of signed differences above this restarts the history; 0…63.
    pub asd_th: u8,
    /// A pixel moves if its difference reaches this; 0…63.
    pub temporal_diff_th: u8,
    /// A block with more moving pixels than this moves; 0…16.
    pub moving_pixel_th: u8,
    /// A block with a complexity below this is flat; 0…255.
    pub scm_th: u8,
}

/// Writes the new history of each block of four lines. `old` is the stored history, `cur` are the
/// original current lines and `prev` the clean previous lines, with `4 * dst.len()` samples each. A
/// block has motion exactly if its new history is below 128.
pub fn scalar(dst: &mut [u8], old: &[u8], cur: [Row; 4], prev: [Row; 4], th: &MotionHistoryThresholds) {
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

/// The new history h' of a block.
fn next(h: u8, stad: u16, tasd: u16, moving: u16, scm: u16, th: &MotionHistoryThresholds) -> u8 {
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

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u8], old: &[u8], cur: [Row; 4], prev: [Row; 4], th: &MotionHistoryThresholds) {
    contract::at_least([old], dst.len());
    contract::rows(cur, 4 * dst.len());
    contract::rows(prev, 4 * dst.len());
    // The history has 8 bits.
    contract::within(i32::from(th.history_max) + i32::from(th.history_delta), 0..=255);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    dst: &mut [u8],
    old: &[u8],
    cur: [Row; 4],
    prev: [Row; 4],
    th: &MotionHistoryThresholds,
) -> bool {
    let n = dst.len();
    let cur = cur.map(|row| &row[APRON..APRON + 4 * n + 1]);
    let prev = prev.map(|row| &row[APRON..APRON + 4 * n]);
    let old = &old[..n];
    let th_diff = s.splat(th.temporal_diff_th);
    let inner = s.load([[255, 255, 255, 0]; 16].as_flattened());
    blocks!(n, I::N / 4, block => {
        let zero = s.splat16(0);
        let (mut stad, mut asd, mut moving, mut scm, mut above) = (zero, zero, zero, zero, s.splat(0));
        for y in 0..4 {
            let (c, p) = (s.load(&cur[y][4 * block..]), s.load(&prev[y][4 * block..]));
            let d = s.abs_diff(c, p);
            stad = s.add16(stad, s.pair_sum(d));
            asd = s.add16(asd, s.sub16(s.pair_sum(c), s.pair_sum(p)));
            moving = s.add16(moving, s.pair_sum(s.and(s.ge(d, th_diff), s.splat(1))));
            let across = s.and(s.abs_diff(c, s.load(&cur[y][4 * block + 1..])), inner);
            scm = s.add16(scm, s.pair_sum(across));
            if y > 0 {
                scm = s.add16(scm, s.pair_sum(s.abs_diff(c, above)));
            }
            above = c;
        }
        // The sum of a block is that of its two pairs. Both halfwords of the block get it.
        let [stad, asd, moving, scm] =
            [s.add16(stad, s.swap16(stad)), s.add16(asd, s.swap16(asd)), s.add16(moving, s.swap16(moving)), s.add16(scm, s.swap16(scm))];
        let tasd = s.max15(asd, s.sub16(zero, asd));
        let h = s.load_quarter(&old[block..]);
        s.store_quarter(&mut dst[block..], next_of_blocks(s, h, stad, tasd, moving, scm, th));
    })
}

/// The new history h' of a vector of blocks.
#[inline(always)]
fn next_of_blocks<I: Isa>(s: I, h: I::H, stad: I::H, tasd: I::H, moving: I::H, scm: I::H, th: &MotionHistoryThresholds) -> I::H {
    let limit = |v: u8| s.splat16(v as u16);
    let half = s.splat16(128);
    let recent = s.gt15(half, h);
    let grown = s.add16(h, s.and16(limit(th.history_delta), s.gt15(limit(th.history_max), h)));
    let flat = s.and16(s.gt15(tasd, limit(th.asd_th)), s.gt15(limit(th.scm_th), scm));
    let still = s.select16(s.or16(recent, flat), half, grown);
    let halved = s.select16(recent, s.splat16(0), s.shr::<1>(h));
    let steady = s.and16(s.gt15(limit(th.stad_th), stad), s.eq16(s.gt15(moving, limit(th.moving_pixel_th)), s.splat16(0)));
    s.select16(steady, still, halved)
}
