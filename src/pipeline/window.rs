//! Deinterlacing with look-ahead (§14): the frames around the one whose fields are completed, and
//! both of its outputs.
use super::context::{Scratch, StepContext, Tiling};
use super::field_scratch::FieldScratch;
use super::picture::Picture;
use super::settings::{ChromaPath, Settings};
use crate::adapt::scene::Thumbnail;
use crate::deinterlace::balanced;
use crate::deinterlace::best::{Field, Sequence};
use crate::deinterlace::chroma::Store;
use crate::deinterlace::fields::{Component, Fields};
use crate::deinterlace::woven_parts::WovenParts;
use crate::deinterlace::{Deinterlacer, PixelSources};
use crate::field_match::{CombMask, FieldMatch};
use crate::format::Sampling;
use crate::frame::{Frame, PlaneSample};
use crate::memory::OutOfMemory;
use crate::plane::{BandMut, LumaView};
use crate::scratch_pool::ScratchPool;
use rayon::prelude::*;
use std::ops::Range;

/// The state of a deinterlacer that reads the next frame, beyond the current and the previous
/// frame. It completes the previous one.
#[derive(Debug)]
pub(super) struct Window<S> {
    /// The frame before the previous one.
    pub older: Picture<S>,
    /// The thumbnail of the last field.
    last: Option<Thumbnail>,
    /// The field match and the comb mask of the first field of the last frame.
    waiting: (FieldMatch, CombMask),
    /// Memory of the next `waiting` mask.
    next_mask: CombMask,
    /// Whether the last frame was completed: the stream has ended.
    pub ended: bool,
    /// The pictures and the motion of [`Deinterlacer::Best`].
    pub best: Option<Sequence<S>>,
}

impl<S: PlaneSample> Window<S> {
    pub fn new(settings: &Settings) -> Result<Window<S>, OutOfMemory> {
        let waiting = (FieldMatch::Deinterlace, CombMask::default());
        let luma = (settings.format.width, settings.format.height);
        let best = (settings.deinterlacer == Deinterlacer::Best).then(|| Sequence::new(luma, settings.held_chroma_size()));
        Ok(Window {
            older: Picture::new(settings)?,
            last: None,
            waiting,
            next_mask: CombMask::default(),
            ended: false,
            best: best.transpose()?,
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
        let [early, late] = [first, 1 - first].map(|line| {
            let planes = std::iter::once((frame.luma.samples.frame(), context.size()));
            Thumbnail::of(planes, line, depth)
        });
        self.ended &= !is_first;
        if let Some(best) = self.best.as_mut().filter(|_| is_first) {
            best.reset();
        }
        let last = self.last.take().filter(|_| !is_first);
        // Before the first frame there is no field, which is no blank field.
        let first_cut = !is_first && Thumbnail::is_cut(last.as_ref(), early.as_ref());
        frame.cuts = [first_cut, Thumbnail::is_cut(early.as_ref(), late.as_ref())];
        self.last = late;
    }
}

/// The frame whose fields are completed and its neighbours.
pub(super) struct Neighbours<'a, S> {
    pub older: Option<&'a Picture<S>>,
    pub frame: &'a Picture<S>,
    pub newer: Option<&'a Picture<S>>,
}

impl<S> Clone for Neighbours<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Neighbours<'_, S> {}

/// Plane `index` of a picture with all bits and with 8.
fn plane<S: PlaneSample>(picture: &Picture<S>, index: usize) -> LumaView<'_, S> {
    match index {
        0 => picture.luma.fields(),
        index => picture.chroma[index - 1].fields_with(&picture.chroma_top[index - 1]),
    }
}

impl<'a, S: PlaneSample> Neighbours<'a, S> {
    /// The frames that hold the fields t - 1 and t + 1, or none where the clip or the shot has no
    /// such field; t is the second field of the frame, or the first one.
    fn beside(self, second: bool) -> [Option<&'a Picture<S>>; 2] {
        let own = Some(self.frame).filter(|frame| !frame.cuts[1]);
        let older = self.older.filter(|_| !self.frame.cuts[0]);
        let newer = self.newer.filter(|frame| !frame.cuts[0]);
        if second { [own, newer] } else { [older, own] }
    }

    /// The frames that hold the fields t - 1, t + 1, t - 2 and t + 2, or none where the clip or the
    /// shot has no such field.
    fn scene(self, second: bool) -> [Option<&'a Picture<S>>; 4] {
        let beside = self.beside(second);
        let [older, newer] = [beside[0].and(self.older), beside[1].and(self.newer)];
        // A cut also separates t ± 2 if it is on the far side of t ± 1.
        let older = older.filter(|older| !if second { self.frame.cuts[0] } else { older.cuts[1] });
        let newer = newer.filter(|newer| !newer.cuts[usize::from(second)]);
        [beside[0], beside[1], older, newer]
    }

