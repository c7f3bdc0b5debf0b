//! The layouts of the structures, and the conversion of each to parameters and back.
pub(super) mod capture;
pub(super) mod color;
pub(super) mod deinterlace;
mod field_match;
pub(super) mod iecp;
pub(super) mod sampler;
pub(super) mod scaler;
pub(super) mod surface;
pub(super) mod vebox;
