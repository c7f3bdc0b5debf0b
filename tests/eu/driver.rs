//! Frames through messages have the samples and statistics of the pipeline.
#[path = "../reference/content.rs"]
#[allow(dead_code)]
mod content;

use content::{Random, plane, random_scene};
use dndi::gen6::eu::{Driver, DriverError};
use dndi::{
    ChromaOutput, Deinterlacer, DenoiseMode, Detector, Error, FieldMatch, FieldMatches, Format, Frame, Input, Output, Parameters,
    PlaneRef, Rect, Sampling, Scale, Scan, SharpenMode, Statistics, StepMatches, Stream, StreamBuilder, UserData,
};

const FRAMES: usize = 3;

fn clip(seed: u64, format: Format) -> Vec<Frame> {
    let random = &mut Random::new(seed);
    let scenes = [random_scene(random).1, random_scene(random).1, random_scene(random).1];
    let frame = |n: usize| [0, 1, 2].map(|i| plane(&scenes[i], format.plane_size(i), Some(0), 2 * n as i32));
    (0..FRAMES).map(|n| Frame::from_vec(format, frame(n).concat())).collect()
}

/// The matches of step `n`; the final match is the same in all steps.
fn matches(woven: bool, n: usize) -> FieldMatches {
    let codes =
        if woven { [FieldMatch::Next, FieldMatch::Previous, FieldMatch::Deinterlace] } else { [FieldMatch::Deinterlace; 3] };
    let step = StepMatches { second_of_previous: codes[n % 3], first_of_current: codes[(n + 1) % 3] };
    FieldMatches::from(step).final_match(codes[1])
}

/// Outputs and statistics of a stream.
type Made = (Vec<Output>, Vec<Statistics>);

fn pipeline(settings: &StreamBuilder, clip: &[Frame], woven: bool) -> Made {
    // The driver has no chroma denoising; its default is off.
    let mut stream = settings.clone().denoise_chroma(false).build().unwrap();
    let (mut outputs, mut statistics) = (vec![], vec![]);
    for (n, frame) in clip.iter().enumerate() {
        stream.push(Input::new(&frame.planes()).matches(&matches(woven, n)).user_data(UserData::new(n))).unwrap();
        statistics.extend(stream.statistics().cloned());
        outputs.extend(std::iter::from_fn(|| stream.pull()));
    }
    stream.flush().unwrap();
    outputs.extend(std::iter::from_fn(|| stream.pull()));
    (outputs, statistics)
}

fn messages(settings: &StreamBuilder, clip: &[Frame], woven: bool, seed: Option<u64>) -> Made {
    let mut driver = Driver::new(settings.clone(), seed).unwrap();
    let (mut outputs, mut statistics) = (vec![], vec![]);
    for (n, frame) in clip.iter().enumerate() {
        driver.push(Input::new(&frame.planes()).matches(&matches(woven, n)).user_data(UserData::new(n))).unwrap();
        statistics.extend(driver.statistics().cloned());
        outputs.extend(std::iter::from_fn(|| driver.pull()));
    }
    driver.flush().unwrap();
    outputs.extend(std::iter::from_fn(|| driver.pull()));
    (outputs, statistics)
}

fn same(name: &str, settings: &StreamBuilder, clip: &[Frame], woven: bool) {
    let (want, got) = (pipeline(settings, clip, woven), messages(settings, clip, woven, None));
    assert_eq!(want.1, got.1, "{name}");
    assert_eq!(want.0.len(), got.0.len(), "{name}");
    for (want, got) in want.0.iter().zip(&got.0) {
        let time = want.field_time;
        assert!(want.frame == got.frame, "{name}: the frame of time {time}");
        assert_eq!((time, want.field_match, want.sources), (got.field_time, got.field_match, got.sources), "{name}");
        assert_eq!((&want.denoise, &want.luma), (&got.denoise, &got.luma), "{name}: time {time}");
        let data = |output: &Output| output.user_data.as_ref().and_then(|data| data.get::<usize>().copied());
        assert_eq!((data(want), data(got)), (Some(time as usize / 2), Some(time as usize / 2)), "{name}");
    }
}

const SAMPLINGS: [Sampling; 5] = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];

