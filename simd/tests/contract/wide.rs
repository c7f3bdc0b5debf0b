//! Kernels on numbers of 16 bits, of gamut compression and of local contrast.
use crate::slices::{B, Call, START, Slices, TestSample, W, one, refs};
use dndi_simd::*;

/// Calls a kernel with one output of words.
fn wide(s: &mut Slices, n: usize, call: impl FnOnce(&mut [i32])) {
    let mut output = vec![START as i32; n];
    s.call(|| call(&mut output));
    s.wrote(&output.iter().map(|&v| v as u32).collect::<Vec<_>>());
}

/// Lines of numbers up to 65535.
fn numbers<const N: usize>(s: &mut Slices, n: usize) -> [Vec<i32>; N] {
    s.deep::<N>(n, 65535).map(|line| line.into_iter().map(i32::from).collect())
}

/// Each kernel, with the lengths that its file documents.
pub const KERNELS: [(&str, Call); 18] = [
    ("widen", |k, n, s| {
        let src = s.words(n, 4095);
        wide(s, n, |dst| (k.widen)(dst, &src, 12));
    }),
    ("narrow_wide", |k, n, s| {
        let [src] = numbers(s, n);
        one!(s, n, W, |dst| (k.narrow_wide)(dst, &src, 12));
    }),
    ("wide_mix", |k, n, s| {
        let src = numbers::<3>(s, n);
        let p = WideMix {
            coefficients: [76607, -14030, -35061],
            offset_in: [-4096, -32768, -32768],
            offset_out: 9,
            limits: [0, 65535],
            reach: 65535,
        };
        wide(s, n, |dst| (k.wide_mix)(dst, refs(&src), &p));
    }),
    ("wide_curve", |k, n, s| {
        let [src] = numbers(s, n);
        let curve: Vec<u16> = (0..=65535).rev().collect();
        wide(s, n, |dst| (k.wide_curve)(dst, &src, curve.first_chunk().unwrap()));
    }),
    ("gamut_weight", |k, n, s| {
        let src = numbers::<3>(s, n);
        let p = GamutWeight { gains: [640, 768], thresholds: [192, 128] };
        wide(s, n, |dst| (k.gamut_weight)(dst, refs(&src), &p));
    }),
    ("wide_blend", |k, n, s| {
        let [expanded, original] = numbers(s, n);
        let weight: Vec<i32> = s.words(n, 1024).into_iter().map(i32::from).collect();
        wide(s, n, |dst| (k.wide_blend)(dst, &expanded, &original, &weight));
    }),
    ("compress_gamut", |k, n, s| {
        let yuv = s.deep::<3>(n, 4095);
        let p = GamutCompression::new(&[[1500, 900]; HUES], CompressionMethod::ToVertex(1024), 12).unwrap();
        let (mut y, mut u, mut v, mut outside) = (vec![W; n], s.twin(n, W), s.twin(n, W), s.twin(n, W));
        s.call(|| (k.compress_gamut)(&mut [&mut y, &mut u, &mut v], &mut outside, refs(&yuv), &p));
        [y, u, v, outside].iter().for_each(|output| s.wrote(output));
    }),
    ("lace", |k, n, s| {
        let (y, factor, right, curves) = (s.words(n, 4095), s.words(n, 31), s.words(n, 255), s.deep::<4>(256, 4095));
        let curves = LaceCurves { curves: refs(&curves), right: &right, below: 77 };
        let p = Lace { strength: 128, range: [256, 3760], log2_bins: 8, is_direct: false };
        one!(s, n, W, |dst| (k.lace)(dst, &y, &factor, &curves, &p, 12));
    }),
    ("denoise5", denoise5::<u8>),
    ("denoise5 of words", denoise5::<u16>),
    ("deflicker", |k, n, s| {
        let (rows, stmm) = (s.rows::<3>(n), s.bytes(n.div_ceil(2)));
        one!(s, n, B, |dst| (k.bytes.deflicker)(dst, refs(&rows), &stmm, &[0, 32, 64, 77, 128, 200, 255, 256]));
    }),
    ("deflicker of words", |k, n, s| {
        let (rows, stmm) = (s.sample_rows::<u16, 3>(n), s.bytes(n.div_ceil(2)));
        one!(s, n, W, |dst| (k.words.deflicker)(dst, refs(&rows), &stmm, &[0, 32, 64, 77, 128, 200, 255, 256]));
    }),
    ("bayer_levels", |k, n, s| {
        let src = s.bytes(n);
        one!(s, n, W, |dst| (k.bytes.bayer_levels)(dst, &src, BAYER_LEVELS, 8));
    }),
    ("bayer_levels of words", |k, n, s| {
        let src = s.words(n, 1023);
        one!(s, n, W, |dst| (k.words.bayer_levels)(dst, &src, BAYER_LEVELS, 10));
    }),
    ("bayer_green", |k, n, s| {
        let rows = s.deep::<5>(n + 4, 65535);
        one!(s, n, W, |dst| (k.bayer_green)(dst, refs(&rows), 1));
    }),
    ("bayer_colors", |k, n, s| {
        let (values, greens) = (s.deep::<3>(n + 2, 65535), s.deep::<3>(n + 2, 65535));
        let (mut own, mut other) = (vec![W; n], s.twin(n, W));
        s.call(|| (k.bayer_colors)(&mut own, &mut other, refs(&values), refs(&greens), 0));
        [own, other].iter().for_each(|output| s.wrote(output));
    }),
    ("hot_pixel", |k, n, s| {
        let rows = s.rows::<3>(n);
        one!(s, n, B, |dst| (k.bytes.hot_pixel)(dst, refs(&rows), 30, 3));
    }),
    ("hot_pixel of words", |k, n, s| {
        let rows = s.sample_rows::<u16, 3>(n);
        one!(s, n, W, |dst| (k.words.hot_pixel)(dst, refs(&rows), 3000, 3));
    }),
];

