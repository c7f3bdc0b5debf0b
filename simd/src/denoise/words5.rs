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
    let (mut words, mut divisors, mut out) = ([0; 32], [0; 32], [0; 32]);
    let (n, part) = (I::N / 2, I::N / 4);
    s.store32(&mut words[..part], sums[0]);
    s.store32(&mut words[part..], sums[1]);
    s.store16(&mut divisors, weights);
    for (at, (out, &w)) in out[..n].iter_mut().zip(&divisors[..n]).enumerate() {
        // Each part has four words of each group of eight.
        let sum = words[at % 8 / 4 * part + at / 8 * 4 + at % 4];
        let w = i32::from(w);
        // The numerator is positive and below 2^31, so that the quotient of these is exact before
        // it is truncated.
        *out = (f64::from(sum + (w << 15) + (w >> 1)) / f64::from(w.max(1))) as i32 as u16;
    }
    s.select16(s.eq16(weights, s.splat16(0)), c, s.load16(&out))
}
