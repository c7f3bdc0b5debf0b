//! Parameters of the deinterlacer for noisy pictures.
use super::curve::{Curve, interpolate};
use super::noise_tracker::NoiseState;
use crate::deinterlace::DeinterlaceParameters;

/// `stmm_min` of noisy pictures by the share that is flat, and its lower limit by the standard deviation of the noise (1/64);
/// `stmm_max` is 128 above. Tuned for the PSNR of interlaced clips with noise of sigma 4, 8 and 16 (docs/design/denoise.md): higher
/// values average moving detail over time, lower ones interpolate still detail away.
const SOFT: Curve<4> = [(150, 32), (250, 112), (400, 112), (500, 32)];
const SOFT_LEAST: Curve<3> = [(256, 56), (512, 32), (1024, 80)];

/// The parameters of the deinterlacer in a step with this noise. Noise raises the motion measure without any motion, so the blend between
/// still and moving gets wider, and begins at a higher measure where the noise is stronger or the picture has more texture. Values of the
/// blend that the caller changed are kept.
pub(crate) fn deinterlace_for_noise(given: &DeinterlaceParameters, state: &NoiseState) -> DeinterlaceParameters {
    let (default, blend) = (DeinterlaceParameters::default(), |p: &DeinterlaceParameters| (p.stmm_min, p.stmm_max, p.stmm_shift));
    if !state.noisy || blend(given) != blend(&default) {
        return given.clone();
    }
    let stmm_min = interpolate(&SOFT, state.flat).max(interpolate(&SOFT_LEAST, state.level)) as u8;
    DeinterlaceParameters { stmm_min, stmm_max: stmm_min + 128, stmm_shift: 7, ..given.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::curve::{SIGMA_ONE, WHOLE};
    use super::*;

    #[test]
    fn the_deinterlacer_is_softened_where_there_is_noise() {
        let given = DeinterlaceParameters::default();
        let state = |level, flat, noisy| NoiseState { level, flat, noisy, ..NoiseState::default() };
        assert_eq!(deinterlace_for_noise(&given, &state(8 * SIGMA_ONE, WHOLE, false)), given);
        for level in (3 * SIGMA_ONE..=24 * SIGMA_ONE).step_by(16) {
            for flat in (0..=WHOLE).step_by(16) {
                let soft = deinterlace_for_noise(&given, &state(level, flat, true));
                assert!(soft.check_blend().is_ok() && soft != given, "{soft:?}");
            }
        }
        let own = DeinterlaceParameters { stmm_min: 0, stmm_max: 32, ..given };
        assert_eq!(deinterlace_for_noise(&own, &state(8 * SIGMA_ONE, WHOLE, true)), own);
    }
}
