//! Message engine: all messages, all errors, any order; and frames through messages (§7).

mod buffers;
mod cases;
mod color;
mod deinterlace;
mod driver;
mod errors;
mod later_part;
mod layouts;
mod lookup;
mod media_blocks;
mod port_errors;
mod random;
mod render_targets;
mod sampling;
mod snippets;
mod support;
mod texture;
mod texture_formats;
mod texture_random;
mod threads;
