//! Inputs of the fusion network that are made of its other inputs: the best reference and medians
//! (§15.6).
use crate::contract;
use crate::isa::{Isa, blocks};

/// Inputs of the fusion network.
pub const FUSION_INPUTS: usize = 56;
/// The value of each reference above, at, and below the sample.
const REFERENCES: [[usize; 3]; 4] = [[8, 10, 12], [13, 15, 17], [18, 19, 20], [21, 22, 23]];
/// The lines above and below.
const ABOVE: usize = 1;
const BELOW: usize = 4;
/// The first near cost, wide cost, and phase of the references.
const NEAR: usize = 38;
const WIDE: usize = 42;
const PHASE: usize = 50;
/// The first value and the cost that the kernel writes.
const CHOSEN: usize = 32;
const COST: usize = 54;

/// Writes inputs 32 to 37 and 54, each `width` signed numbers from `inputs[i * stride]` on, from the
/// other inputs and the rounded mean of the fields before and after, which is relative to the base
/// like the inputs. `shift` are the bits of the inputs beyond 8.
pub fn scalar(inputs: &mut [u16], stride: usize, mean: &[u16], shift: u8) {
    for (x, &mean) in mean.iter().enumerate() {
        let get = |inputs: &[u16], i: usize| i32::from(inputs[i * stride + x] as i16);
        let at = |i| get(inputs, i);
        let cost = |k: usize| {
            let far = if k >= 2 { 2 } else { 0 };
            2 * (at(NEAR + k) >> shift) + (at(WIDE + k) >> shift) + ((32 - (at(PHASE + k) >> shift)) >> 4) + far
        };
        let costs = [0, 1, 2, 3].map(cost);
        let best = (1..4).fold(0, |best, k| if costs[k] < costs[best] { k } else { best });
        let value = |k: usize| at(REFERENCES[k][1]);
        let chosen = value(best);
        let difference = at(ABOVE) - at(REFERENCES[best][0]) + at(BELOW) - at(REFERENCES[best][2]);
        let median = |a: i32, b: i32, c: i32| a.min(b).max(a.max(b).min(c));
        let results = [
            chosen,
            chosen + (difference >> 1),
            value(usize::from(costs[1] < costs[0])),
            value(2 + usize::from(costs[3] < costs[2])),
            median(value(0), value(1), 0),
            median(chosen, (value(0) + value(1) + 1) >> 1, i32::from(mean as i16)),
        ];
        for (i, result) in results.into_iter().enumerate() {
            inputs[(CHOSEN + i) * stride + x] = result as u16;
        }
        inputs[COST * stride + x] = (costs[best].min(255) << shift) as u16;
    }
}

/// Panics if the inputs are too short or the shift is above 4.
#[inline(always)]
pub(crate) fn check(inputs: &[u16], stride: usize, mean: &[u16], shift: u8) {
    contract::lines(inputs, FUSION_INPUTS, stride, mean.len());
    contract::within(shift, 0..=4);
}

/// Signed halfwords hold all sums of inputs of 12 bits.
#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, inputs: &mut [u16], stride: usize, mean: &[u16], shift: u8) -> bool {
    let n = mean.len();
    // The inputs that the kernel writes are apart from those that it reads.
    let (samples, rest) = inputs.split_at_mut(CHOSEN * stride);
    let (written, rest) = rest.split_at_mut((NEAR - CHOSEN) * stride);
    let (costs, last) = rest.split_at_mut((COST - NEAR) * stride);
    let (written, written_cost) = (rows_mut::<6>(written, stride, n), &mut last[..n]);
    let [nears, wides, phases] =
        [NEAR, WIDE, PHASE].map(|first| rows::<4>(costs, [0, 1, 2, 3].map(|k| first - NEAR + k), stride, n));
    let [above, values, below] = [0, 1, 2].map(|line| rows::<4>(samples, REFERENCES.map(|inputs| inputs[line]), stride, n));
    let [line_above, line_below] = rows(samples, [ABOVE, BELOW], stride, n);
    blocks!(n, I::N / 2, x => {
        let mut least = s.splat16(0);
        let (mut chosen, mut outer) = (least, least);
        let (mut means, mut costs) = ([least; 4], [least; 4]);
        for k in 0..4 {
            let near = unshifted(s, s.load16(&nears[k][x..]), shift);
            let wide = unshifted(s, s.load16(&wides[k][x..]), shift);
            let phase = unshifted(s, s.load16(&phases[k][x..]), shift);
            let moved = s.sra::<4>(s.sub16(s.splat16(32), phase));
            let far = s.splat16(if k >= 2 { 2 } else { 0 });
            costs[k] = s.add16(s.add16(s.add16(near, near), wide), s.add16(moved, far));
            means[k] = s.load16(&values[k][x..]);
            let both = s.add16(s.load16(&above[k][x..]), s.load16(&below[k][x..]));
            if k == 0 {
                (least, chosen, outer) = (costs[k], means[k], both);
            } else {
                let is_better = s.gt15(least, costs[k]);
                least = s.min15(least, costs[k]);
                chosen = s.select16(is_better, means[k], chosen);
                outer = s.select16(is_better, both, outer);
            }
        }
        let lines = s.add16(s.load16(&line_above[x..]), s.load16(&line_below[x..]));
        let difference = s.sub16(lines, outer);
        let [first, second, third, fourth] = means;
        let average = s.sra::<1>(s.add16(s.add16(first, second), s.splat16(1)));
        s.store16(&mut written[0][x..], chosen);
        s.store16(&mut written[1][x..], s.add16(chosen, s.sra::<1>(difference)));
        s.store16(&mut written[2][x..], s.select16(s.gt15(costs[0], costs[1]), second, first));
        s.store16(&mut written[3][x..], s.select16(s.gt15(costs[2], costs[3]), fourth, third));
        s.store16(&mut written[4][x..], median(s, first, second, s.splat16(0)));
        s.store16(&mut written[5][x..], median(s, chosen, average, s.load16(&mean[x..])));
        s.store16(&mut written_cost[x..], s.shl_by(s.min15(least, s.splat16(255)), shift));
    })
}

/// Rows of these inputs, of `n` samples each.
#[inline(always)]
fn rows<const K: usize>(inputs: &[u16], numbers: [usize; K], stride: usize, n: usize) -> [&[u16]; K] {
    numbers.map(|number| &inputs[number * stride..][..n])
}

/// The first rows.
#[inline(always)]
fn rows_mut<const K: usize>(inputs: &mut [u16], stride: usize, n: usize) -> [&mut [u16]; K] {
    let mut rest = inputs;
    std::array::from_fn(|_| {
        let (row, others) = std::mem::take(&mut rest).split_at_mut(stride);
        rest = others;
        &mut row[..n]
    })
}

/// `v >> shift`; v is not negative.
#[inline(always)]
fn unshifted<I: Isa>(s: I, v: I::H, shift: u8) -> I::H {
    if shift == 0 { v } else { s.shr_by(v, shift) }
}

#[inline(always)]
fn median<I: Isa>(s: I, a: I::H, b: I::H, c: I::H) -> I::H {
    s.max15(s.min15(a, b), s.min15(s.max15(a, b), c))
}
