//! §1.1, §1.2 and §1.5: planes, reads outside of them, and the current frame as the deinterlacer
//! reads it.

/// One surface of a frame.
#[derive(Clone, Debug)]
pub struct Plane {
    pub width: i32,
    pub height: i32,
    pub interlaced: bool,
    /// Bits per sample.
    pub depth: u32,
    samples: Vec<u16>,
}

impl Plane {
    /// `samples` has `width * height` values, line by line.
    pub fn new(width: usize, height: usize, interlaced: bool, depth: u32, samples: Vec<u16>) -> Plane {
        assert_eq!(samples.len(), width * height, "a {width}x{height} plane");
        Plane { width: width as i32, height: height as i32, interlaced, depth, samples }
    }

    /// A `width`×`height` plane of the values of `sample`, of `depth` bits.
    pub fn from_fn(width: i32, height: i32, interlaced: bool, depth: u32, mut sample: impl FnMut(i32, i32) -> i32) -> Plane {
        let mut samples = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let value = sample(x, y);
                assert!((0..1 << depth).contains(&value), "{value} is no sample of {depth} bits");
                samples.push(value as u16);
            }
        }
        Plane { width, height, interlaced, depth, samples }
    }

    pub fn into_samples(self) -> Vec<u16> {
        self.samples
    }

    /// §1.2: the sample at any position, clamped to the plane.
    pub fn at(&self, x: i32, y: i32) -> i32 {
        let x = x.clamp(0, self.width - 1);
        let y = if self.interlaced { clamp_to_field(y, self.height) } else { y.clamp(0, self.height - 1) };
        i32::from(self.samples[(y * self.width + x) as usize])
    }

    /// The sample of the nearest line and column of the plane.
    pub fn at_line(&self, x: i32, y: i32) -> i32 {
        i32::from(self.samples[(y.clamp(0, self.height - 1) * self.width + x.clamp(0, self.width - 1)) as usize])
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
pub struct Surface<'a> {
    source: Source<'a>,
    /// Low bits that a read drops.
    dropped: u32,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Previous(&'a Plane),
    Current { original: &'a Plane, denoised: &'a Plane, block_row: i32, top_first: bool },
}

impl<'a> Surface<'a> {
    /// `P`: denoised on all lines.
    pub fn previous(previous: &'a Plane) -> Surface<'a> {
        Surface { source: Source::Previous(previous), dropped: 0 }
    }

    /// The view `C` of §1.5.
    pub fn current(original: &'a Plane, denoised: &'a Plane, block_row: i32, top_first: bool) -> Surface<'a> {
        Surface { source: Source::Current { original, denoised, block_row, top_first }, dropped: 0 }
    }

    /// §9.2: v8, the 8 most significant bits of each sample, which decisions read.
    pub fn reduced(self) -> Surface<'a> {
        let (Source::Previous(plane) | Source::Current { original: plane, .. }) = self.source;
        Surface { dropped: plane.depth - 8, ..self }
    }

    /// §1.5 [I-4]: the position before clamping selects the original or the denoised line.
    pub fn at(&self, x: i32, y: i32) -> i32 {
        let sample = match self.source {
            Source::Previous(previous) => previous.at(x, y),
            Source::Current { original, denoised, block_row, top_first } => {
                let r = y - 4 * block_row;
                let near = if top_first { (-2..=6).contains(&r) } else { (-3..=5).contains(&r) };
                if near { denoised.at(x, y) } else { original.at(x, y) }
            }
        };
        sample >> self.dropped
    }
}

/// The average of two values, truncated like all averages [I-1].
pub fn avg(a: i32, b: i32) -> i32 {
    (a + b) >> 1
}
