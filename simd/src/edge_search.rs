//! The best of nine angles between the lines above and below a missing line (§14.3).
use crate::field_lines::FieldLines;
use crate::isa::{Isa, Lane, blocks};
use crate::least_cost::{CHUNK, LeastCost};
use crate::sample::Sample;
use crate::{APRON, contract};

/// Horizontal offsets of the angles, in the order in which equal costs are decided.
const OFFSETS: [isize; 9] = [0, -1, 1, -2, 2, -3, 3, -4, 4];
/// Samples of a window on either side of its centre.
const RADIUS: usize = 2;

fn cost(decisions: &FieldLines<u8>, x: usize, offset: isize) -> u16 {
    let [_, upper, lower, _] = decisions.own;
    let at = |offset: isize| (x + APRON).wrapping_add_signed(offset);
    let differences = (-2..=2).map(|i| u16::from(upper[at(i + offset)].abs_diff(lower[at(i - offset)])));
    differences.sum::<u16>() + 2 * offset.unsigned_abs() as u16
}

/// The offset in the line above that [`edge_search`](crate::SampleKernels::edge_search) finds for
/// sample `x`, -4…4.
pub fn best_angle(decisions: &FieldLines<u8>, x: usize) -> isize {
    // The first of equal costs.
    OFFSETS.into_iter().min_by_key(|&offset| cost(decisions, x, offset)).unwrap_or(0)
}

/// Writes the mean of the best angle, and to `costs` half the cost of the best angle and half the
/// cost of the vertical, shifted left.
pub fn scalar<S: Sample>(
    value: &mut [S],
    costs: &mut [&mut [u16]; 2],
    decisions: &FieldLines<u8>,
    lines: &FieldLines<S>,
    shift: u8,
) {
    let [_, above, below, _] = lines.own;
    for x in 0..value.len() {
        let at = |offset: isize| (x + APRON).wrapping_add_signed(offset);
        let best = best_angle(decisions, x);
        value[x] = S::from_u32((above[at(best)].into() + below[at(-best)].into() + 1) >> 1);
        costs[0][x] = (cost(decisions, x, best) >> 1) << shift;
        costs[1][x] = (cost(decisions, x, 0) >> 1) << shift;
    }
}

/// Panics if the outputs differ in length, a line is too short or the shift above 4.
#[inline(always)]
pub(crate) fn check<S>(value: &[S], costs: &[&mut [u16]; 2], decisions: &FieldLines<u8>, lines: &FieldLines<S>, shift: u8) {
    contract::same_length([costs[0], costs[1]]);
    contract::at_least([costs[0]], value.len());
    decisions.check(value.len());
    lines.check(value.len());
    contract::within(shift, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(
    s: I,
    value: &mut [S],
    costs: &mut [&mut [u16]; 2],
    decisions: &FieldLines<u8>,
    lines: &FieldLines<S>,
    shift: u8,
) -> bool {
    let width = value.len();
    // Whole pairs, a vector of bytes at least.
    let count = CHUNK.min(width & !1);
    if count < I::N {
        return false;
    }
    let ([_, upper, lower, _], [_, above, below, _]) = (decisions.own, lines.own);
    let [costs, vertical] = costs.each_mut().map(|costs| &mut costs[..width]);
    blocks!(width, count, start => {
        let value = &mut value[start..][..count];
        let mut least = LeastCost::new();
        for (index, offset) in OFFSETS.into_iter().enumerate() {
            let [up, down] = [offset, -offset].map(|offset| (APRON + start).wrapping_add_signed(offset));
            let rows = [[&upper[up - RADIUS..], &lower[down - RADIUS..]]];
            let penalty = 2 * offset.unsigned_abs() as u16;
            least.improve::<I, S, 1, RADIUS>(s, value, [&above[up..], &below[down..]], rows, penalty);
            if index == 0 {
                least.store::<I, 1>(s, &mut vertical[start..][..count], shift);
            }
        }
        least.store::<I, 1>(s, &mut costs[start..][..count], shift);
    })
}
