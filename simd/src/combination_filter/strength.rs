//! The analysis of the 5×5 square by 8-bit values: the strengths of smoothing and sharpening.
use super::{Combination, Square};
use crate::isa::Isa;

/// Both piecewise linear functions, smoothing and sharpening, of the range `diff`.
#[inline(always)]
pub(super) fn strengths<I: Isa>(s: I, diff5: I::H, diff3: I::H, p: &Combination) -> [I::H; 2] {
    let noise = s.splat16(p.noise as u16);
    let (m5, m3) = (s.sub_saturating16(diff5, noise), s.sub_saturating16(diff3, noise));
    let m3 = s.add16(m3, s.shr::<1>(m3));
    let (one, byte) = (s.splat16(1), s.splat16(255));
    let most = s.max15(s.min15(s.max15(m5, m3), byte), one);
    let least = s.max15(s.min15(m5, m3), one);
    let diff = s.select16(s.gt15(most, s.splat16(p.points[3] as u16)), s.min15(least, byte), most);
    let mut point = s.splat16(0);
    let (mut bias3, mut slope3) = (s.splat16(p.bias3[0] as u16), s.splat16(p.slope3[0] as u16));
    let (mut bias5, mut slope5) = (s.splat16(p.bias5[0] as u16), s.splat16(p.slope5[0] as u16));
    for i in 1..7 {
        let start = s.splat16(p.points[i] as u16);
        let before = s.gt15(start, diff);
        point = s.select16(before, point, start);
        bias3 = s.select16(before, bias3, s.splat16(p.bias3[i] as u16));
        slope3 = s.select16(before, slope3, s.splat16(p.slope3[i] as u16));
        bias5 = s.select16(before, bias5, s.splat16(p.bias5[i] as u16));
        slope5 = s.select16(before, slope5, s.splat16(p.slope5[i] as u16));
    }
    let above = s.sub16(diff, point);
    // 255 * -128 still fits.
    let line3 = s.add16(s.sra::<4>(s.mul_low(above, slope3)), bias3);
    let line5 = s.add16(s.sra::<4>(s.mul_low(above, slope5)), bias5);
    let zero = s.splat16(0);
    [s.max15(s.min15(line3, byte), zero), s.max15(s.min15(line5, byte), zero)]
}

/// Whether texture or steepness can reduce the sharpening.
pub(super) fn has_cut(p: &Combination) -> bool {
    [p.mr[1], p.steepness[1]] != [0, 0]
}

/// The amount by which texture and steepness reduce the sharpening, 0…15. `y` are the 8-bit values
/// of the square.
#[inline(always)]
pub(super) fn cut<I: Isa>(s: I, y: &Square<I::H>, diff5: I::H, diff3: I::H, p: &Combination) -> I::H {
    // |u + v| + |u - v| is twice the greater of |u| and |v|, with u = a - d and v = c - b. Halves
    // are summed.
    let (mut sum, mut most) = (s.splat16(0), s.splat16(0));
    for j in 0..4 {
        for i in 0..4 {
            let falling = s.abs_diff16(y[j][i], y[j + 1][i + 1]);
            let rising = s.abs_diff16(y[j + 1][i], y[j][i + 1]);
            let norm = s.max15(falling, rising);
            sum = s.add16(sum, norm);
            most = s.max15(most, norm);
        }
    }
    let tot = s.sub_saturating16(s.shl::<1>(sum), s.shr::<1>(s.mul_low(diff5, s.splat16(23))));
    let texture = s.div(s.mul_low(s.shr::<3>(tot), s.splat16(5)), s.add16(diff5, s.splat16(1)));
    let fifteen = s.splat16(15);
    let mr = s.min15(texture, fifteen);
    let dm = s.add16(s.shr::<3>(s.mul_low(diff5, s.splat16(3))), s.splat16(1));
    let mn = s.shr::<2>(s.sub_saturating16(s.shl::<2>(most), dm));
    let flat = s.sub_saturating16(s.splat16(8), s.shr::<1>(diff3));
    let st = s.sub_saturating16(s.min15(s.div(mn, dm), fifteen), flat);
    let mr = s.mul_low(s.sub_saturating16(mr, s.splat16(p.mr[0] as u16)), s.splat16(p.mr[1] as u16));
    let st = s.mul_low(s.sub_saturating16(st, s.splat16(p.steepness[0] as u16)), s.splat16(p.steepness[1] as u16));
    s.min15(s.add16(mr, st), fifteen)
}
