//! Data cache port: scattered bytes, untyped surfaces, atomic operations and scratch memory (§11.8;
//! the VLV document describes it).
mod bytes;
mod scratch;
pub(super) mod serve;
mod slots;
mod untyped;
