//! Random cases of the deinterlacer `balanced` (§14): clips of 8 to 16 bits, of several shots, with
//! repeated and black frames and comb masks.

use super::cases::{self, Case, Kind};
use super::content::{Random, Scene, noisy, pan, plane, random_scene, texture};
use super::deep_cases;
use super::model::{Clip, Deinterlacer, Mask, Sampling, Scan};

/// The random case of a seed.
pub fn random(seed: u64) -> Case {
    let mut case = cases::random(seed, Kind::Deinterlaced);
    let random = &mut Random::new(seed ^ 0x5711);
    let is_still = random.once_in(2);
    if is_still {
        show_still(random, &mut case);
    }
    case = looking_ahead(seed, case, !is_still);
    balanced(&mut case);
    case
}

/// Shows still detail instead, sometimes in a picture of several cells of steady.
pub fn show_still(random: &mut Random, case: &mut Case) {
    let frames = random.within(3..=5) as usize;
    let (width, height, frames) = match random.within(0..=5) {
        0 => (random.within(65..=104), random.within(20..=40), 3),
        1 | 2 => (random.within(34..=70), random.within(10..=24), frames.min(4)),
        _ => (random.within(12..=40), random.within(6..=18), frames),
    };
    (case.clip.width, case.clip.height) = (width as usize, 2 * height as usize);
    case.clip.frames.resize(frames, Default::default());
    let (name, scene) = still_detail(random, 2 * frames as i32);
    case.name += &format!("; {width}x{} instead, {frames} frames of {name}", 2 * height);
    show(case, &scene);
    if !case.options.cadence.is_empty() {
        case.options.cadence = (0..=frames).map(|_| (random.pick(&[0, 1, 2]), random.pick(&[0, 1, 2]))).collect();
    }
}

/// Still detail with noise, often of other amplitudes in cells of 32×32 samples, thin still lines
/// over motion, and small objects; all are often near a limit. Some clips have cuts between
/// gradients of three directions.
fn still_detail(random: &mut Random, fields: i32) -> (String, Scene) {
    let amplitudes = match random.within(0..=3) {
        0 => [random.within(1..=5); 7],
        1 => [(); 7].map(|()| random.within(0..=5)),
        2 => [random.pick(&[10, 12, 14, 17, 19, 22]); 7],
        _ => [(); 7].map(|()| random.within(0..=24)),
    };
    let (grain, contrast) = (random.pick(&[2, 2, 3, 8, 40]), random.pick(&[0, 20, 60, 120, 200]));
    let cut = random.once_in(2);
    let starts: Vec<i32> = if cut { (1..=random.within(1..=3)).map(|_| random.within(1..=fields)).collect() } else { vec![] };
    let contrast = if cut { contrast / 4 } else { contrast };
    let has_lines = random.once_in(2);
    let (period, phase, length, speed) =
        (random.pick(&[3, 6, 7, 8]), random.within(0..=7), random.within(4..=19), random.within(-9..=9));
    let steps = [(); 5].map(|()| random.pick(&[-60, -9, -8, -7, 0, 7, 8, 9, 60]));
    let jitters = [(); 5].map(|()| random.pick(&[0, 0, 1, 2, 3]));
    let has_object = random.once_in(2);
    let (size, lines, fast, before) =
        (random.within(2..=9), random.within(1..=9), random.within(8..=40), random.pick(&[-90, -8, 5, 7, 8, 9, 90]));
    let name = format!(
        "still detail of {grain}/2 with a contrast of {contrast}, noise of {amplitudes:?}, cuts before {starts:?}, lines {has_lines}: \
         1 of {period}, {length} long, by {speed}, steps of {steps:?} and noise of {jitters:?}, object {has_object}: \
         {size}x{lines}, by {fast}, a step of {before}"
    );
    let detail = texture(random.bits(), grain, contrast);
    let moving = texture(random.bits(), 7, 40);
    let noise = noisy(Box::new(|_, _, _| 0), random.bits(), 24);
    let scene = move |x: i32, y: i32, t: i32| {
        let cell = (x / 32 + 3 * (y / 32)) as usize % amplitudes.len();
        let mut value = detail(2 * x, 2 * y) + noise(x, y, t) * amplitudes[cell] / 24;
        if has_lines && x / 24 % 3 > 0 {
            let segment = (x / length + y / period).rem_euclid(5) as usize;
            let on_line = y % period == phase % period;
            // The least and the greatest value of the moving texture are 108 and 148.
            let level = if steps[segment] < 0 { 108 + steps[segment] } else { 148 + steps[segment] };
            value = if on_line { level + noise(x, y, t) * jitters[segment] / 24 } else { moving(2 * x - speed * t, 2 * y) };
        }
        if has_object && (x - fast * t).rem_euclid(70) < size && y % 16 < lines {
            value += before;
        }
        if cut {
            let shot = starts.iter().filter(|&&start| start <= t).count() % 3;
            value += [3 * x - 60, 60 - 3 * x, 4 * y - 80][shot].clamp(-110, 110);
        }
        value
    };
    (name, Box::new(scene))
}

