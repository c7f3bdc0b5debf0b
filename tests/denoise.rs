//! Automatic denoising on small clips of known noise: its decisions and its effect on the frames.

use dndi::{DenoiseMode, DenoiseState, Format, Frame, Parameters, Sampling, Scan, SimdLevel, Statistics, Stream, StreamBuilder};

const SIZE: (usize, usize) = (224, 160);

/// Reproducible pseudo-random numbers.
struct Random(u64);

impl Random {
    /// Nearly normal, of standard deviation 1.
    fn normal(&mut self) -> f64 {
        let mut uniform = || {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 40) as f64 / (1 << 24) as f64
        };
        ((0..12).map(|_| uniform()).sum::<f64>()) - 6.0
    }
}

/// A smooth gradient with a moving box, multiplied by `light`, with noise.
fn picture(format: Format, number: usize, light: f64, sigma: f64, random: &mut Random) -> Frame {
    let mut frame = Frame::new(format);
    for (index, plane) in frame.byte_planes_mut().into_iter().enumerate() {
        let width = format.plane_size(index).0.max(1);
        for (i, sample) in plane.iter_mut().enumerate() {
            let (x, y) = (i % width, i / width);
            let inside = (20 + 2 * number..36 + 2 * number).contains(&x) && (20..36).contains(&y);
            let clean = light * (70.0 + x as f64 * 0.4 + y as f64 * 0.3 + if inside { 60.0 } else { 0.0 });
            *sample = (clean + sigma * random.normal()).round().clamp(0.0, 255.0) as u8;
        }
    }
    frame
}

fn clip(sampling: Sampling, count: usize, light: impl Fn(usize) -> f64, sigma: impl Fn(usize) -> f64) -> Vec<Frame> {
    let (format, random) = (Format::new(SIZE.0, SIZE.1, sampling), &mut Random(7));
    (0..count).map(|n| picture(format, n, light(n), sigma(n), random)).collect()
}

fn mono(count: usize, sigma: f64) -> Vec<Frame> {
    clip(Sampling::Mono, count, |_| 1.0, |_| sigma)
}

fn run(builder: StreamBuilder, clip: &[Frame]) -> (Vec<Frame>, Vec<Statistics>) {
    let mut stream = builder.build().unwrap();
    let (mut frames, mut rows) = (vec![], vec![]);
    for frame in clip {
        stream.push(&frame.planes()).unwrap();
        rows.extend(stream.statistics().cloned());
        frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame));
    }
    stream.flush().unwrap();
    frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame));
    (frames, rows)
}

fn builder(clip: &[Frame], scan: Scan) -> StreamBuilder {
    Stream::builder(clip[0].format(), scan)
}

fn states(rows: &[Statistics]) -> Vec<DenoiseState> {
    rows.iter().map(|row| row.denoise.clone().unwrap()).collect()
}

/// The noise estimates, as standard deviations.
fn noise(rows: &[Statistics]) -> Vec<f64> {
    states(rows).iter().map(|state| state.noise.unwrap() as f64 / 64.0).collect()
}

const SCANS: [(Scan, bool); 3] = [(Scan::Progressive, false), (Scan::TopFirst, true), (Scan::TopFirst, false)];

fn error(a: &[Frame], b: &[Frame], plane: usize) -> f64 {
    let differences = a.iter().zip(b).flat_map(|(a, b)| a.plane(plane).iter().zip(b.plane(plane)));
    let squares: Vec<f64> = differences.map(|(&a, &b)| (a as f64 - b as f64).powi(2)).collect();
    squares.iter().sum::<f64>() / squares.len() as f64
}

