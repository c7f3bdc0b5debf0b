//! The frame driver: the software around the hardware (§7.4).
//!
//! It keeps frames, statistics and states in the memory of a machine, dispatches one thread for
//! each block of a frame, reads the results of the threads and the counters, and prepares the
//! states of the next frame.
mod adaptive_denoise;
mod addresses;
mod binding_table;
mod blocks;
mod color;
mod color_kernel;
mod conversion;
pub(super) mod engine;
pub(super) mod error;
mod kernels;
mod passes;
mod picture;
mod plane;
mod scale_sharpen;
mod step;
