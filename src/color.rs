//! Colour pipe (§6, §9.5, §13.4 to §13.7), 12 to 16 bits per component: stages on RGB, skin tones,
//! legal colours, contrast, local contrast, saturation by colour, picture controls, conversion of
//! the colour space.
pub(crate) mod contrast;
mod convert;
mod counts;
mod detection;
mod extended;
mod extended_parameters;
mod frame;
mod local_contrast;
mod parameters;
mod picture_controls;
mod pipe;
mod skin;
mod skin_tone;
mod space;
mod tables;
mod total_color;
pub(crate) mod white_balance;
mod wide;

pub(crate) use counts::Counts;
pub(crate) use detection::{SkinDetector, SkinLine};
pub use extended::WhiteBalance;
pub(crate) use extended::{ColorGroups, Extended};
pub use extended_parameters::{ColorCorrectionParameters, GamutParameters, LocalContrastParameters, WhiteBalanceParameters};
pub(crate) use frame::{Band, Scratch, Source};
pub(crate) use local_contrast::LocalContrast;
pub use parameters::ColorParameters;
pub use picture_controls::{ColorSaturation, ProcAmp};
#[cfg(feature = "gen6")]
pub(crate) use pipe::Line;
pub(crate) use pipe::Pipe;
pub use tables::{GammaTable, GamutTable, VertexTable};
