//! §1.1, §1.2 and §1.5: planes, reads outside of them, and the current frame as the deinterlacer
//! reads it.

/// One surface of a frame.
#[derive(Clone, Debug)]
pub struct Plane {
    pub width: i32,
    pub height: i32,
    pub interlaced: bool,
    samples: Vec<u8>,
}

impl Plane {
    /// `samples` has `width * height` values, line by line.
    pub fn new(width: usize, height: usize, interlaced: bool, samples: Vec<u8>) -> Plane {
        assert_eq!(samples.len(), width * height, "a {width}x{height} plane");
        Plane { width: width as i32, height: height as i32, interlaced, samples }
    }

    /// A `width`×`height` plane of the values of `sample`.
    pub fn from_fn(width: i32, height: i32, interlaced: bool, mut sample: impl FnMut(i32, i32) -> i32) -> Plane {
        let mut samples = Vec::new();
        for y in 0..height {
            for x in 0..width {
                samples.push(u8::try_from(sample(x, y)).expect("a sample is 0 to 255"));
            }
        }
        Plane { width, height, interlaced, samples }
    }

    pub fn into_samples(self) -> Vec<u8> {
        self.samples
    }

    /// §1.2: the sample at any position, clamped to the plane.
    pub fn at(&self, x: i32, y: i32) -> i32 {
        let x = x.clamp(0, self.width - 1);
        let y = if self.interlaced { clamp_to_field(y, self.height) } else { y.clamp(0, self.height - 1) };
        i32::from(self.samples[(y * self.width + x) as usize])
    }

    /// The 3×3 neighbourhood of §2.3 and §2.5, top row first, with line step s: all lines belong to
    /// one field.
    pub fn neighbours(&self, x: i32, y: i32) -> [[i32; 3]; 3] {
        let s = if self.interlaced { 2 } else { 1 };
        [-s, 0, s].map(|dy| [-1, 0, 1].map(|dx| self.at(x + dx, y + dy)))
    }
}

/// §1.2, interlaced: the nearest line of the parity of y.
pub fn clamp_to_field(y: i32, height: i32) -> i32 {
    let last = height - 1;
    if y < 0 {
        y & 1
    } else if y > last {
        if (last ^ y) & 1 == 0 { last } else { last - 1 }
    } else {
        y
    }
}

/// Luma of a frame as one block row reads it.
#[derive(Clone, Copy)]
pub enum Surface<'a> {
    /// `P`: denoised on all lines.
    Previous(&'a Plane),
    /// The view `C` of §1.5.
    Current { original: &'a Plane, denoised: &'a Plane, block_row: i32, top_first: bool },
}

impl Surface<'_> {
    /// §1.5 [I-4]: the position before clamping selects the original or the denoised line.
    pub fn at(&self, x: i32, y: i32) -> i32 {
        match *self {
            Surface::Previous(previous) => previous.at(x, y),
            Surface::Current { original, denoised, block_row, top_first } => {
                let r = y - 4 * block_row;
                let near = if top_first { (-2..=6).contains(&r) } else { (-3..=5).contains(&r) };
                if near { denoised.at(x, y) } else { original.at(x, y) }
            }
        }
    }
}

/// The average of two values, truncated like all averages [I-1].
pub fn avg(a: i32, b: i32) -> i32 {
    (a + b) >> 1
}
