//! Every kernel at every level gives the values of its scalar specification, and writes nothing else.
use dndi_simd::*;
use std::ops::Range;

/// Widths beyond 1…200 where a vector or a chunk of pairs ends.
const WIDE: [usize; 12] = [255, 256, 257, 258, 259, 260, 511, 513, 719, 720, 721, 962];

/// Bytes or halfwords around each output that must stay as they are.
const GUARD: usize = 70;

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn within(&mut self, range: Range<usize>) -> usize {
        range.start + (self.next() % (range.end - range.start) as u64) as usize
    }
}

#[derive(Clone, Copy, Debug)]
enum Fill {
    Noise,
    Near,
    Low,
    High,
    Extremes,
    Flat,
    Ramp,
    Edges,
}

const FILLS: [Fill; 8] = [Fill::Noise, Fill::Near, Fill::Low, Fill::High, Fill::Extremes, Fill::Flat, Fill::Ramp, Fill::Edges];

/// Makes the inputs of one call, the same for every level.
struct Inputs {
    rng: Rng,
    fill: Fill,
    base: u8,
}

impl Inputs {
    /// `len` samples at an odd place in memory.
    fn row(&mut self, len: usize) -> Vec<u8> {
        let (period, phase) = (self.rng.within(2..9), self.rng.within(0..9));
        (0..len)
            .map(|i| {
                let r = self.rng.next() as u8;
                match self.fill {
                    Fill::Noise => r,
                    Fill::Near => self.base.wrapping_add(r % 16),
                    Fill::Low => r & 1,
                    Fill::High => 255 - (r & 1),
                    Fill::Extremes => (r & 1) * 255,
                    Fill::Flat => self.base,
                    Fill::Ramp => (i as u8).wrapping_mul(3),
                    Fill::Edges => {
                        if (i + phase) / period % 2 == 0 {
                            self.base
                        } else {
                            self.base.wrapping_add(40) | 1
                        }
                    }
                }
            })
            .collect()
    }

    fn rows<const N: usize>(&mut self, samples: usize) -> [Vec<u8>; N] {
        std::array::from_fn(|_| self.row(samples + 2 * APRON))
    }

    fn bytes(&mut self, len: usize, range: Range<usize>) -> Vec<u8> {
        (0..len).map(|_| self.rng.within(range.clone()) as u8).collect()
    }

    fn halfwords(&mut self, len: usize, range: Range<usize>) -> Vec<u16> {
        (0..len).map(|_| self.rng.within(range.clone()) as u16).collect()
    }

    fn byte(&mut self, range: Range<usize>) -> u8 {
        self.rng.within(range) as u8
    }
}

fn refs<const N: usize>(rows: &[Vec<u8>; N]) -> [&[u8]; N] {
    rows.each_ref().map(|row| row.as_slice())
}

/// What a call wrote: all outputs with their guards, as numbers.
#[derive(Default, PartialEq)]
struct Written(Vec<Vec<u32>>);

impl Written {
    /// An output of `len` entries that hold `start`, misaligned by an odd number of entries.
    fn take<T: Copy + Into<u32>>(&mut self, len: usize, start: T, fill: impl FnOnce(&mut [T])) {
        let mut guarded = vec![start; len + 2 * GUARD + 1];
        fill(&mut guarded[GUARD + 1..GUARD + 1 + len]);
        self.0.push(guarded.into_iter().map(Into::into).collect());
    }
}

