//! What automatic denoising goes by: the level of the noise, from the global noise estimate (§2.6), and the share of blocks that move, both
//! followed from step to step. Whole numbers made of sums over the frame, taken when it is done: neither threads nor instruction sets can
//! change them.
use super::curve::{ALL, Curve, Level, ONE, Share, at};
use super::outline::Outline;
use crate::noise::Distribution;

/// What noise of known strength on flat pictures looks like to the estimate: docs/denoise.md.
struct Calibration {
    /// Level by the lowest tenth of the estimates, in 1/16.
    level: Curve<13>,
    /// Share of the blocks in which a pixel qualifies, by level.
    share: Curve<10>,
}

/// Blocks of eight lines.
const EIGHT: Calibration = Calibration {
    level: [
        (48, 64),
        (69, 128),
        (109, 192),
        (155, 256),
        (206, 320),
        (261, 384),
        (379, 512),
        (500, 640),
        (618, 768),
        (727, 896),
        (826, 1024),
        (965, 1280),
        (1030, 1536),
    ],
    share: [
        (256, 1024),
        (320, 1020),
        (384, 1010),
        (512, 930),
        (640, 815),
        (768, 680),
        (896, 530),
        (1024, 390),
        (1280, 195),
        (1536, 85),
    ],
};

/// Blocks of four lines.
const FOUR: Calibration = Calibration {
    level: [
        (48, 64),
        (77, 128),
        (123, 192),
        (174, 256),
        (231, 320),
        (294, 384),
        (413, 512),
        (528, 640),
        (643, 768),
        (747, 896),
        (842, 1024),
        (950, 1280),
        (1070, 1536),
    ],
    share: [
        (256, 1010),
        (320, 980),
        (384, 915),
        (512, 750),
        (640, 575),
        (768, 430),
        (896, 322),
        (1024, 232),
        (1280, 102),
        (1536, 45),
    ],
};

/// Estimates up to this one are of no noise that matters: bars, and what is drawn.
const BLANK: usize = 2;
/// How much the level counts, by the share that such blocks have of those that qualify: a picture that has no noise next to everywhere has none.
const BLANKS: Curve<2> = [(ALL / 2, ALL), (ALL * 4 / 5, 0)];
/// And by the median of the other estimates against their lowest tenth, in 1/64: it is 1.4 to 1.9 times as much where they are of noise, and more
/// where they are of texture.
const SPREAD: Curve<2> = [(120, ALL), (166, 0)];
/// And by how flat the picture is: where next to no block qualifies, those that do are texture, too. From a level on the noise outweighs it.
const PLAIN: Curve<2> = [(160, 0), (270, ALL)];
const HEAVY: Curve<2> = [(704, 0), (960, ALL)];

/// What the estimates tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Noise {
    /// As far as it counts.
    pub level: Level,
    /// How flat the picture is: the share of blocks that qualify, against that of noise alone.
    pub flat: Share,
}

/// Where nothing is to be seen.
const NOTHING: Noise = Noise { level: 0, flat: ALL };

/// What the estimates of blocks of `lines` lines tell; nothing where no block qualifies.
pub(crate) fn noise(estimates: &Distribution, lines: usize) -> Option<Noise> {
    let calibration = if lines == 4 { &FOUR } else { &EIGHT };
    let all = sum(&estimates.0);
    let (blank, rest) = estimates.0[..255].split_at(BLANK + 1);
    let (blank, noisy) = (sum(blank), sum(rest));
    let share = |part: u64, whole: u64| part * ALL as u64 / whole;
    let blanks = at(&BLANKS, share(blank, (blank + noisy).max(1)) as u16);
    if noisy == 0 {
        return (blank > 0).then_some(NOTHING);
    }
    let [tenth, median] = [10, 2].map(|part| 16 * (BLANK as u64 + 1) + quantile(rest, noisy, part));
    let spread = at(&SPREAD, (64 * median / tenth) as u16);
    let level = at(&calibration.level, tenth as u16);
    let flat = share(share(blank + noisy, all), at(&calibration.share, level) as u64).min(ALL as u64) as Share;
    let plain = at(&PLAIN, flat).max(at(&HEAVY, level));
    let level = [blanks, spread, plain].iter().fold(level as u32, |level, &weight| level * weight as u32 / ALL as u32);
    Some(Noise { level: level as Level, flat })
}

