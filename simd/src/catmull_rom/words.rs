//! Panels of words of 9 to 16 bits. Sums have up to 24 bits; a product of one and a weight is that
//! of a pair of halfwords, its 8 low and its other bits, and a pair of weights.
use super::{CatmullRom, Source, TAPS, Target, pair};
use crate::isa::Isa;

/// Half the range of words: samples below it are negative halfwords.
const CENTRE: i32 = 1 << 15;

/// The sums of 8 samples of each group: of the even and of the odd ones.
type Sums<W> = [W; 2];

impl CatmullRom for u16 {
    const BEYOND: usize = 0;

    #[inline(always)]
    fn panel<I: Isa>(s: I, dst: Target<u16>, src: Source<u16>, lines: usize, (right, down): (u8, u8), depth: u8) {
        let most = s.splat32((1 << depth) - 1);
        let taps = TAPS[usize::from(right)];
        match (right, down) {
            (_, 0) => across(s, dst, src, lines, taps, most),
            (0, _) => both::<I, false>(s, dst, src, lines, (taps, down), most),
            _ => both::<I, true>(s, dst, src, lines, (taps, down), most),
        }
    }
}

/// Samples from `at` on, less [`CENTRE`].
#[inline(always)]
fn load<I: Isa>(s: I, src: Source<u16>, at: usize) -> I::H {
    s.xor16(s.load_groups16(&src.samples[at..], src.step), s.splat16(CENTRE as u16))
}

/// The horizontal sums of the line at `at`, in units of 1/64.
#[inline(always)]
fn horizontal<I: Isa, const MOVED: bool>(s: I, src: Source<u16>, at: usize, [a, b, c, d]: [i16; 4]) -> Sums<I::W> {
    if !MOVED {
        let samples = load(s, src, at + 1);
        return [s.madd16(samples, s.splat_pair(pair([64, 0]))), s.madd16(samples, s.splat_pair(pair([0, 64])))];
    }
    let (near, far) = (s.splat_pair(pair([a, b])), s.splat_pair(pair([c, d])));
    [
        s.dot16(s.madd16(load(s, src, at), near), load(s, src, at + 2), far),
        s.dot16(s.madd16(load(s, src, at + 1), near), load(s, src, at + 3), far),
    ]
}

#[inline(always)]
fn across<I: Isa>(s: I, dst: Target<u16>, src: Source<u16>, lines: usize, taps: [i16; 4], most: I::W) {
    let round = s.splat32(32 + 64 * CENTRE);
    let (mut from, mut to) = (src.stride, 0);
    for _ in 0..lines {
        let [even, odd] = horizontal::<I, true>(s, src, from, taps);
        let (even, odd) = (s.sra32::<6>(s.add32(even, round)), s.sra32::<6>(s.add32(odd, round)));
        store(s, &mut dst.samples[to..], dst.step, even, odd, most);
        (from, to) = (from + src.stride, to + dst.stride);
    }
}

/// Filters the sums of lines, in units of 1/64, vertically.
#[inline(always)]
fn both<I: Isa, const MOVED: bool>(
    s: I,
    dst: Target<u16>,
    src: Source<u16>,
    lines: usize,
    (taps, down): ([i16; 4], u8),
    most: I::W,
) {
    // The other bits of a sum have the value 256.
    let [a, b, c, d] = TAPS[usize::from(down)].map(|weight| pair([weight, 256 * weight]));
    let (a, b, c, d) = (s.splat_pair(a), s.splat_pair(b), s.splat_pair(c), s.splat_pair(d));
    let round = s.splat32((1 << 11) + 64 * 64 * CENTRE);
    let mut first = split(s, horizontal::<I, MOVED>(s, src, 0, taps));
    let mut second = split(s, horizontal::<I, MOVED>(s, src, src.stride, taps));
    let mut third = split(s, horizontal::<I, MOVED>(s, src, 2 * src.stride, taps));
    let (mut from, mut to) = (3 * src.stride, 0);
    for _ in 0..lines {
        let fourth = split(s, horizontal::<I, MOVED>(s, src, from, taps));
        let even = s.dot16(s.dot16(s.dot16(s.dot16(round, first[0], a), second[0], b), third[0], c), fourth[0], d);
        let odd = s.dot16(s.dot16(s.dot16(s.dot16(round, first[1], a), second[1], b), third[1], c), fourth[1], d);
        store(s, &mut dst.samples[to..], dst.step, s.sra32::<12>(even), s.sra32::<12>(odd), most);
        (first, second, third) = (second, third, fourth);
        (from, to) = (from + src.stride, to + dst.stride);
    }
}

/// The 8 low bits of each sum, and the others.
#[inline(always)]
fn split<I: Isa>(s: I, [even, odd]: Sums<I::W>) -> [I::H; 2] {
    let low = s.splat_pair(0xffff_00ff);
    [s.and16(s.merge32(even, s.sra32::<8>(even)), low), s.and16(s.merge32(odd, s.sra32::<8>(odd)), low)]
}

#[inline(always)]
fn store<I: Isa>(s: I, dst: &mut [u16], step: usize, even: I::W, odd: I::W, most: I::W) {
    let zero = s.splat32(0);
    let (even, odd) = (s.min32(s.max32(even, zero), most), s.min32(s.max32(odd, zero), most));
    s.store_groups16(dst, step, s.merge32(even, odd));
}