#[test]
fn interlaced_streams() {
    for (n, sampling) in SAMPLINGS.into_iter().enumerate() {
        for (m, scan) in [Scan::TopFirst, Scan::BottomFirst].into_iter().enumerate() {
            for chroma in [ChromaOutput::Same, ChromaOutput::C422, ChromaOutput::C420, ChromaOutput::C420Drop] {
                let format = Format::new(37 + 6 * n, 22 + 4 * m, sampling);
                let clip = clip((10 * n + m) as u64, format);
                for woven in [false, true] {
                    let settings = Stream::builder(format, scan)
                        .deinterlacer(Deinterlacer::Gen6)
                        .chroma(chroma)
                        .denoise(m == 0 || woven)
                        .luma_statistics(true);
                    same(&format!("{sampling:?} {scan:?} {chroma:?} woven {woven}"), &settings, &clip, woven);
                }
            }
        }
    }
}

#[test]
fn streams_that_are_denoised_or_passed() {
    for (n, sampling) in SAMPLINGS.into_iter().enumerate() {
        for (scan, height) in [(Scan::Progressive, 19), (Scan::TopFirst, 26)] {
            let format = Format::new(35 + n, height, sampling);
            let clip = clip(100 + n as u64, format);
            for denoise in [DenoiseMode::On, DenoiseMode::Off, DenoiseMode::Auto, DenoiseMode::Medium] {
                let settings = Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6).deinterlace(false).denoise(denoise);
                same(&format!("{sampling:?} {scan:?} denoise {denoise:?}"), &settings, &clip, false);
            }
        }
    }
}

/// Automatic denoising finds the same scene cuts.
#[test]
fn a_cut() {
    let format = Format::new(96, 64, Sampling::C420);
    let frame = |n: usize| {
        let mut frame = Frame::new(format);
        let random = &mut Random::new(n as u64);
        for (i, sample) in frame.byte_planes_mut()[0].iter_mut().enumerate() {
            let (x, noise) = (i % 96, random.within(0..=if n < 3 { 4 } else { 40 }) as usize);
            *sample = (50 + if n < 3 { 2 * x } else { 190 - 2 * x } / 2 + noise) as u8;
        }
        frame
    };
    let clip: Vec<Frame> = (0..6).map(frame).collect();
    for scan in [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst] {
        let settings = Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6);
        // The driver has no chroma denoising; its default is off.
        let mut stream = settings.clone().denoise_chroma(false).build().unwrap();
        let mut cuts = vec![];
        for frame in &clip {
            stream.push(&frame.planes()).unwrap();
            cuts.push(stream.statistics().and_then(|statistics| statistics.denoise.as_ref()).unwrap().cut);
            while stream.pull().is_some() {}
        }
        assert_eq!(cuts, [true, false, false, true, false, false]);
        same(&format!("{scan:?}"), &settings, &clip, false);
    }
}

/// The smallest pictures, and some around the size of a block.
#[test]
fn sizes() {
    for (width, height, sampling) in
        [(1, 2, Sampling::C422), (2, 2, Sampling::C411), (1, 4, Sampling::C420), (3, 4, Sampling::C444)]
    {
        let format = Format::new(width, height, sampling);
        same("smallest", &Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6), &clip(1, format), false);
    }
    for (width, height) in [(15, 6), (16, 4), (17, 8), (31, 10), (32, 12), (33, 14), (48, 6), (49, 4)] {
        let format = Format::new(width, height, Sampling::C420);
        let name = format!("{width}x{height}");
        same(
            &name,
            &Stream::builder(format, Scan::BottomFirst).deinterlacer(Deinterlacer::Gen6),
            &clip(width as u64, format),
            false,
        );
        same(&name, &Stream::builder(format, Scan::Progressive), &clip(width as u64, format), false);
    }
    // Chroma that does not fit below the luma.
    for (width, height, sampling) in [(8192, 4, Sampling::C444), (2, 8192, Sampling::C422), (4, 8192, Sampling::C420)] {
        let format = Format::new(width, height, sampling);
        let settings = Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6).statistics(false);
        same("largest", &settings, &clip(3, format)[..2], false);
    }
    let format = Format::new(1, 1, Sampling::C420);
    same("1x1", &Stream::builder(format, Scan::Progressive), &clip(5, format), false);
}

