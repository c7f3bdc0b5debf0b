//! The combination mode of 11 to 16 bits. Sums of samples have words; a bias of 32768, which makes
//! signed halfwords of the samples, cancels out in them. The products of 34 bits are computed in
//! two parts.
use super::strength::{cut, has_cut, strengths};
use super::{Combination, NZ, Square, load5x5, shared};
use crate::ENHANCE_APRON;
use crate::isa::{Isa, blocks};

/// Exchanges samples, 0…65535, and biased samples, -32768…32767.
const BIAS: u16 = 1 << 15;

#[inline(always)]
pub(super) fn vector<I: Isa>(s: I, dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Combination) -> bool {
    let n = dst.len();
    let rows = rows.map(|row| &row[..n + 2 * ENHANCE_APRON]);
    let (e, bias) = (p.depth - 8, s.splat16(BIAS));
    blocks!(n, I::N / 2, x => {
        let at = load5x5(s, rows, x);
        let ([min5, max5], [min3, max3]) = (least_and_most(s, &at, 0), least_and_most(s, &at, 1));
        let diff5 = s.sub16(s.shr_by(max5, e), s.shr_by(min5, e));
        let diff3 = s.sub16(s.shr_by(max3, e), s.shr_by(min3, e));
        let [smooth_strength, sharp_strength] = strengths(s, diff5, diff3, p);
        let mut sharp_share = s.splat16(16);
        if has_cut(p) {
            sharp_share = s.sub16(sharp_share, cut(s, &levels(s, at, e), diff5, diff3, p));
        }
        let sharp_strength = s.shr::<4>(s.mul_low(sharp_strength, sharp_share));

        let minus = s.sub16(s.splat16(0), sharp_strength);
        let strengths = [s.interleave_low16(smooth_strength, minus), s.interleave_high16(smooth_strength, minus)];
        let (sharp, smooth) = (sharp(s, &at, p), smooth(s, &at, p));
        let (centre, least, most) = (s.xor16(at[2][2], bias), s.xor16(min5, bias), s.xor16(max5, bias));
        let (mut out, mut above, mut below) = ([s.splat32(0); 2], [s.splat32(0); 2], [s.splat32(0); 2]);
        let to_centre = [s.interleave_low16(centre, centre), s.interleave_high16(centre, centre)];
        let to_most = [s.interleave_low16(centre, most), s.interleave_high16(centre, most)];
        let to_least = [s.interleave_low16(least, centre), s.interleave_high16(least, centre)];
        let deltas = [0, 1].map(|part| product(s, strengths[part], smooth[part], sharp[part]));
        for (part, delta) in shared(s, deltas, shares, x).into_iter().enumerate() {
            out[part] = s.add32(delta, s.madd16(to_centre[part], s.pair16([1, 0])));
            above[part] = s.add32(delta, s.madd16(to_most[part], s.pair16([1, -1])));
            below[part] = s.sub32(s.madd16(to_least[part], s.pair16([1, -1])), delta);
        }
        let above = limited(s, above, p.limiters[0], s.sub16(max5, max3), p);
        let below = limited(s, below, p.limiters[1], s.sub16(min3, min5), p);
        let within = s.max15(s.min15(s.pack32(out[0], out[1]), most), least);
        let out = s.sub_saturating16(s.add_saturating16(s.xor16(within, bias), above), below);
        s.store16(&mut dst[x..], s.min16(out, s.splat16(u16::MAX >> (16 - p.depth))));
    })
}

/// `(strengths[0] * smooth + strengths[1] * sharp + 4096) >> 13` of pairs of strengths.
#[inline(always)]
fn product<I: Isa>(s: I, strengths: I::H, smooth: I::W, sharp: I::W) -> I::W {
    // The low 13 bits and the rest: both fit signed halfwords, and only the low part rounds.
    let low = s.and16(s.merge32(smooth, sharp), s.splat16((1 << 13) - 1));
    let high = s.merge32(s.sra32::<13>(smooth), s.sra32::<13>(sharp));
    let low = s.add32(s.madd16(low, strengths), s.splat32(4096));
    s.add32(s.madd16(high, strengths), s.sra32::<13>(low))
}

/// The 8-bit values of the square.
#[inline(always)]
fn levels<I: Isa>(s: I, mut at: Square<I::H>, e: u8) -> Square<I::H> {
    for v in at.as_flattened_mut() {
        *v = s.shr_by(*v, e);
    }
    at
}

/// Least and greatest value of the 5×5 square without its `margin` outer lines and columns.
#[inline(always)]
fn least_and_most<I: Isa>(s: I, at: &Square<I::H>, margin: usize) -> [I::H; 2] {
    let (mut least, mut most) = (at[2][2], at[2][2]);
    for line in &at[margin..5 - margin] {
        for &v in &line[margin..5 - margin] {
            least = s.min16(least, v);
            most = s.max16(most, v);
        }
    }
    [least, most]
}

