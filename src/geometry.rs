//! Geometry and formats of finished pictures (§13.10): chroma conversion, mirror, rotation, canvas.
mod canvas;
mod chroma;
mod turn;

pub(crate) use canvas::place;
pub(crate) use chroma::{Resampling, convert};
pub(crate) use turn::{Orientation, PairedTurn, turn, turn_pairs};
