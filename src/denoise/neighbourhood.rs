//! Parameters of the 5×5 neighbourhood of denoising (§13.3), and the weights of a step.
use crate::format::NameError;
use crate::parameters::field::{Stage, parameters};
use dndi_simd::Denoise5;
use std::fmt;
use std::str::FromStr;

/// The spatial filter of denoising. Names: `3x3`, `5x5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DenoiseFilter {
    /// The mean of the neighbours in 3×3 samples that differ little (§2.3).
    #[default]
    Neighbours3,
    /// The mean of 5×5 samples, weighted by distance and by difference; the noise estimate widens
    /// the thresholds of the differences (§13.3).
    Neighbours5,
}

impl DenoiseFilter {
    const NAMES: &'static [&'static str] = &["3x3", "5x5"];
}

impl FromStr for DenoiseFilter {
    type Err = NameError;

    fn from_str(name: &str) -> Result<DenoiseFilter, NameError> {
        let values = [DenoiseFilter::Neighbours3, DenoiseFilter::Neighbours5];
        NameError::find("denoise filter", name, DenoiseFilter::NAMES, &values)
    }
}

impl fmt::Display for DenoiseFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(DenoiseFilter::NAMES[*self as usize])
    }
}

parameters! { "dn5.",
    /// Parameters of the 5×5 neighbourhood of denoising (§13.3): `y` of the luma, `u` and `v` of
    /// the chroma planes.
    Denoise5Parameters {
        /// weight of luma differences that reach 0 thresholds
        y_wr0: u8 = 31 in 0..=31;
        /// weight of luma differences that reach 1 threshold
        y_wr1: u8 = 26 in 0..=31;
        /// weight of luma differences that reach 2 thresholds
        y_wr2: u8 = 18 in 0..=31;
        /// weight of luma differences that reach 3 thresholds
        y_wr3: u8 = 10 in 0..=31;
        /// weight of luma differences that reach 4 thresholds
        y_wr4: u8 = 4 in 0..=31;
        /// weight of luma differences that reach 5 thresholds
        y_wr5: u8 = 0 in 0..=31;
        /// greatest threshold of luma, in 1/16 code values
        y_thmax: u16 = 1023 in 0..=8191;
        /// least threshold of luma, in 1/16 code values
        y_thmin: u16 = 0 in 0..=8191;
        /// luma thresholds per noise estimate, in 1/16 code values
        y_prt5: u16 = 18 in 0..=8191;
        /// luma thresholds without noise, in 1/16 code values
        y_dyn_thmin: u16 = 256 in 0..=8191;
        /// factor of luma threshold 4, in 1/256
        y_prt4: u16 = 256 in 0..=8191;
        /// factor of luma threshold 3, in 1/256
        y_prt3: u16 = 192 in 0..=8191;
        /// factor of luma threshold 2, in 1/256
        y_prt2: u16 = 144 in 0..=8191;
        /// factor of luma threshold 1, in 1/256
        y_prt1: u16 = 96 in 0..=8191;
        /// factor of luma threshold 0, in 1/256
        y_prt0: u16 = 48 in 0..=8191;
        /// weight of luma neighbours 2 lines and 2 columns away
        y_wd22: u8 = 8 in 0..=31;
        /// weight of luma neighbours 2 lines and 1 columns away
        y_wd21: u8 = 13 in 0..=31;
        /// weight of luma neighbours 2 lines and 0 columns away
        y_wd20: u8 = 16 in 0..=31;
        /// weight of luma neighbours 1 lines and 2 columns away
        y_wd12: u8 = 13 in 0..=31;
        /// weight of luma neighbours 1 lines and 1 columns away
        y_wd11: u8 = 22 in 0..=31;
        /// weight of luma neighbours 1 lines and 0 columns away
        y_wd10: u8 = 26 in 0..=31;
        /// weight of luma neighbours 0 lines and 2 columns away
        y_wd02: u8 = 16 in 0..=31;
        /// weight of luma neighbours 0 lines and 1 columns away
        y_wd01: u8 = 26 in 0..=31;
        /// weight of luma neighbours 0 lines and 0 columns away
        y_wd00: u8 = 31 in 0..=31;
        /// weight of U differences that reach 0 thresholds
        u_wr0: u8 = 31 in 0..=31;
        /// weight of U differences that reach 1 threshold
        u_wr1: u8 = 26 in 0..=31;
        /// weight of U differences that reach 2 thresholds
        u_wr2: u8 = 18 in 0..=31;
        /// weight of U differences that reach 3 thresholds
        u_wr3: u8 = 10 in 0..=31;
        /// weight of U differences that reach 4 thresholds
        u_wr4: u8 = 4 in 0..=31;
        /// weight of U differences that reach 5 thresholds
        u_wr5: u8 = 0 in 0..=31;
        /// greatest threshold of U, in 1/16 code values
        u_thmax: u16 = 1023 in 0..=8191;
        /// least threshold of U, in 1/16 code values
        u_thmin: u16 = 0 in 0..=8191;
        /// U thresholds per noise estimate, in 1/16 code values
        u_prt5: u16 = 18 in 0..=8191;
        /// U thresholds without noise, in 1/16 code values
        u_dyn_thmin: u16 = 256 in 0..=8191;
        /// factor of U threshold 4, in 1/256
        u_prt4: u16 = 256 in 0..=8191;
        /// factor of U threshold 3, in 1/256
        u_prt3: u16 = 192 in 0..=8191;
        /// factor of U threshold 2, in 1/256
        u_prt2: u16 = 144 in 0..=8191;
        /// factor of U threshold 1, in 1/256
        u_prt1: u16 = 96 in 0..=8191;
        /// factor of U threshold 0, in 1/256
        u_prt0: u16 = 48 in 0..=8191;
        /// weight of U neighbours 2 lines and 2 columns away
        u_wd22: u8 = 8 in 0..=31;
        /// weight of U neighbours 2 lines and 1 columns away
        u_wd21: u8 = 13 in 0..=31;
        /// weight of U neighbours 2 lines and 0 columns away
        u_wd20: u8 = 16 in 0..=31;
        /// weight of U neighbours 1 lines and 2 columns away
        u_wd12: u8 = 13 in 0..=31;
        /// weight of U neighbours 1 lines and 1 columns away
        u_wd11: u8 = 22 in 0..=31;
        /// weight of U neighbours 1 lines and 0 columns away
        u_wd10: u8 = 26 in 0..=31;
        /// weight of U neighbours 0 lines and 2 columns away
        u_wd02: u8 = 16 in 0..=31;
        /// weight of U neighbours 0 lines and 1 columns away
        u_wd01: u8 = 26 in 0..=31;
        /// weight of U neighbours 0 lines and 0 columns away
        u_wd00: u8 = 31 in 0..=31;
        /// weight of V differences that reach 0 thresholds
        v_wr0: u8 = 31 in 0..=31;
        /// weight of V differences that reach 1 threshold
        v_wr1: u8 = 26 in 0..=31;
        /// weight of V differences that reach 2 thresholds
        v_wr2: u8 = 18 in 0..=31;
        /// weight of V differences that reach 3 thresholds
        v_wr3: u8 = 10 in 0..=31;
        /// weight of V differences that reach 4 thresholds
        v_wr4: u8 = 4 in 0..=31;
        /// weight of V differences that reach 5 thresholds
        v_wr5: u8 = 0 in 0..=31;
        /// greatest threshold of V, in 1/16 code values
        v_thmax: u16 = 1023 in 0..=8191;
        /// least threshold of V, in 1/16 code values
        v_thmin: u16 = 0 in 0..=8191;
        /// V thresholds per noise estimate, in 1/16 code values
        v_prt5: u16 = 18 in 0..=8191;
        /// V thresholds without noise, in 1/16 code values
        v_dyn_thmin: u16 = 256 in 0..=8191;
        /// factor of V threshold 4, in 1/256
        v_prt4: u16 = 256 in 0..=8191;
        /// factor of V threshold 3, in 1/256
        v_prt3: u16 = 192 in 0..=8191;
        /// factor of V threshold 2, in 1/256
        v_prt2: u16 = 144 in 0..=8191;
        /// factor of V threshold 1, in 1/256
        v_prt1: u16 = 96 in 0..=8191;
        /// factor of V threshold 0, in 1/256
        v_prt0: u16 = 48 in 0..=8191;
        /// weight of V neighbours 2 lines and 2 columns away
        v_wd22: u8 = 8 in 0..=31;
        /// weight of V neighbours 2 lines and 1 columns away
        v_wd21: u8 = 13 in 0..=31;
        /// weight of V neighbours 2 lines and 0 columns away
        v_wd20: u8 = 16 in 0..=31;
        /// weight of V neighbours 1 lines and 2 columns away
        v_wd12: u8 = 13 in 0..=31;
        /// weight of V neighbours 1 lines and 1 columns away
        v_wd11: u8 = 22 in 0..=31;
        /// weight of V neighbours 1 lines and 0 columns away
        v_wd10: u8 = 26 in 0..=31;
        /// weight of V neighbours 0 lines and 2 columns away
        v_wd02: u8 = 16 in 0..=31;
        /// weight of V neighbours 0 lines and 1 columns away
        v_wd01: u8 = 26 in 0..=31;
        /// weight of V neighbours 0 lines and 0 columns away
        v_wd00: u8 = 31 in 0..=31;
    }
}

