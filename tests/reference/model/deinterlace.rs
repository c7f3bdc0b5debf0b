//! §3: the decisions of a step for every pair, and the luma of the two frames that it completes
//! (§3.7, §3.8).

use super::Params;
use super::angle::{final_offsets, sdi, tdi};
use super::motion::{blend, complexity, stmm2, stmm3};
use super::picture::{Plane, Surface};
use super::search::{Match, di, search};

/// A value for every pair of every line: `grid[y][x / 2]`.
pub type Grid<T> = Vec<Vec<T>>;

/// The outputs of a step (§1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Prev2,
    Cur1,
}

/// The two frames of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    Previous,
    Current,
}

impl Target {
    /// The frame whose field is completed: K of the specification.
    pub fn kept(self) -> Frame {
        match self {
            Target::Prev2 => Frame::Previous,
            Target::Cur1 => Frame::Current,
        }
    }

    /// Parity of the missing lines; `first` is the parity of the first field.
    pub fn missing(self, first: i32) -> i32 {
        match self {
            Target::Prev2 => first,
            Target::Cur1 => 1 - first,
        }
    }
}

/// §3.8: the frame whose field is woven in; none for code 0. The codes mean the same for both
/// outputs.
pub fn woven(code: u8) -> Option<Frame> {
    match code {
        0 => None,
        1 => Some(Frame::Previous),
        2 => Some(Frame::Current),
        _ => panic!("cadence code {code}"),
    }
}

/// Decisions for the missing lines of both outputs. Each line is missing in exactly one output, so
/// that one grid contains both.
pub struct Decisions {
    /// The next step reads it.
    pub stmm2: Grid<i32>,
    pub stmm3: Grid<i32>,
    /// o_final.
    pub offsets: Grid<i32>,
    matches: Grid<Match>,
}

/// Luma of a step that has a previous frame.
pub struct Step<'a> {
    pub original: &'a Plane,
    pub denoised: &'a Plane,
    pub previous: &'a Plane,
    /// Parity of the first field.
    pub first: i32,
    pub params: &'a Params,
}

impl Step<'_> {
    /// `C` of the block row of line y.
    fn c(&self, y: i32) -> Surface<'_> {
        current(self.original, self.denoised, y / 4, self.first)
    }

    fn p(&self) -> Surface<'_> {
        Surface::previous(self.previous)
    }

    /// K and R of the output in which line y is missing.
    fn kept_and_other(&self, y: i32) -> (Surface<'_>, Surface<'_>) {
        if y & 1 == Target::Cur1.missing(self.first) { (self.c(y), self.p()) } else { (self.p(), self.c(y)) }
    }

    /// The results of §3.1 to §3.5 for every pair. `stored` is the STMM surface of the previous
    /// step.
    pub fn decide(&self, stored: &Grid<i32>) -> Decisions {
        let mut decisions = Decisions { stmm2: vec![], stmm3: vec![], offsets: vec![], matches: vec![] };
        let width = self.original.width;
        for y in 0..self.original.height {
            // §9.2: decisions read v8.
            let (kept, other) = self.kept_and_other(y);
            let (kept, other) = (kept.reduced(), other.reduced());
            let pairs = (0..width).step_by(2);
            let line: Vec<i32> = pairs
                .clone()
                .map(|x| {
                    let scm = complexity(&kept, x, y, self.params).scm;
                    stmm2(&self.c(y).reduced(), &self.p().reduced(), x, y, scm, stored[y as usize][(x / 2) as usize], self.params)
                })
                .collect();
            decisions.stmm3.push((0..line.len()).map(|pair| stmm3(&line, pair)).collect());
            decisions.stmm2.push(line);
            decisions.offsets.push(final_offsets(&kept, width, y, self.params));
            decisions.matches.push(pairs.map(|x| search(&kept, &other, x, y)).collect());
        }
        decisions
    }

    /// The luma of an output.
    pub fn complete(&self, target: Target, code: u8, decisions: &Decisions) -> Plane {
        let of = |frame| match frame {
            Frame::Previous => self.previous,
            Frame::Current => self.denoised,
        };
        join(of(target.kept()), target.missing(self.first), |x, y| match woven(code) {
            Some(frame) => of(frame).at(x, y),
            None => self.interpolate(x, y, decisions),
        })
    }

    /// §3.7: the pixel (x, y) of the output in which line y is missing.
    fn interpolate(&self, x: i32, y: i32, decisions: &Decisions) -> i32 {
        let (kept, other) = self.kept_and_other(y);
        let (line, pair) = (y as usize, (x / 2) as usize);
        let o = decisions.offsets[line][pair];
        let di = if self.params.mcdi_enable == 1 {
            di(&kept, &other, x, y, o, &decisions.matches, self.params)
        } else {
            sdi(&kept, x, y, o)
        };
        blend(decisions.stmm3[line][pair], tdi(&self.c(y), &self.p(), x, y), di, self.params)
    }
}

/// §1.5: the view `C` of a block row.
pub fn current<'a>(original: &'a Plane, denoised: &'a Plane, block_row: i32, first: i32) -> Surface<'a> {
    Surface::current(original, denoised, block_row, first == 0)
}

/// The angles of the missing lines, for the first step and the end of the stream; other lines are
/// empty.
pub fn offsets_of<'a>(width: i32, height: i32, missing: i32, kept: impl Fn(i32) -> Surface<'a>, params: &Params) -> Grid<i32> {
    let line = |y: i32| if y & 1 == missing { final_offsets(&kept(y).reduced(), width, y, params) } else { vec![] };
    (0..height).map(line).collect()
}

/// First step and end of the stream: the missing lines are `sdi` (§3.7).
pub fn complete_alone<'a>(plane: &Plane, missing: i32, kept: impl Fn(i32) -> Surface<'a>, offsets: &Grid<i32>) -> Plane {
    join(plane, missing, |x, y| sdi(&kept(y), x, y, offsets[y as usize][(x / 2) as usize]))
}

/// A frame with the existing lines of `plane` and with `sample` on the missing lines.
fn join(plane: &Plane, missing: i32, sample: impl Fn(i32, i32) -> i32) -> Plane {
    Plane::from_fn(
        plane.width,
        plane.height,
        true,
        plane.depth,
        |x, y| if y & 1 == missing { sample(x, y) } else { plane.at(x, y) },
    )
}
