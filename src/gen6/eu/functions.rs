//! The shared functions, which process messages: sampler and data ports (§7.3), and the others
//! (§11).
//!
//! They depend on the data of the model and on the stages of the pipeline, not on threads or
//! execution units.
pub(super) mod context;
mod data_cache;
pub(super) mod data_port;
mod decoded;
pub(super) mod dispatch;
mod gateway;
mod math;
mod range;
pub(super) mod sampler;
mod urb;
