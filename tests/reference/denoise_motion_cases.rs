//! Cases of denoising along motion (§16), of any scan, alone and before a deinterlacer.

use super::balanced_cases::{looking_ahead, show};
use super::best_cases;
use super::cases::{self, Case, Kind};
use super::content::{Random, Scene, noisy, pan, random_scene};
use super::library::{Details, builder, compare_runs, run_of};
use super::model::denoise_motion::{self, Sigmas, sigma_of_level};
use super::model::{self, Clip, Deinterlacer, Options, Output, Sampling, Scan};
use dndi::{DenoiseMode, SimdLevel, StreamBuilder};

/// A case with the modes of luma and chroma.
pub struct MotionCase {
    pub case: Case,
    pub modes: [DenoiseMode; 2],
}

/// Panics if the library differs from the model. Returns the outputs of the model.
pub fn compare(MotionCase { case: Case { name, clip, options }, modes }: &MotionCase) -> Vec<Output> {
    let stream = |level: SimdLevel| along_motion(clip, options, modes, level);
    let Details { levels, ready, .. } = run_of(stream(SimdLevel::Scalar), clip, options);
    assert_eq!(ready, expected_outputs(clip, options, modes), "outputs up to each frame, {name}");
    let sigmas = sigmas(clip, options, modes, &levels).unwrap_or_else(|error| panic!("{error}\n{name}"));
    let filtered = denoise_motion::run(clip, options.scan, &sigmas);
    let want = model::run(&filtered, options);
    let name = format!("{name}; σ {sigmas:?}");
    compare_runs(&name, clip, options, &want, |level| run_of(stream(level), clip, options).run);
    want.0
}

fn along_motion(clip: &Clip, options: &Options, &[luma, chroma]: &[DenoiseMode; 2], level: SimdLevel) -> StreamBuilder {
    builder(clip, options, level).denoise(luma).denoise_chroma(chroma).denoise_motion(true)
}

/// §16.8: the number of outputs up to each frame of the input.
fn expected_outputs(clip: &Clip, options: &Options, &[luma, chroma]: &[DenoiseMode; 2]) -> Vec<usize> {
    let is_on = luma != DenoiseMode::Off || chroma != DenoiseMode::Off && clip.sampling != Sampling::Mono;
    let deinterlaced = options.deinterlace && options.scan != Scan::Progressive;
    let after = |frames: usize| match (deinterlaced, options.deinterlacer) {
        (false, _) => frames,
        // The second field of the last frame comes later (§1.4).
        (true, Deinterlacer::Gen6) => (2 * frames).saturating_sub(1),
        // Both fields of the last frame (§14.6).
        (true, _) => (2 * frames).saturating_sub(2),
    };
    (1..=clip.frames.len()).map(|frames| after(frames - usize::from(is_on))).collect()
}

/// σ of each frame (§16.2). `used` are those that the library used; they must fit the levels that
/// automatic denoising without motion measures.
fn sigmas(clip: &Clip, options: &Options, modes: &[DenoiseMode; 2], used: &[[Option<u16>; 2]]) -> Result<Vec<Sigmas>, String> {
    if *modes == [DenoiseMode::Off; 2] {
        return Ok(vec![[0; 2]; clip.frames.len()]);
    }
    let levels = levels(clip, options);
    let sigma = |frame: usize, plane: usize| {
        let used = used.get(frame).and_then(|used| used[plane]).map(i32::from);
        let (least, most) = match modes[plane] {
            DenoiseMode::Light => (192, 192),
            DenoiseMode::Medium => (384, 384),
            DenoiseMode::Strong => {
                let (least, most) = sigma_of_level(levels[frame][plane].into(), clip.depth);
                (least.max(768), most.max(768))
            }
            DenoiseMode::On | DenoiseMode::Auto => sigma_of_level(levels[frame][plane].into(), clip.depth),
            _ => return Ok(0),
        };
        match used {
            _ if plane > 0 && clip.sampling == Sampling::Mono => Ok(0),
            // A σ below 16 counts as 0, so that the range has a gap.
            Some(used) if (least..=most).contains(&used) && (used == 0 || used >= 16) => Ok(used),
            used => Err(format!(
                "frame {frame}, plane {plane}: level {used:?} instead of {least} to {most}, for {}",
                levels[frame][plane]
            )),
        }
    };
    (0..clip.frames.len()).map(|frame| Ok([sigma(frame, 0)?, sigma(frame, 1)?])).collect()
}

