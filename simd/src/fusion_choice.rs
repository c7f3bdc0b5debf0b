//! Inputs of the fusion network that are made of its other inputs: the best reference and medians
//! (§15.6).
use crate::contract;
use crate::isa::Isa;

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

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [u16], _: usize, _: &[u16], _: u8) -> bool {
    false
}
