//! The denoise filter of words, with exact divisions (§9.3).
//!
//! Where the result depends on them, all differences to the pixel are below 63 << 8 and fit signed
//! halfwords: those of good neighbours, and those to the previous frame where the temporal filter
//! has a weight. Elsewhere the wrapped values are not selected.
use super::{Denoise, DenoiseThresholds, Spatial, words5};
use crate::denoise5::Denoise5;
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

impl Denoise for u16 {
    #[inline(always)]
    fn vector<I: Isa>(s: I, dst: &mut [u16], cur: [Row<u16>; 3], prev: Row<u16>, history: &[u8], th: &DenoiseThresholds) -> bool {
        let cur = cur.map(|row| &row[APRON - 1..APRON + dst.len() + 1]);
        filter::<_, false>(s, dst, cur, prev, history, th, Mean { cur, th })
    }

    #[inline(always)]
    fn vector5<I: Isa>(
        s: I,
        dst: &mut [u16],
        cur: [Row<u16>; 5],
        prev: Row<u16>,
        history: &[u8],
        th: &DenoiseThresholds,
        p: &Denoise5,
    ) -> bool {
        let n = dst.len();
        let near = [cur[1], cur[2], cur[3]].map(|row| &row[APRON - 1..APRON + n + 1]);
        let (cur, weights) = (cur.map(|row| &row[APRON - 2..APRON + n + 2]), words5::Weights::new(p));
        filter::<_, true>(s, dst, near, prev, history, th, words5::Mean { cur, weights })
    }
}

/// The filter with the spatial filter `spatial_filter`. `cur[1][x + 1]` is sample x. With `FAR` the
/// mean can differ from the sample by any value.
#[inline(always)]
fn filter<I: Isa, const FAR: bool>(
    s: I,
    dst: &mut [u16],
    cur: [&[u16]; 3],
    prev: Row<u16>,
    history: &[u8],
    th: &DenoiseThresholds,
    spatial_filter: impl Spatial<I, I::H>,
) -> bool {
    let n = dst.len();
    let (prev, history) = (&prev[APRON..APRON + n], &history[..n]);
    let (high, low) = (s.splat16(th.temporal_diff_th), s.splat16(th.temporal_diff_low));
    blocks!(n, I::N / 2, x => {
        let (c, p, h) = (s.load16(&cur[1][x + 1..]), s.load16(&prev[x..]), s.load_half(&history[x..]));
        let td = s.distance16(c, p);
        let spatial = s.or16(s.ge16(td, high), s.gt15(s.splat16(128), h));
        // If every pixel uses the spatial filter alone, skip the temporal one, and the reverse.
        let value = if !s.any16(s.xor16(spatial, s.splat16(u16::MAX))) {
            spatial_filter.mean(s, c, x)
        } else {
            let t = temporal(s, cur, c, p, h, x);
            let blended = s.ge16(td, low);
            if s.any16(s.or16(spatial, blended)) {
                let sp = spatial_filter.mean(s, c, x);
                s.select16(spatial, sp, s.select16(blended, blend::<I, FAR>(s, sp, t, td, th), t))
            } else {
                t
            }
        };
        s.store16(&mut dst[x..], value);
    })
}

/// Added to differences, so that they are positive when they are divided.
const BIAS: u16 = 1 << 14;

/// The spatial filter sp.
struct Mean<'a> {
    cur: [&'a [u16]; 3],
    th: &'a DenoiseThresholds,
}

impl<I: Isa> Spatial<I, I::H> for Mean<'_> {
    #[inline(always)]
    fn mean(&self, s: I, c: I::H, x: usize) -> I::H {
        mean(s, self.cur, c, x, self.th)
    }
}

/// sp: the pixel plus the rounded mean difference of its good neighbours.
#[inline(always)]
fn mean<I: Isa>(s: I, cur: [&[u16]; 3], c: I::H, x: usize, th: &DenoiseThresholds) -> I::H {
    let (zero, one, good) = (s.splat16(0), s.splat16(1), s.splat16(th.good_neighbor_th));
    // Sums of two differences still fit signed halfwords.
    let (mut sums, mut count) = ([zero; 4], s.splat16(9));
    for (i, (line, column)) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)].into_iter().enumerate() {
        let neighbour = s.load16(&cur[line][x + column..]);
        let far = s.ge16(s.distance16(neighbour, c), good);
        // All ones is -1.
        count = s.add16(count, far);
        sums[i / 2] = s.add16(sums[i / 2], s.select16(far, zero, s.sub16(neighbour, c)));
    }
    let half = s.shr::<1>(count);
    if th.depth <= SHORT {
        let sum = s.add16(s.add16(sums[0], sums[1]), s.add16(sums[2], sums[3]));
        let biased = s.add16(sum, s.mul_low(count, s.splat16(SHORT_BIAS)));
        return s.add16(c, s.sub16(short_quotient(s, s.add16(biased, half), count), s.splat16(SHORT_BIAS)));
    }
    let bias = s.interleave_low16(s.splat16(BIAS), one);
    let low = quotient(
        s,
        [s.interleave_low16(sums[0], sums[1]), s.interleave_low16(sums[2], sums[3])],
        s.interleave_low16(count, half),
        s.interleave_low16(count, zero),
        bias,
    );
    let high = quotient(
        s,
        [s.interleave_high16(sums[0], sums[1]), s.interleave_high16(sums[2], sums[3])],
        s.interleave_high16(count, half),
        s.interleave_high16(count, zero),
        bias,
    );
    s.add16(c, s.sub16(s.pack32(low, high), s.splat16(BIAS)))
}

