//! How strongly the filter works: parameters for a level of noise and an amount of motion. docs/denoise.md tells where the numbers come
//! from.
use super::DenoiseParameters;
use super::automatic::{Automatic, Situation};
use super::curve::{ALL, Curve, Level, ONE, Share, at};
use crate::deinterlace::DeinterlaceParameters;
use crate::parameters::Stage;

/// How the luma, or chroma, is denoised. Whichever of the last four it is, parameters that are not at their defaults stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Denoise {
    /// Not at all.
    Off,
    /// With the parameters as they are.
    On,
    /// As strongly as the noise demands that is measured, step by step: the first frame by its own noise, each later one by what the
    /// steps before it saw. Where next to no noise is, nothing is changed. With noise the deinterlacer blends more softly between moving
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

/// [`On`](Denoise::On) or [`Off`](Denoise::Off).
impl From<bool> for Denoise {
    fn from(on: bool) -> Denoise {
        if on { Denoise::On } else { Denoise::Off }
    }
}

/// What a step's denoise filter worked with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Strength {
    /// The filter's parameters.
    pub parameters: DenoiseParameters,
    /// Standard deviation of the noise that they suit, in 1/64 of a code value; none where they are what they are ([`Denoise::On`]).
    pub noise: Option<u16>,
    /// Share of the blocks that move, in 1/1024, by which the temporal filter was admitted; none where it was not asked for, or is
    /// not known: on the first two steps and after a cut.
    pub motion: Option<u16>,
    /// Whether the step before began a shot, so that what it saw counted at once; also on the first step.
    pub cut: bool,
}

/// Below this level nothing is filtered.
const FAINT: Level = 2 * ONE;

/// good_neighbor_th by level: about three standard deviations.
const SPATIAL: Curve<8> = [(FAINT, 0), (192, 9), (256, 12), (384, 19), (512, 25), (768, 38), (1024, 54), (1280, 63)];
/// The same where neighbours are two lines away.
const SPATIAL_FIELDS: Curve<8> = [(FAINT, 0), (192, 7), (256, 10), (384, 15), (512, 20), (768, 31), (1024, 46), (1280, 60)];
/// stad_th by level: of the blocks that do not move one in a hundred reaches it.
const STAD: Curve<3> = [(FAINT, 41), (768, 246), (796, 255)];
/// temporal_diff_th by level. Where stad_th cannot follow any more, blocks are taken for moving at random, and the mean does better.
const TEMPORAL: Curve<4> = [(FAINT, 0), (192, 15), (768, 60), (1024, 0)];

/// Motion up to which the temporal filter works fully, by level: the stronger the noise, the less motion is seen.
const STILL: Curve<2> = [(FAINT, 512), (1024, 64)];
const STILL_FIELDS: Curve<2> = [(FAINT, 550), (1024, 192)];
/// So much more motion ends the temporal filter.
const FADE: Share = 80;

/// The parameters for a level of noise and a share of moving blocks.
fn parameters(level: Level, motion: Share, fields: bool) -> DenoiseParameters {
    let (spatial, still) =
        if fields { (at(&SPATIAL_FIELDS, level), at(&STILL_FIELDS, level)) } else { (at(&SPATIAL, level), at(&STILL, level)) };
    let temporal = at(&[(still, ALL), (still + FADE, 0)], motion);
    let temporal_diff_th = (at(&TEMPORAL, level) as i32 * temporal as i32 + ALL as i32 / 2) / ALL as i32;
    DenoiseParameters {
        stad_th: at(&STAD, level).into(),
        history_max: 208,
        history_delta: 15,
        temporal_diff_th,
        temporal_diff_low: temporal_diff_th - (temporal_diff_th / 3).min(16),
        // Sums of differences alone then tell what moves, whatever temporal_diff_th.
        moving_pixel_th: 16,
        good_neighbor_th: spatial.into(),
        ..DenoiseParameters::default()
    }
}

