//! Writes and parses y4m streams independently of the library's reader and writer.

use dndi::{Format, Sampling};

/// Deterministic pseudorandom numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// A number from 0 to `end - 1`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % end
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

/// A y4m stream: the tags of the header and, for each frame, the text after `FRAME` and the
/// samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clip {
    pub tags: String,
    pub frames: Vec<(String, Vec<u8>)>,
}

impl Clip {
    /// A y4m stream of a synthetic clip of known fields, with these header tags.
    pub fn of_fields(clip: &crate::fields::Clip, tags: String) -> Clip {
        Clip { tags, frames: clip.frames().iter().map(|frame| (String::new(), frame.data().to_vec())).collect() }
    }

    /// A texture with noise. Its lower half moves from field to field. More than 8 bits add random
    /// low bits, in words.
    pub fn new(tags: &str, frames: usize) -> Clip {
        let format = format(tags);
        let (mut random, mut low_bits) = (Random::new(format.samples() as u64), Random::new(1));
        let (width, height) = format.plane_size(0);
        let texture: Vec<_> = (0..width + 2 * frames + 1).map(|_| 40 + random.below(160)).collect();
        let mut frame = |number: usize| {
            let mut samples = Vec::with_capacity(format.samples() * format.bytes_per_sample());
            for plane in 0..format.sampling.planes() {
                let (plane_width, plane_height) = format.plane_size(plane);
                for (y, x) in (0..plane_height).flat_map(|y| (0..plane_width).map(move |x| (y, x))) {
                    let shift = if 2 * y < plane_height { 0 } else { 2 * number + y % 2 };
                    let value = texture[x * width / plane_width + shift] + 7 * (y * height / plane_height % 5) + random.below(6);
                    match format.depth - 8 {
                        0 => samples.push(value as u8),
                        added => {
                            let word = (value as u8 as u16) << added | low_bits.below(1 << added) as u16;
                            samples.extend(word.to_le_bytes());
                        }
                    }
                }
            }
            samples
        };
        Clip { tags: tags.to_owned(), frames: (0..frames).map(|number| (String::new(), frame(number))).collect() }
    }

    /// The same clip with `parameters`, one per frame, after `FRAME`.
    pub fn flagged(mut self, parameters: &[&str]) -> Clip {
        for (frame, parameters) in self.frames.iter_mut().zip(parameters) {
            frame.0 = format!(" {parameters}");
        }
        self
    }

    /// The same samples with another header and without frame parameters.
    pub fn tagged(&self, tags: &str) -> Clip {
        let frames = self.frames.iter().map(|(_, samples)| (String::new(), samples.clone())).collect();
        Clip { tags: tags.to_owned(), frames }
    }

    /// The frames of this range.
    pub fn part(&self, frames: std::ops::Range<usize>) -> Clip {
        Clip { tags: self.tags.clone(), frames: self.frames[frames].to_vec() }
    }

    /// The samples of each frame: bytes, or words of more than 8 bits, low byte first.
    pub fn samples(&self) -> Vec<&[u8]> {
        self.frames.iter().map(|(_, samples)| samples.as_slice()).collect()
    }

    pub fn format(&self) -> Format {
        format(&self.tags)
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("YUV4MPEG2 {}\n", self.tags).into_bytes();
        for (parameters, samples) in &self.frames {
            bytes.extend_from_slice(format!("FRAME{parameters}\n").as_bytes());
            bytes.extend_from_slice(samples);
        }
        bytes
    }

    /// Panics if anything but complete frames follows the header.
    #[track_caller]
    pub fn parse(bytes: &[u8]) -> Clip {
        let (line, mut rest) = split_line(bytes);
        let tags = line.strip_prefix("YUV4MPEG2 ").expect("a y4m header").to_owned();
        let format = format(&tags);
        let size = format.samples() * format.bytes_per_sample();
        let mut frames = Vec::new();
        while !rest.is_empty() {
            let (line, samples) = split_line(rest);
            let parameters = line.strip_prefix("FRAME").expect("a FRAME line").to_owned();
            let (samples, next) = samples.split_at_checked(size).expect("a whole frame");
            frames.push((parameters, samples.to_vec()));
            rest = next;
        }
        Clip { tags, frames }
    }
}

fn split_line(bytes: &[u8]) -> (String, &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').expect("a line feed");
    (String::from_utf8_lossy(&bytes[..end]).into_owned(), &bytes[end + 1..])
}

fn format(tags: &str) -> Format {
    let tag = |tag: &str| tags.split(' ').rev().find_map(|token| token.strip_prefix(tag));
    let size = |name| tag(name).unwrap().parse().unwrap();
    let name = tag("C").or(tag("XYSCSS=")).map(str::to_lowercase);
    let name = name.as_deref();
    let bits = |name: &str| name.strip_prefix("mono").or(name.get(3..)?.strip_prefix('p'))?.parse().ok();
    let sampling = match name.map(|name| &name[..3]) {
        None | Some("420") => Sampling::C420,
        Some("411") => Sampling::C411,
        Some("422") => Sampling::C422,
        Some("444") => Sampling::C444,
        Some(_) => Sampling::Mono,
    };
    Format::new(size("W"), size("H"), sampling).with_depth(name.and_then(bits).unwrap_or(8))
}
