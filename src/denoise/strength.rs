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
    /// not known: on the first two steps of a shot.
    pub motion: Option<u16>,
    /// Whether a shot begins with this step, so that it goes by its own noise; also on the first one.
    pub cut: bool,
}

/// Below this level nothing is filtered.
const FAINT: Level = 2 * ONE;

/// good_neighbor_th in standard deviations, in 1/64, by how flat the picture is: where there is texture, next to everything that differs belongs to it.
const SPATIAL: Curve<5> = [(154, 64), (512, 154), (768, 192), (922, 224), (ALL, 288)];
/// The same where neighbours are two lines away.
const SPATIAL_FIELDS: Curve<7> = [(100, 64), (400, 115), (512, 150), (614, 176), (768, 205), (922, 235), (1000, 288)];
/// How much of that is taken by level.
const RAMP: Curve<4> = [(FAINT, 0), (192, ALL), (512, ALL), (1024, ALL * 9 / 8)];
/// stad_th by level: 23 standard deviations, which blocks that do not move hardly reach.
const STAD: Curve<2> = [(FAINT, 46), (710, 255)];
/// temporal_diff_th by level where the mean does most of the work, and what differs little from the frame before is drawn to it.
const TEMPORAL: Curve<2> = [(FAINT, 0), (192, 16)];
/// temporal_diff_th by level where the frame before does most of it: five standard deviations.
const TEMPORAL_STILL: Curve<3> = [(FAINT, 0), (192, 16), (768, 60)];
/// So far below is temporal_diff_low. The rounded quotients of the blend darken or brighten with most other distances, by up to 0.4 %.
const BLEND: i32 = 16;

/// Whether the frame before does most: by motion, by how flat the picture is, and by level. The mean does better in what is flat, and where
/// stad_th cannot follow.
const STILL: Curve<2> = [(150, ALL), (220, 0)];
const TEXTURED: Curve<2> = [(820, ALL), (900, 0)];
const TEXTURED_FIELDS: Curve<2> = [(560, ALL), (680, 0)];
const CERTAIN: Curve<2> = [(768, ALL), (1024, 0)];

/// As flat as natural pictures are.
const MIDDLING: Share = ALL * 3 / 4;

/// The parameters for a level of noise, a picture that is so flat, and a share of moving blocks.
fn parameters(level: Level, flat: Share, motion: Share, fields: bool) -> DenoiseParameters {
    let share = |a: u16, b: u16| (a as u32 * b as u32 / ALL as u32) as u16;
    let (spatial, textured) =
        if fields { (at(&SPATIAL_FIELDS, flat), at(&TEXTURED_FIELDS, flat)) } else { (at(&SPATIAL, flat), at(&TEXTURED, flat)) };
    let spatial = share(spatial, at(&RAMP, level));
    let good_neighbor_th = ((level as u32 * spatial as u32 + 2048) >> 12).min(63) as i32;
    let still = share(share(at(&STILL, motion), textured), at(&CERTAIN, level)) as i32;
    let part = |value: i32| (value * still + ALL as i32 / 2) / ALL as i32;
    let (moving_th, still_th) = (at(&TEMPORAL, level) as i32, at(&TEMPORAL_STILL, level) as i32);
    let temporal_diff_th = moving_th + part(still_th - moving_th);
    DenoiseParameters {
        stad_th: at(&STAD, level).into(),
        history_max: 240 - part(32),
        history_delta: 15,
        temporal_diff_th,
        temporal_diff_low: (temporal_diff_th - BLEND).max(0),
        // Sums of differences alone then tell what moves, whatever temporal_diff_th.
        moving_pixel_th: 16,
        good_neighbor_th,
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
        let Situation { level, flat, motion, cut, .. } = automatic.situation;
        let (level, flat, motion, share, cut) = match how {
            Denoise::Off | Denoise::On => return Strength { parameters: given.clone(), ..Strength::default() },
            // What is not known may move.
            Denoise::Auto => (level, flat, motion, motion.unwrap_or(ALL), cut),
            Denoise::Light => (3 * ONE, MIDDLING, None, ALL, false),
            Denoise::Medium => (6 * ONE, MIDDLING, None, ALL, false),
            Denoise::Strong => (12 * ONE, MIDDLING, None, ALL, false),
        };
        let mut parameters = parameters(level, flat, share, fields);
        keep(&mut parameters, given);
        Strength { parameters, noise: Some(level), motion, cut }
    }
}

/// stmm_min where there is noise, by how flat the picture is, and at least by level. stmm_max is 128 more.
const SOFT: Curve<4> = [(150, 32), (250, 112), (400, 112), (500, 32)];
const SOFT_LEAST: Curve<3> = [(256, 56), (512, 32), (1024, 80)];

/// The deinterlacer's parameters where there is noise: what noise does to the motion measure is no motion, so between moving and still there
/// is a wide range of both. Where it is stronger, and where texture is, it takes more of the measure to tell motion.
pub(crate) fn softened(given: &DeinterlaceParameters, situation: &Situation) -> DeinterlaceParameters {
    let (default, blend) = (DeinterlaceParameters::default(), |p: &DeinterlaceParameters| (p.stmm_min, p.stmm_max, p.stmm_shift));
    if !situation.noisy || blend(given) != blend(&default) {
        return given.clone();
    }
    let stmm_min = at(&SOFT, situation.flat).max(at(&SOFT_LEAST, situation.level)).into();
    DeinterlaceParameters { stmm_min, stmm_max: stmm_min + 128, stmm_shift: 7, ..given.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_valid_and_grows_with_the_noise() {
        for fields in [false, true] {
            for flat in [0, ALL / 4, ALL / 2, ALL * 3 / 4, ALL] {
                let mut before = parameters(0, flat, 0, fields);
                assert_eq!((before.good_neighbor_th, before.temporal_diff_th), (0, 0), "nothing changes");
                for level in 0..=24 * ONE {
                    for motion in [0, 100, 180, 300, ALL] {
                        assert_eq!(parameters(level, flat, motion, fields).check(), Ok(()), "{level} {motion}");
                    }
                    let now = parameters(level, flat, 0, fields);
                    assert!(now.good_neighbor_th >= before.good_neighbor_th && now.stad_th >= before.stad_th, "{level}");
                    let steps = [now.good_neighbor_th - before.good_neighbor_th, now.temporal_diff_th - before.temporal_diff_th];
                    assert!(steps.iter().all(|step| step.abs() <= 1), "{level}: {steps:?}");
                    before = now;
                }
            }
            let [moving, still] = [ALL, 0].map(|motion| parameters(8 * ONE, ALL / 2, motion, fields).temporal_diff_th);
            assert!(moving == BLEND && still > 2 * BLEND, "{moving} {still}");
            // What is flat is left to the mean.
            assert_eq!(parameters(8 * ONE, ALL, 0, fields).temporal_diff_th, BLEND);
        }
    }

    #[test]
    fn the_deinterlacer_is_softened_where_there_is_noise() {
        let given = DeinterlaceParameters::default();
        let situation = |level, flat, noisy| Situation { level, flat, noisy, ..Situation::default() };
        assert_eq!(softened(&given, &situation(8 * ONE, ALL, false)), given);
        for level in (3 * ONE..=24 * ONE).step_by(16) {
            for flat in (0..=ALL).step_by(16) {
                let soft = softened(&given, &situation(level, flat, true));
                assert!(soft.check_blend().is_ok() && soft != given, "{soft:?}");
            }
        }
        let own = DeinterlaceParameters { stmm_min: 0, stmm_max: 32, ..given };
        assert_eq!(softened(&own, &situation(8 * ONE, ALL, true)), own);
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
