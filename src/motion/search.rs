//! Block search from one picture to another (§15.4).
use super::bordered::BorderedPlane;
use super::pyramid::LEVELS;
use super::vectors::{Grid, Vector, median};
use dndi_simd::{Kernels, QuarterPosition};

/// Rows of blocks after which predictors restart. Bands of so many rows do not depend on each
/// other.
pub(crate) const RESTART: usize = 4;
/// Width and height of a window that is compared.
const WINDOW: usize = 16;
/// Samples by which a window may lie outside the picture.
const MARGIN: isize = 32;
/// Cost of a half block's vector that is not that of its block.
const SPLIT_COST: i32 = 3;
/// Range of the full search: columns and lines.
const FULL: (i32, i32) = (6, 4);
/// The neighbours of a vector, in the order of the comparison.
const AROUND: [(i32, i32); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
/// SAD of a position outside the range.
const OUTSIDE: i32 = 1 << 20;
/// More than any cost.
const NONE: i32 = i32::MAX;
/// The most candidates in whole samples that are compared at once.
const MOST: usize = 13;
/// The most candidates in quarters of a sample: the best one in whole samples with and without its
/// fraction, two of blocks beside the block, and three of other searches.
const REFINED: usize = 7;

/// Costs and effort of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// Cost of each sample of distance from the predicted vector.
    pub distance: i32,
    /// Cost of a vector that is not zero.
    pub motion: i32,
    /// Steps around the best candidate.
    pub steps: usize,
    /// Cost of a candidate in whole samples below which the search of a block of level 0 ends with
    /// it.
    pub enough: i32,
}

/// Vectors of another search, which predict those of this one.
#[derive(Clone, Copy)]
pub(crate) struct Related<'a> {
    /// The grid of level 0, from row `first` on.
    pub vectors: &'a [Vector],
    pub size: (usize, usize),
    pub first: usize,
    /// Time of this search divided by that of the other one: -1, 1, or 2.
    pub factor: i32,
}

impl Related<'_> {
    /// All vectors of a grid.
    pub fn whole(grid: &Grid, factor: i32) -> Related<'_> {
        Related { vectors: &grid.vectors, size: (grid.width, grid.height), first: 0, factor }
    }

    /// The vector of a block of level 0, multiplied.
    fn at(&self, x: usize, y: usize) -> Vector {
        let y = y.min(self.size.1 - 1) - self.first;
        self.vectors[y * self.size.0 + x.min(self.size.0 - 1)].map(|v| v * self.factor)
    }
}

/// The searches that predict another one, in the order of their candidates.
pub(crate) struct RelatedList<'a> {
    list: [Related<'a>; 3],
    count: usize,
}

impl<'a> RelatedList<'a> {
    pub fn new(related: [Option<Related<'a>>; 3]) -> RelatedList<'a> {
        let none = Related { vectors: &[], size: (0, 0), first: 0, factor: 0 };
        let mut list = RelatedList { list: [none; 3], count: 0 };
        for related in related.into_iter().flatten() {
            list.list[list.count] = related;
            list.count += 1;
        }
        list
    }

    pub fn get(&self) -> &[Related<'a>] {
        &self.list[..self.count]
    }
}

/// A search on one level.
pub(crate) struct Search<'a> {
    pub kernels: &'a Kernels,
    pub costs: Costs,
    pub level: usize,
    /// The picture, and the reference.
    pub pictures: [&'a BorderedPlane; 2],
    /// The level above, unless this is the first one that is searched.
    pub above: Option<&'a Grid>,
    pub related: &'a [Related<'a>],
}

/// Candidates whose windows are inside the range: their vectors, their positions, and their numbers
/// in the list that they come from.
struct Candidates<P, const N: usize> {
    count: usize,
    at: [P; N],
    vectors: [Vector; N],
    numbers: [u8; N],
}

impl<P: Copy + Default, const N: usize> Candidates<P, N> {
    fn new() -> Candidates<P, N> {
        Candidates { count: 0, at: [P::default(); N], vectors: [Vector::default(); N], numbers: [0; N] }
    }

