//! Parameters of the deinterlacer for noisy pictures.
use super::curve::{Curve, interpolate};
use super::noise_tracker::NoiseState;
use crate::deinterlace::DeinterlaceParameters;

/// `stmm_min` of noisy pictures by flatness: 112 at 0.24 to 0.39, where only the previous frame
/// preserves the texture, 32 below 0.15 and above 0.49.
///
/// Chosen on the interlaced calibration clips. At 150 % moving detail is averaged over time, -0.4
/// dB at 8 (one clip -2.4 dB); at 50 % still detail is interpolated away, -0.1 dB at 8 (one clip
/// -0.7 dB).
const SOFT: Curve<4> = [(150, 32), (250, 112), (400, 112), (500, 32)];

/// Least `stmm_min` of noisy pictures by the level of the noise in 1/64 code value: 56 at 4, 32 at
/// 8, 80 at 16.
///
/// Chosen on the interlaced calibration clips. At 150 % single clips change by ±0.4 dB at 4; at 50
/// % noise counts as motion, -0.1 dB at 16.
const SOFT_LEAST: Curve<3> = [(256, 56), (512, 32), (1024, 80)];

/// `stmm_shift` of noisy pictures. `stmm_max - stmm_min` must be `1 << stmm_shift`: 128. With the
/// default of 5 (32) noise counts as motion; 7 is the largest shift.
const SOFT_SHIFT: u8 = 7;

/// The parameters of the deinterlacer in a step with this noise.
///
/// Noise raises the motion measure without any motion. Therefore the blend between still and moving
/// is wider, and begins at a higher measure if the noise is stronger or the picture has more
/// texture. Values of the blend that differ from the defaults are the caller's and are kept.
pub(crate) fn deinterlace_for_noise(given: &DeinterlaceParameters, state: &NoiseState) -> DeinterlaceParameters {
    let (default, blend) = (DeinterlaceParameters::default(), |p: &DeinterlaceParameters| (p.stmm_min, p.stmm_max, p.stmm_shift));
    if !state.noisy || blend(given) != blend(&default) {
        return given.clone();
    }
    let stmm_min = interpolate(&SOFT, state.flatness).max(interpolate(&SOFT_LEAST, state.level)) as u8;
    DeinterlaceParameters { stmm_min, stmm_max: stmm_min + (1 << SOFT_SHIFT), stmm_shift: SOFT_SHIFT, ..given.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::curve::{SIGMA_ONE, WHOLE};
    use super::*;

    #[test]
    fn noise_widens_the_blend_of_the_deinterlacer() {
        let given = DeinterlaceParameters::default();
        let state = |level, flatness, noisy| NoiseState { level, flatness, noisy, ..NoiseState::default() };
        assert_eq!(deinterlace_for_noise(&given, &state(8 * SIGMA_ONE, WHOLE, false)), given);
        for level in (3 * SIGMA_ONE..=24 * SIGMA_ONE).step_by(16) {
            for flatness in (0..=WHOLE).step_by(16) {
                let soft = deinterlace_for_noise(&given, &state(level, flatness, true));
                assert!(soft.check_blend().is_ok() && soft != given, "{soft:?}");
            }
        }
        let own = DeinterlaceParameters { stmm_min: 0, stmm_max: 32, ..given };
        assert_eq!(deinterlace_for_noise(&own, &state(8 * SIGMA_ONE, WHOLE, true)), own);
    }

    /// The blend between the points of each curve, where a change of a neighbouring number by one
    /// is visible.
    #[test]
    fn the_blend_begins_by_flatness_and_level() {
        let given = DeinterlaceParameters::default();
        let blend = |level, flatness| {
            let state = NoiseState { level, flatness, noisy: true, ..NoiseState::default() };
            let soft = deinterlace_for_noise(&given, &state);
            assert_eq!((soft.stmm_max - soft.stmm_min, soft.stmm_shift), (128, 7));
            soft.stmm_min
        };
        let by_flatness = |flatness| blend(512, flatness);
        assert_eq!(
            [0, 150, 151, 215, 250, 400, 401, 465, 500, WHOLE].map(by_flatness),
            [32, 32, 33, 84, 112, 112, 111, 60, 32, 32]
        );
        let by_level = |level| blend(level, 0);
        assert_eq!([192, 256, 272, 347, 512, 709, 998, 1024, 1536].map(by_level), [56, 56, 55, 47, 32, 50, 78, 80, 80]);
        // The higher of both counts.
        assert_eq!([blend(1024, 250), blend(1024, 500)], [112, 80]);
    }
}
