//! The stages of the colour pipe beyond Gen6 against their reference, and properties of them.

use crate::content::Random;
use crate::extended_model::{Row, Stages, State, run};
use crate::{DEEP, SAMPLINGS, cases, difference, levels, seeds};
use dndi::{
    BayerPattern, ColorMatrix, ColorRange, ColorSpace, Format, Frame, GammaTable, GamutTable, ParameterField, Parameters,
    Sampling, Scan, Stream, StreamBuilder, VertexTable, WhiteBalance,
};

/// Groups of the parameters of these stages.
const PREFIXES: [&str; 6] = ["color.ccm_", "color.fecsc_", "gamut.", "lace.", "wb.", "capture."];

fn fields() -> impl Iterator<Item = &'static ParameterField> {
    Parameters::fields().filter(|field| PREFIXES.iter().any(|prefix| field.name.starts_with(prefix)))
}

const PATTERNS: [BayerPattern; 4] = [BayerPattern::Rggb, BayerPattern::Bggr, BayerPattern::Grbg, BayerPattern::Gbrg];

/// A stream of these stages alone.
fn builder(format: Format, p: &Parameters, stages: &Stages) -> StreamBuilder {
    let words = |words: &Option<Vec<u32>>| words.clone();
    let gamma = words(&stages.gamma).map(|words| GammaTable::from_state(words.first_chunk().unwrap()));
    let expand = words(&stages.expand).map(|words| GamutTable::from_state(words.first_chunk().unwrap()));
    let compress = words(&stages.compress).map(|words| VertexTable::from_state(words.first_chunk().unwrap()));
    let plain = Stream::builder(format, Scan::Progressive).denoise(false).statistics(false).luma_statistics(true);
    let plain = plain.parameters(p.clone()).rgb_space(stages.space).white_balance(stages.white_balance);
    let plain = plain.color_correction(stages.ccm).gamma(gamma).gamut_expansion(expand).front_conversion(stages.front);
    plain.gamut_compression(compress).local_contrast(stages.lace).bayer(stages.bayer)
}

fn process(builder: StreamBuilder, clip: &[Frame]) -> Vec<(Frame, Row)> {
    let mut stream = builder.build().unwrap();
    let outputs = clip.iter().map(|frame| {
        stream.push(&frame.planes()).unwrap();
        let output = stream.pull().unwrap();
        let luma = output.luma.unwrap();
        let grey = luma.grey.map(|grey| (grey.points, grey.sums, grey.gains));
        (output.frame, Row { out_of_gamut: luma.out_of_gamut, grey })
    });
    outputs.collect()
}

/// Words of a table whose points mostly ascend.
fn points(random: &mut Random, count: usize, of: impl Fn(usize, &mut dyn FnMut(i32) -> u32) -> u32) -> Vec<u32> {
    let mut any = |most: i32| random.within(0..=most) as u32;
    (0..count).map(|at| of(at, &mut any)).collect()
}

fn any_stages(random: &mut Random) -> Stages {
    let matrix = random.pick(&[ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020]);
    let range = random.pick(&[ColorRange::Limited, ColorRange::Full]);
    let rarity = random.pick(&[1, 3, 6]);
    let once = |random: &mut Random| random.once_in(rarity);
    // A quarter of the points is anywhere.
    let near = |value: u32, any: &mut dyn FnMut(i32) -> u32| if any(3) == 0 { any(65535) } else { (value + any(99)).min(65535) };
    let pair = |low: u32, high: u32| low | high << 16;
    let gamma = once(random).then(|| {
        points(random, 2048, |at, any| {
            let e = at / 2;
            let level = ((512 * (e / 512) + 256 * (e & 1) + (e % 512) / 2) * 64) as u32;
            pair(near(level, any), near(level, any))
        })
    });
    let expand = once(random)
        .then(|| points(random, 1024, |at, any| pair(near(at as u32 / 4 * 256, any), near(at as u32 / 4 * 256, any))));
    let compress = once(random).then(|| points(random, 512, |_, any| any(4095) << 16 | any(1500) | any(15) << 28));
    Stages {
        space: ColorSpace { matrix, range },
        white_balance: random.pick(&[None, None, Some(WhiteBalance::Set), Some(WhiteBalance::Auto)]),
        ccm: once(random),
        gamma,
        expand,
        front: once(random),
        compress,
        lace: once(random),
        bayer: None,
    }
}

