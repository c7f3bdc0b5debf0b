//! Kernels of the scaler and of the enhancement filter.
use crate::slices::{B, W, one};
use crate::slices::{Call, refs};
use dndi_simd::*;

/// Each kernel, with the lengths that its file documents.
pub const KERNELS: [(&str, Call); 9] = [
    ("transpose_bytes", |k, n, s| {
        let (rows, stride, dst_stride) = (1 + n % 37, n + n % 3, 1 + n % 37 + n % 2);
        let src = s.bytes(if rows == 0 { 0 } else { (rows - 1) * stride + n });
        let mut dst = s.output(if n == 0 { 0 } else { (n - 1) * dst_stride + rows }, B);
        s.call(|| (k.transpose_bytes)(&mut dst, dst_stride, Lines { data: &src, stride, width: n }, rows));
        s.wrote(&dst);
    }),
    ("transpose_words", |k, n, s| {
        let (rows, stride, dst_stride) = (1 + n % 37, n + n % 3, 1 + n % 37 + n % 2);
        let src = s.words((rows - 1) * stride + n, 65534);
        let mut dst = s.output(if n == 0 { 0 } else { (n - 1) * dst_stride + rows }, W);
        s.call(|| (k.transpose_words)(&mut dst, dst_stride, Lines { data: &src, stride, width: n }, rows));
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
    ("filter_bytes", |k, n, s| {
        let stride = n + n % 3;
        let src = s.bytes(11 * stride + n);
        let weights = (n % 2 > 0).then(|| s.bytes(2 * stride + n));
        let alpha = weights.as_ref().map_or(Alpha::All(200), |weights| Alpha::Each(weights));
        let mut dst = s.output(2 * stride + n, W);
        s.call(|| (k.filter_bytes)(&mut dst, Lines { data: &src, stride, width: n }, &TAPS, &polyphase(), alpha));
        s.wrote(&dst);
    }),
    ("filter_words", |k, n, s| {
        let stride = n + n % 3;
        let src = s.words(11 * stride + n, 1023);
        let weights = (n % 2 > 0).then(|| s.bytes(2 * stride + n));
        let alpha = weights.as_ref().map_or(Alpha::All(200), |weights| Alpha::Each(weights));
        let mut dst = s.output(2 * stride + n, W);
        s.call(|| (k.filter_words)(&mut dst, Lines { data: &src, stride, width: n }, &TAPS, &polyphase(), alpha));
        s.wrote(&dst);
    }),
    ("filter_to_bytes", |k, n, s| {
        let stride = n + n % 3;
        let src = s.words(11 * stride + n, 1023);
        let weights = (n % 2 > 0).then(|| s.bytes(n));
        let alpha = weights.as_ref().map_or(Alpha::All(200), |weights| Alpha::Each(weights));
        let mut dst = s.output(n, B);
        s.call(|| (k.filter_to_bytes)(&mut dst, Lines { data: &src, stride, width: n }, TAPS[1], &polyphase(), alpha));
        s.wrote(&dst);
    }),
    ("narrow", |k, n, s| {
        let src = s.words(n, 1023);
        one!(s, n, B, |dst| (k.narrow)(dst, &src, 2));
    }),
    ("detail_filter", |k, n, s| {
        let rows = s.deep::<5>(n + 2 * ENHANCE_APRON, 1023);
        let p =
            Detail { wide: n % 2 == 0, strong_edge_threshold: 8, weak_edge_threshold: 1, weights: [7, 2, 1], gain_factor: 40 };
        one!(s, n, W, |dst| (k.detail_filter)(dst, refs(&rows), &p));
    }),
    ("combination_filter", |k, n, s| {
        let rows = s.deep::<5>(n + 2 * ENHANCE_APRON, 1023);
        let p = Combination {
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
        one!(s, n, W, |dst| (k.combination_filter)(dst, refs(&rows), &p));
    }),
];

const TAPS: [Tap; 3] = [Tap { first: 0, phase: 31 }, Tap { first: 4, phase: 0 }, Tap { first: 2, phase: 7 }];

pub fn polyphase() -> Polyphase {
    let mut table = [[0; 8]; 17];
    for (beta, row) in table.iter_mut().enumerate() {
        let b = beta as i8;
        *row = [-1, 3, -8, 62 - b, 12 + b, -7, 4, -1];
    }
    Polyphase::new(&table)
}
