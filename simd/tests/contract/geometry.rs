//! Kernels of geometry, chroma conversion and filters of finished pictures.
use crate::slices::{Call, TestSample};
use dndi_simd::*;

/// The coefficients and the samples of a window of 3×2.
const WEIGHTS: [Weight; 2] = [Weight { row: 1, column: 0, weight: -4096 }, Weight { row: 0, column: 2, weight: 12000 }];
const TAPS: [WindowTap; 2] = [WindowTap { row: 1, column: 0 }, WindowTap { row: 0, column: 2 }];

macro_rules! entries {
    ($($name:literal, $sample:ident, $input:ident ($($most:expr)?), $kernels:ident;)*) => {
        /// Each kernel, with the lengths that its file documents; those of bytes and of words.
        pub const KERNELS: [(&str, Call); 16] = [$(
            (concat!("mirror", $name), |k, n, s| {
                let src = s.$input(n $(, $most)?);
                let mut dst = vec![<$sample as TestSample>::START; n];
                s.call(|| (k.$kernels.mirror)(&mut dst, &src[..]));
                s.wrote(&dst);
            }),
            (concat!("chroma_across", $name), |k, n, s| {
                let src = s.$input(n.div_ceil(2) $(, $most)?);
                let mut dst = vec![<$sample as TestSample>::START; n];
                s.call(|| (k.$kernels.chroma_across)(&mut dst, &src, 3));
                s.wrote(&dst);
            }),
            (concat!("chroma_mix", $name), |k, n, s| {
                let (a, b) = (s.$input(n $(, $most)?), s.$input(n $(, $most)?));
                let mut dst = vec![<$sample as TestSample>::START; n];
                s.call(|| (k.$kernels.chroma_mix)(&mut dst, [&a, &b], 3));
                s.wrote(&dst);
            }),
            (concat!("chroma_reduce", $name), |k, n, s| {
                let (a, b) = (s.$input(2 * n $(, $most)?), s.$input(2 * n $(, $most)?));
                let mut dst = vec![<$sample as TestSample>::START; n];
                s.call(|| (k.$kernels.chroma_reduce)(&mut dst, [&a, &b], [4, 3]));
                s.wrote(&dst);
            }),
            (concat!("convolve", $name), |k, n, s| {
                let (width, stride) = (n + 2, n + 2 + n % 3);
                let data = s.$input(stride + width $(, $most)?);
                let p = Convolution { weights: &WEIGHTS, shift: 13, depth: <$sample as TestSample>::DEPTH };
                let mut dst = vec![<$sample as TestSample>::START; n];
                s.call(|| (k.$kernels.convolve)(&mut dst, Lines { data: &data, stride, width }, &p));
                s.wrote(&dst);
            }),
            (concat!("erode", $name), |k, n, s| {
                let (width, stride) = (n + 2, n + 2 + n % 3);
                let data = s.$input(stride + width $(, $most)?);
                let mut dst = vec![<$sample as TestSample>::START; n];
                s.call(|| (k.$kernels.erode)(&mut dst, Lines { data: &data, stride, width }, &TAPS));
                s.wrote(&dst);
            }),
            (concat!("dilate", $name), |k, n, s| {
                let (width, stride) = (n + 2, n + 2 + n % 3);
                let data = s.$input(stride + width $(, $most)?);
                let mut dst = vec![<$sample as TestSample>::START; n];
                s.call(|| (k.$kernels.dilate)(&mut dst, Lines { data: &data, stride, width }, &TAPS));
                s.wrote(&dst);
            }),
            (concat!("extent", $name), |k, n, s| {
                let (width, stride) = (n + 2, n + 2 + n % 3);
                let data = s.$input(stride + width $(, $most)?);
                let mut dst = vec![<$sample as TestSample>::START; n];
                s.call(|| (k.$kernels.extent)(&mut dst, Lines { data: &data, stride, width }, &TAPS));
                s.wrote(&dst);
            }),
        )*];
    };
}

entries! {
    "", u8, bytes(), bytes;
    " of words", u16, words(4095), words;
}
