//! Kernels of the colour pipe.
use crate::slices::{B, W, one, two};
use crate::slices::{Call, refs};
use dndi_simd::*;

/// Each kernel, with the lengths that its file documents.
pub const KERNELS: [(&str, Call); 26] = [
    ("unpack", |k, n, s| {
        let src = s.bytes(n);
        one!(s, n, W, |dst| (k.bytes.unpack)(dst, &src, 8));
    }),
    ("unpack of words", |k, n, s| {
        let src = s.words(n, 1023);
        one!(s, n, W, |dst| (k.words.unpack)(dst, &src, 10));
    }),
    ("unpack_pairs", |k, n, s| {
        let src = s.bytes(n / 2);
        one!(s, n, W, |dst| (k.bytes.unpack_pairs)(dst, &src, 8));
    }),
    ("unpack_pairs of words", |k, n, s| {
        let src = s.words(n / 2, 511);
        one!(s, n, W, |dst| (k.words.unpack_pairs)(dst, &src, 9));
    }),
    ("skin_factor", |k, n, s| {
        let yuv = s.deep::<3>(n, 4095);
        let p = SkinFactor {
            plane: PLANE,
            hs_margin: 3,
            diamond: [0, 0],
            diamond_alpha: 100,
            diamond_th: 140,
            diamond_margin: 4,
            luma: [31; 256],
            vy: None,
        };
        one!(s, n, W, |dst| (k.skin_factor)(dst, refs(&yuv), &p, 12));
    }),
    ("skin_enhance", |k, n, s| {
        let (yuv, factor) = (s.deep::<3>(n, 4095), s.words(n, 0));
        let curve = SkinCurve { points: [-124, -44, 124, 124], values: [-124, 0, 124, 124], slopes: [397, 189, 256, 256] };
        let p = SkinEnhance { plane: PLANE, bright: [curve; 2], dark: None };
        two!(s, n, W, |dst| (k.skin_enhance)(dst, refs(&yuv), &factor, &p, 12));
    }),
    ("contrast", |k, n, s| {
        let (y, factor) = (s.words(n, 4095), s.words(n, 31));
        let curve: Vec<u16> = (0..DEEP as u16).rev().collect();
        one!(s, n, W, |dst| (k.contrast)(dst, &y, &factor, curve.first_chunk().unwrap()));
    }),
    ("contrast_pieces", |k, n, s| {
        let (y, factor) = (s.words(n, 16383), s.words(n, 31));
        let curve = std::array::from_fn(|y| CurvePiece { start: 64 * y as u16, value: 64 * (255 - y as u16), slope: 900 });
        one!(s, n, W, |dst| (k.contrast_pieces)(dst, &y, &factor, &curve, 14));
    }),
    ("total_color", |k, n, s| {
        let (uv, factor) = (s.deep::<2>(n, 4095), s.words(n, 31));
        let p = TotalColor {
            base_color: [145, 307, 483, 657, 819, 995],
            sat_factor: [220; 6],
            slope: [405, 744, 1131, 407, 372, 377],
            bias: [0, 150, 0, 0, 0, 0],
            uv_max_color: 448,
            inv_uv_max_color: 146,
            uv_threshold: 3,
            uv_threshold_bits: 3,
            ste_threshold: 0,
            ste_slope_bits: 0,
        };
        two!(s, n, W, |dst| (k.total_color)(dst, refs(&uv), &factor, &p, 12));
    }),
    ("amplify_luma", |k, n, s| {
        let y = s.words(n, 4095);
        one!(s, n, W, |dst| (k.amplify_luma)(dst, &y, 150, 100, 12));
    }),
    ("amplify_chroma", |k, n, s| {
        let uv = s.deep::<2>(n, 4095);
        two!(s, n, W, |dst| (k.amplify_chroma)(dst, refs(&uv), 250, 60, 12));
    }),
    ("convert", |k, n, s| {
        let components = s.deep::<3>(n, 4095);
        one!(s, n, W, |dst| (k.convert)(dst, refs(&components), &CONVERSION, 12));
    }),
    ("amplify_luma_samples", |k, n, s| {
        let y = s.bytes(n);
        one!(s, n, B, |dst| (k.bytes.amplify_luma_samples)(dst, &y, 150, 100, 8));
    }),
    ("amplify_luma_samples of words", |k, n, s| {
        let y = s.words(n, 4095);
        one!(s, n, W, |dst| (k.words.amplify_luma_samples)(dst, &y, 150, 100, 12));
    }),
    ("amplify_chroma_samples", |k, n, s| {
        let uv = s.lines::<2>(n);
        two!(s, n, B, |dst| (k.bytes.amplify_chroma_samples)(dst, refs(&uv), 250, 60, 8));
    }),
    ("amplify_chroma_samples of words", |k, n, s| {
        let uv = s.deep::<2>(n, 16383);
        two!(s, n, W, |dst| (k.words.amplify_chroma_samples)(dst, refs(&uv), 250, 60, 14));
    }),
    ("convert_luma_samples", |k, n, s| {
        let (y, uv) = (s.bytes(n), s.lines::<2>(n.div_ceil(2)));
        one!(s, n, B, |dst| (k.bytes.convert_luma_samples)(dst, &y, refs(&uv), &CONVERSION, 8));
    }),
    ("convert_luma_samples of words", |k, n, s| {
        let (y, uv) = (s.words(n, 1023), s.deep::<2>(n.div_ceil(2), 1023));
        one!(s, n, W, |dst| (k.words.convert_luma_samples)(dst, &y, refs(&uv), &CONVERSION, 10));
    }),
    ("convert_chroma_samples", |k, n, s| {
        let (y, uv) = (s.bytes((2 * n).saturating_sub(1)), s.lines::<2>(n));
        two!(s, n, B, |dst| (k.bytes.convert_chroma_samples)(dst, &y, refs(&uv), [&CONVERSION, &CONVERSION], 8));
    }),
    ("convert_chroma_samples of words", |k, n, s| {
        let (y, uv) = (s.words((2 * n).saturating_sub(1), 1023), s.deep::<2>(n, 1023));
        two!(s, n, W, |dst| (k.words.convert_chroma_samples)(dst, &y, refs(&uv), [&CONVERSION, &CONVERSION], 10));
    }),
    ("pack", |k, n, s| {
        let src = s.words(n, 4095);
        one!(s, n, B, |dst| (k.bytes.pack)(dst, &src, 8));
    }),
    ("pack of words", |k, n, s| {
        let src = s.words(n, 4095);
        one!(s, n, W, |dst| (k.words.pack)(dst, &src, 9));
    }),
    ("pack_422", |k, n, s| {
        let src = s.words(2 * n, 4095);
        one!(s, n, B, |dst| (k.bytes.pack_422)(dst, &src, 8));
    }),
    ("pack_422 of words", |k, n, s| {
        let src = s.words(2 * n, 16383);
        one!(s, n, W, |dst| (k.words.pack_422)(dst, &src, 14));
    }),
    ("pack_420", |k, n, s| {
        let src = s.words(2 * n, 4095);
        one!(s, n, B, |dst| (k.bytes.pack_420)(dst, &src, 8));
    }),
    ("pack_420 of words", |k, n, s| {
        let src = s.words(2 * n, 4095);
        one!(s, n, W, |dst| (k.words.pack_420)(dst, &src, 10));
    }),
];

const PLANE: SkinPlane = SkinPlane { mid: [440, 616], cos: 79, sin: 101, sat_max: 124, hue_max: 56 };
const CONVERSION: Conversion = Conversion { coefficients: [1192, -401, -833], offset_in: [-256, -2048, -2048], offset_out: 8 };
