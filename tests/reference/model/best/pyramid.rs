//! §15.3: pyramids of 8 bits.

use crate::model::picture::Plane;

/// The levels 0 to 3.
pub struct Pyramid {
    pub levels: [Plane; 4],
}

impl Pyramid {
    /// That of a picture of any depth.
    pub fn new(picture: &Plane) -> Pyramid {
        Pyramid::above(smoothed(picture))
    }

    /// That of a level 0.
    pub fn above(p0: Plane) -> Pyramid {
        let p1 = halved(&p0);
        let p2 = halved(&p1);
        let p3 = halved(&p2);
        Pyramid { levels: [p0, p1, p2, p3] }
    }
}

fn smoothed(picture: &Plane) -> Plane {
    let value = |x: i32, y: i32| picture.at_line(x, y) >> (picture.depth - 8);
    Plane::from_fn(picture.width, picture.height, false, 8, |x, y| {
        (value(x, y - 2) + 4 * value(x, y - 1) + 6 * value(x, y) + 4 * value(x, y + 1) + value(x, y + 2) + 8) >> 4
    })
}

fn halved(level: &Plane) -> Plane {
    Plane::from_fn((level.width + 1) >> 1, (level.height + 1) >> 1, false, 8, |x, y| {
        let of = |dx: i32, dy: i32| level.at_line(2 * x + dx, 2 * y + dy);
        (of(0, 0) + of(1, 0) + of(0, 1) + of(1, 1) + 2) >> 2
    })
}
