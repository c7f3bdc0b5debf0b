//! Random clips, each from one seed: sizes, tags, frame flags, and the contents that the detector
//! and the filters distinguish.

use crate::clip::Clip;
use dndi::{Format, Sampling};
use fastrand::Rng;
use std::ops::Range;

/// Names of 8-bit chroma samplings in the tag `C`; none for a header without the tag.
const CHROMA: [Option<&str>; 9] =
    [Some("420jpeg"), Some("420mpeg2"), Some("420paldv"), Some("420"), Some("422"), Some("444"), Some("411"), Some("mono"), None];

/// The samples of a plane over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Noise,
    /// The same noise in each frame.
    Still,
    Flat,
    /// Each frame is black or white.
    Flashes,
    /// White lines alternate with black ones, and from frame to frame.
    Lines,
    /// Waves that move from frame to frame.
    Progressive,
    /// Waves that move from field to field.
    Interlaced,
    /// Waves that move from film picture to film picture, in 3:2 pulldown.
    Telecine,
}

impl Content {
    pub const ALL: [Content; 8] = [
        Content::Noise,
        Content::Still,
        Content::Flat,
        Content::Flashes,
        Content::Lines,
        Content::Progressive,
        Content::Interlaced,
        Content::Telecine,
    ];

    /// The samples of a plane of this width and height in each frame.
    pub fn plane(self, random: &mut Rng, (width, height): (usize, usize), frames: usize) -> Vec<Vec<u8>> {
        let noise = |random: &mut Rng| Vec::from_iter(std::iter::repeat_with(|| random.u8(..)).take(width * height));
        match self {
            Content::Noise => (0..frames).map(|_| noise(random)).collect(),
            Content::Still => vec![noise(random); frames],
            Content::Flat => vec![vec![pick(random, &[0, 16, 128, 235, 255]); width * height]; frames],
            Content::Flashes => (0..frames).map(|_| vec![pick(random, &[0, 255]); width * height]).collect(),
            Content::Lines => {
                let row = |y: usize| vec![if y % 2 == 1 { 255 } else { 0 }; width];
                (0..frames).map(|n| (0..height).flat_map(|y| row(y + n)).collect()).collect()
            }
            Content::Progressive | Content::Interlaced | Content::Telecine => {
                let waves = Waves::new(random);
                let bottom_first = random.usize(..2);
                let mut frame = |n: usize| {
                    let mut samples = Vec::with_capacity(width * height);
                    for y in 0..height {
                        let time = self.time(n, y % 2, bottom_first);
                        samples.extend((0..width).map(|x| waves.at(random, x, y, time)));
                    }
                    samples
                };
                (0..frames).map(&mut frame).collect()
            }
        }
    }

    /// The time of the lines of a parity in frame `n`, in frames or film pictures.
    fn time(self, n: usize, parity: usize, bottom_first: usize) -> f64 {
        match self {
            Content::Interlaced => n as f64 + 0.5 * (parity ^ bottom_first) as f64,
            Content::Telecine => (n / 5 * 4 + [[0, 0], [1, 1], [1, 2], [2, 3], [3, 3]][n % 5][parity]) as f64,
            _ => n as f64,
        }
    }
}

/// A slanted sine wave that moves horizontally, with or without noise.
struct Waves {
    across: f64,
    down: f64,
    speed: f64,
    amplitude: f64,
    noise: f64,
}

impl Waves {
    fn new(random: &mut Rng) -> Waves {
        Waves {
            across: 0.05 + 0.55 * random.f64(),
            down: 0.05 + 0.45 * random.f64(),
            speed: pick(random, &[-7.0, -3.0, -1.0, 0.5, 1.0, 2.0, 5.0]),
            amplitude: pick(random, &[20.0, 60.0, 110.0]),
            noise: pick(random, &[0.0, 0.0, 3.0, 8.0]),
        }
    }

    fn at(&self, random: &mut Rng, x: usize, y: usize, time: f64) -> u8 {
        let phase = self.across * (x as f64 - self.speed * time) + self.down * y as f64;
        // The sum of three uniform values from -1 to 1 has a variance of 1.
        let noise = if self.noise == 0.0 { 0.0 } else { (0..3).map(|_| 2.0 * random.f64() - 1.0).sum() };
        (128.0 + self.amplitude * phase.sin() + self.noise * noise) as u8
    }
}

/// The seeds of a test's random cases: `count`, or those of `DNDI_SEED` and `DNDI_CASES`.
pub fn seeds(count: u64) -> Range<u64> {
    let setting = |name: &str, default: u64| match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")),
        Err(_) => default,
    };
    let first = setting("DNDI_SEED", 1);
    first..first + setting("DNDI_CASES", count)
}

pub fn pick<T: Clone>(random: &mut Rng, from: &[T]) -> T {
    from[random.usize(..from.len())].clone()
}

