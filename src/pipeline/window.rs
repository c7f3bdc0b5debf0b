//! Deinterlacing with look-ahead (§14): the frames around the one whose fields are completed, and
//! both of its outputs.
use super::context::{Scratch, StepContext, TILING, Tiling};
use super::field_scratch::{FieldScratch, LineScratch, tops, with_margin};
use super::neighbours::{Neighbours, Views};
use super::picture::Picture;
use super::settings::{ChromaPath, Settings};
use crate::adapt::field_cuts::{FieldCuts, FieldLook};
use crate::deinterlace::balanced;
use crate::deinterlace::best::{Field, Sequence};
use crate::deinterlace::chroma::Store;
use crate::deinterlace::fields::Component;
use crate::deinterlace::steady::SteadyCells;
use crate::deinterlace::woven_parts::WovenParts;
use crate::deinterlace::{Deinterlacer, PixelSources};
use crate::field_match::{CombMask, FieldMatch};
use crate::format::Sampling;
use crate::frame::{Frame, PlaneSample};
use crate::memory::OutOfMemory;
use crate::plane::BandMut;
use crate::plane::top_lines::TopLines;
use crate::scratch_pool::ScratchPool;
use rayon::prelude::*;
use std::ops::Range;

/// The state of a deinterlacer that reads the next frame, beyond the current and the previous
/// frame. It completes the previous one.
#[derive(Debug)]
pub(super) struct Window<S> {
    /// The frame before the previous one.
    pub older: Picture<S>,
    /// The scene cuts of the luma.
    cuts: FieldCuts,
    /// The field match and the comb mask of the first field of the last frame.
    waiting: (FieldMatch, CombMask),
    /// Whether the output of the first field of the last frame is needed.
    pub wants_first: bool,
    /// Memory of the next `waiting` mask.
    next_mask: CombMask,
    /// Whether the last frame was completed: the stream has ended.
    pub ended: bool,
    /// The pictures and the motion of [`Deinterlacer::Best`].
    pub best: Option<Sequence<S>>,
    /// The steady cells around both fields of the frame that is completed.
    pub steady: [SteadyCells; 2],
}

impl<S: PlaneSample> Window<S> {
    pub fn new(settings: &Settings) -> Result<Window<S>, OutOfMemory> {
        let waiting = (FieldMatch::Deinterlace, CombMask::default());
        let luma = (settings.format.width, settings.format.height);
        let best = (settings.deinterlacer == Deinterlacer::Best).then(|| Sequence::new(luma, settings.held_chroma_size()));
        Ok(Window {
            older: Picture::new(settings)?,
            cuts: FieldCuts::default(),
            waiting,
            wants_first: true,
            next_mask: CombMask::default(),
            ended: false,
            best: best.transpose()?,
            steady: [SteadyCells::new(luma)?, SteadyCells::new(luma)?],
        })
    }

    /// Copies the comb mask of the first field of the next frame. After an error nothing has
    /// changed.
    pub fn prepare(&mut self, mask: Option<&CombMask>) -> Result<(), OutOfMemory> {
        self.next_mask = mask.map_or(Ok(CombMask::default()), CombMask::try_clone)?;
        Ok(())
    }

    /// The field match of the first field of the last frame.
    pub fn waiting_match(&self) -> FieldMatch {
        self.waiting.0
    }

    /// Exchanges the match and the mask of the first field of the last frame with those of the next
    /// one, whose mask was [prepared](Window::prepare).
    pub fn exchange(&mut self, field_match: FieldMatch) -> (FieldMatch, CombMask) {
        std::mem::replace(&mut self.waiting, (field_match, std::mem::take(&mut self.next_mask)))
    }

    /// Finds the scene cuts before both fields of a frame.
    pub fn find_cuts(&mut self, context: StepContext, frame: &mut Picture<S>, is_first: bool) {
        let depth = context.settings.working_depth();
        let first = context.first_line();
        self.ended &= !is_first;
        if let Some(best) = self.best.as_mut().filter(|_| is_first) {
            best.reset();
        }
        if is_first {
            self.cuts.reset();
        }
        let fields = [first, 1 - first].map(|line| FieldLook::of(frame.luma.samples.frame(), context.size(), line, depth));
        frame.cuts = self.cuts.next(fields);
    }
}

