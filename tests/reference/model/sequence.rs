//! §1.4: the steps of a stream, what one leaves to the next, and the end. §8.3: the statistics of a step.

use super::chroma::Completion;
use super::deinterlace::{Grid, Step, Target, complete_alone, current, offsets_of};
use super::denoise::{Block, Denoised, denoise, denoise_first};
use super::picture::{Plane, Surface};
use super::{Clip, Options, Output, Sampling, Scan, Statistics, film, noise};

/// What a step leaves to the next.
struct Past {
    /// Denoised, or the original when denoise is off.
    luma: Plane,
    /// As it came in.
    chroma: Vec<Plane>,
    blocks: Vec<Block>,
    stmm: Grid<i32>,
}

/// The frames that leave, in order of time, and a row of statistics for every frame of the clip.
pub fn run(clip: &Clip, options: &Options) -> (Vec<Output>, Vec<Statistics>) {
    let interlaced = options.scan != Scan::Progressive;
    assert!(!interlaced || clip.height.is_multiple_of(2), "an interlaced picture has an even height");
    let first = i32::from(options.scan == Scan::BottomFirst);
    let stream = Stream { clip, options, interlaced, deinterlace: options.deinterlace && interlaced, first };

    let mut outputs = Vec::new();
    let mut rows = Vec::new();
    let mut past = None;
    for n in 0..clip.frames.len() {
        let (left, row) = stream.step(n, past.as_ref(), &mut outputs);
        past = Some(left);
        rows.push(row);
    }
    if let (Some(past), true) = (past, stream.deinterlace) {
        outputs.push(stream.end(&past));
    }
    (outputs, rows)
}

struct Stream<'a> {
    clip: &'a Clip,
    options: &'a Options,
    interlaced: bool,
    deinterlace: bool,
    /// Parity of the first field.
    first: i32,
}

impl Stream<'_> {
    /// Step n: appends its outputs.
    fn step(&self, n: usize, past: Option<&Past>, outputs: &mut Vec<Output>) -> (Past, Statistics) {
        let (luma, chroma) = self.planes(n);
        let params = &self.options.params;
        let mut row = Statistics { step: n as u64, ..Statistics::default() };

        let block_height = if self.deinterlace { 4 } else { 8 };
        noise::measure(&luma, block_height, params, &mut row);

        let Denoised { luma: clean, blocks } = match past {
            _ if !self.options.denoise => Denoised { luma: luma.clone(), blocks: vec![] },
            None => denoise_first(&luma, params),
            Some(past) => denoise(&luma, &past.luma, &past.blocks, params),
        };
        row.motion_blocks = blocks.iter().filter(|block| block.motion).count() as u64;
        row.history_sum = blocks.iter().map(|block| block.history as u64).sum();

        let mut left = Past { luma: clean, chroma, blocks, stmm: vec![] };
        if self.deinterlace {
            let c = |block_row| current(&luma, &left.luma, block_row, self.first);
            let p = past.map(|past| Surface::Previous(&past.luma));
            row.v = film::variances(luma.width, luma.height, c, p, params);
            left.stmm = match past {
                None => self.first_step(&luma, &left, outputs),
                Some(past) => self.later_step(n, &luma, past, &left, outputs),
            };
            row.stmm_sum = left.stmm.iter().flatten().map(|&stmm| stmm as u64).sum();
        } else {
            let [_, u, v] = self.clip.frames[n].clone();
            outputs.push(Output { time: 2 * n as u64, planes: [left.luma.clone().into_samples(), u, v] });
        }
        (left, row)
    }

    /// First step: `cur1` by spatial deinterlacing. Gives the STMM surface.
    fn first_step(&self, luma: &Plane, now: &Past, outputs: &mut Vec<Output>) -> Grid<i32> {
        let kept = |y: i32| current(luma, &now.luma, y / 4, self.first);
        let missing = Target::Cur1.missing(self.first);
        let offsets = offsets_of(luma.width, luma.height, missing, kept, &self.options.params);
        let completed = complete_alone(&now.luma, missing, kept, &offsets);
        let chroma = self.chroma(None, Some(now), Target::Cur1, 0, &offsets, None);
        outputs.push(output(0, completed, chroma));
        vec![vec![255; self.clip.width.div_ceil(2)]; self.clip.height]
    }

    /// Any later step: `prev2` and `cur1`. Gives the STMM surface.
    fn later_step(&self, n: usize, luma: &Plane, past: &Past, now: &Past, outputs: &mut Vec<Output>) -> Grid<i32> {
        let step =
            Step { original: luma, denoised: &now.luma, previous: &past.luma, first: self.first, params: &self.options.params };
        let decisions = step.decide(&past.stmm);
        let (prev2, cur1) = self.codes(n);
        for (time, target, code) in [(2 * n - 1, Target::Prev2, prev2), (2 * n, Target::Cur1, cur1)] {
            let completed = step.complete(target, code, &decisions);
            let chroma = self.chroma(Some(past), Some(now), target, code, &decisions.offsets, Some(&decisions.stmm3));
            outputs.push(output(time, completed, chroma));
        }
        decisions.stmm2
    }

    /// End of the stream: the second field of the last frame, alone or woven with the first [I-3].
    fn end(&self, past: &Past) -> Output {
        let frames = self.clip.frames.len();
        let kept = |_| Surface::Previous(&past.luma);
        let missing = Target::Prev2.missing(self.first);
        let offsets = offsets_of(past.luma.width, past.luma.height, missing, kept, &self.options.params);
        // Only code 1 means something here: there is no next field.
        let code = u8::from(self.codes(frames).0 == 1);
        let completed = if code == 1 { past.luma.clone() } else { complete_alone(&past.luma, missing, kept, &offsets) };
        let chroma = self.chroma(Some(past), None, Target::Prev2, code, &offsets, None);
        output(2 * frames - 1, completed, chroma)
    }

    /// The chroma planes of an output, in the format asked for.
    fn chroma(
        &self,
        previous: Option<&Past>,
        current: Option<&Past>,
        target: Target,
        code: u8,
        offsets: &Grid<i32>,
        stmm3: Option<&Grid<i32>>,
    ) -> [Vec<u8>; 2] {
        [0, 1].map(|plane| {
            if self.clip.sampling == Sampling::Mono {
                return vec![];
            }
            let completion = Completion {
                sampling: self.clip.sampling,
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

    /// Luma and chroma of frame n as they came in.
    fn planes(&self, n: usize) -> (Plane, Vec<Plane>) {
        let Clip { width, height, sampling, .. } = *self.clip;
        let [y, u, v] = &self.clip.frames[n];
        let (chroma_width, chroma_height) = sampling.chroma_size(width, height);
        let chroma = [u, v].map(|plane| Plane::new(chroma_width, chroma_height, self.interlaced, plane.clone()));
        (Plane::new(width, height, self.interlaced, y.clone()), chroma.into())
    }

    /// The cadence codes (prev2, cur1) of a step.
    fn codes(&self, step: usize) -> (u8, u8) {
        self.options.cadence.get(step).copied().unwrap_or((0, 0))
    }
}

fn output(time: usize, luma: Plane, [u, v]: [Vec<u8>; 2]) -> Output {
    Output { time: time as u64, planes: [luma.into_samples(), u, v] }
}
