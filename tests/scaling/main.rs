//! Tests the scaler and the sharpening filter against an independent reference that follows the
//! specification pixel by pixel, against real arithmetic, and by properties that hold for any
//! picture.
//!
//! `DNDI_CASES=20000 cargo test --release --test scaling random` runs more random cases than the
//! default. `DNDI_SEED=123 DNDI_CASES=1` repeats the case that a failure names.
#[path = "../reference/content.rs"]
mod content;
mod depths;
mod every_parameter;
mod geometry;
mod model;
mod numbers;
mod registration;
mod skin;

use content::{Random, plane, random_scene};
use dndi::{
    ChromaLocation, Format, Frame, Parameters, Rect, Samples, Sampling, Scale, Scan, SharpenMode, SimdLevel, Stream,
    StreamBuilder,
};
use model::{Grid, Job};

const SAMPLINGS: [Sampling; 5] = [Sampling::C420, Sampling::C422, Sampling::C444, Sampling::Mono, Sampling::C411];
const LOCATIONS: [ChromaLocation; 3] = [ChromaLocation::Left, ChromaLocation::Center, ChromaLocation::TopLeft];
const MODES: [SharpenMode; 4] = [SharpenMode::Detail3, SharpenMode::Detail5, SharpenMode::Smooth3, SharpenMode::Combination];

/// A stream without denoising and deinterlacing.
fn builder(format: Format, scan: Scan) -> StreamBuilder {
    Stream::builder(format, scan).denoise(false).deinterlace(false)
}

/// Processes one frame through a new stream.
fn process(builder: &StreamBuilder, frame: &Frame) -> Frame {
    let mut stream = builder.clone().build().unwrap();
    stream.push(&frame.planes()).unwrap();
    stream.pull().unwrap().frame
}

/// A random picture. Samples of more than 8 bits have random low bits.
fn picture(random: &mut Random, format: Format) -> Frame {
    let planes = [0, 1, 2].map(|index| plane(&random_scene(random).1, format.plane_size(index), None, 0));
    match format.depth {
        8 => Frame::from_vec(format, planes.concat()),
        depth => {
            let mut low = || random.within(0..=(1 << (depth - 8)) - 1) as u16;
            let data = planes.concat().into_iter().map(|v| (v as u16) << (depth - 8) | low());
            Frame::from_vec_u16(format, data.collect())
        }
    }
}

fn grids(frame: &Frame) -> Vec<Grid> {
    let one = |index: usize| {
        let (width, height) = frame.format().plane_size(index);
        let data = match frame.planes()[index].samples {
            Samples::U8(samples) => samples.iter().map(|&v| v.into()).collect(),
            Samples::U16(samples) => samples.iter().map(|&v| v.into()).collect(),
        };
        Grid { width, height, data }
    };
    (0..frame.format().sampling.planes()).map(one).collect()
}

/// Sets few or many random parameters of a group.
fn disturb(random: &mut Random, parameters: &mut Parameters, group: &str) {
    let rarity = random.pick(&[1, 3, 10, 1000]);
    for field in Parameters::fields().filter(|field| field.name.starts_with(group)) {
        if random.once_in(rarity) {
            let near = (field.default - 4).max(field.min)..=(field.default + 4).min(field.max);
            let any = random.within(field.min..=field.max);
            let value = random.pick(&[field.min, field.max, any, random.clone().within(near)]);
            parameters.set(field.name, value.into()).unwrap();
        }
    }
}

/// The description of a case, the stream, the picture and the settings.
type Case = (String, StreamBuilder, Frame, Option<Scale>, ChromaLocation, Option<SharpenMode>, Parameters);

/// A random case of this depth: its description, the stream, the picture and the settings.
fn random_case(seed: u64, depth: u8) -> Case {
    let random = &mut Random::new(seed);
    let sampling = random.pick(&SAMPLINGS);
    let size = |random: &mut Random| match random.within(0..=5) {
        0 => random.within(1..=4) as usize,
        1 => random.pick(&[63, 64, 65, 95, 97, 130]),
        _ => random.within(5..=40) as usize,
    };
    let format = Format::new(size(random), size(random), sampling).with_depth(depth);
    let mut parameters = Parameters::default();
    disturb(random, &mut parameters, "scaler.");
    disturb(random, &mut parameters, "ief.");
    parameters.scaler.avs_filter_type = random.once_in(12).into();
    let scale = (!random.once_in(4)).then(|| {
        let (width, height) = (size(random), size(random));
        let mut part = |whole: usize| {
            let first = random.within(0..=whole as i32 - 1) as usize;
            (first, random.within(1..=(whole - first) as i32) as usize)
        };
        let ((x, width_in), (y, height_in)) = (part(format.width), part(format.height));
        let crop = Some(Rect { x, y, width: width_in, height: height_in }).filter(|_| random.once_in(3));
        Scale::new(width, height).crop(crop)
    });
    let location = random.pick(&LOCATIONS);
    let sharpen = if scale.is_none() || random.once_in(3) { Some(random.pick(&MODES)) } else { None };
    let frame = picture(random, format);
    let name = format!("seed {seed}: {format:?}, {scale:?}, {location:?}, {sharpen:?}, {:?}", parameters.scaler);
    let builder = builder(format, Scan::Progressive).scale(scale).chroma_location(location).sharpen(sharpen);
    let builder = builder.parameters(parameters.clone());
    (name, builder, frame, scale, location, sharpen, parameters)
}

