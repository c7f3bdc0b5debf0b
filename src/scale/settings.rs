//! Parameters of the scaler (§5.2), and the settings of a stream's scaling.
use super::axis::Addresses;
use crate::format::{Format, NameError, Rect, Sampling};
use crate::parameters::field::parameters;
use dndi_simd::Sharpness;
use std::fmt;
use std::str::FromStr;

parameters! { "scaler.",
    /// Parameters of the scaler.
    ScalerParameters {
        /// weight of the sharp filter where adaptive filtering is bypassed; 255: sharp alone
        default_sharpness: u8 ["default_sharpness_level", "sharpness_level"] = 255 in 0..=255;
        /// curvature of four pixels above which the sharp filter gains weight, in code values
        max_deriv_4: u8 ["max_derivative_4_pixels"] = 7 in 0..=255;
        /// steepest step of eight pixels above which the smooth filter gains weight, code values
        max_deriv_8: u8 ["max_derivative_8_pixels"] = 20 in 0..=255;
        /// width of the transition above max_deriv_4, as a power of two: 2^n code values
        transition_4: u8 ["transition_area_with_4_pixels"] = 4 in 0..=7;
        /// width of the transition above max_deriv_8, as a power of two: 2^n code values
        transition_8: u8 ["transition_area_with_8_pixels"] = 5 in 0..=7;
        /// default_sharpness instead of adaptive filtering, horizontally: 0 off, 1 on
        bypass_x_adaptive: bool ["bypass_x_adaptive_filtering", "x_adaptive_bypass"] = 0 in 0..=1;
        /// default_sharpness instead of adaptive filtering, vertically: 0 off, 1 on
        bypass_y_adaptive: bool ["bypass_y_adaptive_filtering", "y_adaptive_bypass"] = 0 in 0..=1;
        /// weights of the luma for all channels, 4:4:4 only: 0 off, 1 on
        adaptive_filter_for_all_channels: bool ["adaptive_all_channels", "adaptive_for_all_channels"] = 0 in 0..=1;
        /// weights from all channels instead of the first one, 4:4:4 only: 0 off, 1 on
        rgb_adaptive: bool = 0 in 0..=1;
        /// filter: 0 polyphase, 1 nearest sample
        avs_filter_type: u8 ["filter_type"] = 0 in 0..=1;
    }
}

impl ScalerParameters {
    /// The thresholds of adaptive filtering.
    pub(super) fn sharpness(&self) -> Sharpness {
        Sharpness {
            max_deriv_4: self.max_deriv_4,
            max_deriv_8: self.max_deriv_8,
            transition_4: self.transition_4,
            transition_8: self.transition_8,
        }
    }
}

/// The filter of the scaler (§13.10). Names: `poly8`, `poly5`, `bilinear`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScaleFilter {
    /// Eight taps for luma and four for chroma, blended with a linear filter where it would ring.
    #[default]
    Poly8,
    /// The same with five taps for luma.
    Poly5,
    /// Linear interpolation between two samples.
    Bilinear,
}

impl ScaleFilter {
    const NAMES: &'static [&'static str] = &["poly8", "poly5", "bilinear"];
}

/// `poly8`, `poly5` or `bilinear`; case does not matter.
impl FromStr for ScaleFilter {
    type Err = NameError;

    fn from_str(name: &str) -> Result<ScaleFilter, NameError> {
        let values = [ScaleFilter::Poly8, ScaleFilter::Poly5, ScaleFilter::Bilinear];
        NameError::find("scale filter", name, ScaleFilter::NAMES, &values)
    }
}

/// `poly8`, `poly5` or `bilinear`.
impl fmt::Display for ScaleFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ScaleFilter::NAMES[*self as usize])
    }
}

/// Settings of the scaler: size, source rectangle and chroma sampling of the output.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Scale {
    /// Luma samples in a line of the output, 1 to [`MAX_SIZE`](crate::MAX_SIZE).
    pub width: usize,
    /// Luma lines of the output, 1 to [`MAX_SIZE`](crate::MAX_SIZE).
    pub height: usize,
    /// The source rectangle; the whole picture if none. Filters at its edges read samples beyond
    /// them.
    pub crop: Option<Rect>,
    /// Uneven horizontal addresses. The default filter tables still follow from the sizes.
    pub addresses: Option<Addresses>,
    /// Chroma sampling of the output; that of the source if none. Mono always stays mono.
    pub sampling: Option<Sampling>,
    /// The filter in both directions.
    pub filter: ScaleFilter,
}

impl Scale {
    /// Scales the whole picture to `width`×`height`.
    pub fn new(width: usize, height: usize) -> Scale {
        Scale { width, height, crop: None, addresses: None, sampling: None, filter: ScaleFilter::default() }
    }

    /// Crops the picture to a rectangle without scaling it.
    pub fn cut(crop: Rect) -> Scale {
        Scale { crop: Some(crop), ..Scale::new(crop.width, crop.height) }
    }

    /// Sets the source rectangle; none is the whole picture.
    #[must_use]
    pub fn crop(self, crop: impl Into<Option<Rect>>) -> Scale {
        Scale { crop: crop.into(), ..self }
    }

    /// Sets uneven horizontal addresses; none are even ones.
    #[must_use]
    pub fn addresses(self, addresses: impl Into<Option<Addresses>>) -> Scale {
        Scale { addresses: addresses.into(), ..self }
    }

    /// Sets the chroma sampling of the output; none is that of the source.
    #[must_use]
    pub fn sampling(self, sampling: impl Into<Option<Sampling>>) -> Scale {
        Scale { sampling: sampling.into(), ..self }
    }

    /// Sets the filter.
    #[must_use]
    pub fn filter(self, filter: ScaleFilter) -> Scale {
        Scale { filter, ..self }
    }

    /// The output format for frames of format `source`.
    pub(crate) fn format(&self, source: Format) -> Format {
        let sampling = self.sampling.filter(|_| source.sampling != Sampling::Mono).unwrap_or(source.sampling);
        Format { width: self.width, height: self.height, sampling, ..source }
    }
}
