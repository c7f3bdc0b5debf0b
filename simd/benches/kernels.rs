//! Benchmarks of each kernel at each level, on rows of 720 and 1920 pixels. Names are like
//! `stmm/portable/720`.
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dndi_simd::*;

/// A textured row with its apron. Rows of neighbouring seeds resemble each other.
fn row(width: usize, seed: usize) -> Vec<u8> {
    let mut noise = seed as u32 * 77 + 1;
    let sample = |x: usize| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (90 + (x + seed) % 37 + (x + 2 * seed) / 11 % 3 * 30 + (noise >> 29) as usize) as u8
    };
    (0..width + 2 * APRON).map(sample).collect()
}

/// Times one kernel after comparing its result with that of the scalar level.
fn bench<T: Clone + PartialEq>(
    criterion: &mut Criterion,
    name: &str,
    start: impl Fn(usize) -> T,
    call: impl Fn(&Kernels, usize, &mut T),
) {
    for width in [720, 1920] {
        let mut want = start(width);
        call(Kernels::at(SimdLevel::Scalar).unwrap(), width, &mut want);
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(width as u64));
        for kernels in SimdLevel::ALL.into_iter().flat_map(Kernels::at) {
            let mut got = start(width);
            call(kernels, width, &mut got);
            assert!(got == want, "{name} at {}", kernels.level());
            group.bench_function(BenchmarkId::new(kernels.level().name(), width), |bencher| {
                bencher.iter(|| call(kernels, width, &mut got));
            });
        }
    }
}

