//! The detail filter of 10 bits, in halfwords.
use super::{Detail, gain, load3x3, quotient, shared};
use crate::ENHANCE_APRON;
use crate::isa::{Isa, blocks};

#[inline(always)]
pub(super) fn vector<I: Isa>(s: I, dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Detail) -> bool {
    let n = dst.len();
    let rows = rows.map(|row| &row[..n + 2 * ENHANCE_APRON]);
    // gain * weight, doubled for the rounded product below; at most 882.
    let mut gains = [s.splat16(0); 3];
    for (gain, weight) in gains.iter_mut().zip(p.weights) {
        *gain = s.splat16(2 * p.gain_factor as u16 * weight as u16);
    }
    blocks!(n, I::N / 2, x => {
        let at = load3x3(s, rows, x);
        let [[a, b, c], [d, centre, e], [f, g, h]] = at;
        let (above, below) = (weighted(s, a, b, c), weighted(s, f, g, h));
        let (left, right) = (weighted(s, a, d, f), weighted(s, c, e, h));
        let edge = s.add16(s.add16(s.abs_diff16(above, below), s.abs_diff16(left, right)), s.splat16(4));
        let em = s.min15(s.shr::<3>(edge), s.splat16(15));
        let gain = gain(s, em, gains, p);
        let mut around = s.splat16(0);
        let (mut most, mut least) = (centre, centre);
        for (line, row) in at.into_iter().enumerate() {
            for (column, v) in row.into_iter().enumerate() {
                most = s.max15(most, v);
                least = s.min15(least, v);
                if (line, column) != (1, 1) {
                    let v = if p.wide { s.load16(&rows[2 * line][x + 2 * column..]) } else { v };
                    around = s.add16(around, v);
                }
            }
        }
        let sigma = s.sub16(s.shl::<3>(centre), around);
        let sigma = s.max15(s.min15(sigma, s.splat16(127)), s.splat16(-128_i16 as u16));
        // (sigma * gain + 64) >> 7 divides by the divisor's factor of 128 first. The floor of a
        // floor equals the floor of the whole quotient.
        let dividend = s.mul_round(s.shl::<7>(sigma), gain);
        let delta = quotient(s, dividend, s.sub16(s.shr::<2>(most), s.shr::<2>(least)));
        let (delta, least, most) = match p.smooth {
            true => (s.sub16(s.splat16(0), delta), least, most),
            false => (delta, s.splat16(0), s.splat16(1023)),
        };
        let delta = shared(s, delta, shares, x);
        s.store16(&mut dst[x..], s.max15(s.min15(s.add16(centre, delta), most), least));
    })
}

/// `a + 2b + c`.
#[inline(always)]
fn weighted<I: Isa>(s: I, a: I::H, b: I::H, c: I::H) -> I::H {
    s.add16(s.add16(a, c), s.shl::<1>(b))
}
