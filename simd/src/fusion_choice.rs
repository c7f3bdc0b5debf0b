//! Inputs of the fusion network that are made of its other inputs: the best reference and medians
//! (§15.8).
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

/// Writes inputs 32 to 37 and 54, each `width` signed numbers from `inputs[i * stride]` on, from
/// the other inputs and the rounded mean of the fields before and after, which is relative to the
/// base like the inputs. `shift` are the bits of the inputs beyond 8.
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
    if shift == 0 {
        choose::<I, false>(s, inputs, stride, mean, shift)
    } else {
        choose::<I, true>(s, inputs, stride, mean, shift)
    }
}

/// `SHIFTED` says whether the shift is not 0. All rows are variables of their own, so that the
/// compiler knows that their lengths are equal.
#[inline(always)]
fn choose<I: Isa, const SHIFTED: bool>(s: I, inputs: &mut [u16], stride: usize, mean: &[u16], shift: u8) -> bool {
    let n = mean.len();
    // The inputs that the kernel writes are apart from those that it reads.
    let (samples, rest) = inputs.split_at_mut(CHOSEN * stride);
    let (written, rest) = rest.split_at_mut((NEAR - CHOSEN) * stride);
    let (costs, cost) = rest.split_at_mut((COST - NEAR) * stride);
    let (samples, costs, cost) = (&*samples, &*costs, &mut cost[..n]);
    let (first, second, third, fourth) = (
        Reference::new::<0>(samples, costs, stride, n),
        Reference::new::<1>(samples, costs, stride, n),
        Reference::new::<2>(samples, costs, stride, n),
        Reference::new::<3>(samples, costs, stride, n),
    );
    let (above, below) = (row(samples, ABOVE, stride, n), row(samples, BELOW, stride, n));
    let (chosen, written) = written.split_at_mut(stride);
    let (corrected, written) = written.split_at_mut(stride);
    let (near, written) = written.split_at_mut(stride);
    let (far, written) = written.split_at_mut(stride);
    let (median_of_near, median_of_chosen) = written.split_at_mut(stride);
    let (chosen, corrected, near, far) = (&mut chosen[..n], &mut corrected[..n], &mut near[..n], &mut far[..n]);
    let (median_of_near, median_of_chosen) = (&mut median_of_near[..n], &mut median_of_chosen[..n]);
    blocks!(n, I::N / 2, x => {
        let a = first.at::<I, SHIFTED>(s, x, shift, 0);
        let b = second.at::<I, SHIFTED>(s, x, shift, 0);
        let c = third.at::<I, SHIFTED>(s, x, shift, 2);
        let d = fourth.at::<I, SHIFTED>(s, x, shift, 2);
        let (is_second, is_fourth) = (s.gt15(a.cost, b.cost), s.gt15(c.cost, d.cost));
        let (least_near, least_far) = (s.min15(a.cost, b.cost), s.min15(c.cost, d.cost));
        let is_far = s.gt15(least_near, least_far);
        let (value_near, value_far) = (s.select16(is_second, b.value, a.value), s.select16(is_fourth, d.value, c.value));
        let value = s.select16(is_far, value_far, value_near);
        let (outer_near, outer_far) = (s.select16(is_second, b.outer, a.outer), s.select16(is_fourth, d.outer, c.outer));
        let outer = s.select16(is_far, outer_far, outer_near);
        let lines = s.add16(s.load16(&above[x..]), s.load16(&below[x..]));
        let average = s.sra::<1>(s.add16(s.add16(a.value, b.value), s.splat16(1)));
        s.store16(&mut chosen[x..], value);
        s.store16(&mut corrected[x..], s.add16(value, s.sra::<1>(s.sub16(lines, outer))));
        s.store16(&mut near[x..], value_near);
        s.store16(&mut far[x..], value_far);
        s.store16(&mut median_of_near[x..], median(s, a.value, b.value, s.splat16(0)));
        s.store16(&mut median_of_chosen[x..], median(s, value, average, s.load16(&mean[x..])));
        let least = s.min15(s.min15(least_near, least_far), s.splat16(255));
        s.store16(&mut cost[x..], s.shl_by(least, shift));
    })
}

/// The inputs of a reference.
struct Reference<'a> {
    above: &'a [u16],
    value: &'a [u16],
    below: &'a [u16],
    near: &'a [u16],
    wide: &'a [u16],
    phase: &'a [u16],
}

/// A reference at some samples.
struct Candidate<H> {
    cost: H,
    value: H,
    /// The values above and below, added.
    outer: H,
}

impl<'a> Reference<'a> {
    #[inline(always)]
    fn new<const K: usize>(samples: &'a [u16], costs: &'a [u16], stride: usize, n: usize) -> Reference<'a> {
        let [above, value, below] = REFERENCES[K];
        Reference {
            above: row(samples, above, stride, n),
            value: row(samples, value, stride, n),
            below: row(samples, below, stride, n),
            near: row(costs, K, stride, n),
            wide: row(costs, WIDE - NEAR + K, stride, n),
            phase: row(costs, PHASE - NEAR + K, stride, n),
        }
    }

    #[inline(always)]
    fn at<I: Isa, const SHIFTED: bool>(&self, s: I, x: usize, shift: u8, far: u16) -> Candidate<I::H> {
        let (mut near, mut wide) = (s.load16(&self.near[x..]), s.load16(&self.wide[x..]));
        let mut phase = s.load16(&self.phase[x..]);
        if SHIFTED {
            (near, wide, phase) = (s.shr_by(near, shift), s.shr_by(wide, shift), s.shr_by(phase, shift));
        }
        let moved = s.sra::<4>(s.sub16(s.splat16(32 + 16 * far), phase));
        Candidate {
            cost: s.add16(s.add16(s.add16(near, near), wide), moved),
            value: s.load16(&self.value[x..]),
            outer: s.add16(s.load16(&self.above[x..]), s.load16(&self.below[x..])),
        }
    }
}

#[inline(always)]
fn row(inputs: &[u16], number: usize, stride: usize, n: usize) -> &[u16] {
    &inputs[number * stride..][..n]
}

#[inline(always)]
fn median<I: Isa>(s: I, a: I::H, b: I::H, c: I::H) -> I::H {
    s.max15(s.min15(a, b), s.min15(s.max15(a, b), c))
}
