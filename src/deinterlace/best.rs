//! The deinterlacer `best` (§15): each field is completed by itself, the fields around it are
//! compensated by their motion, and a network joins them. Completed fields serve the next ones.
mod fusion;
mod lines;
mod picture;

use super::fields::{Component, Fields};
use super::pixel_sources::PixelSources;
use super::steady::SteadyCells;
use super::woven_parts::WovenParts;
use crate::field_match::CombMask;
use crate::frame::PlaneSample;
use crate::memory::OutOfMemory;
use crate::motion::{Costs, Motion, REFERENCES, Reference};
use crate::plane::PlaneView;
use crate::scratch_pool::ScratchPool;
use dndi_simd::Kernels;
use lines::{BandLines, LINES, Scratch};
use picture::{Content, Picture};
use rayon::prelude::*;

/// Distances of the references from field t.
const DISTANCES: [isize; REFERENCES] = [-1, 1, -2, 2];

/// Costs of the search (§15.4).
const COSTS: Costs = Costs { distance: 3, motion: 12, steps: 2, enough: 160 };

/// A field to be completed. Arrays of planes have empty ones for mono.
pub(crate) struct Field<'a, S> {
    pub kernels: &'static Kernels,
    /// Bits per sample.
    pub depth: u8,
    pub top_first: bool,
    /// Whether it is the second field of its frame.
    pub second: bool,
    /// The planes of its frame and of the next one.
    pub frames: [Option<[PlaneView<'a, S>; 3]>; 2],
    /// The fields around it, for each plane.
    pub fields: [Option<Fields<'a, S>>; 3],
    /// Whether the fields t - 1, t + 1, t - 2, t + 2 exist and no scene cut separates them from t.
    pub in_scene: [bool; REFERENCES],
    /// The planes of the frame whose other field is woven in.
    pub woven: Option<[PlaneView<'a, S>; 3]>,
    /// Tiles that are completed although the field is woven.
    pub comb_mask: Option<&'a CombMask>,
    /// Luma samples for each chroma sample, and luma lines for each line.
    pub scale: (usize, usize),
    /// Cells of the luma that are steady around the field.
    pub steady: &'a SteadyCells,
}

impl<S> Field<'_, S> {
    /// Parity of the missing lines of a field.
    fn missing(&self, second: bool) -> usize {
        usize::from(second == self.top_first) ^ 1
    }
}

/// The pictures and the motion that are kept from field to field.
#[derive(Debug)]
pub(crate) struct Sequence<S> {
    /// The pictures of both fields of the frame before, of the frame that is completed, and of the
    /// next one.
    pictures: [[Picture<S>; 2]; 3],
    motion: Motion,
    pool: ScratchPool<Scratch<S>>,
}

impl<S: PlaneSample> Sequence<S> {
    /// Memory for pictures of the sizes of luma and chroma.
    pub fn new(luma: (usize, usize), chroma: (usize, usize)) -> Result<Sequence<S>, OutOfMemory> {
        let pair = || Ok([Picture::new(luma, chroma)?, Picture::new(luma, chroma)?]);
        let tasks = luma.1.div_ceil(LINES);
        Ok(Sequence {
            pictures: [pair()?, pair()?, pair()?],
            motion: Motion::new(luma)?,
            pool: ScratchPool::new(tasks, || Scratch::new(luma.0))?,
        })
    }

    /// Returns to the state before the first field.
    pub fn reset(&mut self) {
        self.pictures.iter_mut().flatten().for_each(|picture| picture.content = Content::Nothing);
        self.motion.next_picture(false);
        self.motion.next_picture(false);
    }

    /// Proceeds to the next frame, after both fields of a frame are completed.
    pub fn next_frame(&mut self) {
        self.pictures.rotate_left(1);
        self.pictures[2].iter_mut().for_each(|picture| picture.content = Content::Nothing);
    }

    /// The samples of a line of a completed field of the frame.
    pub fn line(&self, second: bool, plane: usize, y: usize) -> &[S] {
        self.pictures[1][usize::from(second)].planes[plane].line(y)
    }

    /// The motion of luma sample (x, y), in samples and lines, from a field of the frame that was
    /// completed last to field t - 1; none if it was not searched.
    pub fn motion(&self, second: bool, (x, y): (usize, usize)) -> Option<(i8, i8)> {
        let vector = self.motion.blocks_before(!second)?.at(x as isize / 16, y as isize / 16);
        let whole = |quarters: i32| ((quarters + 2) >> 2).clamp(-128, 127) as i8;
        Some((whole(vector.x), whole(vector.y)))
    }

    /// Completes a field. Returns the sources of its luma.
    pub fn complete(&mut self, field: &Field<S>) -> PixelSources {
        self.motion.next_picture(field.in_scene[0]);
        let own = usize::from(field.second);
        let [Some(frame), next] = &field.frames else { return PixelSources::default() };
        if let (Some(woven), None) = (&field.woven, field.comb_mask) {
            return self.weave(field, frame, woven);
        }
        let Sequence { pictures, pool, .. } = self;
        for ahead in 0..3 {
            let (at, number) = ((own + ahead) / 2, (own + ahead) % 2);
            let exists = match ahead {
                0 => true,
                1 => field.in_scene[1],
                _ => field.in_scene[3],
            };
            if let Some(planes) = if at == 0 { Some(frame) } else { next.as_ref() }.filter(|_| exists) {
                pictures[1 + at][number].make_alone(field.kernels, planes, field.missing(number == 1), field.depth, pool);
            }
        }
        let mut picture = std::mem::take(&mut pictures[1][own]);
        let fuses = field.in_scene.into_iter().filter(|&is_in_scene| is_in_scene).count() > 1;
        if fuses {
            self.search(field, &mut picture);
        }
        let sources = self.finish(field, &mut picture, fuses);
        self.pictures[1][own] = picture;
        sources
    }

    /// Makes the picture of a field that is woven everywhere.
    fn weave(&mut self, field: &Field<S>, frame: &[PlaneView<S>; 3], woven: &[PlaneView<S>; 3]) -> PixelSources {
        let picture = &mut self.pictures[1][usize::from(field.second)];
        let missing = field.missing(field.second);
        for (plane, (own, woven)) in picture.planes.iter_mut().zip(frame.iter().zip(woven)) {
            plane.write_lines(LINES, |y, out| {
                let from = if y % 2 == missing { woven } else { own };
                out.copy_from_slice(from.line(y as isize, 0, out.len()));
            });
        }
        picture.finish(Content::Output);
        let (width, height) = picture.planes[0].size();
        PixelSources::of((width * ((height + 1 - missing) / 2)) as u64, true)
    }

    /// Position of a reference among all pictures.
    fn position(field: &Field<S>, reference: usize) -> (usize, usize) {
        let at = (2 + usize::from(field.second)).wrapping_add_signed(DISTANCES[reference]);
        (at / 2, at % 2)
    }

    /// Searches the motion from a field to its references.
    fn search(&mut self, field: &Field<S>, picture: &mut Picture<S>) {
        picture.make_pyramid(field.kernels, field.depth);
        for reference in (0..REFERENCES).filter(|&reference| field.in_scene[reference]) {
            let (frame, number) = Self::position(field, reference);
            self.pictures[frame][number].make_pyramid(field.kernels, field.depth);
        }
        let references = [0, 1, 2, 3].map(|reference| {
            let (frame, number) = Self::position(field, reference);
            field.in_scene[reference].then(|| self.pictures[frame][number].pyramid())
        });
        self.motion.search(field.kernels, COSTS, picture.pyramid(), references);
    }

    /// The reference that serves as the given one in a plane: that, or the one on the other side.
    fn reference(&self, field: &Field<S>, reference: usize, plane: usize) -> Reference<'_, S> {
        let instead = [[0, 1, 0], [1, 0, 1], [2, 3, 0], [3, 2, 0]][reference];
        let used = instead.into_iter().find(|&used| field.in_scene[used]).unwrap_or(1);
        let (frame, number) = Self::position(field, used);
        let scale = if plane == 0 { (1, 1) } else { field.scale };
        Reference { picture: &self.pictures[frame][number].planes[plane], vectors: self.motion.vectors(used), scale }
    }

    /// Replaces the missing lines of a picture by those of the output. Returns the sources of the
    /// luma.
    fn finish(&self, field: &Field<S>, picture: &mut Picture<S>, fuses: bool) -> PixelSources {
        let luma = picture.planes[0].size();
        let mut sources = PixelSources::default();
        for (index, (fields, out)) in field.fields.iter().zip(&mut picture.planes).enumerate() {
            let Some(fields) = fields else { continue };
            let (component, scale) = if index == 0 { (Component::Luma, (1, 1)) } else { (Component::Chroma, field.scale) };
            let plane = fusion::Plane {
                kernels: field.kernels,
                component,
                depth: field.depth,
                references: [0, 1, 2, 3].map(|reference| self.reference(field, reference, index)),
            };
            let missing = field.missing(field.second);
            let lines = BandLines { plane: &plane, fields, missing, size: out.size(), steady: field.steady };
            let parts = field.woven.as_ref().map(|woven| WovenParts { woven: woven[index], mask: field.comb_mask, scale, luma });
            let stride = out.stride();
            let counts = out.bands(LINES).map(|(first, band)| {
                let scratch = &mut *self.pool.get();
                lines.complete(first, (band, stride), fuses, parts.as_ref(), scratch)
            });
            let counts = counts.reduce(PixelSources::default, |mut a, b| {
                a += b;
                a
            });
            if index == 0 {
                sources = counts;
            }
        }
        picture.finish(Content::Output);
        sources
    }
}
