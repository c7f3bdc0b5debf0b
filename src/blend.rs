//! Blended fields: fields that mix two pictures of another rate, as standards converters make them.
//!
//! A converter from P pictures to F fields a second takes field j at the time `p = jP/F + phase`,
//! in pictures. Its samples are `(1 - w) S[k] + w S[k + 1]`, where S are the pictures, k is the
//! integer part of p, and the weight w follows from the rest of p ([`BlendKernel`]). The fields of
//! a window are linear combinations of fewer pictures, so a window that is close to the span of
//! these combinations for one phase, and far from it for the others, is blended ([`fit`]). With the
//! same weights the pictures follow from the fields by least squares ([`restore`]).
pub(crate) mod fit;
pub(crate) mod restore;

use std::fmt;

/// The rate of the pictures that were mixed into fields: pictures in a number of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlendRate {
    /// 24000/1001 pictures in 50 fields: film on PAL.
    P24In50,
    /// 25 pictures in 60000/1001 fields: 25p on NTSC.
    P25In60,
    /// 30000/1001 pictures in 50 fields: 30p on PAL.
    P30In50,
}

impl BlendRate {
    pub(crate) const ALL: [BlendRate; 3] = [BlendRate::P24In50, BlendRate::P25In60, BlendRate::P30In50];

    /// The number of pictures in a number of frames, such as (1001, 1200) for 25 pictures in
    /// 60000/1001 fields.
    pub fn ratio(self) -> (u32, u32) {
        match self {
            BlendRate::P24In50 => (960, 1001),
            BlendRate::P25In60 => (1001, 1200),
            BlendRate::P30In50 => (1200, 1001),
        }
    }

    /// Whether frames of such a rate can be blended from these pictures: within 2 %, since rates in
    /// headers are rounded. An unknown rate can be any.
    pub(crate) fn fits(self, frame_rate: Option<(u32, u32)>) -> bool {
        let nominal = if self == BlendRate::P25In60 { 30 } else { 25 };
        let is_near = |(frames, seconds): (u32, u32)| {
            let (rate, nominal) = (50 * u64::from(frames), nominal * u64::from(seconds));
            (49 * nominal..=51 * nominal).contains(&rate)
        };
        frame_rate.is_none_or(is_near)
    }

    /// Pictures in the duration of a field.
    pub(crate) fn per_field(self) -> f64 {
        let (pictures, frames) = self.ratio();
        f64::from(pictures) / f64::from(2 * frames)
    }
}

/// The weights with which a converter mixes two pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlendKernel {
    /// The weight is the position between the pictures: nearly all fields are mixed.
    Linear,
    /// The weights are the parts of the duration of the field in which the pictures are shown: a
    /// field that lies within one picture is clean.
    Area,
}

/// How fields are blended.
///
/// ```
/// use dndi::{Blend, BlendKernel, BlendRate};
///
/// let blend = Blend::new(BlendRate::P24In50, BlendKernel::Linear);
/// assert_eq!(blend.to_string(), "24 pictures in 50 fields");
/// assert_eq!(blend.rate.ratio(), (960, 1001)); // 24000/1001 of 25 frames
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Blend {
    /// The rate of the pictures.
    pub rate: BlendRate,
    /// The weights.
    pub kernel: BlendKernel,
}

impl Blend {
    /// All ways in which fields are found to be blended.
    pub(crate) const ALL: [Blend; 6] = {
        let mut all = [Blend::new(BlendRate::P24In50, BlendKernel::Linear); 6];
        let mut index = 0;
        while index < all.len() {
            let kernel = if index % 2 == 0 { BlendKernel::Linear } else { BlendKernel::Area };
            all[index] = Blend::new(BlendRate::ALL[index / 2], kernel);
            index += 1;
        }
        all
    };

    /// Fields of pictures of this rate, mixed by these weights.
    pub const fn new(rate: BlendRate, kernel: BlendKernel) -> Blend {
        Blend { rate, kernel }
    }

    /// The number of the first of the two pictures of a field at position `position`, in pictures,
    /// and the weight of the second, 0 to 1.
    pub(crate) fn mix(self, position: f64) -> (i64, f64) {
        let first = position.floor();
        let step = match self.kernel {
            BlendKernel::Linear => 1.0,
            BlendKernel::Area => self.rate.per_field(),
        };
        (first as i64, ((position - first - (1.0 - step)) / step).clamp(0.0, 1.0))
    }
}

/// Such as `24 pictures in 50 fields`, in nominal rates.
impl fmt::Display for Blend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.rate {
            BlendRate::P24In50 => "24 pictures in 50 fields",
            BlendRate::P25In60 => "25 pictures in 60 fields",
            BlendRate::P30In50 => "30 pictures in 50 fields",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_a_linear_and_of_an_area_blend() {
        let linear = Blend::new(BlendRate::P25In60, BlendKernel::Linear);
        assert_eq!([linear.mix(3.25), linear.mix(-0.5)], [(3, 0.25), (-1, 0.5)]);
        let area = Blend::new(BlendRate::P25In60, BlendKernel::Area);
        // The field lasts 0.417 pictures: it begins to show the next one at 0.583.
        assert_eq!([area.mix(2.0), area.mix(2.58)], [(2, 0.0); 2]);
        let (first, weight) = area.mix(2.0 + 1.0 - 0.5 * area.rate.per_field());
        assert!(first == 2 && (weight - 0.5).abs() < 1e-9, "{weight}");
    }

    #[test]
    fn the_frame_rate_rules_blends_out() {
        let fitting = |rate| BlendRate::ALL.map(|blend| blend.fits(rate));
        assert_eq!(fitting(None), [true; 3]);
        assert_eq!([fitting(Some((25, 1))), fitting(Some((24500, 1000)))], [[true, false, true]; 2]);
        assert_eq!([fitting(Some((30000, 1001))), fitting(Some((30, 1)))], [[false, true, false]; 2]);
        assert_eq!([fitting(Some((24000, 1001))), fitting(Some((50, 1)))], [[false; 3]; 2]);
    }

    #[test]
    fn all_blends_are_different() {
        for (index, blend) in Blend::ALL.iter().enumerate() {
            assert!(!Blend::ALL[..index].contains(blend));
        }
    }
}
