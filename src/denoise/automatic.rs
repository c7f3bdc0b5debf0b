//! What automatic denoising goes by: the level of the noise, from the global noise estimate (§2.6), and the share of blocks that move, both
//! followed from step to step. Whole numbers made of sums over the frame, taken when it is done: neither threads nor instruction sets can
//! change them.
use super::curve::{ALL, Curve, Level, ONE, Share, at};
use crate::noise::Sums;

/// What noise of known strength on flat pictures looks like to the estimate.
struct Calibration {
    /// Level by GNE in 1/16.
    level: Curve<12>,
    /// Share of the blocks in which a pixel qualifies, by GNE in 1/16.
    share: Curve<9>,
}

/// Blocks of eight lines.
const EIGHT: Calibration = Calibration {
    level: [
        (0, 0),
        (64, 64),
        (122, 128),
        (190, 192),
        (264, 256),
        (447, 384),
        (616, 512),
        (768, 640),
        (873, 768),
        (996, 1024),
        (1056, 1280),
        (1085, 1536),
    ],
    share: [(64, 980), (200, 970), (270, 940), (450, 850), (616, 700), (768, 520), (873, 345), (996, 115), (1056, 35)],
};

/// Blocks of four lines.
const FOUR: Calibration = Calibration {
    level: [
        (0, 0),
        (72, 64),
        (141, 128),
        (218, 192),
        (302, 256),
        (488, 384),
        (660, 512),
        (798, 640),
        (893, 768),
        (1008, 1024),
        (1056, 1280),
        (1085, 1536),
    ],
    share: [(64, 850), (200, 820), (300, 760), (490, 610), (660, 460), (798, 295), (893, 178), (1008, 56), (1056, 16)],
};

/// How much an estimate counts, by the share of blocks that qualified against the one expected. Blocks without a flat place do not
/// qualify; where they are many, what is left is texture rather than noise.
const FLAT: Curve<2> = [(300, 0), (800, ALL)];
/// How much it counts at least, by GNE in 1/16: that strong, the noise outweighs textures.
const HEAVY: Curve<2> = [(46 * 16, 0), (56 * 16, ALL)];

/// The level that an estimate over `blocks` blocks of `lines` lines tells; none where no block qualifies.
pub(crate) fn level(sums: Sums, blocks: u64, lines: usize) -> Option<Level> {
    let gne = (16 * sums.sum).checked_div(sums.count)? as u16;
    let calibration = if lines == 4 { &FOUR } else { &EIGHT };
    let share = sums.count * ALL as u64 / blocks;
    let flat = share * ALL as u64 / at(&calibration.share, gne) as u64;
    let weight = at(&FLAT, flat.min(ALL as u64) as u16).max(at(&HEAVY, gne));
    Some((at(&calibration.level, gne) as u32 * weight as u32 / ALL as u32) as u16)
}

/// What the parameters of a step are chosen by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Situation {
    /// Level of the noise.
    pub level: Level,
    /// Share of the blocks that move, if known.
    pub motion: Option<Share>,
    /// Whether there is enough noise that the deinterlacer should mind.
    pub noisy: bool,
    /// Whether this did not follow what was before.
    pub cut: bool,
}

/// Follows level and motion from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Automatic {
    /// What the next step goes by.
    pub situation: Situation,
}

impl Automatic {
    /// Of a first step, which goes by its own noise.
    pub fn begin(level: Option<Level>) -> Automatic {
        let mut automatic = Automatic::default();
        automatic.restart(level);
        automatic
    }

    /// After a step that saw `level` and, unless it was the first, `motion`.
    pub fn follow(&mut self, level: Option<Level>, motion: Option<Share>) {
        let Some(motion) = motion else {
            self.situation.cut = false;
            return;
        };
        // Most of a picture moves that did not: another shot.
        if self.situation.motion.is_some_and(|before| motion >= 3 * ALL / 4 && motion >= before + ALL / 4) {
            return self.restart(level);
        }
        let Situation { level: old, motion: before, noisy, .. } = self.situation;
        let level = level.map_or(old, |level| approach(old, level, (old / 16).max(ONE / 8), ONE / 2));
        let motion = before.map_or(motion, |before| approach(before, motion, ALL / 64, ALL));
        self.situation = Situation { level, motion: Some(motion), noisy: is_noisy(level, noisy), cut: false };
    }

