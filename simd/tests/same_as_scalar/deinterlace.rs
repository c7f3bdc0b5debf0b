//! Kernels of the deinterlacer and of chroma sampling.
use super::{Inputs, TestSample, Written, check, for_samples, refs};
use dndi_simd::*;

#[test]
fn temporal_difference() {
    check("temporal_difference", |k, n, inputs, out| {
        let (c, p) = (inputs.rows(2 * n), inputs.rows(2 * n));
        out.take(n, 77u16, |dst| (k.temporal_difference)(dst, refs(&c), refs(&p)));
    });
}

#[test]
fn stmm() {
    check("stmm", |k, n, inputs, out| {
        let rows = inputs.rows::<5>(2 * n);
        let low = inputs.rng.next().is_multiple_of(2);
        let most = if low { 80 } else { 4 * 255 + 1 };
        let difference: [Vec<u16>; 5] = std::array::from_fn(|_| inputs.halfwords(n, 0..most));
        let old = inputs.bytes(n, 0..256);
        let (stmm_trc1, stmm_trc2) = (inputs.byte(0..128), inputs.byte(0..256));
        let p = Stmm {
            vecm_mul: inputs.byte(0..64),
            stmm_c2: inputs.byte(1..9),
            stmm_shift_down: inputs.byte(4..7),
            stmm_shift_up: inputs.byte(6..9),
            stmm_trc1,
            stmm_trc2,
            md_th: if inputs.rng.next().is_multiple_of(2) { stmm_trc1 } else { stmm_trc2 },
        };
        let mut detail = vec![0; n];
        out.take(n, 77u8, |dst| (k.stmm)(dst, &mut detail, refs(&rows), difference.each_ref().map(Vec::as_slice), &old, &p));
        out.take(n, 0u16, |dst| dst.copy_from_slice(&detail));
    });
}

#[test]
fn max3_and_median3() {
    check("max3", |k, n, inputs, out| {
        let src = inputs.row(n + 2);
        out.take(n, 77u8, |dst| (k.max3)(dst, &src));
        out.take(n, 77u8, |dst| (k.median3)(dst, &src));
    });
}

#[test]
fn angle() {
    check("angle", |k, n, inputs, out| {
        let mut lines = inputs.rows::<4>(2 * n);
        // Slanted edges: each line is the one above, shifted.
        let shift = inputs.rng.within(0..11);
        if shift > 0 {
            for i in 1..4 {
                let moved = |x: usize| lines[i - 1].get(x.wrapping_add(2 * shift).wrapping_sub(10)).copied().unwrap_or(0);
                lines[i] = (0..lines[i].len()).map(moved).collect();
            }
        }
        // A threshold at or just below a vertical cost that occurs.
        let mut sdi_threshold = inputs.byte(0..256);
        if inputs.rng.next().is_multiple_of(2) {
            let (mut angle, mut cost90) = (vec![0; n], vec![0; n]);
            let th = AngleThresholds { stmm_min: 0, sdi_threshold: 0, sdi_delta: 0, sdi_t1: 0, sdi_t2: 0, angle2x1: 0 };
            (Kernels::at(SimdLevel::Scalar).unwrap().angle)(&mut angle, &mut cost90, refs(&lines), &vec![1; n + 2], &th);
            let cost90 = cost90[inputs.rng.within(0..n)].saturating_sub(inputs.rng.within(0..4) as u16);
            sdi_threshold = cost90.min(255) as u8;
        }
        let still = inputs.rng.within(1..40) as u64;
        let stmm: Vec<u8> =
            (0..n + 2).map(|_| if inputs.rng.next().is_multiple_of(still) { 255 } else { inputs.byte(0..119) }).collect();
        let th = AngleThresholds {
            stmm_min: [0, 118, 254][inputs.rng.within(0..3)],
            sdi_threshold,
            sdi_delta: inputs.byte(0..256),
            sdi_t1: inputs.byte(0..256),
            sdi_t2: inputs.byte(0..256),
            angle2x1: inputs.byte(0..256),
        };
        let mut cost90 = vec![0; n];
        out.take(n, 77u8, |dst| (k.angle)(dst, &mut cost90, refs(&lines), &stmm, &th));
        out.take(n, 0u16, |dst| dst.copy_from_slice(&cost90));
    });
}

