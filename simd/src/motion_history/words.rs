//! The motion history of words (§9.3).
//!
//! Sums saturate. That changes no result: a saturated sum of absolute differences reaches every
//! limit, and otherwise neither the positive nor the negative differences saturate; a saturated
//! complexity is below no limit.
use super::{MotionHistory, MotionHistoryThresholds, next_of_blocks};
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

impl MotionHistory for u16 {
    #[inline(always)]
    fn vector<I: Isa>(
        s: I,
        dst: &mut [u8],
        old: &[u8],
        cur: [Row<u16>; 4],
        prev: [Row<u16>; 4],
        th: &MotionHistoryThresholds,
    ) -> bool {
        let n = dst.len();
        let cur = cur.map(|row| &row[APRON..APRON + 4 * n + 1]);
        let prev = prev.map(|row| &row[APRON..APRON + 4 * n]);
        let old = &old[..n];
        let th_diff = s.splat16(th.temporal_diff_th);
        let inner = s.load16([[u16::MAX, u16::MAX, u16::MAX, 0]; 8].as_flattened());
        blocks!(n, I::N / 8, block => {
            let (zero, one) = (s.splat16(0), s.splat16(1));
            let (mut up, mut down, mut moving, mut scm, mut above) = (zero, zero, zero, zero, zero);
            for y in 0..4 {
                let (c, p) = (s.load16(&cur[y][4 * block..]), s.load16(&prev[y][4 * block..]));
                let (rise, fall) = (s.sub_saturating16(c, p), s.sub_saturating16(p, c));
                (up, down) = (s.add_saturating16(up, rise), s.add_saturating16(down, fall));
                moving = s.add16(moving, s.and16(s.ge16(s.or16(rise, fall), th_diff), one));
                let across = s.and16(s.distance16(c, s.load16(&cur[y][4 * block + 1..])), inner);
                scm = s.add_saturating16(scm, across);
                if y > 0 {
                    scm = s.add_saturating16(scm, s.distance16(c, above));
                }
                above = c;
            }
            // All four halfwords of a block get its sum.
            let (up, down) = (of_block(s, up), of_block(s, down));
            let (moving, scm) = (of_block(s, moving), of_block(s, scm));
            let few = at_most(s, moving, th.moving_pixel_th.into());
            let steady = s.and16(below(s, s.add_saturating16(up, down), th.stad_th), few);
            let still = at_most(s, s.distance16(up, down), th.asd_th);
            let flat = s.and16(s.eq16(still, zero), below(s, scm, th.scm_th));
            let mut values = [0; 32];
            for (values, &h) in values.chunks_exact_mut(4).zip(&old[block..]).take(I::N / 8) {
                values.fill(h.into());
            }
            let next = next_of_blocks(s, s.load16(&values), steady, flat, th);
            s.store16(&mut values, next);
            for (out, values) in dst[block..].iter_mut().zip(values.chunks_exact(4)).take(I::N / 8) {
                *out = values[0] as u8;
            }
        })
    }
}

/// The saturated sum of the four halfwords of each block.
#[inline(always)]
fn of_block<I: Isa>(s: I, v: I::H) -> I::H {
    let pairs = s.add_saturating16(v, s.swap16(v));
    s.add_saturating16(pairs, s.swap32(pairs))
}

/// Mask of the values below a limit.
#[inline(always)]
fn below<I: Isa>(s: I, v: I::H, limit: u16) -> I::H {
    s.eq16(s.ge16(v, s.splat16(limit)), s.splat16(0))
}

/// Mask of the values up to a limit.
#[inline(always)]
fn at_most<I: Isa>(s: I, v: I::H, limit: u16) -> I::H {
    s.ge16(s.splat16(limit), v)
}
