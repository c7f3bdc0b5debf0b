//! §15.7: the compensated pictures.

use super::vectors::{Grid, Vector};
use crate::model::picture::Plane;

const TAPS: [[i32; 4]; 4] = [[0, 64, 0, 0], [-4, 55, 15, -2], [-4, 36, 36, -4], [-2, 15, 55, -4]];

/// C(k) of a plane.
pub struct Compensated {
    picture: Plane,
    /// The vectors of 8×8 luma blocks, scaled for the plane.
    vectors: Grid,
    /// Samples of this plane in a block.
    block: (i32, i32),
}

impl Compensated {
    /// `scale` has the luma samples and lines for one of the plane.
    pub fn new(reference: &Plane, luma: &Grid, scale: (i32, i32)) -> Compensated {
        let vectors = luma.vectors.iter().map(|v| (scaled(v.0, scale.0), scaled(v.1, scale.1)));
        let vectors = Grid { vectors: vectors.collect(), ..*luma };
        let block = (8 / scale.0, 8 / scale.1);
        let picture = Plane::from_fn(reference.width, reference.height, false, reference.depth, |x, y| {
            let vector = vectors.at(x / block.0, y / block.1);
            interpolated(reference, x, y, vector)
        });
        Compensated { picture, vectors, block }
    }

    /// The sample of the nearest position in the picture.
    pub fn at(&self, x: i32, y: i32) -> i32 {
        self.picture.at_line(x, y)
    }

    /// The vector of a sample in the picture.
    pub fn vector(&self, x: i32, y: i32) -> Vector {
        self.vectors.at(x / self.block.0, y / self.block.1)
    }
}

fn scaled(v: i32, s: i32) -> i32 {
    v.signum() * ((v.abs() + (s >> 1)) / s)
}

fn interpolated(reference: &Plane, x: i32, y: i32, v: Vector) -> i32 {
    let (across, down) = (TAPS[(v.0 & 3) as usize], TAPS[(v.1 & 3) as usize]);
    let (x, y) = (x + (v.0 >> 2), y + (v.1 >> 2));
    let line = |j: i32| (-1..=2).zip(across).map(|(i, tap)| tap * reference.at_line(x + i, y + j)).sum::<i32>();
    let sum: i32 = (-1..=2).zip(down).map(|(j, tap)| tap * line(j)).sum();
    ((sum + 2048) >> 12).clamp(0, (1 << reference.depth) - 1)
}
