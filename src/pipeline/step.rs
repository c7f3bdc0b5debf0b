//! One step of a stream: the state from frame to frame, and the stages on bands of lines.
use super::context::{BandContext, Scratch, StepContext, TILING, Tiling};
use super::deflicker_stage::DeflickerStage;
use super::denoise_stage::DenoiseStage;
use super::neighbours::Neighbours;
use super::picture::Picture;
use super::settings::Settings;
use super::window::Window;
use crate::adapt::denoise::DenoiseState;
use crate::deinterlace::best::Sequence;
use crate::deinterlace::chroma::{self, Woven};
use crate::deinterlace::{self, DeinterlaceParameters, PixelSources, Role};
use crate::denoise::DenoiseFilter;
use crate::field_match::{CombMask, FieldMatch, StepMatches};
use crate::format::Format;
use crate::frame::{Frame, InputPlane, MIN_TASK_LINES, PlaneSample};
use crate::memory::OutOfMemory;
use crate::plane::{LumaPlane, PaddedPlane, PairPlane};
use crate::scratch_pool::ScratchPool;
use rayon::prelude::*;
use std::slice::{from_mut, from_ref};

/// Adds the counts of two outputs.
fn add(sources: &mut [PixelSources; 2], more: [PixelSources; 2]) {
    sources.iter_mut().zip(more).for_each(|(sources, more)| *sources += more);
}

/// The state that is kept from step to step.
#[derive(Debug)]
pub(super) struct State<S> {
    pub tiling: Tiling,
    pub current: Picture<S>,
    pub previous: Picture<S>,
    /// Denoising of the luma.
    pub luma: DenoiseStage<LumaPlane<S>>,
    /// Denoising of the chroma.
    pub chroma: DenoiseStage<PaddedPlane<S>>,
    /// The frames around the previous one, for a deinterlacer with look-ahead.
    pub window: Option<Window<S>>,
    /// Motion measures that the previous step and this one stored.
    pub measure: [PairPlane; 2],
    /// Deflicker of deinterlaced frames.
    deflicker: Option<DeflickerStage<S>>,
    /// Encoder statistics of the step, four DWords for each block; empty if they are not made.
    pub encoder: Vec<[u32; 4]>,
    pub pool: ScratchPool<Scratch<S>>,
    /// Sources of the pixels of prev2 and cur1 in the last step; zeros if not counted.
    pub sources: [PixelSources; 2],
    /// Before a step those of its outputs that are needed, after it those that it made, in order of
    /// time.
    pub wanted: [bool; 2],
}

impl<S: PlaneSample> State<S> {
    /// The state before the first step.
    pub fn new(settings: &Settings) -> Result<State<S>, OutOfMemory> {
        State::tiled(settings, TILING)
    }

    /// The state before the first step, with other sizes of bands and tiles.
    pub fn tiled(settings: &Settings, tiling: Tiling) -> Result<State<S>, OutOfMemory> {
        let Format { width, height, .. } = settings.format;
        let luma = if settings.denoises() { &[(width, height)][..] } else { &[] };
        let chroma = if settings.denoises_chroma() { &[settings.held_chroma_size(); 2][..] } else { &[] };
        let pairs = || if settings.is_gen6() { PairPlane::new(width, height) } else { Ok(PairPlane::default()) };
        Ok(State {
            tiling,
            current: Picture::new(settings)?,
            previous: Picture::new(settings)?,
            luma: DenoiseStage::new(settings.denoise, luma, settings.working_depth(), settings.is_gen6())?,
            chroma: DenoiseStage::new(settings.chroma_mode(), chroma, settings.working_depth(), false)?,
            window: settings.looks_ahead().then(|| Window::new(settings)).transpose()?,
            measure: [pairs()?, pairs()?],
            deflicker: settings.deflickers().then(|| DeflickerStage::new(width, height)).transpose()?,
            sources: [PixelSources::default(); 2],
            wanted: [true; 2],
            encoder: vec![],
            pool: ScratchPool::new(tiling.bands((width, height)), || Scratch::new(settings, tiling))?,
        })
    }

