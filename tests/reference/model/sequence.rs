//! §1.4: the steps of a stream, the state between them, and the end. §8.3: the statistics of a
//! step.

use super::chroma::{Completion, widened};
use super::deinterlace::{Grid, Step, Target, complete_alone, current, offsets_of};
use super::denoise::{Block, Denoised, denoise, denoise_first};
use super::picture::{Plane, Surface};
use super::{Clip, Deinterlacer, Options, Output, Params, Sampling, Scan, Statistics, balanced, best, film, noise};

/// The state after a step, which the next step reads.
struct State {
    /// Denoised, or the original if denoise is off.
    luma: Plane,
    /// Denoised, or that of the input if chroma denoising is off.
    chroma: Vec<Plane>,
    blocks: Vec<Block>,
    chroma_blocks: Vec<Vec<Block>>,
    stmm: Grid<i32>,
}

/// The outputs in order of time, and a row of statistics for each frame of the clip.
pub fn run(clip: &Clip, options: &Options) -> (Vec<Output>, Vec<Statistics>) {
    let interlaced = options.scan != Scan::Progressive;
    assert!(!interlaced || clip.height.is_multiple_of(2), "an interlaced picture has an even height");
    let first = i32::from(options.scan == Scan::BottomFirst);
    let deinterlace = options.deinterlace && interlaced;
    let widens = deinterlace && options.chroma_denoise.is_some() && clip.sampling == Sampling::C411;
    let is_gen6 = options.deinterlacer == Deinterlacer::Gen6;
    let stream = Stream { clip, options, interlaced, deinterlace, is_gen6, first, widens };

    let mut outputs = Vec::new();
    let mut rows = Vec::new();
    let mut state = None;
    let mut frames = Vec::new();
    for n in 0..clip.frames.len() {
        let (next, row) = stream.step(n, state.as_ref(), &mut outputs);
        if deinterlace && !is_gen6 {
            frames.push(stream.completed_later(&next));
        }
        state = Some(next);
        rows.push(row);
    }
    if deinterlace && !is_gen6 {
        return (stream.completed(&frames), rows);
    }
    if let (Some(last), true) = (state, stream.deinterlace) {
        outputs.push(stream.end(&last));
    }
    (outputs, rows)
}

/// The fields of a clip, without denoising, that follow a scene cut (§14.1).
pub fn scene_cuts(clip: &Clip, options: &Options) -> Vec<usize> {
    let luma: Vec<Plane> =
        clip.frames.iter().map(|[y, ..]| Plane::new(clip.width, clip.height, true, clip.depth, y.clone())).collect();
    balanced::scene_cuts(&luma, i32::from(options.scan == Scan::BottomFirst))
}

struct Stream<'a> {
    clip: &'a Clip,
    options: &'a Options,
    interlaced: bool,
    deinterlace: bool,
    is_gen6: bool,
    /// Parity of the first field.
    first: i32,
    /// Whether 4:1:1 becomes 4:2:2 before its chroma is denoised, not after.
    widens: bool,
}