/// Both outputs of a frame.
#[derive(Clone, Copy)]
struct Outputs<'a, S> {
    neighbours: Neighbours<'a, S>,
    /// Field match and comb mask of each.
    matches: [(FieldMatch, Option<&'a CombMask>); 2],
    /// Whether each is needed.
    wanted: [bool; 2],
    /// The steady cells around each.
    steady: &'a [SteadyCells; 2],
    /// The pictures of both fields, if they are complete.
    complete: Option<&'a Sequence<S>>,
}

impl<S: PlaneSample> Outputs<'_, S> {
    /// Whether lines are completed, in all or in parts of a picture.
    fn need_decisions(&self) -> bool {
        let is_completed = |field: usize| {
            let (field_match, mask) = self.matches[field];
            self.wanted[field] && (mask.is_some() || self.neighbours.woven(field == 1, field_match).is_none())
        };
        self.complete.is_none() && (is_completed(0) || is_completed(1))
    }
}

/// A plane of an output.
#[derive(Clone, Copy)]
struct Plane<'a, S> {
    input: balanced::Input<'a, S>,
    /// The woven plane, if the output is woven.
    woven: Option<WovenParts<'a, S>>,
    /// Samples in a line.
    width: usize,
    /// Parity of the missing lines.
    missing: usize,
    /// The picture of the field, if it is complete: the sequence, whether it is that of the second
    /// field, and the plane.
    complete: Option<(&'a Sequence<S>, bool, usize)>,
}

impl<S: PlaneSample> Plane<'_, S> {
    /// Writes line `y` of the output: that of the field, or a completed or woven one.
    fn line(&self, y: usize, out: &mut [S], scratch: &mut balanced::Scratch<S>, sources: &mut PixelSources) {
        if let Some((sequence, second, index)) = self.complete {
            return out.copy_from_slice(sequence.line(second, index, y));
        }
        let own = self.input.fields.own.samples;
        if y % 2 != self.missing {
            return out.copy_from_slice(own.line(y as isize, 0, self.width));
        }
        let mut complete = |columns: Range<usize>, out: &mut [S], sources: &mut PixelSources| {
            let count = columns.len() as u64;
            let still = balanced::line(&self.input, y, columns.clone(), &mut out[columns], scratch) as u64;
            sources.temporal += still;
            sources.network += count - still;
        };
        match &self.woven {
            Some(woven) => woven.line(y, out, sources, complete),
            None => complete(0..self.width, out, sources),
        }
    }
}