/// The levels of automatic denoising of luma and chroma, by the filter of §2.
fn levels(clip: &Clip, options: &Options) -> Vec<[u16; 2]> {
    let automatic = |clip: &Clip| {
        let stream = builder(clip, options, SimdLevel::Scalar).denoise(DenoiseMode::Auto).denoise_chroma(DenoiseMode::Auto);
        run_of(stream, clip, options).levels
    };
    let mut levels = automatic(clip);
    if clip.sampling == Sampling::C411 {
        // That filter reads 4:1:1 as 4:2:2. The same planes as those of a 4:2:2 clip:
        let width = 2 * clip.width.div_ceil(4);
        let mut wider = Clip { width, sampling: Sampling::C422, ..clip.clone() };
        wider.frames.iter_mut().for_each(|[luma, ..]| *luma = vec![0; width * clip.height]);
        levels.iter_mut().zip(automatic(&wider)).for_each(|(level, wider)| level[1] = wider[1]);
    }
    levels.into_iter().map(|level| level.map(Option::unwrap_or_default)).collect()
}

/// The random case of a seed.
pub fn random(seed: u64, kind: Kind) -> MotionCase {
    let random = &mut Random::new(seed ^ 0xd20);
    let mut case = cases::random(seed, kind);
    if !random.once_in(3) {
        (case.clip.width, case.clip.height) = size(random, kind, &case);
        let frames = if case.clip.width * case.clip.height > 3000 { 3 } else { random.within(2..=6) };
        case.clip.frames = vec![Default::default(); frames as usize];
        let (name, scene) = scene(random, 2 * frames);
        case.name += &format!("; {}x{} instead, {frames} frames of {name}", case.clip.width, case.clip.height);
        show(&mut case, &scene);
        case.options.cadence.clear();
    }
    if random.once_in(2) {
        add_noise(random, &mut case);
    }
    let mut case = looking_ahead(seed, case, random.once_in(2));
    (case.options.denoise, case.options.chroma_denoise) = (false, None);
    case.options.deinterlacer = random.pick(&[Deinterlacer::Gen6, Deinterlacer::Balanced, Deinterlacer::Best]);
    if case.options.deinterlacer == Deinterlacer::Gen6 {
        case.options.masks.clear();
    }
    named(case, modes(random))
}

fn named(mut case: Case, modes: [DenoiseMode; 2]) -> MotionCase {
    case.name = format!("along motion, {modes:?}, {:?}; {}", case.options.deinterlacer, case.name);
    MotionCase { case, modes }
}

/// Both planes, luma alone or chroma alone.
fn modes(random: &mut Random) -> [DenoiseMode; 2] {
    use DenoiseMode::{Auto, Light, Medium, Off, On, Strong};
    let mut mode = || random.pick(&[Auto, Auto, On, Light, Medium, Medium, Strong]);
    let both = [mode(), mode()];
    match random.within(0..=7) {
        0 => [Off, both[1]],
        1 => [both[0], Off],
        2 if random.once_in(4) => [Off, Off],
        _ => both,
    }
}

fn size(random: &mut Random, kind: Kind, case: &Case) -> (usize, usize) {
    let (width, height) = match random.within(0..=11) {
        0 => (random.within(1..=9), random.within(1..=9)),
        // More rows of blocks than search without a restart, also as fields.
        1 => (random.within(8..=24), random.within(65..=90)),
        2 => (random.within(5..=20), random.within(129..=170)),
        3 => (random.within(120..=200), random.within(4..=18)),
        _ => (random.within(17..=70), random.within(12..=40)),
    };
    let height = if kind == Kind::Deinterlaced { height.min(70) } else { height };
    let height = if case.options.scan == Scan::Progressive { height } else { (height & !1).max(4) };
    (width as usize, height as usize)
}

