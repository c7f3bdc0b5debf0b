//! Kernels of the deinterlacer `best`.
use super::network::{depth, samples};
use super::{Inputs, TestSample, Written, check, for_samples, refs};
use dndi_simd::*;

/// Lines of a block and the samples from line to line.
fn block(inputs: &mut Inputs) -> (Vec<u8>, usize) {
    let stride = inputs.rng.within(16..48);
    (inputs.row(14 * stride + 16), stride)
}

#[test]
fn block_sads() {
    check("block_sads", |k, n, inputs, out| {
        let (block, stride) = block(inputs);
        let last = inputs.rng.within(0..60);
        let reference = inputs.row(last + 14 * stride + 16);
        let at: Vec<usize> = (0..n).map(|_| inputs.rng.within(0..last + 1)).collect();
        out.take(n, 77u16, |sads| (k.block_sads)(sads, &block, &reference, stride, &at));
    });
}

#[test]
fn quarter_sads() {
    check("quarter_sads", |k, n, inputs, out| {
        let (block, stride) = block(inputs);
        let stride = stride + 1;
        let last = inputs.rng.within(0..60);
        let lines = [8, 8, 6, 6, inputs.rng.within(1..9)][inputs.rng.within(0..5)];
        let block = [block, inputs.row(14)].concat();
        let reference = inputs.row(last + (2 * lines - 1) * stride + 17);
        let at: Vec<QuarterPosition> = (0..n)
            .map(|_| QuarterPosition { at: inputs.rng.within(0..last + 1), fraction: (inputs.byte(0..4), inputs.byte(0..4)) })
            .collect();
        out.take(n, 77u16, |sads| (k.quarter_sads)(sads, &block, &reference, stride, &at, lines));
    });
}

mod one {
    use super::*;

    /// Narrow blocks in several shapes and, as all blocks, at several fractions.
    pub fn catmull_rom<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        for _ in 0..if n < 40 { 6 } else { 1 } {
            let depth = depth::<S>(inputs);
            let height = [8, 8, 4, 16, inputs.rng.within(1..17)][inputs.rng.within(0..5)];
            let (stride, source_stride) = (n + inputs.rng.within(0..3), n + 3 + inputs.rng.within(0..3));
            let surplus = inputs.rng.within(0..9);
            let source = samples::<S>(inputs, (height + 2) * source_stride + n + 3 + surplus, depth);
            let fraction = (inputs.byte(0..4), inputs.byte(0..4));
            let block = QuarterBlock { samples: &source, stride: source_stride, size: (n, height), fraction };
            let len = (height - 1) * stride + n;
            out.take(len, S::from_u32(77), |dst| (S::kernels(k).catmull_rom)(dst, stride, &block, depth));
        }
    }

    /// Distances of bwdif: none, small ones, and any.
    fn range(inputs: &mut Inputs, n: usize) -> Vec<u16> {
        let most = [1, 40, 0x1_0000][inputs.rng.within(0..3)];
        inputs.halfwords(n, 0..most)
    }

    pub fn around<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let (value, mean) = (samples::<S>(inputs, n, depth), samples::<S>(inputs, n, depth));
        let range = range(inputs, n);
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).around)(dst, &value, &mean, &range, depth));
    }

    pub fn average_up<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let (a, b) = (S::row(inputs, n), S::row(inputs, n));
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).average_up)(dst, &a, &b));
    }

    pub fn cubic<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let lines: [Vec<S>; 4] = std::array::from_fn(|_| samples::<S>(inputs, n, depth));
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).cubic)(dst, refs(&lines), depth));
    }

    pub fn fuse<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let rows: [Vec<S>; 6] = std::array::from_fn(|_| samples::<S>(inputs, n, depth));
        let [base, mean, references @ ..] = refs(&rows);
        let most = if inputs.rng.next().is_multiple_of(2) { 0x1_0000 } else { 300 };
        let correction: Vec<u16> = inputs.halfwords(n, 0..most).into_iter().map(|v| v.wrapping_sub((most / 2) as u16)).collect();
        let (range, still) = (range(inputs, n), inputs.halfwords(n, 0..30));
        let tolerance = [0, 40, 40 << (depth - 8), u16::MAX][inputs.rng.within(0..4)];
        let p = Fusion {
            base,
            correction: &correction,
            references,
            mean,
            range: &range,
            still: &still,
            thresholds: [3, 24],
            tolerance,
        };
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).fuse)(dst, &p, depth));
    }

    /// References that are alike, and any.
    pub fn agreed_mean<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let rows: [Vec<S>; 5] = std::array::from_fn(|_| samples::<S>(inputs, n, depth));
        let [alone, references @ ..] = &rows;
        let mut references = references.clone();
        if inputs.rng.next().is_multiple_of(2) {
            let [first, others @ ..] = &mut references;
            for other in others {
                let more = inputs.halfwords(n, 0..4 << (depth - 8)).into_iter().map(u32::from);
                let sums = first.iter().zip(more).map(|(&v, more)| -> u32 { Into::<u32>::into(v) + more });
                let near = sums.map(|v| S::from_u32(v.min((1 << depth) - 1)));
                *other = near.collect();
            }
        }
        let still = inputs.halfwords(n, 0..6);
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).agreed_mean)(dst, refs(&references), alone, (&still, 3)));
    }

    pub fn spread<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let rows: [Vec<S>; 4] = std::array::from_fn(|_| S::row(inputs, n));
        let count = inputs.rng.within(0..5);
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).spread)(dst, &refs(&rows)[..count]));
    }
}

