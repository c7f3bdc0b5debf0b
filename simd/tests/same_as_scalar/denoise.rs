//! Kernels of the noise estimate and the denoise filter.
use super::{check, refs};
use dndi_simd::*;

#[test]
fn noise() {
    check("noise", |k, n, inputs, out| {
        let rows = inputs.rows(n);
        let (edge_th, noise_th) = (inputs.byte(0..16), inputs.byte(0..32));
        let start = if inputs.rng.next() % 2 == 0 { 255 } else { inputs.byte(0..256) };
        out.take(n, start, |dst| (k.noise)(dst, refs(&rows), edge_th, noise_th));
    });
}

#[test]
fn motion_history() {
    check("motion_history", |k, n, inputs, out| {
        let (cur, mut prev) = (inputs.rows::<4>(4 * n), inputs.rows::<4>(4 * n));
        // Static blocks need frames that resemble each other.
        if inputs.rng.next() % 4 != 0 {
            let noise = inputs.rng.within(1..12);
            prev = cur.clone().map(|row| row.into_iter().map(|v| v.saturating_add(inputs.byte(0..noise))).collect());
        }
        let old = inputs.bytes(n, 0..255);
        let th = MotionHistoryThresholds {
            stad_th: inputs.byte(0..256),
            history_max: inputs.byte(128..241),
            history_delta: inputs.byte(0..16),
            asd_th: inputs.byte(0..64),
            temporal_diff_th: inputs.byte(0..64),
            moving_pixel_th: inputs.byte(0..17),
            scm_th: inputs.byte(0..256),
        };
        out.take(n, 77u8, |dst| (k.motion_history)(dst, &old, refs(&cur), refs(&prev), &th));
    });
}

#[test]
fn denoise() {
    check("denoise", |k, n, inputs, out| {
        let cur = inputs.rows::<3>(n);
        let [mut prev] = inputs.rows::<1>(n);
        if inputs.rng.next() % 4 != 0 {
            let spread = inputs.rng.within(1..40);
            prev = cur[1].iter().map(|v| v.saturating_add(inputs.byte(0..spread)).saturating_sub(spread as u8 / 2)).collect();
        }
        let history = inputs.bytes(n, if n % 3 == 0 { 0..255 } else { 128..255 });
        let temporal_diff_low = inputs.byte(0..64);
        let temporal_diff_th = inputs.byte(temporal_diff_low as usize..64.min(temporal_diff_low as usize + 17));
        let th = DenoiseThresholds { good_neighbor_th: inputs.byte(0..64), temporal_diff_th, temporal_diff_low };
        out.take(n, 77u8, |dst| (k.denoise)(dst, refs(&cur), &prev, &history, &th));
    });
}
