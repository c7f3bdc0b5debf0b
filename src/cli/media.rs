//! Media files: ffprobe describes the input, one ffmpeg decodes it, another one encodes the output
//! and copies the other streams.

pub mod clock;
pub mod colors;
pub mod command;
pub mod container;
pub mod decode;
pub mod encode;
pub mod matroska;
pub mod pixel_format;
pub mod probe;
pub mod process;
pub mod showinfo;
pub mod streams;
pub mod tools;