/// Random parameters; regions are small, so that pictures have several.
fn any_parameters(random: &mut Random) -> Parameters {
    let mut p = Parameters::default();
    let rarity = random.pick(&[1, 3, 20]);
    for field in fields() {
        if random.once_in(rarity) {
            let any = random.within(field.min..=field.max);
            let near = random.within((field.default - 4000).max(field.min)..=(field.default + 4000).min(field.max));
            p.set(field.name, random.pick(&[field.min, field.max, any, near, near]).into()).unwrap();
        }
    }
    p.local_contrast.region = random.pick(&[4, 5, 8, 13, 64, 1024]);
    // Grey points of any luma.
    (p.white_balance.y_bright, p.white_balance.y_outlier) = (random.within(0..=120) as u8, random.within(150..=255) as u8);
    p
}

/// Pictures that resemble each other.
fn clip(random: &mut Random, format: Format, frames: usize) -> Vec<Frame> {
    let colors = dndi::ColorParameters::default();
    (0..frames).map(|_| cases::picture(random, format, &colors)).collect()
}

#[test]
fn random_clips_become_what_the_reference_makes_of_them() {
    for seed in seeds(120) {
        let random = &mut Random::new(seed);
        let depth = if seed % 2 == 0 { 8 } else { random.pick(&DEEP) };
        let size = |random: &mut Random| random.pick(&[1, 2, 7, 16, 33, 40]) as usize;
        let format = Format::new(size(random), size(random), random.pick(&SAMPLINGS)).with_depth(depth);
        let (mut stages, p) = (any_stages(random), any_parameters(random));
        let format = if seed % 4 == 3 {
            stages.bayer = Some(random.pick(&PATTERNS));
            Format::new(format.width.max(2), format.height.max(2), Sampling::Mono).with_depth(depth)
        } else {
            format
        };
        let clip = clip(random, format, 3);
        let mut state = State::default();
        let want: Vec<_> = clip.iter().map(|frame| run(frame, &p, &stages, &mut state)).collect();
        for level in levels() {
            let got = process(builder(format, &p, &stages).simd_level(level), &clip);
            for (number, (want, got)) in want.iter().zip(&got).enumerate() {
                let is_on = stages.bayer.is_some() || stages.lace || stages.front || stages.ccm || stages.compress.is_some();
                let is_on = is_on || stages.gamma.is_some() || stages.expand.is_some() || stages.white_balance.is_some();
                let place = format!("{level}, seed {seed}, frame {number}: {format:?} {stages:.0?}");
                let place = place.chars().take(300).collect::<String>();
                if is_on {
                    assert_eq!(difference(&want.0, &got.0), None, "plane, x, y, model, library; {place}");
                } else {
                    assert_eq!(clip[number], got.0, "all stages off; {place}");
                }
                assert_eq!(want.1, got.1, "{place}");
            }
        }
    }
}

/// All colours in both directions: the identity returns colours inside of RGB unchanged.
#[test]
fn colours_of_rgb_come_back() {
    let mut p = Parameters::default();
    let c = &mut p.color_correction;
    (c.ccm_c0, c.ccm_c4, c.ccm_c8) = (65536, 65536, 65536);
    (c.ccm_c1, c.ccm_c2, c.ccm_c3, c.ccm_c5, c.ccm_c6, c.ccm_c7) = (0, 0, 0, 0, 0, 0);
    for matrix in [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020] {
        for range in [ColorRange::Limited, ColorRange::Full] {
            let frame = cases::all_chroma(|at| if range == ColorRange::Full { 128 } else { 100 + (at / 256 % 40) as u8 });
            let stages = Stages { space: ColorSpace { matrix, range }, ccm: true, ..none() };
            let made = process(builder(frame.format(), &p, &stages), std::slice::from_ref(&frame)).remove(0).0;
            let mut kept = 0;
            for at in 0..256 * 256 {
                let pixel = [0, 1, 2].map(|plane| frame.plane(plane)[at]);
                if (pixel[1].abs_diff(128), pixel[2].abs_diff(128)) <= (30, 30) && pixel[2].abs_diff(128) <= 30 {
                    assert_eq!([0, 1, 2].map(|plane| made.plane(plane)[at]), pixel, "{matrix} {range}");
                    kept += 1;
                }
            }
            assert!(kept > 3000, "{kept}");
        }
    }
}

fn none() -> Stages {
    let space = ColorSpace { matrix: ColorMatrix::Bt709, range: ColorRange::Limited };
    Stages {
        space,
        white_balance: None,
        ccm: false,
        gamma: None,
        expand: None,
        front: false,
        compress: None,
        lace: false,
        bayer: None,
    }
}