/// Random parameters.
#[test]
fn parameters() {
    let random = &mut Random::new(77);
    for n in 0..12 {
        let format = Format::new(45, 18, SAMPLINGS[n % 5]);
        let mut parameters = Parameters::default();
        for field in Parameters::fields().filter(|field| !field.name.contains('.')) {
            if !field.name.starts_with("stmm_m") && field.name != "stmm_shift" && !field.name.starts_with("temporal") {
                parameters.set(field.name, random.within(field.min..=field.max).into()).unwrap();
            }
        }
        let p = &mut parameters.deinterlace;
        (p.stmm_min, p.stmm_max, p.stmm_shift) = [(0, 128, 7), (254, 255, 0), (100, 116, 4)][n % 3];
        (parameters.denoise.temporal_diff_th, parameters.denoise.temporal_diff_low) = [(13, 0), (63, 63), (20, 9)][n / 4];
        let scan = if n % 2 == 0 { Scan::TopFirst } else { Scan::BottomFirst };
        same(
            &format!("case {n}"),
            &Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6).parameters(parameters),
            &clip(n as u64, format),
            n % 4 == 3,
        );
    }
}

/// Any order of writebacks, any number of threads.
#[test]
fn orders_and_threads_change_nothing() {
    let format = Format::new(50, 22, Sampling::C420);
    let (settings, clip) = (Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6), clip(9, format));
    let made = |seed| {
        let mut made = messages(&settings, &clip, true, seed);
        // The user data of two runs is never equal.
        made.0.iter_mut().for_each(|output| output.user_data = None);
        made
    };
    let want = made(None);
    for seed in 0..24 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + seed as usize % 4).build().unwrap();
        let got = pool.install(|| made(Some(seed)));
        assert!(want == got, "seed {seed}");
    }
}

#[test]
fn scaled_and_sharpened_streams() {
    let kinds = [None, Some(SharpenMode::Combination), Some(SharpenMode::Detail5), None, Some(SharpenMode::Detail3)];
    for (n, sampling) in SAMPLINGS.into_iter().enumerate() {
        let format = Format::new(40, 24, sampling);
        let clip = clip(60 + n as u64, format);
        for (scan, deinterlace) in [(Scan::TopFirst, true), (Scan::Progressive, false), (Scan::TopFirst, false)] {
            let mut parameters = Parameters::default();
            parameters.scaler.adaptive_filter_for_all_channels = n % 2 == 1;
            parameters.scaler.rgb_adaptive = n / 4 == 1;
            let settings =
                Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6).deinterlace(deinterlace).parameters(parameters);
            let settings = settings.sharpen(kinds[n]).measured_noise(n % 2 == 1);
            let name = format!("{sampling:?} {scan:?} {deinterlace}");
            same(&name, &settings, &clip, false);
            same(&name, &settings.clone().scale(Some(Scale::new(53, 36))), &clip, false);
            let crop = Scale::new(30, 16).crop(Rect { x: 5, y: 2, width: 21, height: 16 });
            same(&name, &settings.sharpen(None::<SharpenMode>).scale(crop), &clip, false);
        }
    }
}

/// Chroma that is scaled to the size of luma.
#[test]
fn chroma_of_another_sampling() {
    for (n, sampling) in SAMPLINGS.into_iter().enumerate() {
        for (width, height, scan, deinterlace) in
            [(40, 24, Scan::TopFirst, true), (37, 21, Scan::Progressive, false), (33, 18, Scan::TopFirst, false)]
        {
            let format = Format::new(width, height, sampling);
            let full = Scale::new(width, height).sampling(Sampling::C444);
            for scale in [full, Scale::new(53, 30).sampling(Sampling::C444)] {
                let settings =
                    Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6).deinterlace(deinterlace).scale(Some(scale));
                same(&format!("{sampling:?} {width}x{height} {scan:?}"), &settings, &clip(300 + n as u64, format), false);
            }
        }
    }
    // Common sizes of video.
    for (width, height) in [(352, 288), (640, 480), (720, 480), (720, 576), (1280, 720), (1440, 1080), (1920, 1080), (3840, 2160)]
    {
        for sampling in [Sampling::C420, Sampling::C411, Sampling::C422] {
            for scan in [Scan::Progressive, Scan::TopFirst] {
                let full = Scale::new(width, height).sampling(Sampling::C444);
                let settings = Stream::builder(Format::new(width, height, sampling), scan)
                    .deinterlacer(Deinterlacer::Gen6)
                    .deinterlace(scan != Scan::Progressive);
                assert_eq!(Driver::check(&settings.scale(Some(full))), Ok(()), "{width}x{height} {sampling:?}");
            }
        }
    }
}

