//! Adaptive video scaler (§5.1 to §5.3): each direction a polyphase filter of eight taps, blended with a linear one where it would
//! ring. First the rows, then the columns of what they became.
mod axis;
mod plan;
mod tables;
mod tile;

use crate::format::{Format, Rect, Sampling};
use crate::parameters::field::parameters;
pub use axis::Addresses;
#[cfg(feature = "gen6")]
pub(crate) use axis::{Position, addressed, steps};
use dndi_simd::Sharpness;
pub(crate) use plan::Plan;
pub use tables::{Coefficients, FilterTable, FilterTables};
pub(crate) use tile::{Input, Pending, Plane, Scratch, tile};

parameters! { "scaler.",
    /// Parameters of the scaler.
    ScalerParameters {
        /// sharp against smooth filter where the adaptive one is bypassed; 255 is sharp alone
        default_sharpness: u8 ["default_sharpness_level", "sharpness_level"] = 255 in 0..=255;
        /// curvature up to which four pixels are smooth
        max_deriv_4: u8 ["max_derivative_4_pixels"] = 7 in 0..=255;
        /// steepest step up to which eight pixels are smooth
        max_deriv_8: u8 ["max_derivative_8_pixels"] = 20 in 0..=255;
        /// the larger, the wider the transition of the four pixels
        transition_4: u8 ["transition_area_with_4_pixels"] = 4 in 0..=7;
        /// the larger, the wider the transition of the eight pixels
        transition_8: u8 ["transition_area_with_8_pixels"] = 5 in 0..=7;
        /// horizontally by default_sharpness
        bypass_x_adaptive: bool ["bypass_x_adaptive_filtering", "x_adaptive_bypass"] = 0 in 0..=1;
        /// vertically by default_sharpness
        bypass_y_adaptive: bool ["bypass_y_adaptive_filtering", "y_adaptive_bypass"] = 0 in 0..=1;
        /// chroma follows the luma's decision (4:4:4)
        adaptive_filter_for_all_channels: bool ["adaptive_all_channels", "adaptive_for_all_channels"] = 0 in 0..=1;
        /// the decision is made of all three channels, G first (4:4:4)
        rgb_adaptive: bool = 0 in 0..=1;
        /// 0 polyphase filter, 1 nearest sample
        avs_filter_type: u8 ["filter_type"] = 0 in 0..=1;
    }
}

impl ScalerParameters {
    fn sharpness(&self) -> Sharpness {
        Sharpness {
            max_deriv_4: self.max_deriv_4,
            max_deriv_8: self.max_deriv_8,
            transition_4: self.transition_4,
            transition_8: self.transition_8,
        }
    }
}

/// What the scaler makes of each frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Luma samples in a line of the output, 1 to [`MAX_SIZE`](crate::MAX_SIZE).
    pub width: usize,
    /// Luma lines of the output, 1 to [`MAX_SIZE`](crate::MAX_SIZE).
    pub height: usize,
    /// The part of the source that becomes the output; all of it if none. Filters at its edges read what lies beyond them.
    pub crop: Option<Rect>,
    /// Uneven horizontal addresses. The default tables are still those of the sizes.
    pub addresses: Option<Addresses>,
    /// Chroma sampling of the output; the source's if none. Mono stays mono.
    pub sampling: Option<Sampling>,
}

impl Scale {
    /// The whole picture to `width`×`height`.
    pub fn new(width: usize, height: usize) -> Scale {
        Scale { width, height, crop: None, addresses: None, sampling: None }
    }

    /// A part of the picture, its size unchanged.
    pub fn cut(crop: Rect) -> Scale {
        Scale { crop: Some(crop), ..Scale::new(crop.width, crop.height) }
    }

    /// What becomes of frames of format `source`.
    pub(crate) fn format(&self, source: Format) -> Format {
        let sampling = self.sampling.filter(|_| source.sampling != Sampling::Mono).unwrap_or(source.sampling);
        Format { width: self.width, height: self.height, sampling, ..source }
    }
}
