//! Combination mode of the enhancement: sharpens or smooths a sample by the content of its 5×5
//! neighbourhood (§5.4).
use crate::ENHANCE_APRON;
use crate::contract;
use crate::isa::{Isa, blocks};

/// Parameters of [`combination_filter`](crate::Kernels::combination_filter), named as in §5.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    /// g, the global noise estimate; 0…255.
    pub noise: u8,
    /// Coefficients of the smoothing, 0…31: axes and corners.
    pub r3: [u8; 2],
    /// Coefficients of the sharpening, 0…31: axes, corners and knight's moves.
    pub r5: [u8; 3],
    /// Threshold and boost of the maximal ratio MR; 0…15, 0…1.
    pub mr: [u8; 2],
    /// Threshold and boost of the steepness; 0…15, 0…1.
    pub steepness: [u8; 2],
    /// Points 0…6 of the piecewise linear functions, the first of them 0.
    pub points: [u8; 7],
    /// Biases of the smoothing strength.
    pub bias3: [u8; 7],
    /// Slopes of the smoothing strength, in 1/16.
    pub slope3: [i8; 7],
    /// Biases of the sharpening strength.
    pub bias5: [u8; 7],
    /// Slopes of the sharpening strength, in 1/16.
    pub slope5: [i8; 7],
    /// Shares of the excess over the maximum and below the minimum that are kept, in 1/16.
    pub limiters: [u8; 2],
    /// Share of the difference between the 5×5 and the 3×3 range that is added to the limit, in
    /// 1/16.
    pub limiter_boost: u8,
    /// Upper limit of the kept excess, before the boost; 0…1023.
    pub clip_limiter: u16,
}

/// 64 / number of good neighbours, truncated; 0 if there are none.
const NZ: [u16; 5] = [0, 64, 32, 21, 16];

