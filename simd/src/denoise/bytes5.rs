//! The 5×5 spatial filter of bytes (§13.3).
use super::Spatial;
use crate::denoise5::Denoise5;
use crate::isa::Isa;

/// The weights of differences as tables for vectors.
pub(super) struct Weights {
    distance: [[u8; 3]; 3],
    /// Weight of a difference up to 15, and the change from there on, if no weight changes beyond
    /// 30.
    near: Option<[[u8; 16]; 2]>,
    thresholds: [u8; 5],
    /// Weight by 5 less the number of thresholds that are reached.
    by_rest: [u8; 16],
}

impl Weights {
    #[inline(always)]
    pub fn new(p: &Denoise5) -> Weights {
        let (thresholds, range) = p.within(255);
        let of = |d: u16| range[thresholds.iter().filter(|&&th| d >= th).count()];
        let mut near = [[0; 16]; 2];
        for d in 0..16 {
            near[0][d as usize] = of(d);
            near[1][d as usize] = of(15 + d).wrapping_sub(of(15));
        }
        let mut by_rest = [0; 16];
        for (rest, weight) in by_rest.iter_mut().zip(range.into_iter().rev()) {
            *rest = weight;
        }
        Weights {
            distance: p.distance,
            near: (31..256).all(|d| of(d) == of(30)).then_some(near),
            thresholds: thresholds.map(|th| th as u8),
            by_rest,
        }
    }

    /// The weights of differences.
    #[inline(always)]
    fn of<I: Isa>(&self, s: I, d: I::B) -> I::B {
        if let Some([first, change]) = &self.near {
            let fifteen = s.splat(15);
            let beyond = s.min(s.sub_saturating(d, fifteen), fifteen);
            return s.add(s.lookup(first, s.min(d, fifteen)), s.lookup(change, beyond));
        }
        let mut rest = s.splat(5);
        for th in self.thresholds {
            // 255 is -1.
            rest = s.add(rest, s.ge(d, s.splat(th)));
        }
        s.lookup(&self.by_rest, rest)
    }
}

/// Neighbours of one distance: the sums of their products with the weights of their differences,
/// even and odd, at most 31620, and of these weights, at most 124.
#[inline(always)]
fn class<I: Isa>(s: I, cur: [&[u8]; 5], c: I::B, x: usize, (dy, dx): (usize, usize), p: &Weights) -> (I::H, I::H, I::B) {
    let (mut even, mut odd, mut weights) = (s.splat16(0), s.splat16(0), s.splat(0));
    for (i, line) in [2 - dy, 2 + dy].into_iter().enumerate() {
        for (j, column) in [2 - dx, 2 + dx].into_iter().enumerate() {
            if (i == 1 && dy == 0) || (j == 1 && dx == 0) {
                continue;
            }
            let n = s.load(&cur[line][x + column..]);
            let w = p.of(s, s.abs_diff(n, c));
            even = s.add16(even, s.mul_low(s.even(n), s.even(w)));
            odd = s.add16(odd, s.mul_low(s.odd(n), s.odd(w)));
            weights = s.add(weights, w);
        }
    }
    (even, odd, weights)
}

/// The spatial filter of 5×5 samples. `cur[2][x + 2]` is sample x.
pub(super) struct Mean<'a> {
    pub cur: [&'a [u8]; 5],
    pub weights: Weights,
}

impl<I: Isa> Spatial<I, I::B> for Mean<'_> {
    #[inline(always)]
    fn mean(&self, s: I, c: I::B, x: usize) -> I::B {
        mean(s, self.cur, c, x, &self.weights)
    }
}

/// The weighted mean of the neighbourhood. `cur[2][x + 2]` is the sample of `c`.
#[inline(always)]
fn mean<I: Isa>(s: I, cur: [&[u8]; 5], c: I::B, x: usize, p: &Weights) -> I::B {
    let zero = s.splat32(0);
    let (mut even, mut odd) = ([zero; 2], [zero; 2]);
    let (mut even_weights, mut odd_weights) = (s.splat16(0), s.splat16(0));
    for pair in [[(1, 1), (1, 2)], [(2, 1), (2, 2)], [(0, 1), (0, 2)], [(1, 0), (2, 0)]] {
        let (first, second) = (class(s, cur, c, x, pair[0], p), class(s, cur, c, x, pair[1], p));
        let [a, b] = [p.distance[pair[0].0][pair[0].1], p.distance[pair[1].0][pair[1].1]];
        let factors = s.pair16([a as i8, b as i8]);
        even[0] = s.dot16(even[0], s.interleave_low16(first.0, second.0), factors);
        even[1] = s.dot16(even[1], s.interleave_high16(first.0, second.0), factors);
        odd[0] = s.dot16(odd[0], s.interleave_low16(first.1, second.1), factors);
        odd[1] = s.dot16(odd[1], s.interleave_high16(first.1, second.1), factors);
        for (weights, w) in [(first.2, a), (second.2, b)] {
            let w = s.splat16(w.into());
            even_weights = s.add16(even_weights, s.mul_low(s.even(weights), w));
            odd_weights = s.add16(odd_weights, s.mul_low(s.odd(weights), w));
        }
    }
    // The sample itself has one weight everywhere: at most 31 * 31, and 31 * 255 fits with it.
    let own = p.of(s, s.splat(0));
    let distance = s.splat16(p.distance[0][0].into());
    even_weights = s.add16(even_weights, s.mul_low(s.even(own), distance));
    odd_weights = s.add16(odd_weights, s.mul_low(s.odd(own), distance));
    let factors = s.pair16([p.distance[0][0] as i8, 1]);
    s.merge(
        mean_of(s, s.mul_low(s.even(own), s.even(c)), s.even(c), even, even_weights, factors),
        mean_of(s, s.mul_low(s.odd(own), s.odd(c)), s.odd(c), odd, odd_weights, factors),
    )
}

/// The mean of the sums with the sample's own product; `c` where there is no weight.
#[inline(always)]
fn mean_of<I: Isa>(s: I, product: I::H, c: I::H, sums: [I::W; 2], weights: I::H, factors: I::H) -> I::H {
    let half = s.shr::<1>(weights);
    let low = s.dot16(sums[0], s.interleave_low16(product, half), factors);
    let high = s.dot16(sums[1], s.interleave_high16(product, half), factors);
    quotient(s, [low, high], weights, c)
}

/// `sums / weights`, and `c` where there is no weight. Sums are below 2^23.
#[inline(always)]
fn quotient<I: Isa>(s: I, [low, high]: [I::W; 2], weights: I::H, c: I::H) -> I::H {
    let (zero, one) = (s.splat16(0), s.splat16(1));
    let divisor = s.max15(weights, one);
    let low = s.div32(low, s.madd16(s.interleave_low16(divisor, zero), one));
    let high = s.div32(high, s.madd16(s.interleave_high16(divisor, zero), one));
    s.select16(s.eq16(weights, zero), c, s.pack32(low, high))
}
