//! Kernels of the denoiser along motion.
use crate::parameters::refused;
use crate::slices::{B, Call, START, Slices, TestSample, W, noise, one, refs};
use dndi_simd::*;

/// Each kernel, with the lengths that its file documents.
pub const KERNELS: [(&str, Call); 6] = [
    ("smooth3", |k, n, s| {
        let rows = s.lines::<3>(n + 2);
        one!(s, n, B, |dst| (k.smooth3)(dst, refs(&rows)));
    }),
    ("cell_sums", |k, n, s| {
        let (own, other) = (s.deep::<4>(4 * n, 16383), s.deep::<4>(4 * n, 16383));
        let (mut absolute, mut signed) = (vec![START as i32; n], s.twin(n, START as i32));
        s.call(|| (k.cell_sums)(&mut absolute, &mut signed, refs(&own), refs(&other), 2));
        s.wrote(&absolute.iter().map(|&v| v as u32).collect::<Vec<_>>());
        s.wrote(&signed.iter().map(|&v| v as u32).collect::<Vec<_>>());
    }),
    ("weighted_mean", |k, n, s| {
        let depth = if n.is_multiple_of(2) { 12 } else { 16 };
        let (own, others) = (s.words(n, ((1u32 << depth) - 1) as u16), s.deep::<2>(n, ((1u32 << depth) - 1) as u16));
        let weights = s.deep::<2>(n.div_ceil(4), 16383);
        one!(s, n, W, |dst| (k.weighted_mean)(dst, &own, refs(&others), refs(&weights), depth));
    }),
    ("shrink_blocks", |k, n, s| {
        let src = s.deep::<8>(8 * n, 8191);
        // The thresholds determine the number of blocks.
        let thresholds: Vec<u16> = (0..n).map(|at| (noise(97, at) % 600) as u16).collect();
        let mut lines: [Vec<i16>; 8] = std::array::from_fn(|_| s.output(8 * n, START as i16));
        s.call(|| (k.shrink_blocks)(&mut lines.each_mut().map(Vec::as_mut_slice), refs(&src), &thresholds, 1));
        lines.iter().for_each(|line| s.wrote(&line.iter().map(|&v| v as u16).collect::<Vec<_>>()));
    }),
    ("join_blocks", join_blocks::<u8>),
    ("join_blocks of words", join_blocks::<u16>),
];

fn join_blocks<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let mean = s.words(n, ((1u32 << (S::DEPTH + 4)) - 1) as u16);
    let parts = s.deep::<4>(n, 4095).map(|part| part.into_iter().map(|v| v as i16 - 2048).collect::<Vec<_>>());
    one!(s, n, S::START, |dst| (S::kernels(k).join_blocks)(dst, &mean, refs(&parts), S::DEPTH));
}

/// Depths and shifts outside their ranges.
#[test]
fn parameters() {
    const N: usize = 100;
    let (words, parts) = (vec![700u16; 8 * N], vec![50i16; N]);
    for shift in [5, 16, 255] {
        refused("cell_sums", |k, _, dst| {
            (k.cell_sums)(&mut [0; N], &mut [0; N], [&words; 4], [&words; 4], shift);
            dst.fill(0);
        });
        refused("shrink_blocks", |k, _, dst| {
            let mut lines = [[0i16; N]; 8];
            (k.shrink_blocks)(&mut lines.each_mut().map(|line| &mut line[..]), [&words; 8], &words[..N / 8], shift);
            dst.fill(0);
        });
    }
    for depth in [0, 8, 11, 17, 255] {
        refused("weighted_mean", |k, _, dst| (k.weighted_mean)(dst, &words, [&words; 2], [&words; 2], depth));
    }
    for depth in [0, 7, 9, 16, 255] {
        refused("join_blocks", |k, dst, _| (k.bytes.join_blocks)(dst, &words, [&parts; 4], depth));
    }
    for depth in [0, 7, 8, 17, 255] {
        refused("join_blocks", |k, _, dst| (k.words.join_blocks)(dst, &words, [&parts; 4], depth));
    }
}
