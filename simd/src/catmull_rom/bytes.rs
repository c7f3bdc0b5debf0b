//! Panels of bytes. The horizontal sums fit halfwords.
use super::{CatmullRom, Source, TAPS, Target, pair};
use crate::isa::Isa;

impl CatmullRom for u8 {
    #[inline(always)]
    fn panel<I: Isa>(s: I, dst: Target<u8>, src: Source<u8>, lines: usize, (right, down): (u8, u8), _: u8) {
        // A direction without a move costs nothing.
        match (right, down) {
            (_, 0) => across(s, dst, src, lines, right),
            (0, _) => both::<I, false>(s, dst, src, lines, right, down),
            _ => both::<I, true>(s, dst, src, lines, right, down),
        }
    }
}

/// The horizontal sums of line `y`, in units of 1/64.
#[inline(always)]
fn horizontal<I: Isa, const MOVED: bool>(s: I, src: Source<u8>, y: usize, right: u8) -> I::H {
    let [near, far] = s.load_neighbours(&src.samples[y * src.stride..], src.step);
    if !MOVED {
        return s.madd_bytes(near, [0, 64]);
    }
    let [a, b, c, d] = TAPS[usize::from(right)].map(|weight| weight as i8);
    s.add16(s.madd_bytes(near, [a, b]), s.madd_bytes(far, [c, d]))
}

#[inline(always)]
fn across<I: Isa>(s: I, dst: Target<u8>, src: Source<u8>, lines: usize, right: u8) {
    let round = s.splat16(32);
    for y in 0..lines {
        let sum = s.add16(horizontal::<I, true>(s, src, y + 1, right), round);
        s.store_half_groups(&mut dst.samples[y * dst.stride..], dst.step, s.sra::<6>(sum));
    }
}

/// Filters the sums of lines, in units of 1/64, vertically.
#[inline(always)]
fn both<I: Isa, const MOVED: bool>(s: I, dst: Target<u8>, src: Source<u8>, lines: usize, right: u8, down: u8) {
    let [a, b, c, d] = TAPS[usize::from(down)];
    let (upper, lower) = (s.splat_pair(pair([a, b])), s.splat_pair(pair([c, d])));
    let round = s.splat32(1 << 11);
    let first = horizontal::<I, MOVED>(s, src, 0, right);
    let (second, mut last) = (horizontal::<I, MOVED>(s, src, 1, right), horizontal::<I, MOVED>(s, src, 2, right));
    // Lines y and y + 1, y + 1 and y + 2.
    let mut pairs = [parts(s, first, second), parts(s, second, last)];
    for y in 0..lines {
        let next = horizontal::<I, MOVED>(s, src, y + 3, right);
        let newest = parts(s, last, next);
        let [low, high] = pairs[0];
        let low = s.dot16(s.dot16(round, low, upper), newest[0], lower);
        let high = s.dot16(s.dot16(round, high, upper), newest[1], lower);
        let out = s.pack32(s.sra32::<12>(low), s.sra32::<12>(high));
        s.store_half_groups(&mut dst.samples[y * dst.stride..], dst.step, out);
        (pairs, last) = ([pairs[1], newest], next);
    }
}

/// Two lines in pairs of samples: the low and the high part.
#[inline(always)]
fn parts<I: Isa>(s: I, a: I::H, b: I::H) -> [I::H; 2] {
    [s.interleave_low16(a, b), s.interleave_high16(a, b)]
}
