//! Costs of a compensated picture by its residuals in the lines of the field (§15.6).
use crate::contract;
use crate::isa::{Isa, blocks, load_each};
use crate::{APRON, Row};

/// Samples whose columns are summed before the windows: they fit the first-level cache.
const CHUNK: usize = 512;
/// Samples of the wide window on either side of its centre.
const REACH: usize = 5;
/// Entries of a row of sums: a chunk and its windows.
const LEN: usize = CHUNK + 2 * REACH;

/// The fifth and the 11th part of a sum, rounded: (sum · factor + 2^15) >> 16.
const FIFTH: u16 = 13107;
/// See [`FIFTH`].
const ELEVENTH: u16 = 5958;

/// `costs[0][x]` is a fifth of the residuals of lines y - 1 and y + 1 in the columns x - 2 … x + 2,
/// `costs[1][x]` an 11th of those of lines y - 3, y - 1, y + 1, y + 3 in the columns x - 5 … x + 5,
/// both rounded, then shifted left by `shift`. `residuals` are the four lines from above.
pub fn scalar(costs: &mut [&mut [u16]; 2], residuals: [Row; 4], shift: u8) {
    let [near, wide] = costs;
    for (x, (near, wide)) in near.iter_mut().zip(wide.iter_mut()).enumerate() {
        let sum = |row: Row, reach: usize| row[APRON + x - reach..=APRON + x + reach].iter().map(|&v| u32::from(v)).sum::<u32>();
        let fifth = (sum(residuals[1], 2) + sum(residuals[2], 2)) * u32::from(FIFTH) + 32768;
        let eleventh = residuals.map(|row| sum(row, 5)).iter().sum::<u32>() * u32::from(ELEVENTH) + 32768;
        (*near, *wide) = ((fifth >> 16 << shift) as u16, (eleventh >> 16 << shift) as u16);
    }
}

/// Panics if the outputs differ in length, a row is too short, or the shift is above 4.
#[inline(always)]
pub(crate) fn check(costs: &[&mut [u16]; 2], residuals: [Row; 4], shift: u8) {
    contract::same_length([&costs[0], &costs[1]]);
    contract::rows(residuals, costs[0].len());
    contract::within(shift, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, costs: &mut [&mut [u16]; 2], residuals: [Row; 4], shift: u8) -> bool {
    let n = costs[0].len();
    // A row of sums has whole vectors of bytes.
    if n < I::N {
        return false;
    }
    let [near, wide] = costs.each_mut().map(|row| &mut row[..n]);
    // Sums of the columns of two and of four lines, the first of them REACH before the first sample.
    let (mut two, mut four) = ([0; LEN], [0; LEN]);
    let count = CHUNK.min(n);
    let (fifth, eleventh) = (s.splat16(FIFTH), s.splat16(ELEVENTH));
    let [a, b, c, d] = residuals.map(|row| &row[APRON - REACH..]);
    blocks!(n, count, start => {
        let columns = count + 2 * REACH;
        let (a, b, c, d) = (&a[start..][..columns], &b[start..][..columns], &c[start..][..columns], &d[start..][..columns]);
        blocks!(columns, I::N, x => {
            let [a, b, c, d] = load_each(s, [a, b, c, d], x);
            let inner = [s.add16(s.widen_low(b), s.widen_low(c)), s.add16(s.widen_high(b), s.widen_high(c))];
            let outer = [s.add16(s.widen_low(a), s.widen_low(d)), s.add16(s.widen_high(a), s.widen_high(d))];
            s.store_parts(&mut two[x..], inner[0], inner[1]);
            s.store_parts(&mut four[x..], s.add16(inner[0], outer[0]), s.add16(inner[1], outer[1]));
        });
        let (near, wide) = (&mut near[start..][..count], &mut wide[start..][..count]);
        blocks!(count, I::N / 2, x => {
            let sum = window::<I, 5>(s, &two[x + REACH - 2..]);
            s.store16(&mut near[x..], s.shl_by(s.mul_rounded(sum, fifth), shift));
            let sum = window::<I, 11>(s, &four[x..]);
            s.store16(&mut wide[x..], s.shl_by(s.mul_rounded(sum, eleventh), shift));
        });
    })
}

/// Sums of `COLUMNS` neighbours.
#[inline(always)]
fn window<I: Isa, const COLUMNS: usize>(s: I, sums: &[u16]) -> I::H {
    let mut sum = s.load16(sums);
    for i in 1..COLUMNS {
        sum = s.add16(sum, s.load16(&sums[i..]));
    }
    sum
}
