//! Generated pictures: scenes as formulas of position and time, chosen at random from a seed. Times
//! are counted in fields, so that the two fields of a frame show two times.

use std::ops::RangeInclusive;

/// xorshift64*: the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(mix(seed) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub fn within(&mut self, range: RangeInclusive<i32>) -> i32 {
        range.start() + (self.bits() % (range.end() - range.start() + 1) as u64) as i32
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.bits().is_multiple_of(n)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.bits() % from.len() as u64) as usize]
    }
}

/// The sample (x, y) at a time in fields. [`plane`] clips values outside 0…255.
pub type Scene = Box<dyn Fn(i32, i32, i32) -> i32>;

/// A plane of a frame. The lines of parity `first` show the time `time`, the others one field
/// later; without `first` all lines show `time`.
pub fn plane(scene: &Scene, (width, height): (usize, usize), first: Option<i32>, time: i32) -> Vec<u8> {
    let mut samples = Vec::with_capacity(width * height);
    for y in 0..height as i32 {
        let time = time + first.map_or(0, |first| (y & 1) ^ first);
        samples.extend((0..width as i32).map(|x| scene(x, y, time).clamp(0, 255) as u8));
    }
    samples
}

/// A scene with its name.
pub fn random_scene(random: &mut Random) -> (String, Scene) {
    let (name, scene) = base(random);
    if random.once_in(6) {
        let (other_name, other) = base(random);
        let (seed, columns, lines) = (random.bits(), random.pick(&[3, 8, 16]), random.pick(&[2, 4, 12]));
        let scene: Scene =
            Box::new(move |x, y, t| if hash(seed, x / columns, y / lines, 0) & 1 == 0 { scene(x, y, t) } else { other(x, y, t) });
        return varied((format!("{name} beside {other_name}"), scene), random);
    }
    varied((name, scene), random)
}

/// The scene, possibly as film of a pulldown pattern and with noise.
fn varied((mut name, mut scene): (String, Scene), random: &mut Random) -> (String, Scene) {
    if random.once_in(4) {
        let (pattern, shown) = random.pick(&PULLDOWNS);
        name += &format!(", {pattern} film");
        scene = film(scene, shown);
    }
    if random.once_in(3) {
        let amplitude = random.pick(&[1, 2, 3, 5, 8]);
        name += &format!(", noise of {amplitude}");
        scene = noisy(scene, random.bits(), amplitude);
    }
    (name, scene)
}

fn base(random: &mut Random) -> (String, Scene) {
    let seed = random.bits();
    match random.within(0..=13) {
        0 => ("noise".into(), Box::new(move |x, y, t| hash(seed, x, y, t) & 255)),
        1 => {
            let (level, amplitude) = (random.within(0..=255), random.pick(&[1, 2, 3, 6, 12, 20]));
            (format!("{level} with noise of {amplitude}"), noisy(Box::new(move |_, _, _| level), seed, amplitude))
        }
        2 => {
            let mask = random.pick(&[1, 1, 7, 31]);
            ("extremes".into(), Box::new(move |x, y, t| if hash(seed, x, y, t) & mask == 0 { 255 } else { 0 }))
        }
        3 => {
            // Differences are near a threshold, so that equality is frequent.
            let (level, step) = (random.within(20..=235), random.pick(&[1, 3, 6, 12, 24]));
            let scene =
                move |x, y, t| level + [0, 0, step, -step, step - 1, 1 - step, step + 1, -1 - step][choice(seed, x, y, t, 8)];
            (format!("{level} ± about {step}"), Box::new(scene))
        }
        4 => {
            let (level, slope) = (random.within(0..=255), random.pick(&[-9, -4, -1, 0, 1, 2, 5, 20]));
            (format!("fade from {level} by {slope}"), Box::new(move |_, _, t| level + slope * t))
        }
        5 => {
            let slope = random.pick(&[-40, -16, -8, -3, 0, 2, 4, 16, 32]);
            (format!("ramps {slope}"), Box::new(move |x, y, t| ((x * slope + y * 8 + t * 16) / 8) & 255))
        }
        6 | 7 => {
            let (slope, speed, hardness) = (random.within(-24..=24), random.within(-12..=12), random.pick(&[1, 3, 12, 40]));
            (format!("edge {slope}/4, speed {speed}/4, hardness {hardness}"), edge(random, slope, speed, hardness))
        }
        8 | 9 => {
            let (by, grain) = (random.pick(&PANS), random.pick(&[2, 3, 4, 8, 16]));
            (format!("pan by {by:?}, grain {grain}"), pan(seed, by, grain, random.pick(&[30, 100, 255])))
        }
        10 => {
            let (across, down, over) = (random.within(-3..=3), random.within(-3..=3), random.within(-2..=2));
            let (period, stripe) = random.pick(&[(5, 2), (2, 1), (3, 1), (4, 2), (6, 3), (9, 4), (16, 8)]);
            let (low, high) = random.pick(&[(30, 90), (0, 255), (100, 116), (20, 200)]);
            let phase = move |x: i32, y: i32, t: i32| (across * x + down * y + over * t).rem_euclid(period);
            let name = format!("stripes {across} {down} {over}, {stripe} of {period}");
            (name, Box::new(move |x, y, t| if phase(x, y, t) < stripe { low } else { high }))
        }
        11 => {
            let (columns, lines, speed) = (random.within(1..=4), random.within(1..=4), random.within(0..=2));
            let (low, high) = random.pick(&[(0, 255), (90, 110), (120, 130)]);
            let is_light = move |x: i32, y: i32, t: i32| (x / columns + y / lines + t * speed) & 1 == 0;
            (format!("{columns}x{lines} checks"), Box::new(move |x, y, t| if is_light(x, y, t) { high } else { low }))
        }
        12 => {
            // Each field is smooth from line to line, but the fields differ: combing.
            let (columns, lines) = (random.pick(&[1, 2, 5, 16]), random.pick(&[2, 4, 8, 64]));
            let (depth, levels) = (random.pick(&[6, 12, 30, 90]), random.pick(&[2, 3, 16]));
            let scene =
                move |x, y, t| 60 + y / 3 + depth * choice(seed, x / columns, y / lines, t, levels) as i32 / levels as i32;
            (format!("combs of {depth}, {columns}x{lines}"), Box::new(scene))
        }
        _ => {
            // A moving object on a static background.
            let (background, object) = (pan(seed, (0, 0), 8, 60), pan(seed + 1, (0, 0), 2, 160));
            let (speed_x, speed_y, size) = (random.within(-6..=6), random.within(-2..=2), random.within(4..=14));
            let scene = move |x: i32, y: i32, t: i32| {
                let (dx, dy) = (x - 10 - speed_x * t / 2, y - 8 - speed_y * t / 2);
                let is_object = (0..size).contains(&dx) && (0..size).contains(&dy);
                if is_object { object(dx, dy, 0) } else { background(x, y, 0) }
            };
            (format!("object of {size}, speed {speed_x} {speed_y}"), Box::new(scene))
        }
    }
}

