//! Costs of a compensated picture by its residuals in the lines of the field (§15.8).
use crate::columns::Columns;
use crate::contract;
use crate::isa::{Isa, blocks, load_each};
use crate::{APRON, Row};

/// Samples whose columns are summed before the windows: they fit the first-level cache.
const CHUNK: usize = 256;
/// Samples of the wide window on either side of its centre, and one more: an even number.
const REACH: usize = 6;
/// Pairs of columns of a chunk and its windows.
const PAIRS: usize = CHUNK / 2 + REACH;

/// The fifth part of a sum, rounded: (sum · 6554 + 2^14) >> 15 is that up to 2 · 5 · 255.
const FIFTH: u16 = 6554;
/// The 11th part.
const ELEVENTH: u16 = 2979;

/// `costs[0][x]` is a fifth of the residuals of lines y - 1 and y + 1 in the columns x - 2 … x + 2,
/// `costs[1][x]` an 11th of those of lines y - 3, y - 1, y + 1, y + 3 in the columns x - 5 … x + 5,
/// both rounded, then shifted left by `shift`. `residuals` are the four lines from above.
pub fn scalar(costs: &mut [&mut [u16]; 2], residuals: [Row; 4], shift: u8) {
    let [near, wide] = costs;
    for (x, (near, wide)) in near.iter_mut().zip(wide.iter_mut()).enumerate() {
        let sum = |row: Row, reach: usize| row[APRON + x - reach..=APRON + x + reach].iter().map(|&v| u32::from(v)).sum::<u32>();
        let fifth = (sum(residuals[1], 2) + sum(residuals[2], 2)) * 13107 + 32768;
        let eleventh = residuals.map(|row| sum(row, 5)).iter().sum::<u32>() * 5958 + 32768;
        (*near, *wide) = ((fifth >> 16 << shift) as u16, (eleventh >> 16 << shift) as u16);
    }
}

/// Panics if the outputs differ in length, a row is too short, or the shift is above 4.
#[inline(always)]
pub(crate) fn check(costs: &[&mut [u16]; 2], residuals: [Row; 4], shift: u8) {
    contract::same_length([costs[0], costs[1]]);
    contract::rows(residuals, costs[0].len());
    contract::within(shift, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, costs: &mut [&mut [u16]; 2], residuals: [Row; 4], shift: u8) -> bool {
    let n = costs[0].len();
    // Whole pairs; a row of sums has whole vectors of bytes.
    let count = CHUNK.min(n & !1);
    if count < I::N {
        return false;
    }
    let [near, wide] = costs.each_mut().map(|row| &mut row[..n]);
    let (mut two, mut four) = (Columns::<PAIRS>::new(), Columns::<PAIRS>::new());
    let (fifth, eleventh) = (s.splat16(FIFTH), s.splat16(ELEVENTH));
    let [a, b, c, d] = residuals.map(|row| &row[APRON - REACH..]);
    blocks!(n, count, start => {
        let columns = count + 2 * REACH;
        let (a, b, c, d) = (&a[start..][..columns], &b[start..][..columns], &c[start..][..columns], &d[start..][..columns]);
        blocks!(columns, I::N, x => {
            let [a, b, c, d] = load_each(s, [a, b, c, d], x);
            let (even, odd) = (s.add16(s.even(b), s.even(c)), s.add16(s.odd(b), s.odd(c)));
            two.store(s, x / 2, even, odd);
            let (even, odd) = (s.add16(even, s.add16(s.even(a), s.even(d))), s.add16(odd, s.add16(s.odd(a), s.odd(d))));
            four.store(s, x / 2, even, odd);
        });
        let (near, wide) = (&mut near[start..][..count], &mut wide[start..][..count]);
        blocks!(count, I::N, x => {
            // The windows of a pair's two samples have whole pairs of columns in common.
            let pair = x / 2;
            let common = s.load16(&two.pairs[pair + 3..]);
            let even = s.add16(s.add16(s.load16(&two.pairs[pair + 2..]), common), s.load16(&two.even[pair + 4..]));
            let odd = s.add16(s.add16(s.load16(&two.odd[pair + 2..]), common), s.load16(&two.pairs[pair + 4..]));
            store_part(s, &mut near[x..], [even, odd], fifth, shift);
            let mut common = s.load16(&four.pairs[pair + 1..]);
            for i in 2..=5 {
                common = s.add16(common, s.load16(&four.pairs[pair + i..]));
            }
            let even = s.add16(s.load16(&four.odd[pair..]), common);
            let odd = s.add16(common, s.load16(&four.even[pair + 6..]));
            store_part(s, &mut wide[x..], [even, odd], eleventh, shift);
        });
    })
}

/// Stores a part of the sums of even and odd samples.
#[inline(always)]
fn store_part<I: Isa>(s: I, dst: &mut [u16], [even, odd]: [I::H; 2], factor: I::H, shift: u8) {
    let (even, odd) = (s.mul_round(even, factor), s.mul_round(odd, factor));
    s.store_alternating(dst, s.shl_by(even, shift), s.shl_by(odd, shift));
}