    /// Adds a candidate, unless it is known: its cost would not be lower.
    fn push(&mut self, vector: Vector, at: P, number: usize) {
        if self.vectors[..self.count].contains(&vector) {
            return;
        }
        (self.at[self.count], self.vectors[self.count], self.numbers[self.count]) = (at, vector, number as u8);
        self.count += 1;
    }
}

/// The best candidate of a block.
struct Best {
    vector: Vector,
    sad: i32,
    cost: i32,
}

/// A window, and the vector that is expected.
struct Block {
    x: isize,
    y: isize,
    expected: Vector,
}

impl Search<'_> {
    /// Columns and lines of a block.
    fn block(&self) -> usize {
        if self.level == 0 { 16 } else { 8 }
    }

    /// Finds the vectors of a band of [`RESTART`] rows of blocks, the first of which is row
    /// `first`.
    pub fn band(&self, vectors: &mut [Vector], first: usize, width: usize) {
        for y in 0..vectors.len() / width {
            for x in 0..width {
                let left = &vectors[..y * width + x];
                let previous = if x > 0 { left[left.len() - 1] } else { Vector::default() };
                let upper = (y > 0).then(|| {
                    let above = &left[(y - 1) * width..][..width];
                    [above[x], above[(x + 1).min(width - 1)]]
                });
                vectors[y * width + x] = self.vector((x, first + y), previous, upper);
            }
        }
    }

    /// The vector of a block. `left` is that of the block to the left, `upper` those above and to
    /// the right above; none in the first row of a band.
    fn vector(&self, at: (usize, usize), left: Vector, upper: Option<[Vector; 2]>) -> Vector {
        let [above, right] = upper.unwrap_or([left; 2]);
        let whole = |vector: Vector| if self.level == 0 { vector.map(|v| (v + 2) >> 2) } else { vector };
        let size = self.block();
        let start = |at: usize| (at * size) as isize - (WINDOW - size) as isize / 2;
        let mut block = Block { x: start(at.0), y: start(at.1), expected: median(whole(left), whole(above), whole(right)) };
        let mut best = Best { vector: Vector::default(), sad: OUTSIDE, cost: NONE };
        if self.level == LEVELS - 1 {
            block.expected = Vector::default();
            for y in -FULL.1..=FULL.1 {
                let row: [Vector; 2 * FULL.0 as usize + 1] = std::array::from_fn(|x| Vector::new(x as i32 - FULL.0, y));
                self.compare(&block, &row, &mut best);
            }
        }
        let (predicted, count) = self.predicted(at, left, upper, whole);
        self.compare(&block, &predicted[..count], &mut best);
        if self.level == 0 && best.cost < self.costs.enough {
            return best.vector.map(|v| 4 * v);
        }
        let mut sums = None;
        for _ in 0..self.costs.steps {
            let centre = best.vector;
            let beside = self.step(&block, &mut best);
            if best.vector == centre {
                sums = Some((beside, best.sad));
                break;
            }
        }
        if self.level > 0 {
            return best.vector;
        }
        block.expected = median(left, above, right);
        let offset = match sums {
            Some((beside, centre)) => parabolas(beside, centre),
            None => parabolas(self.beside(&block, best.vector), best.sad),
        };
        self.refined(&block, at, (best.vector, offset), [(at.0 > 0).then_some(left), upper.map(|upper| upper[0])])
    }

    /// The candidates of blocks beside this one, above it, and of other searches.
    fn predicted(
        &self,
        at: (usize, usize),
        left: Vector,
        upper: Option<[Vector; 2]>,
        whole: impl Fn(Vector) -> Vector,
    ) -> ([Vector; MOST], usize) {
        let mut candidates = [Vector::default(); MOST];
        // The first candidate is zero.
        let mut count = 1;
        let mut add = |vector| {
            candidates[count] = vector;
            count += 1;
        };
        add(whole(left));
        upper.into_iter().flatten().for_each(|vector| add(whole(vector)));
        if let Some(above) = self.above {
            let parent = if self.level == 0 { at } else { (at.0 / 2, at.1 / 2) };
            above.around(parent, at).into_iter().for_each(|vector| add(vector.map(|v| 2 * v)));
        }
        for related in self.related {
            let block = |at: usize| ((at * self.block() + self.block() / 2) << self.level) >> 4;
            let vector = related.at(block(at.0), block(at.1));
            add(vector.map(|v| (v + (1 << (self.level + 1))) >> (self.level + 2)));
        }
        (candidates, count)
    }

