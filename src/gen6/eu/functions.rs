//! The shared functions: sampler and data ports, which process messages (§7.3).
//!
//! They depend on the data of the model and on the stages of the pipeline, not on threads or
//! execution units.
pub(super) mod context;
pub(super) mod data_port;
mod decoded;
pub(super) mod dispatch;
pub(super) mod sampler;