/// Each parameter changes a frame in some setting.
#[test]
fn each_parameter_changes_something() {
    let mut silent: Vec<_> = fields().collect();
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut format = Format::new(24, 20, Sampling::C444);
        let (mut stages, p) = (any_stages(random), any_parameters(random));
        let mode = random.within(0..=4);
        stages.ccm |= mode == 0;
        stages.front |= mode == 1;
        stages.lace |= mode == 2;
        match mode {
            3 => stages.white_balance = Some(WhiteBalance::Set),
            4 => (stages.bayer, format.sampling) = (Some(BayerPattern::Rggb), Sampling::Mono),
            _ => {}
        }
        let clip = clip(random, format, 3);
        let of = |p: &Parameters| process(builder(format, p, &stages), &clip);
        let before = of(&p);
        silent.retain(|field| {
            let prefix = field.name.split('.').next().unwrap();
            let on = match prefix {
                "color" if field.name.contains("ccm") => stages.ccm,
                "color" => stages.front,
                "gamut" => stages.expand.is_some() || stages.compress.is_some(),
                "lace" => stages.lace,
                "capture" => stages.bayer.is_some(),
                _ => stages.white_balance.is_some(),
            };
            let values = [field.min, field.max, (field.min + field.max) / 2];
            !on || values.into_iter().all(|value| {
                let mut changed = p.clone();
                changed.set(field.name, value.into()).unwrap();
                of(&changed) == before
            })
        });
        if silent.is_empty() {
            return;
        }
    }
    panic!("no effect: {:?}", silent.iter().map(|field| field.name).collect::<Vec<_>>());
}

/// A still scene with noise: the mean of the luma behind local contrast does not move. The rounding
/// of a region's limited histogram depends on its noise; the mean of many regions does not.
#[test]
fn local_contrast_does_not_pump() {
    let (width, height) = (640, 480);
    let format = Format::new(width, height, Sampling::Mono);
    for sets in [0, 1, 2] {
        let mut p = Parameters::default();
        p.local_contrast.single_histogram_set = sets;
        let random = &mut Random::new(5);
        let noisy = |random: &mut Random| {
            let luma = (0..(width * height) as i32).map(|at| {
                let (x, y) = (at % width as i32, at / width as i32);
                let scene = 40 + x / 8 + 30 * i32::from((x / 20 + y / 15) % 2 == 0) + y / 16;
                // The sum of four dice: a standard deviation of 4.5.
                (scene + (0..4).map(|_| random.within(-4..=4)).sum::<i32>()).clamp(0, 255) as u8
            });
            Frame::from_vec(format, luma.collect())
        };
        let clip: Vec<_> = (0..8).map(|_| noisy(random)).collect();
        let made = process(builder(format, &p, &Stages { lace: true, ..none() }), &clip);
        let mean = |frame: &Frame| frame.plane(0).iter().map(|&y| f64::from(y)).sum::<f64>() / (width * height) as f64;
        let changes: f64 = made.windows(2).map(|pair| (mean(&pair[0].0) - mean(&pair[1].0)).abs()).fold(0.0, f64::max);
        let input: f64 = clip.windows(2).map(|pair| (mean(&pair[0]) - mean(&pair[1])).abs()).fold(0.0, f64::max);
        assert!(changes < 0.1, "set {sets}: {changes:.3}, input {input:.3}");
        assert!((mean(&made[5].0) - mean(&clip[5])).abs() > 1.0, "it has an effect");
    }
}

/// Colours that are compressed once are legal: a second time changes little and finds few pixels
/// outside.
#[test]
fn compressed_colours_are_inside() {
    let frame = cases::all_chroma(|at| (at / 256 * 7 % 256) as u8);
    let plain = Stream::builder(frame.format(), Scan::Progressive).denoise(false).statistics(false).luma_statistics(true);
    for matrix in [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020] {
        let compress = plain.clone().gamut_compression(VertexTable::of(matrix));
        let (once, before) = process(compress.clone(), std::slice::from_ref(&frame)).remove(0);
        let (_, after) = process(compress, &[once]).remove(0);
        let [before, after] = [before, after].map(|row| row.out_of_gamut.unwrap());
        // Rounding to 8 bits puts some pixels of the surface outside again.
        assert!(before > 40_000 && after < before / 2, "{matrix}: {before}, then {after}");
    }
}
