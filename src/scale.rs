//! Adaptive video scaler (§5.1 to §5.3).
//!
//! Each direction is a polyphase filter of eight taps, blended with a linear one where the sharp
//! filter would ring. The scaler filters horizontally first, then vertically.
mod axis;
mod horizontal;
mod plan;
mod scratch;
mod settings;
mod tables;
mod tile;

pub use axis::Addresses;
#[cfg(feature = "gen6")]
pub(crate) use axis::{Position, addressed, steps};
pub(crate) use plan::Plan;
pub(crate) use scratch::{Input, Plane, Scratch};
pub use settings::{Scale, ScaleFilter, ScalerParameters};
pub use tables::{Coefficients, FilterTable, FilterTables};
pub(crate) use tile::{Pending, tile};