    /// Takes a vector if it costs less than the best one; `distance` is the cost of its distance
    /// from the expected one.
    fn improve(&self, best: &mut Best, vector: Vector, sad: i32, distance: i32) {
        let motion = if vector == Vector::default() { 0 } else { self.costs.motion };
        let cost = sad + distance + motion;
        if cost < best.cost {
            *best = Best { vector, sad, cost };
        }
    }

    /// Compares candidates in whole samples. Returns their SADs.
    fn compare(&self, block: &Block, vectors: &[Vector], best: &mut Best) -> [i32; MOST] {
        let mut candidates: Candidates<usize, MOST> = Candidates::new();
        for (number, &vector) in vectors.iter().enumerate() {
            if let Some(at) = self.window_index(block, vector.x as isize, vector.y as isize) {
                candidates.push(vector, at, number);
            }
        }
        let (mut sads, mut all) = ([0; MOST], [OUTSIDE; MOST]);
        let sads = &mut sads[..candidates.count];
        self.sads(block, sads, &candidates.at);
        for ((&sad, vector), number) in sads.iter().zip(candidates.vectors).zip(candidates.numbers) {
            all[usize::from(number)] = sad.into();
            self.improve(best, vector, sad.into(), self.costs.distance * vector.distance(block.expected));
        }
        all
    }

    /// The vector in quarters of a sample: candidates around the `best` one in whole samples, those
    /// `beside` the block, and those of other searches.
    fn refined(
        &self,
        block: &Block,
        at: (usize, usize),
        (best, offset): (Vector, Vector),
        beside: [Option<Vector>; 2],
    ) -> Vector {
        let centre = best.map(|v| 4 * v);
        let mut candidates: Candidates<QuarterPosition, REFINED> = Candidates::new();
        let mut add = |vector: Vector| {
            if let Some(position) = self.position(block, vector) {
                candidates.push(vector, position, 0);
            }
        };
        add(centre);
        add(centre.moved(offset.x, offset.y));
        beside.into_iter().flatten().for_each(&mut add);
        self.related.iter().for_each(|related| add(related.at(at.0, at.1)));
        let mut best = Best { vector: Vector::default(), sad: OUTSIDE, cost: NONE };
        let mut sads = [0; REFINED];
        let (sads, vectors) = (&mut sads[..candidates.count], &candidates.vectors);
        self.quarter_sads(block, sads, &candidates.at, WINDOW / 2);
        for (&sad, &vector) in sads.iter().zip(vectors) {
            self.improve(&mut best, vector, sad.into(), (self.costs.distance * vector.distance(block.expected)) >> 2);
        }
        best.vector
    }

    /// Compares the eight neighbours of the best vector. Returns the SADs of those to the left, to
    /// the right, above, and below.
    fn step(&self, block: &Block, best: &mut Best) -> [i32; 4] {
        let centre = best.vector;
        let (x, y) = (centre.x as isize, centre.y as isize);
        let ends = [self.window_index(block, x - 1, y - 1), self.window_index(block, x + 1, y + 1)];
        let [Some(first), Some(_)] = ends else {
            let all = self.compare(block, &AROUND.map(|(x, y)| centre.moved(x, y)), best);
            return [all[0], all[1], all[2], all[3]];
        };
        // All of them are inside the range, and different.
        let at = AROUND.map(|(x, y)| first + (y + 1) as usize * self.pictures[1].stride() + (x + 1) as usize);
        let mut sads = [0; AROUND.len()];
        self.sads(block, &mut sads, &at);
        for (&sad, (x, y)) in sads.iter().zip(AROUND) {
            let vector = centre.moved(x, y);
            self.improve(best, vector, sad.into(), self.costs.distance * vector.distance(block.expected));
        }
        [sads[0], sads[1], sads[2], sads[3]].map(i32::from)
    }

    /// The SADs of the vectors to the left, to the right, above, and below.
    fn beside(&self, block: &Block, centre: Vector) -> [i32; 4] {
        let [left, right, above, below, ..] = AROUND;
        let around = [left, right, above, below].map(|(x, y)| centre.moved(x, y));
        // No candidate costs less: only the SADs are needed.
        let mut best = Best { vector: centre, sad: 0, cost: i32::MIN };
        let sads = self.compare(block, &around, &mut best);
        [sads[0], sads[1], sads[2], sads[3]]
    }

