//! Kernels of the noise estimate and the denoise filter.
use super::{Inputs, TestSample, Written, for_samples, refs};
use dndi_simd::*;

for_samples! { noise, motion_history, denoise }

/// A depth of the sample type.
fn depth<S: TestSample>(inputs: &mut Inputs) -> u8 {
    S::DEPTHS[inputs.rng.within(0..S::DEPTHS.len())]
}

/// A threshold at a depth: mostly a shifted one of 8 bits.
fn threshold(inputs: &mut Inputs, depth: u8, below: usize) -> u16 {
    let e = depth - 8;
    if inputs.rng.next().is_multiple_of(4) {
        inputs.rng.within(0..((below - 1) << e) + 1) as u16
    } else {
        u16::from(inputs.byte(0..below)) << e
    }
}

/// Samples near others: up to `spread` more or less.
fn near<S: TestSample>(inputs: &mut Inputs, row: &[S], spread: usize) -> Vec<S> {
    let most: u32 = S::MAX.into();
    let add = |inputs: &mut Inputs, v: S| {
        let moved = i64::from(v.signed()) + inputs.rng.within(0..spread) as i64 - spread as i64 / 2;
        S::from_u32(moved.clamp(0, most.into()) as u32)
    };
    row.iter().map(|&v| add(inputs, v)).collect()
}

mod one {
    use super::*;

    pub fn noise<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let rows = S::rows::<3>(inputs, n);
        let (edge_th, noise_th) = (threshold(inputs, depth, 16), threshold(inputs, depth, 32));
        let start = if inputs.rng.next().is_multiple_of(2) { 255 } else { inputs.byte(0..256) };
        let start = S::from_u32(u32::from(start) << (depth - 8));
        out.take(n, start, |dst| (S::kernels(k).noise)(dst, refs(&rows), edge_th, noise_th));
    }

    pub fn motion_history<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let (cur, mut prev) = (S::rows::<4>(inputs, 4 * n), S::rows::<4>(inputs, 4 * n));
        // Static blocks need frames that resemble each other.
        if !inputs.rng.next().is_multiple_of(4) {
            let noise = inputs.rng.within(1..12) << (depth - 8);
            prev = cur.each_ref().map(|row| near(inputs, row, noise));
        }
        let old = inputs.bytes(n, 0..255);
        let th = MotionHistoryThresholds {
            stad_th: threshold(inputs, depth, 256),
            history_max: inputs.byte(128..241),
            history_delta: inputs.byte(0..16),
            asd_th: threshold(inputs, depth, 64),
            temporal_diff_th: threshold(inputs, depth, 64),
            moving_pixel_th: inputs.byte(0..17),
            scm_th: threshold(inputs, depth, 256),
        };
        out.take(n, 77u8, |dst| (S::kernels(k).motion_history)(dst, &old, refs(&cur), refs(&prev), &th));
    }

    pub fn denoise<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let cur = S::rows::<3>(inputs, n);
        let [mut prev] = S::rows::<1>(inputs, n);
        if !inputs.rng.next().is_multiple_of(4) {
            let spread = inputs.rng.within(1..40) << (depth - 8);
            prev = near(inputs, &cur[1], spread);
        }
        let history = inputs.bytes(n, if n.is_multiple_of(3) { 0..255 } else { 128..255 });
        let temporal_diff_low = threshold(inputs, depth, 64);
        let e = depth - 8;
        let most = (63 << e).min(usize::from(temporal_diff_low) + (16 << e));
        let temporal_diff_th = inputs.rng.within(usize::from(temporal_diff_low)..most + 1) as u16;
        let good_neighbor_th = threshold(inputs, depth, 64);
        let th = DenoiseThresholds { depth, good_neighbor_th, temporal_diff_th, temporal_diff_low };
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).denoise)(dst, refs(&cur), &prev, &history, &th));
    }
}
