//! Message substrate: every message, every error, any order; and frames that are driven through it (§7).

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
