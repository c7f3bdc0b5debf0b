//! The standard deviation of the noise that denoising along motion expects (§16.2).
use super::controller::Measured;
use super::curve::{SIGMA_ONE, Sigma6, WHOLE};
use super::denoise::{DenoiseMode, DenoiseState};
use super::fine_thresholds;
use super::noise_level;
use super::noise_tracker::{NoiseState, NoiseTracker};

/// The least standard deviation of [`DenoiseMode::Strong`], in 8-bit code values.
const STRONG: Sigma6 = 12;

/// Follows the noise of the luma, or of Cb and Cr, from frame to frame.
#[derive(Clone, Debug)]
pub(crate) struct MotionDenoiseController {
    mode: DenoiseMode,
    /// Bits per sample.
    depth: u8,
    tracker: NoiseTracker,
    /// The filter of the last frame.
    filter: DenoiseState,
}

impl MotionDenoiseController {
    /// A controller before its first frame.
    pub fn new(mode: DenoiseMode, depth: u8) -> MotionDenoiseController {
        MotionDenoiseController { mode, depth, tracker: NoiseTracker::default(), filter: DenoiseState::default() }
    }

    /// Whether [`step`](MotionDenoiseController::step) needs measurements.
    pub fn is_automatic(&self) -> bool {
        matches!(self.mode, DenoiseMode::Auto | DenoiseMode::On | DenoiseMode::Strong)
    }

    /// Takes the measurements of the next frame; only automatic modes need them.
    pub fn step(&mut self, first: bool, measured: Option<&Measured>) {
        let fixed = |level| DenoiseState { noise: Some(level * SIGMA_ONE), ..DenoiseState::default() };
        self.filter = match (self.mode, measured) {
            (DenoiseMode::Light, _) => fixed(3),
            (DenoiseMode::Medium, _) => fixed(6),
            (DenoiseMode::Auto | DenoiseMode::On | DenoiseMode::Strong, Some(Measured { estimates, lines, thumbnail })) => {
                let noise = noise_level::measure(estimates, *lines);
                self.tracker.begin_step(first, noise, *thumbnail);
                let state = self.tracker.state;
                // The filter measures no share of moving blocks, and needs none.
                self.tracker.end_step(noise, 0);
                let least = if self.mode == DenoiseMode::Strong { STRONG * SIGMA_ONE } else { 0 };
                DenoiseState { noise: Some(sigma(&state, self.depth).max(least)), cut: state.cut, ..DenoiseState::default() }
            }
            _ => DenoiseState::default(),
        };
    }

    /// The standard deviation that the last frame is filtered for, in 1/64 of an 8-bit code value;
    /// 0 for no filter.
    pub fn sigma(&self) -> Sigma6 {
        self.filter.noise.unwrap_or(0)
    }

    /// The filter of the last frame; none if the mode is off.
    pub fn filter(&self) -> Option<DenoiseState> {
        (self.mode != DenoiseMode::Off).then(|| self.filter.clone())
    }
}

/// The standard deviation for a measured noise. Faint noise is not filtered, and there is a ramp to
/// noise that is. Of more than 8 bits the ramp is lower, but only flat pictures are filtered for
/// faint noise, as which the estimate counts texture, too.
fn sigma(state: &NoiseState, depth: u8) -> Sigma6 {
    let level = u32::from(state.level);
    let (least, whole, shift) = if depth == 8 { (96, 160, 6) } else { (16, 32, 4) };
    let sigma = match level {
        level if level < least => 0,
        level if level < whole => ((level - least) * level) >> shift,
        level => level,
    };
    let share = if depth == 8 { WHOLE } else { fine_thresholds::share(state.level, state.flatness) };
    match (sigma * u32::from(share)) / u32::from(WHOLE) {
        sigma if sigma < 16 => 0,
        sigma => sigma as Sigma6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(level: Sigma6, flatness: u16) -> NoiseState {
        NoiseState { level, flatness, ..NoiseState::default() }
    }

    #[test]
    fn faint_noise_is_not_filtered_and_strong_noise_is_as_measured() {
        let eight = [0, 95, 96, 128, 159, 160, 1024].map(|level| sigma(&state(level, 0), 8));
        assert_eq!(eight, [0, 0, 0, 64, 156, 160, 1024]);
        let flat = [15, 16, 24, 31, 32, 160].map(|level| sigma(&state(level, WHOLE), 10));
        assert_eq!(flat, [0, 0, 0, 29, 32, 160]);
        // Texture that measures as faint noise.
        assert_eq!([64, 128, 160, 192].map(|level| sigma(&state(level, WHOLE / 2), 10)), [0, 0, 80, 192]);
    }

    #[test]
    fn fixed_modes_measure_nothing() {
        let modes = [DenoiseMode::Off, DenoiseMode::Light, DenoiseMode::Medium];
        let sigmas = modes.map(|mode| {
            let mut controller = MotionDenoiseController::new(mode, 8);
            controller.step(true, None);
            (controller.is_automatic(), controller.sigma(), controller.filter().is_some())
        });
        assert_eq!(sigmas, [(false, 0, false), (false, 192, true), (false, 384, true)]);
    }
}