    /// The planes `index` of the fields around a field (§14.1).
    fn fields(self, second: bool, index: usize) -> Fields<'a, S> {
        let [before, after, older, newer] = self.scene(second);
        let view = |picture| plane(picture, index);
        let own = view(self.frame);
        let beside = match [before, after] {
            [Some(before), Some(after)] => Some([view(before), view(after)]),
            [Some(one), None] | [None, Some(one)] => Some([view(one); 2]),
            [None, None] => None,
        };
        Fields { own, beside, outer: [older, newer].map(|frame| frame.map_or(own, view)) }
    }

    /// The frame that a field match weaves from; none if the field is completed.
    fn woven(self, second: bool, field_match: FieldMatch) -> Option<&'a Picture<S>> {
        match (field_match, second) {
            (FieldMatch::Deinterlace, _) => None,
            (FieldMatch::Previous, true) | (FieldMatch::Next, false) => Some(self.frame),
            (FieldMatch::Previous, false) => self.older,
            (FieldMatch::Next, true) => self.newer,
        }
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
    /// Completes both fields of a frame. `outputs` are the field matches, comb masks and frames of
    /// both. Returns the sources of the pixels of both.
    pub fn complete<S: PlaneSample>(
        &self,
        neighbours: Neighbours<S>,
        matches: [(FieldMatch, Option<&CombMask>); 2],
        frames: &mut [Frame; 2],
        tiling: Tiling,
        pool: &ScratchPool<Scratch<S>>,
        mut best: Option<&mut Sequence<S>>,
    ) -> [PixelSources; 2] {
        let complete =
            best.as_mut().map(|best| [0, 1].map(|field| best.complete(&self.field(neighbours, field == 1, matches[field]))));
        let best = best.as_deref();
        let [first, second] = [0, 1].map(|field| {
            let (field_match, comb_mask) = matches[field];
            let plane = |index| {
                let complete = best.map(|best| (best, field == 1, index));
                Some(Plane { complete, ..self.plane(neighbours, field == 1, field_match, comb_mask, index)? })
            };
            std::array::from_fn(plane)
        });
        let [first_frame, second_frame] = frames;
        let bands = (self.bands(first_frame, tiling), self.bands(second_frame, tiling));
        let sources = bands.into_par_iter().enumerate().map(|(band, outputs)| {
            let scratch = &mut pool.get().fields;
            [(&first, outputs.0), (&second, outputs.1)].map(|(planes, out)| self.band(planes, band, tiling, out, scratch))
        });
        let sum = |mut a: [PixelSources; 2], b: [PixelSources; 2]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let sources = sources.reduce(Default::default, sum);
        complete.unwrap_or(sources)
    }

    /// A field as [`Sequence::complete`] reads it.
    fn field<'a, S: PlaneSample>(
        &self,
        neighbours: Neighbours<'a, S>,
        second: bool,
        (field_match, comb_mask): (FieldMatch, Option<&'a CombMask>),
    ) -> Field<'a, S> {
        let planes = |picture: &'a Picture<S>| [0, 1, 2].map(|index| plane(picture, index).samples);
        let count = self.settings.format.sampling.planes();
        Field {
            kernels: self.kernels,
            depth: self.settings.working_depth(),
            top_first: self.top_first(),
            second,
            frames: [Some(neighbours.frame), neighbours.newer].map(|picture| picture.map(planes)),
            fields: [0, 1, 2].map(|index| (index < count).then(|| neighbours.fields(second, index))),
            in_scene: neighbours.scene(second).map(|picture| picture.is_some()),
            woven: neighbours.woven(second, field_match).map(planes),
            comb_mask,
            scale: self.settings.chroma_path().sampling.chroma_scale(),
        }
    }

    /// The measures of the luma's missing lines of both outputs of a frame, line after line. `add`
    /// receives those of each line; none if the line has no fields before and after.
    pub fn trace<S: PlaneSample>(
        &self,
        neighbours: Neighbours<S>,
        mut add: impl FnMut(Option<balanced::Trace>) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        for y in 0..self.size().1 {
            let second = (y % 2 == 0) != self.top_first();
            let plane = self.plane(neighbours, second, FieldMatch::Deinterlace, None, 0);
            plane.map_or(Ok(()), |plane| add(balanced::trace(&plane.input, y, plane.width)?))?;
        }
        Ok(())
    }

    /// Plane `index` of an output; none if the format has fewer planes.
    fn plane<'a, S: PlaneSample>(
        &'a self,
        neighbours: Neighbours<'a, S>,
        second: bool,
        field_match: FieldMatch,
        comb_mask: Option<&'a CombMask>,
        index: usize,
    ) -> Option<Plane<'a, S>> {
        let (settings, luma) = (self.settings, self.size());
        let ChromaPath { sampling, .. } = settings.chroma_path();
        let scale = match (index, sampling) {
            (0, _) => (1, 1),
            (_, Sampling::Mono) => return None,
            (_, sampling) => sampling.chroma_scale(),
        };
        let input = balanced::Input {
            kernels: self.kernels,
            fields: neighbours.fields(second, index),
            component: if index == 0 { Component::Luma } else { Component::Chroma },
            depth: settings.working_depth(),
        };
        let woven = neighbours.woven(second, field_match).map(|frame| plane(frame, index).samples);
        let woven = woven.map(|woven| WovenParts { woven, mask: comb_mask, scale, luma });
        let missing = usize::from(second == self.top_first()) ^ 1;
        Some(Plane { input, woven, width: luma.0.div_ceil(scale.0), missing, complete: None })
    }

    /// Writes a band of an output. Returns the sources of the luma.
    fn band<S: PlaneSample>(
        &self,
        planes: &[Option<Plane<S>>; 3],
        band: usize,
        tiling: Tiling,
        (mut luma, chroma): (BandMut<S>, [BandMut<S>; 2]),
        scratch: &mut FieldScratch<S>,
    ) -> PixelSources {
        let mut sources = PixelSources::default();
        let height = self.size().1;
        let lines = band * tiling.lines..(band * tiling.lines + tiling.lines).min(height);
        let FieldScratch { balanced, rows } = scratch;
        if let Some(plane) = &planes[0] {
            for y in lines.clone() {
                plane.line(y, luma.line(y, 0, plane.width), balanced, &mut sources);
            }
        }
        let ChromaPath { sampling, store } = self.settings.chroma_path();
        let output = self.settings.frame_format().sampling;
        for (plane, mut out) in planes[1..].iter().flatten().zip(chroma) {
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
                    let last = height.div_ceil(2) - 1;
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
        sources
    }
}