/// A case of 8 bits with repeated and black frames, more bits and comb masks by a seed, and of
/// several shots with `cuts`.
pub fn looking_ahead(seed: u64, mut case: Case, cuts: bool) -> Case {
    let random = &mut Random::new(seed ^ 0xba1a);
    if cuts && random.once_in(2) {
        let (starts, scene) = random_shots(random, case.clip.frames.len());
        case.name += &format!("; luma of shots from {starts:?}");
        show(&mut case, &scene);
    }
    if random.once_in(4) {
        let from = random.within(0..=case.clip.frames.len() as i32 - 1) as usize;
        let end = case.clip.frames.len().min(from + 3);
        let frame = case.clip.frames[from].clone();
        case.clip.frames[from..end].fill(frame);
        case.name += &format!("; frame {from} repeated up to {end}");
    }
    if random.once_in(6) {
        let black = random.within(0..=case.clip.frames.len() as i32 - 1) as usize;
        let level = random.pick(&[0, 16]);
        case.clip.frames[black].each_mut().into_iter().flatten().for_each(|sample| *sample = level);
        case.name += &format!("; frame {black} of {level}");
    }
    if random.once_in(2) {
        case = deep_cases::deep(seed, case);
    }
    if !case.options.cadence.is_empty() {
        let (width, height) = (case.clip.width, case.clip.height);
        // The last output has no mask.
        case.options.masks = (1..2 * case.clip.frames.len()).map(|_| mask(random, width, height)).collect();
        case.name += &format!("; masks {:?}", case.options.masks);
    }
    case
}

/// A clip of shots of two fields and more that differ much, and the fields that follow a cut.
pub fn shots(seed: u64) -> (Case, Vec<usize>) {
    let random = &mut Random::new(seed);
    let scan = random.pick(&[Scan::TopFirst, Scan::BottomFirst]);
    let mut case = cases::moving((0, 0), scan);
    let fields = 2 * case.clip.frames.len() as i32;
    // Opposite gradients in turn: no other thumbnails correlate less.
    let (across, speed) = (random.once_in(2), random.within(0..=2));
    let mut starts: Vec<i32> = vec![];
    for field in 2..fields {
        if random.once_in(2) && starts.last() != Some(&(field - 1)) {
            starts.push(field);
        }
    }
    let shot = starts.clone();
    let scene: Scene = Box::new(move |x, y, t| {
        let turned = shot.iter().filter(|&&start| start <= t).count() % 2 == 1;
        let level = if across { 5 * x } else { 11 * y } + speed * t + (x * 7 + y * 5) % 9;
        if turned { 240 - level } else { level }
    });
    (case.clip.width, case.clip.height) = (44, 20 + 2 * random.within(0..=4) as usize);
    show(&mut case, &scene);
    if random.once_in(3) {
        case = deep_cases::deep(seed, case);
        case.options.chroma_denoise = None;
    }
    balanced(&mut case);
    case.name = format!("seed {seed}: cuts before {starts:?}, {}", case.name);
    (case, starts.into_iter().map(|start| start as usize).collect())
}