/// A scene that moves, often with noise, text, a fade or a cut.
fn scene(random: &mut Random, fields: i32) -> (String, Scene) {
    let (mut name, mut scene) = match random.within(0..=5) {
        0 => random_scene(random),
        1 | 2 => {
            let (by, grain) = (random.pick(&[(0, 0), (1, 0), (3, 1), (-5, 2), (12, -3)]), random.pick(&[4, 8, 16, 40]));
            (format!("pan by {by:?}, grain {grain}"), pan(random.bits(), by, grain, random.pick(&[20, 80, 255])))
        }
        _ => best_cases::moving(random, fields),
    };
    if random.once_in(4) {
        let (columns, lines, shown) = (random.within(2..=5), random.within(2..=5), pan(random.bits(), (0, 0), 6, 255));
        let before = scene;
        name += ", static text before it";
        scene = Box::new(move |x, y, t| {
            let is_text = (y / lines) % 4 == 1 && shown(x / columns * 3, y / lines * 3, 0) > 128;
            if is_text { 235 } else { before(x, y, t) }
        });
    }
    if random.once_in(4) {
        let (faded, slope, start) = (scene, random.pick(&[-60, -25, -6, 9, 40]), random.within(0..=fields));
        name += &format!(", fading by {slope}/256 from field {start}");
        scene = Box::new(move |x, y, t| faded(x, y, t) * (256 + slope * (t - start).max(0)).clamp(0, 512) / 256);
    }
    if random.once_in(5) {
        let (before, after) = (scene, pan(random.bits(), (2, 0), 16, 255));
        let start = random.within(1..=fields);
        name += &format!(", another one from field {start}");
        scene = Box::new(move |x, y, t| if t < start { before(x, y, t) } else { 255 - after(x, y, t) });
    }
    if !random.once_in(3) {
        let amplitude = random.pick(&[1, 3, 6, 12, 25, 50]);
        name += &format!(", noise of {amplitude}");
        scene = noisy(scene, random.bits(), amplitude);
    }
    (name, scene)
}

/// Adds noise to all samples of 8 bits.
fn add_noise(random: &mut Random, case: &mut Case) {
    let amplitude = random.pick(&[2, 5, 10, 20]);
    for sample in case.clip.frames.iter_mut().flatten().flatten() {
        *sample = (i32::from(*sample) + random.within(-amplitude..=amplitude)).clamp(0, 255) as u16;
    }
    case.name += &format!("; noise of {amplitude} in all samples");
}

/// All modes, samplings, scans and depths, with small sizes and clips of one frame.
pub fn special() -> Vec<MotionCase> {
    use DenoiseMode::{Auto, Light, Medium, Off, On, Strong};
    let samplings = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];
    let sizes = [(1, 1), (1, 2), (2, 6), (3, 8), (5, 3), (7, 7), (9, 18), (17, 34), (4, 280)];
    let mut made = vec![];
    for (n, sampling) in samplings.into_iter().enumerate() {
        for (m, scan) in [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst].into_iter().enumerate() {
            for (i, (width, height)) in sizes.into_iter().enumerate() {
                let random = &mut Random::new((100 * n + 10 * m + i) as u64);
                let modes = [[Auto, Strong], [On, Auto], [Light, Medium], [Medium, Off], [Off, Strong], [Strong, Light]];
                let mode = modes[(n + m + i) % modes.len()];
                made.push(of_size(random, (width, height), sampling, scan, [1, 3, 4][(n + i) % 3], mode));
            }
        }
    }
    made.extend(cuts().into_iter().chain(noise_that_begins()).chain(equal_costs()));
    made
}

