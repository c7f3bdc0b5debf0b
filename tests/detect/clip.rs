//! Clips whose every field is known: which picture it shows.
use dndi::{Decision, Detector, FieldMatching, Format, Frame, SimdLevel, Sampling, Scan};

pub const SIZE: (usize, usize) = (160, 96);

/// A clip: the picture that each field shows, how pictures look, and what flags say.
pub struct Clip {
    pub fields: Vec<usize>,
    pub top_first: bool,
    pub flags: Option<Scan>,
    pub look: fn(x: usize, y: usize, picture: usize) -> u8,
}

impl Clip {
    pub fn new(fields: Vec<usize>) -> Clip {
        Clip { fields, top_first: true, flags: None, look: moving }
    }

    pub fn bottom_first(self) -> Clip {
        Clip { top_first: false, ..self }
    }

    pub fn flagged(self, flags: Scan) -> Clip {
        Clip { flags: Some(flags), ..self }
    }

    pub fn look(self, look: fn(usize, usize, usize) -> u8) -> Clip {
        Clip { look, ..self }
    }

    pub fn frames(&self) -> Vec<Frame> {
        let (width, height) = SIZE;
        let frame = |pair: &[usize]| {
            let sample = |i: usize| {
                let (x, y) = (i % width, i / width);
                (self.look)(x, y, pair[usize::from((y % 2 == 0) != self.top_first)])
            };
            Frame::from_vec(Format::new(width, height, Sampling::Mono), (0..width * height).map(sample).collect())
        };
        self.fields.chunks_exact(2).map(frame).collect()
    }

    pub fn decisions(&self) -> Vec<Decision> {
        self.decisions_with(FieldMatching::Pattern, SimdLevel::Portable)
    }

    pub fn decisions_with(&self, film: FieldMatching, level: SimdLevel) -> Vec<Decision> {
        decide(&self.frames(), self.flags, film, level)
    }
}

/// What the detector decides about frames of one size, flagged alike.
pub fn decide(frames: &[Frame], flags: Option<Scan>, film: FieldMatching, level: SimdLevel) -> Vec<Decision> {
    let mut detector = Detector::at(Format::new(SIZE.0, SIZE.1, Sampling::Mono), film, level).unwrap();
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

/// Fields that show `count` pictures from `first` on, as often in turn as `pattern` says.
pub fn pattern(pattern: &[usize], first: usize, count: usize) -> Vec<usize> {
    (0..count).flat_map(|n| std::iter::repeat_n(first + n, pattern[n % pattern.len()])).collect()
}

/// The picture of 3:2 film that a field shows.
pub fn film(field: usize) -> usize {
    field / 5 * 2 + usize::from(field % 5 > 1)
}

/// Numbers that look random, smooth over some pixels.
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

/// A texture that moves across and a little down.
pub fn moving(x: usize, y: usize, picture: usize) -> u8 {
    (20 + texture(x + 5 * picture, y + 1000 - picture) * 200 / 256) as u8
}

/// The same from another place: after a cut.
pub fn elsewhere(x: usize, y: usize, picture: usize) -> u8 {
    moving(x + 3000, y + 7000, picture)
}

/// What never moves.
pub fn still(x: usize, y: usize, _: usize) -> u8 {
    moving(x, y, 0)
}

pub fn black(_: usize, _: usize, _: usize) -> u8 {
    16
}

/// Noise of its own in each picture over the moving texture.
pub fn noisy(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture).saturating_add((texture((x + 977 * picture) * 8, (y + 331 * picture) * 8) / 8) as u8)
}

/// Comes out of the dark and goes back.
pub fn fading(x: usize, y: usize, picture: usize) -> u8 {
    let level = picture.min(16).min(48usize.saturating_sub(picture));
    (16 + (moving(x, y, picture) as usize - 16) * level / 16) as u8
}

/// Drawn anew for every second, or third, picture.
pub fn on_twos(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture / 2 * 2)
}

pub fn on_threes(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture / 3 * 3)
}

/// Numbers from 0 to 255 that look random.
pub fn noise(x: usize, y: usize) -> u8 {
    let mut v = (x as u32 + 31).wrapping_mul(0x9e37_79b9) ^ (y as u32 + 17).wrapping_mul(0x85eb_ca6b);
    v = (v ^ v >> 15).wrapping_mul(0x2c1b_3c6d);
    v = (v ^ v >> 13).wrapping_mul(0x297a_2d39);
    (v >> 20) as u8
}

/// Whether a point lies on one of the strokes of text, of one to two lines.
pub fn text(x: usize, y: usize) -> bool {
    let letter = noise(x / 9, y / 13);
    let (x, y) = (x % 9, y % 13);
    let has = |stroke: u32| letter >> stroke & 1 == 1;
    let across = y < 2 && has(0) || y == 4 && has(1) || (7..9).contains(&y) && has(2);
    let down = x < 2 && has(3) || x == 3 && has(4) || x > 4 && has(5);
    x < 7 && y < 9 && (across || down)
}