/// Adds the products of two samples, which are biased here, with weights to the sums.
#[inline(always)]
fn add_products<I: Isa>(s: I, sums: &mut [I::W; 2], samples: [I::H; 2], weights: [I::H; 2]) {
    let (a, b) = (s.xor16(samples[0], s.splat16(BIAS)), s.xor16(samples[1], s.splat16(BIAS)));
    sums[0] = s.add32(sums[0], s.madd16(s.interleave_low16(a, b), weights[0]));
    sums[1] = s.add32(sums[1], s.madd16(s.interleave_high16(a, b), weights[1]));
}

/// The sharpening term of §5.4.
#[inline(always)]
fn sharp<I: Isa>(s: I, at: &Square<I::H>, p: &Combination) -> [I::W; 2] {
    let [axis, corner, knight] = p.r5.map(u16::from);
    let axes = [[at[0][2], at[2][0]], [at[2][4], at[4][2]]];
    let corners = [[at[0][0], at[0][4]], [at[4][0], at[4][4]]];
    let upper = [[at[0][1], at[0][3]], [at[1][0], at[1][4]]];
    let lower = [[at[3][0], at[3][4]], [at[4][1], at[4][3]]];
    let mut sums = [s.splat32(0); 2];
    for (pairs, weight) in [(axes, axis), (corners, corner), (upper, knight), (lower, knight)] {
        for pair in pairs {
            add_products(s, &mut sums, pair, [s.splat16(weight); 2]);
        }
    }
    // The centre twice, each with half of the weight.
    let centre = 0u16.wrapping_sub(2 * axis + 2 * corner + 4 * knight);
    add_products(s, &mut sums, [at[2][2]; 2], [s.splat16(centre); 2]);
    sums
}

/// The smoothing term of §5.4.
#[inline(always)]
fn smooth<I: Isa>(s: I, at: &Square<I::H>, p: &Combination) -> [I::W; 2] {
    let centre = at[2][2];
    let (axes, axis_weight) = good(s, centre, [at[1][2], at[2][1], at[2][3], at[3][2]], p);
    let (corners, corner_weight) = good(s, centre, [at[1][1], at[1][3], at[3][1], at[3][3]], p);
    let axis_weight = s.mul_low(axis_weight, s.splat16(p.r3[0] as u16));
    let corner_weight = s.mul_low(corner_weight, s.splat16(p.r3[1] as u16));
    let weights = [s.interleave_low16(axis_weight, corner_weight), s.interleave_high16(axis_weight, corner_weight)];
    let mut sums = [s.splat32(0); 2];
    for (axis, corner) in axes.into_iter().zip(corners) {
        add_products(s, &mut sums, [axis, corner], weights);
    }
    let mut minus = weights;
    for weight in &mut minus {
        *weight = s.sub16(s.splat16(0), s.shl::<2>(*weight));
    }
    add_products(s, &mut sums, [centre; 2], minus);
    [s.sra32::<4>(sums[0]), s.sra32::<4>(sums[1])]
}

/// The good neighbours, with the centre in place of the others, and NZ of their number.
#[inline(always)]
fn good<I: Isa>(s: I, centre: I::H, mut neighbours: [I::H; 4], p: &Combination) -> ([I::H; 4], I::H) {
    let limit = s.splat16(p.noise as u16);
    let mut count = s.splat16(0);
    for neighbour in &mut neighbours {
        let good = s.gt15(limit, s.shr_by(s.distance16(*neighbour, centre), p.depth - 8));
        *neighbour = s.select16(good, *neighbour, centre);
        // All ones is -1.
        count = s.sub16(count, good);
    }
    let mut weight = s.splat16(0);
    for (number, nz) in (0..).zip(NZ) {
        weight = s.select16(s.eq16(count, s.splat16(number)), s.splat16(nz), weight);
    }
    (neighbours, weight)
}

/// The part of `excess` over the 5×5 range that is kept, 0 if it is negative; `beyond` is the
/// distance between the extremes of the 3×3 and the 5×5. Saturated to 16 bits.
#[inline(always)]
fn limited<I: Isa>(s: I, mut excess: [I::W; 2], limiter: u8, beyond: I::H, p: &Combination) -> I::H {
    for excess in &mut excess {
        let kept = s.sra32::<4>(s.mul32(*excess, s.splat32(limiter.into())));
        *excess = s.sub32(kept, s.splat32(BIAS.into()));
    }
    let kept = s.xor16(s.pack32(excess[0], excess[1]), s.splat16(BIAS));
    // beyond * boost >> 4 as the high half of a product.
    let boost = s.mul_high(beyond, s.splat16((p.limiter_boost as u16) << 12));
    s.min16(kept, s.add_saturating16(boost, s.splat16(p.clip_limiter << (p.depth - 10))))
}
