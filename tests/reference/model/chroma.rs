//! §1.6 and §3.6: one chroma plane of an output, up-sampled, completed and converted to the output
//! format.

use super::deinterlace::{Frame, Grid, Target, woven};
use super::motion::blend;
use super::picture::{Plane, avg, clamp_to_field};
use super::{Chroma, Params, Sampling};

/// The inputs of one chroma plane of one output.
pub struct Completion<'a> {
    /// Of the input.
    pub sampling: Sampling,
    pub depth: u32,
    /// Of the luma.
    pub width: i32,
    pub height: i32,
    /// The plane of the previous and of the current input frame. The first step has no previous
    /// one, the end of the stream no current one.
    pub previous: Option<&'a Plane>,
    pub current: Option<&'a Plane>,
    /// Parity of the first field.
    pub first: i32,
    pub target: Target,
    pub code: u8,
    /// o_final of the missing lines.
    pub offsets: &'a Grid<i32>,
    /// None on the first step and at the end of the stream.
    pub stmm3: Option<&'a Grid<i32>>,
    pub params: &'a Params,
}

/// §1.6: sample x of the 4:2:2 chroma made from 4:1:1.
pub fn widened(input: &Plane, x: i32, y: i32) -> i32 {
    if x % 2 == 0 { input.at(x / 2, y) } else { avg(input.at(x / 2, y), input.at(x / 2 + 1, y)) }
}

impl Completion<'_> {
    /// §1.6: the plane in the output format; 4:2:0 rows of woven frames are those of the source
    /// fields [I-6].
    pub fn plane(&self, chroma: Chroma) -> Vec<u16> {
        let native = Plane::from_fn(self.surface_width(), self.height, true, self.depth, |x, y| self.native(x, y));
        let chroma = match (self.sampling, chroma) {
            (Sampling::Mono | Sampling::C444, _) => Chroma::C422,
            (Sampling::C420, Chroma::Same) => Chroma::C420,
            (_, Chroma::Same) => Chroma::C422,
            (_, chroma) => chroma,
        };
        let rows =
            |row: &dyn Fn(i32, i32) -> i32| Plane::from_fn(native.width, self.height / 2, true, self.depth, row).into_samples();
        match (chroma, woven(self.code)) {
            (Chroma::C420 | Chroma::C420Drop, Some(frame)) if self.sampling == Sampling::C420 => rows(&|x, j| {
                let frame = if j & 1 == self.target.missing(self.first) { frame } else { self.target.kept() };
                self.input(frame).at(x, j)
            }),
            (Chroma::C420, _) => rows(&|x, j| avg(native.at(x, 2 * j), native.at(x, 2 * j + 1))),
            (Chroma::C420Drop, _) => rows(&|x, j| native.at(x, 2 * j)),
            _ => native.into_samples(),
        }
    }

    /// Width of the surface that the deinterlacer works on.
    fn surface_width(&self) -> i32 {
        if self.sampling == Sampling::C444 { self.width } else { (self.width + 1) / 2 }
    }

    /// The pair that chroma column x' belongs to.
    fn pair(&self, x: i32) -> usize {
        (if self.sampling == Sampling::C444 { x >> 1 } else { x }) as usize
    }

    fn input(&self, frame: Frame) -> &Plane {
        match frame {
            Frame::Previous => self.previous,
            Frame::Current => self.current,
        }
        .expect("the step has this frame")
    }

    /// A sample of the 4:2:2 (or 4:4:4) output.
    fn native(&self, x: i32, y: i32) -> i32 {
        if y & 1 != self.target.missing(self.first) {
            return self.upsampled(self.target.kept(), x, y);
        }
        if let Some(frame) = woven(self.code) {
            return self.upsampled(frame, x, y);
        }
        let (c90, c3) = self.spatial(x, y);
        let Some(stmm3) = self.stmm3 else { return c3 };
        let s = stmm3[y as usize][self.pair(x)];
        let csdi = blend(s, c90, c3, self.params);
        let ctdi = avg(self.upsampled(Frame::Current, x, y), self.upsampled(Frame::Previous, x, y));
        blend(s, ctdi, csdi, self.params)
    }

    /// `c90` and `c3` of a missing sample.
    fn spatial(&self, x: i32, y: i32) -> (i32, i32) {
        let o = self.offsets[y as usize][self.pair(x)];
        let kept = |x: i32, y: i32| self.upsampled(self.target.kept(), x, y);
        let along = |o: i32| avg(kept(x + o, y - 1), kept(x - o, y + 1));
        let c90 = along(0);
        let c3 = match (self.sampling, o) {
            (Sampling::C444, o) => along(o), // [I-5]
            (_, 0) => c90,
            (_, -1 | 1) => avg(c90, along(o)),
            (_, o) => along(o.signum()),
        };
        (c90, c3)
    }

    /// The up-sampled chroma of a frame. Like any surface, it clamps coordinates first (§1.2).
    fn upsampled(&self, frame: Frame, x: i32, y: i32) -> i32 {
        let input = self.input(frame);
        let (x, y) = (x.clamp(0, self.surface_width() - 1), clamp_to_field(y, self.height));
        match self.sampling {
            Sampling::Mono => unreachable!("mono has no chroma"),
            Sampling::C422 | Sampling::C444 => input.at(x, y),
            Sampling::C411 => widened(input, x, y),
            Sampling::C420 => self.doubled(frame, x, y),
        }
    }

    /// §3.6: 4:2:0 doubled inside the field of line y.
    fn doubled(&self, frame: Frame, x: i32, y: i32) -> i32 {
        let input = self.input(frame);
        // Rows 0, 2, 4… are lines 0, 2, 4… of the top field, rows 1, 3, 5… lines 1, 3, 5… of the
        // bottom field.
        let (parity, f) = (y & 1, y >> 1);
        if f & 1 == parity {
            return input.at(x, f);
        }
        // Rows of one field are two apart, and the plane clamps to the same field.
        let spatial = avg(input.at(x, f - 1), input.at(x, f + 1));
        let Some(stmm3) = self.stmm3 else { return spatial };
        let line = if parity == self.target.missing(self.first) { y } else { y ^ 1 };
        blend(stmm3[line as usize][x as usize], self.temporal(frame, parity, x, f), spatial, self.params)
    }

    /// Row f from the fields before and after this one, which contain it [I-12].
    fn temporal(&self, frame: Frame, parity: i32, x: i32, f: i32) -> i32 {
        let (previous, current) = (self.input(Frame::Previous).at(x, f), self.input(Frame::Current).at(x, f));
        match (frame, parity == self.first) {
            // Previous 1st: after it, previous 2nd. Current 2nd: before it, current 1st.
            (Frame::Previous, true) => previous,
            (Frame::Current, false) => current,
            // Previous 2nd and current 1st: between a field of each frame.
            (Frame::Previous, false) | (Frame::Current, true) => avg(previous, current),
        }
    }
}
