//! Denoising along motion (§16): it holds one frame until the next one is known.
use super::change::Change;
use super::context::BandContext;
use super::session::Step;
use super::settings::Settings;
use crate::adapt::denoise::DenoiseState;
use crate::adapt::denoise_motion::MotionDenoiseController;
use crate::adapt::scene::Thumbnail;
use crate::denoise_motion::{Sequence, Shape};
use crate::field_match::{CombMask, FieldMatches, StepMatches};
use crate::format::Scan;
use crate::frame::{Frame, InputPlane, PlaneSample};
use crate::memory::{OutOfMemory, with_capacity};
use crate::noise::Estimate;
use crate::plane::PaddedPlane;
use dndi_simd::Kernels;

/// The filter with its frames.
#[derive(Debug)]
pub(super) struct DenoiseMotionStage<S> {
    /// One sequence of frames, or one for the fields of each parity.
    sequences: Vec<Sequence>,
    /// The thumbnail of the last picture of each sequence.
    thumbnails: [Option<Thumbnail>; 2],
    /// The luma before denoising, and the chroma if its noise is measured.
    originals: [PaddedPlane<S>; 3],
    luma: MotionDenoiseController,
    chroma: MotionDenoiseController,
    /// The frame that waits for the next one.
    waiting: Option<Waiting<S>>,
    /// The comb masks of the next frame.
    next_masks: [CombMask; 2],
    /// Parameters that were set since the last frame.
    pub change: Option<Change<S>>,
    /// The denoised frame.
    pub frame: Frame,
    /// The filters of the denoised frame, of luma and chroma.
    pub filters: [Option<DenoiseState>; 2],
}

/// A frame that waits: everything but its planes, which the sequences hold.
#[derive(Debug)]
pub(super) struct Waiting<S> {
    pub number: u64,
    pub matches: StepMatches,
    /// Its comb masks, which may be empty.
    pub comb_masks: [CombMask; 2],
    /// Parameters that count from this frame on.
    pub change: Option<Change<S>>,
    filters: [Option<DenoiseState>; 2],
    sigmas: [u16; 2],
}

impl<S: PlaneSample> DenoiseMotionStage<S> {
    pub fn new(settings: &Settings) -> Result<DenoiseMotionStage<S>, OutOfMemory> {
        let format = settings.format.with_depth(settings.working_depth());
        let pictures = if settings.scan == Scan::Progressive { 1 } else { 2 };
        let mut sequences = with_capacity(pictures)?;
        for first_line in 0..pictures {
            let size = |plane: usize| match plane < format.sampling.planes() {
                true => {
                    let (width, height) = format.plane_size(plane);
                    (width, (height - first_line.min(height)).div_ceil(pictures))
                }
                false => (0, 0),
            };
            let (sizes, chroma_scale) = ([size(0), size(1), size(2)], format.sampling.chroma_scale());
            sequences.push(Sequence::new(Shape { sizes, chroma_scale, depth: format.depth, first_line, line_step: pictures })?);
        }
        let luma = MotionDenoiseController::new(settings.denoise, format.depth);
        let chroma = MotionDenoiseController::new(settings.chroma_mode(), format.depth);
        let original = |plane: usize| match plane == 0 || chroma.is_automatic() {
            true => {
                let (width, height) = format.plane_size(plane);
                PaddedPlane::new(width, height)
            }
            false => Ok(PaddedPlane::default()),
        };
        Ok(DenoiseMotionStage {
            sequences,
            thumbnails: [None; 2],
            originals: [original(0)?, original(1)?, original(2)?],
            luma,
            chroma,
            waiting: None,
            next_masks: Default::default(),
            change: None,
            frame: Frame::try_new(format)?,
            filters: [None, None],
        })
    }

    /// Copies the comb masks of the next frame. After an error nothing has changed.
    pub fn prepare(&mut self, matches: Option<&FieldMatches>) -> Result<(), OutOfMemory> {
        let [a, b] = matches.map_or([None; 2], FieldMatches::masks);
        let copy = |mask: Option<&CombMask>| mask.map_or(Ok(CombMask::default()), CombMask::try_clone);
        self.next_masks = [copy(a)?, copy(b)?];
        Ok(())
    }

    /// The frame that waits.
    pub fn waiting(&self) -> Option<&Waiting<S>> {
        self.waiting.as_ref()
    }

    /// The parameters of the frame after the last one, if they differ from those of the frame
    /// before the one that waits.
    pub fn last_change(&self) -> Option<&Change<S>> {
        self.change.as_ref().or_else(|| self.waiting.as_ref()?.change.as_ref())
    }

    /// Removes the change of parameters that was set last.
    pub fn take_change(&mut self) -> Option<Change<S>> {
        self.change.take().or_else(|| self.waiting.as_mut()?.change.take())
    }

    /// Takes a frame, and denoises the one before into [`frame`](DenoiseMotionStage::frame).
    /// Returns that frame; none on the first step.
    pub fn push(&mut self, bands: BandContext<S>, step: &Step, planes: &[InputPlane<S>; 3]) -> Option<Waiting<S>> {
        let context = bands.context;
        let first = step.number == 0;
        let held = if self.chroma.is_automatic() { 3 } else { 1 };
        self.originals.iter_mut().zip(planes).take(held).for_each(|(original, plane)| original.import(context.kernels, *plane));
        for (sequence, last) in self.sequences.iter_mut().zip(&mut self.thumbnails) {
            let thumbnail = Thumbnail::of(
                std::iter::once((self.originals[0].frame(), context.size())),
                sequence.first_line(),
                context.settings.working_depth(),
            );
            let is_cut = matches!((&*last, &thumbnail), (Some(a), Some(b)) if !first && !a.correlates(b));
            *last = thumbnail;
            sequence.import(planes, is_cut);
        }
        let sizes = [0, 1, 2].map(|plane| context.settings.format.plane_size(plane));
        let controllers = [(&mut self.luma, 0..1), (&mut self.chroma, 1..held)];
        for (controller, planes) in controllers {
            let measured = controller.is_automatic().then(|| {
                let mut noise = Estimate::default();
                for plane in planes.clone() {
                    noise += bands.estimate_noise(&self.originals[plane], sizes[plane], false, true);
                }
                bands.measured(planes.map(|plane| (&self.originals[plane], sizes[plane])), noise.sampled)
            });
            controller.step(first, measured.as_ref());
        }
        let denoised = self.advance(context.kernels);
        self.waiting = Some(Waiting {
            number: step.number,
            matches: step.matches,
            comb_masks: std::mem::take(&mut self.next_masks),
            change: self.change.take(),
            filters: [self.luma.filter(), self.chroma.filter()],
            sigmas: [self.luma.sigma(), self.chroma.sigma()],
        });
        denoised
    }

    /// Denoises the frame that waits, if there is one, and proceeds to the next one.
    pub fn advance(&mut self, kernels: &Kernels) -> Option<Waiting<S>> {
        let mut waiting = self.waiting.take();
        let sigmas = waiting.as_ref().map_or([0; 2], |waiting| waiting.sigmas);
        let mut planes = self.frame.output_planes::<S>();
        self.sequences.iter_mut().for_each(|sequence| sequence.advance(kernels, sigmas, &mut planes));
        if let Some(waiting) = &mut waiting {
            self.filters = std::mem::take(&mut waiting.filters);
        }
        waiting
    }

    /// Returns to the state before the first frame.
    pub fn reset(&mut self) {
        self.sequences.iter_mut().for_each(Sequence::reset);
        (self.waiting, self.filters) = (None, [None, None]);
    }
}
