//! Tests the colour pipe against an independent reference that follows the specification pixel by
//! pixel, against real arithmetic, and by properties that hold for any picture.
//!
//! `DNDI_CASES=20000 cargo test --release --test color random_pictures` runs more random cases than
//! the default. `DNDI_SEED=123 DNDI_CASES=1` repeats the case that a failure names.
mod auto;
mod bars;
mod capture_model;
mod cases;
#[path = "../reference/content.rs"]
mod content;
mod every_parameter;
mod extended;
mod extended_model;
mod golden_cases;
mod model;
mod numbers;
mod properties;
mod skin;

use cases::Case;
use content::Random;
use dndi::{
    ColorParameters, Format, Frame, Parameters, PlaneRef, Rect, Samples, Sampling, Scan, SimdLevel, Stream, StreamBuilder,
};
use model::Statistics;

/// Depths of more than 8 bits.
const DEEP: [u8; 5] = [9, 10, 12, 14, 16];

const SAMPLINGS: [Sampling; 5] = [Sampling::C420, Sampling::C422, Sampling::C444, Sampling::Mono, Sampling::C411];

/// Colour parameters and the area of interest.
#[derive(Clone)]
struct Job {
    parameters: ColorParameters,
    area: Option<Rect>,
}

impl Job {
    fn of(parameters: &ColorParameters) -> Job {
        Job { parameters: parameters.clone(), area: None }
    }

    /// A stream without other stages.
    fn builder(&self, format: Format) -> StreamBuilder {
        let mut parameters = Parameters::default();
        parameters.color = self.parameters.clone();
        let plain = Stream::builder(format, Scan::Progressive).denoise(false).statistics(false);
        plain.luma_statistics(true).parameters(parameters).area_of_interest(self.area)
    }

    fn model(&self, frame: &Frame) -> (Frame, Statistics) {
        model::run(frame, &self.parameters, self.area)
    }

    fn library(&self, frame: &Frame) -> (Frame, Statistics) {
        process(self.builder(frame.format()), frame)
    }
}

/// Processes one frame through a stream. The input rows have padding between them.
fn process(builder: StreamBuilder, frame: &Frame) -> (Frame, Statistics) {
    fn strided<S: Copy>(samples: &[S], width: usize, padding: S) -> Vec<S> {
        samples.chunks(width.max(1)).flat_map(|row| row.iter().copied().chain([padding; 3])).collect()
    }
    let mut stream = builder.build().unwrap();
    let (mut bytes, mut words) = ([const { vec![] }; 3], [const { vec![] }; 3]);
    let planes = frame.planes();
    for (plane, (bytes, words)) in planes.iter().zip(bytes.iter_mut().zip(&mut words)) {
        match plane.samples {
            Samples::U8(samples) => *bytes = strided(samples, plane.stride, 0xee),
            Samples::U16(samples) => *words = strided(samples, plane.stride, 0xeeee),
        }
    }
    let strided: Vec<PlaneRef> = (0..)
        .zip(&planes)
        .map(|(index, plane): (usize, _)| match plane.samples {
            Samples::U8(_) => PlaneRef::new(&bytes[index][..], plane.stride + 3),
            Samples::U16(_) => PlaneRef::new(&words[index][..], plane.stride + 3),
        })
        .collect();
    stream.push(&strided[..]).unwrap();
    let output = stream.pull().unwrap();
    (output.frame, statistics(&output.luma.unwrap()))
}

/// Processes a row of pixels, given and returned as [Y, U, V].
fn swatches(parameters: &ColorParameters, pixels: &[[u8; 3]]) -> Vec<[u8; 3]> {
    let planes = [0, 1, 2].map(|component| pixels.iter().map(|pixel| pixel[component]).collect::<Vec<u8>>());
    let frame = Frame::from_vec(Format::new(pixels.len(), 1, Sampling::C444), planes.concat());
    let (made, _) = Job::of(parameters).library(&frame);
    (0..pixels.len()).map(|x| [0, 1, 2].map(|plane| made.plane(plane)[x])).collect()
}

fn statistics(luma: &dndi::LumaStatistics) -> Statistics {
    let dndi::LumaStatistics { histogram, ymin, ymax, skin_pixels, skin_factor_sum, .. } = luma;
    Statistics {
        histogram: histogram.iter().map(|&count| count.into()).collect(),
        ymin: (*ymin).into(),
        ymax: (*ymax).into(),
        skin_pixels: *skin_pixels,
        skin_factor_sum: *skin_factor_sum,
    }
}

