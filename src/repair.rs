//! Repair of faults of tapes in the frames of the input, before any other stage.
mod drop_outs;

pub use drop_outs::DropOutRepair;