#[test]
fn the_measured_noise_decides() {
    for (scan, deinterlace) in SCANS {
        let mut before = None;
        for sigma in [0.0, 4.0, 8.0, 14.0] {
            let clip = mono(8, sigma);
            let (_, rows) = run(builder(&clip, scan).deinterlace(deinterlace), &clip);
            for level in noise(&rows) {
                // Up to 2 the filter changes nothing.
                assert!((level - sigma).abs() <= if sigma == 0.0 { 2.0 } else { 0.25 * sigma }, "{scan:?} {sigma}: {level}");
            }
            let now = Some(states(&rows)[7].parameters.good_neighbor_th);
            assert!(now > before, "{scan:?} {sigma}");
            before = now;
        }
    }
}

#[test]
fn noise_is_reduced_and_clean_pictures_do_not_change() {
    let clean = mono(12, 0.0);
    assert!(run(builder(&clean, Scan::Progressive), &clean).0 == clean);
    for sigma in [4.0, 8.0, 14.0] {
        let noisy = mono(12, sigma);
        let auto = run(builder(&noisy, Scan::Progressive), &noisy).0;
        assert!(error(&auto, &clean, 0) < error(&noisy, &clean, 0) / 3.0, "{sigma}");
    }
    // The deinterlacer's lines contain no noise either.
    let deinterlaced = |mode: DenoiseMode| run(builder(&clean, Scan::TopFirst).denoise(mode), &clean).0;
    assert!(deinterlaced(DenoiseMode::Auto) == deinterlaced(DenoiseMode::Off));
}

#[test]
fn bars_do_not_hide_noise_and_texture_is_not_noise() {
    let (width, height) = SIZE;
    for (scan, deinterlace) in SCANS {
        let mut barred = mono(6, 6.0);
        for frame in &mut barred {
            let [plane, ..] = frame.byte_planes_mut();
            plane[..width * height / 5].fill(16);
            plane[width * height * 4 / 5..].fill(16);
        }
        let rows = run(builder(&barred, scan).deinterlace(deinterlace), &barred).1;
        assert!(noise(&rows).iter().all(|level| (level - 6.0).abs() <= 1.5), "{scan:?}: {:?}", noise(&rows));
        // A moving zone plate.
        let mut plates = mono(6, 0.0);
        for (number, frame) in plates.iter_mut().enumerate() {
            for (i, sample) in frame.byte_planes_mut()[0].iter_mut().enumerate() {
                let (x, y) = ((i % width) as f64 - 112.0, (i / width) as f64 - 80.0);
                *sample = (128.0 + 100.0 * ((x * x + y * y) * 0.008 + number as f64).cos()).round() as u8;
            }
        }
        let builder = builder(&plates, scan).deinterlace(deinterlace);
        assert!(run(builder.clone(), &plates).0 == run(builder.denoise(false), &plates).0, "{scan:?}");
    }
}

#[test]
fn parameters_come_from_the_steps_before() {
    // In a picture that is otherwise still, noise starts suddenly and stops.
    let clip = clip(Sampling::Mono, 30, |_| 1.0, |n| if (10..20).contains(&n) { 6.0 } else { 0.0 });
    let rows = run(builder(&clip, Scan::Progressive), &clip).1;
    let levels = noise(&rows);
    assert_eq!(levels[10], levels[9], "not by itself");
    assert!(levels[11] > levels[10] && levels[21] < levels[20], "{levels:?}");
}

/// The clip mirrored horizontally.
fn mirrored(mut frames: Vec<Frame>) -> Vec<Frame> {
    for frame in &mut frames {
        let width = frame.format().width;
        frame.byte_planes_mut()[0].chunks_mut(width).for_each(<[u8]>::reverse);
    }
    frames
}

/// A clip in which everything moves, in waves of 40 pixels.
fn waves(count: usize, sigma: f64) -> Vec<Frame> {
    let mut frames = mono(count, sigma);
    for (number, frame) in frames.iter_mut().enumerate() {
        for (i, sample) in frame.byte_planes_mut()[0].iter_mut().enumerate() {
            let (x, y) = ((i % SIZE.0) as f64, (i / SIZE.0) as f64);
            *sample = sample.saturating_add((30.0 + 30.0 * ((x + y) * 0.16 + number as f64).sin()) as u8);
        }
    }
    frames
}

