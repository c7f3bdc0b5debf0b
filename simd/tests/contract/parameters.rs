//! Parameters with values that a kernel cannot compute with: every level panics before anything is
//! written. Angles beyond the table count as the vertical.
use crate::slices::{B, Slices, W, noise, refs};
use crate::{levels, quiet, scaler};
use dndi_simd::*;

/// Samples of a call.
const N: usize = 100;

/// Runs a call with outputs of bytes and halfwords at every level. Each level must panic and write
/// nothing.
pub fn refused(what: &str, call: impl Fn(&Kernels, &mut [u8], &mut [u16])) {
    quiet();
    for kernels in levels() {
        let (mut bytes, mut words) = (vec![B; N], vec![W; N]);
        let mut slices = Slices::default();
        slices.call(|| call(kernels, &mut bytes, &mut words));
        assert!(slices.panicked, "{what} at {}: no panic", kernels.level());
        assert!(bytes.iter().all(|&v| v == B) && words.iter().all(|&v| v == W), "{what} at {}: written", kernels.level());
    }
}

fn row() -> Vec<u8> {
    (0..4 * N + 2 * APRON).map(|at| noise(1, at) as u8).collect()
}

#[test]
fn denoising_and_deinterlacing() {
    let (row, old, differences) = (row(), vec![200; N + 2], vec![500; N]);
    for (history_max, history_delta) in [(255, 1), (241, 15), (255, 255)] {
        let th = MotionHistoryThresholds {
            stad_th: 128,
            history_max,
            history_delta,
            asd_th: 32,
            temporal_diff_th: 12,
            moving_pixel_th: 0,
            scm_th: 32,
        };
        refused("motion_history", |k, dst, _| (k.bytes.motion_history)(dst, &old, [&row; 4], [&row; 4], &th));
    }
    for (temporal_diff_th, temporal_diff_low) in [(17, 0), (255, 0), (63, 46)] {
        let th = DenoiseThresholds { depth: 8, good_neighbor_th: 12, temporal_diff_th, temporal_diff_low };
        refused("denoise", |k, dst, _| (k.bytes.denoise)(dst, [&row; 3], &row, &old, &th));
    }
    for (stmm_c2, stmm_shift_down, stmm_shift_up) in
        [(0, 4, 7), (9, 4, 7), (3, 3, 7), (3, 7, 7), (3, 4, 5), (3, 4, 9), (3, 255, 255)]
    {
        let p = Stmm { vecm_mul: 30, stmm_c2, stmm_shift_down, stmm_shift_up, stmm_trc1: 64, stmm_trc2: 125, md_th: 125 };
        refused("stmm", |k, dst, detail| (k.stmm)(dst, detail, [&row; 5], [&differences; 5], &old, &p));
    }
    for stmm_shift in [8, 16, 255] {
        let p = StmmBlend { stmm_min: 0, stmm_max: 128, stmm_shift };
        refused("blend", |k, dst, _| (k.bytes.blend)(dst, &row, [&row; 2], &old, &p));
        refused("upsample", |k, dst, _| (k.bytes.upsample)(dst, [&row; 2], [&row; 2], &old, &p));
        refused("chroma_blend", |k, dst, _| (k.bytes.chroma_blend)(dst, &row, [&row; 2], [&row; 2], &old, &p));
    }
    for (cat_slope, sad_tha, sad_thb) in [(0, 5, 10), (17, 5, 10), (255, 5, 10), (10, 16, 10), (10, 5, 16)] {
        let p = Compensate {
            stmm_min: 118,
            cat_slope,
            sad_tight_th: 5,
            smooth_mv_th: 3,
            cat_th1: 3,
            neighbor_pixel_th: 15,
            mc_pixel_consistency_th: 63,
            sad_tha,
            sad_thb,
        };
        let rows = CompensateRows {
            lines: 4,
            frames: [[&row[..]; 12]; 2],
            samples: [[&row[..]; 12]; 2],
            stmm3: [&old; 4],
            angle: [&[VERTICAL; N]; 4],
            detail: [&differences; 4],
            cost90: [&differences; 4],
        };
        refused("compensate", |k, dst, _| {
            let (mut b, mut c, mut d) = (vec![0; N], vec![0; N], vec![0; N]);
            (k.bytes.compensate)(&mut [dst, &mut b, &mut c, &mut d], &rows, &p);
        });
    }
}

