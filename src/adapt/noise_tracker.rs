//! Noise and motion tracked from step to step, with a restart at each scene cut.
use super::curve::{SIGMA_ONE, Share10, Sigma6, WHOLE};
use super::noise_level::{NO_NOISE, NoiseLevel};
use super::scene::Thumbnail;

/// Level, flatness and motion move by one part in `STEP` of the distance to the measured value.
///
/// Chosen on the calibration clips for no visible pumping. With 2, parameters change faster (+0.03
/// dB at 16, interlaced); with 32, slower (-0.05 dB at 16, -0.08 dB interlaced).
const STEP: u16 = 8;

/// Largest step of the level, 1/2 code value, so that no change is visible.
///
/// Chosen on the calibration clips. With 2 and with 1/8 `black_between_pictures_is_none` fails;
/// with 1/8 the level also follows the noise late (-0.03 dB at 16, interlaced).
const MAX_LEVEL_STEP: Sigma6 = SIGMA_ONE / 2;

/// Largest step of flatness and motion, 1/64 of the blocks. Chosen on the calibration clips.
/// Raised, the temporal filter switches visibly; lowered, there is no measured effect.
const MAX_SHARE_STEP: Share10 = WHOLE / 64;

/// Differences of the level up to one part in `LEVEL_REST` of it, or [`MIN_LEVEL_REST`], change
/// nothing.
///
/// Chosen on the calibration clips by the fluctuation of the estimate. With 4, the level stops up
/// to a quarter away from the noise; with 1000, parameters change although the noise is constant.
const LEVEL_REST: u16 = 16;

/// The smallest difference of the level that changes it: 1/8 code value. See [`LEVEL_REST`].
const MIN_LEVEL_REST: Sigma6 = SIGMA_ONE / 8;

/// Differences of the flatness up to 1/32 of the blocks change nothing. Chosen on the calibration
/// clips; neither 1/8 nor 1/1000 has a measured effect.
const FLATNESS_REST: Share10 = WHOLE / 32;

/// Differences of the motion up to 1/64 of the blocks change nothing. Chosen on the calibration
/// clips; neither 1/8 nor 1/1000 has a measured effect.
const MOTION_REST: Share10 = WHOLE / 64;

/// At a scene cut the level remains if the new one differs by up to one part in `LEVEL_KEPT` of it,
/// or [`MIN_LEVEL_REST`], so that a false cut, such as in a fast pan, changes nothing.
///
/// Chosen for that purpose. With 2, a shot is filtered for the noise of the previous one; with 100,
/// false cuts make the parameters pump. `a_shot_goes_by_its_own_noise_whatever_moves` fails with
/// both.
const LEVEL_KEPT: u16 = 8;

/// At a scene cut the flatness remains if the new one differs by up to 1/32 of the blocks. Raised
/// to 1/4, a shot is filtered for the texture of the previous one; 1/1024 has no measured effect.
const FLATNESS_KEPT: Share10 = WHOLE / 32;

/// Level from which on the deinterlacer adapts to noise: 3 code values. Chosen on the calibration
/// clips. Raised to 5: -0.12 dB at 4, interlaced; 2 has no measured effect.
const NOISY_ON: Sigma6 = 3 * SIGMA_ONE;

/// Level below which the deinterlacer stops adapting to noise: 2.5 code values. The gap to
/// [`NOISY_ON`] is hysteresis; without it the thresholds of the deinterlacer toggle.
const NOISY_OFF: Sigma6 = 5 * SIGMA_ONE / 2;

/// The measurements by which the parameters of a step are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NoiseState {
    /// Standard deviation of the noise.
    pub level: Sigma6,
    /// Flatness: the flat share of the picture, relative to that of a picture of noise alone.
    pub flatness: Share10,
    /// Share of the blocks that move; unknown on the first two steps of a shot.
    pub motion: Option<Share10>,
    /// Whether the noise is strong enough to disturb the deinterlacer's motion measure.
    pub noisy: bool,
    /// Whether a shot begins with this step.
    pub cut: bool,
}

/// Tracks noise and motion of the luma, or of Cb and Cr together.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoiseTracker {
    /// The state of the running step, or of the next one between steps.
    pub state: NoiseState,
    /// Thumbnail of the last step whose picture was not blank.
    visible: Option<Thumbnail>,
    /// Whether the picture of the last step was blank.
    blank: bool,
}

impl NoiseTracker {
    /// Begins a step with its measured noise and its thumbnail; none of a blank picture. The first
    /// step of the stream and the first step of a shot use their own noise.
    pub fn begin_step(&mut self, first: bool, noise: Option<NoiseLevel>, thumbnail: Option<Thumbnail>) {
        if first {
            *self = NoiseTracker { state: NoiseState { flatness: WHOLE, ..NoiseState::default() }, ..NoiseTracker::default() };
        }
        // A blank picture, such as black between scenes, starts no shot: the picture after it is
        // compared with the one before it.
        let other = thumbnail.is_some_and(|thumbnail| !self.visible.is_some_and(|visible| visible.correlates(&thumbnail)));
        (self.visible, self.blank) = (thumbnail.or(self.visible), thumbnail.is_none());
        if first || other {
            let NoiseState { level: old, flatness: old_flatness, .. } = self.state;
            let [near, near_flatness] = if first { [0; 2] } else { [(old / LEVEL_KEPT).max(MIN_LEVEL_REST), FLATNESS_KEPT] };
            let (level, flatness) = noise.map_or((old, old_flatness), |noise| {
                (settle(old, noise.level, near), settle(old_flatness, noise.flatness, near_flatness))
            });
            self.state = NoiseState { level, flatness, motion: None, noisy: is_noisy(level, false), cut: true };
        }
    }

    /// Ends a step with its measured noise and the share of blocks that moved. The first step of a
    /// shot measures no motion.
    pub fn end_step(&mut self, noise: Option<NoiseLevel>, motion: Share10) {
        let NoiseState { level: old, flatness: old_flatness, motion: old_motion, noisy, cut } = self.state;
        if cut {
            self.state.cut = false;
            return;
        }
        // A black frame between scenes does not prove that these have no noise.
        let noise = noise.filter(|&noise| !self.blank || noise != NO_NOISE);
        let (level, flatness) = noise.map_or((old, old_flatness), |noise| {
            (
                approach(old, noise.level, (old / LEVEL_REST).max(MIN_LEVEL_REST), MAX_LEVEL_STEP),
                approach(old_flatness, noise.flatness, FLATNESS_REST, MAX_SHARE_STEP),
            )
        });
        let motion = old_motion.map_or(motion, |old| approach(old, motion, MOTION_REST, MAX_SHARE_STEP));
        self.state = NoiseState { level, flatness, motion: Some(motion), noisy: is_noisy(level, noisy), cut: false };
    }
}

/// `to`, or `from` if they differ by `near` at most.
fn settle(from: u16, to: u16, near: u16) -> u16 {
    if from.abs_diff(to) <= near { from } else { to }
}

/// One [`STEP`] of the way from `from` to `to`, at most `most`; `from` if they differ by `near` at
/// most.
fn approach(from: u16, to: u16, near: u16, most: u16) -> u16 {
    let distance = from.abs_diff(to);
    if distance <= near {
        return from;
    }
    let way = distance.div_ceil(STEP).min(most);
    if to > from { from + way } else { from - way }
}

/// Whether the noise disturbs the motion measure, with hysteresis: `before` is the previous answer.
fn is_noisy(level: Sigma6, before: bool) -> bool {
    level >= if before { NOISY_OFF } else { NOISY_ON }
}

#[cfg(test)]
mod tests;
