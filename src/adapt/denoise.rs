//! Parameters of the denoise filter for a noise level, a flatness and an amount of motion
//! (`docs/design/denoise.md`).
use super::curve::{Curve, SIGMA_ONE, Share10, Sigma6, WHOLE, interpolate};
use super::fine_thresholds::{self, Weights};
use super::noise_tracker::NoiseState;
use crate::denoise::{DenoiseParameters, Thresholds};
use crate::format::NameError;
use crate::parameters::field::Stage;
use std::fmt;
use std::str::FromStr;

/// Denoising of the luma, or of the chroma. `Auto`, `Light`, `Medium` and `Strong` choose the
/// parameters of the filter; parameters that differ from their defaults are the caller's and are
/// kept. With denoising along motion
/// ([`StreamBuilder::denoise_motion`](crate::StreamBuilder::denoise_motion)) a mode chooses a noise
/// level alone, and `On` is the same as `Auto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DenoiseMode {
    /// No denoising.
    Off,
    /// The parameters as they are.
    On,
    /// Parameters for the measured noise of each step. The first step of a shot uses the noise of
    /// its own frame, each later one the measurements of the steps before it. Pictures with next to
    /// no noise are unchanged: at 8 bits below a standard deviation of 2 code values, at more bits
    /// below 1/4 of an 8-bit code value in flat pictures, and below 2 in textured ones. If there is
    /// noise, [`Deinterlacer::Gen6`](crate::Deinterlacer::Gen6) widens its blend between moving and
    /// still, unless `stmm_min`, `stmm_max` or `stmm_shift` differs from its default.
    #[default]
    Auto,
    /// Parameters for faint noise, of a standard deviation of 3 code values.
    Light,
    /// Parameters for visible noise, of a standard deviation of 6 code values.
    Medium,
    /// Parameters for heavy noise: those of `Auto` for the measured noise, but for a standard
    /// deviation of at least 12 code values.
    Strong,
}

impl DenoiseMode {
    const NAMES: &'static [&'static str] = &["off", "on", "auto", "light", "medium", "strong"];

    /// All modes, in the order of their names.
    const ALL: [DenoiseMode; 6] =
        [DenoiseMode::Off, DenoiseMode::On, DenoiseMode::Auto, DenoiseMode::Light, DenoiseMode::Medium, DenoiseMode::Strong];

    /// Whether the filter with a motion history chooses its parameters by measurements.
    pub(crate) fn is_measured(self) -> bool {
        matches!(self, DenoiseMode::Auto | DenoiseMode::Strong)
    }
}

/// `off`, `on`, `auto`, `light`, `medium` or `strong`; case does not matter.
impl FromStr for DenoiseMode {
    type Err = NameError;

    fn from_str(name: &str) -> Result<DenoiseMode, NameError> {
        NameError::find("denoise mode", name, DenoiseMode::NAMES, &DenoiseMode::ALL)
    }
}

/// `off`, `on`, `auto`, `light`, `medium` or `strong`.
impl fmt::Display for DenoiseMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(DenoiseMode::NAMES[*self as usize])
    }
}

/// [`On`](DenoiseMode::On) or [`Off`](DenoiseMode::Off).
impl From<bool> for DenoiseMode {
    fn from(on: bool) -> DenoiseMode {
        if on { DenoiseMode::On } else { DenoiseMode::Off }
    }
}

/// The denoise filter of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DenoiseState {
    /// The filter's parameters; the defaults with denoising along motion, which has none. With more
    /// than 8 bits chosen thresholds may have fractions of 8-bit
    /// code values, which are dropped here.
    pub parameters: DenoiseParameters,
    /// Standard deviation of the noise that the parameters were chosen for, in 1/64 of a code
    /// value; none if they were not chosen ([`DenoiseMode::On`]).
    pub noise: Option<u16>,
    /// Share of the blocks that move, in 1/1024, by which the parameters were chosen; none except
    /// in [`DenoiseMode::Auto`] and [`DenoiseMode::Strong`], and unknown on the first two steps of
    /// a shot.
    pub motion: Option<u16>,
    /// Whether a shot begins with this step, so that its own noise counts; also on the first step
    /// of the stream.
    pub cut: bool,
}

/// Level up to which the filter is the identity: 2 code values.
///
/// Chosen on the calibration clips: clean clips and the grain of a good camera must not change.
/// Raised, faint noise remains; lowered, clean clips change.
const FAINT: Sigma6 = 2 * SIGMA_ONE;

/// `good_neighbor_th` of progressive pictures in noise levels (1/64) by flatness. In texture almost
/// every neighbour that differs belongs to the texture; in flat areas all nine pixels should count.
///
/// Chosen on the calibration clips. At 125 % detail is lost, -0.5 dB at 4, -0.1 dB at 8 (+0.1 dB at
/// 16); at 80 % noise remains, -0.3 dB at 8, -0.6 dB at 16.
const SPATIAL: Curve<5> = [(154, 64), (512, 154), (768, 192), (922, 224), (WHOLE, 288)];