#[test]
fn networks() {
    let (row, words) = (row(), vec![700; 30 * N]);
    let bytes = FieldLines { own: [&row[..]; 4], before: [&row; 5], after: [&row; 5], older: [&row; 2], newer: [&row; 2] };
    let deep =
        FieldLines { own: [&words[..]; 4], before: [&words; 5], after: [&words; 5], older: [&words; 2], newer: [&words; 2] };
    for shift in [5, 8, 16, 255] {
        refused("field_costs", |k, _, dst| {
            let (mut b, mut c, mut d) = (vec![0; N], vec![0; N], vec![0; N]);
            (k.field_costs)(&mut [dst, &mut b, &mut c, &mut d], &bytes, shift, 0);
        });
        refused("edge_search", |k, dst, cost| {
            (k.bytes.edge_search)(dst, &mut [cost, &mut [0; N]], &bytes, &bytes, shift);
        });
        refused("temporal_search", |k, dst, cost| {
            (k.bytes.temporal_search)(dst, &mut [cost, &mut [0; N]], &bytes, &bytes, shift);
        });
        refused("differences", |k, _, dst| (k.bytes.differences)(dst, N, &[&row], &row, shift));
        refused("differences", |k, _, dst| (k.words.differences)(dst, N, &[&words], &words, shift));
    }
    for factor in [5, 255] {
        refused("steady_detail", |k, dst, _| {
            // The kernel has halfwords only.
            let mut still = vec![0; dst.len()];
            (k.steady_detail)(&mut still, &words, factor)
        });
    }
    for threshold in [0x8000, u16::MAX] {
        refused("correct", |k, dst, _| (k.bytes.correct)(dst, &row, &words, (&words, threshold), 8));
    }
    let network = Network::parse(format!("26 1 1{}", " 1".repeat(57)).as_bytes());
    for depth in [0, 7, 17, 255] {
        refused("network", |k, _, dst| (k.network)(dst, &words, N, &network, depth));
        refused("correct", |k, dst, _| (k.bytes.correct)(dst, &row, &words, (&words, 3), depth));
        refused("correct", |k, _, dst| (k.words.correct)(dst, &words, &words, (&words, 3), depth));
    }
    fn bwdif<S: Sample>(k: &Kernels, base: &mut [S], lines: &FieldLines<S>, depth: u8) {
        let mut rest = [(); 5].map(|()| vec![S::from_u32(0); N]);
        let [temporal, spatial, mixed, around, outer] = rest.each_mut().map(Vec::as_mut_slice);
        let mut values = BwdifValues { base, temporal, spatial, mixed, around, outer };
        (S::kernels(k).bwdif)(&mut values, &mut [0; N], lines, depth);
    }
    for depth in [0, 7, 9, 16, 255] {
        refused("bwdif", |k, dst, _| bwdif(k, dst, &bytes, depth));
    }
    for depth in [0, 7, 8, 17, 255] {
        refused("bwdif", |k, _, dst| bwdif(k, dst, &deep, depth));
    }
}

#[test]
fn packing() {
    for depth in [0, 7, 8, 16, 17, 255] {
        refused("pack_bits", |k, _, dst| (k.pack_bits)(dst, &[], depth));
        refused("unpack_bits", |k, _, dst| (k.unpack_bits)(dst, &[], depth));
    }
}

