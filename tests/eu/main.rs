//! Message engine: all messages, all errors, any order; and frames through messages (§7).

mod buffers;
mod color;
mod deinterlace;
mod driver;
mod errors;
mod layouts;
mod media_blocks;
mod random;
mod sampling;
mod snippets;
mod support;
mod threads;
