//! Kernels of the deinterlacer `best`.
use crate::slices::{B, Call, Slices, TestSample, W, noise, one, refs, two};
use dndi_simd::*;

/// Each kernel, with the lengths that its file documents.
pub const KERNELS: [(&str, Call); 18] = [
    ("smooth", |k, n, s| {
        let rows = s.lines::<5>(n);
        one!(s, n, B, |dst| (k.smooth)(dst, refs(&rows)));
    }),
    ("halve", |k, n, s| {
        let rows = s.lines::<2>(2 * n);
        one!(s, n, B, |dst| (k.halve)(dst, refs(&rows)));
    }),
    ("block_sads", |k, n, s| {
        let (stride, at) = (16 + n % 5, positions(n));
        let (block, reference) = (s.bytes(14 * stride + 16), s.bytes(last(&at) + 14 * stride + 16));
        let at = s.prefix(&at);
        one!(s, n, W, |sads| (k.block_sads)(sads, &block, &reference, stride, &at));
    }),
    ("quarter_sads", |k, n, s| {
        let (stride, at, lines) = (17 + n % 5, positions(n), [8, 6, 8, 1, 6, 7][n % 6]);
        let block = s.bytes((2 * lines - 2) * stride + 16);
        let reference = s.bytes(last(&at) + (2 * lines - 1) * stride + 17);
        let fraction = |at: usize| ((at % 4) as u8, (at / 4 % 4) as u8);
        let at: Vec<QuarterPosition> = at.into_iter().map(|at| QuarterPosition { at, fraction: fraction(at) }).collect();
        let at = s.prefix(&at);
        one!(s, n, W, |sads| (k.quarter_sads)(sads, &block, &reference, stride, &at, lines));
    }),
    ("catmull_rom", catmull_rom::<u8>),
    ("catmull_rom of words", catmull_rom::<u16>),
    ("distance", |k, n, s| {
        let rows = s.lines::<2>(n);
        one!(s, n, B, |dst| (k.distance)(dst, &rows[0], &rows[1]));
    }),
    ("residual_costs", |k, n, s| {
        let rows = s.rows::<4>(n);
        two!(s, n, W, |costs| (k.residual_costs)(costs, refs(&rows), 2));
    }),
    ("match_cost", |k, n, s| {
        let rows = s.rows::<2>(n);
        one!(s, n, W, |dst| (k.match_cost)(dst, &rows[0], &rows[1], 1));
    }),
    ("around", around::<u8>),
    ("around of words", around::<u16>),
    ("average_up", average_up::<u8>),
    ("average_up of words", average_up::<u16>),
    ("cubic", cubic::<u8>),
    ("cubic of words", cubic::<u16>),
    ("fusion_choice", |k, n, s| {
        // The mean determines the number of samples.
        let mean: Vec<u16> = (0..n).map(|at| (noise(99, at) % 4096) as u16).collect();
        let mut inputs = s.output(n * FUSION_INPUTS, W);
        s.call(|| (k.fusion_choice)(&mut inputs, n, &mean, 1));
        s.wrote(&inputs);
    }),
    ("fuse", fuse::<u8>),
    ("fuse of words", fuse::<u16>),
];

/// Positions of `n` candidates.
fn positions(n: usize) -> Vec<usize> {
    (0..n).map(|at| (noise(98, at) % 40) as usize).collect()
}

/// The position that determines the length of the reference.
fn last(at: &[usize]) -> usize {
    at.iter().copied().max().unwrap_or(0)
}

/// A block of `n` columns, or of 8 columns and more lines.
fn catmull_rom<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let size = if n.is_multiple_of(2) { (n, 1 + n % 5) } else { (8, 1 + n % 9) };
    let (stride, source_stride) = (size.0 + 1, size.0 + 3 + n % 3);
    let fraction = ((n / 2 % 4) as u8, (n / 3 % 4) as u8);
    let [samples] = s.samples_in_range::<S, 1>((size.1 + 2) * source_stride + size.0 + 3);
    let mut dst = s.output((size.1 - 1) * stride + size.0, S::START);
    let block = QuarterBlock { samples: &samples, stride: source_stride, size, fraction };
    s.call(|| (S::kernels(k).catmull_rom)(&mut dst, stride, &block, S::DEPTH));
    s.wrote(&dst);
}

fn around<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let ([value, mean], range) = (s.samples_in_range::<S, 2>(n), s.words(n, 300));
    one!(s, n, S::START, |dst| (S::kernels(k).around)(dst, &value, &mean, &range, S::DEPTH));
}

fn average_up<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let [a, b] = s.sample_lines::<S, 2>(n);
    one!(s, n, S::START, |dst| (S::kernels(k).average_up)(dst, &a, &b));
}

fn cubic<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let lines = s.samples_in_range::<S, 4>(n);
    one!(s, n, S::START, |dst| (S::kernels(k).cubic)(dst, refs(&lines), S::DEPTH));
}

fn fuse<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let rows = s.samples_in_range::<S, 6>(n);
    let [base, mean, references @ ..] = refs(&rows);
    let (correction, range, still) = (s.words(n, u16::MAX), s.words(n, 100), s.words(n, 30));
    let p = Fusion {
        base,
        correction: &correction,
        references,
        mean,
        range: &range,
        still: &still,
        thresholds: [3, 24],
        tolerance: 40,
    };
    one!(s, n, S::START, |dst| (S::kernels(k).fuse)(dst, &p, S::DEPTH));
}
