//! The best symmetric motion between the fields before and after a missing line (§14.3).
use crate::field_lines::FieldLines;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;
use crate::{APRON, contract};

/// The points in field t - 1, in samples and frame lines, in the order in which equal costs are
/// decided; field t + 1 is read at the opposite point.
const MOTIONS: [(isize, isize); 11] =
    [(0, 0), (-1, 0), (1, 0), (-2, 0), (2, 0), (-3, 0), (3, 0), (-4, 0), (4, 0), (0, -2), (0, 2)];
/// Samples of a window on either side of its centre.
const RADIUS: usize = 3;
/// Samples that all motions visit before the next ones: they fit the first-level cache.
const CHUNK: usize = 512;
/// Entries of a row of differences: a chunk, its windows and a vector.
const LEN: usize = CHUNK + 2 * RADIUS + 64;

/// The cost of a motion that is not 0.
#[inline(always)]
fn penalty((x, y): (isize, isize)) -> u16 {
    3 * (x.unsigned_abs() + y.unsigned_abs()) as u16
}

/// The three lines that a motion compares, from the fields before and after: index 1 is the line
/// that gives the value.
#[inline(always)]
fn compared<'a, S>(lines: &FieldLines<'a, S>, (_, y): (isize, isize)) -> [[&'a [S]; 3]; 2] {
    let three = |lines: [&'a [S]; 5], y: isize| {
        let centre = 2usize.wrapping_add_signed(y / 2);
        [lines[centre - 1], lines[centre], lines[centre + 1]]
    };
    [three(lines.before, y), three(lines.after, -y)]
}

fn cost(decisions: &FieldLines<u8>, x: usize, motion: (isize, isize)) -> u16 {
    let at = |offset: isize| (x + APRON).wrapping_add_signed(offset);
    let [before, after] = compared(decisions, motion);
    let difference = |line: usize, i: isize| u16::from(before[line][at(i + motion.0)].abs_diff(after[line][at(i - motion.0)]));
    let weighted = (-3..=3).map(|i| difference(0, i) + 2 * difference(1, i) + difference(2, i));
    penalty(motion) + weighted.sum::<u16>()
}

/// The motion that [`temporal_search`](crate::SampleKernels::temporal_search) finds for sample `x`:
/// samples and lines to the point that it reads in field t - 1.
pub fn best_motion(decisions: &FieldLines<u8>, x: usize) -> (isize, isize) {
    // The first of equal costs.
    MOTIONS.into_iter().min_by_key(|&motion| cost(decisions, x, motion)).unwrap_or((0, 0))
}

/// Writes the mean of the best motion, and to `costs` a 16th of its cost and of that of no motion,
/// shifted left. A motion (x, y) reads field t - 1 at (+x, +y) and field t + 1 at (-x, -y).
pub fn scalar<S: Sample>(
    value: &mut [S],
    costs: &mut [&mut [u16]; 2],
    decisions: &FieldLines<u8>,
    lines: &FieldLines<S>,
    shift: u8,
) {
    for (x, value) in value.iter_mut().enumerate() {
        let at = |offset: isize| (x + APRON).wrapping_add_signed(offset);
        let best = best_motion(decisions, x);
        let [before, after] = compared(lines, best);
        *value = S::from_u32((before[1][at(best.0)].into() + after[1][at(-best.0)].into() + 1) >> 1);
        costs[0][x] = (cost(decisions, x, best) >> 4) << shift;
        costs[1][x] = (cost(decisions, x, (0, 0)) >> 4) << shift;
    }
}

/// Panics if a slice or a line is too short or the shift above 4.
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
    let [out, still] = costs.each_mut().map(|costs| &mut costs[..width]);
    let mut differences = [0; LEN];
    let count = CHUNK.min(width);
    let mut best = [0; CHUNK];
    blocks!(width, count, start => {
        let (value, out, best) = (&mut value[start..start + count], &mut out[start..start + count], &mut best[..count]);
        for (index, motion) in MOTIONS.into_iter().enumerate() {
            let first = [motion.0, -motion.0].map(|offset| (APRON + start).wrapping_add_signed(offset));
            let [before, after] = compared(decisions, motion);
            let [before, after] = [before.map(|row| &row[first[0] - RADIUS..]), after.map(|row| &row[first[1] - RADIUS..])];
            measure(s, &mut differences, before, after, count + 2 * RADIUS);
            let [before, after] = compared(lines, motion);
            let (before, after) = (&before[1][first[0]..][..count], &after[1][first[1]..][..count]);
            let penalty = s.splat16(penalty(motion));
            blocks!(count, I::N / 2, x => {
                let cost = s.add16(window(s, &differences[x..]), penalty);
                let mean = s.avg_up16(S::load_half(s, &before[x..]), S::load_half(s, &after[x..]));
                if index == 0 {
                    s.store16(&mut best[x..], cost);
                    s.store16(&mut still[start + x..], s.shl_by(s.shr::<4>(cost), shift));
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
            s.store16(&mut out[x..], s.shl_by(s.shr::<4>(s.load16(&best[x..])), shift));
        });
    })
}

/// Weighted differences of `count` samples, at least one vector.
#[inline(always)]
fn measure<I: Isa>(s: I, differences: &mut [u16; LEN], before: [&[u8]; 3], after: [&[u8]; 3], count: usize) {
    let ([b0, b1, b2], [a0, a1, a2]) = (before, after);
    let (b0, b1, b2) = (&b0[..count], &b1[..count], &b2[..count]);
    let (a0, a1, a2) = (&a0[..count], &a1[..count], &a2[..count]);
    blocks!(count, I::N, x => {
        let upper = s.abs_diff(s.load(&b0[x..]), s.load(&a0[x..]));
        let centre = s.abs_diff(s.load(&b1[x..]), s.load(&a1[x..]));
        let lower = s.abs_diff(s.load(&b2[x..]), s.load(&a2[x..]));
        let low = s.add16(s.add16(s.widen_low(upper), s.widen_low(lower)), s.shl::<1>(s.widen_low(centre)));
        let high = s.add16(s.add16(s.widen_high(upper), s.widen_high(lower)), s.shl::<1>(s.widen_high(centre)));
        s.store_parts(&mut differences[x..], low, high);
    });
}

/// Sums of seven neighbours.
#[inline(always)]
fn window<I: Isa>(s: I, differences: &[u16]) -> I::H {
    let mut sum = s.load16(differences);
    for i in 1..=2 * RADIUS {
        sum = s.add16(sum, s.load16(&differences[i..]));
    }
    sum
}