fn kernels(c: &mut Criterion) {
    let rows: Vec<Vec<u8>> = (0..14).map(|seed| row(1924, seed)).collect();
    let at = |i: usize| rows[i].as_slice();
    let lines = |first: usize| std::array::from_fn::<_, 5, _>(|i| at(first + i));
    let old: Vec<u8> = (0..1924).map(|x| (x * 7 % 251) as u8).collect();
    let angle: Vec<u8> = (0..1924).map(|x| if x % 50 < 40 { VERTICAL } else { (x % 9) as u8 }).collect();
    let bytes = |width: usize| vec![255u8; width];
    let rows_of_window = rows[..3].concat();

    bench(c, "noise", bytes, |k, _, dst| (k.bytes.noise)(dst, [at(0), at(1), at(2)], 1, 20));
    let th = MotionHistoryThresholds {
        stad_th: 128,
        history_max: 192,
        history_delta: 8,
        asd_th: 32,
        temporal_diff_th: 12,
        moving_pixel_th: 0,
        scm_th: 32,
    };
    let (four, next) = ([at(0), at(1), at(2), at(3)], [at(1), at(2), at(3), at(4)]);
    bench(c, "motion_history", |width| bytes(width / 4), |k, _, dst| (k.bytes.motion_history)(dst, &old, four, next, &th));
    let th = DenoiseThresholds { depth: 8, good_neighbor_th: 12, temporal_diff_th: 12, temporal_diff_low: 6 };
    bench(c, "denoise", bytes, |k, _, dst| (k.bytes.denoise)(dst, [at(0), at(1), at(2)], at(3), &old, &th));
    let halfwords = |width: usize| vec![0u16; width / 2];
    bench(c, "temporal_difference", halfwords, |k, _, dst| {
        (k.temporal_difference)(dst, [at(0), at(2), at(4)], [at(1), at(3), at(5)])
    });
    let p = Stmm { vecm_mul: 30, stmm_c2: 3, stmm_shift_down: 4, stmm_shift_up: 7, stmm_trc1: 64, stmm_trc2: 125, md_th: 125 };
    let pairs = |width: usize| (bytes(width / 2), vec![0u16; width / 2]);
    let differences: Vec<u16> = (0..962).map(|x| x * 7 % 61).collect();
    bench(c, "stmm", pairs, |k, _, (dst, detail)| (k.stmm)(dst, detail, lines(0), [&differences; 5], &old, &p));
    bench(c, "max3", |width| bytes(width / 2), |k, _, dst| (k.max3)(dst, &old));
    bench(c, "median3", |width| bytes(width / 2), |k, _, dst| (k.median3)(dst, &angle));
    let th = AngleThresholds { stmm_min: 118, sdi_threshold: 100, sdi_delta: 5, sdi_t1: 50, sdi_t2: 100, angle2x1: 37 };
    bench(c, "angle", pairs, |k, _, (dst, cost90)| (k.angle)(dst, cost90, [at(0), at(2), at(4), at(6)], &old, &th));
    bench(c, "interpolate", bytes, |k, _, dst| (k.bytes.interpolate)(dst, at(0), at(2), &angle));
    let frames = [std::array::from_fn(at), std::array::from_fn(|i| at(i + 1))];
    let (stmm3, cost90) = (vec![140; 962], (0..962).map(|x| x * 7 % 300).collect::<Vec<u16>>());
    let rows = |frames| CompensateRows {
        lines: 4,
        frames,
        samples: frames,
        stmm3: [&stmm3; 4],
        angle: [&angle; 4],
        detail: [&cost90; 4],
        cost90: [&cost90; 4],
    };
    let p = Compensate {
        stmm_min: 118,
        cat_slope: 10,
        sad_tight_th: 5,
        smooth_mv_th: 0,
        cat_th1: 0,
        neighbor_pixel_th: 10,
        mc_pixel_consistency_th: 25,
        sad_tha: 5,
        sad_thb: 10,
    };
    // One output row for each of the four lines.
    let start = |width: usize| vec![vec![255u8; width]; 4];
    bench(c, "compensate", start, |k, _, di| {
        let [a, b, c, d] = di.as_mut_slice() else { unreachable!("four lines") };
        (k.bytes.compensate)(&mut [a, b, c, d], &rows(frames), &p);
    });
    bench(c, "compensated", |_| [0; 2], |k, width, counts| (k.bytes.compensated)(counts, &at(0)[..width], at(1), &old, 118));
    bench(c, "chroma_angle", |width| bytes(width / 2), |k, _, dst| (k.bytes.chroma_angle)(dst, at(0), at(2), &angle));
    bench(c, "average", bytes, |k, _, dst| (k.bytes.average)(dst, at(0), at(1)));
    bench(c, "mirror", bytes, |k, _, dst| (k.bytes.mirror)(dst, at(0)));
    bench(c, "chroma_across", bytes, |k, _, dst| (k.bytes.chroma_across)(dst, at(0), 4));
    bench(c, "chroma_mix", bytes, |k, _, dst| (k.bytes.chroma_mix)(dst, [at(0), at(1)], 12));
    bench(c, "chroma_reduce", |width| bytes(width / 2), |k, _, dst| (k.bytes.chroma_reduce)(dst, [at(0), at(1)], [4, 4]));
    let window = |width: usize| Lines { data: &rows_of_window, stride: 1924, width: width + 2 };
    let place = |i: usize| ((i / 3) as u8, (i % 3) as u8);
    let weights: Vec<Weight> =
        (0..9).map(|i| (place(i), i)).map(|((row, column), i)| Weight { row, column, weight: 100 * i as i16 + 56 }).collect();
    let taps: Vec<WindowTap> = (0..9).map(place).map(|(row, column)| WindowTap { row, column }).collect();
    let p = Convolution { weights: &weights, shift: 12, depth: 8 };
    bench(c, "convolve", bytes, |k, width, dst| (k.bytes.convolve)(dst, window(width), &p));
    bench(c, "erode", bytes, |k, width, dst| (k.bytes.erode)(dst, window(width), &taps));
    bench(c, "extent", bytes, |k, width, dst| (k.bytes.extent)(dst, window(width), &taps));
    bench(c, "expand_pairs", bytes, |k, _, dst| (k.expand_pairs)(dst, &old));
    let p = StmmBlend { stmm_min: 118, stmm_max: 150, stmm_shift: 5 };
    bench(c, "blend", bytes, |k, _, dst| (k.bytes.blend)(dst, at(0), [at(1), at(2)], &old, &p));
    bench(c, "upsample", bytes, |k, _, dst| (k.bytes.upsample)(dst, [at(0), at(1)], [at(2), at(3)], &old, &p));
    bench(c, "chroma_blend", bytes, |k, _, dst| (k.bytes.chroma_blend)(dst, at(0), [at(1), at(2)], [at(3), at(4)], &old, &p));
    let th = FmdThresholds { fmd_tdiff: 175, fmd_vdiff1: 16, fmd_vdiff2: 100 };
    let read = FmdRows { c: std::array::from_fn(at), p: Some(next) };
    let start = |width: usize| (vec![[0; 8]; width / 16], bytes(width));
    bench(c, "fmd", start, |k, _, (sums, tears)| {
        sums.fill([0; 8]);
        (k.fmd)(sums, tears, &read, &th);
    });
    let flags: Vec<u8> = (0..1924).map(|x| if x % 200 < 20 { (x % 8) as u8 } else { 0 }).collect();
    bench(
        c,
        "tears",
        |width| vec![[0; 3]; width / 16],
        |k, width, sums| {
            sums.fill([0; 3]);
            (k.tears)(sums, &flags[..width + 2], &flags[..width + 2], &flags[..width + 2]);
        },
    );
}

