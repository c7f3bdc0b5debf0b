//! Properties that hold for any picture: identities, and independence of SIMD level, threads and
//! history.

use crate::cases::{self, Case, area};
use crate::content::Random;
use crate::model::frame_of;
use crate::{Job, SAMPLINGS, difference, levels, process, statistics};
use dndi::{ColorParameters, Format, Frame, Parameters, Samples, Scale, Scan, SharpenMode, Stream};

const SIZES: [(usize, usize); 7] = [(1, 1), (2, 1), (1, 2), (3, 5), (33, 6), (64, 32), (131, 37)];

/// Random pictures of all samplings and depths and of many sizes.
fn pictures() -> impl Iterator<Item = Frame> {
    let formats = SAMPLINGS.into_iter().flat_map(|sampling| SIZES.map(|(width, height)| Format::new(width, height, sampling)));
    let formats = formats.flat_map(|format| [8, 9, 10, 12, 14, 16].map(|depth| format.with_depth(depth)));
    (1..).zip(formats).map(|(seed, format)| {
        let (random, most) = (&mut Random::new(seed), (1 << format.depth) - 1);
        frame_of(format, &(0..format.samples()).map(|_| i64::from(random.within(0..=most))).collect::<Vec<_>>())
    })
}

/// The samples of a frame, plane by plane.
fn samples(frame: &Frame) -> Vec<i64> {
    match frame.samples() {
        Samples::U8(samples) => samples.iter().map(|&v| v.into()).collect(),
        Samples::U16(samples) => samples.iter().map(|&v| v.into()).collect(),
    }
}

/// Up to 12 bits the pipe computes the same 12-bit values from an 8-bit picture that is shifted
/// left, and only the exit differs (§9.8).
#[test]
fn depths_up_to_12_bits_differ_in_the_exit_alone() {
    for seed in 3000..3150 {
        let Case { name, job, frame } = cases::random(seed);
        let shifted = |depth: u8| {
            let shifted: Vec<i64> = samples(&frame).iter().map(|v| v << (depth - 8)).collect();
            let (frame, statistics) = job.library(&frame_of(frame.format().with_depth(depth), &shifted));
            (samples(&frame), statistics)
        };
        let (deep, statistics) = shifted(12);
        let (eight, of_eight) = job.library(&frame);
        assert_eq!(samples(&eight), deep.iter().map(|v| v >> 4).collect::<Vec<_>>(), "{name}");
        assert_eq!(of_eight, statistics, "{name}");
        for (depth, shift) in [(9, 3), (10, 2)] {
            let exit = |v: &i64| ((v + (1 << (shift - 1))) >> shift).min((1 << depth) - 1);
            assert_eq!(shifted(depth), (deep.iter().map(exit).collect(), statistics.clone()), "{depth} bits, {name}");
        }
    }
}

/// A word above 2^n - 1 counts as 2^n - 1 in every stage, at every level.
#[test]
fn words_above_their_range_count_as_its_end() {
    for seed in 4000..4060 {
        let depth = [9, 10, 12, 14][seed as usize % 4];
        let Case { name, mut job, frame } = cases::random_of_depth(seed, depth);
        // Planes that no stage changes are copied.
        let color = &mut job.parameters;
        (color.std_enable, color.procamp_enable, color.transform_enable) = (true, true, true);
        let (random, most) = (&mut Random::new(seed), (1 << depth) - 1);
        let wild: Vec<i64> = (0..frame.format().samples()).map(|_| i64::from(random.within(0..=65535))).collect();
        let clipped: Vec<i64> = wild.iter().map(|&v| v.min(most)).collect();
        let [wild, clipped] = [wild, clipped].map(|samples| frame_of(frame.format(), &samples));
        let want = job.model(&clipped);
        for level in levels() {
            let got = process(job.builder(frame.format()).simd_level(level), &wild);
            assert!(got == want, "{level}, {name}");
        }
    }
}

#[test]
fn identities_are_exact() {
    let with = |change: fn(&mut ColorParameters)| {
        let mut parameters = ColorParameters::default();
        change(&mut parameters);
        parameters
    };
    let identities = [
        ("nothing", with(|_| {})),
        ("ace", with(|p| p.ace_enable = true)),
        ("procamp", with(|p| p.procamp_enable = true)),
        ("csc", with(|p| p.transform_enable = true)),
        ("std", with(|p| p.std_enable = true)),
        ("ste without std", with(|p| (p.ste_enable, p.vy_std_enable, p.output_control) = (true, true, true))),
        (
            "tcc at 1",
            with(|p| {
                p.tcc_enable = true;
                (p.sat_factor_1, p.sat_factor_2, p.sat_factor_3) = (128, 128, 128);
                (p.sat_factor_4, p.sat_factor_5, p.sat_factor_6) = (128, 128, 128);
            }),
        ),
        (
            "ace, procamp and csc",
            with(|p| (p.ace_enable, p.procamp_enable, p.transform_enable, p.std_enable) = (true, true, true, true)),
        ),
    ];
    for frame in pictures() {
        for (name, parameters) in &identities {
            for level in levels() {
                let job = Job::of(parameters);
                let (got, _) = process(job.builder(frame.format()).simd_level(level), &frame);
                assert_eq!(difference(&frame, &got), None, "{name}, {level}, {:?}: plane, x, y, before, after", frame.format());
            }
        }
    }
}

