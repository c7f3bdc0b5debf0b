//! Combination mode of the enhancement: sharpens or smooths a sample by the content of its 5×5
//! neighbourhood (§5.4, §9.4).
use crate::ENHANCE_APRON;
use crate::contract;
use crate::detail_filter::check_shares;
use crate::isa::Isa;

mod deep;
mod strength;
mod ten_bits;

/// Parameters of [`combination_filter`](crate::Kernels::combination_filter), named as in §5.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    /// P, the bits of the samples; 10…16.
    pub depth: u8,
    /// g, the global noise estimate in 8-bit units; 0…255.
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
    /// Upper limit of the kept excess, before the boost, in 10-bit units; 0…1023.
    pub clip_limiter: u16,
}

/// 64 / number of good neighbours, truncated; 0 if there are none.
const NZ: [u16; 5] = [0, 64, 32, 21, 16];

/// Offsets of the axis neighbours. Corners and knight's moves follow.
const AXES: [(isize, isize); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const CORNERS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
const KNIGHTS: [(isize, isize); 8] = [(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)];

/// Writes the filtered line, of P bits like `rows`. The rows are the lines y-2…y+2; sample x of a
/// row is at `[ENHANCE_APRON + x]`. `shares` are those of the change that each sample takes, in
/// 1/32, 0…63; without them each sample takes the whole change.
pub fn scalar(dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Combination) {
    for (x, out) in dst.iter_mut().enumerate() {
        let at = |(i, j): (isize, isize)| rows[(2 + j) as usize][(x + ENHANCE_APRON).wrapping_add_signed(i)] as i32;
        *out = pixel(at, shares.map(|shares| shares[x]), p);
    }
}

/// Least and greatest value of the square with `radius` samples on each side of the centre.
fn range(at: impl Fn((isize, isize)) -> i32, radius: isize) -> (i32, i32) {
    let square = (-radius..=radius).flat_map(|j| (-radius..=radius).map(move |i| (i, j)));
    square.map(at).fold((i32::MAX, i32::MIN), |(least, most), v| (least.min(v), most.max(v)))
}

fn pixel(at: impl Fn((isize, isize)) -> i32, share: Option<u16>, p: &Combination) -> u16 {
    let (x, g) = (at((0, 0)), p.noise as i32);
    let e = p.depth - 8;
    let y = |place| at(place) >> e;
    let ((min5, max5), (min3, max3)) = (range(&at, 2), range(&at, 1));
    let (diff5, diff3) = ((max5 >> e) - (min5 >> e), (max3 >> e) - (min3 >> e));
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
        let good = places.map(|place| at(place) - x).into_iter().filter(|d| d.abs() >> e < g);
        good.clone().sum::<i32>() * NZ[good.count()] as i32
    };
    let smooth = (p.r3[0] as i32 * good(AXES) + p.r3[1] as i32 * good(CORNERS)) >> 4;
    // Beyond 12 bits the products need more than 32 bits.
    let delta = smooth_strength as i64 * smooth as i64 - sharp_strength as i64 * sharp as i64;
    let delta = ((delta + 4096) >> 13) as i32;
    let mut out = x + share.map_or(delta, |share| (delta * i32::from(share)) >> 5);

    let [max_limiter, min_limiter] = p.limiters.map(i32::from);
    let clip_limiter = (p.clip_limiter as i32) << (p.depth - 10);
    let limit = |beyond: i32| clip_limiter + ((beyond * p.limiter_boost as i32) >> 4);
    if out > max5 {
        out = max5 + (((out - max5) * max_limiter) >> 4).min(limit(max5 - max3));
    } else if out < min5 {
        out = min5 - (((min5 - out) * min_limiter) >> 4).min(limit(min3 - min5));
    }
    out.clamp(0, (1 << p.depth) - 1) as u16
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Combination) {
    contract::at_least(rows, dst.len() + 2 * ENHANCE_APRON);
    check_shares(dst, shares);
    contract::within(p.depth, 10..=16);
    let coefficients = p.r3.iter().chain(&p.r5);
    coefficients.for_each(|&coefficient| contract::within(coefficient, 0..=31));
    p.limiters.iter().chain([&p.limiter_boost]).for_each(|&share| contract::within(share, 0..=15));
    contract::within(p.clip_limiter, 0..=1023);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Combination) -> bool {
    if p.depth == 10 { ten_bits::vector(s, dst, rows, shares, p) } else { deep::vector(s, dst, rows, shares, p) }
}

/// `(delta * share) >> 5` of the low and the high part; without shares the deltas.
#[inline(always)]
fn shared<I: Isa>(s: I, deltas: [I::W; 2], shares: Option<&[u16]>, x: usize) -> [I::W; 2] {
    let Some(shares) = shares else { return deltas };
    let (low, high) = parts(s, s.load16(&shares[x..]));
    [s.sra32::<5>(s.mul32(deltas[0], low)), s.sra32::<5>(s.mul32(deltas[1], high))]
}

/// Halfwords 0…255 as words.
#[inline(always)]
fn parts<I: Isa>(s: I, v: I::H) -> (I::W, I::W) {
    let (one, zero) = (s.pair16([1, 0]), s.splat16(0));
    (s.madd16(s.interleave_low16(v, zero), one), s.madd16(s.interleave_high16(v, zero), one))
}

/// The samples of 5×5 places.
type Square<H> = [[H; 5]; 5];

#[inline(always)]
fn load5x5<I: Isa>(s: I, rows: [&[u16]; 5], x: usize) -> Square<I::H> {
    let mut at = [[s.splat16(0); 5]; 5];
    for (line, row) in at.iter_mut().zip(rows) {
        for (column, v) in line.iter_mut().enumerate() {
            *v = s.load16(&row[x + column..]);
        }
    }
    at
}
