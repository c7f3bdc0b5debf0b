//! Kernels of the denoiser along motion.
use super::network::depth;
use super::{Fill, Inputs, TestSample, Written, check, for_samples, refs, words};
use dndi_simd::*;

#[test]
fn smooth3() {
    check("smooth3", |k, n, inputs, out| {
        let rows: [Vec<u8>; 3] = std::array::from_fn(|_| inputs.row(n + 2));
        out.take(n, 77u8, |dst| (k.smooth3)(dst, refs(&rows)));
    });
}

/// Lines of one of the depths of the pictures, and their shift to 12 bits.
fn lines<const N: usize>(inputs: &mut Inputs, len: usize) -> ([Vec<u16>; N], u8) {
    let shift = inputs.byte(0..5);
    (std::array::from_fn(|_| words(inputs, len, 12 + shift)), shift)
}

#[test]
fn cell_sums() {
    check("cell_sums", |k, n, inputs, out| {
        let (rows, shift) = lines::<8>(inputs, 4 * n);
        let [own @ .., e, f, g, h] = refs(&rows);
        let mut signed = vec![77; n];
        out.take(n, 77i32, |absolute| (k.cell_sums)(absolute, &mut signed, own, [e, f, g, h], shift));
        out.take(n, 77i32, |dst| dst.copy_from_slice(&signed));
        // The greatest and the least sums.
        let (least, greatest) = (vec![0; 4 * n], vec![4095 << shift; 4 * n]);
        out.take(n, 77i32, |absolute| (k.cell_sums)(absolute, &mut signed, [&least; 4], [&greatest; 4], shift));
        out.take(n, 77i32, |dst| (k.cell_sums)(&mut vec![77; n], dst, [&greatest; 4], [&least; 4], shift));
    });
}

#[test]
fn weighted_mean() {
    check("weighted_mean", |k, n, inputs, out| {
        let (rows, shift) = lines::<3>(inputs, n);
        let [own, others @ ..] = refs(&rows);
        let most = [1, 3000, 0x8000][inputs.rng.within(0..3)];
        let first = inputs.halfwords(n.div_ceil(4), 0..most);
        let second: Vec<u16> = first.iter().map(|&first| inputs.rng.within(0..0x8000 - usize::from(first)) as u16).collect();
        let weights = [first, second];
        out.take(n, 77u16, |dst| (k.weighted_mean)(dst, own, others, refs(&weights), 12 + shift));
        // Only one picture counts.
        let (zero, all) = (vec![0; n.div_ceil(4)], vec![32767; n.div_ceil(4)]);
        for weights in [[&zero[..], &all], [&all, &zero], [&zero, &zero]] {
            out.take(n, 77u16, |dst| (k.weighted_mean)(dst, own, others, weights, 12 + shift));
        }
    });
}

/// Blocks of noise and of the extremes: flat, as a checkerboard, and with the signs of the rows of
/// the transform, which give its greatest coefficients.
#[test]
fn shrink_blocks() {
    check("shrink_blocks", |k, n, inputs, out| {
        let n = n.div_ceil(8);
        let (mut rows, shift) = lines::<8>(inputs, 8 * n);
        if matches!(inputs.fill, Fill::Flat | Fill::Edges | Fill::Ramp) {
            for block in 0..n {
                let [right, down, phase] = [8, 8, 2].map(|most| inputs.rng.within(0..most));
                let is_negative = |k: usize, i: usize| (((2 * i + 1) * k) as f64 * std::f64::consts::PI / 16.0).cos() < 0.0;
                for (y, row) in rows.iter_mut().enumerate() {
                    for x in 0..8 {
                        let high = is_negative(right, x) ^ is_negative(down, y) ^ (phase == 1);
                        row[8 * block + x] = if high { 4095 << shift } else { 0 };
                    }
                }
            }
        }
        let most = [1, 100, 2000, 0x1_0000][inputs.rng.within(0..4)];
        let thresholds = inputs.halfwords(n, 0..most);
        let mut written: [Vec<i16>; 8] = std::array::from_fn(|_| vec![77; 8 * n]);
        let [first, others @ ..] = written.each_mut().map(Vec::as_mut_slice);
        let [b, c, d, e, f, g, h] = others;
        out.take(8 * n, 77i16, |last| {
            (k.shrink_blocks)(&mut [first, b, c, d, e, f, g, last], refs(&rows), &thresholds, shift);
            h.copy_from_slice(last);
        });
        written.iter().for_each(|line| out.take(8 * n, 0i16, |dst| dst.copy_from_slice(line)));
    });
}

mod one {
    use super::*;

    pub fn join_blocks<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = if size_of::<S>() == 1 { depth::<S>(inputs) } else { inputs.byte(9..17) };
        let bits = (depth + 4).min(16);
        let mean = words(inputs, n, bits);
        // Numbers of the range of samples, a little more, or any.
        let shift = [4, 3, 0][inputs.rng.within(0..3)];
        let part = |inputs: &mut Inputs| words(inputs, n, 16).into_iter().map(|v| (v ^ 0x8000) as i16 >> shift).collect();
        let parts: [Vec<i16>; 4] = std::array::from_fn(|_| part(inputs));
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).join_blocks)(dst, &mean, refs(&parts), depth));
    }
}

for_samples!(join_blocks);
