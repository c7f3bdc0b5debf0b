//! The best symmetric motion between the fields before and after a missing line (§14.3).
use crate::field_lines::FieldLines;
use crate::isa::{Isa, Lane, blocks};
use crate::least_cost::{CHUNK, LeastCost};
use crate::sample::Sample;
use crate::{APRON, contract};

/// The points in field t - 1, in samples and frame lines, in the order in which equal costs are
/// decided; field t + 1 is read at the opposite point.
const MOTIONS: [(isize, isize); 11] =
    [(0, 0), (-1, 0), (1, 0), (-2, 0), (2, 0), (-3, 0), (3, 0), (-4, 0), (4, 0), (0, -2), (0, 2)];
/// Samples of a window on either side of its centre.
const RADIUS: usize = 3;

/// The cost of a motion that is not 0.
#[inline(always)]
const fn penalty((x, y): (isize, isize)) -> u16 {
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
    // Whole pairs, a vector of bytes at least.
    let count = CHUNK.min(width & !1);
    if count < I::N {
        return false;
    }
    let [out, still] = costs.each_mut().map(|costs| &mut costs[..width]);
    blocks!(width, count, start => {
        let value = &mut value[start..][..count];
        let mut least = LeastCost::new();
        macro_rules! improve {
            ($($motion:literal)*) => { $(improve::<I, S, $motion>(s, &mut least, value, decisions, lines, start);)* };
        }
        improve!(0);
        least.store::<I, 4>(s, &mut still[start..][..count], shift);
        improve!(1 2 3 4 5 6 7 8 9 10);
        least.store::<I, 4>(s, &mut out[start..][..count], shift);
    })
}

/// Compares motion number `MOTION`, a constant, so that the lines and offsets are constants, too.
#[inline(always)]
fn improve<I: Isa, S: Lane, const MOTION: usize>(
    s: I,
    least: &mut LeastCost,
    value: &mut [S],
    decisions: &FieldLines<u8>,
    lines: &FieldLines<S>,
    start: usize,
) {
    let motion = const { MOTIONS[MOTION] };
    let earlier = (APRON + start).wrapping_add_signed(motion.0);
    let later = (APRON + start).wrapping_add_signed(-motion.0);
    let [before, after] = compared(decisions, motion);
    let (before, after) = (before.map(|row| &row[earlier - RADIUS..]), after.map(|row| &row[later - RADIUS..]));
    let rows = [[before[0], after[0]], [before[1], after[1]], [before[2], after[2]]];
    let [before, after] = compared(lines, motion);
    let means = [&before[1][earlier..], &after[1][later..]];
    least.improve::<I, S, 3, RADIUS>(s, value, means, rows, const { penalty(MOTIONS[MOTION]) });
}