/// ACE changes only luma; STE and TCC change only chroma.
#[test]
fn stages_keep_to_their_planes() {
    for seed in 1..=60 {
        let Case { job: Job { mut parameters, .. }, frame, .. } = cases::random(seed);
        (parameters.procamp_enable, parameters.transform_enable, parameters.output_control) = (false, false, false);
        let without_ace = Job::of(&parameters.clone().ace_enable(false)).library(&frame).0;
        assert_eq!(without_ace.plane(0), frame.plane(0));
        let ace_alone = Job::of(&parameters.ste_enable(false).tcc_enable(false)).library(&frame).0;
        assert_eq!([1, 2].map(|plane| ace_alone.plane(plane)), [1, 2].map(|plane| frame.plane(plane)));
    }
}

#[test]
fn levels_and_threads_change_nothing() {
    let pools = [1, 2, 5].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    for seed in 1000..1012 {
        let Case { name, mut job, .. } = cases::random(seed);
        let random = &mut Random::new(seed);
        // Enough lines for several bands.
        let (width, height) = (random.within(150..=300) as usize, random.within(100..=200) as usize);
        let format = Format::new(width, height, random.pick(&SAMPLINGS));
        let frame = cases::picture(random, format, &job.parameters);
        job.area = job.area.map(|_| area(random, format));
        let want = job.model(&frame);
        for level in levels() {
            for pool in &pools {
                let got = pool.install(|| process(job.builder(format).simd_level(level), &frame));
                assert!(got == want, "{name}: {format:?}, {level}, {} threads", pool.current_num_threads());
            }
        }
    }
}

/// Frames of one stream do not influence each other, and reused buffers do not change the output.
#[test]
fn frames_of_a_stream_are_alone() {
    for seed in 1..=30 {
        let Case { name, job, frame } = cases::random(seed);
        let format = frame.format();
        let mut stream = job.builder(format).build().unwrap();
        for n in 0..4 {
            let frame = cases::picture(&mut Random::new(seed + 1000 * n), format, &job.parameters);
            stream.push(&frame.planes()).unwrap();
            let output = stream.pull().unwrap();
            let want = job.model(&frame);
            assert_eq!(difference(&want.0, &output.frame), None, "frame {n}, {name}");
            assert_eq!(statistics(&output.luma.unwrap()), want.1, "frame {n}, {name}");
            stream.recycle(output.frame);
        }
    }
}

/// Without colour stages the statistics are those of the output luma, with and without an area of
/// interest.
#[test]
fn statistics_do_not_depend_on_being_on() {
    for frame in pictures() {
        let mut job = Job::of(&ColorParameters::default());
        assert_eq!(job.library(&frame), (frame.clone(), job.model(&frame).1));
        job.area = Some(area(&mut Random::new(frame.format().samples() as u64), frame.format()));
        assert_eq!(job.library(&frame), (frame.clone(), job.model(&frame).1), "{:?}", job.area);
        job.parameters.full_image_histogram = true;
        assert_eq!(job.library(&frame), (frame.clone(), job.model(&frame).1));
    }
}

/// The colour pipe runs last: a stream with all stages equals a stream with the other stages
/// followed by the colour pipe.
#[test]
fn colours_come_last() {
    let mut reached = 0;
    for seed in 2000..2040 {
        let Case { name, mut job, frame } = cases::random(seed);
        let Format { width, height, sampling, .. } = frame.format();
        let random = &mut Random::new(seed);
        let scan = random.pick(&[Scan::Progressive, Scan::TopFirst, Scan::BottomFirst]);
        let format = Format::new(width + 10, 2 * height.max(2), sampling);
        let scale = random.once_in(2).then(|| Scale::new(width + 21, 2 * height + 8));
        let sharpen = random.pick(&[None, Some(SharpenMode::Detail5), Some(SharpenMode::Combination)]);
        let before = Stream::builder(format, scan).scale(scale).sharpen(sharpen).luma_statistics(true).deinterlace(false);
        let before = before.denoise(random.once_in(2));
        let before = if scan == Scan::Progressive { before } else { before.deinterlace(random.once_in(2)) };
        let out = before.output_format();
        job.area = job.area.map(|_| area(random, out));
        let mut parameters = Parameters::default();
        parameters.color = job.parameters.clone();
        for level in [levels().next().unwrap(), levels().last().unwrap()] {
            let before = before.clone().simd_level(level);
            let mut all = before.clone().parameters(parameters.clone()).area_of_interest(job.area).build().unwrap();
            let mut first = before.build().unwrap();
            for n in 0..4 {
                let picture = cases::picture(&mut Random::new(seed + 100 * n), format, &job.parameters);
                if n < 3 {
                    all.push(&picture.planes()).unwrap();
                    first.push(&picture.planes()).unwrap();
                } else {
                    all.flush().unwrap();
                    first.flush().unwrap();
                }
                while let Some(plain) = first.pull() {
                    let output = all.pull().unwrap();
                    let want = job.model(&plain.frame);
                    let what = || format!("{level}, {format:?} {scan:?} {scale:?} {sharpen:?}: {name}");
                    assert_eq!(output.field_time, plain.field_time);
                    assert_eq!(difference(&want.0, &output.frame), None, "{}", what());
                    assert_eq!(statistics(&output.luma.unwrap()), want.1, "{}", what());
                    reached += usize::from(want.0 != plain.frame);
                }
                assert!(all.pull().is_none());
            }
        }
    }
    assert!(reached > 100, "{reached}");
}
