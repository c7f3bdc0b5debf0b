//! Kernels on numbers of 16 bits, of gamut compression, of local contrast, and of the 5×5
//! neighbourhood.
use super::{Inputs, TestSample, Written, check, for_samples, refs};
use dndi_simd::*;

for_samples! { bayer_levels, deflicker, denoise5, hot_pixel }

fn bits(inputs: &mut Inputs) -> u8 {
    [12, 12, 12 + inputs.byte(0..5)][inputs.rng.within(0..3)]
}

fn components(inputs: &mut Inputs, len: usize, bits: u8) -> Vec<u16> {
    let high = inputs.row(len);
    high.into_iter().map(|v| u16::from(v) << (bits - 8) | inputs.rng.within(0..1 << (bits - 8)) as u16).collect()
}

/// Numbers around those of 16 bits, below and above them in some calls.
fn numbers(inputs: &mut Inputs, len: usize) -> Vec<i32> {
    let (range, start) = [(65536, 0), (1 << 19, 1 << 18), (200_000, 60_000)][inputs.rng.within(0..3)];
    (0..len).map(|_| inputs.rng.within(0..range) as i32 - start).collect()
}

fn number(inputs: &mut Inputs, limit: i32) -> i32 {
    match inputs.rng.within(0..6) {
        0 => limit,
        1 => -limit,
        2 | 3 => 0,
        _ => inputs.rng.within(0..2 * limit as usize) as i32 - limit,
    }
}

#[test]
fn widen() {
    check("widen", |k, n, inputs, out| {
        let bits = bits(inputs);
        let src = components(inputs, n, bits);
        out.take(n, 77i32, |dst| (k.widen)(dst, &src, bits));
    });
}

#[test]
fn narrow_wide() {
    check("narrow_wide", |k, n, inputs, out| {
        let (bits, src) = (bits(inputs), numbers(inputs, n));
        out.take(n, 77u16, |dst| (k.narrow_wide)(dst, &src, bits));
    });
}

#[test]
fn wide_mix() {
    check("wide_mix", |k, n, inputs, out| {
        let src = [0; 3].map(|_| numbers(inputs, n));
        // Sums of coefficients around that up to which products of 32 bits suffice.
        let limit = [1 << 17, 1_390_000 / 3, 1 << 20][inputs.rng.within(0..3)];
        let p = WideMix {
            coefficients: [0; 3].map(|_| number(inputs, limit)),
            offset_in: [0; 3].map(|_| number(inputs, 1 << 17)),
            offset_out: number(inputs, 1 << 17),
            limits: [[0, 65535], [i32::MIN, i32::MAX]][inputs.rng.within(0..2)],
            reach: 1 << 18,
        };
        out.take(n, 77i32, |dst| (k.wide_mix)(dst, refs(&src), &p));
    });
}

#[test]
fn wide_curve() {
    let mut curve = vec![0u16; WIDE];
    curve.iter_mut().enumerate().for_each(|(v, out)| *out = (v * v % 65521) as u16);
    check("wide_curve", |k, n, inputs, out| {
        let src = numbers(inputs, n);
        out.take(n, 77i32, |dst| (k.wide_curve)(dst, &src, curve.first_chunk().unwrap()));
    });
}

#[test]
fn gamut_weight() {
    check("gamut_weight", |k, n, inputs, out| {
        let src = [0; 3].map(|_| numbers(inputs, n));
        let gains = [0; 2].map(|_| inputs.rng.within(0..1024) as u16);
        let p = GamutWeight { gains, thresholds: [0; 2].map(|_| inputs.byte(0..256)) };
        out.take(n, 77i32, |dst| (k.gamut_weight)(dst, refs(&src), &p));
    });
}