fn seeds(count: u64) -> impl Iterator<Item = u64> {
    let setting = |name: &str, default: u64| match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")),
        Err(_) => default,
    };
    let first = setting("DNDI_SEED", 1);
    first..first + setting("DNDI_CASES", count)
}

#[test]
fn random_pictures_become_what_the_model_makes_of_them() {
    for seed in seeds(400) {
        matches_the_model(random_case(seed, 8));
    }
}

/// Compares a case with the model.
fn matches_the_model((name, builder, frame, scale, location, sharpen, parameters): Case) {
    let noise = parameters.sharpen.global_noise_estimation.into();
    let job = Job { format: frame.format(), scale, location, sharpen, noise, parameters: &parameters, shares: None };
    let (want, got) = (model::run(&job, &grids(&frame)), grids(&process(&builder, &frame)));
    for (index, (want, got)) in want.iter().zip(&got).enumerate() {
        assert_eq!((want.width, want.height), (got.width, got.height), "{name}: plane {index}");
        let differing = want.data.iter().zip(&got.data).position(|(a, b)| a != b);
        let position = differing.map(|at| (at % want.width, at / want.width, want.data[at], got.data[at]));
        assert_eq!(position, None, "{name}: plane {index}: x, y, model, library");
    }
}

/// The largest width, with the adaptive filter in both directions.
#[test]
fn the_widest_pictures_become_what_the_model_makes_of_them() {
    let (format, parameters) = (Format::new(40, 6, Sampling::Mono), Parameters::default());
    let frame = picture(&mut Random::new(7), format);
    let scale = Some(Scale::new(dndi::MAX_SIZE, 9));
    let location = ChromaLocation::Left;
    let job = Job { format, scale, location, sharpen: None, noise: 0, parameters: &parameters, shares: None };
    let got = process(&builder(format, Scan::Progressive).scale(scale), &frame);
    assert!(grids(&got)[0].data == model::run(&job, &grids(&frame))[0].data);
}

#[test]
fn levels_and_threads_change_nothing() {
    for depth in [8, 9, 10, 16] {
        levels_and_threads(depth);
    }
}

fn levels_and_threads(depth: u8) {
    let pools = [1, 2, 5].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    for seed in 1000..if depth == 8 { 1040 } else { 1010 } {
        let (name, _, frame, ..) = random_case(seed, depth);
        let Format { width, height, sampling, .. } = frame.format();
        let format = Format::new(width, 4 * height, sampling).with_depth(depth);
        let frame = picture(&mut Random::new(seed), format);
        for scan in [Scan::Progressive, Scan::TopFirst] {
            // The settings of the case, with enough lines for several bands.
            let Ok(settings) = enlarged(seed, format, scan) else { continue };
            let want = pools[0].install(|| process(&settings.clone().simd_level(SimdLevel::Scalar), &frame));
            for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
                for pool in &pools {
                    let got = pool.install(|| process(&settings.clone().simd_level(level), &frame));
                    assert!(got == want, "{name}, {scan:?}: {level}, {} threads", pool.current_num_threads());
                }
            }
        }
    }
}

/// The settings of a case for another, larger format.
fn enlarged(seed: u64, format: Format, scan: Scan) -> Result<StreamBuilder, dndi::Error> {
    let (_, _, _, scale, location, sharpen, parameters) = random_case(seed, 8);
    let scale = scale.map(|scale| Scale::new(scale.width + 60, 2 * scale.height + 70));
    let settings = builder(format, scan).scale(scale).chroma_location(location).sharpen(sharpen).parameters(parameters);
    settings.check().map(|()| settings)
}

/// At equal sizes the scaler does not change the picture, whatever the adaptive filter decides.
#[test]
fn equal_sizes_are_the_identity() {
    for (seed, sampling) in (0..).zip(SAMPLINGS) {
        for (width, height) in [(1, 1), (2, 3), (7, 5), (64, 64), (65, 33), (210, 40)] {
            for location in LOCATIONS {
                let format = Format::new(width, height, sampling);
                let random = &mut Random::new(seed);
                let frame = picture(random, format);
                let mut parameters = Parameters::default();
                parameters.scaler.adaptive_filter_for_all_channels = true;
                parameters.scaler.max_deriv_8 = 0;
                let settings = builder(format, Scan::Progressive).parameters(parameters).chroma_location(location);
                let got = process(&settings.scale(Some(Scale::new(width, height))), &frame);
                assert!(got == frame, "{format:?} {location:?}");
            }
        }
    }
}

