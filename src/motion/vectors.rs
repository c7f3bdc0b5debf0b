//! Motion vectors and their grids (§15.4).
use crate::memory::{OutOfMemory, zeroed};

/// A motion vector: from a position in the picture to the position in the reference. In quarters of
/// a sample, on the smaller levels of the search in samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Vector {
    pub x: i32,
    pub y: i32,
}

impl Vector {
    pub fn new(x: i32, y: i32) -> Vector {
        Vector { x, y }
    }

    /// The vector plus (x, y).
    pub fn moved(self, x: i32, y: i32) -> Vector {
        Vector { x: self.x + x, y: self.y + y }
    }

    /// The vector with `f` applied to both components.
    pub fn map(self, f: impl Fn(i32) -> i32) -> Vector {
        Vector::new(f(self.x), f(self.y))
    }

    /// Sum of the distances of both components.
    pub fn distance(self, other: Vector) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }

    /// The vector of a chroma plane, whose samples are `scale` luma samples wide and high, each 1,
    /// 2 or 4; halves are rounded away from zero.
    pub fn scaled(self, (sx, sy): (usize, usize)) -> Vector {
        let part = |v: i32, scale: usize| v.signum() * ((v.abs() + scale as i32 / 2) >> scale.trailing_zeros());
        Vector { x: part(self.x, sx), y: part(self.y, sy) }
    }
}

/// The component-wise median of three vectors.
pub(crate) fn median(a: Vector, b: Vector, c: Vector) -> Vector {
    let middle = |a: i32, b: i32, c: i32| a.min(b).max(a.max(b).min(c));
    Vector { x: middle(a.x, b.x, c.x), y: middle(a.y, b.y, c.y) }
}

/// A vector for each block of a picture.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    pub width: usize,
    pub height: usize,
    pub vectors: Vec<Vector>,
}

impl Grid {
    /// Vectors for the blocks of `block` columns and lines of a picture.
    pub fn new((width, height): (usize, usize), block: usize) -> Result<Grid, OutOfMemory> {
        let (width, height) = (width.div_ceil(block), height.div_ceil(block));
        Ok(Grid { width, height, vectors: zeroed(width * height)? })
    }

    /// The vector of a block, or of the nearest one.
    pub fn at(&self, x: isize, y: isize) -> Vector {
        let nearest = |at: isize, count: usize| at.clamp(0, count as isize - 1) as usize;
        self.vectors[nearest(y, self.height) * self.width + nearest(x, self.width)]
    }

    /// The vectors of block `at`, of its neighbour in the row, of that in the column, and of the
    /// block at the corner between them. `towards` selects the neighbours: to the right and below
    /// for odd numbers, else to the left and above.
    pub fn around(&self, at: (usize, usize), towards: (usize, usize)) -> [Vector; 4] {
        let side = |number: usize| if number % 2 == 1 { 1 } else { -1 };
        let (x, y) = (side(towards.0), side(towards.1));
        [(0, 0), (x, 0), (0, y), (x, y)].map(|(dx, dy)| self.at(at.0 as isize + dx, at.1 as isize + dy))
    }
}
