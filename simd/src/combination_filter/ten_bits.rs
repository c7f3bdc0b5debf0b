//! The combination mode of 10 bits: samples and sums of samples are halfwords.
use super::strength::{cut, has_cut, strengths};
use super::{Combination, NZ, Square, load5x5, parts, shared};
use crate::ENHANCE_APRON;
use crate::isa::{Isa, blocks};

#[inline(always)]
pub(super) fn vector<I: Isa>(s: I, dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Combination) -> bool {
    let n = dst.len();
    let rows = rows.map(|row| &row[..n + 2 * ENHANCE_APRON]);
    blocks!(n, I::N / 2, x => {
        let at = load5x5(s, rows, x);
        let centre = at[2][2];
        let ([min5, max5], [min3, max3]) = (least_and_most(s, &at, 0), least_and_most(s, &at, 1));
        let diff5 = s.sub16(s.shr::<2>(max5), s.shr::<2>(min5));
        let diff3 = s.sub16(s.shr::<2>(max3), s.shr::<2>(min3));
        let [smooth_strength, sharp_strength] = strengths(s, diff5, diff3, p);
        let mut sharp_share = s.splat16(16);
        if has_cut(p) {
            sharp_share = s.sub16(sharp_share, cut(s, &levels(s, at), diff5, diff3, p));
        }
        let sharp_strength = s.shr::<4>(s.mul_low(sharp_strength, sharp_share));

        let sharp = sharp(s, &at, p);
        let smooth = smooth(s, &at, p);
        let (smooth_low, smooth_high) = parts(s, smooth_strength);
        let (sharp_low, sharp_high) = parts(s, sharp_strength);
        let half = s.splat32(4096);
        let low = s.sub32(s.mul32(smooth_low, smooth[0]), s.mul32(sharp_low, sharp[0]));
        let high = s.sub32(s.mul32(smooth_high, smooth[1]), s.mul32(sharp_high, sharp[1]));
        let deltas = [s.sra32::<13>(s.add32(low, half)), s.sra32::<13>(s.add32(high, half))];
        let [low, high] = shared(s, deltas, shares, x);
        let delta = s.pack32(low, high);
        // Shares above 1 reach more than 16 bits. Beyond 30000 the limiters keep nothing or more
        // than the range of samples.
        let delta = s.max15(s.min15(delta, s.splat16(30000)), s.splat16(-30000_i16 as u16));
        let out = s.add16(centre, delta);

        let zero = s.splat16(0);
        let [above, below] = [s.max15(s.sub16(out, max5), zero), s.max15(s.sub16(min5, out), zero)];
        let above = limited(s, above, p.limiters[0], s.sub16(max5, max3), p);
        let below = limited(s, below, p.limiters[1], s.sub16(min3, min5), p);
        let within = s.max15(s.min15(out, max5), min5);
        let out = s.sub16(s.add16(within, above), below);
        s.store16(&mut dst[x..], s.max15(s.min15(out, s.splat16(1023)), zero));
    })
}

/// The 8-bit values of the square.
#[inline(always)]
fn levels<I: Isa>(s: I, mut at: Square<I::H>) -> Square<I::H> {
    for v in at.as_flattened_mut() {
        *v = s.shr::<2>(*v);
    }
    at
}

/// Least and greatest value of the 5×5 square without its `margin` outer lines and columns.
#[inline(always)]
fn least_and_most<I: Isa>(s: I, at: &Square<I::H>, margin: usize) -> [I::H; 2] {
    let (mut least, mut most) = (at[2][2], at[2][2]);
    for line in &at[margin..5 - margin] {
        for &v in &line[margin..5 - margin] {
            least = s.min15(least, v);
            most = s.max15(most, v);
        }
    }
    [least, most]
}

/// The sharpening term of §5.4.
#[inline(always)]
fn sharp<I: Isa>(s: I, at: &Square<I::H>, p: &Combination) -> [I::W; 2] {
    let centre = at[2][2];
    let axes = s.add16(s.add16(at[0][2], at[2][0]), s.add16(at[2][4], at[4][2]));
    let corners = s.add16(s.add16(at[0][0], at[0][4]), s.add16(at[4][0], at[4][4]));
    let upper = s.add16(s.add16(at[0][1], at[0][3]), s.add16(at[1][0], at[1][4]));
    let lower = s.add16(s.add16(at[3][0], at[3][4]), s.add16(at[4][1], at[4][3]));
    let axes = s.sub16(axes, s.shl::<2>(centre));
    let corners = s.sub16(corners, s.shl::<2>(centre));
    let knights = s.sub16(s.add16(upper, lower), s.shl::<3>(centre));
    let (outer, zero) = (s.pair16([p.r5[0] as i8, p.r5[1] as i8]), s.splat16(0));
    let inner = s.pair16([p.r5[2] as i8, 0]);
    let low = s.madd16(s.interleave_low16(axes, corners), outer);
    let high = s.madd16(s.interleave_high16(axes, corners), outer);
    [
        s.add32(low, s.madd16(s.interleave_low16(knights, zero), inner)),
        s.add32(high, s.madd16(s.interleave_high16(knights, zero), inner)),
    ]
}

/// The smoothing term of §5.4.
#[inline(always)]
fn smooth<I: Isa>(s: I, at: &Square<I::H>, p: &Combination) -> [I::W; 2] {
    let centre = at[2][2];
    let (axes, axis_weight) = good(s, centre, [at[1][2], at[2][1], at[2][3], at[3][2]], p.noise);
    let (corners, corner_weight) = good(s, centre, [at[1][1], at[1][3], at[3][1], at[3][3]], p.noise);
    let axis_weight = s.mul_low(axis_weight, s.splat16(p.r3[0] as u16));
    let corner_weight = s.mul_low(corner_weight, s.splat16(p.r3[1] as u16));
    let low = s.madd16(s.interleave_low16(axes, corners), s.interleave_low16(axis_weight, corner_weight));
    let high = s.madd16(s.interleave_high16(axes, corners), s.interleave_high16(axis_weight, corner_weight));
    [s.sra32::<4>(low), s.sra32::<4>(high)]
}

/// Sum of the differences to the good neighbours, and NZ of their number.
#[inline(always)]
fn good<I: Isa>(s: I, centre: I::H, neighbours: [I::H; 4], noise: u8) -> (I::H, I::H) {
    let limit = s.splat16(noise as u16);
    let (mut sum, mut count) = (s.splat16(0), s.splat16(0));
    for neighbour in neighbours {
        let good = s.gt15(limit, s.shr::<2>(s.abs_diff16(neighbour, centre)));
        sum = s.add16(sum, s.and16(good, s.sub16(neighbour, centre)));
        // All ones is -1.
        count = s.sub16(count, good);
    }
    let mut weight = s.splat16(0);
    for (number, nz) in (0..).zip(NZ) {
        weight = s.select16(s.eq16(count, s.splat16(number)), s.splat16(nz), weight);
    }
    (sum, weight)
}

/// The part of `excess` over the 5×5 range that is kept; `beyond` is the distance between the
/// extremes of the 3×3 and the 5×5.
#[inline(always)]
fn limited<I: Isa>(s: I, excess: I::H, limiter: u8, beyond: I::H, p: &Combination) -> I::H {
    let boost = s.shr::<4>(s.mul_low(beyond, s.splat16(p.limiter_boost as u16)));
    // excess * limiter >> 4 as the high half of a product.
    let kept = s.mul_high(excess, s.splat16((limiter as u16) << 12));
    s.min15(kept, s.add16(boost, s.splat16(p.clip_limiter)))
}
