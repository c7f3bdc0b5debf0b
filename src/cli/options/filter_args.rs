//! Options of the filters of finished pictures.

use clap::ValueEnum;
use dndi::{ConvolutionKernel, FilterWindow, PictureFilters};

/// Options of the filters of finished pictures.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Filters of the finished picture, in this order")]
pub struct FilterArgs {
    /// Convolve with a matrix of up to 31×31 coefficients, -8…7.9997: rows separated by semicolons,
    /// such as 1,2,1;2,4,2;1,2,1 with --set convolve.scale_down=4
    #[arg(long, value_name = "ROW;ROW...", allow_hyphen_values = true)]
    pub convolve: Option<ConvolutionKernel>,

    /// Least sample of a window of up to 15×15 samples, or of those of its mask: for each line a
    /// hexadecimal number, in which bit i is column i
    #[arg(long, value_name = "WxH[:ROW,ROW...]")]
    pub erode: Option<FilterWindow>,

    /// Greatest sample of such a window
    #[arg(long, value_name = "WxH[:ROW,ROW...]")]
    pub dilate: Option<FilterWindow>,

    /// Greatest less least sample of such a window: edges
    #[arg(long, value_name = "WxH[:ROW,ROW...]")]
    pub minmax: Option<FilterWindow>,

    /// Planes that these filters change
    #[arg(long, value_name = "PLANES", value_enum, default_value = "luma")]
    pub filter_planes: Planes,
}

/// `--filter-planes`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Planes {
    /// Luma alone
    Luma,
    /// Luma and chroma, each by itself
    All,
}

impl FilterArgs {
    /// The warning about an option without effect, and whether it applies.
    pub fn ineffective(&self) -> [(bool, &'static str); 1] {
        let has_window = [&self.erode, &self.dilate, &self.minmax].into_iter().any(Option::is_some);
        let idle = self.filter_planes == Planes::All && self.convolve.is_none() && !has_window;
        [(idle, "--filter-planes has no effect without --convolve, --erode, --dilate or --minmax")]
    }

    /// The filters.
    pub fn filters(&self) -> PictureFilters {
        let filters = PictureFilters::default().convolve(self.convolve.clone()).erode(self.erode.clone());
        let filters = filters.dilate(self.dilate.clone()).extent(self.minmax.clone());
        filters.all_planes(self.filter_planes == Planes::All)
    }
}