#[test]
fn wide_blend() {
    check("wide_blend", |k, n, inputs, out| {
        let original = numbers(inputs, n);
        let expanded: Vec<i32> = numbers(inputs, n).into_iter().map(|v| v.clamp(0, 65535)).collect();
        let weight: Vec<i32> = (0..n).map(|_| inputs.rng.within(0..1025) as i32).collect();
        out.take(n, 77i32, |dst| (k.wide_blend)(dst, &expanded, &original, &weight));
    });
}

#[test]
fn compress_gamut() {
    check("compress_gamut", |k, n, inputs, out| {
        let bits = bits(inputs);
        let mut yuv = [0; 3].map(|_| components(inputs, n, bits));
        // Of some cases most pixels lie inside the gamut at each hue.
        let is_pale = inputs.rng.within(0..2) == 0;
        if is_pale {
            yuv[1..].iter_mut().flatten().for_each(|v| *v = (*v >> 5) + (31 << (bits - 6)));
        }
        let field = |inputs: &mut Inputs, most: usize| inputs.rng.within(0..most + 1) as u16;
        let method = match inputs.rng.within(0..5) {
            0 => CompressionMethod::ToVertex(field(inputs, 1024)),
            1 => CompressionMethod::Luma,
            2 => CompressionMethod::Chroma,
            3 => CompressionMethod::ScaledChroma(field(inputs, 16383)),
            _ => CompressionMethod::Soft([0; 2].map(|_| [0; 2].map(|_| field(inputs, 1023)))),
        };
        let vertices = std::array::from_fn(|_| match is_pale {
            true => [1500 + field(inputs, 1000), 500 + field(inputs, 3000)],
            false => [0; 2].map(|_| field(inputs, 4095)),
        });
        let p = GamutCompression::new(&vertices, method, bits).unwrap();
        let (mut planes, mut outside) = ([0; 3].map(|_| vec![77u16; n]), vec![77u16; n]);
        let [y, u, v] = &mut planes;
        (k.compress_gamut)(&mut [y, u, v], &mut outside, refs(&yuv), &p);
        for plane in planes.iter().chain([&outside]) {
            out.take(n, 77u16, |dst| dst.copy_from_slice(plane));
        }
    });
}

/// Lines of numbers of 16 bits: any ones, few different ones, and such at the ends of the range.
fn sensor_lines<const N: usize>(inputs: &mut Inputs, len: usize) -> [Vec<u16>; N] {
    let (start, range) = [(0, 65536), (30000, 4), (65500, 36), (0, 9)][inputs.rng.within(0..4)];
    let is_mixed = inputs.rng.within(0..2) == 0;
    [0; N].map(|_| {
        let value = |inputs: &mut Inputs| match is_mixed && inputs.rng.within(0..4) == 0 {
            true => [0, 65535][inputs.rng.within(0..2)],
            false => (start + inputs.rng.within(0..range)) as u16,
        };
        (0..len).map(|_| value(inputs)).collect()
    })
}

#[test]
fn bayer_green() {
    check("bayer_green", |k, n, inputs, out| {
        let rows = sensor_lines::<5>(inputs, n + 4);
        let green = inputs.rng.within(0..2);
        out.take(n, 77u16, |dst| (k.bayer_green)(dst, refs(&rows), green));
    });
}

#[test]
fn bayer_colors() {
    check("bayer_colors", |k, n, inputs, out| {
        let (values, greens) = (sensor_lines::<3>(inputs, n + 2), sensor_lines::<3>(inputs, n + 2));
        let green = inputs.rng.within(0..2);
        let mut other = vec![77u16; n];
        out.take(n, 77u16, |own| (k.bayer_colors)(own, &mut other, refs(&values), refs(&greens), green));
        out.take(n, 77u16, |dst| dst.copy_from_slice(&other));
    });
}

