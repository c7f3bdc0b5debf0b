//! Random cases of the deinterlacer `best` (§15): those of `balanced`, textures with motion of any
//! length in eighths of a sample, and weak textures.

use super::balanced_cases::{self, looking_ahead, show};
use super::cases::{self, Case, Kind};
use super::content::{Random, Scene, noisy, texture};
use super::model::{Deinterlacer, Sampling, Scan};

/// The random case of a seed.
pub fn random(seed: u64) -> Case {
    let random = &mut Random::new(seed ^ 0xbe57);
    if random.once_in(4) {
        return best(balanced_cases::random(seed));
    }
    let mut case = cases::random(seed, Kind::Deinterlaced);
    if random.once_in(3) {
        balanced_cases::show_still(random, &mut case);
        return best(looking_ahead(seed, case, false));
    }
    let frames = case.clip.frames.len();
    let is_weak = random.once_in(4);
    let (width, height, frames) = match random.within(0..=9) {
        // Lines of several tiles of 256 and 512 samples.
        0 | 1 if is_weak => (random.within(250..=640), random.within(4..=6), frames.min(3)),
        _ if is_weak => (random.within(20..=200), random.within(4..=12), frames.min(3)),
        // More rows of blocks than search without a restart.
        0 => (random.within(8..=24), random.within(40..=75), frames.min(3)),
        1 => (random.within(16..=24), random.within(129..=150), 2),
        2 => (random.within(120..=200), random.within(4..=10), frames.min(3)),
        _ => (random.within(17..=70), random.within(8..=24), frames),
    };
    (case.clip.width, case.clip.height) = (width as usize, 2 * height as usize);
    case.clip.frames.truncate(frames);
    let (name, scene) = if is_weak { weak(random) } else { moving(random, 2 * frames as i32) };
    case.name += &format!("; {width}x{} instead, {frames} frames of {name}", 2 * height);
    show(&mut case, &scene);
    best(looking_ahead(seed, case, false))
}

/// One texture before another one, each with its own motion, sometimes with noise and a cut.
pub fn moving(random: &mut Random, fields: i32) -> (String, Scene) {
    if random.once_in(6) {
        return uncorrelated(random, fields);
    }
    let mut name = String::new();
    let mut layer = |random: &mut Random| -> Scene {
        if random.once_in(5) {
            // Each vector of one cell matches equally well.
            let cell = random.pick(&[1, 2, 4, 8, 16]);
            name += &format!("checks of {cell} that change in each field, ");
            return Box::new(move |x, y, t| 220 * ((x / cell + y / cell + t) & 1));
        }
        let speed = random.pick(&[2, 8, 24, 80]);
        let (mx, my) = (random.within(-speed..=speed), random.within(-speed..=speed) / 2);
        let (ax, grain) = (random.within(-4..=4), random.pick(&[12, 20, 40, 80]));
        // In repeated patterns of few values many vectors have equal costs.
        let (period, step) =
            if random.once_in(3) { (random.pick(&[48, 64, 128]), random.pick(&[1, 64, 128])) } else { (1 << 20, 1) };
        name += &format!(
            "a texture of {grain}/8, by ({mx}, {my})/8 and {ax}/8 faster, repeated after {period}/8 in steps of {step}, "
        );
        let shown = texture(random.bits(), grain, random.pick(&[40, 120, 255]));
        Box::new(move |x, y, t| {
            let (u, v) = (8 * x - mx * t - ax * t * t, 8 * y - my * t);
            shown(u.rem_euclid(period), v.rem_euclid(period)) / step * step
        })
    };
    let (behind, before) = (layer(random), layer(random));
    let (left, width, speed) = (random.within(0..=40), random.within(0..=40), random.within(-8..=8));
    let (top, height) = (random.within(0..=30), random.within(4..=60));
    let mut scene: Scene = Box::new(move |x, y, t| {
        let is_before = (left..left + width).contains(&(x - speed * t)) && (top..top + height).contains(&y);
        if is_before { before(x, y, t) } else { behind(x, y, t) }
    });
    if random.once_in(3) {
        let other = layer(random);
        let start = random.within(1..=fields);
        scene = Box::new(move |x, y, t| if t < start { scene(x, y, t) } else { other(x, y, t) });
        name += &format!("the last one from field {start}, ");
    }
    if random.once_in(3) {
        let amplitude = random.pick(&[1, 3, 8]);
        scene = noisy(scene, random.bits(), amplitude);
        name += &format!("noise of {amplitude}, ");
    }
    (name, scene)
}