    fn restart(&mut self, level: Option<Level>) {
        let level = level.unwrap_or(0);
        self.situation = Situation { level, motion: None, noisy: is_noisy(level, false), cut: true };
    }
}

/// An eighth of the way from `from` to `to`, at most `most`; nothing where they are nearer than `near`, so that it rests.
fn approach(from: u16, to: u16, near: u16, most: u16) -> u16 {
    let distance = from.abs_diff(to);
    if distance <= near {
        return from;
    }
    let way = distance.div_ceil(8).min(most);
    if to > from { from + way } else { from - way }
}

/// From a level of 3 on; once there, down to 2.5.
fn is_noisy(level: Level, before: bool) -> bool {
    level >= if before { 5 * ONE / 2 } else { 3 * ONE }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(gne: u64, count: u64) -> Sums {
        Sums { sum: gne * count, count }
    }

    #[test]
    fn levels_of_flat_pictures() {
        // Standard deviations as measured: docs/denoise.md.
        for (gne, share, sigma) in [(0, 1000, 0), (4, 970, 1), (12, 950, 3), (28, 850, 6), (38, 700, 8), (62, 110, 16)] {
            let level = level(sums(gne, share), 1000, 8).unwrap();
            assert!(level.abs_diff(sigma * ONE) <= ONE / 2, "GNE {gne}: {level}");
        }
        assert_eq!(level(sums(0, 0), 1000, 8), None);
        assert_eq!(level(sums(255, 1000), 1000, 4), Some(24 * ONE));
    }

    #[test]
    fn textures_are_no_noise() {
        // A zone plate without noise: few blocks qualify, and by little.
        assert_eq!(level(sums(36, 99), 1000, 8), Some(0));
        assert_eq!(level(sums(35, 30), 1000, 4), Some(0));
        // Few blocks are what heavy noise leaves.
        assert_eq!(level(sums(64, 2), 1000, 8), level(sums(64, 50), 1000, 8));
    }

    /// Runs through steps, and tells the levels that they go by.
    fn levels(steps: &[(u16, u16)]) -> Vec<Level> {
        let mut automatic = Automatic::begin(Some(steps[0].0));
        let mut levels = vec![automatic.situation.level];
        for (number, &(level, motion)) in steps.iter().enumerate() {
            automatic.follow(Some(level), (number > 0).then_some(motion));
            levels.push(automatic.situation.level);
        }
        levels
    }

    #[test]
    fn small_changes_are_ignored_and_large_ones_followed_slowly() {
        let wobble: Vec<_> = (0..50).map(|n| (8 * ONE + 30 * (n % 2), 100)).collect();
        assert!(levels(&wobble).iter().all(|&level| level == 8 * ONE));
        let rise: Vec<_> = (0..80).map(|n| (if n < 10 { 4 * ONE } else { 16 * ONE }, 100)).collect();
        let levels = levels(&rise);
        assert!(levels.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= ONE / 2));
        assert!(levels[80].abs_diff(16 * ONE) <= ONE, "{levels:?}");
    }

    #[test]
    fn a_cut_is_followed_at_once() {
        let cut: Vec<_> =
            (0..20).map(|n| if n < 10 { (2 * ONE, 100) } else { (9 * ONE, if n == 10 { 900 } else { 200 }) }).collect();
        let levels = levels(&cut);
        assert_eq!((levels[10], levels[11]), (2 * ONE, 9 * ONE), "{levels:?}");
        // Where all moves all the time nothing is a cut.
        let pan: Vec<_> = (0..20).map(|n| (if n % 2 == 0 { 4 * ONE } else { 8 * ONE }, 1000)).collect();
        assert!(self::levels(&pan).windows(2).all(|pair| pair[0].abs_diff(pair[1]) <= ONE / 2));
    }

    #[test]
    fn a_step_without_evidence_changes_nothing() {
        let mut automatic = Automatic::begin(Some(5 * ONE));
        automatic.follow(None, None);
        automatic.follow(None, Some(100));
        assert_eq!(automatic.situation, Situation { level: 5 * ONE, motion: Some(100), noisy: true, cut: false });
        assert_eq!(Automatic::begin(None).situation.level, 0);
    }
}
