//! Data ports: reads and writes of surfaces through the sampler, constant and render caches (§7.3,
//! §11.2 to §11.6, volume 4 part 1, 3.9).
mod atomic;
mod block;
mod buffer;
mod color;
mod color_format;
mod commit;
mod line_stride;
mod loop_filter;
mod loop_filter_tables;
mod media_block;
pub(in crate::gen6::eu) mod message_type;
mod render_target;
pub(in crate::gen6::eu) mod serve;
mod unorm_block;
mod vertices;
