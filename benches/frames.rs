//! Benchmarks of whole frames through the library on one thread, such as
//! `frames/576i/default/portable`. The time is per input frame.
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dndi::{Deinterlacer, Detector, Format, Frame, Parameters, Sampling, Scale, Scan, SharpenMode, SimdLevel, Stream};

/// A moving interlaced scene with edges at many angles, a still part and some noise.
fn scene(format: Format, frames: usize) -> Vec<Frame> {
    let mut noise = 0x9e37_79b9_u32;
    (0..frames)
        .map(|n| {
            let mut frame = Frame::new(format);
            for (index, plane) in frame.byte_planes_mut().into_iter().enumerate() {
                let (width, _) = format.plane_size(index);
                for (y, line) in plane.chunks_exact_mut(width).enumerate() {
                    let time = if y < line.len() / 3 { 0 } else { 2 * n + y % 2 };
                    for (x, sample) in line.iter_mut().enumerate() {
                        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        let (u, v) = (x + 3 * time, 2 * y + x / 3 + time);
                        let shape = if (u / 23 + v / 31) % 2 == 0 { 60 } else { 170 };
                        *sample = (shape + (u * v / 97 % 16) + (noise >> 29) as usize) as u8;
                    }
                }
            }
            frame
        })
        .collect()
}

fn run(stream: &mut Stream, clip: &[Frame]) -> u64 {
    let mut sum = 0;
    for frame in clip {
        stream.push(&frame.planes()).unwrap();
        while let Some(output) = stream.pull() {
            sum += output.frame.data().iter().step_by(97).map(|&v| v as u64).sum::<u64>();
            stream.recycle(output.frame);
        }
    }
    sum
}

/// The detector alone.
fn detect(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (size, width, height) in [("288i", 352, 288), ("576i", 720, 576), ("1080i", 1920, 1080), ("2160i", 3840, 2160)] {
        let format = Format::new(width, height, Sampling::C420);
        let clip = scene(format, 24);
        let run = |level: SimdLevel| {
            let mut detector = Detector::builder(format).simd_level(level).build().unwrap();
            clip.iter().for_each(|frame| detector.push(frame.planes()[0], None).unwrap());
            detector.finish();
            std::iter::from_fn(|| detector.pull()).collect::<Vec<_>>()
        };
        let scalar = pool.install(|| run(SimdLevel::Scalar));
        let mut group = criterion.benchmark_group(format!("frames/{size}/detect"));
        group.throughput(Throughput::Elements(clip.len() as u64)).sample_size(10);
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
            assert!(pool.install(|| run(level)) == scalar, "{size} {level}");
            group.bench_function(level.name(), |bencher| pool.install(|| bencher.iter(|| run(level))));
        }
    }
}

fn frames(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let plain = {
        let mut parameters = Parameters::default();
        parameters.compensation.mcdi_enable = false;
        parameters
    };
    for (size, width, height) in [("288i", 352, 288), ("576i", 720, 576), ("1080i", 1920, 1080), ("2160i", 3840, 2160)] {
        let format = Format::new(width, height, Sampling::C420);
        let clip = scene(format, 4);
        let interlaced = Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6).statistics(false);
        let sharp = {
            let mut parameters = Parameters::default();
            parameters.scaler.bypass_x_adaptive = true;
            parameters.scaler.bypass_y_adaptive = true;
            parameters
        };
        let passed = Stream::builder(format, Scan::Progressive).denoise(false).statistics(false);
        let smaller = passed.clone().scale(Some(Scale::new(width * 2 / 3, height * 2 / 3)));
        let colored = |stages: &[&str]| {
            let mut parameters = Parameters::default();
            stages.iter().for_each(|stage| parameters.set(&format!("color.{stage}_enable"), 1).unwrap());
            passed.clone().parameters(parameters)
        };
        let jobs = [
            ("procamp", colored(&["procamp"])),
            ("csc", colored(&["csc"])),
            ("color", colored(&["std", "ste", "vy_std", "skin_types", "ace", "tcc", "procamp", "csc"])),
            ("scale_down", smaller.clone()),
            ("scale_down_sharp", smaller.parameters(sharp)),
            ("scale_up", passed.clone().scale(Some(Scale::new(width * 3 / 2, height * 3 / 2)))),
            ("enhance", passed.clone().sharpen(Some(SharpenMode::Combination))),
            ("default", interlaced.clone()),
            ("statistics", interlaced.clone().statistics(true)),
            ("balanced", Stream::builder(format, Scan::TopFirst).denoise(false).statistics(false)),
            ("deinterlace", interlaced.denoise(false).parameters(plain.clone())),
            ("denoise", Stream::builder(format, Scan::Progressive).statistics(false)),
        ];
        for (job, builder) in jobs {
            let scalar = pool.install(|| run(&mut builder.clone().simd_level(SimdLevel::Scalar).build().unwrap(), &clip));
            let mut group = criterion.benchmark_group(format!("frames/{size}/{job}"));
            group.throughput(Throughput::Elements(clip.len() as u64)).sample_size(10);
            for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
                let mut stream = builder.clone().simd_level(level).build().unwrap();
                assert_eq!(pool.install(|| run(&mut stream, &clip)), scalar, "{size} {job} {level}");
                group.bench_function(level.name(), |bencher| {
                    pool.install(|| bencher.iter(|| run(&mut stream, &clip)));
                });
            }
        }
    }
}

criterion_group!(benches, detect, frames);
criterion_main!(benches);
