//! §15.4: the search of a picture in another one, block by block.

use super::pyramid::Pyramid;
use crate::model::picture::Plane;

/// Horizontal and vertical component.
pub type Vector = (i32, i32);

/// The vectors of the blocks of a picture, row by row.
#[derive(Clone)]
pub struct Grid {
    pub columns: i32,
    pub rows: i32,
    pub vectors: Vec<Vector>,
}

impl Grid {
    /// The vector of a block of the grid.
    pub fn at(&self, x: i32, y: i32) -> Vector {
        assert!((0..self.columns).contains(&x) && (0..self.rows).contains(&y), "block {x} {y}");
        self.vectors[(y * self.columns + x) as usize]
    }

    /// The vector of the nearest block of the grid.
    pub fn clamped(&self, x: i32, y: i32) -> Vector {
        self.at(x.clamp(0, self.columns - 1), y.clamp(0, self.rows - 1))
    }

    /// Step 3 of the candidates: the vectors of (bx, by) and of three neighbours on the side of
    /// block (gx, gy).
    pub fn around(&self, (gx, gy): (i32, i32), (bx, by): (i32, i32)) -> [Vector; 4] {
        let side = |g: i32| if g % 2 == 1 { 1 } else { -1 };
        let (sx, sy) = (side(gx), side(gy));
        [(bx, by), (bx + sx, by), (bx, by + sy), (bx + sx, by + sy)].map(|(x, y)| self.clamped(x, y))
    }
}

/// A related grid with its factor.
#[derive(Clone, Copy)]
pub struct Related<'a> {
    pub grid: &'a Grid,
    pub factor: i32,
}

/// A window of a block in the picture A, matched with B. Vectors are in quarter samples.
pub struct Match<'a> {
    pub a: &'a Plane,
    pub b: &'a Plane,
    /// (X, Y).
    pub window: (i32, i32),
}

impl Match<'_> {
    pub fn allows(&self, v: Vector) -> bool {
        let inside = |first: i32, size: i32| first >= -32 && first + 16 <= size + 32;
        inside(self.window.0 + (v.0 >> 2), self.b.width) && inside(self.window.1 + (v.1 >> 2), self.b.height)
    }

    /// SAD' of `lines` lines.
    pub fn sad(&self, v: Vector, lines: i32) -> i32 {
        let mut sum = 0;
        for j in 0..lines {
            for i in 0..16 {
                let (x, y) = (self.window.0 + i, self.window.1 + 2 * j);
                sum += (self.a.at_line(x, y) - self.between(x + (v.0 >> 2), y + (v.1 >> 2), (v.0 & 3, v.1 & 3))).abs();
            }
        }
        sum
    }

    /// B'.
    fn between(&self, x: i32, y: i32, (fx, fy): Vector) -> i32 {
        let b = |dx: i32, dy: i32| self.b.at_line(x + dx, y + dy);
        if (fx, fy) == (0, 0) {
            return b(0, 0);
        }
        let upper = (4 - fx) * (4 - fy) * b(0, 0) + fx * (4 - fy) * b(1, 0);
        let lower = (4 - fx) * fy * b(0, 1) + fx * fy * b(1, 1);
        (upper + lower + 8) >> 4
    }
}

/// The costs of vectors beside their SADs, and the effort of a search: those of §15.4, which §16.4
/// changes.
#[derive(Clone, Copy)]
pub struct Costs {
    /// Of a distance of 1 from the predicted vector.
    pub distance: i32,
    /// Of any vector but (0, 0).
    pub moving: i32,
    /// Of step 5, at most.
    pub rounds: usize,
    /// A best cost less than this ends the search of a block of level 0 after step 4. With 0, none
    /// ends early.
    pub enough: i32,
}

/// The search for the vector of a block. `unit` is the number of quarter samples in 1.
struct Search<'a> {
    of: &'a Match<'a>,
    costs: Costs,
    unit: i32,
    predicted: Vector,
    best: Option<(i32, Vector)>,
}

impl Search<'_> {
    fn consider(&mut self, v: Vector) {
        let quarters = (v.0 * self.unit, v.1 * self.unit);
        if !self.of.allows(quarters) {
            return;
        }
        let distance = self.costs.distance * ((v.0 - self.predicted.0).abs() + (v.1 - self.predicted.1).abs());
        let distance = if self.unit == 1 { distance >> 2 } else { distance };
        let cost = self.of.sad(quarters, 8) + distance + if v == (0, 0) { 0 } else { self.costs.moving };
        if self.best.is_none_or(|(least, _)| cost < least) {
            self.best = Some((cost, v));
        }
    }

    fn best(&self) -> Vector {
        self.best.expect("an allowed candidate").1
    }

    /// The cost of the best vector.
    fn cost(&self) -> i32 {
        self.best.expect("an allowed candidate").0
    }
}

fn median(a: i32, b: i32, c: i32) -> i32 {
    let mut sorted = [a, b, c];
    sorted.sort_unstable();
    sorted[1]
}

fn median_of([a, b, c]: [Vector; 3]) -> Vector {
    (median(a.0, b.0, c.0), median(a.1, b.1, c.1))
}

/// The grid of level 0 of a search of A in B.
pub fn search(a: &Pyramid, b: &Pyramid, is_full: bool, related: &[Related], costs: Costs) -> Grid {
    let mut above: Option<Grid> = None;
    for level in (0..if is_full { 4 } else { 1 }).rev() {
        let (a, b) = (&a.levels[level], &b.levels[level]);
        above = Some(Level { a, b, level, is_full, above: above.as_ref(), related, costs }.grid());
    }
    above.expect("level 0")
}

