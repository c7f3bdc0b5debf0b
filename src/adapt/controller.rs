//! Adaptive denoising of one stream: from the measurements of each step to its parameters.
use super::curve::{Share10, WHOLE};
use super::deinterlace::deinterlace_for_noise;
use super::denoise::{DenoiseMode, DenoiseState};
use super::noise_level::{self, NoiseLevel};
use super::noise_tracker::{NoiseState, NoiseTracker};
use super::scene::Thumbnail;
use crate::deinterlace::DeinterlaceParameters;
use crate::denoise::{DenoiseParameters, Thresholds};
use crate::noise::Distribution;

/// The noise estimates and the thumbnail that the first part of an automatic step measures.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// Estimates of the sampled blocks (§2.5).
    pub estimates: Distribution,
    /// Lines of these blocks: 4 or 8.
    pub lines: usize,
    /// The thumbnail; none of a blank picture.
    pub thumbnail: Option<Thumbnail>,
}

/// Chooses the parameters of each step for planes that share them: the luma, or Cb and Cr.
#[derive(Clone, Debug, Default)]
pub(crate) struct DenoiseController {
    mode: DenoiseMode,
    /// Bits per sample.
    depth: u8,
    tracker: NoiseTracker,
    /// The noise that the running step measured.
    noise: Option<NoiseLevel>,
    /// The state that the parameters of the last step were chosen by; none unless the mode is
    /// automatic.
    used: Option<NoiseState>,
    /// The filter of the last step.
    filter: DenoiseState,
}

impl DenoiseController {
    /// A controller before its first step.
    pub fn new(mode: DenoiseMode, depth: u8) -> DenoiseController {
        DenoiseController { mode, depth, ..DenoiseController::default() }
    }

    /// Whether [`begin_step`](DenoiseController::begin_step) needs measurements.
    pub fn is_automatic(&self) -> bool {
        self.mode == DenoiseMode::Auto
    }

    /// Begins a step and returns the parameters of its filter. `given` are the caller's parameters,
    /// `fields` says whether the planes are filtered field by field; only automatic mode needs
    /// `measured`.
    pub fn begin_step(
        &mut self,
        first: bool,
        given: &DenoiseParameters,
        fields: bool,
        measured: Option<&Measured>,
    ) -> &DenoiseParameters {
        if let Some(Measured { estimates, lines, thumbnail }) = measured {
            self.noise = noise_level::measure(estimates, *lines);
            self.tracker.begin_step(first, self.noise, *thumbnail);
            self.used = Some(self.tracker.state);
        }
        self.filter = DenoiseState::new(self.mode, given, fields, &self.tracker.state);
        &self.filter.parameters
    }

    /// Ends a step whose filter found `moving` of `blocks` blocks in motion.
    pub fn end_step(&mut self, moving: u64, blocks: u64) {
        if self.is_automatic() {
            self.tracker.end_step(self.noise, (moving * u64::from(WHOLE) / blocks.max(1)) as Share10);
        }
    }

    /// The thresholds of the last step's filter, in units of the samples.
    pub fn thresholds(&self) -> Thresholds {
        self.filter.parameters.thresholds(self.depth)
    }

    /// The filter of the last step; none if the mode is off.
    pub fn filter(&self) -> Option<DenoiseState> {
        (self.mode != DenoiseMode::Off).then(|| self.filter.clone())
    }

    /// The parameters of the deinterlacer in the last step.
    pub fn deinterlace_parameters(&self, given: &DeinterlaceParameters) -> DeinterlaceParameters {
        self.used.map_or_else(|| given.clone(), |state| deinterlace_for_noise(given, &state))
    }
}
