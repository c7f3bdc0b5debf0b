//! How strongly the filter works: parameters for a level of noise and an amount of motion. docs/design/denoise.md tells where the numbers come
//! from.
use super::curve::{Curve, SIGMA_ONE, Share10, Sigma6, WHOLE, interpolate};
use super::noise_tracker::NoiseState;
use crate::denoise::DenoiseParameters;
use crate::format::NameError;
use crate::parameters::field::Stage;
use std::fmt;
use std::str::FromStr;

/// How the luma, or chroma, is denoised. Whichever of the last four it is, parameters that are not at their defaults stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DenoiseMode {
    /// Not at all.
    Off,
    /// With the parameters as they are.
    On,
    /// As strongly as the noise demands that is measured, step by step: the first frame of a shot by its own noise, each later one by what
    /// the steps before it saw. Where next to no noise is, nothing is changed. With noise the deinterlacer blends more softly between moving
    /// and still, unless `stmm_min`, `stmm_max` or `stmm_shift` is not at its default.
    #[default]
    Auto,
    /// As suits faint noise, of a standard deviation of 3.
    Light,
    /// As suits visible noise, of 6.
    Medium,
    /// As suits heavy noise, of 12.
    Strong,
}

impl DenoiseMode {
    const NAMES: &'static [&'static str] = &["off", "on", "auto", "light", "medium", "strong"];

    /// All modes, in the order of their names.
    const ALL: [DenoiseMode; 6] =
        [DenoiseMode::Off, DenoiseMode::On, DenoiseMode::Auto, DenoiseMode::Light, DenoiseMode::Medium, DenoiseMode::Strong];
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

/// What a step's denoise filter worked with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DenoiseState {
    /// The filter's parameters.
    pub parameters: DenoiseParameters,
    /// Standard deviation of the noise that they suit, in 1/64 of a code value; none where they are what they are ([`DenoiseMode::On`]).
    pub noise: Option<u16>,
    /// Share of the blocks that move, in 1/1024, by which the temporal filter was admitted; none where it was not asked for, or is
    /// not known: on the first two steps of a shot.
    pub motion: Option<u16>,
    /// Whether a shot begins with this step, so that it goes by its own noise; also on the first one.
    pub cut: bool,
}

/// Below this level nothing is filtered.
const FAINT: Sigma6 = 2 * SIGMA_ONE;

/// good_neighbor_th in standard deviations, in 1/64, by how flat the picture is: where there is texture, next to everything that differs belongs to it.
const SPATIAL: Curve<5> = [(154, 64), (512, 154), (768, 192), (922, 224), (WHOLE, 288)];
/// The same where neighbours are two lines away.
const SPATIAL_FIELDS: Curve<7> = [(100, 64), (400, 115), (512, 150), (614, 176), (768, 205), (922, 235), (1000, 288)];
/// How much of that is taken by level.
const RAMP: Curve<4> = [(FAINT, 0), (192, WHOLE), (512, WHOLE), (1024, WHOLE * 9 / 8)];
/// stad_th by level: 23 standard deviations, which blocks that do not move hardly reach.
const STAD: Curve<2> = [(FAINT, 46), (710, 255)];
/// temporal_diff_th by level where the mean does most of the work, and what differs little from the frame before is drawn to it.
const TEMPORAL: Curve<2> = [(FAINT, 0), (192, 16)];
/// temporal_diff_th by level where the frame before does most of it: five standard deviations.
const TEMPORAL_STILL: Curve<3> = [(FAINT, 0), (192, 16), (768, 60)];
/// So far below is temporal_diff_low. The rounded quotients of the blend darken or brighten with most other distances, by up to 0.4 %.
const BLEND: u8 = 16;

/// Whether the frame before does most: by motion, by how flat the picture is, and by level. The mean does better in what is flat, and where
/// stad_th cannot follow.
const STILL: Curve<2> = [(150, WHOLE), (220, 0)];
const TEXTURED: Curve<2> = [(820, WHOLE), (900, 0)];
const TEXTURED_FIELDS: Curve<2> = [(560, WHOLE), (680, 0)];
const CERTAIN: Curve<2> = [(768, WHOLE), (1024, 0)];

/// As flat as natural pictures are.
const MIDDLING: Share10 = WHOLE * 3 / 4;

/// The parameters for a level of noise, a picture that is so flat, and a share of moving blocks.
fn parameters(level: Sigma6, flat: Share10, motion: Share10, fields: bool) -> DenoiseParameters {
    let share = |a: u16, b: u16| (a as u32 * b as u32 / WHOLE as u32) as u16;
    let (spatial, textured) = if fields {
        (interpolate(&SPATIAL_FIELDS, flat), interpolate(&TEXTURED_FIELDS, flat))
    } else {
        (interpolate(&SPATIAL, flat), interpolate(&TEXTURED, flat))
    };
    let spatial = share(spatial, interpolate(&RAMP, level));
    let good_neighbor_th = ((level as u32 * spatial as u32 + 2048) >> 12).min(63) as u8;
    let still = share(share(interpolate(&STILL, motion), textured), interpolate(&CERTAIN, level)) as u32;
    let part = |value: u32| (value * still + WHOLE as u32 / 2) / WHOLE as u32;
    let (moving_th, still_th) = (interpolate(&TEMPORAL, level) as u32, interpolate(&TEMPORAL_STILL, level) as u32);
    let temporal_diff_th = moving_th + part(still_th - moving_th);
    DenoiseParameters {
        stad_th: interpolate(&STAD, level) as u8,
        history_max: 240 - part(32) as u8,
        history_delta: 15,
        temporal_diff_th: temporal_diff_th as u8,
        temporal_diff_low: temporal_diff_th.saturating_sub(BLEND.into()) as u8,
        // Sums of differences alone then tell what moves, whatever temporal_diff_th.
        moving_pixel_th: 16,
        good_neighbor_th,
        ..DenoiseParameters::default()
    }
}