fn levels() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| level.is_supported())
}

/// Panics where the library differs from the model at any SIMD level of this processor; the message
/// contains the position.
fn compare(name: &str, job: &Job, frame: &Frame) {
    let want = job.model(frame);
    for (n, level) in levels().enumerate() {
        // Without statistics the pipe reads the caller's planes; with them it changes a frame in
        // place.
        let in_place = (n + frame.format().samples()).is_multiple_of(2);
        let got = process(job.builder(frame.format()).simd_level(level).statistics(in_place), frame);
        assert_eq!(difference(&want.0, &got.0), None, "{level}: plane, x, y, model, library; {name}");
        assert_eq!(want.1, got.1, "{level}: {name}");
    }
}

/// The first difference: plane, x, y and both samples.
fn difference(want: &Frame, got: &Frame) -> Option<(usize, usize, usize, i64, i64)> {
    let format = want.format();
    assert_eq!(format, got.format());
    (0..format.sampling.planes()).find_map(|plane| {
        let (width, height) = format.plane_size(plane);
        (0..width * height).find_map(|at| {
            let (x, y) = (at % width, at / width);
            let [want, got] = [want, got].map(|frame| model::sample(frame, plane, x, y));
            (want != got).then_some((plane, x, y, want, got))
        })
    })
}

fn seeds(count: u64) -> impl Iterator<Item = u64> {
    let setting = |name: &str, default: u64| match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")),
        Err(_) => default,
    };
    let first = setting("DNDI_SEED", 1);
    first..first + setting("DNDI_CASES", count)
}

/// The model matches values of another, separate model.
#[test]
fn the_model_matches_the_golden_cases() {
    let cases = golden_cases::load();
    for case in &cases {
        let run = |frame| model::run(frame, &case.parameters.color, None);
        let (frames, statistics): (Vec<_>, Vec<_>) = case.frames.iter().map(run).unzip();
        assert_eq!(golden_cases::md5(&frames), case.md5, "frames of {}", case.name);
        assert_eq!(statistics, case.statistics, "statistics of {}", case.name);
    }
    assert_eq!(cases.len(), 58);
}

/// The library matches the model on the golden pictures; a failure shows the position.
#[test]
fn the_library_matches_the_model_on_the_golden_pictures() {
    for case in golden_cases::load() {
        let job = Job::of(&case.parameters.color);
        case.frames.iter().for_each(|frame| compare(&case.name, &job, frame));
    }
}

#[test]
fn random_pictures_become_what_the_model_makes_of_them() {
    for seed in seeds(700) {
        let Case { name, job, frame } = cases::random(seed);
        compare(&name, &job, &frame);
    }
}

#[test]
fn random_pictures_of_more_than_8_bits_become_what_the_model_makes_of_them() {
    for seed in seeds(500) {
        let Case { name, job, frame } = cases::random_of_depth(seed, DEEP[seed as usize % DEEP.len()]);
        compare(&name, &job, &frame);
    }
}

/// Covers the short cuts for a stage that runs alone.
#[test]
fn random_settings_of_one_stage_do_what_the_model_does() {
    for seed in seeds(300) {
        let random = &mut Random::new(seed);
        let (width, height) = (random.within(1..=70) as usize, random.within(1..=40) as usize);
        let depth = if seed % 2 == 1 { 8 } else { random.pick(&DEEP) };
        let format = Format::new(width, height, random.pick(&SAMPLINGS)).with_depth(depth);
        let mut parameters = cases::parameters(random);
        let alone = random.within(0..=5);
        let p = &mut parameters;
        (p.std_enable, p.ste_enable) = (alone <= 1, alone == 1);
        (p.ace_enable, p.tcc_enable) = (alone == 2, alone == 3);
        (p.procamp_enable, p.transform_enable) = (alone == 4, alone == 5);
        let frame = cases::picture(random, format, &parameters);
        compare(&format!("{seed}: {format:?} {}", cases::changes(&parameters)), &Job::of(&parameters), &frame);
    }
}

/// Every pair of chroma values covers every angle and every radius.
#[test]
fn random_settings_make_of_every_colour_what_the_model_does() {
    for seed in seeds(24) {
        let random = &mut Random::new(seed);
        let job = Job::of(&cases::parameters(random));
        let (first, step) = (random.within(0..=255) as usize, random.within(0..=255) as usize);
        let frame = cases::all_chroma(|at| (first + at / 256 * step + at % 256 / 16) as u8);
        compare(&format!("{seed}: {}", cases::changes(&job.parameters)), &job, &frame);
    }
}