#[test]
fn scaling_and_sharpening() {
    let (row, words) = (row(), vec![700; 4 * N + 2 * APRON]);
    let [eight, ten, sixteen] = [8, 10, 16].map(scaler::polyphase);
    let (bytes, deep) = (Lines { data: &row, stride: 10, width: 10 }, Lines { data: &words, stride: 10, width: 10 });
    for phase in [32, 64, 255] {
        let tap = Tap { first: 0, phase };
        refused("filter", |k, _, dst| (k.bytes.filter)(dst, bytes, &[tap], &eight, Alpha::All(9)));
        refused("filter", |k, _, dst| (k.words.filter)(dst, deep, &[tap], &ten, Alpha::All(9)));
        refused("filter_to_samples", |k, dst, _| (k.bytes.filter_to_samples)(dst, deep, tap, &ten, Alpha::All(9), 8));
        refused("filter_to_samples", |k, _, dst| (k.words.filter_to_samples)(dst, deep, tap, &sixteen, Alpha::All(9), 16));
    }
    let tap = Tap { first: 0, phase: 0 };
    refused("filter", |k, _, dst| (k.bytes.filter)(dst, bytes, &[tap], &ten, Alpha::All(9)));
    for depth in [0, 8, 17, 255] {
        let filter = scaler::polyphase(depth);
        refused("filter", |k, _, dst| (k.words.filter)(dst, deep, &[tap], &filter, Alpha::All(9)));
        refused("filter_to_samples", |k, _, dst| (k.words.filter_to_samples)(dst, deep, tap, &ten, Alpha::All(9), depth));
        refused("narrow", |k, _, dst| (k.words.narrow)(dst, &words, depth));
        refused("mixed_levels", |k, dst, _| (k.words.mixed_levels)(dst, [&words; 3], depth));
    }
    for depth in [7, 9, 10, 16] {
        refused("filter_to_samples", |k, dst, _| (k.bytes.filter_to_samples)(dst, deep, tap, &ten, Alpha::All(9), depth));
        refused("narrow", |k, dst, _| (k.bytes.narrow)(dst, &words, depth));
        refused("mixed_levels", |k, dst, _| (k.bytes.mixed_levels)(dst, [&row; 3], depth));
    }
    // A filter of another depth than the output needs.
    refused("filter_to_samples", |k, dst, _| (k.bytes.filter_to_samples)(dst, deep, tap, &sixteen, Alpha::All(9), 8));
    refused("filter_to_samples", |k, _, dst| (k.words.filter_to_samples)(dst, deep, tap, &ten, Alpha::All(9), 12));
    for (transition_4, transition_8) in [(8, 0), (0, 8), (255, 255)] {
        let p = Sharpness { max_deriv_4: 7, max_deriv_8: 20, transition_4, transition_8 };
        refused("sharpness", |k, dst, _| (k.sharpness)(dst, bytes, &[Tap { first: 0, phase: 0 }], &p));
    }
    for (depth, gain_factor, weight) in [(10, 64, 1), (16, 255, 255), (12, 40, 8), (9, 40, 7), (17, 40, 7)] {
        let p = Detail {
            depth,
            wide: true,
            smooth: false,
            strong_edge_threshold: 8,
            weak_edge_threshold: 1,
            weights: [7, 2, weight],
            gain_factor,
        };
        refused("detail_filter", |k, _, dst| (k.detail_filter)(dst, [&words; 5], None, &p));
    }
    let good = Combination {
        depth: 16,
        noise: 22,
        r3: [31, 31],
        r5: [31, 31, 31],
        mr: [15, 1],
        steepness: [15, 1],
        points: [0, 4, 12, 16, 26, 40, 160],
        bias3: [255; 7],
        slope3: [127; 7],
        bias5: [255; 7],
        slope5: [-128; 7],
        limiters: [15, 15],
        limiter_boost: 15,
        clip_limiter: 1023,
    };
    for p in [
        Combination { r3: [32, 0], ..good },
        Combination { r5: [0, 0, 255], ..good },
        Combination { limiters: [0, 16], ..good },
        Combination { limiter_boost: 16, ..good },
        Combination { clip_limiter: 1024, ..good },
        Combination { depth: 9, ..good },
        Combination { depth: 17, ..good },
    ] {
        refused("combination_filter", |k, _, dst| (k.combination_filter)(dst, [&words; 5], None, &p));
    }
}

