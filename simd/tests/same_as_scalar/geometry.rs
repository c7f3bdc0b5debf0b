//! Kernels of geometry, chroma conversion and filters of finished pictures.
use super::{Inputs, TestSample, check};
use dndi_simd::*;

fn samples<S: TestSample>(inputs: &mut Inputs, len: usize, depth: u8) -> Vec<S> {
    let most: u32 = (1 << depth) - 1;
    S::row(inputs, len).into_iter().map(|v| S::from_u32(Into::<u32>::into(v) & most)).collect()
}

fn geometry<S: TestSample>(name: &str) {
    check(name, |k, n, inputs, out| {
        let own = S::kernels(k);
        let [a, b] = [0; 2].map(|_| S::row(inputs, 2 * n));
        let (siting, other, weight) = (inputs.byte(0..9), inputs.byte(0..9), inputs.byte(0..17));
        out.take(n, S::from(7), |dst| (own.mirror)(dst, &a));
        out.take(n, S::from(7), |dst| (own.chroma_across)(dst, &a, siting));
        out.take(n, S::from(7), |dst| (own.chroma_mix)(dst, [&a, &b], weight));
        out.take(n, S::from(7), |dst| (own.chroma_reduce)(dst, [&a, &b], [siting, other]));
    });
}

#[test]
fn geometry_of_bytes_and_words() {
    geometry::<u8>("geometry");
    geometry::<u16>("geometry of words");
}

fn filters<S: TestSample>(name: &str) {
    check(name, |k, n, inputs, out| {
        let own = S::kernels(k);
        let depth = S::DEPTHS[inputs.rng.within(0..S::DEPTHS.len())];
        let (columns, rows) = (inputs.rng.within(1..8), inputs.rng.within(1..5));
        let (width, stride) = (n + columns - 1, n + columns + inputs.rng.within(0..3));
        let data = samples::<S>(inputs, stride * rows, depth);
        let src = Lines { data: &data, stride, width };
        // Sums beyond 31 bits, too.
        let most = [9, 4097, 32768][inputs.rng.within(0..3)];
        let count = inputs.rng.within(0..columns * rows + 1);
        let place = |inputs: &mut Inputs| (inputs.byte(0..rows), inputs.byte(0..columns));
        let weights: Vec<Weight> = (0..count)
            .map(|_| {
                let (row, column) = place(inputs);
                Weight { row, column, weight: (inputs.rng.within(0..2 * most) as i32 - most as i32) as i16 }
            })
            .collect();
        let p = Convolution { weights: &weights, shift: inputs.byte(12..23), depth };
        out.take(n, S::from(7), |dst| (own.convolve)(dst, src, &p));
        let taps: Vec<WindowTap> = (0..count)
            .map(|_| {
                let (row, column) = place(inputs);
                WindowTap { row, column }
            })
            .collect();
        for kernel in [own.erode, own.dilate, own.extent] {
            out.take(n, S::from(7), |dst| kernel(dst, src, &taps));
        }
    });
}

#[test]
fn filters_of_bytes_and_words() {
    filters::<u8>("filters");
    filters::<u16>("filters of words");
}
