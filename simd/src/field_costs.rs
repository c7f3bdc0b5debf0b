//! Costs of the missing samples of a line, which the networks read (§14.3).
use crate::contract;
use crate::field_lines::{FieldLines, inner};
use crate::isa::{Isa, blocks};

/// Samples whose measures are computed before they are summed over windows: they fit the
/// first-level cache.
const CHUNK: usize = 512;
/// Samples of a window on either side of its centre.
const RADIUS: usize = 2;
/// Entries of a row of measures: a chunk, its windows and a vector.
const LEN: usize = CHUNK + 2 * RADIUS + 64;

/// The fifth part of a sum, rounded: (sum · 13107 + 2^15) >> 16.
const FIFTH: u16 = 13107;

fn difference(a: u8, b: u8) -> i32 {
    i32::from(a.abs_diff(b))
}

/// Writes |P - N|, |c - e|, the static measure and the comb measure, each shifted left. The static
/// measure is 0 for a sample whose local change is below `limit`.
pub fn scalar(costs: &mut [&mut [u16]; 4], lines: &FieldLines<u8>, shift: u8, limit: u8) {
    let FieldLines { own: [_, c, e, _], before: [_, pm, p, pp, _], after: [_, nm, n, np, _], .. } = *lines;
    let ([qc, qe], [rc, re]) = (lines.older, lines.newer);
    let near = |i: usize| difference(pm[i], nm[i]) + 2 * difference(p[i], n[i]) + difference(pp[i], np[i]);
    let older = |i: usize| difference(qc[i], c[i]) + difference(qe[i], e[i]);
    let newer = |i: usize| difference(rc[i], c[i]) + difference(re[i], e[i]);
    let comb = |i: usize| (i32::from(p[i]) + i32::from(n[i]) - i32::from(c[i]) - i32::from(e[i])).abs() >> 1;
    let above = |i: usize| difference(p[i], n[i]).max(difference(qc[i], c[i])).max(difference(rc[i], c[i]));
    let below = |i: usize| difference(p[i], n[i]).max(difference(qe[i], e[i])).max(difference(re[i], e[i]));
    for x in 0..costs[0].len() {
        let x_in_row = x + crate::APRON;
        let sum = |measure: &dyn Fn(usize) -> i32| (x_in_row - RADIUS..=x_in_row + RADIUS).map(measure).sum::<i32>();
        let fifth = |sum: i32| (sum * i32::from(FIFTH) + (1 << 15)) >> 16;
        let still = (sum(&near) >> 3).max(fifth(sum(&older))).max(fifth(sum(&newer)));
        let greatest = |change: &dyn Fn(usize) -> i32| (x_in_row - 1..=x_in_row + 1).map(change).fold(0, i32::max);
        let still = if greatest(&above).min(greatest(&below)) < i32::from(limit) { 0 } else { still };
        let measures = [difference(p[x_in_row], n[x_in_row]), difference(c[x_in_row], e[x_in_row]), still, fifth(sum(&comb))];
        for (costs, measure) in costs.iter_mut().zip(measures) {
            costs[x] = (measure << shift) as u16;
        }
    }
}