#[test]
fn colours() {
    let (row, words) = (row(), vec![700; N]);
    for (contrast, brightness) in [(2048, 0), (u16::MAX, 0), (128, 2048), (128, i16::MIN), (128, -2049)] {
        refused("amplify_luma", |k, _, dst| (k.amplify_luma)(dst, &words, contrast, brightness, 12));
        refused("amplify_luma_samples", |k, dst, _| (k.bytes.amplify_luma_samples)(dst, &row, contrast, brightness, 8));
        refused("amplify_luma_samples", |k, _, dst| (k.words.amplify_luma_samples)(dst, &words, contrast, brightness, 10));
    }
    let good = Conversion { coefficients: [4095, -4096, 0], offset_in: [2044, -2048, 0], offset_out: 2044 };
    for p in [
        Conversion { coefficients: [4096, 0, 0], ..good },
        Conversion { coefficients: [0, i16::MIN, 0], ..good },
        Conversion { offset_in: [0, 0, 2048], ..good },
        Conversion { offset_out: -2049, ..good },
    ] {
        refused("convert", |k, _, dst| (k.convert)(dst, [&words; 3], &p, 12));
        refused("convert_luma_samples", |k, dst, _| (k.bytes.convert_luma_samples)(dst, &row, [&row; 2], &p, 8));
        refused("convert_luma_samples", |k, _, dst| (k.words.convert_luma_samples)(dst, &words, [&words; 2], &p, 10));
        refused("convert_chroma_samples", |k, dst, _| {
            let mut second = vec![0; N];
            (k.bytes.convert_chroma_samples)(&mut [dst, &mut second], &row, [&row; 2], [&good, &p], 8);
        });
    }
    let plane = SkinPlane { mid: [440, 616], cos: 79, sin: 101, sat_max: 124, hue_max: 56 };
    let skin = |hs_margin, diamond_margin| {
        let (diamond, luma) = ([0, 0], [31; 256]);
        SkinFactor { plane, hs_margin, diamond, diamond_alpha: 100, diamond_th: 140, diamond_margin, luma, vy: None }
    };
    for (hs_margin, diamond_margin) in [(8, 0), (0, 8), (255, 255)] {
        let p = skin(hs_margin, diamond_margin);
        refused("skin_factor", |k, _, dst| (k.skin_factor)(dst, [&words; 3], &p, 12));
    }
    let steep = std::array::from_fn(|y| CurvePiece { start: 0, value: 0, slope: if y == 255 { 2048 } else { 2047 } });
    refused("contrast_pieces", |k, _, dst| (k.contrast_pieces)(dst, &words, &words, &steep, 16));
}

