//! Motion between pictures: pyramid, block search and compensation (§15.3 to §15.5, §15.7), for the
//! deinterlacer `best` and for denoising along motion (§16).
mod bordered;
mod compensation;
mod grids;
mod pyramid;
mod search;
mod vectors;

pub(crate) use bordered::{BORDER, BorderedPlane};
pub(crate) use compensation::{Compensated, Reference};
pub(crate) use grids::{Motion, REFERENCES};
pub(crate) use pyramid::{Pyramid, Smoothing};
pub(crate) use search::Costs;