impl Stream<'_> {
    /// Step n: appends its outputs.
    fn step(&self, n: usize, previous: Option<&State>, outputs: &mut Vec<Output>) -> (State, Statistics) {
        let (luma, chroma) = self.planes(n);
        let params = &self.options.params;
        let mut row = Statistics { step: n as u64, ..Statistics::default() };

        let block_height = if self.deinterlace { 4 } else { 8 };
        noise::measure(&luma, block_height, params, &mut row);

        let before = previous.map(|previous| (&previous.luma, &previous.blocks[..]));
        let Denoised { plane: denoised, blocks } = filtered(&luma, before, self.options.denoise.then_some(params));
        let chroma = chroma.iter().enumerate().map(|(i, plane)| {
            let before = previous.map(|previous| (&previous.chroma[i], &previous.chroma_blocks[i][..]));
            filtered(plane, before, self.options.chroma_denoise.as_ref())
        });
        let (chroma, chroma_blocks) = chroma.map(|Denoised { plane, blocks }| (plane, blocks)).unzip();
        row.motion_blocks = blocks.iter().filter(|block| block.motion).count() as u64;
        row.history_sum = blocks.iter().map(|block| block.history as u64).sum();

        let mut state = State { luma: denoised, chroma, blocks, chroma_blocks, stmm: vec![] };
        if self.deinterlace {
            let c = |block_row| current(&luma, &state.luma, block_row, self.first).reduced();
            let p = previous.map(|previous| Surface::previous(&previous.luma).reduced());
            row.v = film::variances(luma.width, luma.height, c, p, params);
        }
        if self.deinterlace && self.is_gen6 {
            state.stmm = match previous {
                None => self.first_step(&luma, &state, outputs),
                Some(previous) => self.later_step(n, &luma, previous, &state, outputs),
            };
            row.stmm_sum = state.stmm.iter().flatten().map(|&stmm| stmm as u64).sum();
        } else if !self.deinterlace {
            let [u, v] = [0, 1].map(|i: usize| state.chroma[i].clone().into_samples());
            outputs.push(Output { time: 2 * n as u64, planes: [state.luma.clone().into_samples(), u, v] });
        }
        (state, row)
    }

    /// First step: `cur1` by spatial deinterlacing. Returns the STMM surface.
    fn first_step(&self, luma: &Plane, state: &State, outputs: &mut Vec<Output>) -> Grid<i32> {
        let kept = |y: i32| current(luma, &state.luma, y / 4, self.first);
        let missing = Target::Cur1.missing(self.first);
        let offsets = offsets_of(luma.width, luma.height, missing, kept, &self.options.params);
        let completed = complete_alone(&state.luma, missing, kept, &offsets);
        let chroma = self.chroma(None, Some(state), Target::Cur1, 0, &offsets, None);
        let stmm = vec![vec![255; self.clip.width.div_ceil(2)]; self.clip.height];
        outputs.push(output(0, self.deflickered(completed, 0, &stmm), chroma));
        stmm
    }

    /// Any later step: `prev2` and `cur1`. Returns the STMM surface.
    fn later_step(&self, n: usize, luma: &Plane, previous: &State, state: &State, outputs: &mut Vec<Output>) -> Grid<i32> {
        let step = Step {
            original: luma,
            denoised: &state.luma,
            previous: &previous.luma,
            first: self.first,
            params: &self.options.params,
        };
        let decisions = step.decide(&previous.stmm);
        let (prev2, cur1) = self.codes(n);
        for (time, target, code) in [(2 * n - 1, Target::Prev2, prev2), (2 * n, Target::Cur1, cur1)] {
            let completed = step.complete(target, code, &decisions);
            let chroma = self.chroma(Some(previous), Some(state), target, code, &decisions.offsets, Some(&decisions.stmm3));
            outputs.push(output(time, self.deflickered(completed, code, &decisions.stmm2), chroma));
        }
        decisions.stmm2
    }

    /// End of the stream: the second field of the last frame, completed alone or woven with the
    /// first field [I-3].
    fn end(&self, last: &State) -> Output {
        let frames = self.clip.frames.len();
        let kept = |_| Surface::previous(&last.luma);
        let missing = Target::Prev2.missing(self.first);
        let offsets = offsets_of(last.luma.width, last.luma.height, missing, kept, &self.options.params);
        // Only code 1 has an effect: there is no next field.
        let code = u8::from(self.codes(frames).0 == 1);
        let completed = if code == 1 { last.luma.clone() } else { complete_alone(&last.luma, missing, kept, &offsets) };
        let chroma = self.chroma(Some(last), None, Target::Prev2, code, &offsets, None);
        // The last step's surface: there is no later one.
        output(2 * frames - 1, self.deflickered(completed, code, &last.stmm), chroma)
    }

    /// §13.12, of an output with a cadence code.
    fn deflickered(&self, luma: Plane, code: u8, stmm: &Grid<i32>) -> Plane {
        let Some(lut) = self.options.deflicker.filter(|_| code == 0) else { return luma };
        Plane::from_fn(luma.width, luma.height, false, luma.depth, |x, y| {
            let (p, c, n) = (luma.at_line(x, y - 1), luma.at_line(x, y), luma.at_line(x, y + 1));
            let w = lut[(stmm[y as usize][x as usize / 2] >> 5) as usize];
            let w = if w == 255 { 256 } else { w };
            (w * ((n + 2 * c + p + 2) >> 2) + (256 - w) * c + 128) >> 8
        })
    }

    /// The planes of a frame that §14 and §15 read.
    fn completed_later(&self, state: &State) -> balanced::Planes {
        let chroma = state.chroma.iter().filter(|_| self.clip.sampling != Sampling::Mono).map(|plane| {
            if self.clip.sampling != Sampling::C411 || self.widens {
                return plane.clone();
            }
            let (width, height) = (self.clip.width.div_ceil(2) as i32, self.clip.height as i32);
            Plane::from_fn(width, height, true, self.clip.depth, |x, y| widened(plane, x, y))
        });
        std::iter::once(state.luma.clone()).chain(chroma).collect()
    }

    /// The outputs of §14 or §15.
    fn completed(&self, frames: &[balanced::Planes]) -> Vec<Output> {
        let outputs = match self.options.deinterlacer {
            Deinterlacer::Best => best::outputs,
            _ => balanced::outputs,
        };
        let outputs = outputs(frames, self.clip.sampling, self.first, self.options);
        let outputs = outputs.into_iter().enumerate().map(|(time, planes)| {
            let mut planes = planes.into_iter().map(Plane::into_samples);
            Output { time: time as u64, planes: std::array::from_fn(|_| planes.next().unwrap_or_default()) }
        });
        outputs.collect()
    }

    /// The chroma planes of an output, in the output format.
    fn chroma(
        &self,
        previous: Option<&State>,
        current: Option<&State>,
        target: Target,
        code: u8,
        offsets: &Grid<i32>,
        stmm3: Option<&Grid<i32>>,
    ) -> [Vec<u16>; 2] {
        [0, 1].map(|plane| {
            if self.clip.sampling == Sampling::Mono {
                return vec![];
            }
            let completion = Completion {
                sampling: if self.widens { Sampling::C422 } else { self.clip.sampling },
                depth: self.clip.depth,
                width: self.clip.width as i32,
                height: self.clip.height as i32,
                previous: previous.map(|frame| &frame.chroma[plane]),
                current: current.map(|frame| &frame.chroma[plane]),
                first: self.first,
                target,
                code,
                offsets,
                stmm3,
                params: &self.options.params,
            };
            completion.plane(self.options.chroma)
        })
    }

    /// Luma and chroma of input frame n.
    fn planes(&self, n: usize) -> (Plane, Vec<Plane>) {
        let Clip { width, height, sampling, depth, .. } = *self.clip;
        let [y, u, v] = &self.clip.frames[n];
        let (chroma_width, chroma_height) = sampling.chroma_size(width, height);
        let chroma = [u, v].map(|plane| Plane::new(chroma_width, chroma_height, self.interlaced, depth, plane.clone()));
        let chroma = chroma.map(|plane| {
            let size = ((self.clip.width as i32 + 1) / 2, self.clip.height as i32);
            let widened = |plane| Plane::from_fn(size.0, size.1, true, depth, |x, y| widened(plane, x, y));
            if self.widens { widened(&plane) } else { plane }
        });
        (Plane::new(width, height, self.interlaced, depth, y.clone()), chroma.into())
    }

    /// The cadence codes (prev2, cur1) of a step.
    fn codes(&self, step: usize) -> (u8, u8) {
        self.options.cadence.get(step).copied().unwrap_or((0, 0))
    }
}

/// A plane after the filter with these parameters; unchanged without parameters. `previous` is the
/// plane of the previous frame after the filter, with its blocks.
fn filtered(plane: &Plane, previous: Option<(&Plane, &[Block])>, params: Option<&Params>) -> Denoised {
    match (params, previous) {
        (None, _) => Denoised { plane: plane.clone(), blocks: vec![] },
        (Some(params), None) => denoise_first(plane, params),
        (Some(params), Some((previous, blocks))) => denoise(plane, previous, blocks, params),
    }
}

fn output(time: usize, luma: Plane, [u, v]: [Vec<u16>; 2]) -> Output {
    Output { time: time as u64, planes: [luma.into_samples(), u, v] }
}
