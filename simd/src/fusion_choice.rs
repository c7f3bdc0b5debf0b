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
    blocks!(n, I::N / 2, x => {
        let mut costs = [s.splat16(0); 4];
        for (k, cost) in costs.iter_mut().enumerate() {
            let [near, wide, phase] = [NEAR, WIDE, PHASE].map(|first| &inputs[(first + k) * stride + x..]);
            let (near, wide, phase) = (s.load16(near), s.load16(wide), s.load16(phase));
            let (near, wide, phase) = (unshifted(s, near, shift), unshifted(s, wide, shift), unshifted(s, phase, shift));
            let moved = s.sra::<4>(s.sub16(s.splat16(32), phase));
            let far = s.splat16(if k >= 2 { 2 } else { 0 });
            *cost = s.add16(s.add16(s.add16(near, near), wide), s.add16(moved, far));
        }
        let mut values = [s.splat16(0); 4];
        for (value, [_, at, _]) in values.iter_mut().zip(REFERENCES) {
            *value = s.load16(&inputs[at * stride + x..]);
        }
        let (mut least, mut chosen) = (costs[0], values[0]);
        let mut outer = outer_sum(s, inputs, stride, 0, x);
        for k in 1..4 {
            let is_better = s.gt15(least, costs[k]);
            least = s.min15(least, costs[k]);
            chosen = s.select16(is_better, values[k], chosen);
            outer = s.select16(is_better, outer_sum(s, inputs, stride, k, x), outer);
        }
        let lines = s.add16(s.load16(&inputs[ABOVE * stride + x..]), s.load16(&inputs[BELOW * stride + x..]));
        let difference = s.sub16(lines, outer);
        let [first, second, third, fourth] = values;
        let (zero, mean) = (s.splat16(0), s.load16(&mean[x..]));
        let average = s.sra::<1>(s.add16(s.add16(first, second), s.splat16(1)));
        let results = [
            chosen,
            s.add16(chosen, s.sra::<1>(difference)),
            s.select16(s.gt15(costs[0], costs[1]), second, first),
            s.select16(s.gt15(costs[2], costs[3]), fourth, third),
            median(s, first, second, zero),
            median(s, chosen, average, mean),
        ];
        for (i, result) in results.into_iter().enumerate() {
            s.store16(&mut inputs[(CHOSEN + i) * stride + x..], result);
        }
        s.store16(&mut inputs[COST * stride + x..], s.shl_by(s.min15(least, s.splat16(255)), shift));
    })
}

/// The values of reference `k` above and below, added.
#[inline(always)]
fn outer_sum<I: Isa>(s: I, inputs: &[u16], stride: usize, k: usize, x: usize) -> I::H {
    let [above, _, below] = REFERENCES[k];
    s.add16(s.load16(&inputs[above * stride + x..]), s.load16(&inputs[below * stride + x..]))
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