/// [`SPATIAL`] for fields, whose neighbours are two lines away.
///
/// Chosen on the interlaced calibration clips. At 125 %: -0.1 dB at 4, +0.1 dB at 16; at 80 %:
/// -0.2 dB at 8, -0.4 dB at 16.
const SPATIAL_FIELDS: Curve<7> = [(100, 64), (400, 115), (512, 150), (614, 176), (768, 205), (922, 235), (1000, 288)];

/// Share of [`SPATIAL`] by level: none up to a level of 2, all from 3 on, an eighth more at 16.
///
/// Chosen on the calibration clips. Levels at 150 % filter too little below 4.5, -0.25 dB at 4; at
/// 70 % clean pictures change.
const RAMP: Curve<4> = [(FAINT, 0), (192, WHOLE), (512, WHOLE), (1024, WHOLE * 9 / 8)];

/// `stad_th` by level: 23 times the level, which still blocks hardly reach; 255 from a level of 11
/// on.
///
/// Chosen on the calibration clips. At 150 % motion counts as still, -0.2 dB at 4, -0.4 dB at 8; at
/// 60 % still blocks count as moving, -0.6 dB at 4, -0.5 dB at 8.
const STAD: Curve<2> = [(FAINT, 46), (710, 255)];

/// `temporal_diff_th` by level in moving or flat pictures: 16. The spatial mean does most of the
/// work and is blended with the previous frame by how much both differ.
///
/// Chosen on the calibration clips. At 150 %: -0.6 dB at 4, -0.3 dB at 8, -0.2 dB at 16; at 60 %:
/// -0.1 dB at 4 and 8.
const TEMPORAL: Curve<2> = [(FAINT, 0), (192, 16)];

/// `temporal_diff_th` by level in still, textured pictures: five times the level, 16 to 60. The
/// previous frame does most of the work.
///
/// Chosen on the calibration clips. Raising it has no measured effect (the maximum is 63); at 60 %:
/// -0.1 dB at 8.
const TEMPORAL_STILL: Curve<3> = [(FAINT, 0), (192, 16), (768, 60)];

/// `temporal_diff_th - temporal_diff_low`, at most. The reciprocals of the blend (§2.4) are exact
/// for 16; with most other distances they are rounded, and the blend darkens or brightens by up to
/// 0.4 %.
///
/// Chosen on the calibration clips. 16 is the largest distance that the filter accepts; with 12:
/// -0.5 dB at 4, -0.2 dB at 8.
const BLEND: u8 = 16;

/// Share of [`TEMPORAL_STILL`] against [`TEMPORAL`] by motion: all up to 0.15 of the blocks, none
/// from 0.21 on.
///
/// Chosen on the calibration clips. At 200 % moving objects leave trails, -0.2 dB at 8; 50 % has no
/// measured effect.
const STILL: Curve<2> = [(150, WHOLE), (220, 0)];

/// Share of [`TEMPORAL_STILL`] by flatness of progressive pictures: all up to 0.80, none from 0.88
/// on.
///
/// Chosen on the calibration clips. At 125 % flat pictures miss the spatial mean, -0.2 dB at 4 and
/// 8; at 80 % texture is lost, -0.1 dB at 8.
const TEXTURED: Curve<2> = [(820, WHOLE), (900, 0)];

/// [`TEXTURED`] for fields: all up to 0.55, none from 0.66 on.
///
/// Chosen on the interlaced calibration clips. 125 % has no measured effect; at 80 %
/// `every_choice_is_valid_and_grows_with_the_noise` fails.
const TEXTURED_FIELDS: Curve<2> = [(560, WHOLE), (680, 0)];

/// Share of [`TEMPORAL_STILL`] by level: all up to 12, none from 16 on. [`STAD`] cannot follow the
/// level beyond 11, so that still blocks of noisier pictures count as moving.
///
/// Chosen on the calibration clips; neither 140 % nor 70 % has a measured effect.
const CERTAIN: Curve<2> = [(768, WHOLE), (1024, 0)];

/// `history_max` in moving or flat pictures. Chosen on the calibration clips. With 255: -0.3 dB at
/// 4, -0.1 dB at 8; with 200: -0.1 dB at 4, -0.2 dB at 8.
const HISTORY_MAX: u8 = 240;

/// `history_max` in still, textured pictures. Chosen on the calibration clips. With 170: -0.1 dB at
/// 8.
const HISTORY_MAX_STILL: u8 = 208;

/// `history_delta`: the maximum of the field. Chosen on the calibration clips. With 6: -0.3 dB at 4
/// and 8.
const HISTORY_DELTA: u8 = 15;

/// `moving_pixel_th`: the number of pixels of a block, so that sums of differences alone decide
/// which blocks move. With less, `temporal_diff_th` would change the measured motion that it is
/// chosen by (-0.01 dB with 8).
const MOVING_PIXEL_TH: u8 = 16;

/// Flatness of natural pictures, which the fixed modes assume. Raised, these are stronger; lowered,
/// weaker.
const MIDDLING: Share10 = WHOLE * 3 / 4;

/// The measurements that parameters are chosen by.
#[derive(Clone, Copy, Debug)]
struct Noise {
    level: Sigma6,
    flatness: Share10,
    /// Share of the blocks that move.
    motion: Share10,
    /// Whether the pictures are filtered field by field.
    fields: bool,
}