/// Parameters of a plane.
const FIELDS: usize = 24;

/// The greatest threshold before it is split.
const MOST: u64 = 8191;

impl Denoise5Parameters {
    /// The weights of the planes Y, U and V, for samples of `depth` bits. `gne` is the global noise
    /// estimate of the luma in the step before, in 8-bit code values.
    pub(crate) fn weights(&self, gne: u64, depth: u8) -> [Denoise5; 3] {
        let mut values = [0; 3 * FIELDS];
        values.iter_mut().zip(self.values()).for_each(|(to, value)| *to = value as u32);
        let (planes, _) = values.as_chunks::<FIELDS>();
        [0, 1, 2].map(|plane| weights(&planes[plane], gne, depth))
    }
}

/// The weights of a plane whose parameters are in the order of their table.
fn weights(values: &[u32; FIELDS], gne: u64, depth: u8) -> Denoise5 {
    let &[ref range @ .., most, least, by_noise, without_noise, p4, p3, p2, p1, p0, _, _, _, _, _, _, _, _, _] = values;
    let [.., wd22, wd21, wd20, wd12, wd11, wd10, wd02, wd01, wd00] = values.map(|v| v as u8);
    let whole = gne.saturating_mul(by_noise.into()).max(without_noise.into()).min(MOST) as u32;
    let threshold = |share: u32| {
        let sixteenths = ((share * whole) >> 8).max(least).min(most);
        // A difference of whole code values reaches a threshold between two of them at the next.
        (sixteenths << (depth - 8)).div_ceil(16)
    };
    Denoise5 {
        distance: [[wd00, wd01, wd02], [wd10, wd11, wd12], [wd20, wd21, wd22]],
        range: std::array::from_fn(|k| range[k] as u8),
        thresholds: [p0, p1, p2, p3, p4].map(threshold),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_widens_the_thresholds() {
        let p = Denoise5Parameters::default();
        let of = |gne, depth| p.weights(gne, depth)[0].thresholds;
        assert_eq!(of(0, 8), [3, 6, 9, 12, 16]);
        assert_eq!(of(14, 8), [3, 6, 9, 12, 16]);
        // 28 * 18 = 504: 94, 189, 283, 378, 504 sixteenths.
        assert_eq!(of(28, 8), [6, 12, 18, 24, 32]);
        assert_eq!(of(28, 10), [24, 48, 71, 95, 126]);
        // The limit of 1023 sixteenths.
        assert_eq!(of(u64::MAX, 8)[4], 64);
        let [_, u, v] = p.clone().u_wd21(3).v_wr0(7).weights(0, 8);
        assert_eq!((u.distance[2][1], u.distance[1][2], v.range[0]), (3, 13, 7));
    }
}
