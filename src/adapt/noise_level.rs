//! Standard deviation of the noise from the block noise estimates of a frame (§2.5).
use super::curve::{Curve, Share10, Sigma6, WHOLE, interpolate};
use crate::noise::Distribution;

/// The estimates of noise of known standard deviation, measured on grey frames with Gaussian noise
/// and raised by 1 % (`docs/design/denoise.md`).
struct Calibration {
    /// Noise level in 1/64 code value by the lowest tenth of the estimates in 1/16.
    ///
    /// Tenths higher by 25 %: the level is too low and noise remains, -0.5 dB at 8, -2.4 dB at 16.
    /// Tenths lower by 20 %: the level is too high and detail is lost, -0.3 dB at 4, -0.5 dB at 8.
    level: &'static [(u16, u16)],
    /// Share of the blocks in which a pixel qualifies, by noise level.
    ///
    /// Levels higher by 40 %: flat pictures count as textured, -1.4 dB at 16. Levels lower by 30 %:
    /// texture counts as flat, -0.4 dB at 8.
    share: &'static [(u16, u16)],
}

/// Calibration for blocks of eight lines (no deinterlacing).
const EIGHT: Calibration = Calibration {
    level: &[
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
    share: &[
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

/// Calibration for blocks of four lines (deinterlacing).
const FOUR: Calibration = Calibration {
    level: &[
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
    share: &[
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

/// [`EIGHT`] for samples of more than 8 bits, whose estimates are not rounded to 8-bit code values:
/// from a level of 1/4 on. Measured with 10 bits.
const EIGHT_FINE: Calibration = Calibration {
    level: &[
        (6, 16),
        (17, 32),
        (35, 64),
        (53, 96),
        (70, 128),
        (107, 192),
        (150, 256),
        (199, 320),
        (250, 384),
        (359, 512),
        (484, 640),
        (602, 768),
        (715, 896),
        (814, 1024),
        (981, 1280),
        (1052, 1536),
    ],
    share: &[
        (256, 1024),
        (320, 1023),
        (384, 1020),
        (512, 980),
        (640, 885),
        (768, 753),
        (896, 611),
        (1024, 461),
        (1280, 233),
        (1536, 106),
    ],
};

/// [`FOUR`] for samples of more than 8 bits. Measured with 10 bits.
const FOUR_FINE: Calibration = Calibration {
    level: &[
        (8, 16),
        (19, 32),
        (39, 64),
        (58, 96),
        (77, 128),
        (120, 192),
        (168, 256),
        (224, 320),
        (281, 384),
        (403, 512),
        (521, 640),
        (635, 768),
        (742, 896),
        (817, 1024),
        (995, 1280),
        (1065, 1536),
    ],
    share: &[
        (256, 1022),
        (320, 1004),
        (384, 958),
        (512, 808),
        (640, 646),
        (768, 503),
        (896, 379),
        (1024, 266),
        (1280, 124),
        (1536, 55),
    ],
};

/// Estimates up to this one count as blank: bars and drawings have no noise that matters.
///
/// Chosen on the calibration clips. Raised to 6, noise of standard deviation 1 counts as blank and
/// two tests fail; lowered, bars lower the tenth (no measured effect at 0).
const BLANK: usize = 2;

/// Weight of the level by the share of blank blocks among the qualifying ones: a picture that is
/// blank almost everywhere has no noise.
///
/// Chosen on the calibration clips. At 125 % a picture of bars with some texture counts as noisy
/// and `bars_are_no_picture_without_noise` fails; at 60 % noise between bars is not found.
const BLANKS: Curve<2> = [(WHOLE / 2, WHOLE), (WHOLE * 4 / 5, 0)];

/// Weight of the level by the median of the estimates that are not blank, relative to their lowest
/// tenth, in 1/64. Noise alone has a ratio of 1.5, noise on texture up to 1.75; texture has more.
///
/// Chosen on the calibration clips. Raised, texture counts as noise (no measured effect at 125 %);
/// at 80 % noise on texture is not found: -0.1 dB at 8, -0.5 dB at 16, interlaced.
const SPREAD: Curve<2> = [(120, WHOLE), (166, 0)];

/// Weight of the level by flatness: if hardly any block qualifies, the qualifying ones are texture,
/// too. A zone plate has a flatness of 0.15, natural pictures 0.35 and more.
///
/// Chosen on the calibration clips. At 200 % noise on texture is not found (-0.15 dB at 16,
/// interlaced); at 50 % zone plates are blurred.
const PLAIN: Curve<2> = [(160, 0), (270, WHOLE)];

/// Least weight of the level by the level itself, in 1/64 code value: from 11 to 15 on the noise
/// outweighs texture, regardless of [`PLAIN`].
///
/// Chosen on the calibration clips. Raised, heavy noise on texture remains (no measured effect at
/// 140 %); at 70 % texture without noise is filtered.
const HEAVY: Curve<2> = [(704, 0), (960, WHOLE)];

/// One in `LOWEST_PART` estimates lies below the value that the level is computed from, the lowest
/// tenth. Texture raises the median and the mean of the estimates, but hardly their lowest tenth.
///
/// Chosen on the calibration clips. With the lowest quarter detail is lost (-0.3 dB at 4, -0.5 dB
/// at 8, progressive) and clean clips change; with the lowest twenty-fifth noise remains (-0.6 dB
/// at 8, -2.2 dB at 16).
const LOWEST_PART: u64 = 10;

/// Noise and flatness of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoiseLevel {
    /// Standard deviation of the noise, reduced where the estimates may be texture.
    pub level: Sigma6,
    /// Flatness: the share of blocks that qualify, relative to that of a picture of noise alone.
    pub flatness: Share10,
}

/// The noise level of a blank picture.
pub(super) const NO_NOISE: NoiseLevel = NoiseLevel { level: 0, flatness: WHOLE };

/// The noise level by the estimates of blocks of `lines` lines; none if no block qualifies. Samples
/// of 8 bits that were raised have the level of the samples before.
pub(crate) fn measure(estimates: &Distribution, lines: usize) -> Option<NoiseLevel> {
    let whole = estimates.in_code_values();
    let estimates = whole.as_ref().unwrap_or(estimates);
    let is_fine = estimates.fine > 0;
    let calibration = match (lines, is_fine) {
        (4, false) => &FOUR,
        (_, false) => &EIGHT,
        (4, true) => &FOUR_FINE,
        (_, true) => &EIGHT_FINE,
    };
    // Of more than 8 bits only estimates below one step of the histogram are blank.
    let blank_bins = if is_fine { 1 } else { BLANK + 1 };
    let all = sum(&estimates.counts) + u64::from(estimates.none);
    let (blank, rest) = estimates.counts.split_at(blank_bins);
    let (blank, noisy) = (sum(blank), sum(rest));
    let first = (16 * blank_bins as u64) >> estimates.fine;
    let share = |part: u64, whole: u64| part * WHOLE as u64 / whole;
    let blanks = interpolate(&BLANKS, share(blank, (blank + noisy).max(1)) as u16);
    if noisy == 0 {
        return (blank > 0).then_some(NO_NOISE);
    }
    let quantile = |part| first + (quantile(rest, noisy, part) >> estimates.fine);
    let [tenth, median] = [LOWEST_PART, 2].map(quantile);
    let spread = interpolate(&SPREAD, (64 * median / tenth) as u16);
    let level = interpolate(calibration.level, tenth as u16);
    let expected = interpolate(calibration.share, level) as u64;
    let flatness = share(share(blank + noisy, all), expected).min(WHOLE as u64) as Share10;
    let plain = interpolate(&PLAIN, flatness).max(interpolate(&HEAVY, level));
    let level = [blanks, spread, plain].iter().fold(level as u32, |level, &weight| level * weight as u32 / WHOLE as u32);
    Some(NoiseLevel { level: level as Sigma6, flatness })
}

/// The sum of all counts.
fn sum(counts: &[u32]) -> u64 {
    counts.iter().map(|&count| count as u64).sum()
}

/// The value, in 1/16, below which one in `part` of the `all` counted values lies. Equal values
/// count as spread evenly between the value and the next one. `all` is the sum of the counts, and
/// not 0.
fn quantile(counts: &[u32], all: u64, part: u64) -> u64 {
    let (mut value, mut below) = (0, 0);
    while part * (below + u64::from(counts[value])) < all {
        below += u64::from(counts[value]);
        value += 1;
    }
    16 * value as u64 + 16 * (all - part * below) / (part * u64::from(counts[value]))
}

#[cfg(test)]
mod tests;
