//! Filters of finished pictures (§13.9): convolution, erosion, dilation, and the range of the
//! samples around each one.
mod kernel;
mod run;
mod window;

pub use kernel::{ConvolutionKernel, ConvolveParameters};
pub(crate) use run::{Filter, run};
pub use window::FilterWindow;

/// The filters of a stream, in this order. `Default` has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PictureFilters {
    /// Convolution.
    pub convolve: Option<ConvolutionKernel>,
    /// Erosion: the least sample of a window.
    pub erode: Option<FilterWindow>,
    /// Dilation: the greatest sample of a window.
    pub dilate: Option<FilterWindow>,
    /// The greatest less the least sample of a window.
    pub extent: Option<FilterWindow>,
    /// Whether chroma is filtered, too. Default: luma alone.
    pub all_planes: bool,
}

impl PictureFilters {
    /// Sets the convolution.
    #[must_use]
    pub fn convolve(self, kernel: impl Into<Option<ConvolutionKernel>>) -> PictureFilters {
        PictureFilters { convolve: kernel.into(), ..self }
    }

    /// Sets the erosion.
    #[must_use]
    pub fn erode(self, window: impl Into<Option<FilterWindow>>) -> PictureFilters {
        PictureFilters { erode: window.into(), ..self }
    }

    /// Sets the dilation.
    #[must_use]
    pub fn dilate(self, window: impl Into<Option<FilterWindow>>) -> PictureFilters {
        PictureFilters { dilate: window.into(), ..self }
    }

    /// Sets the difference of the greatest and the least sample.
    #[must_use]
    pub fn extent(self, window: impl Into<Option<FilterWindow>>) -> PictureFilters {
        PictureFilters { extent: window.into(), ..self }
    }

    /// Sets whether chroma is filtered, too.
    #[must_use]
    pub fn all_planes(self, all: bool) -> PictureFilters {
        PictureFilters { all_planes: all, ..self }
    }

    /// Whether there is a filter.
    #[cfg(feature = "gen6")]
    pub(crate) fn is_on(&self) -> bool {
        let windows = [&self.erode, &self.dilate, &self.extent];
        self.convolve.is_some() || windows.iter().any(|window| window.is_some())
    }
}
