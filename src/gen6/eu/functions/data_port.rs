//! Data ports: reads and writes of surfaces through the sampler, constant and render caches (§7.3,
//! volume 4 part 1, 3.9).
mod block;
mod buffer;
mod color;
mod color_format;
mod commit;
mod media_block;
pub(in crate::gen6::eu) mod message_type;
pub(in crate::gen6::eu) mod serve;
