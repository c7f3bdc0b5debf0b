//! Frames through messages: the same bytes and statistics as the pipeline's.
#[path = "../reference/content.rs"]
#[allow(dead_code)]
mod content;

#[path = "../detect/clip.rs"]
#[allow(dead_code)]
mod film;

use content::{Random, plane, random_scene};
use dndi::gen6::eu::Driver;
use dndi::{
    StreamBuilder, StepMatches, ChromaOutput, FieldMatch, Rect, DenoiseMode, SharpenMode, Error, Format, Frame, Output, Parameters, Sampling, Scale,
    Scan, Statistics,
};

const FRAMES: usize = 3;

fn clip(seed: u64, format: Format) -> Vec<Frame> {
    let random = &mut Random::new(seed);
    let scenes = [random_scene(random).1, random_scene(random).1, random_scene(random).1];
    let frame = |n: usize| [0, 1, 2].map(|i| plane(&scenes[i], format.plane_size(i), Some(0), 2 * n as i32));
    (0..FRAMES).map(|n| Frame::from_vec(format, frame(n).concat())).collect()
}

/// The codes of step n; the last of them is that of the end.
fn cadence(woven: bool, n: usize) -> StepMatches {
    let codes = if woven { [FieldMatch::Next, FieldMatch::Previous, FieldMatch::Deinterlace] } else { [FieldMatch::Deinterlace; 3] };
    StepMatches { prev2: codes[n % 3], cur1: codes[(n + 1) % 3] }
}

type Made = (Vec<Output>, Vec<Statistics>);

fn pipeline(settings: &StreamBuilder, clip: &[Frame], woven: bool) -> Made {
    let mut stream = settings.clone().build().unwrap();
    let (mut outputs, mut statistics) = (vec![], vec![]);
    for (n, frame) in clip.iter().enumerate() {
        stream.push_with(&frame.planes(), cadence(woven, n)).unwrap();
        statistics.extend(stream.statistics().cloned());
        outputs.extend(std::iter::from_fn(|| stream.pull()));
    }
    stream.flush_with(cadence(woven, 1).prev2).unwrap();
    outputs.extend(std::iter::from_fn(|| stream.pull()));
    (outputs, statistics)
}

fn messages(settings: &StreamBuilder, clip: &[Frame], woven: bool, seed: Option<u64>) -> Made {
    let mut driver = Driver::new(settings.clone(), seed).unwrap();
    let (mut outputs, mut statistics) = (vec![], vec![]);
    for (n, frame) in clip.iter().enumerate() {
        driver.push_with(&frame.planes(), cadence(woven, n)).unwrap();
        statistics.extend(driver.statistics().cloned());
        outputs.extend(std::iter::from_fn(|| driver.pull()));
    }
    driver.flush_with(cadence(woven, 1).prev2).unwrap();
    outputs.extend(std::iter::from_fn(|| driver.pull()));
    (outputs, statistics)
}

fn same(name: &str, settings: &StreamBuilder, clip: &[Frame], woven: bool) {
    let (want, got) = (pipeline(settings, clip, woven), messages(settings, clip, woven, None));
    assert_eq!(want.1, got.1, "{name}");
    assert_eq!(want.0.len(), got.0.len(), "{name}");
    for (want, got) in want.0.iter().zip(&got.0) {
        assert!(want.frame == got.frame, "{name}: the frame of time {}", want.time);
        assert_eq!((want.time, want.code, want.making), (got.time, got.code, got.making), "{name}");
        assert_eq!(want.luma, got.luma, "{name}: the luma of time {}", want.time);
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
                    let settings = StreamBuilder::new(format, scan).chroma(chroma).denoise(m == 0 || woven).luma_statistics(true);
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
                let settings = StreamBuilder::new(format, scan).deinterlace(false).denoise(denoise);
                same(&format!("{sampling:?} {scan:?} denoise {denoise:?}"), &settings, &clip, false);
            }
        }
    }
}

