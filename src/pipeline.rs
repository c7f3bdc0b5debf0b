//! A stream of frames through all stages in order: denoise, deinterlace, scale, sharpen, colour
//! pipe (§1.4, §1.5).
mod builder;
mod change;
mod color_stage;
mod context;
mod deflicker_stage;
mod denoise_motion_stage;
mod denoise_stage;
mod encoder_statistics;
mod field_scratch;
mod filter_stage;
mod geometry_stage;
mod hot_pixel_stage;
mod maps;
mod neighbours;
mod output;
mod picture;
mod scale_enhance;
pub(crate) mod session;
pub(crate) mod settings;
mod spatial;
mod stages;
mod statistics;
mod step;
mod stream;
#[cfg(test)]
mod tests;
mod window;

pub use builder::StreamBuilder;
pub use maps::Maps;
#[cfg(feature = "gen6")]
pub(crate) use output::OutputInfo;
pub use output::{Input, Output};
pub use settings::ChromaOutput;
pub use statistics::Statistics;
pub use stream::Stream;
