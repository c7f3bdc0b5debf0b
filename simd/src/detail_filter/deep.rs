//! The detail filter of 11 to 16 bits. Sums of samples have words; a bias of 32768, which makes
//! signed halfwords of the samples, cancels out in them.
use super::{Detail, gain, load3x3, quotient, shared};
use crate::ENHANCE_APRON;
use crate::isa::{Isa, blocks};

/// Line and column of the neighbours at distance 2, in the square of 5×5.
const FAR: [(usize, usize); 8] = [(0, 0), (0, 2), (0, 4), (2, 0), (2, 4), (4, 0), (4, 2), (4, 4)];

#[inline(always)]
pub(super) fn vector<I: Isa>(s: I, dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Detail) -> bool {
    let n = dst.len();
    let rows = rows.map(|row| &row[..n + 2 * ENHANCE_APRON]);
    // Factors of the rounded product below, together 2^8: sigma has P - 2 bits with its sign.
    let (sigma_shift, gain_shift) = (18 - p.depth, p.depth - 10);
    // gain * weight, at most 441 << 6.
    let mut gains = [s.splat16(0); 3];
    for (gain, weight) in gains.iter_mut().zip(p.weights) {
        *gain = s.splat16((p.gain_factor as u16 * weight as u16) << gain_shift);
    }
    let limit = 1u16 << (p.depth - 3);
    let zero = s.splat16(0);
    blocks!(n, I::N / 2, x => {
        let at = load3x3(s, rows, x);
        let centre = at[1][1];
        let mut biased = at;
        let (mut most, mut least) = (centre, centre);
        for v in biased.as_flattened_mut() {
            most = s.max16(most, *v);
            least = s.min16(least, *v);
            *v = s.xor16(*v, s.splat16(1 << 15));
        }
        let [[a, b, c], [d, middle, e], [f, g, h]] = biased;
        let sobel_h = magnitude(s, [(a, f), (b, g), (c, h)]);
        let sobel_v = magnitude(s, [(a, c), (d, e), (f, h)]);
        // Saturated sums are far above 15.
        let edge = s.add_saturating16(s.add_saturating16(sobel_h, sobel_v), s.splat16(4 << (p.depth - 10)));
        let em = s.min15(s.shr_by(edge, p.depth - 7), s.splat16(15));
        let mut around = [a, b, c, d, e, f, g, h];
        if p.wide {
            for (v, (line, column)) in around.iter_mut().zip(FAR) {
                *v = s.xor16(s.load16(&rows[line][x + column..]), s.splat16(1 << 15));
            }
        }
        let four = s.splat16(4);
        let mut sums = [s.madd16(s.interleave_low16(middle, middle), four), s.madd16(s.interleave_high16(middle, middle), four)];
        for pair in around.chunks_exact(2) {
            let minus = s.splat16(-1_i16 as u16);
            sums[0] = s.add32(sums[0], s.madd16(s.interleave_low16(pair[0], pair[1]), minus));
            sums[1] = s.add32(sums[1], s.madd16(s.interleave_high16(pair[0], pair[1]), minus));
        }
        let sigma = s.max15(s.min15(s.pack32(sums[0], sums[1]), s.splat16(limit - 1)), s.splat16(0u16.wrapping_sub(limit)));
        // (sigma * gain + 64) >> 7, see 10 bits.
        let dividend = s.mul_round(s.shl_by(sigma, sigma_shift), gain(s, em, gains, p));
        let delta = quotient(s, dividend, s.sub16(s.shr_by(most, p.depth - 8), s.shr_by(least, p.depth - 8)));
        let (delta, least, most) = match p.smooth {
            true => (s.sub16(zero, delta), least, most),
            false => (delta, zero, s.splat16(u16::MAX >> (16 - p.depth))),
        };
        let delta = shared(s, delta, shares, x);
        let raised = s.add_saturating16(centre, s.max15(delta, zero));
        let out = s.sub_saturating16(raised, s.max15(s.sub16(zero, delta), zero));
        s.store16(&mut dst[x..], s.max16(s.min16(out, most), least));
    })
}

/// The magnitude of the sum of three differences, with the weights 1, 2, 1, saturated to 15 bits.
#[inline(always)]
fn magnitude<I: Isa>(s: I, differences: [(I::H, I::H); 3]) -> I::H {
    let mut sums = [s.splat32(0); 2];
    for ((plus, minus), weight) in differences.into_iter().zip([1, 2, 1]) {
        let weights = s.pair16([weight, -weight]);
        sums[0] = s.add32(sums[0], s.madd16(s.interleave_low16(plus, minus), weights));
        sums[1] = s.add32(sums[1], s.madd16(s.interleave_high16(plus, minus), weights));
    }
    let sum = s.max15(s.pack32(sums[0], sums[1]), s.splat16(-i16::MAX as u16));
    s.max15(sum, s.sub16(s.splat16(0), sum))
}