fn check(kernel: &str, call: impl Fn(&Kernels, usize, &mut Inputs, &mut Written)) {
    let seed = std::env::var("DNDI_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0x1234_5678_9abc_def1);
    let scalar = Kernels::at(Level::Scalar).unwrap();
    for level in Level::ALL {
        let Ok(kernels) = Kernels::at(level) else {
            eprintln!("{kernel}: {level} skipped, not on this processor");
            continue;
        };
        let mut seeds = Rng(seed);
        for width in (1..=200).chain(WIDE) {
            for fill in FILLS {
                let (start, base) = (seeds.next(), seeds.next() as u8);
                let run = |kernels: &Kernels| {
                    let mut written = Written::default();
                    call(kernels, width, &mut Inputs { rng: Rng(start), fill, base }, &mut written);
                    written
                };
                let (want, got) = (run(scalar), run(kernels));
                for (output, (want, got)) in want.0.iter().zip(&got.0).enumerate() {
                    let at = want.iter().zip(got).position(|(a, b)| a != b).map(|at| at as isize - GUARD as isize - 1);
                    assert_eq!(
                        at, None,
                        "{kernel} at {level}: width {width}, {fill:?}, DNDI_SEED={seed}: output {output} differs first there"
                    );
                }
            }
        }
    }
}

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
fn history() {
    check("history", |k, n, inputs, out| {
        let (cur, mut prev) = (inputs.rows::<4>(4 * n), inputs.rows::<4>(4 * n));
        // Still blocks need neighbours in time that resemble each other.
        if inputs.rng.next() % 4 != 0 {
            let noise = inputs.rng.within(1..12);
            prev = cur.clone().map(|row| row.into_iter().map(|v| v.saturating_add(inputs.byte(0..noise))).collect());
        }
        let old = inputs.bytes(n, 0..255);
        let th = HistoryThresholds {
            stad_th: inputs.byte(0..256),
            history_max: inputs.byte(128..241),
            history_delta: inputs.byte(0..16),
            asd_th: inputs.byte(0..64),
            temporal_diff_th: inputs.byte(0..64),
            moving_pixel_th: inputs.byte(0..17),
            scm_th: inputs.byte(0..256),
        };
        out.take(n, 77u8, |dst| (k.history)(dst, &old, refs(&cur), refs(&prev), &th));
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
        let low = inputs.rng.next() % 2 == 0;
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
            md_th: if inputs.rng.next() % 2 == 0 { stmm_trc1 } else { stmm_trc2 },
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
        // Slanted edges: each line is the one above moved to a side.
        let shift = inputs.rng.within(0..11);
        if shift > 0 {
            for i in 1..4 {
                let moved = |x: usize| lines[i - 1].get(x.wrapping_add(2 * shift).wrapping_sub(10)).copied().unwrap_or(0);
                lines[i] = (0..lines[i].len()).map(moved).collect();
            }
        }
        // A threshold that some vertical cost just exceeds, or does not.
        let mut sdi_threshold = inputs.byte(0..256);
        if inputs.rng.next().is_multiple_of(2) {
            let (mut angle, mut cost90) = (vec![0; n], vec![0; n]);
            let th = AngleThresholds { stmm_min: 0, sdi_threshold: 0, sdi_delta: 0, sdi_t1: 0, sdi_t2: 0, angle2x1: 0 };
            (Kernels::at(Level::Scalar).unwrap().angle)(&mut angle, &mut cost90, refs(&lines), &vec![1; n + 2], &th);
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

#[test]
fn interpolate_and_chroma_angle() {
    check("interpolate", |k, n, inputs, out| {
        let [upper, lower] = inputs.rows::<2>(n);
        let angle = if n % 2 == 0 { inputs.bytes(n, 0..9) } else { vec![VERTICAL; n] };
        out.take(n, 77u8, |dst| (k.interpolate)(dst, &upper, &lower, &angle));
        out.take(n, 77u8, |dst| (k.chroma_angle)(dst, &upper, &lower, &angle));
        let angle = inputs.bytes(n, 0..9);
        out.take(n, 77u8, |dst| (k.interpolate)(dst, &upper, &lower, &angle));
        out.take(n, 77u8, |dst| (k.chroma_angle)(dst, &upper, &lower, &angle));
    });
}

/// Clips of which a part moves sideways or stands still from one frame to the other, so that pairs pass all checks.
#[test]
fn compensate() {
    check("compensate", |k, n, inputs, out| {
        let pairs = n.div_ceil(2);
        let texture = inputs.row(4 * pairs + 400);
        let (moves, noise) = (inputs.rng.within(0..13), inputs.rng.within(1..6));
        let frames: [[Vec<u8>; 12]; 2] = std::array::from_fn(|frame| {
            std::array::from_fn(|line| {
                // Lines of a texture that turns slowly from one to the next, moved in one of the frames.
                let start = 16 + 3 * line + if frame == 1 { moves } else { 6 };
                let row = texture[start..start + 2 * pairs + 2 * APRON].iter();
                row.map(|v| v.saturating_add(inputs.byte(0..noise))).collect()
            })
        });
        let lines = [2, 4, 4, 4, 4, 3, 1][inputs.rng.within(0..7)];
        let stmm3: [Vec<u8>; 4] =
            std::array::from_fn(|_| if inputs.rng.next() % 3 == 0 { vec![0; pairs] } else { inputs.bytes(pairs, 90..200) });
        let angle: [Vec<u8>; 4] = std::array::from_fn(|_| {
            (0..pairs).map(|_| if inputs.rng.next() % 8 != 0 { VERTICAL } else { inputs.byte(0..9) }).collect()
        });
        let most = [300, 15 * 255 + 1][inputs.rng.within(0..2)];
        let detail: [Vec<u16>; 4] = std::array::from_fn(|_| inputs.halfwords(pairs, 0..most));
        let cost90: [Vec<u16>; 4] = std::array::from_fn(|_| inputs.halfwords(pairs, 0..600));
        let rows = CompensateRows {
            lines,
            frames: frames.each_ref().map(refs),
            stmm3: refs(&stmm3),
            angle: refs(&angle),
            detail: detail.each_ref().map(Vec::as_slice),
            cost90: cost90.each_ref().map(Vec::as_slice),
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
        let mut di: [Vec<u8>; 4] = std::array::from_fn(|_| inputs.row(n));
        (k.compensate)(&mut di.each_mut().map(Vec::as_mut_slice), &rows, &p);
        di.iter().for_each(|di| out.take(n, 0u8, |dst| dst.copy_from_slice(di)));
    });
}

/// Ends of a mix, and motion measures of which most lie between them, below or above.
fn mix(n: usize, inputs: &mut Inputs) -> (Mix, Vec<u8>) {
    let stmm_shift = inputs.byte(0..8);
    let stmm_min = inputs.byte(0..256 - (1 << stmm_shift));
    let p = Mix { stmm_min, stmm_max: stmm_min + (1 << stmm_shift), stmm_shift };
    let (min, max) = (p.stmm_min as usize, p.stmm_max as usize);
    let usual = [0..256, min..max + 1, 0..min + 1, max..256][inputs.rng.within(0..4)].clone();
    let stmm = (0..n)
        .map(|_| if inputs.rng.next().is_multiple_of(64) { inputs.byte(0..256) } else { inputs.byte(usual.clone()) })
        .collect();
    (p, stmm)
}

#[test]
fn mixes() {
    check("blend, upsample, chroma", |k, n, inputs, out| {
        let rows: [Vec<u8>; 4] = std::array::from_fn(|_| inputs.row(n));
        let [a, b, c, d] = refs(&rows);
        let (p, stmm) = mix(n, inputs);
        out.take(n, 77u8, |dst| (k.blend)(dst, a, [b, c], &stmm, &p));
        out.take(n, 77u8, |dst| (k.upsample)(dst, [a, b], [c, d], &stmm, &p));
        let mut c3 = vec![0; n];
        (k.average)(&mut c3, a, b);
        if n % 3 == 0 {
            c3[inputs.rng.within(0..n)] = 9;
        }
        out.take(n, 77u8, |dst| (k.chroma)(dst, &c3, [a, b], [c, d], &stmm, &p));
        let c3 = inputs.row(n);
        out.take(n, 77u8, |dst| (k.chroma)(dst, &c3, [a, b], [c, d], &stmm, &p));
    });
}

#[test]
fn average_and_double() {
    check("average, double", |k, n, inputs, out| {
        let (a, b) = (inputs.row(n), inputs.row(n));
        out.take(n, 77u8, |dst| (k.average)(dst, &a, &b));
        out.take(n, 77u8, |dst| (k.double)(dst, &a[..n.div_ceil(2)]));
    });
}

#[test]
fn film() {
    check("film", |k, n, inputs, out| {
        let c = inputs.rows::<6>(n);
        let mut p = inputs.rows::<4>(n);
        if inputs.rng.next() % 2 == 0 {
            let near = [1, 2, 3, 4].map(|i: usize| c[i].iter().map(|v| v.wrapping_add(inputs.byte(0..20))).collect());
            p = near;
        }
        let previous = (inputs.rng.next() % 8 != 0).then(|| refs(&p));
        let rows = FilmRows { c: refs(&c), p: previous };
        let th =
            FilmThresholds { fmd_tdiff: inputs.byte(0..256), fmd_vdiff1: inputs.byte(0..256), fmd_vdiff2: inputs.byte(0..256) };
        let mut sums: Vec<FilmSums> = vec![[5; 8]; n.div_ceil(16)];
        out.take(n, 77u8, |tears| (k.film)(&mut sums, tears, &rows, &th));
        out.take(8 * sums.len(), 0u32, |dst| dst.copy_from_slice(sums.as_flattened()));
    });
}

#[test]
fn tears() {
    check("tears", |k, n, inputs, out| {
        let flags: [Vec<u8>; 3] =
            std::array::from_fn(|_| inputs.bytes(n + 2, 0..8).into_iter().map(|v| if v < 4 { 0 } else { v - 3 }).collect());
        let mut sums = vec![[3; 3]; n.div_ceil(16)];
        (k.tears)(&mut sums, &flags[0], &flags[1], &flags[2]);
        out.take(3 * sums.len(), 0u32, |dst| dst.copy_from_slice(sums.as_flattened()));
    });
}

/// A whole table of coefficients: mild ones as a scaler's, four taps, any.
fn polyphase(inputs: &mut Inputs) -> Polyphase {
    let kind = inputs.rng.within(0..3);
    let mut table = [[0; 8]; 17];
    for (k, coefficient) in table.iter_mut().flat_map(|row| row.iter_mut().enumerate()) {
        *coefficient = match kind {
            0 => inputs.rng.within(0..33) as i8 - 16,
            1 if !(2..6).contains(&k) => 0,
            1 => inputs.rng.within(0..65) as i8 - 32,
            _ => [-128, 127, inputs.rng.next() as i8][inputs.rng.within(0..3)],
        };
    }
    Polyphase::new(&table)
}

fn taps(inputs: &mut Inputs, lines: usize) -> Vec<Tap> {
    (0..3).map(|_| Tap { first: inputs.rng.within(0..lines - 7) as u32, phase: inputs.byte(0..32) }).collect()
}

/// 10-bit samples that move as those of [`Inputs::row`] do.
fn deep(inputs: &mut Inputs, len: usize) -> Vec<u16> {
    inputs.row(len).into_iter().map(|v| (v as u16) << 2 | (inputs.rng.next() & 3) as u16).collect()
}

#[test]
fn sharpness_and_filters() {
    check("filter", |k, n, inputs, out| {
        let (lines, stride) = (10, n + inputs.rng.within(0..3));
        let bytes = inputs.row(lines * stride);
        let words = deep(inputs, lines * stride);
        let src = Lines { data: &bytes, stride, width: n };
        let (filter, taps) = (polyphase(inputs), taps(inputs, lines));
        let transition = (inputs.byte(0..8), inputs.byte(0..8));
        let most = [8, 40, 256][inputs.rng.within(0..3)];
        let p = Sharpness {
            max_deriv_4: inputs.byte(0..most),
            max_deriv_8: inputs.byte(0..most),
            transition_4: transition.0,
            transition_8: transition.1,
        };
        out.take(3 * stride, 77u8, |dst| (k.sharpness)(dst, src, &taps, &p));
        let weights = inputs.bytes(3 * stride, 0..256);
        for alpha in [Alpha::All(255), Alpha::All(100), Alpha::Each(&weights)] {
            out.take(3 * stride, 77u16, |dst| (k.filter_bytes)(dst, src, &taps, &filter, alpha));
            let src = Lines { data: &words, stride, width: n };
            out.take(3 * stride, 77u16, |dst| (k.filter_words)(dst, src, &taps, &filter, alpha));
        }
    });
}

#[test]
fn transpose() {
    check("transpose", |k, n, inputs, out| {
        let (rows, stride) = (inputs.rng.within(1..40), n + inputs.rng.within(0..3));
        let dst_stride = rows + inputs.rng.within(0..3);
        let bytes = inputs.row(rows * stride);
        let words = inputs.halfwords(rows * stride, 0..65536);
        let src = Lines { data: &bytes, stride, width: n };
        out.take(n * dst_stride, 77u8, |dst| (k.transpose_bytes)(dst, dst_stride, src, rows));
        let src = Lines { data: &words, stride, width: n };
        out.take(n * dst_stride, 77u16, |dst| (k.transpose_words)(dst, dst_stride, src, rows));
    });
}

#[test]
fn narrow() {
    check("narrow", |k, n, inputs, out| {
        let src = deep(inputs, n);
        let round = inputs.rng.within(0..4) as u16;
        out.take(n, 77u8, |dst| (k.narrow)(dst, &src, round));
    });
}

#[test]
fn detail_filter() {
    check("detail_filter", |k, n, inputs, out| {
        let rows: [Vec<u16>; 5] = std::array::from_fn(|_| deep(inputs, n + 2 * ENHANCE_APRON));
        let p = Detail {
            wide: inputs.rng.next() % 2 == 0,
            strong_edge_threshold: inputs.byte(0..16),
            weak_edge_threshold: inputs.byte(0..16),
            weights: [inputs.byte(0..8), inputs.byte(0..8), inputs.byte(0..8)],
            gain_factor: inputs.byte(0..64),
        };
        out.take(n, 77u16, |dst| (k.detail_filter)(dst, rows.each_ref().map(Vec::as_slice), &p));
    });
}

#[test]
fn combination_filter() {
    check("combination_filter", |k, n, inputs, out| {
        let rows: [Vec<u16>; 5] = std::array::from_fn(|_| deep(inputs, n + 2 * ENHANCE_APRON));
        let bytes = |inputs: &mut Inputs, range: Range<usize>| std::array::from_fn(|_| inputs.byte(range.clone()));
        let slopes = |inputs: &mut Inputs| std::array::from_fn(|_| inputs.rng.next() as i8);
        let seven = |inputs: &mut Inputs| std::array::from_fn(|_| inputs.byte(0..256));
        let mut points: [u8; 7] = seven(inputs);
        if n % 2 == 0 {
            points.sort();
        }
        points[0] = 0;
        let most = [4, 40, 256][inputs.rng.within(0..3)];
        let strength = inputs.rng.next() % 2 == 0;
        let p = Combination {
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
        out.take(n, 77u16, |dst| (k.combination_filter)(dst, rows.each_ref().map(Vec::as_slice), &p));
    });
}