/// Puts what was given, where it is not the default, over what was chosen.
fn apply_overrides(chosen: &mut DenoiseParameters, given: &DenoiseParameters) {
    let default = DenoiseParameters::default();
    let is_given = |value: fn(&DenoiseParameters) -> u8| value(given) != value(&default);
    for (index, (value, default)) in given.values().zip(default.values()).enumerate() {
        if value != default {
            chosen.put(index, value);
        }
    }
    // One of the two follows the other.
    let DenoiseParameters { temporal_diff_th: th, temporal_diff_low: low, .. } = chosen;
    if is_given(|p| p.temporal_diff_low) && !is_given(|p| p.temporal_diff_th) {
        *th = (*th).clamp(*low, (*low + 16).min(63));
    } else {
        *low = (*low).clamp(th.saturating_sub(16), *th);
    }
}

impl DenoiseState {
    /// The filter of a step in `mode`, with the caller's `given` parameters; `state` counts in automatic mode alone.
    pub(super) fn new(mode: DenoiseMode, given: &DenoiseParameters, fields: bool, state: &NoiseState) -> DenoiseState {
        let &NoiseState { level, flat, motion, cut, .. } = state;
        let (level, flat, motion, share, cut) = match mode {
            DenoiseMode::Off | DenoiseMode::On => return DenoiseState { parameters: given.clone(), ..DenoiseState::default() },
            // What is not known may move.
            DenoiseMode::Auto => (level, flat, motion, motion.unwrap_or(WHOLE), cut),
            DenoiseMode::Light => (3 * SIGMA_ONE, MIDDLING, None, WHOLE, false),
            DenoiseMode::Medium => (6 * SIGMA_ONE, MIDDLING, None, WHOLE, false),
            DenoiseMode::Strong => (12 * SIGMA_ONE, MIDDLING, None, WHOLE, false),
        };
        let mut parameters = parameters(level, flat, share, fields);
        apply_overrides(&mut parameters, given);
        DenoiseState { parameters, noise: Some(level), motion, cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_to_their_modes() {
        for (mode, name) in DenoiseMode::ALL.into_iter().zip(["off", "on", "auto", "light", "medium", "strong"]) {
            assert_eq!((mode.to_string().as_str(), name.to_uppercase().parse()), (name, Ok(mode)));
        }
        let error = "heavy".parse::<DenoiseMode>().unwrap_err().to_string();
        assert_eq!(error, "no denoise mode 'heavy'; there are: off, on, auto, light, medium, strong");
    }

    #[test]
    fn every_choice_is_valid_and_grows_with_the_noise() {
        for fields in [false, true] {
            for flat in [0, WHOLE / 4, WHOLE / 2, WHOLE * 3 / 4, WHOLE] {
                let mut before = parameters(0, flat, 0, fields);
                assert_eq!((before.good_neighbor_th, before.temporal_diff_th), (0, 0), "nothing changes");
                for level in 0..=24 * SIGMA_ONE {
                    for motion in [0, 100, 180, 300, WHOLE] {
                        assert_eq!(parameters(level, flat, motion, fields).check_blend(), Ok(()), "{level} {motion}");
                    }
                    let now = parameters(level, flat, 0, fields);
                    assert!(now.good_neighbor_th >= before.good_neighbor_th && now.stad_th >= before.stad_th, "{level}");
                    let steps = [
                        now.good_neighbor_th.abs_diff(before.good_neighbor_th),
                        now.temporal_diff_th.abs_diff(before.temporal_diff_th),
                    ];
                    assert!(steps.iter().all(|&step| step <= 1), "{level}: {steps:?}");
                    before = now;
                }
            }
            let [moving, still] = [WHOLE, 0].map(|motion| parameters(8 * SIGMA_ONE, WHOLE / 2, motion, fields).temporal_diff_th);
            assert!(moving == BLEND && still > 2 * BLEND, "{moving} {still}");
            // What is flat is left to the mean.
            assert_eq!(parameters(8 * SIGMA_ONE, WHOLE, 0, fields).temporal_diff_th, BLEND);
        }
    }

    #[test]
    fn what_was_given_stays() {
        let none = NoiseState::default();
        let default = DenoiseParameters::default();
        for how in [DenoiseMode::Auto, DenoiseMode::Light, DenoiseMode::Medium, DenoiseMode::Strong] {
            for index in 0..DenoiseParameters::FIELDS.len() {
                for value in [DenoiseParameters::FIELDS[index].min, DenoiseParameters::FIELDS[index].max] {
                    let mut given = default.clone();
                    given.put(index, value);
                    let chosen = DenoiseState::new(how, &given, true, &none).parameters;
                    let kept = value == default.values().nth(index).unwrap() || chosen.values().nth(index) == Some(value);
                    assert!(
                        kept && chosen.check_blend().is_ok() && chosen.check_ranges().is_ok(),
                        "{how:?} {} {value}",
                        DenoiseParameters::FIELDS[index].name
                    );
                }
            }
        }
        assert_eq!(DenoiseState::new(DenoiseMode::On, &default, true, &none).parameters, default);
    }
}