/// Areas of interest of whole blocks, and of blocks that the picture cuts off.
#[test]
fn areas_of_interest() {
    let mut parameters = Parameters::default();
    (parameters.color.procamp_enable, parameters.color.contrast) = (true, 150);
    for sampling in [Sampling::C420, Sampling::C422, Sampling::C444] {
        let format = Format::new(37, 22, sampling);
        let clip = clip(8, format);
        for (x, y, width, height) in [(8, 8, 16, 8), (0, 16, 37, 6), (24, 0, 13, 22), (32, 16, 5, 6)] {
            let settings = Stream::builder(format, Scan::Progressive).parameters(parameters.clone()).luma_statistics(true);
            let settings = settings.area_of_interest(Some(Rect { x, y, width, height }));
            same("area", &settings, &clip, false);
            // The contrast curve depends on the histogram of the area.
            same("area with automatic contrast", &settings.auto_contrast(Some(90)), &clip, false);
        }
    }
}

/// A texture of cells of 8×8 samples that moves across and a little down.
fn texture(x: usize, y: usize, picture: usize) -> u8 {
    let (x, y) = (x + 5 * picture, y + 1000 - picture);
    let cell = |x: usize, y: usize| {
        let mut v = (x as u32).wrapping_mul(0x9e37_79b9) ^ (y as u32).wrapping_mul(0x85eb_ca6b);
        v = (v ^ v >> 15).wrapping_mul(0x2c1b_3c6d);
        (v ^ v >> 12) as usize % 256
    };
    let row = |y: usize| cell(x / 8, y) * (8 - x % 8) + cell(x / 8 + 1, y) * (x % 8);
    (20 + (row(y / 8) * (8 - y % 8) + row(y / 8 + 1) * (y % 8)) / 64 * 200 / 256) as u8
}

/// Telecined film, 3:2, under video text that moves in each field: woven except where the text
/// combs.
#[test]
fn streams_with_comb_masks() {
    let (width, height) = (160, 96);
    let sample = |x: usize, y: usize, field: usize| match y {
        64..80 if ((x + 4 * field) / 6).is_multiple_of(3) => 235,
        _ => texture(x, y, field / 5 * 2 + usize::from(field % 5 > 1)),
    };
    let frame = |n: usize| {
        let samples = (0..width * height).map(|i| sample(i % width, i / width, 2 * n + i / width % 2)).collect();
        Frame::from_vec(Format::new(width, height, Sampling::Mono), samples)
    };
    let frames: Vec<Frame> = (0..30).map(frame).collect();
    let mut detector = Detector::builder(frames[0].format()).build().unwrap();
    frames.iter().for_each(|frame| detector.push(frame.planes()[0], None).unwrap());
    detector.finish();
    let decisions: Vec<_> = std::iter::from_fn(|| detector.pull()).collect();
    for sampling in [Sampling::C420, Sampling::C422, Sampling::C444] {
        let format = Format::new(width, height, sampling);
        let settings = Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6);
        let (mut stream, mut driver) =
            (settings.clone().denoise_chroma(false).build().unwrap(), Driver::new(settings, Some(5)).unwrap());
        let mut mixed = 0;
        for (luma, decision) in frames.iter().zip(&decisions).take(16) {
            let mut frame = Frame::new(format);
            let (columns, lines) = format.plane_size(1);
            let chroma = |i: usize| luma.plane(0)[i / columns * (height / lines) * width + i % columns * (width / columns)];
            let [y, u, v] = frame.byte_planes_mut();
            y.copy_from_slice(luma.plane(0));
            u.iter_mut().zip(v).enumerate().for_each(|(i, (u, v))| (*u, *v) = (chroma(i), 255 - chroma(i)));
            stream.push(Input::new(&frame.planes()).matches(&decision.matches)).unwrap();
            driver.push(Input::new(&frame.planes()).matches(&decision.matches)).unwrap();
            assert_eq!(stream.statistics(), driver.statistics());
            while let Some(want) = stream.pull() {
                assert!(Some(&want) == driver.pull().as_ref(), "{sampling:?}: the frame of time {}", want.field_time);
                mixed += usize::from(want.sources.is_some_and(|sources| sources.woven > 0 && sources.spatial > 0));
            }
        }
        // Outputs of woven and deinterlaced regions.
        assert!(mixed > 10, "{mixed}");
    }
}