fn of_size(
    random: &mut Random,
    (width, height): (usize, usize),
    sampling: Sampling,
    scan: Scan,
    frames: usize,
    modes: [DenoiseMode; 2],
) -> MotionCase {
    let mut case = cases::moving((0, 0), scan);
    let least = if sampling == Sampling::C420 { 4 } else { 2 };
    let height = if scan == Scan::Progressive { height } else { (height & !1).max(least) };
    (case.clip.width, case.clip.height, case.clip.sampling) = (width, height, sampling);
    case.clip.frames = vec![Default::default(); frames];
    case.options.deinterlace = false;
    let (name, scene) = scene(random, 2 * frames as i32);
    case.name = format!("{width}x{height} {sampling:?} {scan:?}, {frames} frames of {name}");
    show(&mut case, &scene);
    let mut case = looking_ahead(random.bits(), case, false);
    case.options.chroma_denoise = None;
    named(case, modes)
}

/// Clips with a cut between the fields of one frame, so that the cuts of both sequences differ, and
/// with a cut before the last frame.
fn cuts() -> Vec<MotionCase> {
    let mut made = vec![];
    for (n, scan) in [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst].into_iter().enumerate() {
        for start in [2, 3, 4, 5, 7, 9] {
            let mut case = cases::moving((0, 0), scan);
            (case.clip.width, case.clip.height, case.clip.sampling) = (52, 40, Sampling::C420);
            case.clip.frames = vec![Default::default(); 5];
            case.options.deinterlace = false;
            let scene: Scene = Box::new(move |x, y, t| {
                let level = 3 * x + 2 * y + t + (x * 7 + y * 5) % 9;
                if t < start { level } else { 250 - level }
            });
            show(&mut case, &noisy(scene, n as u64, 9));
            case.name = format!("{scan:?}, a cut before field {start}");
            made.push(named(case, [DenoiseMode::Medium, DenoiseMode::Strong]));
        }
    }
    made
}

/// Clips in which the levels of automatic denoising change, in both directions.
fn noise_that_begins() -> Vec<MotionCase> {
    let mut made = vec![];
    for (n, (first, second)) in [(0, 8), (14, 1), (2, 14), (3, 4)].into_iter().enumerate() {
        for (depth, scan) in [(8, Scan::Progressive), (10, Scan::Progressive), (8, Scan::TopFirst), (12, Scan::BottomFirst)] {
            let mut case = cases::moving((0, 0), scan);
            (case.clip.width, case.clip.height, case.clip.sampling) = (64, 48, Sampling::C422);
            case.clip.frames = vec![Default::default(); 6];
            case.options.deinterlace = false;
            // Cuts, so that the level follows.
            let scene: Scene = Box::new(|x, y, t| if t < 6 { 60 + x + y } else { 190 - x - y });
            let (quiet, loud) = (noisy(scene, n as u64, first.max(1)), n as u64);
            let scene: Scene = Box::new(move |x, y, t| {
                let clean = if t < 6 { 60 + x + y } else { 190 - x - y };
                let noise: Scene = noisy(Box::new(move |_, _, _| clean), loud, second);
                match t {
                    ..6 if first == 0 => clean,
                    ..6 => quiet(x, y, t),
                    _ => noise(x, y, t),
                }
            });
            show(&mut case, &scene);
            if depth > 8 {
                case.clip = super::deep_cases::deepened(&case.clip, depth);
            }
            case.name = format!("{scan:?}, {depth} bits, noise of {first}, then of {second}");
            made.push(named(case, [DenoiseMode::Auto; 2]));
        }
    }
    made
}

/// Clips in which the order of the candidates of a search decides.
fn equal_costs() -> Vec<MotionCase> {
    let progressive = best_cases::equal_costs().into_iter().map(|mut case| {
        case.options.deinterlace = false;
        named(case, [DenoiseMode::Light, DenoiseMode::Off])
    });
    progressive.collect()
}