/// Puts what was given, where it is not the default, over what was chosen.
fn keep(chosen: &mut DenoiseParameters, given: &DenoiseParameters) {
    let default = DenoiseParameters::default();
    let is_given = |value: fn(&DenoiseParameters) -> i32| value(given) != value(&default);
    for (index, (value, default)) in given.values().zip(default.values()).enumerate() {
        if value != default {
            *chosen.field_mut(index) = value;
        }
    }
    // One of the two follows the other.
    let DenoiseParameters { temporal_diff_th: th, temporal_diff_low: low, .. } = chosen;
    if is_given(|p| p.temporal_diff_low) && !is_given(|p| p.temporal_diff_th) {
        *th = (*th).clamp(*low, (*low + 16).min(63));
    } else {
        *low = (*low).clamp((*th - 16).max(0), *th);
    }
}

impl Strength {
    /// Of a filter that is told `how`, has `given` parameters, and in automatic operation finds this `situation`.
    pub(crate) fn new(how: Denoise, given: &DenoiseParameters, fields: bool, automatic: &Automatic) -> Strength {
        let Situation { level, motion, cut, .. } = automatic.situation;
        let (level, motion, share, cut) = match how {
            Denoise::Off | Denoise::On => return Strength { parameters: given.clone(), ..Strength::default() },
            // What is not known may move.
            Denoise::Auto => (level, motion, motion.unwrap_or(ALL), cut),
            Denoise::Light => (3 * ONE, None, 0, false),
            Denoise::Medium => (6 * ONE, None, 0, false),
            Denoise::Strong => (12 * ONE, None, 0, false),
        };
        let mut parameters = parameters(level, share, fields);
        keep(&mut parameters, given);
        Strength { parameters, noise: Some(level), motion, cut }
    }
}

/// The deinterlacer's parameters where there is noise: what noise does to the motion measure is no motion, so between moving and still there
/// is a wide range of both.
pub(crate) fn softened(given: &DeinterlaceParameters) -> DeinterlaceParameters {
    let (default, blend) = (DeinterlaceParameters::default(), |p: &DeinterlaceParameters| (p.stmm_min, p.stmm_max, p.stmm_shift));
    if blend(given) != blend(&default) {
        return given.clone();
    }
    DeinterlaceParameters { stmm_min: 32, stmm_max: 160, stmm_shift: 7, ..given.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_valid_and_grows_with_the_noise() {
        for fields in [false, true] {
            let mut before = parameters(0, 0, fields);
            assert_eq!((before.good_neighbor_th, before.temporal_diff_th), (0, 0), "nothing changes");
            for level in 0..=24 * ONE {
                for motion in [0, 100, 300, 500, ALL] {
                    assert_eq!(parameters(level, motion, fields).check(), Ok(()), "{level} {motion}");
                }
                let now = parameters(level, 0, fields);
                assert!(now.good_neighbor_th >= before.good_neighbor_th && now.stad_th >= before.stad_th, "{level}");
                let steps = [now.good_neighbor_th - before.good_neighbor_th, now.temporal_diff_th - before.temporal_diff_th];
                assert!(steps.iter().all(|step| step.abs() <= 1), "{level}: {steps:?}");
                assert_eq!(parameters(level, ALL, fields).temporal_diff_th, 0);
                before = now;
            }
        }
    }

    #[test]
    fn what_was_given_stays() {
        let none = Automatic::default();
        let default = DenoiseParameters::default();
        for how in [Denoise::Auto, Denoise::Light, Denoise::Medium, Denoise::Strong] {
            for index in 0..DenoiseParameters::FIELDS.len() {
                for value in [DenoiseParameters::FIELDS[index].min, DenoiseParameters::FIELDS[index].max] {
                    let mut given = default.clone();
                    *given.field_mut(index) = value;
                    let chosen = Strength::new(how, &given, true, &none).parameters;
                    let kept = value == default.values().nth(index).unwrap() || chosen.values().nth(index) == Some(value);
                    assert!(kept && chosen.check().is_ok(), "{how:?} {} {value}", DenoiseParameters::FIELDS[index].name);
                }
            }
        }
        assert_eq!(Strength::new(Denoise::On, &default, true, &none).parameters, default);
    }
}