/// Kernels of the scaler, on blocks of the size that the scaler uses, and of the sharpening
/// filters, on lines.
fn scaler(c: &mut Criterion) {
    let lines: Vec<u8> = (0..24).flat_map(|seed| row(1920, seed)).collect();
    let words: Vec<u16> = lines.iter().map(|&v| (v as u16) << 2 | (v & 3) as u16).collect();
    let deep_words: Vec<u16> = lines.iter().map(|&v| (v as u16) << 8 | v as u16).collect();
    let stride = 1920 + 2 * APRON;
    let mut table = [[0; 8]; 17];
    for (beta, row) in table.iter_mut().enumerate() {
        let b = beta as i8;
        *row = [-1, 3, -8, 62 - b, 12 + b, -7, 4, -1];
    }
    let filters = [8, 10, 16].map(|depth| Polyphase::new(&table, depth));
    let [eight, ten, sixteen] = &filters;
    let taps: Vec<Tap> = (0..16).map(|i| Tap { first: i / 3 * 2, phase: (i * 11 % 32) as u8 }).collect();
    let p = Sharpness { max_deriv_4: 7, max_deriv_8: 20, transition_4: 4, transition_8: 5 };
    let deep = |width: usize| vec![0u16; (width + 2 * APRON) * 16];
    let weights: Vec<u8> = (0..16 * stride).map(|x| (x % 256) as u8).collect();
    let bytes = |width| Lines { data: &lines, stride, width };
    let halfwords = |width| Lines { data: &words, stride, width };
    let sixteen_bits = |width| Lines { data: &deep_words, stride, width };
    let out = |_: usize| vec![0u16; 16 * stride];
    bench(c, "sharpness", |_| vec![0u8; 16 * stride], |k, width, dst| (k.sharpness)(dst, bytes(width), &taps, &p));
    for (name, alpha) in [("sharp", Alpha::All(255)), ("blended", Alpha::Each(&weights))] {
        bench(c, &format!("filter_bytes/{name}"), out, |k, width, dst| (k.bytes.filter)(dst, bytes(width), &taps, eight, alpha));
        bench(c, &format!("filter_words/{name}"), out, |k, width, dst| {
            (k.words.filter)(dst, halfwords(width), &taps, ten, alpha)
        });
        bench(c, &format!("filter_words_16/{name}"), out, |k, width, dst| {
            (k.words.filter)(dst, sixteen_bits(width), &taps, sixteen, alpha)
        });
        bench(
            c,
            &format!("filter_to_bytes/{name}"),
            |width: usize| vec![0u8; width],
            |k, width, dst| (k.bytes.filter_to_samples)(dst, halfwords(width), taps[0], ten, alpha, 8),
        );
        bench(
            c,
            &format!("filter_to_words/{name}"),
            |width: usize| vec![0u16; width],
            |k, width, dst| (k.words.filter_to_samples)(dst, halfwords(width), taps[0], ten, alpha, 10),
        );
    }
    bench(
        c,
        "transpose_bytes",
        |width| vec![0u8; 64 * width],
        |k, width, dst| (k.bytes.transpose)(dst, 64, bytes(width), 16, 255),
    );
    bench(c, "transpose_words", deep, |k, width, dst| (k.words.transpose)(dst, 16, halfwords(width), 16, 1023));
    bench(c, "narrow_to_bytes", |width| vec![0u8; width], |k, _, dst| (k.bytes.narrow)(dst, &words, 8));
    bench(c, "top_byte", |width| vec![0u8; width], |k, _, dst| (k.words.top_byte)(dst, &words, 2));
    bench(
        c,
        "mixed_levels",
        |width| vec![0u8; width],
        |k, _, dst| (k.words.mixed_levels)(dst, [&words, &words[stride..], &words[2 * stride..]], 10),
    );
    // Whole blocks of 512 samples: 1 and 3.
    bench(c, "pack_bits", |width| vec![0u16; width], |k, width, dst| (k.pack_bits)(dst, &words[..width], 10));
    bench(c, "unpack_bits", |width| vec![0u16; width], |k, _, dst| (k.unpack_bits)(dst, &words, 10));
    let rows = std::array::from_fn(|i| &words[i * stride..]);
    let deep_rows = std::array::from_fn(|i| &deep_words[i * stride..]);
    let p = Detail {
        depth: 10,
        wide: true,
        smooth: false,
        strong_edge_threshold: 8,
        weak_edge_threshold: 1,
        weights: [7, 2, 1],
        gain_factor: 40,
    };
    bench(c, "detail_filter", |width| vec![0u16; width], |k, _, dst| (k.detail_filter)(dst, rows, None, &p));
    let p = Detail { depth: 16, ..p };
    bench(c, "detail_filter_16", |width| vec![0u16; width], |k, _, dst| (k.detail_filter)(dst, deep_rows, None, &p));
    let p = Combination {
        depth: 10,
        noise: 22,
        r3: [15, 6],
        r5: [3, 9, 8],
        mr: [5, 1],
        steepness: [0, 1],
        points: [0, 4, 12, 16, 26, 40, 160],
        bias3: [127, 98, 88, 64, 44, 0, 0],
        slope3: [-116, -20, -96, -32, -50, 0, 0],
        bias5: [3, 32, 32, 58, 100, 108, 88],
        slope5: [116, 0, 104, 67, 9, -3, -15],
        limiters: [11, 10],
        limiter_boost: 0,
        clip_limiter: 130,
    };
    bench(c, "combination_filter", |width| vec![0u16; width], |k, _, dst| (k.combination_filter)(dst, rows, None, &p));
    let p = Combination { depth: 16, ..p };
    bench(c, "combination_filter_16", |width| vec![0u16; width], |k, _, dst| (k.combination_filter)(dst, deep_rows, None, &p));
    color(c);
}