/// Offsets of the axis neighbours. Corners and knight's moves follow.
const AXES: [(isize, isize); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const CORNERS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
const KNIGHTS: [(isize, isize); 8] = [(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)];

/// Writes the filtered line, 10 bits like `rows`. The rows are the lines y-2…y+2; sample x of a row
/// is at `[ENHANCE_APRON + x]`.
pub fn scalar(dst: &mut [u16], rows: [&[u16]; 5], p: &Combination) {
    for (x, out) in dst.iter_mut().enumerate() {
        let at = |(i, j): (isize, isize)| rows[(2 + j) as usize][(x + ENHANCE_APRON).wrapping_add_signed(i)] as i32;
        *out = pixel(at, p);
    }
}

/// Least and greatest value of the square with `radius` samples on each side of the centre.
fn range(at: impl Fn((isize, isize)) -> i32, radius: isize) -> (i32, i32) {
    let square = (-radius..=radius).flat_map(|j| (-radius..=radius).map(move |i| (i, j)));
    square.map(at).fold((i32::MAX, i32::MIN), |(least, most), v| (least.min(v), most.max(v)))
}

fn pixel(at: impl Fn((isize, isize)) -> i32, p: &Combination) -> u16 {
    let (x, g) = (at((0, 0)), p.noise as i32);
    let y = |place| at(place) >> 2;
    let ((min5, max5), (min3, max3)) = (range(&at, 2), range(&at, 1));
    let (diff5, diff3) = ((max5 >> 2) - (min5 >> 2), (max3 >> 2) - (min3 >> 2));
    let (m5, m3) = ((diff5 - g).max(0), (diff3 - g).max(0));
    let m3 = m3 + m3 / 2;
    let mut diff = m5.max(m3).clamp(1, 255);
    if diff > p.points[3] as i32 {
        diff = m5.min(m3).clamp(1, 255);
    }
    let segment = p.points.iter().rposition(|&point| point as i32 <= diff).unwrap_or(0);
    let pwl = |bias: &[u8; 7], slope: &[i8; 7]| {
        let above = diff - p.points[segment] as i32;
        (((above * slope[segment] as i32) >> 4) + bias[segment] as i32).clamp(0, 255)
    };

    let norm = |(i, j)| {
        let (a, b, c, d) = (y((i, j)), y((i + 1, j)), y((i, j + 1)), y((i + 1, j + 1)));
        (a - b + c - d).abs() + (a + b - c - d).abs()
    };
    let norms = || (-2..2).flat_map(|j| (-2..2).map(move |i| (i, j))).map(norm);
    let tot = (norms().sum::<i32>() - ((23 * diff5) >> 1)).max(0);
    let mr = (5 * (tot / 8) / (diff5 + 1)).min(15);
    let dm = 3 * diff5 / 8 + 1;
    let mn = (2 * norms().max().unwrap_or(0) - dm).max(0) / 4;
    let st = ((mn / dm).min(15) - (8 - diff3 / 2).max(0)).max(0);
    let boosted = |v: i32, [threshold, boost]: [u8; 2]| (v - threshold as i32).max(0) * boost as i32;
    let cut = (boosted(mr, p.mr) + boosted(st, p.steepness)).min(15);
    let sharp_strength = (pwl(&p.bias5, &p.slope5) * (16 - cut)) >> 4;
    let smooth_strength = pwl(&p.bias3, &p.slope3);

    let sum = |places: &[(isize, isize)], distance: isize| -> i32 {
        places.iter().map(|&(i, j)| at((distance * i, distance * j)) - x).sum()
    };
    let [r5c, r5x, r5cx] = p.r5.map(i32::from);
    let sharp = r5c * sum(&AXES, 2) + r5x * sum(&CORNERS, 2) + r5cx * sum(&KNIGHTS, 1);
    let good = |places: [(isize, isize); 4]| {
        let good = places.map(|place| at(place) - x).into_iter().filter(|d| d.abs() >> 2 < g);
        good.clone().sum::<i32>() * NZ[good.count()] as i32
    };
    let smooth = (p.r3[0] as i32 * good(AXES) + p.r3[1] as i32 * good(CORNERS)) >> 4;
    let mut out = x + ((smooth_strength * smooth - sharp_strength * sharp + 4096) >> 13);

    let [max_limiter, min_limiter] = p.limiters.map(i32::from);
    let limit = |beyond: i32| p.clip_limiter as i32 + ((beyond * p.limiter_boost as i32) >> 4);
    if out > max5 {
        out = max5 + (((out - max5) * max_limiter) >> 4).min(limit(max5 - max3));
    } else if out < min5 {
        out = min5 - (((min5 - out) * min_limiter) >> 4).min(limit(min3 - min5));
    }
    out.clamp(0, 1023) as u16
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], rows: [&[u16]; 5], p: &Combination) {
    contract::at_least(rows, dst.len() + 2 * ENHANCE_APRON);
    let coefficients = p.r3.iter().chain(&p.r5);
    coefficients.for_each(|&coefficient| contract::within(coefficient, 0..=31));
    p.limiters.iter().chain([&p.limiter_boost]).for_each(|&share| contract::within(share, 0..=15));
    contract::within(p.clip_limiter, 0..=1023);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], rows: [&[u16]; 5], p: &Combination) -> bool {
    let n = dst.len();
    let rows = rows.map(|row| &row[..n + 2 * ENHANCE_APRON]);
    blocks!(n, I::N / 2, x => {
        let mut at = [[s.splat16(0); 5]; 5];
        for (line, row) in at.iter_mut().zip(rows) {
            for (column, v) in line.iter_mut().enumerate() {
                *v = s.load16(&row[x + column..]);
            }
        }
        let centre = at[2][2];
        let ([min5, max5], [min3, max3]) = (least_and_most(s, &at, 0), least_and_most(s, &at, 1));
        let diff5 = s.sub16(s.shr::<2>(max5), s.shr::<2>(min5));
        let diff3 = s.sub16(s.shr::<2>(max3), s.shr::<2>(min3));
        let [smooth_strength, sharp_strength] = strengths(s, diff5, diff3, p);
        let cut = cut(s, &at, diff5, diff3, p);
        let sharp_strength = s.shr::<4>(s.mul_low(sharp_strength, s.sub16(s.splat16(16), cut)));

        let sharp = sharp(s, &at, p);
        let smooth = smooth(s, &at, p);
        let (smooth_low, smooth_high) = parts(s, smooth_strength);
        let (sharp_low, sharp_high) = parts(s, sharp_strength);
        let half = s.splat32(4096);
        let low = s.sub32(s.mul32(smooth_low, smooth[0]), s.mul32(sharp_low, sharp[0]));
        let high = s.sub32(s.mul32(smooth_high, smooth[1]), s.mul32(sharp_high, sharp[1]));
        let delta = s.pack32(s.sra32::<13>(s.add32(low, half)), s.sra32::<13>(s.add32(high, half)));
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

/// Least and greatest value of the 5×5 square without its `margin` outer lines and columns.
#[inline(always)]
fn least_and_most<I: Isa>(s: I, at: &[[I::H; 5]; 5], margin: usize) -> [I::H; 2] {
    let (mut least, mut most) = (at[2][2], at[2][2]);
    for line in &at[margin..5 - margin] {
        for &v in &line[margin..5 - margin] {
            least = s.min15(least, v);
            most = s.max15(most, v);
        }
    }
    [least, most]
}

/// Both piecewise linear functions, smoothing and sharpening, of the range `diff`.
#[inline(always)]
fn strengths<I: Isa>(s: I, diff5: I::H, diff3: I::H, p: &Combination) -> [I::H; 2] {
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

/// The amount by which texture and steepness reduce the sharpening, 0…15.
#[inline(always)]
fn cut<I: Isa>(s: I, at: &[[I::H; 5]; 5], diff5: I::H, diff3: I::H, p: &Combination) -> I::H {
    if [p.mr[1], p.steepness[1]] == [0, 0] {
        return s.splat16(0);
    }
    let mut y = *at;
    for line in &mut y {
        for v in line {
            *v = s.shr::<2>(*v);
        }
    }
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

/// The sharpening term of §5.4.
#[inline(always)]
fn sharp<I: Isa>(s: I, at: &[[I::H; 5]; 5], p: &Combination) -> [I::W; 2] {
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
fn smooth<I: Isa>(s: I, at: &[[I::H; 5]; 5], p: &Combination) -> [I::W; 2] {
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

/// Halfwords 0…255 as words.
#[inline(always)]
fn parts<I: Isa>(s: I, v: I::H) -> (I::W, I::W) {
    let (one, zero) = (s.pair16([1, 0]), s.splat16(0));
    (s.madd16(s.interleave_low16(v, zero), one), s.madd16(s.interleave_high16(v, zero), one))
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
