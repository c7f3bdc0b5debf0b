//! Noise and motion followed from step to step, with a restart at each scene cut.
use super::curve::{SIGMA_ONE, Share10, Sigma6, WHOLE};
use super::noise_level::{NOTHING, NoiseLevel};
use super::scene::Thumbnail;

/// The measurements that the parameters of a step are chosen by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NoiseState {
    /// Standard deviation of the noise.
    pub level: Sigma6,
    /// Share of the picture that is flat, against a picture of noise alone.
    pub flat: Share10,
    /// Share of the blocks that move; unknown on the first two steps of a shot.
    pub motion: Option<Share10>,
    /// Whether the noise is strong enough to disturb the deinterlacer's motion measure.
    pub noisy: bool,
    /// Whether a shot begins with this step.
    pub cut: bool,
}

/// Follows noise and motion of one plane, or of Cb and Cr together.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoiseTracker {
    /// The state of the step that runs, or of the next one.
    pub state: NoiseState,
    /// Thumbnail of the last step that showed something.
    visible: Option<Thumbnail>,
    /// Whether the last step showed nothing.
    blank: bool,
}

impl NoiseTracker {
    /// Begins a step with its measured noise and its thumbnail; none of a picture that shows nothing. The first step of all and the
    /// first step of a shot use their own noise.
    pub fn begin_step(&mut self, first: bool, noise: Option<NoiseLevel>, thumbnail: Option<Thumbnail>) {
        if first {
            *self = NoiseTracker { state: NoiseState { flat: WHOLE, ..NoiseState::default() }, ..NoiseTracker::default() };
        }
        // A blank picture, such as black between scenes, starts no shot: the picture after it is compared with the one before it.
        let other = thumbnail.is_some_and(|thumbnail| !self.visible.is_some_and(|visible| visible.correlates(&thumbnail)));
        (self.visible, self.blank) = (thumbnail.or(self.visible), thumbnail.is_none());
        if first || other {
            let NoiseState { level: old, flat: old_flat, .. } = self.state;
            // A fast pan may look like a series of shots: small differences do not change the state, so that it does not pump.
            let [near, near_flat] = if first { [0; 2] } else { [(old / 8).max(SIGMA_ONE / 8), WHOLE / 32] };
            let (level, flat) =
                noise.map_or((old, old_flat), |noise| (settle(old, noise.level, near), settle(old_flat, noise.flat, near_flat)));
            self.state = NoiseState { level, flat, motion: None, noisy: is_noisy(level, false), cut: true };
        }
    }

    /// Ends a step with its measured noise and the share of blocks that moved, which counts unless a shot began with the step.
    pub fn end_step(&mut self, noise: Option<NoiseLevel>, motion: Share10) {
        let NoiseState { level: old, flat: old_flat, motion: old_motion, noisy, cut } = self.state;
        if cut {
            self.state.cut = false;
            return;
        }
        // A black frame between scenes does not show that these have no noise.
        let noise = noise.filter(|&noise| !self.blank || noise != NOTHING);
        let (level, flat) = noise.map_or((old, old_flat), |noise| {
            (
                approach(old, noise.level, (old / 16).max(SIGMA_ONE / 8), SIGMA_ONE / 2),
                approach(old_flat, noise.flat, WHOLE / 32, WHOLE / 64),
            )
        });
        let motion = old_motion.map_or(motion, |old| approach(old, motion, WHOLE / 64, WHOLE / 64));
        self.state = NoiseState { level, flat, motion: Some(motion), noisy: is_noisy(level, noisy), cut: false };
    }
}

/// `to`, but `from` if they differ by `near` at most.
fn settle(from: u16, to: u16, near: u16) -> u16 {
    if from.abs_diff(to) <= near { from } else { to }
}

/// An eighth of the way from `from` to `to`, at most `most`; `from` if they differ by `near` at most, so that the value rests.
fn approach(from: u16, to: u16, near: u16, most: u16) -> u16 {
    let distance = from.abs_diff(to);
    if distance <= near {
        return from;
    }
    let way = distance.div_ceil(8).min(most);
    if to > from { from + way } else { from - way }
}

