//! Kernels of the deinterlacer `best`.
use super::network::{depth, samples};
use super::{Inputs, TestSample, Written, check, for_samples};
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
            let source = samples::<S>(inputs, (height + 2) * source_stride + n + 3, depth);
            let fraction = (inputs.byte(0..4), inputs.byte(0..4));
            let block = QuarterBlock { samples: &source, stride: source_stride, size: (n, height), fraction };
            let len = (height - 1) * stride + n;
            out.take(len, S::from_u32(77), |dst| (S::kernels(k).catmull_rom)(dst, stride, &block, depth));
        }
    }
}

for_samples!(catmull_rom);
