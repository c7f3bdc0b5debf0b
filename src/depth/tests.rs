//! Changes of depth against §9.6, written sample by sample.
use super::*;
use crate::format::Sampling;

/// Bits per sample that streams of y4m have.
const DEPTHS: [u8; 6] = [8, 9, 10, 12, 14, 16];

/// §9.6, sample by sample.
fn raised(v: u32, a: u8, b: u8, full: bool) -> u32 {
    let s = b - a;
    if full { v << s | v >> (a - s) } else { v << s }
}

fn lowered(v: u32, a: u8, b: u8, full: bool, t: u32) -> u32 {
    let v = if full { v - (v >> b) } else { v };
    ((1 << b) - 1).min((v + t) >> (a - b))
}

fn threshold(dither: Dither, s: u8, x: usize, y: usize) -> u32 {
    // The matrix of B, as the known recursion of ordered dithering builds it.
    let mut matrix = vec![vec![0]];
    for size in [1, 2, 4] {
        let quarter = |x: usize, y: usize| [[0, 2], [3, 1]][y / size][x / size] + 4 * matrix[y % size][x % size];
        matrix = (0..2 * size).map(|y| (0..2 * size).map(|x| quarter(x, y)).collect::<Vec<u32>>()).collect();
    }
    match dither {
        Dither::None => 1 << (s - 1),
        Dither::Ordered => ((2 * matrix[y % 8][x % 8] + 1) << s) >> 7,
    }
}

/// Pairs of depths, the smaller one first.
fn pairs() -> impl Iterator<Item = (u8, u8)> {
    DEPTHS.into_iter().flat_map(|low| DEPTHS.map(|high| (low, high))).filter(|(low, high)| low < high)
}

/// A frame of random samples, the first of which are the extremes.
fn random(format: Format, seed: u64) -> Frame {
    let mut random = fastrand::Rng::with_seed(seed);
    let greatest = u16::MAX >> (16 - format.depth);
    let mut frame = Frame::new(format);
    for plane in frame.planes_mut() {
        match plane.samples {
            SamplesMut::U8(samples) => {
                samples.fill_with(|| random.u8(..));
                samples[..2].copy_from_slice(&[0, 255]);
            }
            SamplesMut::U16(samples) => {
                samples.fill_with(|| random.u16(..=greatest));
                samples[..3].copy_from_slice(&[0, greatest, greatest - 1]);
            }
        }
    }
    frame
}

/// The samples of a plane.
fn plane(frame: &Frame, index: usize) -> Vec<u32> {
    match frame.planes()[index].samples {
        Samples::U8(samples) => samples.iter().map(|&v| v.into()).collect(),
        Samples::U16(samples) => samples.iter().map(|&v| v.into()).collect(),
    }
}

#[test]
fn rows_of_the_pattern() {
    let row = |y| Dither::Ordered.offsets(7, y).map(|offset| offset >> 1);
    assert_eq!(row(0), [0, 32, 8, 40, 2, 34, 10, 42]);
    assert_eq!(row(1), [48, 16, 56, 24, 50, 18, 58, 26]);
    assert_eq!(row(9), row(1));
    let mut all: Vec<_> = (0..8).flat_map(row).collect();
    all.sort();
    assert!(all.into_iter().eq(0..64));
    assert_eq!(Dither::None.offsets(2, 3), [2; 8]);
}

#[test]
fn frames_change_depth_as_specified() {
    for ((low, high), full) in
        pairs().flat_map(|pair| [FullRange::None, FullRange::Luma, FullRange::Rgb].map(|full| (pair, full)))
    {
        // 37 samples a line are four groups and a rest; the lines are more than one task.
        let format = Format::new(37, 70, Sampling::C422).with_depth(low);
        let deep = format.with_depth(high);
        let is_full = |index| full == FullRange::Rgb || full == FullRange::Luma && index == 0;
        let (from, mut to) = (random(format, 1), Frame::new(deep));
        raise(&from.planes(), format, &mut to, full);
        for index in 0..3 {
            let want: Vec<_> = plane(&from, index).into_iter().map(|v| raised(v, low, high, is_full(index))).collect();
            assert_eq!(plane(&to, index), want, "{low} to {high} bits, {full:?}");
        }
        for (dither, by_fields) in [(Dither::Ordered, false), (Dither::Ordered, true), (Dither::None, true)] {
            let (from, mut to) = (random(deep, 2), Frame::new(format));
            lower(&from, &mut to, full, dither, by_fields);
            for index in 0..3 {
                let width = format.plane_size(index).0;
                let want = plane(&from, index).into_iter().enumerate().map(|(at, v)| {
                    let (x, y) = (at % width, at / width);
                    let t = threshold(dither, high - low, x, if by_fields { y / 2 } else { y });
                    lowered(v, high, low, is_full(index), t)
                });
                assert_eq!(plane(&to, index), want.collect::<Vec<_>>(), "{high} to {low} bits, {full:?}, {dither}");
            }
        }
    }
}

/// Every value of every pair of depths, with every offset of the pattern.
#[test]
fn raised_samples_come_back() {
    for (low, high) in pairs() {
        // One plane: each value in 8 columns, for the 8 lines of the pattern.
        let format = Format::new(8, 8 << low, Sampling::Mono).with_depth(low);
        let mut from = Frame::new(format);
        match from.samples_mut() {
            SamplesMut::U8(samples) => samples.iter_mut().enumerate().for_each(|(at, v)| *v = (at / 64) as u8),
            SamplesMut::U16(samples) => samples.iter_mut().enumerate().for_each(|(at, v)| *v = (at / 64) as u16),
        }
        for full in [FullRange::None, FullRange::Luma] {
            let mut deep = Frame::new(format.with_depth(high));
            raise(&from.planes(), format, &mut deep, full);
            for dither in [Dither::Ordered, Dither::None] {
                let mut back = Frame::new(format);
                lower(&deep, &mut back, full, dither, false);
                assert!(back == from, "{low} to {high} bits, {full:?}, {dither}");
            }
            let ends = [0, plane(&deep, 0).len() - 1].map(|at| plane(&deep, 0)[at]);
            let greatest = if full == FullRange::Luma { (1 << high) - 1 } else { ((1 << low) - 1) << (high - low) };
            assert_eq!(ends, [0, greatest]);
        }
    }
}

#[test]
fn planes_of_the_caller_have_gaps_and_greater_values() {
    let format = Format::new(3, 2, Sampling::Mono).with_depth(10);
    let samples = [0_u16, 1, 1023, 9999, 1024, 65535, 512];
    let mut to = Frame::new(format.with_depth(12));
    raise(&[PlaneRef::new(&samples[..], 4)], format, &mut to, FullRange::None);
    assert_eq!(plane(&to, 0), [0, 4, 4092, 4092, 4092, 2048]);
}

#[test]
fn names_parse_to_their_values() {
    for dither in [Dither::Ordered, Dither::None] {
        assert_eq!(dither.to_string().to_uppercase().parse(), Ok(dither));
    }
    let error = "noise".parse::<Dither>().unwrap_err().to_string();
    assert_eq!(error, "no dither 'noise'; there are: ordered, none");
    assert_eq!([ColorRange::Limited, ColorRange::Full].map(FullRange::from), [FullRange::None, FullRange::Luma]);
}
