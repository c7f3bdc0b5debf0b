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
    /// How much an estimate counts, by the share of blocks that qualified against the one expected. Blocks without a flat place do not
    /// qualify; where they are many, what is left is texture rather than noise.
    flat: Curve<2>,
    /// How much it counts at least, by GNE in 1/16: that strong, the noise outweighs textures.
    heavy: Curve<2>,
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
    flat: [(300, 0), (800, ALL)],
    heavy: [(50 * 16, 0), (60 * 16, ALL)],
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
    flat: [(500, 0), (850, ALL)],
    heavy: [(50 * 16, 0), (60 * 16, 800)],
};

/// What an estimate tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Noise {
    /// As far as it counts.
    pub level: Level,
    /// How flat the picture is.
    pub flat: Share,
}

/// What an estimate over `blocks` blocks of `lines` lines tells; nothing where no block qualifies.
pub(crate) fn noise(sums: Sums, blocks: u64, lines: usize) -> Option<Noise> {
    let gne = (16 * sums.sum).checked_div(sums.count)? as u16;
    let calibration = if lines == 4 { &FOUR } else { &EIGHT };
    let share = sums.count * ALL as u64 / blocks;
    let of_expected = share * ALL as u64 / at(&calibration.share, gne) as u64;
    let flat = at(&calibration.flat, of_expected.min(ALL as u64) as u16);
    let weight = flat.max(at(&calibration.heavy, gne));
    Some(Noise { level: (at(&calibration.level, gne) as u32 * weight as u32 / ALL as u32) as u16, flat })
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
    pub fn begin(noise: Option<Noise>) -> Automatic {
        let mut automatic = Automatic::default();
        automatic.restart(noise);
        automatic
    }

    /// After a step that saw `noise` and, unless it was the first, `motion`.
    pub fn follow(&mut self, noise: Option<Noise>, motion: Option<Share>) {
        let Some(motion) = motion else {
            self.situation.cut = false;
            return;
        };
        // Most of a picture moves that did not: another shot.
        if self.situation.motion.is_some_and(|before| motion >= 3 * ALL / 4 && motion >= before + ALL / 4) {
            return self.restart(noise);
        }
        let Situation { level: old, motion: before, noisy, .. } = self.situation;
        let level = noise.map_or(old, |noise| approach(old, noise.level, (old / 16).max(ONE / 8), ONE / 2));
        let motion = before.map_or(motion, |before| approach(before, motion, ALL / 64, ALL / 64));
        self.situation = Situation { level, motion: Some(motion), noisy: is_noisy(level, noise, noisy), cut: false };
    }

    fn restart(&mut self, noise: Option<Noise>) {
        let level = noise.map_or(0, |noise| noise.level);
        self.situation = Situation { level, motion: None, noisy: is_noisy(level, noise, false), cut: true };
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

/// From a level of 3 on in a flat picture; once there, down to 2.5 and a picture half as flat.
fn is_noisy(level: Level, noise: Option<Noise>, before: bool) -> bool {
    let (least, flat) = if before { (5 * ONE / 2, ALL / 4) } else { (3 * ONE, ALL / 2) };
    level >= least && noise.map_or(before, |noise| noise.flat >= flat)
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
            let level = noise(sums(gne, share), 1000, 8).unwrap().level;
            assert!(level.abs_diff(sigma * ONE) <= ONE / 2, "GNE {gne}: {level}");
        }
        assert_eq!(noise(sums(0, 0), 1000, 8), None);
        assert_eq!(noise(sums(255, 1000), 1000, 4), Some(Noise { level: 24 * ONE, flat: ALL }));
    }

    #[test]
    fn textures_are_no_noise() {
        // A zone plate without noise: few blocks qualify, and by little.
        assert_eq!(noise(sums(36, 99), 1000, 8), Some(Noise { level: 0, flat: 0 }));
        assert_eq!(noise(sums(35, 30), 1000, 4), Some(Noise { level: 0, flat: 0 }));
        // Few blocks are what heavy noise leaves.
        let level = |count| noise(sums(64, count), 1000, 8).unwrap().level;
        assert_eq!(level(2), level(50));
    }

    /// Runs through steps, and tells the levels that they go by.
    fn levels(steps: &[(u16, u16)]) -> Vec<Level> {
        let noise = |level| Some(Noise { level, flat: ALL });
        let mut automatic = Automatic::begin(noise(steps[0].0));
        let mut levels = vec![automatic.situation.level];
        for (number, &(level, motion)) in steps.iter().enumerate() {
            automatic.follow(noise(level), (number > 0).then_some(motion));
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
        let mut automatic = Automatic::begin(Some(Noise { level: 5 * ONE, flat: ALL }));
        automatic.follow(None, None);
        automatic.follow(None, Some(100));
        assert_eq!(automatic.situation, Situation { level: 5 * ONE, motion: Some(100), noisy: true, cut: false });
        assert_eq!(Automatic::begin(None).situation.level, 0);
    }
}