/// Automatic denoising sees the same shots.
#[test]
fn a_cut() {
    let format = Format::new(96, 64, Sampling::C420);
    let frame = |n: usize| {
        let mut frame = Frame::new(format);
        let random = &mut Random::new(n as u64);
        for (i, sample) in frame.planes_mut()[0].iter_mut().enumerate() {
            let (x, noise) = (i % 96, random.within(0..=if n < 3 { 4 } else { 40 }) as usize);
            *sample = (50 + if n < 3 { 2 * x } else { 190 - 2 * x } / 2 + noise) as u8;
        }
        frame
    };
    let clip: Vec<Frame> = (0..6).map(frame).collect();
    for scan in [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst] {
        let settings = StreamBuilder::new(format, scan);
        let mut stream = settings.clone().build().unwrap();
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
        same("smallest", &StreamBuilder::new(format, Scan::TopFirst), &clip(1, format), false);
    }
    for (width, height) in [(15, 6), (16, 4), (17, 8), (31, 10), (32, 12), (33, 14), (48, 6), (49, 4)] {
        let format = Format::new(width, height, Sampling::C420);
        let name = format!("{width}x{height}");
        same(&name, &StreamBuilder::new(format, Scan::BottomFirst), &clip(width as u64, format), false);
        same(&name, &StreamBuilder::new(format, Scan::Progressive), &clip(width as u64, format), false);
    }
    // Chroma lies in other places.
    for (width, height, sampling) in [(8192, 4, Sampling::C444), (2, 8192, Sampling::C422), (4, 8192, Sampling::C420)] {
        let format = Format::new(width, height, sampling);
        let settings = StreamBuilder::new(format, Scan::TopFirst).statistics(false);
        same("largest", &settings, &clip(3, format)[..2], false);
    }
    let format = Format::new(1, 1, Sampling::C420);
    same("1x1", &StreamBuilder::new(format, Scan::Progressive), &clip(5, format), false);
}

/// Any parameters, in and out of the ordinary.
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
        same(&format!("case {n}"), &StreamBuilder::new(format, scan).parameters(parameters), &clip(n as u64, format), n % 4 == 3);
    }
}

/// Whatever the order of writebacks, whatever the number of threads.
#[test]
fn orders_and_threads_change_nothing() {
    let format = Format::new(50, 22, Sampling::C420);
    let (settings, clip) = (StreamBuilder::new(format, Scan::TopFirst), clip(9, format));
    let want = messages(&settings, &clip, true, None);
    for seed in 0..24 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + seed as usize % 4).build().unwrap();
        let got = pool.install(|| messages(&settings, &clip, true, Some(seed)));
        assert!(want == got, "seed {seed}");
    }
}

#[test]
fn scaled_and_enhanced_streams() {
    let kinds = [None, Some(SharpenMode::Combination), Some(SharpenMode::Detail5), None, Some(SharpenMode::Detail3)];
    for (n, sampling) in SAMPLINGS.into_iter().enumerate() {
        let format = Format::new(40, 24, sampling);
        let clip = clip(60 + n as u64, format);
        for (scan, deinterlace) in [(Scan::TopFirst, true), (Scan::Progressive, false), (Scan::TopFirst, false)] {
            let mut parameters = Parameters::default();
            parameters.scaler.adaptive_filter_for_all_channels = (n % 2) as i32;
            parameters.scaler.rgb_adaptive = (n / 4) as i32;
            let settings = StreamBuilder::new(format, scan).deinterlace(deinterlace).parameters(parameters);
            let settings = settings.enhance(kinds[n]).measured_noise(n % 2 == 1);
            let name = format!("{sampling:?} {scan:?} {deinterlace}");
            same(&name, &settings, &clip, false);
            same(&name, &settings.clone().scale(Some(Scale::new(53, 36))), &clip, false);
            let crop = Scale { crop: Some(Rect { x: 5, y: 2, width: 21, height: 16 }), ..Scale::new(30, 16) };
            same(&name, &settings.enhance(None).scale(Some(crop)), &clip, false);
        }
    }
}