/// Kernels of the colour pipe, on a line of mixed colours of which a tenth is skin.
fn color(c: &mut Criterion) {
    let line = |seed: usize, value: usize| -> Vec<u16> {
        let rough = row(1924, seed);
        (0..1924).map(|x| if x % 640 < 64 { (value << 4) as u16 } else { (rough[x] as u16) << 4 }).collect()
    };
    let lines = [line(1, 120), line(2, 110), line(3, 154)];
    let at = |width: usize| lines.each_ref().map(|line| &line[..width]);
    let uv = |width: usize| [&lines[1][..width], &lines[2][..width]];
    let one = |width: usize| vec![0u16; width];
    let two = |width: usize| (vec![0u16; width], vec![0u16; width]);
    let plane = SkinPlane { mid: [440, 616], cos: 79, sin: 101, sat_max: 124, hue_max: 56 };
    let p = SkinFactor {
        plane,
        hs_margin: 3,
        diamond: [0, 0],
        diamond_alpha: 100,
        diamond_th: 140,
        diamond_margin: 4,
        luma: [31; 256],
        vy: None,
    };
    bench(c, "skin_factor", one, |k, width, dst| (k.skin_factor)(dst, at(width), &p, 12));
    let mut factor = vec![0; 1924];
    (Kernels::at(SimdLevel::Scalar).unwrap().skin_factor)(&mut factor, at(1924), &p, 12);
    let curve = SkinCurve { points: [-124, -44, 124, 124], values: [-124, 0, 124, 124], slopes: [397, 189, 256, 256] };
    let p = SkinEnhance { plane, bright: [curve; 2], dark: None };
    bench(c, "skin_enhance", two, |k, width, (u, v)| (k.skin_enhance)(&mut [u, v], at(width), &factor, &p, 12));
    let curve: Box<[u16; DEEP]> = Box::new(std::array::from_fn(|y| (y * y / DEEP) as u16));
    bench(c, "contrast", one, |k, width, dst| (k.contrast)(dst, &lines[0][..width], &factor, &curve));
    let p = TotalColor {
        base_color: [145, 307, 483, 657, 819, 995],
        sat_factor: [220; 6],
        slope: [405, 744, 1131, 407, 372, 377],
        bias: [0, 150, 0, 0, 0, 0],
        uv_max_color: 448,
        inv_uv_max_color: 146,
        uv_threshold: 3,
        uv_threshold_bits: 3,
        ste_threshold: 0,
        ste_slope_bits: 0,
    };
    bench(c, "total_color", two, |k, width, (u, v)| (k.total_color)(&mut [u, v], uv(width), &factor, &p, 12));
    bench(c, "amplify_luma", one, |k, width, dst| (k.amplify_luma)(dst, &lines[0][..width], 150, 100, 12));
    bench(c, "amplify_chroma", two, |k, width, (u, v)| (k.amplify_chroma)(&mut [u, v], uv(width), 250, 60, 12));
    let p = Conversion { coefficients: [1192, -401, -833], offset_in: [-256, -2048, -2048], offset_out: 8 };
    bench(c, "convert", one, |k, width, dst| (k.convert)(dst, at(width), &p, 12));
    let bytes = row(1924, 5);
    let out = |width: usize| vec![0u8; width];
    bench(c, "amplify_luma_samples", out, |k, width, dst| (k.bytes.amplify_luma_samples)(dst, &bytes[..width], 150, 100, 8));
    bench(c, "convert_luma_samples", out, |k, width, dst| {
        (k.bytes.convert_luma_samples)(dst, &bytes[..width], [&bytes[..width / 2], &bytes[7..][..width / 2]], &p, 8)
    });
}