/// The search on a level.
struct Level<'a> {
    a: &'a Plane,
    b: &'a Plane,
    level: usize,
    is_full: bool,
    /// The grid of the next level.
    above: Option<&'a Grid>,
    related: &'a [Related<'a>],
    costs: Costs,
}

impl Level<'_> {
    fn block(&self) -> i32 {
        if self.level == 0 { 16 } else { 8 }
    }

    fn grid(&self) -> Grid {
        let blocks = |size: i32| (size + self.block() - 1) / self.block();
        let mut grid = Grid { columns: blocks(self.a.width), rows: blocks(self.a.height), vectors: vec![] };
        for gy in 0..grid.rows {
            for gx in 0..grid.columns {
                let vector = self.vector(&grid, gx, gy);
                grid.vectors.push(vector);
            }
        }
        grid
    }

    /// The result of a block. `grid` has the blocks before it.
    fn vector(&self, grid: &Grid, gx: i32, gy: i32) -> Vector {
        let restarts = gy % 4 == 0;
        let left = if gx > 0 { grid.at(gx - 1, gy) } else { (0, 0) };
        let top = if restarts { left } else { grid.at(gx, gy - 1) };
        let top_right = if restarts || gx + 1 == grid.columns { top } else { grid.at(gx + 1, gy - 1) };
        let neighbours = [left, top, top_right];

        let offset = if self.level == 0 { 0 } else { 4 };
        let window = (self.block() * gx - offset, self.block() * gy - offset);
        let of = Match { a: self.a, b: self.b, window };
        let mut search = self.candidates(&of, neighbours, gx, gy);
        if self.level == 0 && search.cost() < self.costs.enough {
            let (x, y) = search.best();
            return (4 * x, 4 * y);
        }
        self.refine(&mut search);
        let whole = search.best();
        if self.level > 0 { whole } else { self.quarter_samples(&of, whole, neighbours, gx, gy) }
    }

    /// Steps 1 to 4.
    fn candidates<'b>(&self, of: &'b Match<'b>, neighbours: [Vector; 3], gx: i32, gy: i32) -> Search<'b> {
        let rounded = |q: i32| if self.level == 0 { (q + 2) >> 2 } else { q };
        let neighbours = neighbours.map(|(x, y)| (rounded(x), rounded(y)));
        let fans = self.is_full && self.level == 3;
        let predicted = if fans { (0, 0) } else { median_of(neighbours) };
        let mut search = Search { of, costs: self.costs, unit: 4, predicted, best: None };
        if fans {
            for dy in -4..=4 {
                for dx in -6..=6 {
                    search.consider((dx, dy));
                }
            }
        }
        search.consider((0, 0));
        search.consider(neighbours[0]);
        if gy % 4 != 0 {
            search.consider(neighbours[1]);
            search.consider(neighbours[2]);
        }
        if let Some(above) = self.above {
            let parent = if self.level == 0 { (gx, gy) } else { (gx >> 1, gy >> 1) };
            for v in above.around((gx, gy), parent) {
                search.consider((2 * v.0, 2 * v.1));
            }
        }
        for related in self.related {
            search.consider(self.scaled(related, gx, gy));
        }
        search
    }

    /// Step 5.
    fn refine(&self, search: &mut Search) {
        for _ in 0..self.costs.rounds {
            let (x, y) = search.best();
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
                search.consider((x + dx, y + dy));
            }
            if search.best() == (x, y) {
                break;
            }
        }
    }

    /// Step 4: the vector of a related grid in whole samples of the level.
    fn scaled(&self, related: &Related, gx: i32, gy: i32) -> Vector {
        let index = |g: i32, count: i32| (((self.block() * g + self.block() / 2) << self.level) >> 4).min(count - 1);
        let v = related.grid.at(index(gx, related.grid.columns), index(gy, related.grid.rows));
        let scale = |v: i32| (related.factor * v + (1 << (self.level + 1))) >> (self.level + 2);
        (scale(v.0), scale(v.1))
    }

    /// The result of a block of level 0; `b` is the best vector in whole samples.
    fn quarter_samples(&self, of: &Match, b: Vector, neighbours: [Vector; 3], gx: i32, gy: i32) -> Vector {
        let sad = |dx: i32, dy: i32| {
            let v = (4 * (b.0 + dx), 4 * (b.1 + dy));
            if of.allows(v) { of.sad(v, 8) } else { 1 << 20 }
        };
        let offset = |a: i32, z: i32| {
            let (h, m) = (a - z, a + z - 2 * sad(0, 0));
            let steps = i32::from(4 * h.abs() >= m) + i32::from(4 * h.abs() >= 3 * m);
            if m <= 0 { 0 } else { h.signum() * steps }
        };
        let (ox, oy) = (offset(sad(-1, 0), sad(1, 0)), offset(sad(0, -1), sad(0, 1)));

        let mut search = Search { of, costs: self.costs, unit: 1, predicted: median_of(neighbours), best: None };
        search.consider((4 * b.0, 4 * b.1));
        search.consider((4 * b.0 + ox, 4 * b.1 + oy));
        if gx > 0 {
            search.consider(neighbours[0]);
        }
        if gy % 4 != 0 {
            search.consider(neighbours[1]);
        }
        for related in self.related {
            let v = related.grid.at(gx, gy);
            search.consider((related.factor * v.0, related.factor * v.1));
        }
        search.best()
    }
}