#[test]
fn lace() {
    check("lace", |k, n, inputs, out| {
        let bits = bits(inputs);
        let y = components(inputs, n, bits);
        let factors = [1, 32][inputs.rng.within(0..2)];
        let factor = inputs.halfwords(n, 0..factors);
        let right = inputs.halfwords(n, 0..256);
        let curves = [0; 4].map(|_| components(inputs, 256, bits));
        let least = components(inputs, 1, bits)[0];
        let p = Lace {
            strength: inputs.rng.within(0..257) as u16,
            range: [[0, u16::MAX], [least, least.saturating_add(100)]][inputs.rng.within(0..2)],
            log2_bins: 7 + inputs.byte(0..2),
            is_direct: inputs.rng.next().is_multiple_of(2),
        };
        let curves = LaceCurves { curves: refs(&curves), right: &right, below: inputs.rng.within(0..256) as u16 };
        out.take(n, 77u16, |dst| (k.lace)(dst, &y, &factor, &curves, &p, bits));
    });
}

mod one {
    use super::*;

    pub fn denoise5<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = S::DEPTHS[inputs.rng.within(0..S::DEPTHS.len())];
        let (e, cur) = (depth - 8, S::rows::<5>(inputs, n));
        let prev = if inputs.rng.next().is_multiple_of(3) { S::rows::<1>(inputs, n)[0].clone() } else { cur[2].clone() };
        let least = [0, 100][inputs.rng.within(0..2)];
        let history = inputs.bytes(n, least..255);
        let th = DenoiseThresholds {
            depth,
            good_neighbor_th: 12 << e,
            temporal_diff_th: 12 << e,
            temporal_diff_low: (inputs.rng.within(0..13) as u16) << e,
        };
        let mut below = |limit: usize| inputs.rng.within(0..limit + 1) as u8;
        let distance = [0; 3].map(|_| [0; 3].map(|_| below(31)));
        let range = [0; 6].map(|_| below(31));
        // Small ones, any ones, and ones that no difference reaches.
        let most = [20, 31, 300, 513][inputs.rng.within(0..4)] << e;
        let thresholds = [0; 5].map(|_| inputs.rng.within(0..most + 1) as u32);
        let p = Denoise5 { distance, range, thresholds };
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).denoise5)(dst, refs(&cur), &prev, &history, &th, &p));
        // A single weight, and none.
        let p = Denoise5 { range: [0; 6], ..p };
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).denoise5)(dst, refs(&cur), &prev, &history, &th, &p));
    }

    pub fn bayer_levels<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = S::DEPTHS[inputs.rng.within(0..S::DEPTHS.len())];
        let row = S::rows::<1>(inputs, n)[0].clone();
        let mut level = || BayerLevel {
            black: number(inputs, 65535) - i32::from(inputs.rng.within(0..2) == 0),
            gain: [0, 1, 4095, 4096, 65535, inputs.rng.within(0..65536) as u16][inputs.rng.within(0..6)],
        };
        let levels = [level(), level()];
        out.take(n, 77u16, |dst| (S::kernels(k).bayer_levels)(dst, &row, levels, depth));
        // Samples beyond the range of their depth.
        let least = S::DEPTHS[0];
        out.take(n, 77u16, |dst| (S::kernels(k).bayer_levels)(dst, &row, levels, least));
    }

    pub fn deflicker<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let rows = S::rows::<3>(inputs, n);
        let stmm: Vec<u8> = (0..n.div_ceil(2)).map(|_| inputs.rng.within(0..256) as u8).collect();
        for weights in [[0; 8].map(|_| inputs.rng.within(0..257) as u16), [256; 8], [0; 8]] {
            out.take(n, S::from_u32(77), |dst| (S::kernels(k).deflicker)(dst, refs(&rows), &stmm, &weights));
        }
    }

    pub fn hot_pixel<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = S::DEPTHS[inputs.rng.within(0..S::DEPTHS.len())];
        let rows = S::rows::<3>(inputs, n);
        let threshold = (inputs.rng.within(0..256) as u16) << (depth - 8);
        for count in [0, 1 + inputs.byte(0..8), 9, 255] {
            out.take(n, S::from_u32(77), |dst| (S::kernels(k).hot_pixel)(dst, refs(&rows), threshold, count));
        }
    }
}
