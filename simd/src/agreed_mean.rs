//! Weighted mean of references that agree (§15.9).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// References that agree differ by far less: the sum of eight such differences fits 16 bits.
const MOST: u16 = 4095;

/// `dst[x]` is the weighted mean of the references in column x and of `alone[x]`, limited to them:
/// the first two and `alone` weigh 2/8 each, the other two 1/8, and halves are rounded up. Where
/// the static measure is below the threshold of `still`, `dst` keeps its value. Differences to the
/// least reference above 4095 count as 4095.
pub fn scalar<S: Sample>(dst: &mut [S], references: [&[S]; 4], alone: &[S], still: (&[u16], u16)) {
    for (x, out) in dst.iter_mut().enumerate() {
        if still.0[x] < still.1 {
            continue;
        }
        let values: [u32; 4] = references.map(|row| row[x].into());
        let (least, greatest) = values.into_iter().fold((u32::MAX, 0), |(least, greatest), v| (least.min(v), greatest.max(v)));
        let alone = alone[x].into().clamp(least, greatest);
        let above = |value: u32| (value - least).min(MOST.into());
        let [first, second, third, fourth] = values.map(above);
        let sum = 2 * (first + second + above(alone)) + third + fourth;
        *out = S::from_u32(least + ((sum + 4) >> 3));
    }
}

/// Panics if a slice is too short or the threshold above 2^15 - 1.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], references: [&[S]; 4], alone: &[S], still: (&[u16], u16)) {
    contract::at_least(references, dst.len());
    contract::at_least([alone], dst.len());
    contract::at_least([still.0], dst.len());
    contract::within(still.1, 0..=0x7fff);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], references: [&[S]; 4], alone: &[S], still: (&[u16], u16)) -> bool {
    let n = dst.len();
    let rows = references.map(|row| &row[..n]);
    let (alone, measures) = (&alone[..n], &still.0[..n]);
    let (threshold, most, round) = (s.splat16(still.1), s.splat16(MOST), s.splat16(4));
    blocks!(n, I::N / 2, x => {
        let values = rows.map(|row| S::load_half(s, &row[x..]));
        let [a, b, c, d] = values;
        let least = s.min16(s.min16(a, b), s.min16(c, d));
        let greatest = s.max16(s.max16(a, b), s.max16(c, d));
        let alone = s.min16(s.max16(S::load_half(s, &alone[x..]), least), greatest);
        let [a, b, c, d, alone] = [a, b, c, d, alone].map(|v| s.min16(s.sub16(v, least), most));
        let twice = s.add16(s.add16(a, b), alone);
        let sum = s.add16(s.add16(twice, twice), s.add16(s.add16(c, d), round));
        let mean = s.add16(least, s.shr::<3>(sum));
        let moves = s.ge16(s.load16(&measures[x..]), threshold);
        let out = s.select16(moves, mean, S::load_half(s, &dst[x..]));
        S::store_half(s, &mut dst[x..], out);
    })
}
