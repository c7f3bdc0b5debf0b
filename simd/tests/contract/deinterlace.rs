//! Kernels of the noise estimate, the denoise filter and the deinterlacer.
use crate::slices::{B, START, W, one};
use crate::slices::{Call, Slices, TestSample, noise as noise_of, refs};
use dndi_simd::*;

/// Each kernel, with the lengths that its file documents.
pub const KERNELS: [(&str, Call); 32] = [
    ("noise", noise::<u8>),
    ("noise of words", noise::<u16>),
    ("motion_history", motion_history::<u8>),
    ("motion_history of words", motion_history::<u16>),
    ("denoise", denoise::<u8>),
    ("denoise of words", denoise::<u16>),
    ("temporal_difference", |k, n, s| {
        let (c, p) = (s.rows::<3>(2 * n), s.rows::<3>(2 * n));
        one!(s, n, W, |dst| (k.temporal_difference)(dst, refs(&c), refs(&p)));
    }),
    ("stmm", |k, n, s| {
        let (rows, difference, old) = (s.rows::<5>(2 * n), s.deep::<5>(n, 1020), s.bytes(n));
        let p =
            Stmm { vecm_mul: 30, stmm_c2: 3, stmm_shift_down: 4, stmm_shift_up: 7, stmm_trc1: 64, stmm_trc2: 125, md_th: 125 };
        let mut detail = s.output(n, W);
        one!(s, n, B, |dst| (k.stmm)(dst, &mut detail, refs(&rows), refs(&difference), &old, &p));
        s.wrote(&detail);
    }),
    ("max3", |k, n, s| {
        let src = s.bytes(n + 2);
        one!(s, n, B, |dst| (k.max3)(dst, &src));
    }),
    ("angle", |k, n, s| {
        let (lines, stmm) = (s.rows::<4>(2 * n), s.bytes(n + 2));
        let th = AngleThresholds { stmm_min: 118, sdi_threshold: 100, sdi_delta: 5, sdi_t1: 50, sdi_t2: 100, angle2x1: 37 };
        let mut cost90 = s.output(n, W);
        one!(s, n, B, |dst| (k.angle)(dst, &mut cost90, refs(&lines), &stmm, &th));
        s.wrote(&cost90);
    }),
    ("median3", |k, n, s| {
        let src = s.bytes(n + 2);
        one!(s, n, B, |dst| (k.median3)(dst, &src));
    }),
    ("interpolate", interpolate::<u8>),
    ("interpolate of words", interpolate::<u16>),
    ("compensate", compensate::<u8>),
    ("compensate of words", compensate::<u16>),
    ("compensated", compensated::<u8>),
    ("compensated of words", compensated::<u16>),
    ("chroma_angle", chroma_angle::<u8>),
    ("chroma_angle of words", chroma_angle::<u16>),
    ("upsample", upsample::<u8>),
    ("upsample of words", upsample::<u16>),
    ("chroma_blend", chroma_blend::<u8>),
    ("chroma_blend of words", chroma_blend::<u16>),
    ("blend", blend::<u8>),
    ("blend of words", blend::<u16>),
    ("limit", limit::<u8>),
    ("limit of words", limit::<u16>),
    ("top_byte", top_byte::<u8>),
    ("top_byte of words", top_byte::<u16>),
    ("average", average::<u8>),
    ("average of words", average::<u16>),
    ("expand_pairs", |k, n, s| {
        let src = s.bytes(n.div_ceil(2));
        one!(s, n, B, |dst| (k.expand_pairs)(dst, &src));
    }),
];

const BLEND: StmmBlend = StmmBlend { stmm_min: 118, stmm_max: 150, stmm_shift: 5 };

fn noise<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let rows = s.sample_rows::<S, 3>(n);
    one!(s, n, S::START, |dst| (S::kernels(k).noise)(dst, refs(&rows), 15, 31));
}

fn motion_history<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let (old, cur, prev) = (s.bytes(n), s.sample_rows::<S, 4>(4 * n), s.sample_rows::<S, 4>(4 * n));
    let th = MotionHistoryThresholds {
        stad_th: 128,
        history_max: 192,
        history_delta: 8,
        asd_th: 32,
        temporal_diff_th: 12,
        moving_pixel_th: 0,
        scm_th: 32,
    };
    one!(s, n, B, |dst| (S::kernels(k).motion_history)(dst, &old, refs(&cur), refs(&prev), &th));
}

