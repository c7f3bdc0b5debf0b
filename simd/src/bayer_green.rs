//! Green of a line of a Bayer frame (§13.8).
use crate::contract;
use crate::isa::{Isa, blocks};
use std::cmp::Ordering;

/// Writes green. `rows` are the line, with two samples before its first one and after its last one,
/// and two lines above and below it. Columns of the parity `green` have green samples, which stay.
pub fn scalar(dst: &mut [u16], rows: [&[u16]; 5], green: usize) {
    for (x, out) in dst.iter_mut().enumerate() {
        let across = [0, 1, 2, 3, 4].map(|dx| i32::from(rows[2][x + dx]));
        let column = rows.map(|row| i32::from(row[x + 2]));
        *out = if x % 2 == green % 2 { rows[2][x + 2] } else { interpolated(across, column) as u16 };
    }
}

/// Green at a red or blue sample, from the five samples of its line and of its column.
fn interpolated(across: [i32; 5], column: [i32; 5]) -> i32 {
    let second = |[a, _, v, _, b]: [i32; 5]| 2 * v - a - b;
    let distance = |line: [i32; 5]| (line[1] - line[3]).abs() + second(line).abs();
    let value = |line: [i32; 5]| ((2 * (line[1] + line[3]) + second(line) + 2) >> 2).clamp(0, 65535);
    match distance(across).cmp(&distance(column)) {
        Ordering::Less => value(across),
        Ordering::Greater => value(column),
        Ordering::Equal => (value(across) + value(column) + 1) >> 1,
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u16], rows: [&[u16]; 5], _: usize) {
    contract::at_least(rows, dst.len() + 4);
}

/// Distances and values of the low or the high part of a vector.
#[derive(Clone, Copy)]
struct Part<W> {
    distance: W,
    /// The value less 2^15.
    value: W,
}

/// `line` are signed: samples less 2^15.
#[inline(always)]
fn part<I: Isa>(s: I, [ab, v, near]: [I::H; 3]) -> Part<I::W> {
    let zero = s.splat32(0);
    // The terms of 2^15 add up to 0 in differences, and to 2^17 in a value.
    let second = s.sub32(s.madd16(v, s.splat_pair(2)), s.madd16(ab, s.splat_pair(0x1_0001)));
    let first = s.madd16(near, s.splat_pair(0xffff_0001));
    let distance = s.add32(s.max32(first, s.sub32(zero, first)), s.max32(second, s.sub32(zero, second)));
    let sum = s.add32(s.add32(s.madd16(near, s.splat_pair(0x2_0002)), second), s.splat32(2));
    Part { distance, value: s.sra32::<2>(sum) }
}

/// Both parts of five samples of a line or column.
#[inline(always)]
fn parts<I: Isa>(s: I, [a, b, v, c, d]: [I::H; 5]) -> [Part<I::W>; 2] {
    let zero = s.splat16(0);
    let low = part(s, [s.interleave_low16(a, d), s.interleave_low16(v, zero), s.interleave_low16(b, c)]);
    let high = part(s, [s.interleave_high16(a, d), s.interleave_high16(v, zero), s.interleave_high16(b, c)]);
    [low, high]
}

/// The values as samples.
#[inline(always)]
fn value<I: Isa>(s: I, [low, high]: &[Part<I::W>; 2]) -> I::H {
    s.xor16(s.pack32(low.value, high.value), s.splat16(1 << 15))
}

/// All ones where the distance of `a` is less.
#[inline(always)]
fn is_less<I: Isa>(s: I, a: &[Part<I::W>; 2], b: &[Part<I::W>; 2]) -> I::H {
    let low = s.sra32::<31>(s.sub32(a[0].distance, b[0].distance));
    let high = s.sra32::<31>(s.sub32(a[1].distance, b[1].distance));
    s.pack32(low, high)
}

/// Samples less 2^15.
#[inline(always)]
fn signed<I: Isa>(s: I, row: &[u16]) -> I::H {
    s.xor16(s.load16(row), s.splat16(1 << 15))
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], rows: [&[u16]; 5], green: usize) -> bool {
    let n = dst.len();
    blocks!(n, I::N / 2, x => {
        let (a, v, b) = (&rows[1][x + 2..], &rows[2][x..], &rows[3][x + 2..]);
        let center = signed(s, &v[2..]);
        let across = parts(s, [signed(s, v), signed(s, &v[1..]), center, signed(s, &v[3..]), signed(s, &v[4..])]);
        let [first, last] = [signed(s, &rows[0][x + 2..]), signed(s, &rows[4][x + 2..])];
        let column = parts(s, [first, signed(s, a), center, signed(s, b), last]);
        let (of_line, of_column) = (value(s, &across), value(s, &column));
        let either = s.select16(is_less(s, &column, &across), of_column, s.avg_up16(of_line, of_column));
        let interpolated = s.select16(is_less(s, &across, &column), of_line, either);
        let is_green = s.splat_pair(if (x + green).is_multiple_of(2) { 0xffff } else { 0xffff_0000 });
        s.store16(&mut dst[x..], s.select16(is_green, s.load16(&v[2..]), interpolated));
    })
}
