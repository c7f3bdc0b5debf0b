//! Red and blue of a line of a Bayer frame (§13.8).
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes the colour that the line has samples of, `own`, and the one that its neighbours have,
/// `other`. `values` are the samples of the line and of the lines above and below it, and `greens`
/// green there, each with a sample before the first one and after the last one. Columns of the
/// parity `green` have green samples.
pub fn scalar(own: &mut [u16], other: &mut [u16], values: [&[u16]; 3], greens: [&[u16]; 3], green: usize) {
    for (x, (own, other)) in own.iter_mut().zip(other).enumerate() {
        let e = |dx: usize, dy: usize| i32::from(values[dy][x + dx]) - i32::from(greens[dy][x + dx]);
        let with = |difference: i32| (i32::from(greens[1][x + 1]) + difference).clamp(0, 65535) as u16;
        if x % 2 == green % 2 {
            *own = with((e(0, 1) + e(2, 1)) >> 1);
            *other = with((e(1, 0) + e(1, 2)) >> 1);
        } else {
            *own = values[1][x + 1];
            *other = with((e(0, 0) + e(2, 0) + e(0, 2) + e(2, 2)) >> 2);
        }
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(own: &[u16], other: &[u16], values: [&[u16]; 3], greens: [&[u16]; 3], _: usize) {
    contract::same_length([own, other]);
    contract::at_least(values, own.len() + 2);
    contract::at_least(greens, own.len() + 2);
}

/// Value and green alternating, each less 2^15, of the low and of the high part.
#[inline(always)]
fn pairs<I: Isa>(s: I, value: &[u16], green: &[u16]) -> [I::H; 2] {
    let bias = s.splat16(1 << 15);
    let (value, green) = (s.xor16(s.load16(value), bias), s.xor16(s.load16(green), bias));
    [s.interleave_low16(value, green), s.interleave_high16(value, green)]
}

/// The green of the centre and the mean of the differences, limited to 0…65535.
#[inline(always)]
fn with<I: Isa, const LOG2: u32>(s: I, center: [I::H; 2], sums: [I::W; 2]) -> I::H {
    let green = s.splat_pair(0x1_0000);
    let low = s.dot16(s.sra32::<LOG2>(sums[0]), center[0], green);
    let high = s.dot16(s.sra32::<LOG2>(sums[1]), center[1], green);
    s.xor16(s.pack32(low, high), s.splat16(1 << 15))
}

/// The differences of values to green of two places, added.
#[inline(always)]
fn sums<I: Isa>(s: I, a: [I::H; 2], b: [I::H; 2]) -> [I::W; 2] {
    let difference = s.splat_pair(0xffff_0001);
    let low = s.dot16(s.madd16(a[0], difference), b[0], difference);
    let high = s.dot16(s.madd16(a[1], difference), b[1], difference);
    [low, high]
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    own: &mut [u16],
    other: &mut [u16],
    values: [&[u16]; 3],
    greens: [&[u16]; 3],
    green: usize,
) -> bool {
    let n = own.len();
    blocks!(n, I::N / 2, x => {
        let [above, line, below] = values.map(|row| &row[x..]);
        let [green_above, green_line, green_below] = greens.map(|row| &row[x..]);
        let center = pairs(s, &line[1..], &green_line[1..]);
        let beside = sums(s, pairs(s, line, green_line), pairs(s, &line[2..], &green_line[2..]));
        let across = with::<I, 1>(s, center, beside);
        let next = sums(s, pairs(s, &above[1..], &green_above[1..]), pairs(s, &below[1..], &green_below[1..]));
        let down = with::<I, 1>(s, center, next);
        let upper = sums(s, pairs(s, above, green_above), pairs(s, &above[2..], &green_above[2..]));
        let lower = sums(s, pairs(s, below, green_below), pairs(s, &below[2..], &green_below[2..]));
        let corners = [s.add32(upper[0], lower[0]), s.add32(upper[1], lower[1])];
        let diagonal = with::<I, 2>(s, center, corners);
        let is_green = s.splat_pair(if (x + green).is_multiple_of(2) { 0xffff } else { 0xffff_0000 });
        s.store16(&mut own[x..], s.select16(is_green, across, s.load16(&line[1..])));
        s.store16(&mut other[x..], s.select16(is_green, down, diagonal));
    })
}
