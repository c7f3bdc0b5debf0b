//! Kernels of the scaler and of the enhancement filter.
use crate::slices::{B, W, one};
use crate::slices::{Call, refs};
use dndi_simd::*;

/// Each kernel, with the lengths that its file documents; those of bytes and of words.
pub const KERNELS: [(&str, Call); 13] = [
    ("transpose", |k, n, s| {
        let (rows, stride, dst_stride) = (1 + n % 37, n + n % 3, 1 + n % 37 + n % 2);
        let src = s.bytes((rows - 1) * stride + n);
        let mut dst = s.output(if n == 0 { 0 } else { (n - 1) * dst_stride + rows }, B);
        s.call(|| (k.bytes.transpose)(&mut dst, dst_stride, Lines { data: &src, stride, width: n }, rows, 200));
        s.wrote(&dst);
    }),
    ("transpose of words", |k, n, s| {
        let (rows, stride, dst_stride) = (1 + n % 37, n + n % 3, 1 + n % 37 + n % 2);
        let src = s.words((rows - 1) * stride + n, 65534);
        let mut dst = s.output(if n == 0 { 0 } else { (n - 1) * dst_stride + rows }, W);
        s.call(|| (k.words.transpose)(&mut dst, dst_stride, Lines { data: &src, stride, width: n }, rows, 1023));
        s.wrote(&dst);
    }),
    ("sharpness", |k, n, s| {
        let stride = n + n % 3;
        let src = s.bytes(11 * stride + n);
        let p = Sharpness { max_deriv_4: 7, max_deriv_8: 20, transition_4: 4, transition_8: 5 };
        let mut dst = s.output(2 * stride + n, B);
        s.call(|| (k.sharpness)(&mut dst, Lines { data: &src, stride, width: n }, &TAPS, &p));
        s.wrote(&dst);
    }),
    ("filter", |k, n, s| {
        let stride = n + n % 3;
        let src = s.bytes(11 * stride + n);
        let weights = (n % 2 > 0).then(|| s.bytes(2 * stride + n));
        let alpha = weights.as_ref().map_or(Alpha::All(200), |weights| Alpha::Each(weights));
        let mut dst = s.output(2 * stride + n, W);
        s.call(|| (k.bytes.filter)(&mut dst, Lines { data: &src, stride, width: n }, &TAPS, &polyphase(8), alpha));
        s.wrote(&dst);
    }),
    ("filter of words", |k, n, s| {
        let stride = n + n % 3;
        let src = s.words(11 * stride + n, most(depth(n)));
        let weights = (n % 2 > 0).then(|| s.bytes(2 * stride + n));
        let alpha = weights.as_ref().map_or(Alpha::All(200), |weights| Alpha::Each(weights));
        let mut dst = s.output(2 * stride + n, W);
        s.call(|| (k.words.filter)(&mut dst, Lines { data: &src, stride, width: n }, &TAPS, &polyphase(depth(n)), alpha));
        s.wrote(&dst);
    }),
    ("filter_to_samples", |k, n, s| {
        let (stride, filter) = (n + n % 3, polyphase(unit_depth(8)));
        let src = s.words(11 * stride + n, most(unit_depth(8)));
        let weights = (n % 2 > 0).then(|| s.bytes(n));
        let alpha = weights.as_ref().map_or(Alpha::All(200), |weights| Alpha::Each(weights));
        let src_lines = |data| Lines { data, stride, width: n };
        let mut dst = s.output(n, B);
        s.call(|| (k.bytes.filter_to_samples)(&mut dst, src_lines(&src), TAPS[1], &filter, alpha, 8));
        s.wrote(&dst);
    }),
    ("filter_to_samples of words", |k, n, s| {
        let (stride, filter) = (n + n % 3, polyphase(unit_depth(depth(n))));
        let src = s.words(11 * stride + n, most(unit_depth(depth(n))));
        let weights = (n % 2 > 0).then(|| s.bytes(n));
        let alpha = weights.as_ref().map_or(Alpha::All(200), |weights| Alpha::Each(weights));
        let src_lines = |data| Lines { data, stride, width: n };
        let mut dst = s.output(n, W);
        s.call(|| (k.words.filter_to_samples)(&mut dst, src_lines(&src), TAPS[1], &filter, alpha, depth(n)));
        s.wrote(&dst);
    }),
    ("narrow", |k, n, s| {
        let src = s.words(n, 1023);
        one!(s, n, B, |dst| (k.bytes.narrow)(dst, &src, 8));
    }),
    ("narrow of words", |k, n, s| {
        let src = s.words(n, most(unit_depth(depth(n))));
        one!(s, n, W, |dst| (k.words.narrow)(dst, &src, depth(n)));
    }),
    ("mixed_levels", |k, n, s| {
        let planes = s.lines::<3>(n);
        one!(s, n, B, |dst| (k.bytes.mixed_levels)(dst, refs(&planes), 8));
    }),
    ("mixed_levels of words", |k, n, s| {
        let planes = s.deep::<3>(n, most(depth(n)));
        one!(s, n, B, |dst| (k.words.mixed_levels)(dst, refs(&planes), depth(n)));
    }),
    ("detail_filter", |k, n, s| {
        let depth = [10, 12, 16][n % 3];
        let rows = s.deep::<5>(n + 2 * ENHANCE_APRON, most(depth));
        let p = Detail {
            depth,
            wide: n % 2 == 0,
            smooth: n % 3 == 0,
            strong_edge_threshold: 8,
            weak_edge_threshold: 1,
            weights: [7, 2, 1],
            gain_factor: 40,
        };
        let [shares] = s.deep::<1>(n, 63);
        one!(s, n, W, |dst| (k.detail_filter)(dst, refs(&rows), Some(&shares), &p));
    }),
    ("combination_filter", |k, n, s| {
        let depth = [10, 12, 16][n % 3];
        let rows = s.deep::<5>(n + 2 * ENHANCE_APRON, most(depth));
        let p = Combination {
            depth,
            noise: 22,
            r3: [15, 6],
            r5: [3, 9, 8],
            mr: [5, 1],
            steepness: [0, 1],
            points: [0, 4, 12, 16, 26, 40, 160],
            bias3: [127, 98, 88, 64, 44, 0, 0],
            slope3: [-116, -20, -96, -32, -50, 0, 0],
            bias5: [3, 32, 32, 58, 100, 108, 88],
            slope5: [116, 0, 104, 67, 9, -3, -15],
            limiters: [11, 10],
            limiter_boost: 0,
            clip_limiter: 130,
        };
        let [shares] = s.deep::<1>(n, 63);
        one!(s, n, W, |dst| (k.combination_filter)(dst, refs(&rows), Some(&shares), &p));
    }),
];

const TAPS: [Tap; 3] = [Tap { first: 0, phase: 31 }, Tap { first: 4, phase: 0 }, Tap { first: 2, phase: 7 }];

/// Depths of words, by the number of samples.
fn depth(n: usize) -> u8 {
    [9, 10, 12, 14, 16][n % 5]
}

fn most(depth: u8) -> u16 {
    u16::MAX >> (16 - depth)
}

pub fn polyphase(depth: u8) -> Polyphase {
    let mut table = [[0; 8]; 17];
    for (beta, row) in table.iter_mut().enumerate() {
        let b = beta as i8;
        *row = [-1, 3, -8, 62 - b, 12 + b, -7, 4, -1];
    }
    Polyphase::new(&table, depth)
}