for_samples!(catmull_rom, around, average_up, cubic, fuse, agreed_mean, spread);

#[test]
fn smooth_and_halve() {
    check("smooth", |k, n, inputs, out| {
        let rows: [Vec<u8>; 5] = std::array::from_fn(|_| inputs.row(2 * n));
        out.take(n, 77u8, |dst| (k.smooth)(dst, refs(&rows)));
        out.take(n, 77u8, |dst| (k.halve)(dst, [&rows[0], &rows[1]]));
    });
}

#[test]
fn costs_of_compensated_pictures() {
    check("residual_costs", |k, n, inputs, out| {
        let (rows, shift) = (inputs.rows::<4>(n), inputs.byte(0..5));
        let [a, b, ..] = refs(&rows);
        let mut wide = vec![77; n];
        out.take(n, 77u16, |near| (k.residual_costs)(&mut [near, &mut wide], refs(&rows), shift));
        out.take(n, 0u16, |dst| dst.copy_from_slice(&wide));
        out.take(n, 77u16, |dst| (k.match_cost)(dst, a, b, shift));
        out.take(n, 77u8, |dst| (k.distance)(dst, a, b));
    });
}

/// Signed numbers of 12 bits, and costs and phases in their ranges.
#[test]
fn fusion_choice() {
    check("fusion_choice", |k, n, inputs, out| {
        let (stride, shift) = (n + inputs.rng.within(0..3), inputs.byte(0..5));
        let signed = |inputs: &mut Inputs, len: usize| -> Vec<u16> {
            inputs.halfwords(len, 0..8191).into_iter().map(|v| v.wrapping_sub(4095)).collect()
        };
        let most = [4, 30, 511][inputs.rng.within(0..3)];
        let mut rows: Vec<u16> = Vec::new();
        for input in 0..FUSION_INPUTS {
            rows.extend(match input {
                38..46 => inputs.halfwords(stride, 0..most).into_iter().map(|v| v << shift).collect(),
                50..54 => inputs.halfwords(stride, 0..33).into_iter().map(|v| v << shift).collect(),
                _ => signed(inputs, stride),
            });
        }
        let mean = signed(inputs, n);
        (k.fusion_choice)(&mut rows, stride, &mean, shift);
        out.take(rows.len(), 0u16, |dst| dst.copy_from_slice(&rows));
    });
}
