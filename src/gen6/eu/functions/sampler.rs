//! Sampler: messages of SIMD32/64 (§7.3) and textures (§10), volume 4 part 1, 2.12.
mod deinterlace;
pub(in crate::gen6::eu) mod message_type;
mod pixels;
mod sample_8x8;
mod sample_unorm;
pub(in crate::gen6::eu) mod serve;
pub(in crate::gen6::eu) mod texture;