/// Another texture in each field before a gradient that turns with cuts: each candidate of a search
/// may be the best.
fn uncorrelated(random: &mut Random, fields: i32) -> (String, Scene) {
    let (seed, grain, contrast) = (random.bits(), random.pick(&[12, 24, 48]), random.pick(&[8, 30, 100]));
    let starts: Vec<i32> = (0..random.within(0..=3)).map(|_| random.within(1..=fields)).collect();
    let name = format!("another texture of {grain}/8 in each field, gradients that turn before {starts:?}");
    let scene = move |x: i32, y: i32, t: i32| {
        let turned = starts.iter().filter(|&&start| start <= t).count() % 2 == 1;
        let gradient = if turned { 4 * (x + y) } else { 160 - 4 * (x + y) };
        (texture(seed ^ t as u64, grain, contrast)(8 * x, 8 * y) + gradient) / 2
    };
    (name, Box::new(scene))
}

/// A texture of few levels in slow motion, with which groups are flat, references agree and
/// searches end early, or nearly so. Parts are still, have noise of different amplitudes, or become
/// brighter and darker by about a limit.
fn weak(random: &mut Random) -> (String, Scene) {
    let (mx, my) = (random.within(-12..=12), random.within(-3..=3));
    let (grain, contrast) = (random.pick(&[120, 240, 400]), random.pick(&[0, 10, 25, 60]));
    let (columns, lines) = (random.pick(&[24, 64, 100]), random.within(3..=8));
    let amplitudes = [(); 5].map(|()| random.pick(&[0, 0, 1, 1, 2]));
    let steps = [(); 7].map(|()| random.pick(&[0, 0, 0, 0, 2, 3, 4, 5, 6]));
    let name = format!(
        "a weak texture of {grain}/8 with a contrast of {contrast}, by ({mx}, {my})/8, in parts of {columns}x{lines} with noise of \
         {amplitudes:?} and steps of {steps:?}"
    );
    let shown = texture(random.bits(), grain, contrast);
    let noise = noisy(Box::new(|_, _, _| 0), random.bits(), 2);
    let scene = move |x: i32, y: i32, t: i32| {
        let part = 3 * (x / columns) + y / lines;
        let amplitude = amplitudes[part as usize % 5];
        let step = if (t + part) % 4 < 2 { steps[part as usize % 7] } else { 0 };
        let time = if part % 6 == 0 { 0 } else { t };
        shown(8 * x - mx * time, 8 * y - my * time) + noise(x, y, t) * amplitude / 2 + step
    };
    (name, Box::new(scene))
}

/// Those of `balanced`, and pictures of few samples or of many rows of blocks.
pub fn special() -> Vec<Case> {
    let mut made: Vec<Case> = balanced_cases::special().into_iter().map(best).collect();
    let samplings = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];
    let sizes = [(1, 2), (1, 4), (2, 6), (3, 8), (9, 18), (17, 34), (5, 280)];
    for (seed, (sampling, (width, height))) in
        (1..).zip(samplings.iter().flat_map(|&sampling| sizes.map(|size| (sampling, size))))
    {
        let random = &mut Random::new(seed);
        let scan = random.pick(&[Scan::TopFirst, Scan::BottomFirst]);
        let mut case = cases::moving((0, 0), scan);
        let height = if sampling == Sampling::C420 { height.max(4) } else { height };
        (case.clip.width, case.clip.height, case.clip.sampling) = (width, height, sampling);
        let (name, scene) = moving(random, 6);
        case.name = format!("{width}x{height} {sampling:?} {scan:?}, {name}");
        show(&mut case, &scene);
        made.push(best(case));
    }
    made.extend(equal_costs().into_iter().map(best));
    made
}

/// Clips in which the order of the candidates decides.
pub fn equal_costs() -> Vec<Case> {
    let mut made = vec![];
    let mut add = |name: String, (width, height): (usize, usize), frames: usize, scene: Scene| {
        let mut case = cases::moving((0, 0), Scan::TopFirst);
        (case.clip.width, case.clip.height) = (width, height);
        case.clip.frames = vec![Default::default(); frames];
        show(&mut case, &scene);
        case.name = format!("{width}x{height}, {name}");
        made.push(case);
    };
    // In the clip of seed 103 the order of related grids decides.
    for seed in (1..=24).chain([36, 103]) {
        let (name, scene) = uncorrelated(&mut Random::new(seed), 6);
        add(format!("seed {seed}: {name}"), [(16, 96), (64, 48)][seed as usize % 2], 3, scene);
    }
    // Noise distinguishes vectors of equal costs on the higher levels. Around the checks, blocks
    // have other vectors.
    for (cell, width, height) in [(2, 48, 40), (4, 112, 88)] {
        let (around, margin) = (uncorrelated(&mut Random::new(cell as u64), 4).1, 5 * cell);
        let checks: Scene = Box::new(move |x, y, t| {
            let is_inside = (margin..width - margin).contains(&x) && (margin..height - margin).contains(&y);
            if is_inside { 40 + 160 * ((x / cell + y / cell + t) & 1) } else { around(x, y, t) }
        });
        add(format!("checks of {cell} with noise"), (width as usize, height as usize), 2, noisy(checks, 1, 1));
    }
    made
}

fn best(mut case: Case) -> Case {
    case.options.deinterlacer = Deinterlacer::Best;
    case.name = format!("best, {}", case.name);
    case
}
