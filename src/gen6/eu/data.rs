//! The data of the model: memory, registers, surfaces, kernels, messages, counters and errors.
pub(super) mod assembler;
pub(super) mod counters;
pub(super) mod descriptor;
pub(super) mod error;
pub(super) mod kernel;
pub(super) mod memory;
pub(super) mod message;
pub(super) mod picture;
pub(super) mod register;
pub(super) mod surface;
