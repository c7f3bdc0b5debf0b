//! Panels of bytes. The horizontal sums fit halfwords.
use super::{CatmullRom, Source, TAPS, Target, pair};
use crate::isa::Isa;

impl CatmullRom for u8 {
    const BEYOND: usize = 5;

    #[inline(always)]
    fn panel<I: Isa>(s: I, dst: Target<u8>, src: Source<u8>, lines: usize, (right, down): (u8, u8), _: u8) {
        let taps = TAPS[usize::from(right)].map(|weight| weight as i8);
        // A direction without a move costs nothing.
        match (right, down) {
            (_, 0) => across(s, dst, src, lines, taps),
            (0, _) => both::<I, false>(s, dst, src, lines, taps, down),
            _ => both::<I, true>(s, dst, src, lines, taps, down),
        }
    }
}

/// The horizontal sums of the line at `at`, in units of 1/64.
#[inline(always)]
fn horizontal<I: Isa, const MOVED: bool>(s: I, src: Source<u8>, at: usize, [a, b, c, d]: [i8; 4]) -> I::H {
    let [near, far] = s.load_neighbours(&src.samples[at..], src.step);
    if MOVED { s.add16(s.madd_bytes(near, [a, b]), s.madd_bytes(far, [c, d])) } else { s.madd_bytes(near, [0, 64]) }
}

#[inline(always)]
fn across<I: Isa>(s: I, dst: Target<u8>, src: Source<u8>, lines: usize, taps: [i8; 4]) {
    let round = s.splat16(32);
    let (mut from, mut to) = (src.stride, 0);
    for _ in 0..lines {
        let sum = s.add16(horizontal::<I, true>(s, src, from, taps), round);
        s.store_half_groups(&mut dst.samples[to..], dst.step, s.sra::<6>(sum));
        (from, to) = (from + src.stride, to + dst.stride);
    }
}

/// Filters the sums of lines, in units of 1/64, vertically.
#[inline(always)]
fn both<I: Isa, const MOVED: bool>(s: I, dst: Target<u8>, src: Source<u8>, lines: usize, taps: [i8; 4], down: u8) {
    let [a, b, c, d] = TAPS[usize::from(down)];
    let (upper, lower) = (s.splat_pair(pair([a, b])), s.splat_pair(pair([c, d])));
    let round = s.splat32(1 << 11);
    let first = horizontal::<I, MOVED>(s, src, 0, taps);
    let second = horizontal::<I, MOVED>(s, src, src.stride, taps);
    let mut last = horizontal::<I, MOVED>(s, src, 2 * src.stride, taps);
    // Lines y and y + 1, y + 1 and y + 2.
    let (mut pair, mut next_pair) = (parts(s, first, second), parts(s, second, last));
    let (mut from, mut to) = (3 * src.stride, 0);
    for _ in 0..lines {
        let newest = horizontal::<I, MOVED>(s, src, from, taps);
        let newest_pair = parts(s, last, newest);
        let low = s.dot16(s.dot16(round, pair[0], upper), newest_pair[0], lower);
        let high = s.dot16(s.dot16(round, pair[1], upper), newest_pair[1], lower);
        let out = s.pack32(s.sra32::<12>(low), s.sra32::<12>(high));
        s.store_half_groups(&mut dst.samples[to..], dst.step, out);
        (pair, next_pair, last) = (next_pair, newest_pair, newest);
        (from, to) = (from + src.stride, to + dst.stride);
    }
}

/// Two lines in pairs of samples: the low and the high part.
#[inline(always)]
fn parts<I: Isa>(s: I, a: I::H, b: I::H) -> [I::H; 2] {
    [s.interleave_low16(a, b), s.interleave_high16(a, b)]
}