/// Kernels of the deinterlacer `best`: blocks in a picture of this width, and lines.
fn best(c: &mut Criterion) {
    let picture: Vec<u8> = (0..24).flat_map(|seed| row(1920, seed)).collect();
    let words: Vec<u16> = picture.iter().map(|&v| (v as u16) << 2 | (v & 3) as u16).collect();
    let at: Vec<usize> = (0..8).map(|i| 3 * 1920 + 7 * i).collect();
    for count in [1, 8] {
        let sads = |_| vec![0u16; count];
        let name = format!("block_sads_of_{count}");
        bench(c, &name, sads, |k, width, sads| (k.block_sads)(sads, &picture, &picture, width, &at));
    }
    for (name, fraction) in [("whole", (0, 0)), ("right", (1, 0)), ("down", (0, 2)), ("both", (3, 1))] {
        let at: Vec<QuarterPosition> = at.iter().map(|&at| QuarterPosition { at, fraction }).collect();
        let sads = |_| vec![0u16; 8];
        let title = format!("quarter_sads_of_8_{name}");
        bench(c, &title, sads, |k, width, sads| (k.quarter_sads)(sads, &picture, &picture, width, &at, 8));
        // Blocks of the search, and runs of equal vectors.
        for wide in [false, true] {
            let size = |width: usize| if wide { (width, 8) } else { (8, 8) };
            let kind = if wide { "wide" } else { "8x8" };
            let title = format!("catmull_rom_{kind}_{name}");
            bench(
                c,
                &title,
                |width| vec![0u8; 8 * size(width).0],
                |k, width, dst| {
                    let block = QuarterBlock { samples: &picture, stride: 1924, size: size(width), fraction };
                    (k.bytes.catmull_rom)(dst, size(width).0, &block, 8);
                },
            );
            let title = format!("catmull_rom_words_{kind}_{name}");
            bench(
                c,
                &title,
                |width| vec![0u16; 8 * size(width).0],
                |k, width, dst| {
                    let block = QuarterBlock { samples: &words, stride: 1924, size: size(width), fraction };
                    (k.words.catmull_rom)(dst, size(width).0, &block, 10);
                },
            );
        }
    }
    let rows: Vec<Vec<u8>> = (0..8).map(|seed| row(1924, seed)).collect();
    let at = |i: usize| rows[i].as_slice();
    let (numbers, bytes) = (|width: usize| vec![0u16; width], |width: usize| vec![0u8; width]);
    bench(c, "smooth", bytes, |k, _, dst| (k.smooth)(dst, std::array::from_fn(at)));
    bench(c, "halve", |width| bytes(width / 2), |k, _, dst| (k.halve)(dst, [at(0), at(1)]));
    bench(c, "distance", bytes, |k, _, dst| (k.distance)(dst, at(0), at(1)));
    let two = |width: usize| (numbers(width), numbers(width));
    bench(c, "residual_costs", two, |k, _, (near, wide)| {
        (k.residual_costs)(&mut [near, wide], std::array::from_fn(at), 0);
    });
    bench(c, "match_cost", numbers, |k, _, dst| (k.match_cost)(dst, at(0), at(1), 0));
    let small: Vec<u16> = (0..1924).map(|x| x * 7 % 31).collect();
    bench(c, "around", bytes, |k, _, dst| (k.bytes.around)(dst, at(0), at(1), &small, 8));
    bench(c, "average_up", bytes, |k, _, dst| (k.bytes.average_up)(dst, at(0), at(1)));
    let inputs = |width: usize| (0..width * FUSION_INPUTS).map(|i| (i * 7 % 31) as u16).collect::<Vec<u16>>();
    bench(c, "fusion_choice", inputs, |k, width, inputs| (k.fusion_choice)(inputs, width, &small[..width], 0));
    let p = Fusion {
        base: at(0),
        correction: &small,
        references: [at(1), at(2), at(3), at(4)],
        mean: at(5),
        range: &small,
        still: &small,
        thresholds: [3, 24],
        tolerance: 40,
    };
    bench(c, "fuse", bytes, |k, _, dst| (k.bytes.fuse)(dst, &p, 8));
    let references = [at(1), at(2), at(3), at(4)];
    bench(c, "agreed_mean", bytes, |k, _, dst| (k.bytes.agreed_mean)(dst, references, at(5), (&small, 3)));
    bench(c, "spread", bytes, |k, _, dst| (k.bytes.spread)(dst, &references));
}