fn sum(counts: &[u32]) -> u64 {
    counts.iter().map(|&count| count as u64).sum()
}

/// The value, in 1/16, that one in `part` of `all` counted ones is below; those of a value lie evenly between it and the next.
fn quantile(counts: &[u32], all: u64, part: u64) -> u64 {
    let mut below = 0;
    for (value, &count) in counts.iter().enumerate() {
        let count = count as u64;
        if part * (below + count) >= all {
            return 16 * value as u64 + 16 * all.saturating_sub(part * below) / (part * count.max(1));
        }
        below += count;
    }
    16 * counts.len() as u64
}

/// What the parameters of a step are chosen by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Situation {
    /// Level of the noise.
    pub level: Level,
    /// How flat the picture is.
    pub flat: Share,
    /// Share of the blocks that move, if known.
    pub motion: Option<Share>,
    /// Whether there is enough noise that the deinterlacer should mind.
    pub noisy: bool,
    /// Whether a shot begins with it.
    pub cut: bool,
}

/// Follows level and motion from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Automatic {
    /// What the step that is made, or the next one, goes by.
    pub situation: Situation,
    /// What was to be seen last, at this step or before.
    shown: Option<Outline>,
    /// Whether that was before.
    blank: bool,
}

impl Automatic {
    /// Before a step, which looks like `outline`: one with which a shot begins goes by its own noise, and so does a `first` one.
    pub fn look(&mut self, first: bool, noise: Option<Noise>, outline: Option<Outline>) {
        if first {
            *self = Automatic { situation: Situation { flat: ALL, ..Situation::default() }, ..Automatic::default() };
        }
        // Where nothing is to be seen, such as in black between pictures, nothing begins: what comes after it is held against what was before.
        let other = outline.is_some_and(|outline| !self.shown.is_some_and(|shown| shown.is_like(&outline)));
        (self.shown, self.blank) = (outline.or(self.shown), outline.is_none());
        if first || other {
            let Situation { level: old, flat: before_flat, .. } = self.situation;
            // What is about the same stays, for a whirling pan may look like other shots.
            let [near, near_flat] = if first { [0; 2] } else { [(old / 8).max(ONE / 8), ALL / 32] };
            let (level, flat) = noise
                .map_or((old, before_flat), |noise| (settle(old, noise.level, near), settle(before_flat, noise.flat, near_flat)));
            self.situation = Situation { level, flat, motion: None, noisy: is_noisy(level, false), cut: true };
        }
    }

    /// After a step that saw `noise`, and `motion` unless a shot began with it.
    pub fn follow(&mut self, noise: Option<Noise>, motion: Share) {
        let Situation { level: old, flat: before_flat, motion: before, noisy, cut } = self.situation;
        if cut {
            self.situation.cut = false;
            return;
        }
        // A black frame between pictures does not tell that these have no noise.
        let noise = noise.filter(|&noise| !self.blank || noise != NOTHING);
        let (level, flat) = noise.map_or((old, before_flat), |noise| {
            (approach(old, noise.level, (old / 16).max(ONE / 8), ONE / 2), approach(before_flat, noise.flat, ALL / 32, ALL / 64))
        });
        let motion = before.map_or(motion, |before| approach(before, motion, ALL / 64, ALL / 64));
        self.situation = Situation { level, flat, motion: Some(motion), noisy: is_noisy(level, noisy), cut: false };
    }
}