impl Noise {
    /// `good_neighbor_th` in noise levels (1/64), with a share of [`SPATIAL`] by level, and the
    /// share of the parameters for still, textured pictures.
    fn weights(self, ramp: &[(u16, u16)]) -> (u16, Share10) {
        let Noise { level, flatness, motion, fields } = self;
        let share = |a: u16, b: u16| (a as u32 * b as u32 / WHOLE as u32) as u16;
        let (spatial, textured) = if fields {
            (interpolate(&SPATIAL_FIELDS, flatness), interpolate(&TEXTURED_FIELDS, flatness))
        } else {
            (interpolate(&SPATIAL, flatness), interpolate(&TEXTURED, flatness))
        };
        let still = share(share(interpolate(&STILL, motion), textured), interpolate(&CERTAIN, level));
        (share(spatial, interpolate(ramp, level)), still)
    }
}

/// The parameters for a noise.
fn parameters(noise: Noise) -> DenoiseParameters {
    let level = noise.level;
    let (spatial, still) = noise.weights(&RAMP);
    let good_neighbor_th = ((level as u32 * spatial as u32 + 2048) >> 12).min(63) as u8;
    let part = |value: u32| (value * still as u32 + WHOLE as u32 / 2) / WHOLE as u32;
    let (moving_th, still_th) = (interpolate(&TEMPORAL, level) as u32, interpolate(&TEMPORAL_STILL, level) as u32);
    let temporal_diff_th = moving_th + part(still_th - moving_th);
    DenoiseParameters {
        stad_th: interpolate(&STAD, level) as u8,
        history_max: HISTORY_MAX - part((HISTORY_MAX - HISTORY_MAX_STILL).into()) as u8,
        history_delta: HISTORY_DELTA,
        temporal_diff_th: temporal_diff_th as u8,
        temporal_diff_low: temporal_diff_th.saturating_sub(BLEND.into()) as u8,
        moving_pixel_th: MOVING_PIXEL_TH,
        good_neighbor_th,
        ..DenoiseParameters::default()
    }
}

/// Replaces chosen parameters by the caller's where these differ from the defaults.
fn apply_overrides(chosen: &mut DenoiseParameters, given: &DenoiseParameters) {
    let default = DenoiseParameters::default();
    let is_given = |value: fn(&DenoiseParameters) -> u8| value(given) != value(&default);
    for (index, (value, default)) in given.values().zip(default.values()).enumerate() {
        if value != default {
            chosen.put(index, value);
        }
    }
    // Keep the distance of both thresholds valid: one of them follows the caller's other one.
    let DenoiseParameters { temporal_diff_th: th, temporal_diff_low: low, .. } = chosen;
    if is_given(|p| p.temporal_diff_low) && !is_given(|p| p.temporal_diff_th) {
        *th = (*th).clamp(*low, *low + 16);
    } else {
        *low = (*low).clamp(th.saturating_sub(16), *th);
    }
}

impl DenoiseState {
    /// The filter of a step in `mode`, with the caller's `given` parameters, and its thresholds for
    /// samples of `depth` bits; only modes that measure use `state`.
    pub(super) fn new(
        mode: DenoiseMode,
        given: &DenoiseParameters,
        fields: bool,
        state: &NoiseState,
        depth: u8,
    ) -> (DenoiseState, Thresholds) {
        let &NoiseState { level, flatness, motion, cut, .. } = state;
        let (level, flatness, motion, share, cut) = match mode {
            DenoiseMode::Off | DenoiseMode::On => {
                let state = DenoiseState { parameters: given.clone(), ..DenoiseState::default() };
                return (state, given.thresholds(depth));
            }
            // Unknown motion counts as motion everywhere.
            DenoiseMode::Auto => (level, flatness, motion, motion.unwrap_or(WHOLE), cut),
            DenoiseMode::Light => (3 * SIGMA_ONE, MIDDLING, None, WHOLE, false),
            DenoiseMode::Medium => (6 * SIGMA_ONE, MIDDLING, None, WHOLE, false),
            // Fixed parameters would leave noise above their level, which `Auto` removes.
            DenoiseMode::Strong => (level.max(12 * SIGMA_ONE), flatness, motion, motion.unwrap_or(WHOLE), cut),
        };
        let noise = Noise { level, flatness, motion: share, fields };
        let mut parameters = parameters(noise);
        apply_overrides(&mut parameters, given);
        let mut thresholds = parameters.thresholds(depth);
        if depth > 8 {
            let (spatial, still) = noise.weights(&fine_thresholds::RAMP);
            let share = fine_thresholds::share(level, flatness);
            let spatial = (u32::from(spatial) * u32::from(share) / u32::from(WHOLE)) as u16;
            let weights = Weights { level, spatial, still, share, blend: BLEND };
            fine_thresholds::refine(&mut parameters, &mut thresholds, given, weights);
        }
        (DenoiseState { parameters, noise: Some(level), motion, cut }, thresholds)
    }
}

#[cfg(test)]
mod tests;