fn denoise<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let (cur, [prev], history) = (s.sample_rows::<S, 3>(n), s.sample_rows::<S, 1>(n), s.bytes(n));
    let th = DenoiseThresholds { depth: S::DEPTH, good_neighbor_th: 12, temporal_diff_th: 60, temporal_diff_low: 50 };
    one!(s, n, S::START, |dst| (S::kernels(k).denoise)(dst, refs(&cur), &prev, &history, &th));
}

fn interpolate<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let ([upper, lower], angle) = (s.sample_rows::<S, 2>(n), s.angles(n.div_ceil(2)));
    one!(s, n, S::START, |dst| (S::kernels(k).interpolate)(dst, &upper, &lower, &angle));
}

fn compensate<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let (pairs, lines) = (n.div_ceil(2), 1 + n % 4);
    let frames = [s.sample_rows::<S, 12>(2 * pairs), s.sample_rows::<S, 12>(2 * pairs)];
    let bytes = [s.rows::<12>(2 * pairs), s.rows::<12>(2 * pairs)];
    let mut stmm3: [Vec<u8>; 4] = Default::default();
    let mut angle: [Vec<u8>; 4] = Default::default();
    let mut detail: [Vec<u16>; 4] = Default::default();
    let mut cost90: [Vec<u16>; 4] = Default::default();
    for l in 0..lines {
        stmm3[l] = s.bytes(pairs);
        angle[l] = s.angles(pairs);
        detail[l] = s.words(pairs, 300);
        cost90[l] = s.words(pairs, 600);
    }
    let rows = CompensateRows {
        lines,
        frames: bytes.each_ref().map(refs),
        samples: frames.each_ref().map(refs),
        stmm3: refs(&stmm3),
        angle: refs(&angle),
        detail: refs(&detail),
        cost90: refs(&cost90),
    };
    let p = Compensate {
        stmm_min: 118,
        cat_slope: 10,
        sad_tight_th: 5,
        smooth_mv_th: 3,
        cat_th1: 3,
        neighbor_pixel_th: 15,
        mc_pixel_consistency_th: 63,
        sad_tha: 15,
        sad_thb: 15,
    };
    let mut di = [vec![S::START; n], s.twin(n, S::START), s.twin(n, S::START), s.twin(n, S::START)];
    s.call(|| (S::kernels(k).compensate)(&mut di.each_mut().map(Vec::as_mut_slice), &rows, &p));
    di.iter().for_each(|di| s.wrote(di));
}

fn chroma_angle<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let ([upper, lower], angle) = (s.sample_rows::<S, 2>(n), s.angles(n));
    one!(s, n, S::START, |dst| (S::kernels(k).chroma_angle)(dst, &upper, &lower, &angle));
}

fn upsample<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let ([a, b, c, d], stmm) = (s.sample_lines::<S, _>(n), s.bytes(n));
    one!(s, n, S::START, |dst| (S::kernels(k).upsample)(dst, [&a, &b], [&c, &d], &stmm, &BLEND));
}

fn chroma_blend<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let ([c3, a, b, c, d], stmm) = (s.sample_lines::<S, _>(n), s.bytes(n));
    one!(s, n, S::START, |dst| (S::kernels(k).chroma_blend)(dst, &c3, [&a, &b], [&c, &d], &stmm, &BLEND));
}

fn blend<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let ([di, a, b], stmm) = (s.sample_lines::<S, _>(n), s.bytes(n.div_ceil(2)));
    one!(s, n, S::START, |dst| (S::kernels(k).blend)(dst, &di, [&a, &b], &stmm, &BLEND));
}

fn compensated<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    // The number of samples of the first line determines the other lengths.
    let di: Vec<S> = (0..n).map(|at| S::from_u32(noise_of(99, at) as u32 % 3)).collect();
    let ([sdi], stmm) = (s.sample_lines::<S, 1>(n), s.bytes(n.div_ceil(2)));
    let mut counts = [START as u32; 2];
    s.call(|| (S::kernels(k).compensated)(&mut counts, &di, &sdi, &stmm, 118));
    s.wrote(&counts);
}

fn average<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let [a, b] = s.sample_lines::<S, _>(n);
    one!(s, n, S::START, |dst| (S::kernels(k).average)(dst, &a, &b));
}

fn limit<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let [src] = s.sample_lines::<S, 1>(n);
    let most = if n.is_multiple_of(3) { S::MAX } else { S::from_u32(200) };
    one!(s, n, S::START, |dst| (S::kernels(k).limit)(dst, &src, most));
}

fn top_byte<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let [src] = s.sample_lines::<S, 1>(n);
    one!(s, n, B, |dst| (S::kernels(k).top_byte)(dst, &src, S::DEPTH - 8));
}
