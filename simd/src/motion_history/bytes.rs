//! The motion history of bytes (§2.1).
use super::{MotionHistory, MotionHistoryThresholds, next_of_blocks};
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

impl MotionHistory for u8 {
    #[inline(always)]
    fn vector<I: Isa>(s: I, dst: &mut [u8], old: &[u8], cur: [Row; 4], prev: [Row; 4], th: &MotionHistoryThresholds) -> bool {
        let n = dst.len();
        let cur = cur.map(|row| &row[APRON..APRON + 4 * n + 1]);
        let prev = prev.map(|row| &row[APRON..APRON + 4 * n]);
        let old = &old[..n];
        let th_diff = s.splat(th.temporal_diff_th as u8);
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
            let steady = s.and16(
                s.gt15(s.splat16(th.stad_th), stad),
                s.eq16(s.gt15(moving, s.splat16(th.moving_pixel_th.into())), zero),
            );
            let flat = s.and16(s.gt15(tasd, s.splat16(th.asd_th)), s.gt15(s.splat16(th.scm_th), scm));
            s.store_quarter(&mut dst[block..], next_of_blocks(s, h, steady, flat, th));
        })
    }
}
