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
    /// Its thresholds in units of the samples; none before the first step.
    thresholds: Option<Thresholds>,
}

impl DenoiseController {
    /// A controller before its first step.
    pub fn new(mode: DenoiseMode, depth: u8) -> DenoiseController {
        DenoiseController { mode, depth, ..DenoiseController::default() }
    }

    /// Whether [`begin_step`](DenoiseController::begin_step) needs measurements.
    pub fn is_automatic(&self) -> bool {
        self.mode.is_measured()
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
        let (filter, thresholds) = DenoiseState::new(self.mode, given, fields, &self.tracker.state, self.depth);
        (self.filter, self.thresholds) = (filter, Some(thresholds));
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
        self.thresholds.unwrap_or_else(|| self.filter.parameters.thresholds(self.depth))
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

#[cfg(test)]
mod tests {
    use super::super::curve::SIGMA_ONE;
    use super::*;

    /// Noise of a standard deviation of about 8 code values, with or without a thumbnail.
    fn measured(thumbnail: Option<Thumbnail>) -> Measured {
        let mut estimates = Distribution::default();
        (estimates.counts[23], estimates.counts[35]) = (300, 700);
        Measured { estimates, lines: 8, thumbnail }
    }

    /// The share of moving blocks that a step uses after one with `moving` of `blocks`.
    fn motion(moving: u64, blocks: u64) -> Option<Share10> {
        let mut controller = DenoiseController::new(DenoiseMode::Auto, 8);
        let (given, measured) = (DenoiseParameters::default(), measured(Some(Thumbnail::half(0))));
        for step in 0..3 {
            controller.begin_step(step == 0, &given, false, Some(&measured));
            assert_eq!(controller.filter().unwrap().cut, step == 0);
            controller.end_step(moving, blocks);
        }
        controller.filter().unwrap().motion
    }

    #[test]
    fn motion_is_the_share_of_moving_blocks() {
        assert_eq!([motion(1, 4), motion(3, 3), motion(0, 7), motion(1, 1)], [Some(256), Some(1024), Some(0), Some(1024)]);
        // A plane without blocks.
        assert_eq!(motion(0, 0), Some(0));
    }

    #[test]
    fn only_automatic_modes_measure() {
        let default = DeinterlaceParameters::default();
        for mode in [DenoiseMode::Off, DenoiseMode::On, DenoiseMode::Auto, DenoiseMode::Light, DenoiseMode::Strong] {
            let is_auto = matches!(mode, DenoiseMode::Auto | DenoiseMode::Strong);
            let mut controller = DenoiseController::new(mode, 8);
            assert_eq!(controller.is_automatic(), is_auto);
            let measured = measured(Some(Thumbnail::half(0)));
            controller.begin_step(true, &DenoiseParameters::default(), true, is_auto.then_some(&measured));
            controller.end_step(1, 2);
            assert_eq!(controller.deinterlace_parameters(&default) != default, is_auto);
            assert_eq!(controller.filter().is_none(), mode == DenoiseMode::Off);
            let level = controller.filter().and_then(|filter| filter.noise);
            assert_eq!(level.is_some_and(|level| level.abs_diff(8 * SIGMA_ONE) < SIGMA_ONE), mode == DenoiseMode::Auto);
        }
    }
}