/// Chroma that becomes as large as luma, for RGB or by itself.
#[test]
fn chroma_of_another_sampling() {
    for (n, sampling) in SAMPLINGS.into_iter().enumerate() {
        for (width, height, scan, deinterlace) in
            [(40, 24, Scan::TopFirst, true), (37, 21, Scan::Progressive, false), (33, 18, Scan::TopFirst, false)]
        {
            let format = Format::new(width, height, sampling);
            let full = Scale { sampling: Some(Sampling::C444), ..Scale::new(width, height) };
            for scale in [full, Scale { width: 53, height: 30, ..full }] {
                let settings = StreamBuilder::new(format, scan).deinterlace(deinterlace).scale(Some(scale));
                same(&format!("{sampling:?} {width}x{height} {scan:?}"), &settings, &clip(300 + n as u64, format), false);
            }
        }
    }
    // Sizes that video has.
    for (width, height) in [(352, 288), (640, 480), (720, 480), (720, 576), (1280, 720), (1440, 1080), (1920, 1080), (3840, 2160)]
    {
        for sampling in [Sampling::C420, Sampling::C411, Sampling::C422] {
            for scan in [Scan::Progressive, Scan::TopFirst] {
                let full = Scale { sampling: Some(Sampling::C444), ..Scale::new(width, height) };
                let settings = StreamBuilder::new(Format::new(width, height, sampling), scan).deinterlace(scan != Scan::Progressive);
                assert_eq!(Driver::check(&settings.scale(Some(full))), Ok(()), "{width}x{height} {sampling:?}");
            }
        }
    }
}

/// An area of interest of whole blocks, and of those that the picture cuts.
#[test]
fn areas_of_interest() {
    let mut parameters = Parameters::default();
    (parameters.color.procamp_enable, parameters.color.contrast) = (1, 150);
    for sampling in [Sampling::C420, Sampling::C422, Sampling::C444] {
        let format = Format::new(37, 22, sampling);
        let clip = clip(8, format);
        for (x, y, width, height) in [(8, 8, 16, 8), (0, 16, 37, 6), (24, 0, 13, 22), (32, 16, 5, 6)] {
            let settings = StreamBuilder::new(format, Scan::Progressive).parameters(parameters.clone()).luma_statistics(true);
            same("area", &settings.area_of_interest(Some(Rect { x, y, width, height })), &clip, false);
        }
    }
}

/// Film with a crawl over it: woven, but where it is torn.
#[test]
fn torn_streams() {
    let crawl = |x: usize, y: usize, field: usize| match y {
        64..80 if ((x + 4 * field) / 6).is_multiple_of(3) => 235,
        _ => fmd::moving(x, y, field / 5 * 2 + usize::from(field % 5 > 1)),
    };
    let clip = fmd::Clip::new((0..60).collect()).look(crawl);
    let (decisions, frames) = (clip.decisions(), clip.frames());
    let (width, height) = fmd::SIZE;
    for sampling in [Sampling::C420, Sampling::C422, Sampling::C444] {
        let format = Format::new(width, height, sampling);
        let settings = StreamBuilder::new(format, Scan::TopFirst);
        let (mut stream, mut driver) = (settings.clone().build().unwrap(), Driver::new(settings, Some(5)).unwrap());
        let mut mixed = 0;
        for (luma, decision) in frames.iter().zip(&decisions).take(16) {
            let mut frame = Frame::new(format);
            let (columns, lines) = format.plane_size(1);
            let chroma = |i: usize| luma.plane(0)[i / columns * (height / lines) * width + i % columns * (width / columns)];
            let [y, u, v] = frame.planes_mut();
            y.copy_from_slice(luma.plane(0));
            u.iter_mut().zip(v).enumerate().for_each(|(i, (u, v))| (*u, *v) = (chroma(i), 255 - chroma(i)));
            stream.push_decided(&frame.planes(), decision).unwrap();
            driver.push_decided(&frame.planes(), decision).unwrap();
            assert_eq!(stream.statistics(), driver.statistics());
            while let Some(want) = stream.pull() {
                assert!(Some(&want) == driver.pull().as_ref(), "{sampling:?}: the frame of time {}", want.time);
                mixed += usize::from(want.making.is_some_and(|making| making.woven > 0 && making.spatial > 0));
            }
        }
        assert!(mixed > 10, "{mixed}");
    }
}