/// Kernels of the denoiser along motion.
fn denoise_motion(c: &mut Criterion) {
    let rows: Vec<Vec<u8>> = (0..8).map(|seed| row(1924, seed)).collect();
    let deep = |bits: u8| rows.iter().map(|row| row.iter().map(|&v| (v as u16) << (bits - 8)).collect()).collect();
    let (words, deep_words): (Vec<Vec<u16>>, Vec<Vec<u16>>) = (deep(12), deep(16));
    let four = |first: usize| std::array::from_fn::<_, 4, _>(|i| &words[first + i][..]);
    bench(c, "smooth3", |width| vec![0u8; width], |k, _, dst| (k.smooth3)(dst, std::array::from_fn(|i| &rows[i][..])));
    let cells = |width: usize| (vec![0; width / 4], vec![0; width / 4]);
    bench(c, "cell_sums", cells, |k, _, (absolute, signed)| (k.cell_sums)(absolute, signed, four(0), four(4), 0));
    let numbers = |width: usize| vec![0u16; width];
    let weights = vec![9000u16; 481];
    for (depth, words) in [(12, &words), (16, &deep_words)] {
        bench(c, &format!("weighted_mean_{depth}"), numbers, |k, _, dst| {
            (k.weighted_mean)(dst, &words[0], [&words[1], &words[2]], [&weights; 2], depth);
        });
    }
    let lines = |width: usize| vec![vec![0i16; width]; 8];
    bench(c, "shrink_blocks", lines, |k, width, dst| {
        let mut lines = dst.iter_mut();
        let mut dst = std::array::from_fn(|_| &mut lines.next().expect("8 lines")[..]);
        (k.shrink_blocks)(&mut dst, std::array::from_fn(|i| &words[i][..]), &vec![60; width / 8], 0);
    });
    let part: Vec<i16> = words[3].iter().map(|&v| v as i16 - 2048).collect();
    bench(c, "join_blocks", |width| vec![0u8; width], |k, _, dst| (k.bytes.join_blocks)(dst, &words[0], [&part; 4], 8));
    bench(c, "join_blocks_16", numbers, |k, _, dst| (k.words.join_blocks)(dst, &deep_words[0], [&part; 4], 16));
}