/// Depths of samples that their type cannot have, and bits that no component has.
#[test]
fn depths_of_colours() {
    let (row, words) = (row(), vec![200; 2 * N]);
    for depth in [0, 7, 9, 10, 16, 255] {
        refused("unpack", |k, _, dst| (k.bytes.unpack)(dst, &row, depth));
        refused("unpack_pairs", |k, _, dst| (k.bytes.unpack_pairs)(dst, &row, depth));
        refused("amplify_luma_samples", |k, dst, _| (k.bytes.amplify_luma_samples)(dst, &row, 128, 0, depth));
        refused("pack", |k, dst, _| (k.bytes.pack)(dst, &words, depth));
        refused("pack_422", |k, dst, _| (k.bytes.pack_422)(dst, &words, depth));
        refused("pack_420", |k, dst, _| (k.bytes.pack_420)(dst, &words, depth));
    }
    let p = Conversion { coefficients: [1024, 0, 0], offset_in: [0; 3], offset_out: 0 };
    for depth in [0, 7, 8, 17, 255] {
        let second = || vec![0; N];
        refused("unpack", |k, _, dst| (k.words.unpack)(dst, &words, depth));
        refused("unpack_pairs", |k, _, dst| (k.words.unpack_pairs)(dst, &words, depth));
        refused("amplify_luma_samples", |k, _, dst| (k.words.amplify_luma_samples)(dst, &words, 128, 0, depth));
        refused("amplify_chroma_samples", |k, _, dst| {
            (k.words.amplify_chroma_samples)(&mut [dst, &mut second()], [&words; 2], 256, 0, depth);
        });
        refused("convert_luma_samples", |k, _, dst| (k.words.convert_luma_samples)(dst, &words, [&words; 2], &p, depth));
        refused("convert_chroma_samples", |k, _, dst| {
            (k.words.convert_chroma_samples)(&mut [dst, &mut second()], &words, [&words; 2], [&p; 2], depth);
        });
        refused("pack", |k, _, dst| (k.words.pack)(dst, &words, depth));
        refused("pack_422", |k, _, dst| (k.words.pack_422)(dst, &words, depth));
        refused("pack_420", |k, _, dst| (k.words.pack_420)(dst, &words, depth));
    }
    for bits in [0, 8, 11, 17, 255] {
        let second = || vec![0; N];
        let curve = [CurvePiece::default(); 256];
        refused("contrast_pieces", |k, _, dst| (k.contrast_pieces)(dst, &words, &words, &curve, bits));
        refused("amplify_luma", |k, _, dst| (k.amplify_luma)(dst, &words, 128, 0, bits));
        refused("amplify_chroma", |k, _, dst| {
            (k.amplify_chroma)(&mut [dst, &mut second()], [&words; 2], 256, 0, bits);
        });
        refused("convert", |k, _, dst| (k.convert)(dst, [&words; 3], &p, bits));
    }
}

/// Thresholds whose upper one is below the lower one select the spatial filter alone or both alike.
#[test]
fn crossed_thresholds_of_denoising_are_the_same_at_every_level() {
    let rows: [Vec<u8>; 4] = std::array::from_fn(|row| (0..N + 2 * APRON).map(|at| noise(row, at) as u8 / 3).collect());
    let history = vec![200; N];
    for (temporal_diff_th, temporal_diff_low) in [(0, 63), (20, 30), (5, 5), (0, 255)] {
        let th = DenoiseThresholds { depth: 8, good_neighbor_th: 12, temporal_diff_th, temporal_diff_low };
        let outputs: Vec<Vec<u8>> = levels()
            .map(|k| {
                let mut dst = vec![B; N];
                (k.bytes.denoise)(&mut dst, [&rows[0], &rows[1], &rows[2]], &rows[3], &history, &th);
                dst
            })
            .collect();
        assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "{temporal_diff_th} {temporal_diff_low}");
    }
}

#[test]
fn angles_beyond_the_table_are_vertical() {
    let rows: [Vec<u8>; 2] = std::array::from_fn(|row| (0..N + 2 * APRON).map(|at| noise(row, at) as u8).collect());
    let [upper, lower] = refs(&rows);
    for kernels in levels() {
        for n in [1, 7, 40, N - 1, N] {
            let angle: Vec<u8> = (0..n).map(|at| noise(2, at) as u8).collect();
            let inside: Vec<u8> = angle.iter().map(|&angle| if angle > 8 { VERTICAL } else { angle }).collect();
            let run = |angle: &[u8]| {
                let mut dst = vec![B; n];
                (kernels.bytes.interpolate)(&mut dst, upper, lower, angle);
                dst
            };
            assert_eq!(run(&angle), run(&inside), "{} {n}", kernels.level());
        }
    }
}
