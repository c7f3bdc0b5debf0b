//! The 5×5 spatial filter of words (§13.3).
use super::Spatial;
use crate::denoise5::Denoise5;
use crate::isa::Isa;

/// The weights of differences as tables for vectors.
pub(super) struct Weights {
    distance: [[u8; 3]; 3],
    thresholds: [u16; 5],
    /// Weight by 5 less the number of thresholds that are reached.
    by_rest: [u8; 16],
}

impl Weights {
    #[inline(always)]
    pub fn new(p: &Denoise5) -> Weights {
        let (thresholds, range) = p.within(u16::MAX);
        let mut by_rest = [0; 16];
        for (rest, weight) in by_rest.iter_mut().zip(range.into_iter().rev()) {
            *rest = weight;
        }
        Weights { distance: p.distance, thresholds, by_rest }
    }

    /// The weight of each neighbour by its difference.
    #[inline(always)]
    fn of<I: Isa>(&self, s: I, d: I::H) -> I::H {
        let mut rest = s.splat16(5);
        for th in self.thresholds {
            // All ones is -1.
            rest = s.add16(rest, s.ge16(d, s.splat16(th)));
        }
        s.even(s.lookup(&self.by_rest, s.merge(rest, rest)))
    }
}

/// The 25 positions in pairs, lines then columns; the second of the last pair does not count.
const PAIRS: [[(usize, usize); 2]; 13] = {
    let mut pairs = [[(0, 0); 2]; 13];
    let mut at = 0;
    while at < 25 {
        pairs[at / 2][at % 2] = (at / 5, at % 5);
        at += 1;
    }
    pairs
};

/// The spatial filter of 5×5 samples. `cur[2][x + 2]` is sample x.
pub(super) struct Mean<'a> {
    pub cur: [&'a [u16]; 5],
    pub weights: Weights,
}

impl<I: Isa> Spatial<I, I::H> for Mean<'_> {
    #[inline(always)]
    fn mean(&self, s: I, c: I::H, x: usize) -> I::H {
        mean(s, self.cur, c, x, &self.weights)
    }
}

/// A sample less 2^15, as a signed factor, and its weight.
#[inline(always)]
fn term<I: Isa>(s: I, cur: [&[u16]; 5], c: I::H, x: usize, (line, column): (usize, usize), p: &Weights) -> (I::H, I::H) {
    let n = s.load16(&cur[line][x + column..]);
    let distance = p.distance[line.abs_diff(2)][column.abs_diff(2)];
    let weight = s.mul_low(p.of(s, s.distance16(n, c)), s.splat16(distance.into()));
    (s.xor16(n, s.splat16(1 << 15)), weight)
}

/// The weighted mean of the neighbourhood. `cur[2][x + 2]` is the sample of `c`.
#[inline(always)]
fn mean<I: Isa>(s: I, cur: [&[u16]; 5], c: I::H, x: usize, p: &Weights) -> I::H {
    // The sums of the products fit words.
    let (mut sums, mut weights) = ([s.splat32(0); 2], s.splat16(0));
    for (number, pair) in PAIRS.into_iter().enumerate() {
        let (a, first) = term(s, cur, c, x, pair[0], p);
        let (b, second) = if number == 12 { (s.splat16(0), s.splat16(0)) } else { term(s, cur, c, x, pair[1], p) };
        sums[0] = s.dot16(sums[0], s.interleave_low16(a, b), s.interleave_low16(first, second));
        sums[1] = s.dot16(sums[1], s.interleave_high16(a, b), s.interleave_high16(first, second));
        weights = s.add16(weights, s.add16(first, second));
    }
    quotient(s, sums, weights, c)
}

/// The rounded quotient of the sums, which lack 2^15 times the weights, and the weights; `c` where
/// there is no weight.
#[inline(always)]
fn quotient<I: Isa>(s: I, sums: [I::W; 2], weights: I::H, c: I::H) -> I::H {
    let zero = s.splat16(0);
    let low = part(s, sums[0], s.interleave_low16(weights, zero));
    let high = part(s, sums[1], s.interleave_high16(weights, zero));
    let mean = s.xor16(s.pack32(low, high), s.splat16(1 << 15));
    s.select16(s.eq16(weights, zero), c, mean)
}

/// The quotients less 2^15. `weights` are pairs of a weight and 0.
#[inline(always)]
fn part<I: Isa>(s: I, sums: I::W, weights: I::H) -> I::W {
    let divisor = s.max32(s.madd16(weights, s.splat_pair(1)), s.splat32(1));
    let half = s.sra32::<1>(divisor);
    // Both numbers are below 2^31. The approximate quotient, up to 65535, is off by one at most.
    let dividend = s.add32(s.add32(sums, s.mul32(divisor, s.splat32(1 << 15))), half);
    let approximate = s.div32(dividend, divisor);
    let rest = s.sub32(dividend, s.mul32(approximate, divisor));
    // -1 where the quotient is too great, and where it is too small.
    let excess = s.sra32::<31>(rest);
    let lack = s.sra32::<31>(s.sub32(s.sub32(divisor, s.splat32(1)), rest));
    s.sub32(s.sub32(s.add32(approximate, excess), lack), s.splat32(1 << 15))
}