/// Hysteresis: noisy from a standard deviation of 3 on; once noisy, down to 2.5.
fn is_noisy(level: Sigma6, before: bool) -> bool {
    level >= if before { 5 * SIGMA_ONE / 2 } else { 3 * SIGMA_ONE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs through steps that see noise of this level, in flat pictures, motion, and something else than what was before; tells the levels that they go by.
    fn levels(steps: &[(Sigma6, Share10, bool)]) -> Vec<Sigma6> {
        let (mut tracker, mut shot) = (NoiseTracker::default(), 0);
        let step = |(number, &(level, motion, other)): (usize, &(Sigma6, Share10, bool))| {
            shot = (shot + other as usize) % SHOTS.len();
            let noise = Some(NoiseLevel { level, flat: WHOLE });
            tracker.begin_step(number == 0, noise, SHOTS[shot]);
            let state = tracker.state;
            assert_eq!((state.cut, state.cut && state.motion.is_some()), (number == 0 || other, false), "{number}");
            tracker.end_step(noise, motion);
            state.level
        };
        steps.iter().enumerate().map(step).collect()
    }

    /// Pictures that have nothing in common.
    const SHOTS: [Option<Thumbnail>; 2] = [Some(Thumbnail::half(0)), Some(Thumbnail::half(1))];

    #[test]
    fn small_changes_are_ignored_and_large_ones_followed_slowly() {
        let wobble: Vec<_> = (0..50).map(|n| (8 * SIGMA_ONE + 30 * (n % 2), 100, false)).collect();
        assert!(levels(&wobble).iter().all(|&level| level == 8 * SIGMA_ONE));
        let rise: Vec<_> = (0..80).map(|n| (if n < 10 { 4 * SIGMA_ONE } else { 16 * SIGMA_ONE }, 100, false)).collect();
        let levels = levels(&rise);
        assert!(levels.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= SIGMA_ONE / 2));
        assert!(levels[79].abs_diff(16 * SIGMA_ONE) <= SIGMA_ONE, "{levels:?}");
    }

    #[test]
    fn a_shot_goes_by_its_own_noise_whatever_moves() {
        for motion in [100, 1000] {
            let cut: Vec<_> = (0..20).map(|n| (if n < 10 { 2 * SIGMA_ONE } else { 9 * SIGMA_ONE }, motion, n == 10)).collect();
            let levels = levels(&cut);
            assert_eq!((levels[9], levels[10], levels[19]), (2 * SIGMA_ONE, 9 * SIGMA_ONE, 9 * SIGMA_ONE), "{levels:?}");
        }
        // Where all moves all the time nothing is a cut; nor where all begins to move.
        let pan: Vec<_> = (0..20)
            .map(|n| (if n % 2 == 0 { 4 * SIGMA_ONE } else { 8 * SIGMA_ONE }, if n < 9 { 0 } else { 1000 }, false))
            .collect();
        assert!(levels(&pan).windows(2).all(|pair| pair[0].abs_diff(pair[1]) <= SIGMA_ONE / 2));
        // Where shots are about as noisy as those before, nothing changes.
        let whirl: Vec<_> = (0..9).map(|n| (8 * SIGMA_ONE + 60 * (n % 2), 1000, true)).collect();
        assert!(levels(&whirl).iter().all(|&level| level == 8 * SIGMA_ONE));
        // Every frame a shot.
        let strobe: Vec<_> = (0..9).map(|n| (n * SIGMA_ONE, 1000, true)).collect();
        assert_eq!(levels(&strobe), strobe.iter().map(|step| step.0).collect::<Vec<_>>());
    }

    #[test]
    fn a_step_without_evidence_changes_nothing() {
        let mut tracker = NoiseTracker::default();
        tracker.begin_step(true, None, SHOTS[0]);
        assert_eq!(tracker.state, NoiseState { level: 0, flat: WHOLE, motion: None, noisy: false, cut: true });
        tracker.begin_step(true, Some(NoiseLevel { level: 5 * SIGMA_ONE, flat: WHOLE }), SHOTS[0]);
        tracker.end_step(None, WHOLE);
        tracker.begin_step(false, None, SHOTS[0]);
        tracker.end_step(None, 100);
        let steady = NoiseState { level: 5 * SIGMA_ONE, flat: WHOLE, motion: Some(100), noisy: true, cut: false };
        assert_eq!(tracker.state, steady);
        // A shot of which no block qualifies.
        tracker.begin_step(false, None, SHOTS[1]);
        assert_eq!(tracker.state, NoiseState { motion: None, cut: true, ..steady });
    }

    #[test]
    fn black_between_pictures_is_none() {
        for (after, level) in [(SHOTS[0], 8 * SIGMA_ONE), (SHOTS[1], 3 * SIGMA_ONE)] {
            let mut tracker = NoiseTracker::default();
            let mut step = |number, level, outline| {
                let noise = if level == 0 { NOTHING } else { NoiseLevel { level, flat: WHOLE } };
                tracker.begin_step(number == 0, Some(noise), outline);
                let seen = (tracker.state.level, tracker.state.cut);
                tracker.end_step(Some(noise), 0);
                seen
            };
            (0..4).for_each(|number| assert_eq!(step(number, 8 * SIGMA_ONE, SHOTS[0]), (8 * SIGMA_ONE, number == 0)));
            (4..30).for_each(|number| assert_eq!(step(number, 0, None), (8 * SIGMA_ONE, false)));
            assert_eq!(step(30, 3 * SIGMA_ONE, after), (level, after == SHOTS[1]));
        }
        // A drawn shot has no noise, and shows something.
        let mut tracker = NoiseTracker::default();
        tracker.begin_step(true, Some(NoiseLevel { level: 8 * SIGMA_ONE, flat: WHOLE }), SHOTS[0]);
        tracker.end_step(None, 0);
        tracker.begin_step(false, Some(NOTHING), SHOTS[1]);
        assert_eq!(tracker.state.level, 0);
        // Nor does noise stay that goes away while something is to be seen.
        tracker.begin_step(true, Some(NoiseLevel { level: 8 * SIGMA_ONE, flat: WHOLE }), SHOTS[0]);
        for _ in 0..3 {
            tracker.end_step(Some(NOTHING), 0);
            tracker.begin_step(false, Some(NOTHING), SHOTS[0]);
        }
        assert_eq!(tracker.state.level, 7 * SIGMA_ONE);
        // What is black first begins with the first picture.
        tracker.begin_step(true, Some(NOTHING), None);
        tracker.end_step(Some(NOTHING), 0);
        tracker.begin_step(false, Some(NoiseLevel { level: 8 * SIGMA_ONE, flat: WHOLE }), SHOTS[1]);
        assert_eq!((tracker.state.level, tracker.state.cut), (8 * SIGMA_ONE, true));
    }
}
