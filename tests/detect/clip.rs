//! Clips of which the picture of every field is known.
use dndi::{Decision, Detector, DetectorBuilder, FieldMatching, FieldOrder, Format, Frame, Sampling, Scan, SimdLevel};

/// Width and height of all clips.
pub const SIZE: (usize, usize) = (160, 96);

/// The luma of a picture at (x, y).
pub type Painter = fn(x: usize, y: usize, picture: usize) -> u8;

pub struct Clip {
    /// The picture of each field.
    pub fields: Vec<usize>,
    pub order: FieldOrder,
    /// The flags of all frames.
    pub flags: Option<Scan>,
    pub paint: Painter,
}

impl Clip {
    pub fn new(fields: Vec<usize>) -> Clip {
        Clip { fields, order: FieldOrder::TopFirst, flags: None, paint: moving }
    }

    pub fn bottom_first(self) -> Clip {
        Clip { order: FieldOrder::BottomFirst, ..self }
    }

    pub fn flagged(self, flags: Scan) -> Clip {
        Clip { flags: Some(flags), ..self }
    }

    pub fn painted(self, paint: Painter) -> Clip {
        Clip { paint, ..self }
    }

    pub fn frames(&self) -> Vec<Frame> {
        let (width, height) = SIZE;
        let frame = |pair: &[usize]| {
            let sample = |i: usize| {
                let (x, y) = (i % width, i / width);
                let is_first = (y % 2 == 0) == (self.order == FieldOrder::TopFirst);
                (self.paint)(x, y, pair[usize::from(!is_first)])
            };
            Frame::from_vec(Format::new(width, height, Sampling::Mono), (0..width * height).map(sample).collect())
        };
        self.fields.chunks_exact(2).map(frame).collect()
    }

    pub fn decisions(&self) -> Vec<Decision> {
        self.decisions_with(FieldMatching::Pattern, SimdLevel::Portable)
    }

    pub fn decisions_with(&self, mode: FieldMatching, level: SimdLevel) -> Vec<Decision> {
        decide(&self.frames(), self.flags, mode, level)
    }
}

/// A builder for the detector of the clips.
pub fn detector() -> DetectorBuilder {
    Detector::builder(Format::new(SIZE.0, SIZE.1, Sampling::Mono)).simd_level(SimdLevel::Portable)
}

/// The decisions about frames of one size that all have the same flags.
pub fn decide(frames: &[Frame], flags: Option<Scan>, mode: FieldMatching, level: SimdLevel) -> Vec<Decision> {
    let mut detector = detector().field_matching(mode).simd_level(level).build().unwrap();
    let mut decisions = vec![];
    for frame in frames {
        detector.push(frame.planes()[0], flags).unwrap();
        decisions.extend(std::iter::from_fn(|| detector.pull()));
    }
    detector.finish();
    decisions.extend(std::iter::from_fn(|| detector.pull()));
    assert!(decisions.iter().map(|decision| decision.frame).eq(0..frames.len() as u64));
    decisions
}

/// The pictures of fields: `count` pictures from `first` on, each with the number of fields that
/// `pattern` has in turn.
pub fn pattern(pattern: &[usize], first: usize, count: usize) -> Vec<usize> {
    (0..count).flat_map(|n| std::iter::repeat_n(first + n, pattern[n % pattern.len()])).collect()
}

/// The picture of field `field` of 3:2 film.
pub fn film(field: usize) -> usize {
    field / 5 * 2 + usize::from(field % 5 > 1)
}

/// Pseudo-random numbers from 0 to 255, interpolated over cells of 8×8 samples.
fn texture(x: usize, y: usize) -> usize {
    let at = |x: usize, y: usize| {
        let mut v = (x as u32).wrapping_mul(0x9e37_79b9) ^ (y as u32).wrapping_mul(0x85eb_ca6b);
        v = (v ^ v >> 15).wrapping_mul(0x2c1b_3c6d);
        (v ^ v >> 12) as usize % 256
    };
    let (cx, cy, fx, fy) = (x / 8, y / 8, x % 8, y % 8);
    let row = |cy: usize| at(cx, cy) * (8 - fx) + at(cx + 1, cy) * fx;
    (row(cy) * (8 - fy) + row(cy + 1) * fy) / 64
}

/// A texture that moves by 5 samples across and 1 line down from picture to picture.
pub fn moving(x: usize, y: usize, picture: usize) -> u8 {
    (20 + texture(x + 5 * picture, y + 1000 - picture) * 200 / 256) as u8
}

/// The same motion over another part of the texture: a different shot.
pub fn elsewhere(x: usize, y: usize, picture: usize) -> u8 {
    moving(x + 3000, y + 7000, picture)
}

/// A still picture.
pub fn still(x: usize, y: usize, _: usize) -> u8 {
    moving(x, y, 0)
}

pub fn black(_: usize, _: usize, _: usize) -> u8 {
    16
}

/// The moving texture with different noise in each picture.
pub fn noisy(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture).saturating_add((texture((x + 977 * picture) * 8, (y + 331 * picture) * 8) / 8) as u8)
}

/// The moving texture fades in and out.
pub fn fading(x: usize, y: usize, picture: usize) -> u8 {
    let level = picture.min(16).min(48usize.saturating_sub(picture));
    (16 + (moving(x, y, picture) as usize - 16) * level / 16) as u8
}

/// Animation on twos: every second picture is new.
pub fn on_twos(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture / 2 * 2)
}

/// Animation on threes: every third picture is new.
pub fn on_threes(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture / 3 * 3)
}

/// Pseudo-random numbers from 0 to 255.
pub fn noise(x: usize, y: usize) -> u8 {
    let mut v = (x as u32 + 31).wrapping_mul(0x9e37_79b9) ^ (y as u32 + 17).wrapping_mul(0x85eb_ca6b);
    v = (v ^ v >> 15).wrapping_mul(0x2c1b_3c6d);
    v = (v ^ v >> 13).wrapping_mul(0x297a_2d39);
    (v >> 20) as u8
}

/// Whether a point lies on a stroke of text. Strokes are 1 to 2 lines thick.
pub fn text(x: usize, y: usize) -> bool {
    let letter = noise(x / 9, y / 13);
    let (x, y) = (x % 9, y % 13);
    let has = |stroke: u32| letter >> stroke & 1 == 1;
    let across = y < 2 && has(0) || y == 4 && has(1) || (7..9).contains(&y) && has(2);
    let down = x < 2 && has(3) || x == 3 && has(4) || x > 4 && has(5);
    x < 7 && y < 9 && (across || down)
}
