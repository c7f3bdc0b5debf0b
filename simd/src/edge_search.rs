//! The best of nine angles between the lines above and below a missing line (§14.3).
use crate::field_lines::FieldLines;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;
use crate::{APRON, contract};

/// Horizontal offsets of the angles, in the order in which equal costs are decided.
const OFFSETS: [isize; 9] = [0, -1, 1, -2, 2, -3, 3, -4, 4];
/// Samples of a window on either side of its centre.
const RADIUS: usize = 2;
/// Samples that all angles visit before the next ones: they fit the first-level cache.
const CHUNK: usize = 512;
/// Entries of a row of differences: a chunk, its windows and a vector.
const LEN: usize = CHUNK + 2 * RADIUS + 64;

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
    // A row of differences has whole vectors of bytes.
    if width < I::N {
        return false;
    }
    let [_, upper, lower, _] = decisions.own;
    let [_, above, below, _] = lines.own;
    let [costs, vertical] = costs.each_mut().map(|costs| &mut costs[..width]);
    let mut differences = [0; LEN];
    let count = CHUNK.min(width);
    let mut best = [0; CHUNK];
    blocks!(width, count, start => {
        let (value, best) = (&mut value[start..start + count], &mut best[..count]);
        for (index, offset) in OFFSETS.into_iter().enumerate() {
            let first = [offset, -offset].map(|offset| (APRON + start).wrapping_add_signed(offset));
            measure(s, &mut differences, &upper[first[0] - RADIUS..], &lower[first[1] - RADIUS..], count + 2 * RADIUS);
            let (above, below) = (&above[first[0]..][..count], &below[first[1]..][..count]);
            let penalty = s.splat16(2 * offset.unsigned_abs() as u16);
            blocks!(count, I::N / 2, x => {
                let cost = s.add16(window(s, &differences[x..]), penalty);
                let mean = s.avg_up16(S::load_half(s, &above[x..]), S::load_half(s, &below[x..]));
                if index == 0 {
                    s.store16(&mut best[x..], cost);
                    s.store16(&mut vertical[start + x..], s.shl_by(s.shr::<1>(cost), shift));
                    S::store_half(s, &mut value[x..], mean);
                } else {
                    let least = s.load16(&best[x..]);
                    let is_better = s.gt15(least, cost);
                    s.store16(&mut best[x..], s.min15(least, cost));
                    let chosen = s.select16(is_better, mean, S::load_half(s, &value[x..]));
                    S::store_half(s, &mut value[x..], chosen);
                }
            });
        }
        blocks!(count, I::N / 2, x => {
            s.store16(&mut costs[start + x..], s.shl_by(s.shr::<1>(s.load16(&best[x..])), shift));
        });
    })
}

/// Differences of `count` samples, at least one vector.
#[inline(always)]
fn measure<I: Isa>(s: I, differences: &mut [u16; LEN], upper: &[u8], lower: &[u8], count: usize) {
    let (upper, lower) = (&upper[..count], &lower[..count]);
    blocks!(count, I::N, x => {
        let difference = s.abs_diff(s.load(&upper[x..]), s.load(&lower[x..]));
        s.store_parts(&mut differences[x..], s.widen_low(difference), s.widen_high(difference));
    });
}

/// Sums of five neighbours.
#[inline(always)]
fn window<I: Isa>(s: I, differences: &[u16]) -> I::H {
    let outer = s.add16(s.load16(differences), s.load16(&differences[4..]));
    let inner = s.add16(s.load16(&differences[1..]), s.load16(&differences[3..]));
    s.add16(s.add16(outer, inner), s.load16(&differences[2..]))
}