impl StepContext<'_> {
    /// Completes the `wanted` fields of a frame. `matches` and `frames` are the field matches, comb
    /// masks and outputs of both. Returns the sources of the pixels of both.
    pub fn complete<S: PlaneSample>(
        &self,
        neighbours: Neighbours<S>,
        matches: [(FieldMatch, Option<&CombMask>); 2],
        wanted: [bool; 2],
        frames: &mut [Frame; 2],
        (tiling, pool): (Tiling, &ScratchPool<Scratch<S>>),
        (mut best, steady): (Option<&mut Sequence<S>>, &mut [SteadyCells; 2]),
    ) -> [PixelSources; 2] {
        self.find_steady(neighbours, steady);
        let steady = &*steady;
        let complete = best
            .as_mut()
            .map(|best| [0, 1].map(|field| best.complete(&self.field(neighbours, field == 1, matches[field], &steady[field]))));
        let outputs = Outputs { neighbours, matches, wanted, steady, complete: best.as_deref() };
        let [first, second] = frames;
        let bands = (self.bands(first, tiling), self.bands(second, tiling));
        let sources = bands.into_par_iter().enumerate().map(|(band, (first, second))| {
            let lines = band * tiling.lines..(band * tiling.lines + tiling.lines).min(self.size().1);
            self.band(&outputs, lines, [first, second], &mut pool.get().fields)
        });
        let sum = |mut a: [PixelSources; 2], b: [PixelSources; 2]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let sources = sources.reduce(Default::default, sum);
        complete.unwrap_or(sources)
    }

    /// Finds the steady cells around both fields of a frame.
    fn find_steady<S: PlaneSample>(&self, neighbours: Neighbours<S>, steady: &mut [SteadyCells; 2]) {
        for (steady, second) in steady.iter_mut().zip([false, true]) {
            steady.find(neighbours.changes(second, self.top_first()));
        }
    }

    /// A field as [`Sequence::complete`] reads it.
    fn field<'a, S: PlaneSample>(
        &self,
        neighbours: Neighbours<'a, S>,
        second: bool,
        (field_match, comb_mask): (FieldMatch, Option<&'a CombMask>),
        steady: &'a SteadyCells,
    ) -> Field<'a, S> {
        let planes = |picture: &'a Picture<S>| [0, 1, 2].map(|index| picture.plane(index).fields());
        let count = self.settings.format.sampling.planes();
        Field {
            kernels: self.kernels,
            depth: self.settings.working_depth(),
            top_first: self.top_first(),
            second,
            frames: [Some(neighbours.frame), neighbours.newer].map(|picture| picture.map(planes)),
            fields: [0, 1, 2].map(|index| (index < count).then(|| neighbours.fields(second, &neighbours.views(index)))),
            in_scene: neighbours.scene(second).map(|picture| picture.is_some()),
            woven: neighbours.woven(second, field_match).map(planes),
            comb_mask,
            scale: self.settings.chroma_path().sampling.chroma_scale(),
            steady,
        }
    }

    /// The measures of the luma's missing lines of both outputs of a frame, line after line. `add`
    /// receives those of each line; none if the line has no fields before and after.
    pub fn trace<S: PlaneSample>(
        &self,
        neighbours: Neighbours<S>,
        mut add: impl FnMut(Option<balanced::Trace>) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        let mut steady = [SteadyCells::new(self.size())?, SteadyCells::new(self.size())?];
        self.find_steady(neighbours, &mut steady);
        let matches = [(FieldMatch::Deinterlace, None); 2];
        let outputs = Outputs { neighbours, matches, wanted: [true; 2], steady: &steady, complete: None };
        let (height, tops) = (self.size().1, &mut tops(self.settings, TILING.lines)?);
        for start in (0..height).step_by(TILING.lines) {
            let lines = start..(start + TILING.lines).min(height);
            let views = self.views(&outputs, 0, &lines, tops);
            for y in lines {
                let second = (y % 2 == 0) != self.top_first();
                let plane = self.plane(&outputs, usize::from(second), 0, &views);
                add(balanced::trace(&plane.input, y, plane.width)?)?;
            }
        }
        Ok(())
    }

    /// Views of plane `index` of the frames, of which decisions about the band `lines` of the plane
    /// read the lines near it alone.
    fn views<'a, S: PlaneSample>(
        &self,
        outputs: &Outputs<'a, S>,
        index: usize,
        lines: &Range<usize>,
        tops: &'a mut [TopLines; 3],
    ) -> Views<'a, S> {
        let neighbours = outputs.neighbours;
        if !self.settings.extracts_top() {
            return neighbours.views(index);
        }
        let height = if index == 0 { self.size().1 } else { self.settings.held_chroma_size().1 };
        let lines = if outputs.need_decisions() { with_margin(lines, height) } else { 0..0 };
        let [older, frame, newer] = tops;
        let [a, b, c] = neighbours.planes(index);
        let depth = self.settings.working_depth();
        [(older, a), (frame, b), (newer, c)].map(|(top, plane)| top.fields(self.kernels, plane, depth, lines.clone()))
    }

    /// Plane `index` of an output, of which `views` are the frames.
    fn plane<'a, S: PlaneSample>(
        &self,
        outputs: &Outputs<'a, S>,
        field: usize,
        index: usize,
        views: &Views<'a, S>,
    ) -> Plane<'a, S> {
        let (settings, luma, second) = (self.settings, self.size(), field == 1);
        let Outputs { neighbours, matches, steady, complete, .. } = outputs;
        let scale = if index == 0 { (1, 1) } else { settings.chroma_path().sampling.chroma_scale() };
        let input = balanced::Input {
            kernels: self.kernels,
            fields: neighbours.fields(second, views),
            component: if index == 0 { Component::Luma } else { Component::Chroma },
            depth: settings.working_depth(),
            width: luma.0.div_ceil(scale.0),
            steady: &steady[field],
        };
        let (field_match, mask) = matches[field];
        let woven = neighbours.woven(second, field_match).map(|frame| frame.plane(index).fields());
        let woven = woven.map(|woven| WovenParts { woven, mask, scale, luma });
        let missing = usize::from(second == self.top_first()) ^ 1;
        let complete = complete.map(|complete| (complete, second, index));
        Plane { input, woven, width: luma.0.div_ceil(scale.0), missing, complete }
    }

    /// Writes the band `lines` of both outputs. Returns the sources of their luma.
    fn band<S: PlaneSample>(
        &self,
        outputs: &Outputs<S>,
        lines: Range<usize>,
        out: [(BandMut<S>, [BandMut<S>; 2]); 2],
        scratch: &mut FieldScratch<S>,
    ) -> [PixelSources; 2] {
        let mut sources = [PixelSources::default(); 2];
        let FieldScratch { lines: scratch, tops } = scratch;
        let mut out = out.map(|(luma, [u, v])| [luma, u, v]);
        // Both outputs of a plane read the same lines.
        for index in 0..self.settings.format.sampling.planes() {
            let is_halved = index > 0 && self.settings.chroma_path().sampling == Sampling::C420;
            let own = if is_halved { lines.start / 2..lines.end.div_ceil(2) } else { lines.clone() };
            let views = self.views(outputs, index, &own, tops);
            for field in [0, 1].into_iter().filter(|&field| outputs.wanted[field]) {
                let (plane, out) = (self.plane(outputs, field, index, &views), &mut out[field][index]);
                if index == 0 {
                    for y in lines.clone() {
                        plane.line(y, out.line(y, 0, plane.width), &mut scratch.balanced, &mut sources[field]);
                    }
                } else {
                    self.chroma_band(&plane, &lines, out, scratch);
                }
            }
        }
        sources
    }

    /// Writes the band of a chroma plane of an output that belongs to `lines` of the luma.
    fn chroma_band<S: PlaneSample>(
        &self,
        plane: &Plane<S>,
        lines: &Range<usize>,
        out: &mut BandMut<S>,
        scratch: &mut LineScratch<S>,
    ) {
        let LineScratch { balanced, rows } = scratch;
        let ChromaPath { sampling, store } = self.settings.chroma_path();
        let output = self.settings.frame_format().sampling;
        let mut line = |y: usize, out: &mut [S]| plane.line(y, out, balanced, &mut PixelSources::default());
        let kernels = S::kernels(self.kernels);
        let (width, halved) = (plane.width, lines.start / 2..lines.end.div_ceil(2));
        let [a, b, c] = rows.each_mut().map(|row| row.get_mut(..width).unwrap_or_default());
        match (sampling, output, store) {
            (Sampling::C420, Sampling::C420, _) => halved.for_each(|y| line(y, out.line(y, 0, width))),
            (_, Sampling::C420, Store::Dropped) => halved.for_each(|y| line(2 * y, out.line(y, 0, width))),
            (_, Sampling::C420, _) => halved.for_each(|y| {
                line(2 * y, a);
                line(2 * y + 1, b);
                (kernels.average)(out.line(y, 0, width), a, b);
            }),
            (Sampling::C420, ..) => {
                // Rows r - 1, r and r + 1; rows outside the picture are the nearest ones.
                let (height, last) = (self.size().1, self.size().1.div_ceil(2) - 1);
                let [mut above, mut row, mut below] = [a, b, c];
                line(halved.start.saturating_sub(1), above);
                line(halved.start, row);
                for r in halved {
                    line((r + 1).min(last), below);
                    (kernels.quarter)(out.line(2 * r, 0, width), row, above);
                    if 2 * r + 1 < height {
                        (kernels.quarter)(out.line(2 * r + 1, 0, width), row, below);
                    }
                    (above, row, below) = (row, below, above);
                }
            }
            _ => lines.clone().for_each(|y| line(y, out.line(y, 0, width))),
        }
    }
}