#[test]
fn a_shot_uses_its_own_noise_from_its_first_frame_on() {
    for ((scan, deinterlace), before) in SCANS.into_iter().flat_map(|scan| [(scan, mono as fn(_, _) -> _), (scan, waves)]) {
        for [old, new] in [[3.0, 9.0], [9.0, 0.0]] {
            let (before, after) = (before(8, old), mirrored(mono(8, new)));
            let stream = |clip: &[Frame]| run(builder(clip, scan).deinterlace(deinterlace), clip);
            let (frames, rows) = stream(&[before, after.clone()].concat());
            let (alone, own) = stream(&after);
            let states = states(&rows);
            assert!((0..16).all(|n| states[n].cut == (n % 8 == 0)), "{states:?}");
            assert_eq!(noise(&rows)[8..], noise(&own), "{scan:?}");
            // The share of motion is not known yet.
            assert_eq!((states[8].motion, states[9].motion), (None, None));
            let clean = mirrored(mono(8, 0.0));
            if !deinterlace {
                assert!(error(&frames[8..9], &clean[..1], 0) <= 1.2 * error(&alone[..1], &clean[..1], 0), "{scan:?} {old} {new}");
            }
        }
    }
}

#[test]
fn flashes_and_black_frames_are_not_cuts() {
    let light = |n| match n {
        7 => 1.6,
        12..15 => 0.0,
        _ => 1.0,
    };
    let clip = clip(Sampling::Mono, 24, light, |n| if (12..15).contains(&n) { 0.0 } else { 6.0 });
    for (scan, deinterlace) in SCANS {
        let rows = run(builder(&clip, scan).deinterlace(deinterlace), &clip).1;
        assert!(states(&rows)[1..].iter().all(|state| !state.cut), "{scan:?}");
        assert!(noise(&rows).iter().all(|level| (level - 6.0).abs() <= 1.5), "{scan:?}: {:?}", noise(&rows));
    }
}

/// The largest change of a parameter from one step to the next.
fn largest_change(rows: &[Statistics]) -> u8 {
    let values = |state: &DenoiseState| {
        let parameters = &state.parameters;
        // The temporal filter switches on and off over at least five steps.
        [parameters.good_neighbor_th, parameters.temporal_diff_low / 2, parameters.stad_th / 8]
    };
    let pairs = states(rows);
    let changes = pairs.windows(2).flat_map(|pair| {
        let (a, b) = (values(&pair[0]), values(&pair[1]));
        [0, 1, 2].map(|i| a[i].abs_diff(b[i]))
    });
    changes.max().unwrap()
}

#[test]
fn within_a_shot_nothing_pumps() {
    for (scan, deinterlace) in SCANS {
        let shot = |clip: &[Frame]| {
            let rows = run(builder(clip, scan).deinterlace(deinterlace), clip).1;
            // The share of motion is known from the second step on.
            largest_change(&rows[3..])
        };
        assert!(shot(&mono(24, 8.0)) <= 1, "{scan:?}: steady noise");
        assert!(shot(&clip(Sampling::Mono, 40, |n| 1.0 - n as f64 / 40.0, |n| 8.0 - n as f64 / 5.0)) <= 4, "{scan:?}: a fade");
        assert!(shot(&clip(Sampling::Mono, 40, |_| 1.0, |n| if n % 2 == 0 { 5.0 } else { 9.0 })) <= 3, "{scan:?}: wobble");
    }
}

#[test]
fn still_and_black_pictures() {
    let still = vec![mono(1, 6.0).remove(0); 12];
    let rows = run(builder(&still, Scan::Progressive), &still).1;
    assert!(states(&rows)[3..].windows(2).all(|pair| pair[0].parameters == pair[1].parameters));
    let black = vec![Frame::new(Format::new(SIZE.0, SIZE.1, Sampling::Mono)); 6];
    let (frames, rows) = run(builder(&black, Scan::Progressive), &black);
    assert!(frames == black && noise(&rows) == [0.0; 6]);
}

