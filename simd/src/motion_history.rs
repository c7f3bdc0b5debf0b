//! Motion history of the denoise filter, one value per 4×4 block (§2.1, §9.3).
use crate::contract;
use crate::isa::Isa;
use crate::{APRON, Row, Sample};

mod bytes;
mod words;

/// Thresholds of [`motion_history`](crate::SampleKernels::motion_history), named as in §8.1. Those
/// of differences are in units of the samples: a value of 8 bits is shifted left by
/// e = depth - 8, which is 0 for bytes and 1…8 for words.
#[derive(Clone, Copy, Debug)]
pub struct MotionHistoryThresholds {
    /// A block moves if its sum of absolute differences reaches this; 0…255 << e.
    pub stad_th: u16,
    /// A history below this grows; 128…240.
    pub history_max: u8,
    /// Increment of the history; 0…15.
    pub history_delta: u8,
    /// In a flat block a sum of signed differences above this restarts the history; 0…63 << e.
    pub asd_th: u16,
    /// A pixel moves if its difference reaches this; 0…63 << e.
    pub temporal_diff_th: u16,
    /// A block with more moving pixels than this moves; 0…16.
    pub moving_pixel_th: u8,
    /// A block with a complexity below this is flat; 0…255 << e.
    pub scm_th: u16,
}

/// Writes the new history of each block of four lines. `old` is the stored history, `cur` are the
/// original current lines and `prev` the clean previous lines, with `4 * dst.len()` samples each. A
/// block has motion exactly if its new history is below 128.
pub fn scalar<S: Sample>(dst: &mut [u8], old: &[u8], cur: [Row<S>; 4], prev: [Row<S>; 4], th: &MotionHistoryThresholds) {
    for (block, (out, &h)) in dst.iter_mut().zip(old).enumerate() {
        let at = |row: Row<S>, x: usize| row[APRON + 4 * block + x].signed();
        let (mut stad, mut asd, mut moving, mut scm) = (0, 0i32, 0, 0);
        for y in 0..4 {
            for x in 0..4 {
                let d = at(cur[y], x) - at(prev[y], x);
                stad += d.unsigned_abs();
                asd += d;
                moving += (d.unsigned_abs() >= th.temporal_diff_th.into()) as u32;
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
fn next(h: u8, stad: u32, tasd: u32, moving: u32, scm: u32, th: &MotionHistoryThresholds) -> u8 {
    if stad >= th.stad_th.into() || moving > th.moving_pixel_th.into() {
        if h >= 128 { h / 2 } else { 0 }
    } else if tasd > th.asd_th.into() && scm < th.scm_th.into() || h < 128 {
        128
    } else if h < th.history_max {
        h + th.history_delta
    } else {
        h
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S>(dst: &[u8], old: &[u8], cur: [Row<S>; 4], prev: [Row<S>; 4], th: &MotionHistoryThresholds) {
    contract::at_least([old], dst.len());
    contract::rows(cur, 4 * dst.len());
    contract::rows(prev, 4 * dst.len());
    if size_of::<S>() == 1 {
        contract::within(th.stad_th.max(th.asd_th).max(th.temporal_diff_th).max(th.scm_th), 0..=255);
    }
    // The history has 8 bits.
    contract::within(i32::from(th.history_max) + i32::from(th.history_delta), 0..=255);
}

/// The vector form for a type of samples.
pub(crate) trait MotionHistory: Sample {
    fn vector<I: Isa>(
        s: I,
        dst: &mut [u8],
        old: &[u8],
        cur: [Row<Self>; 4],
        prev: [Row<Self>; 4],
        th: &MotionHistoryThresholds,
    ) -> bool;
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: MotionHistory>(
    s: I,
    dst: &mut [u8],
    old: &[u8],
    cur: [Row<S>; 4],
    prev: [Row<S>; 4],
    th: &MotionHistoryThresholds,
) -> bool {
    S::vector(s, dst, old, cur, prev, th)
}

/// The new history h' of a vector of blocks. `steady` marks blocks without motion, `flat` flat
/// blocks whose signed differences exceed their limit.
#[inline(always)]
fn next_of_blocks<I: Isa>(s: I, h: I::H, steady: I::H, flat: I::H, th: &MotionHistoryThresholds) -> I::H {
    let limit = |v: u8| s.splat16(v.into());
    let half = s.splat16(128);
    let recent = s.gt15(half, h);
    let grown = s.add16(h, s.and16(limit(th.history_delta), s.gt15(limit(th.history_max), h)));
    let still = s.select16(s.or16(recent, flat), half, grown);
    let halved = s.select16(recent, s.splat16(0), s.shr::<1>(h));
    s.select16(steady, still, halved)
}
