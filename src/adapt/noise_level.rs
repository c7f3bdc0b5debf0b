//! Standard deviation of the noise from the block noise estimates of a frame (§2.5).
use super::curve::{Curve, Share10, Sigma6, WHOLE, interpolate};
use crate::noise::Distribution;

/// The estimate of noise of known strength on flat pictures, measured on grey frames with Gaussian noise (docs/design/denoise.md).
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
const BLANKS: Curve<2> = [(WHOLE / 2, WHOLE), (WHOLE * 4 / 5, 0)];
/// And by the median of the other estimates against their lowest tenth, in 1/64: it is 1.4 to 1.9 times as much where they are of noise, and more
/// where they are of texture.
const SPREAD: Curve<2> = [(120, WHOLE), (166, 0)];
/// And by how flat the picture is: where next to no block qualifies, those that do are texture, too. From a level on the noise outweighs it.
const PLAIN: Curve<2> = [(160, 0), (270, WHOLE)];
const HEAVY: Curve<2> = [(704, 0), (960, WHOLE)];

/// What the estimates tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoiseLevel {
    /// As far as it counts.
    pub level: Sigma6,
    /// How flat the picture is: the share of blocks that qualify, against that of noise alone.
    pub flat: Share10,
}

/// Where nothing is to be seen.
pub(super) const NOTHING: NoiseLevel = NoiseLevel { level: 0, flat: WHOLE };

/// What the estimates of blocks of `lines` lines tell; nothing where no block qualifies.
pub(crate) fn measure(estimates: &Distribution, lines: usize) -> Option<NoiseLevel> {
    let calibration = if lines == 4 { &FOUR } else { &EIGHT };
    let all = sum(&estimates.0);
    let (blank, rest) = estimates.0[..255].split_at(BLANK + 1);
    let (blank, noisy) = (sum(blank), sum(rest));
    let share = |part: u64, whole: u64| part * WHOLE as u64 / whole;
    let blanks = interpolate(&BLANKS, share(blank, (blank + noisy).max(1)) as u16);
    if noisy == 0 {
        return (blank > 0).then_some(NOTHING);
    }
    let [tenth, median] = [10, 2].map(|part| 16 * (BLANK as u64 + 1) + quantile(rest, noisy, part));
    let spread = interpolate(&SPREAD, (64 * median / tenth) as u16);
    let level = interpolate(&calibration.level, tenth as u16);
    let flat = share(share(blank + noisy, all), interpolate(&calibration.share, level) as u64).min(WHOLE as u64) as Share10;
    let plain = interpolate(&PLAIN, flat).max(interpolate(&HEAVY, level));
    let level = [blanks, spread, plain].iter().fold(level as u32, |level, &weight| level * weight as u32 / WHOLE as u32);
    Some(NoiseLevel { level: level as Sigma6, flat })
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

#[cfg(test)]
mod tests {
    use super::super::curve::SIGMA_ONE;
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
        // Standard deviations as measured: docs/design/denoise.md.
        for (tenth, none, sigma) in [(4, 0, 2), (9, 0, 4), (16, 13, 6), (23, 82, 8), (38, 330, 12), (51, 620, 16)] {
            let noise = measure(&estimates(tenth, tenth * 3 / 2, [0, 1000 - none, none]), 8).unwrap();
            assert!(noise.level.abs_diff(sigma * SIGMA_ONE) <= SIGMA_ONE / 4, "{sigma}: {noise:?}");
            assert!(noise.flat >= WHOLE * 9 / 10, "{sigma}: {noise:?}");
        }
        assert_eq!(measure(&estimates(9, 14, [0, 0, 1000]), 8), None);
        assert_eq!(measure(&estimates(9, 14, [1000, 0, 0]), 4), Some(NOTHING));
        assert_eq!(measure(&estimates(240, 244, [0, 1000, 0]), 4), Some(NoiseLevel { level: 24 * SIGMA_ONE, flat: WHOLE }));
    }

    #[test]
    fn textures_are_no_noise() {
        // Of a zone plate without noise: estimates lie wide apart.
        assert_eq!(measure(&estimates(12, 43, [20, 490, 490]), 8).unwrap().level, 0);
        // Of a finer one, of which little qualifies.
        assert_eq!(measure(&estimates(12, 20, [0, 90, 910]), 8).unwrap().level, 0);
        // Noise on texture: the same level, of a picture that is less flat.
        let [plain, textured] = [0, 500].map(|none| measure(&estimates(9, 14, [0, 1000 - none, none]), 8).unwrap());
        assert_eq!(plain.level, textured.level);
        assert!(plain.flat == WHOLE && textured.flat.abs_diff(WHOLE / 2) <= 1, "{plain:?} {textured:?}");
    }

    #[test]
    fn bars_are_no_picture_without_noise() {
        let level = |blank| measure(&estimates(9, 14, [blank, 1000 - blank, 0]), 8).unwrap().level;
        assert_eq!(level(450), level(0));
        assert!(level(600) < level(0) && level(810) == 0);
    }

    #[test]
    fn quantiles_lie_between_values() {
        let counts = [0, 0, 100, 0, 50, 50];
        assert_eq!([20, 10, 4, 2].map(|part| quantile(&counts, 200, part)), [32 + 1, 32 + 3, 32 + 8, 32 + 16]);
        assert_eq!(quantile(&[0, 0, 1], 1, 10), 32 + 1);
    }
}