/// Panics if the outputs differ in length, a line is too short or the shift above 4.
#[inline(always)]
pub(crate) fn check(costs: &[&mut [u16]; 4], lines: &FieldLines<u8>, shift: u8, _limit: u8) {
    let [first, others @ ..] = costs;
    for other in others {
        contract::same_length([first, other]);
    }
    lines.check(first.len());
    contract::within(shift, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, costs: &mut [&mut [u16]; 4], lines: &FieldLines<u8>, shift: u8, limit: u8) -> bool {
    let width = costs[0].len();
    if width < I::N / 2 {
        return false;
    }
    let mut measures = [[0u16; LEN]; 6];
    let count = CHUNK.min(width);
    let [p, n] = [lines.before[2], lines.after[2]].map(|row| inner(row, width));
    let [c, e] = [lines.own[1], lines.own[2]].map(|row| inner(row, width));
    blocks!(width, count, start => {
        measure(s, &mut measures, lines, start, count + 2 * RADIUS);
        let [time, across, still, comb] = costs.each_mut().map(|row| &mut row[start..start + count]);
        let [near, older, newer, combs, above, below] = &measures;
        let [p, n, c, e] = [p, n, c, e].map(|row| &row[start..start + count]);
        blocks!(count, I::N / 2, x => {
            s.store16(&mut time[x..], s.shl_by(s.abs_diff16(s.load_half(&p[x..]), s.load_half(&n[x..])), shift));
            s.store16(&mut across[x..], s.shl_by(s.abs_diff16(s.load_half(&c[x..]), s.load_half(&e[x..])), shift));
            let outer = s.max15(fifth(s, window(s, &older[x..])), fifth(s, window(s, &newer[x..])));
            let measure = s.shl_by(s.max15(s.shr::<3>(window(s, &near[x..])), outer), shift);
            let change = s.min15(greatest(s, &above[x..]), greatest(s, &below[x..]));
            s.store16(&mut still[x..], s.select16(s.gt15(s.splat16(limit.into()), change), s.splat16(0), measure));
            s.store16(&mut comb[x..], s.shl_by(fifth(s, window(s, &combs[x..])), shift));
        });
    })
}

/// The measures of `count` samples, the first of them `RADIUS` samples before sample `start`. The
/// entries after them, up to the vector's end, are of the samples that follow or unspecified.
#[inline(always)]
fn measure<I: Isa>(s: I, measures: &mut [[u16; LEN]; 6], lines: &FieldLines<u8>, start: usize, count: usize) {
    let first = crate::APRON - RADIUS + start;
    let FieldLines { own: [_, c, e, _], before: [_, pm, p, pp, _], after: [_, nm, n, np, _], .. } = *lines;
    let ([qc, qe], [rc, re]) = (lines.older, lines.newer);
    let [near, older, newer, comb, upper, lower] = measures;
    let mut x = 0;
    while x < count {
        let at = first + x.min(count - I::N / 2);
        let x_out = at - first;
        let [c, e] = [s.load_half(&c[at..]), s.load_half(&e[at..])];
        let [p, n] = [s.load_half(&p[at..]), s.load_half(&n[at..])];
        let time = s.abs_diff16(p, n);
        let above = s.abs_diff16(s.load_half(&pm[at..]), s.load_half(&nm[at..]));
        let below = s.abs_diff16(s.load_half(&pp[at..]), s.load_half(&np[at..]));
        s.store16(&mut near[x_out..], s.add16(s.add16(above, below), s.add16(time, time)));
        let [qc, qe] = [s.abs_diff16(s.load_half(&qc[at..]), c), s.abs_diff16(s.load_half(&qe[at..]), e)];
        s.store16(&mut older[x_out..], s.add16(qc, qe));
        let [rc, re] = [s.abs_diff16(s.load_half(&rc[at..]), c), s.abs_diff16(s.load_half(&re[at..]), e)];
        s.store16(&mut newer[x_out..], s.add16(rc, re));
        s.store16(&mut upper[x_out..], s.max15(time, s.max15(qc, rc)));
        s.store16(&mut lower[x_out..], s.max15(time, s.max15(qe, re)));
        s.store16(&mut comb[x_out..], s.shr::<1>(s.abs_diff16(s.add16(p, n), s.add16(c, e))));
        x += I::N / 2;
    }
}

/// Sums of five neighbours.
#[inline(always)]
fn window<I: Isa>(s: I, measures: &[u16]) -> I::H {
    let outer = s.add16(s.load16(measures), s.load16(&measures[4..]));
    let inner = s.add16(s.load16(&measures[1..]), s.load16(&measures[3..]));
    s.add16(s.add16(outer, inner), s.load16(&measures[2..]))
}

/// The greatest change of three neighbours, of which the middle one is that of the sample.
#[inline(always)]
fn greatest<I: Isa>(s: I, changes: &[u16]) -> I::H {
    s.max15(s.max15(s.load16(&changes[1..]), s.load16(&changes[3..])), s.load16(&changes[2..]))
}

/// The fifth part of sums, rounded.
#[inline(always)]
fn fifth<I: Isa>(s: I, sum: I::H) -> I::H {
    let factor = s.splat16(FIFTH);
    s.add16(s.mul_high(sum, factor), s.shr::<15>(s.mul_low(sum, factor)))
}
