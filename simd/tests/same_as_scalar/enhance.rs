//! Kernels of the enhancement filter.
use super::{DEPTHS, Inputs, Written, check, words};
use dndi_simd::*;
use std::ops::Range;

/// All values of P.
fn unit_depths() -> impl Iterator<Item = u8> {
    DEPTHS.into_iter().skip(1).chain([11, 13, 15])
}

#[test]
fn detail_filter() {
    for depth in unit_depths() {
        check(&format!("detail_filter of {depth} bits"), |k, n, inputs, out| detail(k, n, inputs, out, depth));
    }
}

fn detail(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written, depth: u8) {
    let rows: [Vec<u16>; 5] = std::array::from_fn(|_| words(inputs, n + 2 * ENHANCE_APRON, depth));
    let p = Detail {
        depth,
        wide: inputs.rng.next().is_multiple_of(2),
        smooth: inputs.rng.next().is_multiple_of(2),
        strong_edge_threshold: inputs.byte(0..16),
        weak_edge_threshold: inputs.byte(0..16),
        weights: [inputs.byte(0..8), inputs.byte(0..8), inputs.byte(0..8)],
        gain_factor: inputs.byte(0..64),
    };
    let shares = inputs.halfwords(n, 0..64);
    for shares in [None, Some(&shares[..])] {
        out.take(n, 77u16, |dst| (k.detail_filter)(dst, rows.each_ref().map(Vec::as_slice), shares, &p));
    }
}

#[test]
fn combination_filter() {
    for depth in unit_depths() {
        check(&format!("combination_filter of {depth} bits"), |k, n, inputs, out| combination(k, n, inputs, out, depth));
    }
}

fn combination(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written, depth: u8) {
    let rows: [Vec<u16>; 5] = std::array::from_fn(|_| words(inputs, n + 2 * ENHANCE_APRON, depth));
    let bytes = |inputs: &mut Inputs, range: Range<usize>| std::array::from_fn(|_| inputs.byte(range.clone()));
    let slopes = |inputs: &mut Inputs| std::array::from_fn(|_| inputs.rng.next() as i8);
    let seven = |inputs: &mut Inputs| std::array::from_fn(|_| inputs.byte(0..256));
    let mut points: [u8; 7] = seven(inputs);
    if n.is_multiple_of(2) {
        points.sort();
    }
    points[0] = 0;
    let most = [4, 40, 256][inputs.rng.within(0..3)];
    let strength = inputs.rng.next().is_multiple_of(2);
    let p = Combination {
        depth,
        noise: inputs.byte(0..most),
        r3: [inputs.byte(0..32), inputs.byte(0..32)],
        r5: [inputs.byte(0..32), inputs.byte(0..32), inputs.byte(0..32)],
        mr: [inputs.byte(0..16), inputs.byte(0..2)],
        steepness: [inputs.byte(0..16), inputs.byte(0..2)],
        points,
        bias3: bytes(inputs, 0..256).map(|v: u8| if strength { v } else { v / 8 }),
        slope3: slopes(inputs),
        bias5: bytes(inputs, 0..256),
        slope5: slopes(inputs),
        limiters: [inputs.byte(0..16), inputs.byte(0..16)],
        limiter_boost: inputs.byte(0..16),
        clip_limiter: inputs.rng.within(0..1024) as u16,
    };
    let shares = inputs.halfwords(n, 0..64);
    for shares in [None, Some(&shares[..])] {
        out.take(n, 77u16, |dst| (k.combination_filter)(dst, rows.each_ref().map(Vec::as_slice), shares, &p));
    }
}
