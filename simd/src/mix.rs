//! Blend of a moving and a still value by the motion measure (§3.6, §3.7).
use crate::isa::{Isa, blocks};

/// Ends of the blend, named as in §8.1: `stmm_max - stmm_min = 1 << stmm_shift`, 0…7.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// Below it `still` alone.
    pub stmm_min: u8,
    /// Above it `moving` alone.
    pub stmm_max: u8,
    /// log2 of the distance between the two.
    pub stmm_shift: u8,
}

/// Writes the blend of `moving` and `still`; `stmm` is the motion measure of each sample.
pub fn scalar(dst: &mut [u8], moving: &[u8], still: &[u8], stmm: &[u8], p: &Mix) {
    for (x, out) in dst.iter_mut().enumerate() {
        let (moving, still, s) = (moving[x], still[x], stmm[x]);
        *out = if s < p.stmm_min {
            still
        } else if s > p.stmm_max {
            moving
        } else {
            let (up, down) = ((s - p.stmm_min) as u16, (p.stmm_max - s) as u16);
            ((moving as u16 * up + still as u16 * down) >> p.stmm_shift) as u8
        };
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], moving: &[u8], still: &[u8], stmm: &[u8], p: &Mix) -> bool {
    let n = dst.len();
    let (moving, still, stmm) = (&moving[..n], &still[..n], &stmm[..n]);
    let (least, most) = (s.splat(p.stmm_min), s.splat(p.stmm_max));
    blocks!(n, I::N, x => {
        let (moving, still) = (s.load(&moving[x..]), s.load(&still[x..]));
        // At the ends of the range the blend is one of the two itself, so beyond them the range's end serves.
        let stmm = s.max(s.min(s.load(&stmm[x..]), most), least);
        let (up, down) = (s.sub_saturating(stmm, least), s.sub_saturating(most, stmm));
        let even = s.add16(s.mul_low(s.even(moving), s.even(up)), s.mul_low(s.even(still), s.even(down)));
        let odd = s.add16(s.mul_low(s.odd(moving), s.odd(up)), s.mul_low(s.odd(still), s.odd(down)));
        let blended = match p.stmm_shift {
            0 => s.merge(even, odd),
            shift => s.merge(s.shr_by(even, shift), s.shr_by(odd, shift)),
        };
        s.store(&mut dst[x..], blended);
    })
}