/// Displacements per frame: every search vector (§3.5) and some others.
const PANS: [(i32, i32); 22] = [
    (-1, -2),
    (0, -2),
    (1, -2),
    (-6, 0),
    (-5, 0),
    (-4, 0),
    (-3, 0),
    (-2, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (-1, 2),
    (0, 2),
    (1, 2),
    (0, 0),
    (1, 0),
    (7, 0),
    (0, 4),
    (3, 2),
    (0, 1),
];

/// Pulldown patterns: the time that each of ten fields shows.
const PULLDOWNS: [(&str, [i32; 10]); 5] = [
    ("2:2", [0, 0, 2, 2, 4, 4, 6, 6, 8, 8]),
    ("shifted 2:2", [0, 2, 2, 4, 4, 6, 6, 8, 8, 10]),
    ("3:2", [0, 0, 2, 2, 2, 4, 4, 6, 6, 6]),
    ("8:8", [0, 0, 0, 0, 0, 0, 0, 0, 5, 5]),
    ("back and forth", [3, 0, 3, 0, 3, 0, 3, 0, 3, 0]),
];

/// The scene as film: field t shows the time `shown[t]`.
fn film(scene: Scene, shown: [i32; 10]) -> Scene {
    Box::new(move |x, y, t| scene(x, y, shown[t.rem_euclid(10) as usize]))
}

/// The scene with independent noise of ±`amplitude` on each sample.
pub fn noisy(scene: Scene, seed: u64, amplitude: i32) -> Scene {
    Box::new(move |x, y, t| scene(x, y, t) - amplitude + choice(!seed, x, y, t, 2 * amplitude as usize + 1) as i32)
}

/// A texture that moves by `(mx, my)` samples per frame, half of it per field. `grain` is the size
/// of its features in half samples, `contrast` the range of its values around 128.
pub fn pan(seed: u64, (mx, my): (i32, i32), grain: i32, contrast: i32) -> Scene {
    let texture = texture(seed, grain, contrast);
    Box::new(move |x, y, t| texture(2 * x - mx * t, 2 * y - my * t))
}

/// A texture of features of `grain`, with a range of `contrast` around 128.
pub fn texture(seed: u64, grain: i32, contrast: i32) -> impl Fn(i32, i32) -> i32 {
    move |u, v| {
        let (column, line) = (u.div_euclid(grain), v.div_euclid(grain));
        let (right, down) = (u.rem_euclid(grain), v.rem_euclid(grain));
        let corner = |dx: i32, dy: i32| hash(seed, column + dx, line + dy, 0) & 255;
        let across = |dy: i32| corner(0, dy) * (grain - right) + corner(1, dy) * right;
        let value = (across(0) * (grain - down) + across(1) * down) / (grain * grain);
        128 + (value - 128) * contrast / 255
    }
}

/// An edge or a thin line with a slope of `slope`/4 samples per line that moves by `speed`/4
/// samples per field.
fn edge(random: &mut Random, slope: i32, speed: i32, hardness: i32) -> Scene {
    let (start, low, high) = (random.within(0..=48), random.within(0..=120), random.within(130..=255));
    let thin = random.once_in(3);
    let period = random.pick(&[1000, 24, 40]);
    Box::new(move |x, y, t| {
        let position = (4 * (x - start) - slope * (y - 8) - speed * t).rem_euclid(4 * period);
        let distance = position.min(4 * period - position) - if thin { 8 } else { period };
        let rise = distance * hardness * 4;
        if thin { (high - rise.abs()).max(low) } else { ((low + high) / 2 + rise).clamp(low, high) }
    })
}

/// A pseudo-random value that depends only on the seed, the position and the time.
fn hash(seed: u64, x: i32, y: i32, t: i32) -> i32 {
    let position = (x as u32 as u64) << 40 ^ (y as u32 as u64) << 20 ^ t as u32 as u64;
    (mix(seed ^ mix(position)) >> 33) as i32
}

/// A pseudo-random value below `of`.
fn choice(seed: u64, x: i32, y: i32, t: i32, of: usize) -> usize {
    hash(seed, x, y, t) as usize % of
}

/// The finalizer of splitmix64.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}