/// Up to this depth the differences of good neighbours are so small that a product of halfwords is
/// their exact mean.
const SHORT: u8 = 12;

/// The greatest difference of a good neighbour at these depths, which makes sums positive.
const SHORT_BIAS: u16 = (63 << (SHORT - 8)) - 1;

/// 65536 / count, rounded up, for 1…9 pixels; 65535 for one.
const RECIPROCALS: [u16; 16] = [0, 65535, 32768, 21846, 16384, 13108, 10923, 9363, 8192, 7282, 0, 0, 0, 0, 0, 0];

/// A byte of each reciprocal.
const fn reciprocal_bytes(shift: u8) -> [u8; 16] {
    let mut bytes = [0; 16];
    let mut count = 0;
    while count < 16 {
        bytes[count] = (RECIPROCALS[count] >> shift) as u8;
        count += 1;
    }
    bytes
}

/// `sum / count`, rounded down. `sum` is `SHORT_BIAS` where `count` is 1, and at most `(2 * count -
/// 1) * SHORT_BIAS + count / 2` elsewhere: then the high half of the product is exact.
#[inline(always)]
fn short_quotient<I: Isa>(s: I, sum: I::H, count: I::H) -> I::H {
    let counts = s.merge(count, count);
    let [low, high] = const { [reciprocal_bytes(0), reciprocal_bytes(8)] };
    let (low, high) = (s.even(s.lookup(&low, counts)), s.even(s.lookup(&high, counts)));
    let reciprocal = s.or16(low, s.shl::<8>(high));
    // The mask is -1. With one more, the product of 65535 has the wanted high half.
    let sum = s.sub16(sum, s.eq16(count, s.splat16(1)));
    s.mul_high(sum, reciprocal)
}

/// The sum of pairs of differences, biased and rounded, by their number. `count_half` has the
/// number and its half in turn, `bias` the factors of both.
#[inline(always)]
fn quotient<I: Isa>(s: I, pairs: [I::H; 2], count_half: I::H, count: I::H, bias: I::H) -> I::W {
    let one = s.splat16(1);
    let sum = s.add32(s.madd16(pairs[0], one), s.madd16(pairs[1], one));
    s.div32(s.add32(sum, s.madd16(count_half, bias)), s.madd16(count, one))
}

/// The temporal filter t of §2.2, pulled to the extremes of the neighbourhood (§2.4).
#[inline(always)]
fn temporal<I: Isa>(s: I, cur: [&[u16]; 3], c: I::H, p: I::H, h: I::H, x: usize) -> I::H {
    let (mut least, mut most) = (c, c);
    for row in cur {
        for column in 0..3 {
            let neighbour = s.load16(&row[x + column..]);
            least = s.min16(least, neighbour);
            most = s.max16(most, neighbour);
        }
    }
    // (h * p + (256 - h) * c + 128) >> 8 is c plus the rounded share of the difference.
    let t = s.add16(c, s.mul_round(s.sub16(p, c), s.shl::<7>(h)));
    let t = s.avg16(t, s.min16(t, most));
    s.avg16(t, s.max16(t, least))
}

/// The blend where td is in low…high. Elsewhere the result is not used.
#[inline(always)]
fn blend<I: Isa, const FAR: bool>(s: I, sp: I::H, t: I::H, td: I::H, th: &DenoiseThresholds) -> I::H {
    let n = th.temporal_diff_th.saturating_sub(th.temporal_diff_low);
    if n == 0 {
        return sp;
    }
    let up = s.min16(s.sub_saturating16(td, s.splat16(th.temporal_diff_low)), s.splat16(n));
    let (zero, scale, divisor) = (s.splat16(0), s.splat16(256), s.splat32(n.into()));
    let low = s.div32(s.madd16(s.interleave_low16(up, zero), scale), divisor);
    let high = s.div32(s.madd16(s.interleave_high16(up, zero), scale), divisor);
    let w = s.pack32(low, high);
    if FAR {
        // Samples less 2^15 are signed factors, and the weights sum to 256.
        let (sign, rest, half) = (s.splat16(1 << 15), s.sub16(scale, w), s.splat32(128));
        let (sp, t) = (s.xor16(sp, sign), s.xor16(t, sign));
        let low = s.dot16(half, s.interleave_low16(sp, t), s.interleave_low16(w, rest));
        let high = s.dot16(half, s.interleave_high16(sp, t), s.interleave_high16(w, rest));
        return s.xor16(s.pack32(s.sra32::<8>(low), s.sra32::<8>(high)), sign);
    }
    s.add16(t, s.mul_round(s.sub16(sp, t), s.shl::<7>(w)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_are_exact() {
        for count in 1..=9u32 {
            let most = (2 * count - 1) * u32::from(SHORT_BIAS) + count / 2;
            let sums = if count == 1 { most..=most } else { 0..=most };
            for sum in sums {
                let product = (sum + u32::from(count == 1)) * u32::from(RECIPROCALS[count as usize]);
                assert_eq!(product >> 16, sum / count, "{sum} / {count}");
            }
        }
    }
}