/// Every stage of the colour pipe, after the deinterlacer, the scaler or nothing.
#[test]
fn colored_streams() {
    for (n, sampling) in [Sampling::Mono, Sampling::C420, Sampling::C422, Sampling::C444].into_iter().enumerate() {
        for (width, height, scan) in [(37, 21, Scan::Progressive), (40, 24, Scan::TopFirst), (13, 10, Scan::BottomFirst)] {
            let mut parameters = Parameters::default();
            let color = &mut parameters.color;
            (color.std_enable, color.ste_enable, color.tcc_enable, color.procamp_enable) = (1, 1, 1, 1);
            (color.u_mid, color.v_mid, color.sat_max, color.hue_max) = (128, 128, 63, 63);
            (color.contrast, color.brightness, color.sat_factor_1, color.s3) = (150, 33, 120, 900);
            (color.ace_enable, color.transform_enable, color.c0, color.c1) = (n as i32 % 2, n as i32 / 2, 900, 100);
            let format = Format::new(width, height, sampling);
            let settings = StreamBuilder::new(format, scan).parameters(parameters).luma_statistics(true);
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
fn what_messages_cannot_say_is_refused() {
    let format = Format::new(40, 24, Sampling::C420);
    let refused = |settings: StreamBuilder| Driver::check(&settings).unwrap_err();
    let progressive = || StreamBuilder::new(format, Scan::Progressive);
    let crop = Rect { x: 5, y: 5, width: 20, height: 10 };
    let cut = progressive().scale(Some(Scale::cut(crop))).enhance(Some(SharpenMode::Detail5));
    assert!(matches!(refused(cut), Error::NotInMessages(_)));
    assert!(matches!(refused(progressive().scale(Some(Scale::new(2, 24)))), Error::NotInMessages(_)));
    let mut parameters = Parameters::default();
    parameters.color.procamp_enable = 1;
    let quarter = StreamBuilder::new(Format::new(40, 24, Sampling::C411), Scan::Progressive).parameters(parameters.clone());
    assert!(matches!(refused(quarter), Error::NotInMessages(_)));
    let area = progressive().parameters(parameters).area_of_interest(Some(Rect { x: 8, y: 8, width: 20, height: 8 }));
    assert!(matches!(refused(area), Error::NotInMessages(_)));
    // Said before anything is made: chroma that the offsets of a surface do not reach.
    let mut together = Parameters::default();
    together.scaler.adaptive_filter_for_all_channels = 1;
    let tall = StreamBuilder::new(Format::new(16, 8192, Sampling::C444), Scan::TopFirst).parameters(together);
    assert!(matches!(refused(tall.scale(Some(Scale::new(20, 16)))), Error::NotInMessages(_)));
    let large = Format::new(8192, 8192, Sampling::C420);
    assert!(matches!(refused(StreamBuilder::new(large, Scan::Progressive)), Error::Size { .. }));
    let mono = Format::new(8192, 8192, Sampling::Mono);
    assert_eq!(Driver::check(&StreamBuilder::new(mono, Scan::Progressive)), Ok(()));
    assert!(matches!(refused(StreamBuilder::new(format, Scan::Progressive).deinterlace(true)), Error::NotInterlaced));
}

#[test]
fn calls_out_of_order() {
    let format = Format::new(20, 8, Sampling::C420);
    let mut driver = Driver::new(StreamBuilder::new(format, Scan::TopFirst), None).unwrap();
    let frame = Frame::new(format);
    driver.push_with(&frame.planes(), StepMatches::default()).unwrap();
    assert_eq!(driver.push_with(&frame.planes(), StepMatches::default()), Err(Error::OutputWaiting));
    assert_eq!(driver.pull().unwrap().frame.format(), driver.output_format());
    let short = [dndi::PlaneRef { data: &[0; 10], stride: 20 }; 3];
    assert!(matches!(driver.push_with(&short, StepMatches::default()), Err(Error::Plane { index: 0, .. })));
    driver.flush_with(FieldMatch::Deinterlace).unwrap();
    driver.pull().unwrap();
    assert_eq!(driver.flush_with(FieldMatch::Deinterlace), Err(Error::Ended));
    assert!(driver.machine().memory.size() > 0);
}