const BAYER_LEVELS: [BayerLevel; 2] = [BayerLevel { black: 256, gain: 5000 }, BayerLevel { black: -20, gain: 4096 }];

fn denoise5<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let (cur, [prev], history) = (s.sample_rows::<S, 5>(n), s.sample_rows::<S, 1>(n), s.bytes(n));
    let th = DenoiseThresholds { depth: S::DEPTH, good_neighbor_th: 12, temporal_diff_th: 60, temporal_diff_low: 50 };
    let p = Denoise5 {
        distance: [[31, 26, 16], [26, 22, 13], [16, 13, 8]],
        range: [31, 26, 18, 10, 4, 0],
        thresholds: [3, 6, 9, 12, 16],
    };
    one!(s, n, S::START, |dst| (S::kernels(k).denoise5)(dst, refs(&cur), &prev, &history, &th, &p));
}

/// Parameters that a kernel cannot compute with.
#[test]
fn parameters_outside_their_ranges_panic() {
    use crate::parameters::refused;
    let (row, words, history) = (vec![5u8; 200], vec![9u16; 300], vec![9u8; 100]);
    for (strength, log2_bins, bits) in [(257, 8, 12), (1, 6, 12), (1, 9, 12), (1, 8, 11), (1, 8, 17)] {
        let curves = LaceCurves { curves: [&words; 4], right: &words, below: 0 };
        let p = Lace { strength, range: [0, 4095], log2_bins, is_direct: false };
        refused("lace", |k, _, dst| (k.lace)(dst, &words, &words, &curves, &p, bits));
    }
    refused("narrow_wide", |k, _, dst| (k.narrow_wide)(dst, &[0; 100], 11));
    let th = DenoiseThresholds { depth: 8, good_neighbor_th: 12, temporal_diff_th: 12, temporal_diff_low: 6 };
    for (distance, range) in [([[32; 3]; 3], [0; 6]), ([[1; 3]; 3], [0, 0, 0, 0, 0, 32])] {
        let p = Denoise5 { distance, range, thresholds: [1; 5] };
        refused("denoise5", |k, dst, _| (k.bytes.denoise5)(dst, [&row; 5], &row, &history, &th, &p));
    }
    refused("deflicker", |k, dst, _| (k.bytes.deflicker)(dst, [&row; 3], &history, &[257; 8]));
    refused("hot_pixel", |k, dst, _| (k.bytes.hot_pixel)(dst, [&row; 3], 256, 3));
    for black in [-65537, 65536] {
        let levels = [BayerLevel { black: 0, gain: 4096 }, BayerLevel { black, gain: 4096 }];
        refused("bayer_levels", |k, _, dst| (k.bytes.bayer_levels)(dst, &row, levels, 8));
    }
    let whole = WideMix { coefficients: [65536, 0, 0], offset_in: [0; 3], offset_out: 0, limits: [0, 65535], reach: 65535 };
    let wrong = [
        WideMix { coefficients: [0, (1 << 20) + 1, 0], ..whole },
        WideMix { offset_in: [0, 0, (1 << 17) + 1], ..whole },
        WideMix { offset_out: -(1 << 17) - 1, ..whole },
        WideMix { limits: [1, 0], ..whole },
        WideMix { reach: (1 << 23) + 1, ..whole },
    ];
    for p in wrong {
        refused("wide_mix", |k, _, out| {
            let (src, mut dst) = ([7; 100], [W.into(); 100]);
            (k.wide_mix)(&mut dst, [&src; 3], &p);
            out.fill(0);
        });
    }
    let p = GamutWeight { gains: [1024, 0], thresholds: [0; 2] };
    refused("gamut_weight", |k, _, out| {
        (k.gamut_weight)(&mut [0; 100], [&[7; 100]; 3], &p);
        out.fill(0);
    });
}