/// Kernels of the stages beyond Gen6.
fn extended(c: &mut Criterion) {
    let rows: Vec<Vec<u8>> = (0..6).map(|seed| row(1924 + 2 * APRON, seed)).collect();
    let components: Vec<Vec<u16>> = rows.iter().map(|row| row.iter().map(|&v| u16::from(v) << 4).collect()).collect();
    let wide: Vec<Vec<i32>> = rows.iter().map(|row| row.iter().map(|&v| i32::from(v) << 8).collect()).collect();
    let three = [&wide[0][..], &wide[1][..], &wide[2][..]];
    let words = |width: usize| vec![0i32; width];
    let numbers = |width: usize| vec![0u16; width];
    bench(c, "widen", words, |k, _, dst| (k.widen)(dst, &components[0], 12));
    bench(c, "narrow_wide", numbers, |k, _, dst| (k.narrow_wide)(dst, &wide[0], 12));
    let mix = WideMix {
        coefficients: [76607, -14030, -35061],
        offset_in: [-4096, -32768, -32768],
        offset_out: 0,
        limits: [0, 65535],
        reach: 65535,
    };
    bench(c, "wide_mix", words, |k, _, dst| (k.wide_mix)(dst, three, &mix));
    let curve: Vec<u16> = (0..=65535).rev().collect();
    bench(c, "wide_curve", words, |k, _, dst| (k.wide_curve)(dst, &wide[0], curve.first_chunk().expect("a curve")));
    let weight = GamutWeight { gains: [640, 768], thresholds: [192, 128] };
    bench(c, "gamut_weight", words, |k, _, dst| (k.gamut_weight)(dst, three, &weight));
    let weights = vec![500; 1924 + 2 * APRON];
    bench(c, "wide_blend", words, |k, _, dst| (k.wide_blend)(dst, &wide[0], &wide[1], &weights));
    let gamut = GamutCompression::new(&[[1500, 900]; HUES], CompressionMethod::ToVertex(1024), 12).expect("memory");
    let four = |width: usize| [(); 4].map(|()| vec![0u16; width]);
    bench(c, "compress_gamut", four, |k, _, [y, u, v, outside]| {
        (k.compress_gamut)(&mut [y, u, v], outside, [&components[0], &components[1], &components[2]], &gamut);
    });
    let curves = [&components[0][..], &components[1], &components[2], &components[3]];
    let (right, factor) = (vec![100u16; 1924 + 2 * APRON], vec![0u16; 1924 + 2 * APRON]);
    for is_direct in [true, false] {
        let p = Lace { strength: 128, range: [256, 3760], log2_bins: 8, is_direct };
        let curves = LaceCurves { curves, right: &right, below: 77 };
        let name = if is_direct { "lace_direct" } else { "lace" };
        bench(c, name, numbers, |k, _, dst| (k.lace)(dst, &components[0], &factor, &curves, &p, 12));
    }
    let p = Denoise5 {
        distance: [[31, 26, 16], [26, 22, 13], [16, 13, 8]],
        range: [31, 26, 18, 10, 4, 0],
        thresholds: [3, 6, 9, 12, 16],
    };
    let th = DenoiseThresholds { depth: 8, good_neighbor_th: 12, temporal_diff_th: 12, temporal_diff_low: 6 };
    let five = [&rows[0][..], &rows[1], &rows[2], &rows[3], &rows[4]];
    let history = vec![100u8; 1924];
    bench(
        c,
        "denoise5",
        |width| vec![0u8; width],
        |k, _, dst| {
            (k.bytes.denoise5)(dst, five, &rows[5], &history, &th, &p);
        },
    );
    let deep = [(); 5].map(|()| components[0].iter().map(|v| v << 4).collect::<Vec<u16>>());
    let deep = deep.each_ref().map(Vec::as_slice);
    let deep_th = DenoiseThresholds { depth: 16, good_neighbor_th: 3072, temporal_diff_th: 3072, temporal_diff_low: 1536 };
    let deep_p = Denoise5 { thresholds: p.thresholds.map(|th| th << 8), ..p };
    bench(c, "denoise5_words", numbers, |k, _, dst| {
        (k.words.denoise5)(dst, deep, deep[0], &history, &deep_th, &deep_p);
    });
    let levels = [BayerLevel { black: 256, gain: 5000 }, BayerLevel { black: 256, gain: 4096 }];
    bench(c, "bayer_levels", numbers, |k, _, dst| (k.words.bayer_levels)(dst, deep[0], levels, 16));
    bench(c, "bayer_green", numbers, |k, _, dst| (k.bayer_green)(dst, deep, 1));
    let three = [deep[0], deep[1], deep[2]];
    bench(
        c,
        "bayer_colors",
        |width| [(); 2].map(|()| vec![0u16; width]),
        |k, _, [own, other]| (k.bayer_colors)(own, other, three, [deep[3]; 3], 1),
    );
    bench(
        c,
        "deflicker",
        |width| vec![0u8; width],
        |k, _, dst| (k.bytes.deflicker)(dst, [five[0], five[1], five[2]], &history, &[0, 0, 0, 0, 32, 64, 128, 256]),
    );
    bench(c, "hot_pixel", |width| vec![0u8; width], |k, _, dst| (k.bytes.hot_pixel)(dst, [five[0], five[1], five[2]], 32, 7));
}

criterion_group!(benches, kernels, scaler, best, denoise_motion, extended);
criterion_main!(benches);