    /// Chooses the vectors of a row of half blocks from those of the blocks around them.
    pub fn split(&self, blocks: &Grid, y: usize, row: &mut [Vector]) {
        let near = |number: usize, half: usize, count: usize| match half % 2 {
            0 => number.saturating_sub(1),
            _ => (number + 1).min(count - 1),
        };
        let line = |y: usize| &blocks.vectors[y * blocks.width..][..blocks.width];
        let (own, other) = (line(y / 2), line(near(y / 2, y, blocks.height)));
        for (x, out) in row.iter_mut().enumerate() {
            let (at, beside) = (x / 2, near(x / 2, x, blocks.width));
            *out = self.half_block((x, y), [own[at], own[beside], other[at], other[beside]]);
        }
    }

    /// The vector of a half block; the first of `around` is that of its block, the others are those
    /// of the blocks beside it, above or below it, and at the corner between them.
    fn half_block(&self, (x, y): (usize, usize), around: [Vector; 4]) -> Vector {
        let [own, beside, above, corner] = around;
        let is_near = |vector: Vector| vector.x.abs_diff(own.x).max(vector.y.abs_diff(own.y)) <= 1;
        if is_near(beside) && is_near(above) && is_near(corner) {
            return own;
        }
        let block = Block { x: 8 * x as isize - 4, y: 8 * y as isize - 2, expected: own };
        let mut candidates: Candidates<QuarterPosition, 5> = Candidates::new();
        for vector in [own, beside, above, corner, Vector::default()] {
            if let Some(position) = self.position(&block, vector) {
                candidates.push(vector, position, 0);
            }
        }
        let mut sads = [0; 5];
        let (sads, vectors) = (&mut sads[..candidates.count], &candidates.vectors);
        self.quarter_sads(&block, sads, &candidates.at, 6);
        let mut best = Best { vector: own, sad: OUTSIDE, cost: NONE };
        for (&sad, &vector) in sads.iter().zip(vectors) {
            let sad = i32::from(sad);
            let cost = sad + if vector == own { 0 } else { SPLIT_COST };
            if cost < best.cost {
                best = Best { vector, sad, cost };
            }
        }
        best.vector
    }

    /// Index in the reference of a window moved by whole samples; none if the window lies more than
    /// [`MARGIN`] samples outside the picture.
    fn window_index(&self, block: &Block, x: isize, y: isize) -> Option<usize> {
        let reference = self.pictures[1];
        let (width, height) = reference.size();
        let inside = |at: isize, size: usize| at >= -MARGIN && at + WINDOW as isize <= size as isize + MARGIN;
        let (x, y) = (block.x + x, block.y + y);
        (inside(x, width) && inside(y, height)).then(|| reference.index(x, y))
    }

    /// The same for a vector in quarters of a sample.
    fn position(&self, block: &Block, vector: Vector) -> Option<QuarterPosition> {
        let at = self.window_index(block, (vector.x >> 2) as isize, (vector.y >> 2) as isize)?;
        Some(QuarterPosition { at, fraction: ((vector.x & 3) as u8, (vector.y & 3) as u8) })
    }

    fn sads(&self, block: &Block, sads: &mut [u16], at: &[usize]) {
        let [own, reference] = self.pictures;
        (self.kernels.block_sads)(sads, own.from(block.x, block.y), reference.data(), own.stride(), at);
    }

    fn quarter_sads(&self, block: &Block, sads: &mut [u16], at: &[QuarterPosition], lines: usize) {
        let [own, reference] = self.pictures;
        (self.kernels.quarter_sads)(sads, own.from(block.x, block.y), reference.data(), own.stride(), at, lines);
    }
}

/// Quarters of a sample to the least points of parabolas through the SADs to the left, to the
/// right, above, and below a vector, and its own.
fn parabolas([left, right, above, below]: [i32; 4], centre: i32) -> Vector {
    let offset = |before: i32, after: i32| {
        let (slope, curve) = (before - after, before + after - 2 * centre);
        let quarters = match 4 * slope.abs() {
            _ if curve <= 0 => 0,
            slope => i32::from(slope >= curve) + i32::from(slope >= 3 * curve),
        };
        if slope < 0 { -quarters } else { quarters }
    };
    Vector::new(offset(left, right), offset(above, below))
}