#[test]
fn a_single_frame_uses_its_own_noise() {
    for (scan, deinterlace) in SCANS {
        let clip = mono(1, 8.0);
        let (frames, rows) = run(builder(&clip, scan).deinterlace(deinterlace), &clip);
        assert_eq!(frames.len(), if deinterlace { 2 } else { 1 });
        assert!((6.0..10.0).contains(&noise(&rows)[0]));
        assert!(error(&frames, &mono(1, 0.0), 0) < 20.0);
    }
    for (width, height) in [(1, 1), (3, 2), (17, 5)] {
        let clip = vec![Frame::new(Format::new(width, height, Sampling::C444)); 3];
        let builder = builder(&clip, Scan::Progressive).denoise_chroma(DenoiseMode::Auto);
        assert!(run(builder, &clip).0 == clip);
    }
}

#[test]
fn each_mode_has_another_result() {
    let clip = clip(Sampling::C420, 5, |_| 1.0, |_| 5.0);
    for scan in [Scan::Progressive, Scan::BottomFirst] {
        let all =
            [DenoiseMode::Off, DenoiseMode::On, DenoiseMode::Auto, DenoiseMode::Light, DenoiseMode::Medium, DenoiseMode::Strong];
        let luma: Vec<_> = all.iter().map(|&mode| run(builder(&clip, scan).denoise(mode), &clip).0).collect();
        let chroma: Vec<_> = all.iter().map(|&mode| run(builder(&clip, scan).denoise_chroma(mode), &clip).0).collect();
        for (i, j) in (0..all.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
            assert!(luma[i] != luma[j], "{scan:?}: {:?} and {:?}", all[i], all[j]);
            assert!(chroma[i] != chroma[j], "{scan:?}, chroma: {:?} and {:?}", all[i], all[j]);
        }
    }
    assert_eq!([DenoiseMode::from(true), DenoiseMode::from(false)], [DenoiseMode::On, DenoiseMode::Off]);
}

#[test]
fn given_parameters_are_kept() {
    let clip = mono(4, 8.0);
    let mut parameters = Parameters::default();
    (parameters.denoise.good_neighbor_th, parameters.denoise.temporal_diff_low) = (5, 3);
    for mode in [DenoiseMode::Auto, DenoiseMode::Light, DenoiseMode::Strong] {
        let rows = run(builder(&clip, Scan::Progressive).denoise(mode).parameters(parameters.clone()), &clip).1;
        for state in states(&rows) {
            assert_eq!((state.parameters.good_neighbor_th, state.parameters.temporal_diff_low), (5, 3));
            assert!(state.parameters.stad_th > 41);
        }
    }
    let rows = run(builder(&clip, Scan::Progressive).denoise(true).parameters(parameters.clone()), &clip).1;
    assert!(states(&rows).iter().all(|s| s.parameters == parameters.denoise && s.noise.is_none()));
}

#[test]
fn neither_statistics_nor_threads_nor_levels_change_a_bit() {
    let clip = clip(Sampling::C420, 10, |_| 1.0, |n| if n < 5 { 3.0 } else { 9.0 });
    for (scan, deinterlace) in SCANS {
        let builder = builder(&clip, scan).deinterlace(deinterlace).denoise_chroma(DenoiseMode::Auto);
        let (frames, rows) = run(builder.clone().simd_level(SimdLevel::Scalar), &clip);
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let same = pool.install(|| run(builder.clone().simd_level(level), &clip));
                assert!(same.0 == frames && same.1 == rows, "{scan:?} {level} {threads}");
            }
        }
        assert!(run(builder.clone().statistics(false), &clip).0 == frames, "{scan:?}");
        // After a reset the stream repeats the output.
        let mut stream = builder.build().unwrap();
        for _ in 0..2 {
            let mut again = vec![];
            for frame in &clip {
                stream.push(&frame.planes()).unwrap();
                again.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame));
            }
            assert!(again == frames[..again.len()], "{scan:?}");
            stream.reset();
        }
    }
}