/// Limits of a blend, and motion measures below, between and above them.
fn stmm_blend(n: usize, inputs: &mut Inputs) -> (StmmBlend, Vec<u8>) {
    let stmm_shift = inputs.byte(0..8);
    let stmm_min = inputs.byte(0..256 - (1 << stmm_shift));
    let p = StmmBlend { stmm_min, stmm_max: stmm_min + (1 << stmm_shift), stmm_shift };
    let (min, max) = (p.stmm_min as usize, p.stmm_max as usize);
    let usual = [0..256, min..max + 1, 0..min + 1, max..256][inputs.rng.within(0..4)].clone();
    let stmm = (0..n)
        .map(|_| if inputs.rng.next().is_multiple_of(64) { inputs.byte(0..256) } else { inputs.byte(usual.clone()) })
        .collect();
    (p, stmm)
}

for_samples! { interpolate_and_chroma_angle, compensate, compensated, blends, average, limit, top_byte }

mod one {
    use super::*;

    pub fn interpolate_and_chroma_angle<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let (k, start) = (S::kernels(k), S::from_u32(77));
        let [upper, lower] = S::rows::<2>(inputs, n);
        let angle = if n.is_multiple_of(2) { inputs.bytes(n, 0..9) } else { vec![VERTICAL; n] };
        out.take(n, start, |dst| (k.interpolate)(dst, &upper, &lower, &angle));
        out.take(n, start, |dst| (k.chroma_angle)(dst, &upper, &lower, &angle));
        let angle = inputs.bytes(n, 0..9);
        out.take(n, start, |dst| (k.interpolate)(dst, &upper, &lower, &angle));
        out.take(n, start, |dst| (k.chroma_angle)(dst, &upper, &lower, &angle));
    }

    /// Clips with static parts and parts that move horizontally, so that pairs pass all checks.
    pub fn compensate<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let pairs = n.div_ceil(2);
        let texture = inputs.row(4 * pairs + 400);
        let (moves, noise) = (inputs.rng.within(0..13), inputs.rng.within(1..6));
        let frames: [[Vec<u8>; 12]; 2] = std::array::from_fn(|frame| {
            std::array::from_fn(|line| {
                // Lines of a texture that changes slowly from line to line, shifted in one of the
                // frames.
                let start = 16 + 3 * line + if frame == 1 { moves } else { 6 };
                let row = texture[start..start + 2 * pairs + 2 * APRON].iter();
                row.map(|v| v.saturating_add(inputs.byte(0..noise))).collect()
            })
        });
        // All bits of the samples, of which the frames have the 8 most significant ones.
        let extra = S::DEPTHS[inputs.rng.within(0..S::DEPTHS.len())] - 8;
        let deeper = |inputs: &mut Inputs, row: &Vec<u8>| -> Vec<S> {
            row.iter().map(|&v| S::from_u32(u32::from(v) << extra | inputs.rng.next() as u32 & ((1 << extra) - 1))).collect()
        };
        let samples = frames.each_ref().map(|frame| frame.each_ref().map(|row| deeper(inputs, row)));
        let lines = [2, 4, 4, 4, 4, 3, 1][inputs.rng.within(0..7)];
        let stmm3: [Vec<u8>; 4] =
            std::array::from_fn(
                |_| if inputs.rng.next().is_multiple_of(3) { vec![0; pairs] } else { inputs.bytes(pairs, 90..200) },
            );
        let angle: [Vec<u8>; 4] = std::array::from_fn(|_| {
            (0..pairs).map(|_| if !inputs.rng.next().is_multiple_of(8) { VERTICAL } else { inputs.byte(0..9) }).collect()
        });
        let most = [300, 15 * 255 + 1][inputs.rng.within(0..2)];
        let detail: [Vec<u16>; 4] = std::array::from_fn(|_| inputs.halfwords(pairs, 0..most));
        let cost90: [Vec<u16>; 4] = std::array::from_fn(|_| inputs.halfwords(pairs, 0..600));
        let rows = CompensateRows {
            lines,
            frames: frames.each_ref().map(refs),
            samples: samples.each_ref().map(refs),
            stmm3: refs(&stmm3),
            angle: refs(&angle),
            detail: refs(&detail),
            cost90: refs(&cost90),
        };
        let p = Compensate {
            stmm_min: inputs.byte(80..140),
            cat_slope: inputs.byte(1..17),
            sad_tight_th: inputs.byte(0..16),
            smooth_mv_th: inputs.byte(0..4),
            cat_th1: inputs.byte(0..4),
            neighbor_pixel_th: inputs.byte(0..16),
            mc_pixel_consistency_th: inputs.byte(0..64),
            sad_tha: inputs.byte(0..16),
            sad_thb: inputs.byte(0..16),
        };
        let mut di: [Vec<S>; 4] = std::array::from_fn(|_| S::row(inputs, n));
        (S::kernels(k).compensate)(&mut di.each_mut().map(Vec::as_mut_slice), &rows, &p);
        di.iter().for_each(|di| out.take(n, S::default(), |dst| dst.copy_from_slice(di)));
    }

    /// Half of the samples are equal.
    pub fn compensated<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let rows: [Vec<S>; 2] = std::array::from_fn(|_| S::row(inputs, n));
        let keeps: Vec<bool> = (0..n).map(|_| inputs.rng.next().is_multiple_of(2)).collect();
        let sdi: Vec<S> = (0..n).map(|x| rows[usize::from(keeps[x])][x]).collect();
        let (p, stmm) = stmm_blend(n, inputs);
        let mut counts = [7, 9];
        (S::kernels(k).compensated)(&mut counts, &rows[0][..n], &sdi, &stmm, p.stmm_min);
        out.take(2, 0u32, |dst| dst.copy_from_slice(&counts));
    }

    pub fn blends<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let (k, start) = (S::kernels(k), S::from_u32(77));
        let rows: [Vec<S>; 4] = std::array::from_fn(|_| S::row(inputs, n));
        let [a, b, c, d] = refs(&rows);
        let (p, stmm) = stmm_blend(n, inputs);
        out.take(n, start, |dst| (k.blend)(dst, a, [b, c], &stmm, &p));
        out.take(n, start, |dst| (k.upsample)(dst, [a, b], [c, d], &stmm, &p));
        let mut c3 = vec![S::default(); n];
        (k.average)(&mut c3, a, b);
        if n.is_multiple_of(3) {
            c3[inputs.rng.within(0..n)] = S::from_u32(9);
        }
        out.take(n, start, |dst| (k.chroma_blend)(dst, &c3, [a, b], [c, d], &stmm, &p));
        let c3 = S::row(inputs, n);
        out.take(n, start, |dst| (k.chroma_blend)(dst, &c3, [a, b], [c, d], &stmm, &p));
    }

    pub fn average<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let (a, b) = (S::row(inputs, n), S::row(inputs, n));
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).average)(dst, &a, &b));
    }

    pub fn limit<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let src = S::row(inputs, n);
        for most in [S::MAX, S::from_u32(0), S::from_u32(200), S::from_u32((1 << S::DEPTHS[0]) - 1)] {
            out.take(n, S::from_u32(77), |dst| (S::kernels(k).limit)(dst, &src, most));
        }
    }

    pub fn top_byte<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let src = S::row(inputs, n);
        for &depth in S::DEPTHS {
            out.take(n, 77u8, |dst| (S::kernels(k).top_byte)(dst, &src, depth - 8));
        }
    }
}

#[test]
fn expand_pairs() {
    check("expand_pairs", |k, n, inputs, out| {
        let a = inputs.row(n);
        out.take(n, 77u8, |dst| (k.expand_pairs)(dst, &a[..n.div_ceil(2)]));
    });
}