/// Frames of random samples. The content of luma is `contents`, one after the other; chroma has the
/// same or another one.
fn frames(random: &mut Rng, format: Format, frames: usize, contents: &[Content]) -> Vec<Vec<u8>> {
    let mut samples = vec![];
    for (index, &content) in contents.iter().enumerate() {
        let end = frames * (index + 1) / contents.len();
        let count = end - samples.len();
        let planes = Vec::from_iter((0..format.sampling.planes()).map(|plane| {
            let chroma = pick(random, &[content, Content::Flat, Content::Still, Content::Noise]);
            let content = if plane == 0 { content } else { chroma };
            content.plane(random, format.plane_size(plane), count)
        }));
        samples.extend((0..count).map(|n| Vec::from_iter(planes.iter().flat_map(|plane| plane[n].iter().copied()))));
    }
    samples
}

/// A random clip of at most 70×70 samples and 12 frames, mostly with an even height.
pub fn clip(random: &mut Rng) -> Clip {
    let (width, height) = match random.u8(..100) {
        0..15 => (random.usize(1..=8), random.usize(1..=8)),
        15..30 => (random.usize(1..=70), random.usize(1..=70)),
        _ => (random.usize(4..=70), 2 * random.usize(2..=35)),
    };
    let chroma = pick(random, &CHROMA);
    let depth = if random.u8(..100) < 30 && chroma != Some("411") { pick(random, &[9, 10, 12, 14, 16]) } else { 8 };
    let interlacing = pick(random, &["Ip", "It", "Ib", "Im", "I?", "", "It", "Ib"]);
    let rate = pick(
        random,
        &["F25:1", "F30000:1001", "F30:1", "F24:1", "F50:1", "F0:0", "", "F4294967295:1", "F2147483648:3", "F1000000:1000000"],
    );
    let aspect = pick(random, &["", "", "A0:0", "A1:1", "A59:54", "A4294967295:4294967295", "A16:15"]);
    let other = pick(random, &["", "", "", "XCOLORRANGE=FULL", "XCOLORRANGE=LIMITED", "Xfoo", "XCOLORMATRIX=BT709", "Z9"]);
    let mut tags = [format!("W{width}"), format!("H{height}"), tag(chroma, depth)]
        .into_iter()
        .chain([interlacing, rate, aspect, other].map(str::to_owned))
        .filter(|tag| !tag.is_empty())
        .collect::<Vec<_>>();
    random.shuffle(&mut tags);
    let format = Format::new(width, height, sampling(chroma)).with_depth(depth);
    let contents = Vec::from_iter((0..pick(random, &[1, 1, 1, 1, 2])).map(|_| pick(random, &Content::ALL)));
    let count = pick(random, &[0, 1, 2, 3, 4, 5, 6, 8, 10, 12]);
    let mut flags = || match (interlacing, random.u8(..100)) {
        ("Im", 5..) => {
            pick(random, &[" Itpp", " Ibpp", " Itii", " Ibii", " I1pp", " Itip", " I2pp", " I3pp", " T", " B", " I1", " Ip"])
        }
        (_, 0..3) => pick(random, &[" Itpp", " Xab", " ", " I"]),
        _ => "",
    };
    let flags = Vec::from_iter((0..count).map(|_| flags().to_owned()));
    let mut samples = frames(random, format, count, &contents);
    if depth > 8 {
        let kind = pick(random, &[Words::Shifted, Words::Random, Words::Random, Words::Greater]);
        samples.iter_mut().for_each(|frame| *frame = words(random, kind, depth - 8, frame));
    }
    Clip { tags: tags.join(" "), frames: flags.into_iter().zip(samples).collect() }
}

/// The tag of a name in [`CHROMA`] at this depth; empty for none at 8 bits.
fn tag(chroma: Option<&str>, depth: u8) -> String {
    match (chroma, depth) {
        (None, 8) => String::new(),
        (Some(name), 8) => format!("C{name}"),
        (Some("mono"), _) => format!("Cmono{depth}"),
        (name, _) => format!("C{}p{depth}", &name.unwrap_or("420")[..3]),
    }
}

/// The low bits of words.
#[derive(Clone, Copy, Debug)]
enum Words {
    /// Zeros.
    Shifted,
    Random,
    /// Random, and some words are above the greatest value of the depth.
    Greater,
}

/// Samples of 8 bits as words of `added` bits more.
fn words(random: &mut Rng, kind: Words, added: u8, samples: &[u8]) -> Vec<u8> {
    let word = |&v: &u8| match kind {
        Words::Shifted => (v as u16) << added,
        Words::Greater if random.u8(..) == 0 => random.u16(..),
        _ => (v as u16) << added | random.u16(..1 << added),
    };
    samples.iter().map(word).flat_map(u16::to_le_bytes).collect()
}

/// The sampling of a name in [`CHROMA`].
pub fn sampling(chroma: Option<&str>) -> Sampling {
    match chroma.map(|name| &name[..3]) {
        None | Some("420") => Sampling::C420,
        Some("422") => Sampling::C422,
        Some("444") => Sampling::C444,
        Some("411") => Sampling::C411,
        _ => Sampling::Mono,
    }
}