/// With equal parameters the filter has equal outputs for equal chroma and luma planes.
#[test]
fn chroma_goes_through_the_same_filter() {
    for (sampling, scan) in [Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444]
        .into_iter()
        .flat_map(|sampling| [Scan::Progressive, Scan::TopFirst].map(|scan| (sampling, scan)))
    {
        let clip = clip(sampling, 5, |_| 1.0, |_| 6.0);
        let plain = builder(&clip, scan).deinterlace(false).denoise(false);
        for mode in [DenoiseMode::On, DenoiseMode::Auto, DenoiseMode::Medium] {
            let frames = run(plain.clone().denoise_chroma(mode), &clip).0;
            for plane in [1, 2] {
                let (width, height) = clip[0].format().plane_size(plane);
                let format = Format::new(width, height, Sampling::Mono);
                let alone: Vec<_> = clip.iter().map(|frame| Frame::from_vec(format, frame.plane(plane).to_vec())).collect();
                let same = run(Stream::builder(format, scan).deinterlace(false).denoise(mode), &alone).0;
                let equal = frames.iter().zip(&same).all(|(frame, alone)| frame.plane(plane) == alone.plane(0));
                // The noise estimate of one plane may exceed that of both planes together.
                assert!(equal || mode == DenoiseMode::Auto, "{sampling:?} {scan:?} {mode:?}, plane {plane}");
                assert!(frames.iter().zip(&clip).all(|(frame, input)| frame.plane(0) == input.plane(0)));
                let pair = |frames: &[Frame]| error(frames, &self::clip(sampling, 5, |_| 1.0, |_| 0.0), plane);
                assert!(pair(&frames) < 0.7 * pair(&clip), "{sampling:?} {scan:?} {mode:?}, plane {plane}");
            }
        }
    }
}

#[test]
fn chroma_has_parameters_of_its_own() {
    let clip = clip(Sampling::C422, 6, |_| 1.0, |n| 3.0 + n as f64);
    let with = |name: &str, value: i64| {
        let mut parameters = Parameters::default();
        parameters.set("chroma.history_delta", 15).unwrap();
        // Values with which flat changing areas restart the history, and block complexity has no
        // effect.
        parameters.set("chroma.scm_th", 255).unwrap();
        parameters.set("chroma.stad_th", 250).unwrap();
        parameters.set("chroma.moving_pixel_th", 12).unwrap();
        parameters.set(name, value).unwrap();
        run(builder(&clip, Scan::Progressive).denoise_chroma(true).parameters(parameters), &clip).0
    };
    let base = with("chroma.history_delta", 15);
    let others = [
        ("stad_th", 20),
        ("history_max", 130),
        ("history_delta", 2),
        ("asd_th", 0),
        ("temporal_diff_th", 22),
        ("temporal_diff_low", 12),
        ("moving_pixel_th", 0),
        ("scm_th", 0),
        ("good_neighbor_th", 30),
    ];
    for (name, value) in others {
        let changed = with(&format!("chroma.{name}"), value);
        assert!(changed != base, "chroma.{name}");
        assert!(changed.iter().zip(&base).all(|(a, b)| a.plane(0) == b.plane(0)), "chroma.{name} and the luma");
        assert!(with(name, value).iter().zip(&base).all(|(a, b)| a.plane(1) == b.plane(1)), "{name} and the chroma");
    }
    let mut parameters = Parameters::default();
    parameters.chroma_denoise.temporal_diff_low = 50;
    let error = builder(&clip, Scan::Progressive).parameters(parameters).build().unwrap_err().to_string();
    assert!(error.contains("chroma.temporal_diff_th - chroma.temporal_diff_low"), "{error}");
}
