//! The pictures of a sequence, and their steps (§16.1, §16.8).
use super::cells::{self, ONE};
use super::picture::Picture;
use super::shape::{LINES, Shape};
use super::{mean, spatial};
use crate::frame::{InputPlane, PlaneSample};
use crate::memory::{OutOfMemory, zeroed_rows};
use crate::motion::{Costs, Motion, REFERENCES, Reference};
use crate::scratch_pool::ScratchPool;
use dndi_simd::Kernels;
use rayon::prelude::*;

/// Pictures that are denoised together: all frames, or all fields of one parity.
#[derive(Debug)]
pub(crate) struct Sequence {
    shape: Shape,
    /// The temporal mean of the picture before (T(t-1)), the picture (Y(t)), the next one (Y(t+1)),
    /// and the temporal mean of the picture.
    before: Picture,
    own: Picture,
    next: Picture,
    mean: Picture,
    /// The variances of the noise of both means, relative to that of the pictures: one value for
    /// each cell of each plane (§16.1, §16.6).
    variances: [[Vec<u16>; 2]; 3],
    motion: Motion,
    /// Whether `before`, `own` and `next` hold pictures.
    holds: [bool; 3],
    /// Whether a scene cut separates `own` from `before`, and `next` from `own`.
    cuts: [bool; 2],
    means: ScratchPool<mean::Scratch>,
    blocks: ScratchPool<spatial::Scratch>,
}

impl Sequence {
    /// The sequence before its first picture.
    pub fn new(shape: Shape) -> Result<Sequence, OutOfMemory> {
        let picture = || Picture::new(&shape.sizes);
        let cells = |plane: usize| cells::count(shape.sizes[plane]);
        let variances = |plane: usize| zeroed_rows(cells(plane).0 * cells(plane).1);
        let (width, height) = shape.sizes[0];
        let tasks = height.div_ceil(LINES);
        Ok(Sequence {
            shape,
            before: picture()?,
            own: picture()?,
            next: picture()?,
            mean: picture()?,
            variances: [variances(0)?, variances(1)?, variances(2)?],
            motion: Motion::new((width, height))?,
            holds: [false; 3],
            cuts: [false; 2],
            means: ScratchPool::new(tasks, || mean::Scratch::new(width))?,
            blocks: ScratchPool::new(tasks, || spatial::Scratch::new(width))?,
        })
    }

    /// Returns to the state before the first picture.
    pub fn reset(&mut self) {
        (self.holds, self.cuts) = ([false; 3], [false; 2]);
        self.motion.next_picture(false);
        self.motion.next_picture(false);
    }

    /// The first line of the pictures in their frames.
    pub fn first_line(&self) -> usize {
        self.shape.first_line
    }

    /// Copies the next picture from the planes of its frame. `is_cut` if a scene cut lies before
    /// it.
    pub fn import<S: PlaneSample>(&mut self, planes: &[InputPlane<S>; 3], is_cut: bool) {
        (self.holds[2], self.cuts[1]) = (true, is_cut);
        self.next.import(planes, &self.shape);
    }

    /// Denoises the picture, if there is one, into its lines of the planes `out` of a frame, and
    /// proceeds to the next one. `sigmas` are the standard deviations of the noise of luma and
    /// chroma, in 1/64 of an 8-bit code value.
    pub fn advance<S: PlaneSample>(&mut self, kernels: &Kernels, sigmas: [u16; 2], out: &mut [&mut [S]; 3]) {
        if self.holds[1] {
            self.denoise(kernels, sigmas, out);
            std::mem::swap(&mut self.before, &mut self.mean);
            self.variances.iter_mut().for_each(|variances| variances.swap(0, 1));
        }
        std::mem::swap(&mut self.own, &mut self.next);
        self.holds = [self.holds[1], self.holds[2], false];
        self.cuts = [self.cuts[1], false];
    }