/// Static, black and extreme clips of all samplings and depths, and clips of one frame.
pub fn special() -> Vec<Case> {
    let texture = |seed: u64| pan(seed, (0, 0), 3, 255);
    let moving = |seed: u64| pan(seed, (3, 2), 3, 255);
    let mut made = vec![];
    let samplings = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];
    for (n, sampling) in samplings.into_iter().enumerate() {
        for (m, depth) in [8, 9, 10, 12, 14, 16].into_iter().enumerate() {
            let seed = (10 * n + m) as u64;
            let scan = [Scan::TopFirst, Scan::BottomFirst][(n + m) % 2];
            let contents: [(&str, usize, Scene); 6] = [
                ("static", 3, texture(seed)),
                ("black", 2, Box::new(|_, _, _| 0)),
                ("white", 2, Box::new(|_, _, _| 255)),
                ("lines of extremes", 3, Box::new(|x, y, t| if (x / 3 + y / 2 + t) % 2 == 0 { 0 } else { 255 })),
                ("one frame", 1, moving(seed)),
                ("a pan", 3, moving(seed)),
            ];
            for (name, frames, scene) in contents {
                let mut case = cases::moving((0, 0), scan);
                case.clip = Clip { width: 21, height: 14, sampling, depth: 8, frames: vec![Default::default(); frames] };
                case.name = format!("{name}, {sampling:?}, {depth} bits, {scan:?}");
                show(&mut case, &scene);
                // All bits of the largest sample are set.
                let raise = |sample: &mut u16| *sample = ((u32::from(*sample) * 0x101) >> (16 - depth)) as u16;
                case.clip.frames.iter_mut().flatten().flatten().for_each(raise);
                case.clip.depth = depth;
                balanced(&mut case);
                made.push(case);
            }
        }
    }
    made.extend(wide());
    made
}

/// Wide pictures with static parts of many widths, which the library does not compute.
fn wide() -> impl Iterator<Item = Case> {
    let cases = [(1100, 8), (1537, 10), (700, 12), (513, 8)].into_iter().zip(0..);
    cases.map(|((width, depth), seed)| {
        let random = &mut Random::new(seed);
        let mut ends: Vec<i32> = (0..24).map(|_| random.within(0..=width as i32)).collect();
        ends.sort_unstable();
        let moving = pan(seed, (5, 0), 4, 255);
        let scene: Scene =
            Box::new(move |x, y, t| moving(x, y, if ends.partition_point(|&end| end < x) % 2 == 0 { 0 } else { t }));
        let mut case = cases::moving((0, 0), Scan::TopFirst);
        case.clip = Clip { width, height: 6, sampling: Sampling::C420, depth: 8, frames: vec![Default::default(); 3] };
        case.name = format!("static parts of {width} columns");
        show(&mut case, &scene);
        case.clip = deep_cases::deepened(&case.clip, depth);
        balanced(&mut case);
        case
    })
}

fn balanced(case: &mut Case) {
    case.options.deinterlacer = Deinterlacer::Balanced;
    case.name = format!("balanced, {}", case.name);
}

/// Shows a scene in all planes.
pub fn show(Case { clip, options, .. }: &mut Case, scene: &Scene) {
    let first = match options.scan {
        Scan::Progressive => None,
        Scan::TopFirst => Some(0),
        Scan::BottomFirst => Some(1),
    };
    let (width, height) = (clip.width, clip.height);
    let chroma = clip.sampling.chroma_size(width, height);
    for (n, frame) in clip.frames.iter_mut().enumerate() {
        let words = |size| plane(scene, size, first, 2 * n as i32).into_iter().map(u16::from).collect();
        *frame = [(width, height), chroma, chroma].map(words);
    }
}

/// Shots of random scenes; each begins at some field.
fn random_shots(random: &mut Random, frames: usize) -> (Vec<i32>, Scene) {
    let mut starts: Vec<i32> = (0..random.within(1..=4)).map(|_| random.within(1..=2 * frames as i32)).collect();
    starts.sort_unstable();
    let scene = |random: &mut Random| match random.within(0..=2) {
        0 => random_scene(random).1,
        _ => pan(random.bits(), random.pick(&[(0, 0), (2, 0), (-3, 1)]), random.pick(&[8, 16, 32]), 255),
    };
    let scenes: Vec<Scene> = (0..=starts.len()).map(|_| scene(random)).collect();
    let begins = starts.clone();
    (starts, Box::new(move |x, y, t| scenes[begins.iter().filter(|&&start| start <= t).count()](x, y, t)))
}

/// The comb mask of an output, sometimes none.
fn mask(random: &mut Random, width: usize, height: usize) -> Option<Mask> {
    let (tile_width, tile_height) = random.pick(&[(64, 8), (16, 4), (8, 4), (4, 8), (6, 12)]);
    let columns = width.div_ceil(tile_width);
    let rows = (height / tile_height).max(1);
    let tiles = (0..rows * columns).map(|_| random.once_in(3)).collect();
    (!random.once_in(3)).then_some(Mask { columns, tile_width, tile_height, tiles })
}
