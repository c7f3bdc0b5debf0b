//! Kernels of the deinterlacer `best`.
use crate::parameters::refused;
use crate::slices::{B, Call, Slices, TestSample, W, noise, one, refs, two};
use dndi_simd::*;

/// Each kernel, with the lengths that its file documents.
pub const KERNELS: [(&str, Call); 22] = [
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
    ("agreed_mean", agreed_mean::<u8>),
    ("agreed_mean of words", agreed_mean::<u16>),
    ("spread", spread::<u8>),
    ("spread of words", spread::<u16>),
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

fn agreed_mean<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let rows = s.samples_in_range::<S, 5>(n);
    let [alone, references @ ..] = refs(&rows);
    let still = s.words(n, 6);
    one!(s, n, S::START, |dst| (S::kernels(k).agreed_mean)(dst, references, alone, (&still, 3)));
}

fn spread<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let rows = s.sample_lines::<S, 3>(n);
    one!(s, n, S::START, |dst| (S::kernels(k).spread)(dst, &refs(&rows)));
}

/// Fractions, numbers of lines, shifts, thresholds, depths and positions outside their ranges.
#[test]
fn parameters() {
    const N: usize = 100;
    let (row, words) = (vec![90u8; 2000], vec![700u16; FUSION_INPUTS * N]);
    for fraction in [(4, 0), (0, 4), (255, 255)] {
        let at = [QuarterPosition { at: 0, fraction }; N];
        refused("quarter_sads", |k, _, dst| (k.quarter_sads)(dst, &row, &row, 20, &at, 8));
        let bytes = QuarterBlock { samples: &row, stride: 20, size: (10, 10), fraction };
        refused("catmull_rom", |k, dst, _| (k.bytes.catmull_rom)(dst, 10, &bytes, 8));
    }
    let at = [QuarterPosition::default(); N];
    for lines in [0, 9, usize::MAX] {
        refused("quarter_sads", |k, _, dst| (k.quarter_sads)(dst, &row, &row, 20, &at, lines));
    }
    // The last candidate is outside.
    for position in [2000 - (14 * 20 + 16) + 1, 2000, usize::MAX] {
        let at: Vec<usize> = (0..N).map(|i| if i == N - 1 { position } else { i }).collect();
        refused("block_sads", |k, _, dst| (k.block_sads)(dst, &row, &row, 20, &at));
        let at: Vec<QuarterPosition> = at.into_iter().map(|at| QuarterPosition { at, fraction: (0, 0) }).collect();
        refused("quarter_sads", |k, _, dst| (k.quarter_sads)(dst, &row, &row, 20, &at, 8));
    }
    for stride in [15, usize::MAX, usize::MAX / 14] {
        refused("block_sads", |k, _, dst| (k.block_sads)(dst, &row, &row, stride, &[0; N]));
        refused("quarter_sads", |k, _, dst| (k.quarter_sads)(dst, &row, &row, stride, &at, 8));
        let block = QuarterBlock { samples: &row, stride, size: (20, 3), fraction: (1, 1) };
        refused("catmull_rom", |k, dst, _| (k.bytes.catmull_rom)(dst, 20, &block, 8));
        let block = QuarterBlock { samples: &row, stride: 30, size: (20, 3), fraction: (1, 1) };
        refused("catmull_rom", |k, dst, _| (k.bytes.catmull_rom)(dst, stride, &block, 8));
    }
    for shift in [5, 16, 255] {
        refused("residual_costs", |k, _, dst| (k.residual_costs)(&mut [dst, &mut [0; N]], [&row; 4], shift));
        refused("match_cost", |k, _, dst| (k.match_cost)(dst, &row, &row, shift));
        refused("fusion_choice", |k, _, _| (k.fusion_choice)(&mut words.clone(), N, &words[..N], shift));
    }
    let (good, mean) = ([3, 24], &row[..]);
    let fusion = |thresholds| Fusion {
        base: mean,
        correction: &words,
        references: [mean; 4],
        mean,
        range: &words,
        still: &words,
        thresholds,
        tolerance: 40,
    };
    for thresholds in [[0x8000, 24], [3, u16::MAX]] {
        refused("fuse", |k, dst, _| (k.bytes.fuse)(dst, &fusion(thresholds), 8));
    }
    for threshold in [0x8000, u16::MAX] {
        refused("agreed_mean", |k, dst, _| (k.bytes.agreed_mean)(dst, [&row; 4], &row, (&words, threshold)));
    }
    for depth in [0, 7, 9, 16, 255] {
        refused("fuse", |k, dst, _| (k.bytes.fuse)(dst, &fusion(good), depth));
        refused("around", |k, dst, _| (k.bytes.around)(dst, &row, &row, &words, depth));
        let block = QuarterBlock { samples: &row, stride: 20, size: (10, 10), fraction: (1, 1) };
        refused("catmull_rom", |k, dst, _| (k.bytes.catmull_rom)(dst, 10, &block, depth));
    }
    for depth in [0, 7, 8, 17, 255] {
        refused("around", |k, _, dst| (k.words.around)(dst, &words, &words, &words, depth));
        let block = QuarterBlock { samples: &words, stride: 20, size: (10, 10), fraction: (1, 1) };
        refused("catmull_rom", |k, _, dst| (k.words.catmull_rom)(dst, 10, &block, depth));
    }
}