    fn denoise<S: PlaneSample>(&mut self, kernels: &Kernels, sigmas: [u16; 2], out: &mut [&mut [S]; 3]) {
        let in_scene = [self.holds[0] && !self.cuts[0], self.holds[2] && !self.cuts[1]];
        self.motion.next_picture(in_scene[0]);
        if sigmas != [0; 2] {
            self.search(kernels, sigmas[0], in_scene);
        }
        for (index, out) in out.iter_mut().enumerate() {
            let sigma = sigmas[usize::from(index > 0)];
            if self.shape.sizes[index].0 == 0 {
                continue;
            }
            if sigma == 0 {
                self.own.write(index, out, &self.shape);
                std::mem::swap(&mut self.mean.planes[index], &mut self.own.planes[index]);
                self.variances[index][1].fill(ONE);
            } else {
                self.average(kernels, index, sigma, in_scene);
                self.filter(kernels, index, sigma, in_scene, out);
            }
        }
        self.mean.changed();
        self.own.changed();
    }

    /// Searches the motion of the luma (§16.4).
    fn search(&mut self, kernels: &Kernels, sigma: u16, in_scene: [bool; 2]) {
        let Sequence { before, own, next, motion, shape, .. } = self;
        let depth = shape.inner_depth();
        let pictures = [(before, in_scene[0]), (next, in_scene[1])];
        if !in_scene[0] && !in_scene[1] {
            return;
        }
        own.make_pyramid(kernels, depth);
        let [before, next] = pictures.map(|(picture, exists)| {
            exists.then(|| {
                picture.make_pyramid(kernels, depth);
                picture.pyramid()
            })
        });
        let sigma = i32::from(sigma);
        let costs = Costs { distance: 3 + ((30 * sigma) >> 12), motion: 12 + ((90 * sigma) >> 12), steps: 1, enough: 0 };
        let references: [_; REFERENCES] = [before, next, None, None];
        motion.search(kernels, costs, own.pyramid(), references);
    }

    /// Makes the temporal mean of a plane and its variances (§16.5, §16.6).
    fn average(&mut self, kernels: &Kernels, index: usize, sigma: u16, in_scene: [bool; 2]) {
        let Sequence { before, own, next, mean, variances, motion, shape, means, .. } = self;
        let scale = shape.scale(index);
        let reference = |picture, number: usize| {
            let picture: &Picture = picture;
            in_scene[number].then(|| Reference { picture: &picture.planes[index], vectors: motion.vectors(number), scale })
        };
        let [before_variances, new] = &mut variances[index];
        let plane = mean::Plane {
            kernels,
            depth: shape.inner_depth(),
            own: &own.planes[index],
            references: [reference(before, 0), reference(next, 1)],
            variances: before_variances,
            sigma,
        };
        let (columns, _) = cells::count(shape.sizes[index]);
        let (out, stride) = (&mut mean.planes[index], own.planes[index].stride());
        let variances = new.par_chunks_mut(columns * LINES / 4);
        out.bands(LINES).zip(variances).for_each(|((first, band), variances)| {
            plane.band(first, (band, stride), variances, &mut means.get());
        });
        out.extend();
    }

    /// Filters the temporal mean of a plane in blocks, and writes the picture (§16.7).
    fn filter<S: PlaneSample>(&self, kernels: &Kernels, index: usize, sigma: u16, in_scene: [bool; 2], out: &mut [S]) {
        let Shape { sizes, depth, first_line, line_step, .. } = self.shape;
        let strength = match (in_scene, index) {
            ([false, false], _) => spatial::ALONE,
            (_, 0) => spatial::LUMA,
            _ => spatial::CHROMA,
        };
        let plane = spatial::Plane {
            kernels,
            depth,
            shift: self.shape.inner_depth() - 12,
            mean: &self.mean.planes[index],
            variances: &self.variances[index][1],
            thresholds: spatial::thresholds(sigma, strength),
        };
        let width = sizes[index].0;
        out.par_chunks_mut(width * line_step * LINES).enumerate().for_each(|(band, lines)| {
            let lines = lines.chunks_exact_mut(width).skip(first_line).step_by(line_step);
            plane.band(band * LINES, lines, &mut self.blocks.get());
        });
    }
}