/// A rectangle at its own size is copied: luma always, chroma if the rectangle starts on a chroma
/// sample.
#[test]
fn a_rectangle_alone_is_cut_out() {
    let format = Format::new(40, 30, Sampling::C420);
    let frame = picture(&mut Random::new(3), format);
    let crop = Rect { x: 6, y: 4, width: 20, height: 12 };
    for location in LOCATIONS {
        let got = process(&builder(format, Scan::Progressive).chroma_location(location).scale(Some(Scale::cut(crop))), &frame);
        for index in 0..3 {
            let (part, stride) = (if index == 0 { 1 } else { 2 }, format.plane_size(index).0);
            let lines = (0..crop.height / part).flat_map(|y| {
                let start = (y + crop.y / part) * stride + crop.x / part;
                &frame.plane(index)[start..start + crop.width / part]
            });
            assert!(lines.eq(got.plane(index)), "{location:?}, plane {index}");
        }
    }
}

/// Sharpening by measured noise uses the noise of the previous step. The first step uses the
/// parameter.
#[test]
fn measured_noise_is_that_of_the_step_before() {
    let format = Format::new(64, 48, Sampling::Mono);
    let noisy = |n: u64| {
        let random = &mut Random::new(n);
        let data = (0..format.samples()).map(|x| (100 + x % 64 / 8 + random.within(0..=8 * n as i32) as usize) as u8);
        Frame::from_vec(format, data.collect())
    };
    let frames: Vec<Frame> = (0..4).map(noisy).collect();
    for scale in [None, Some(Scale::new(80, 60))] {
        for statistics in [true, false] {
            let settings = builder(format, Scan::Progressive).sharpen(Some(SharpenMode::Combination)).scale(scale);
            let mut measured = settings.clone().measured_noise(true).statistics(statistics).build().unwrap();
            let mut plain = settings.clone().build().unwrap();
            let mut noise = Parameters::default().sharpen.global_noise_estimation;
            for frame in &frames {
                measured.push(&frame.planes()).unwrap();
                let mut parameters = Parameters::default();
                parameters.sharpen.global_noise_estimation = noise;
                assert!(measured.pull().unwrap().frame == process(&settings.clone().parameters(parameters), frame), "{noise}");
                plain.push(&frame.planes()).unwrap();
                assert!(plain.pull().is_some());
                noise = u8::try_from(plain.statistics().unwrap().gne).unwrap();
            }
            assert!(noise > 0);
        }
    }
}

/// The noise is measured before denoising, whether the stream makes statistics or not.
#[test]
fn measured_noise_is_that_of_the_frame_as_it_came() {
    let format = Format::new(64, 48, Sampling::Mono);
    let random = &mut Random::new(5);
    let frames: Vec<Frame> = (0..5)
        .map(|n: i32| Frame::from_vec(format, (0..format.samples()).map(|_| (100 + random.within(0..=6 * n)) as u8).collect()))
        .collect();
    for scan in [Scan::Progressive, Scan::TopFirst] {
        let settings = Stream::builder(format, scan).sharpen(Some(SharpenMode::Combination));
        let run = |settings: StreamBuilder| {
            let mut stream = settings.build().unwrap();
            let mut made = vec![];
            for frame in &frames {
                stream.push(&frame.planes()).unwrap();
                made.extend(std::iter::from_fn(|| stream.pull()).map(|output| (output.field_time, output.frame)));
            }
            stream.flush().unwrap();
            made.extend(std::iter::from_fn(|| stream.pull()).map(|output| (output.field_time, output.frame)));
            made
        };
        let measured = settings.clone().measured_noise(true);
        let with_statistics = run(measured.clone());
        assert!(run(measured.statistics(false)) == with_statistics, "{scan:?}");
        assert!(run(settings) != with_statistics, "{scan:?}: the noise matters");
    }
}

#[test]
fn sizes_and_rectangles_that_cannot_be_are_refused() {
    let format = Format::new(40, 30, Sampling::C420);
    let refused = |scan, scale: Scale| builder(format, scan).scale(Some(scale)).check().unwrap_err().to_string();
    for (width, height) in [(0, 1), (1, 0), (8193, 1), (1, usize::MAX)] {
        assert!(refused(Scan::Progressive, Scale::new(width, height)).starts_with("output size"));
    }
    for (x, y, width, height) in [(0, 0, 41, 1), (1, 0, 40, 1), (0, 29, 1, 2), (0, 0, 0, 1), (0, 0, 1, 0), (usize::MAX, 0, 2, 1)]
    {
        let crop = Some(Rect { x, y, width, height });
        assert!(refused(Scan::Progressive, Scale::new(4, 4).crop(crop)).starts_with("the rectangle"), "{crop:?}");
    }
    assert!(refused(Scan::TopFirst, Scale::new(40, 31)).contains("even height"));
    assert!(refused(Scan::TopFirst, Scale::new(40, 2)).contains("4 lines"));
    assert!(builder(format, Scan::TopFirst).scale(Some(Scale::new(40, 4))).check().is_ok());
    let addresses = Some(dndi::Addresses { start: f32::NAN, delta: 0.0, second: 0.0 });
    assert!(refused(Scan::Progressive, Scale::new(4, 4).addresses(addresses)).starts_with("addresses.start = NaN is outside"));
}