/// All stages of the colour pipe, after deinterlacing, after scaling, and alone.
#[test]
fn color_corrected_streams() {
    for (n, sampling) in [Sampling::Mono, Sampling::C420, Sampling::C422, Sampling::C444].into_iter().enumerate() {
        for (width, height, scan) in [(37, 21, Scan::Progressive), (40, 24, Scan::TopFirst), (13, 10, Scan::BottomFirst)] {
            let mut parameters = Parameters::default();
            let color = &mut parameters.color;
            (color.std_enable, color.ste_enable, color.tcc_enable, color.procamp_enable) = (true, true, true, true);
            (color.u_mid, color.v_mid, color.sat_max, color.hue_max) = (128, 128, 63, 63);
            (color.contrast, color.brightness, color.sat_factor_1, color.s3) = (150, 33, 120, 900);
            (color.ace_enable, color.transform_enable, color.c0, color.c1) = (n % 2 == 1, n / 2 == 1, 900, 100);
            let format = Format::new(width, height, sampling);
            let settings =
                Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6).parameters(parameters).luma_statistics(true);
            let clip = clip(200 + n as u64, format);
            same(&format!("{sampling:?} {width}x{height}"), &settings, &clip, n % 2 == 1);
            let scaled = settings.clone().deinterlace(scan != Scan::Progressive).scale(Some(Scale::new(31, 14)));
            same(&format!("{sampling:?} {width}x{height} scaled"), &scaled, &clip, false);
            let auto = settings.auto_contrast(Some(60));
            same(&format!("{sampling:?} {width}x{height} by the histogram"), &auto, &clip, false);
        }
    }
}

#[test]
fn unsupported_settings_are_refused() {
    let format = Format::new(40, 24, Sampling::C420);
    let refused = |settings: StreamBuilder| Driver::check(&settings).unwrap_err();
    let progressive = || Stream::builder(format, Scan::Progressive);
    let crop = Rect { x: 5, y: 5, width: 20, height: 10 };
    let cut = progressive().scale(Some(Scale::cut(crop))).sharpen(Some(SharpenMode::Detail5));
    assert!(matches!(refused(cut), DriverError::Unsupported(_)));
    assert!(matches!(refused(progressive().scale(Some(Scale::new(2, 24)))), DriverError::Unsupported(_)));
    let mut parameters = Parameters::default();
    parameters.color.procamp_enable = true;
    let quarter = Stream::builder(Format::new(40, 24, Sampling::C411), Scan::Progressive).parameters(parameters.clone());
    assert!(matches!(refused(quarter), DriverError::Unsupported(_)));
    let area = progressive().parameters(parameters).area_of_interest(Some(Rect { x: 8, y: 8, width: 20, height: 8 }));
    assert!(matches!(refused(area), DriverError::Unsupported(_)));
    // Chroma beyond the offsets of a surface state.
    let mut together = Parameters::default();
    together.scaler.adaptive_filter_for_all_channels = true;
    let tall = Stream::builder(Format::new(16, 8192, Sampling::C444), Scan::TopFirst)
        .deinterlacer(Deinterlacer::Gen6)
        .parameters(together);
    assert!(matches!(refused(tall.scale(Some(Scale::new(20, 16)))), DriverError::Unsupported(_)));
    let large = Format::new(8192, 8192, Sampling::C420);
    assert!(matches!(refused(Stream::builder(large, Scan::Progressive)), DriverError::Size { .. }));
    let mono = Format::new(8192, 8192, Sampling::Mono);
    assert_eq!(Driver::check(&Stream::builder(mono, Scan::Progressive)), Ok(()));
    assert_eq!(refused(Stream::builder(format, Scan::Progressive).deinterlace(true)), DriverError::Stream(Error::NotInterlaced));
}

#[test]
fn calls_out_of_order() {
    let format = Format::new(20, 8, Sampling::C420);
    let mut driver = Driver::new(Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6), None).unwrap();
    let frame = Frame::new(format);
    driver.push(&frame.planes()).unwrap();
    assert_eq!(driver.push(&frame.planes()), Err(DriverError::Stream(Error::OutputWaiting)));
    assert_eq!(driver.pull().unwrap().frame.format(), driver.output_format());
    let short = [PlaneRef::new(&[0u8; 10][..], 20); 3];
    assert!(matches!(driver.push(&short), Err(DriverError::Stream(Error::Plane { index: 0, .. }))));
    driver.flush().unwrap();
    driver.pull().unwrap();
    assert_eq!(driver.flush(), Err(DriverError::Stream(Error::Ended)));
    assert!(driver.machine().memory.size() > 0);
}