/// `to`, but `from` where they are not farther apart than `near`.
fn settle(from: u16, to: u16, near: u16) -> u16 {
    if from.abs_diff(to) <= near { from } else { to }
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

    /// Estimates of which a tenth, and the half, are below what is given, with blanks and blocks of which no pixel qualifies.
    fn estimates(tenth: usize, median: usize, [blank, noisy, none]: [u32; 3]) -> Distribution {
        let mut counts = [0; 256];
        (counts[0], counts[255]) = (blank, none);
        (counts[tenth], counts[median], counts[median + 10]) = (noisy / 5, noisy * 3 / 5, noisy / 5);
        Distribution(counts)
    }

    #[test]
    fn levels_of_flat_pictures() {
        // Standard deviations as measured: docs/denoise.md.
        for (tenth, none, sigma) in [(4, 0, 2), (9, 0, 4), (16, 13, 6), (23, 82, 8), (38, 330, 12), (51, 620, 16)] {
            let noise = noise(&estimates(tenth, tenth * 3 / 2, [0, 1000 - none, none]), 8).unwrap();
            assert!(noise.level.abs_diff(sigma * ONE) <= ONE / 4, "{sigma}: {noise:?}");
            assert!(noise.flat >= ALL * 9 / 10, "{sigma}: {noise:?}");
        }
        assert_eq!(noise(&estimates(9, 14, [0, 0, 1000]), 8), None);
        assert_eq!(noise(&estimates(9, 14, [1000, 0, 0]), 4), Some(NOTHING));
        assert_eq!(noise(&estimates(240, 244, [0, 1000, 0]), 4), Some(Noise { level: 24 * ONE, flat: ALL }));
    }

    #[test]
    fn textures_are_no_noise() {
        // Of a zone plate without noise: estimates lie wide apart.
        assert_eq!(noise(&estimates(12, 43, [20, 490, 490]), 8).unwrap().level, 0);
        // Of a finer one, of which little qualifies.
        assert_eq!(noise(&estimates(12, 20, [0, 90, 910]), 8).unwrap().level, 0);
        // Noise on texture: the same level, of a picture that is less flat.
        let [plain, textured] = [0, 500].map(|none| noise(&estimates(9, 14, [0, 1000 - none, none]), 8).unwrap());
        assert_eq!(plain.level, textured.level);
        assert!(plain.flat == ALL && textured.flat.abs_diff(ALL / 2) <= 1, "{plain:?} {textured:?}");
    }

    #[test]
    fn bars_are_no_picture_without_noise() {
        let level = |blank| noise(&estimates(9, 14, [blank, 1000 - blank, 0]), 8).unwrap().level;
        assert_eq!(level(450), level(0));
        assert!(level(600) < level(0) && level(810) == 0);
    }

    #[test]
    fn quantiles_lie_between_values() {
        let counts = [0, 0, 100, 0, 50, 50];
        assert_eq!([20, 10, 4, 2].map(|part| quantile(&counts, 200, part)), [32 + 1, 32 + 3, 32 + 8, 32 + 16]);
        assert_eq!(quantile(&[0, 0, 1], 1, 10), 32 + 1);
    }

    /// Runs through steps that see noise of this level, in flat pictures, motion, and something else than what was before; tells the levels that they go by.
    fn levels(steps: &[(Level, Share, bool)]) -> Vec<Level> {
        let (mut automatic, mut shot) = (Automatic::default(), 0);
        let step = |(number, &(level, motion, other)): (usize, &(Level, Share, bool))| {
            shot = (shot + other as usize) % SHOTS.len();
            let noise = Some(Noise { level, flat: ALL });
            automatic.look(number == 0, noise, SHOTS[shot]);
            let situation = automatic.situation;
            assert_eq!((situation.cut, situation.cut && situation.motion.is_some()), (number == 0 || other, false), "{number}");
            automatic.follow(noise, motion);
            situation.level
        };
        steps.iter().enumerate().map(step).collect()
    }

    /// Pictures that have nothing in common.
    const SHOTS: [Option<Outline>; 2] = [Some(Outline::half(0)), Some(Outline::half(1))];

    #[test]
    fn small_changes_are_ignored_and_large_ones_followed_slowly() {
        let wobble: Vec<_> = (0..50).map(|n| (8 * ONE + 30 * (n % 2), 100, false)).collect();
        assert!(levels(&wobble).iter().all(|&level| level == 8 * ONE));
        let rise: Vec<_> = (0..80).map(|n| (if n < 10 { 4 * ONE } else { 16 * ONE }, 100, false)).collect();
        let levels = levels(&rise);
        assert!(levels.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= ONE / 2));
        assert!(levels[79].abs_diff(16 * ONE) <= ONE, "{levels:?}");
    }

    #[test]
    fn a_shot_goes_by_its_own_noise_whatever_moves() {
        for motion in [100, 1000] {
            let cut: Vec<_> = (0..20).map(|n| (if n < 10 { 2 * ONE } else { 9 * ONE }, motion, n == 10)).collect();
            let levels = levels(&cut);
            assert_eq!((levels[9], levels[10], levels[19]), (2 * ONE, 9 * ONE, 9 * ONE), "{levels:?}");
        }
        // Where all moves all the time nothing is a cut; nor where all begins to move.
        let pan: Vec<_> =
            (0..20).map(|n| (if n % 2 == 0 { 4 * ONE } else { 8 * ONE }, if n < 9 { 0 } else { 1000 }, false)).collect();
        assert!(levels(&pan).windows(2).all(|pair| pair[0].abs_diff(pair[1]) <= ONE / 2));
        // Where shots are about as noisy as those before, nothing changes.
        let whirl: Vec<_> = (0..9).map(|n| (8 * ONE + 60 * (n % 2), 1000, true)).collect();
        assert!(levels(&whirl).iter().all(|&level| level == 8 * ONE));
        // Every frame a shot.
        let strobe: Vec<_> = (0..9).map(|n| (n * ONE, 1000, true)).collect();
        assert_eq!(levels(&strobe), strobe.iter().map(|step| step.0).collect::<Vec<_>>());
    }

    #[test]
    fn a_step_without_evidence_changes_nothing() {
        let mut automatic = Automatic::default();
        automatic.look(true, None, SHOTS[0]);
        assert_eq!(automatic.situation, Situation { level: 0, flat: ALL, motion: None, noisy: false, cut: true });
        automatic.look(true, Some(Noise { level: 5 * ONE, flat: ALL }), SHOTS[0]);
        automatic.follow(None, ALL);
        automatic.look(false, None, SHOTS[0]);
        automatic.follow(None, 100);
        let steady = Situation { level: 5 * ONE, flat: ALL, motion: Some(100), noisy: true, cut: false };
        assert_eq!(automatic.situation, steady);
        // A shot of which no block qualifies.
        automatic.look(false, None, SHOTS[1]);
        assert_eq!(automatic.situation, Situation { motion: None, cut: true, ..steady });
    }

    #[test]
    fn black_between_pictures_is_none() {
        for (after, level) in [(SHOTS[0], 8 * ONE), (SHOTS[1], 3 * ONE)] {
            let mut automatic = Automatic::default();
            let mut step = |number, level, outline| {
                let noise = if level == 0 { NOTHING } else { Noise { level, flat: ALL } };
                automatic.look(number == 0, Some(noise), outline);
                let seen = (automatic.situation.level, automatic.situation.cut);
                automatic.follow(Some(noise), 0);
                seen
            };
            (0..4).for_each(|number| assert_eq!(step(number, 8 * ONE, SHOTS[0]), (8 * ONE, number == 0)));
            (4..30).for_each(|number| assert_eq!(step(number, 0, None), (8 * ONE, false)));
            assert_eq!(step(30, 3 * ONE, after), (level, after == SHOTS[1]));
        }
        // A drawn shot has no noise, and shows something.
        let mut automatic = Automatic::default();
        automatic.look(true, Some(Noise { level: 8 * ONE, flat: ALL }), SHOTS[0]);
        automatic.follow(None, 0);
        automatic.look(false, Some(NOTHING), SHOTS[1]);
        assert_eq!(automatic.situation.level, 0);
        // Nor does noise stay that goes away while something is to be seen.
        automatic.look(true, Some(Noise { level: 8 * ONE, flat: ALL }), SHOTS[0]);
        for _ in 0..3 {
            automatic.follow(Some(NOTHING), 0);
            automatic.look(false, Some(NOTHING), SHOTS[0]);
        }
        assert_eq!(automatic.situation.level, 7 * ONE);
        // What is black first begins with the first picture.
        automatic.look(true, Some(NOTHING), None);
        automatic.follow(Some(NOTHING), 0);
        automatic.look(false, Some(Noise { level: 8 * ONE, flat: ALL }), SHOTS[1]);
        assert_eq!((automatic.situation.level, automatic.situation.cut), (8 * ONE, true));
    }
}