    /// Processes frame `number` and makes the outputs prev2 and cur1; on the first step and with
    /// deinterlacing off cur1 alone. [`end_step`](State::end_step) must follow.
    pub fn step(
        &mut self,
        context: StepContext,
        number: u64,
        planes: &[InputPlane<S>; 3],
        matches: StepMatches,
        comb_masks: [Option<&CombMask>; 2],
        frames: &mut [Frame; 2],
    ) {
        let first = number == 0;
        self.import(context, planes, first);
        if let Some(window) = &mut self.window {
            window.find_cuts(context, &mut self.current, first);
            if !first {
                let (kernels, depth) = (context.kernels, context.settings.working_depth());
                let Picture { luma, changes, .. } = &mut self.current;
                changes.measure(kernels, [&self.previous.luma.samples, &luma.samples], depth);
            }
            let waiting = window.exchange(matches.first_of_current);
            self.wanted = [std::mem::replace(&mut window.wants_first, self.wanted[1]), self.wanted[0]];
            if !first {
                let second = (matches.second_of_previous, comb_masks[0]);
                self.complete(context, number, [(waiting.0, Some(&waiting.1)), second], true, frames);
            }
            return;
        }
        if context.settings.deinterlace {
            if first {
                self.measure[1].fill(255);
                let missing = context.pairs() * (context.size().1 / 2);
                self.sources[1] = PixelSources::of((context.size().0 * context.size().1 / 2) as u64, false);
                (self.sources[1].pairs, self.sources[1].stmm_sum) = (missing as u64, 255 * missing as u64);
                let frame = &mut frames[Role::Cur1 as usize];
                context.spatial(Role::Cur1, &self.current, false, self.tiling, &self.pool, frame);
                self.deflicker.iter_mut().for_each(|deflicker| deflicker.run(context, &self.measure[1], frame));
            } else {
                self.deinterlace(context, matches, comb_masks, frames);
                let deinterlaced = frames.iter_mut().zip(matches.in_time()).filter(|(_, of)| *of == FieldMatch::Deinterlace);
                if let Some(deflicker) = &mut self.deflicker {
                    deinterlaced.for_each(|(frame, _)| deflicker.run(context, &self.measure[1], frame));
                }
            }
        } else {
            self.pass(context, planes, &mut frames[Role::Cur1 as usize]);
        }
    }

    /// Completes both fields of the frame before `number`, which is the current one if it `exists`.
    fn complete(
        &mut self,
        context: StepContext,
        number: u64,
        matches: [(FieldMatch, Option<&CombMask>); 2],
        exists: bool,
        frames: &mut [Frame; 2],
    ) {
        let State { window, previous, current, tiling, pool, wanted, .. } = self;
        let Some(Window { older, best, steady, .. }) = window else { return };
        let neighbours =
            Neighbours { older: (number > 1).then_some(&*older), frame: previous, newer: exists.then_some(&*current) };
        let matches = matches.map(|(field_match, mask)| (field_match, mask.filter(|mask| !mask.is_empty())));
        self.sources = context.complete(neighbours, matches, *wanted, frames, (*tiling, pool), (best.as_mut(), steady));
        best.iter_mut().for_each(Sequence::next_frame);
    }

    /// The field match of the first field of the last frame, whose output waits for the next frame.
    pub fn waiting_match(&self) -> FieldMatch {
        self.window.as_ref().map_or(FieldMatch::Deinterlace, Window::waiting_match)
    }

    /// Copies the comb mask that waits for the step after the next one. After an error nothing has
    /// changed.
    pub fn prepare(&mut self, mask: Option<&CombMask>) -> Result<(), OutOfMemory> {
        self.window.as_mut().map_or(Ok(()), |window| window.prepare(mask))
    }

    /// Completes both fields of the last frame, with a deinterlacer with look-ahead. `steps` frames
    /// were processed.
    pub fn finish(&mut self, context: StepContext, steps: u64, weave: bool, frames: &mut [Frame; 2]) -> FieldMatch {
        let exchange = |window: &mut Window<S>| {
            window.ended = true;
            self.wanted = [window.wants_first, true];
            window.exchange(FieldMatch::Deinterlace)
        };
        let (first, mask) = self.window.as_mut().map(exchange).unwrap_or_default();
        let second = if weave { FieldMatch::Previous } else { FieldMatch::Deinterlace };
        self.complete(context, steps, [(first, Some(&mask)), (second, None)], false, frames);
        first
    }

    /// Ends the step: the next step reads the planes of this one as the previous ones.
    pub fn end_step(&mut self) {
        if let Some(window) = &mut self.window {
            std::mem::swap(&mut window.older, &mut self.previous);
        }
        std::mem::swap(&mut self.current, &mut self.previous);
        self.luma.end_step();
        self.chroma.end_step();
        self.measure.swap(0, 1);
    }

    /// The denoise filters of the last step, of luma and chroma.
    pub fn filters(&self) -> [Option<DenoiseState>; 2] {
        [self.luma.controller.filter(), self.chroma.controller.filter()]
    }

    /// Makes the last output of the stream: the 2nd field of the last frame. No step writes a
    /// motion measure for it: that of the last step counts.
    pub fn last(&mut self, context: StepContext, weave: bool, frame: &mut Frame) {
        context.spatial(Role::Prev2, &self.previous, weave, self.tiling, &self.pool, frame);
        let deflicker = self.deflicker.as_mut().filter(|_| !weave);
        deflicker.into_iter().for_each(|deflicker| deflicker.run(context, &self.measure[0], frame));
    }

