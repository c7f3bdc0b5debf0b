//! Sampler: messages in SIMD32/64 mode (§7.3, volume 4 part 1, 2.12).
mod deinterlace;
pub(in crate::gen6::eu) mod message_type;
mod pixels;
mod sample_8x8;
mod sample_unorm;
pub(in crate::gen6::eu) mod serve;
