//! Deinterlacer (§3): completes the two fields of a step to frames, in tiles of block rows.
//!
//! [`luma`] completes both outputs of a step: it measures motion, finds angles, interpolates,
//! compensates motion and blends. [`chroma`] follows with the angles and the motion measure found
//! there. [`spatial`] completes a field without another frame.
mod angle;
pub(crate) mod balanced;
pub(crate) mod best;
mod block_row;
pub(crate) mod chroma;
mod compensation;
mod deinterlacer;
mod field_alone;
pub(crate) mod fields;
mod groups;
mod luma;
pub(crate) mod motion;
mod parameters;
mod pixel_sources;
mod role;
mod spatial;
mod static_gate;
pub(crate) mod steady;
pub(crate) mod trace;
pub(crate) mod woven_parts;

pub(crate) use block_row::{Current, Input};
pub use deinterlacer::Deinterlacer;
pub(crate) use luma::{Output, Scratch, tile};
pub use parameters::{CompensationParameters, DeinterlaceParameters};
pub use pixel_sources::PixelSources;
pub(crate) use role::Role;
pub(crate) use spatial::{Spatial, spatial_tile};