    /// Copies the planes of a frame, denoises them if that is on, and estimates the noise if it is
    /// needed.
    fn import(&mut self, context: StepContext, planes: &[InputPlane<S>; 3], first: bool) {
        let State { tiling, pool, luma, chroma, current, previous, .. } = self;
        let (settings, bands) = (context.settings, BandContext { context, tiling: *tiling, pool });
        let parameters = &settings.parameters;
        // The noise estimate is still that of the step before.
        let gne = if first { 0 } else { luma.noise.gne() >> (settings.working_depth() - 8) };
        let is_wide = settings.denoise_filter == DenoiseFilter::Neighbours5;
        let weights = is_wide.then(|| parameters.denoise5.weights(gne, settings.working_depth()));
        let weights = weights.as_ref().map_or(&[][..], |weights| &weights[..]);
        if settings.denoises() {
            luma.originals().for_each(|original| original.import(context.kernels, planes[0]));
            let (out, before) = (from_mut(&mut current.luma), (!first).then_some(from_ref(&previous.luma)));
            luma.run(bands, &parameters.denoise, before, out, (settings.needs_noise(), weights));
        } else {
            current.luma.import(context.kernels, planes[0]);
            if settings.needs_noise() {
                luma.noise = bands.estimate_noise(&current.luma.samples, context.size(), true, false).all;
            }
        }
        if settings.denoises_chroma() {
            chroma
                .originals()
                .zip(&planes[1..])
                .for_each(|(original, plane)| settings.import_chroma(context.kernels, original, plane));
            let before = (!first).then_some(previous.chroma.as_slice());
            let weights = weights.get(1..).unwrap_or_default();
            chroma.run(bands, &parameters.chroma_denoise.denoise(), before, &mut current.chroma, (false, weights));
        } else if settings.deinterlace {
            current
                .chroma
                .iter_mut()
                .zip(&planes[1..])
                .for_each(|(to, plane)| settings.import_chroma(context.kernels, to, plane));
        }
        if settings.keeps_chroma_top() {
            let Picture { chroma, chroma_top, .. } = current;
            let depth = settings.working_depth();
            chroma.iter().zip(chroma_top).for_each(|(samples, top)| samples.extract_top(top, context.kernels, depth));
        }
    }

    /// The parameters of the deinterlacer in the last step.
    pub fn deinterlace_parameters(&self, context: StepContext) -> DeinterlaceParameters {
        self.luma.controller.deinterlace_parameters(&context.settings.parameters.deinterlace)
    }

    /// Makes both outputs of a step after the first one.
    fn deinterlace(
        &mut self,
        context: StepContext,
        matches: StepMatches,
        comb_masks: [Option<&CombMask>; 2],
        frames: &mut [Frame; 2],
    ) {
        let tiling = self.tiling;
        let matches = matches.in_time();
        let parameters = &self.deinterlace_parameters(context);
        let [stored, measure] = &mut self.measure;
        let (current, previous) = (&self.current, &self.previous);
        let chroma = |role: Role, completed, other| {
            let chroma =
                context.chroma(role, completed, Some(other), Woven::of(matches[role as usize], role), comb_masks[role as usize]);
            chroma.map(|input| chroma::Input { mix: parameters.mix(), ..input })
        };
        let chroma = [chroma(Role::Prev2, previous, current), chroma(Role::Cur1, current, previous)];
        let input = deinterlace::Input {
            chroma: chroma[0].zip(chroma[1]).map(Into::into),
            wanted: self.wanted,
            ..context.deinterlacing(parameters, [current, previous], self.luma.original(), stored, matches, comb_masks)
        };
        let [prev2, cur1] = frames;
        let bands = (context.bands(prev2, tiling), context.bands(cur1, tiling), measure.bands_mut(tiling.lines));
        let sources = bands.into_par_iter().enumerate().map(|(band, (prev2, cur1, measure))| {
            let mut out = deinterlace::Output { luma: [prev2.0, cur1.0], chroma: [prev2.1, cur1.1], measure };
            let scratch = &mut self.pool.get().deinterlace;
            let mut sources = [PixelSources::default(); 2];
            for rect in tiling.tiles(band, context.size()) {
                add(&mut sources, deinterlace::tile(&input, rect, &mut out, scratch));
            }
            sources
        });
        self.sources = sources.reduce(Default::default, |mut a, b| {
            add(&mut a, b);
            a
        });
    }

    /// Makes an output without deinterlacing from the denoised planes and the caller's other
    /// planes.
    fn pass(&self, context: StepContext, planes: &[InputPlane<S>; 3], frame: &mut Frame) {
        let format = context.settings.format;
        let [u, v] = &self.current.chroma;
        let held = [&self.current.luma.samples, u, v].map(PaddedPlane::frame);
        for (index, plane) in frame.output_planes::<S>().into_iter().enumerate().take(format.sampling.planes()) {
            let width = format.plane_size(index).0;
            let lines = plane.par_chunks_exact_mut(width).enumerate().with_min_len(MIN_TASK_LINES);
            lines.for_each(|(y, line)| {
                if index == 0 || context.settings.denoises_chroma() {
                    line.copy_from_slice(held[index].line(y as isize, 0, width));
                } else {
                    planes[index].copy_line(context.kernels, y, line);
                }
            });
        }
    }
}
