//! Costs of the missing samples of a line, which the networks read (§14.3).
use crate::columns::Columns;
use crate::contract;
use crate::field_lines::{FieldLines, inner};
use crate::isa::{Isa, blocks, load_each};

/// Samples whose measures are computed before they are summed over windows: they fit the
/// first-level cache.
const CHUNK: usize = 256;
/// Samples of a window on either side of its centre.
const RADIUS: usize = 2;
/// Samples of a window.
const WIDTH: usize = 2 * RADIUS + 1;
/// Pairs of columns of a chunk and its windows.
const PAIRS: usize = CHUNK / 2 + RADIUS;

/// The fifth part of a sum, rounded: (sum · 13107 + 2^15) >> 16.
const FIFTH: u16 = 13107;
/// The same as (sum · 6554 + 2^14) >> 15, which is equal up to 2 · 5 · 255.
const FIFTH_15: u16 = 6554;

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
    // Whole pairs; a row of measures has whole vectors of bytes.
    let count = CHUNK.min(width & !1);
    if count < I::N {
        return false;
    }
    let mut measures = Measures::new();
    let [p, n] = [lines.before[2], lines.after[2]].map(|row| inner(row, width));
    let [c, e] = [lines.own[1], lines.own[2]].map(|row| inner(row, width));
    let (zero, limit) = (s.splat16(0), s.splat(limit));
    blocks!(width, count, start => {
        measures.fill(s, lines, start, count + 2 * RADIUS);
        let [time, across, still, comb] = costs.each_mut().map(|row| &mut row[start..][..count]);
        let [p, n, c, e] = [p, n, c, e].map(|row| &row[start..][..count]);
        let Measures { near, older, newer, combs, above, below } = &measures;
        blocks!(count, I::N, x => {
            store(s, &mut time[x..], halves(s, s.abs_diff(s.load(&p[x..]), s.load(&n[x..]))), shift);
            store(s, &mut across[x..], halves(s, s.abs_diff(s.load(&c[x..]), s.load(&e[x..]))), shift);
            let change = s.min(greatest(s, &above[x..]), greatest(s, &below[x..]));
            let is_local = halves(s, s.ge(change, limit));
            let older = older.windows::<I, WIDTH>(s, x / 2, zero);
            let newer = newer.windows::<I, WIDTH>(s, x / 2, zero);
            let near = near.windows::<I, WIDTH>(s, x / 2, zero);
            let mut measure = [zero; 2];
            for i in 0..2 {
                let outer = fifth(s, s.max15(older[i], newer[i]));
                let greatest = s.max15(s.shr::<3>(near[i]), outer);
                measure[i] = s.select16(s.eq16(is_local[i], zero), zero, greatest);
            }
            store(s, &mut still[x..], measure, shift);
            let [even, odd] = combs.windows::<I, WIDTH>(s, x / 2, zero);
            store(s, &mut comb[x..], [fifth(s, even), fifth(s, odd)], shift);
        });
    })
}

/// The measures of the samples of a chunk, from [`RADIUS`] samples before it on.
struct Measures {
    near: Columns<PAIRS>,
    older: Columns<PAIRS>,
    newer: Columns<PAIRS>,
    combs: Columns<PAIRS>,
    /// Local changes.
    above: [u8; 2 * PAIRS],
    below: [u8; 2 * PAIRS],
}

impl Measures {
    fn new() -> Measures {
        let columns = Columns::new;
        let row = [0; 2 * PAIRS];
        Measures { near: columns(), older: columns(), newer: columns(), combs: columns(), above: row, below: row }
    }

    /// Measures `count` samples, the first of them [`RADIUS`] samples before sample `start`.
    #[inline(always)]
    fn fill<I: Isa>(&mut self, s: I, lines: &FieldLines<u8>, start: usize, count: usize) {
        let first = crate::APRON - RADIUS + start;
        let own = lines.own.map(|row| &row[first..][..count]);
        let before = lines.before.map(|row| &row[first..][..count]);
        let after = lines.after.map(|row| &row[first..][..count]);
        let (older, newer) = (lines.older.map(|row| &row[first..][..count]), lines.newer.map(|row| &row[first..][..count]));
        blocks!(count, I::N, x => {
            let pair = x / 2;
            let [_, c, e, _] = load_each(s, own, x);
            let [_, pm, p, pp, _] = load_each(s, before, x);
            let [_, nm, n, np, _] = load_each(s, after, x);
            let ([qc, qe], [rc, re]) = (load_each(s, older, x), load_each(s, newer, x));
            let [time, above, below] = [s.abs_diff(p, n), s.abs_diff(pm, nm), s.abs_diff(pp, np)];
            let [even, odd] = sums(s, above, below);
            self.near.store(s, pair, s.add16(even, s.shl::<1>(s.even(time))), s.add16(odd, s.shl::<1>(s.odd(time))));
            let [qc, qe, rc, re] = [s.abs_diff(qc, c), s.abs_diff(qe, e), s.abs_diff(rc, c), s.abs_diff(re, e)];
            let [even, odd] = sums(s, qc, qe);
            self.older.store(s, pair, even, odd);
            let [even, odd] = sums(s, rc, re);
            self.newer.store(s, pair, even, odd);
            s.store(&mut self.above[x..], s.max(time, s.max(qc, rc)));
            s.store(&mut self.below[x..], s.max(time, s.max(qe, re)));
            let (fields, own) = (sums(s, p, n), sums(s, c, e));
            let (even, odd) = (s.abs_diff16(fields[0], own[0]), s.abs_diff16(fields[1], own[1]));
            self.combs.store(s, pair, s.shr::<1>(even), s.shr::<1>(odd));
        });
    }
}

/// Even and odd bytes.
#[inline(always)]
fn halves<I: Isa>(s: I, v: I::B) -> [I::H; 2] {
    [s.even(v), s.odd(v)]
}

/// Sums of even and of odd bytes.
#[inline(always)]
fn sums<I: Isa>(s: I, a: I::B, b: I::B) -> [I::H; 2] {
    [s.add16(s.even(a), s.even(b)), s.add16(s.odd(a), s.odd(b))]
}

/// Stores costs of even and odd samples.
#[inline(always)]
fn store<I: Isa>(s: I, dst: &mut [u16], [even, odd]: [I::H; 2], shift: u8) {
    s.store_alternating(dst, s.shl_by(even, shift), s.shl_by(odd, shift));
}

/// The greatest change of a sample and its two neighbours.
#[inline(always)]
fn greatest<I: Isa>(s: I, changes: &[u8]) -> I::B {
    s.max(s.max(s.load(&changes[RADIUS - 1..]), s.load(&changes[RADIUS + 1..])), s.load(&changes[RADIUS..]))
}

/// The fifth part of sums, rounded.
#[inline(always)]
fn fifth<I: Isa>(s: I, sum: I::H) -> I::H {
    s.mul_round(sum, s.splat16(FIFTH_15))
}
