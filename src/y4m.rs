//! Reading and writing y4m streams (YUV4MPEG2): `yuv4mpeg(5)` of mjpegtools, and the dialects of
//! ffmpeg, x264 and other programs.
//!
//! A stream is a header line, then frames: a `FRAME` line and the samples, plane after plane.
//! Samples of 9, 10, 12, 14 or 16 bits are words of 16 bits, little endian (§9.1). Unknown tags and
//! parameters are kept.
//!
//! ```
//! use dndi::{Frame, y4m};
//!
//! let input: &[u8] = b"YUV4MPEG2 W2 H2 F25:1 It Xkept\nFRAME\n123456FRAME\nabcdef";
//! let mut reader = y4m::Reader::new(input)?;
//! let mut writer = y4m::Writer::new(Vec::new(), reader.header())?;
//! let mut frame = Frame::default();
//! while let Some(header) = reader.read(&mut frame)? {
//!     writer.write(&header, &frame)?;
//! }
//! assert_eq!(writer.into_inner(), input);
//! # Ok::<(), y4m::Error>(())
//! ```
mod chroma_tag;
mod color_tags;
mod derived_header;
mod frame_header;
mod header;
mod input_buffer;
mod reader;
mod tokens;
mod words;
mod writer;

pub use frame_header::FrameHeader;
pub use header::Header;
pub use reader::Reader;
pub use words::little_endian;
pub use writer::Writer;

use crate::format::{Format, MAX_SIZE};
use std::{fmt, io};

/// Length of the longest accepted stream header or `FRAME` line, in bytes without the line feed.
pub const MAX_LINE: usize = 1 << 16;

/// The reason why a stream cannot be read or a header cannot be made. Frames count from 0; tokens
/// and excerpts are short and printable.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading failed; or writing, if the caller converts that error to this one.
    Io(io::Error),
    /// The input is empty.
    Empty,
    /// The input does not begin with a y4m header.
    NotY4m {
        /// The first bytes of the input.
        found: String,
    },
    /// The input ends inside the stream header.
    TruncatedHeader {
        /// Number of bytes before the end.
        got: usize,
    },
    /// A line is longer than [`MAX_LINE`].
    LineTooLong {
        /// The frame of the `FRAME` line; none for the stream header.
        frame: Option<u64>,
    },
    /// The stream header lacks the width or the height.
    MissingTag {
        /// `W` or `H`.
        tag: char,
    },
    /// A token of the stream header is invalid.
    BadTag {
        /// The token.
        token: String,
    },
    /// The width or the height is not 1 to [`MAX_SIZE`].
    Size {
        /// The token.
        token: String,
    },
    /// The chroma tag has an unknown name.
    UnknownChroma {
        /// The token.
        token: String,
    },
    /// The stream is valid, but has samples of a kind that is not supported.
    NotSupported {
        /// The token.
        token: String,
        /// The feature that is not supported.
        feature: &'static str,
    },
    /// A frame rate that cannot be written with 32-bit numbers.
    RateTooHigh {
        /// Numerator, in frames.
        num: u32,
        /// Denominator, in seconds.
        den: u32,
    },
    /// The input ends inside a frame, in its `FRAME` line or in its samples.
    Truncated {
        /// The frame.
        frame: u64,
        /// Bytes of samples before the end.
        got: usize,
        /// Bytes of samples of a complete frame.
        need: usize,
    },
    /// The bytes at the start of a frame are no `FRAME` line.
    Garbage {
        /// The frame.
        frame: u64,
        /// The first of these bytes.
        found: String,
    },
}

impl Error {
    /// Whether the input is broken: truncated, corrupt or not y4m. False for a failed read, for
    /// samples that are not supported, and for a rate that cannot be written.
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, Error::Io(_) | Error::NotSupported { .. } | Error::RateTooHigh { .. })
    }
}

/// A message of one line with all numbers.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => write!(f, "y4m stream: {error}"),
            Error::Empty => {
                write!(f, "the input is empty, no y4m stream; ")?;
                write!(f, "if ffmpeg makes it, more than 8 bits a sample need its option -strict -1")
            }
            Error::NotY4m { found } => {
                write!(f, "not a y4m stream, it begins with \"{found}\"; ")?;
                write!(f, "try: ffmpeg -i FILE -map 0:v:0 -strict -1 -f yuv4mpegpipe - | dndi - OUT")
            }
            Error::TruncatedHeader { got } => write!(f, "the input ends inside the y4m header, after {got} bytes"),
            Error::LineTooLong { frame: None } => write!(f, "the y4m header is longer than {MAX_LINE} bytes"),
            Error::LineTooLong { frame: Some(frame) } => {
                write!(f, "the FRAME line of frame {frame} is longer than {MAX_LINE} bytes")
            }
            Error::MissingTag { tag } => {
                write!(f, "the y4m header has no {tag}, the {}", if *tag == 'W' { "width" } else { "height" })
            }
            Error::BadTag { token } => write!(f, "cannot understand \"{token}\" in the y4m header"),
            Error::Size { token } => write!(f, "\"{token}\" in the y4m header is not a size of 1 to {MAX_SIZE}"),
            Error::UnknownChroma { token } => write!(f, "unknown chroma tag \"{token}\" in the y4m header"),
            Error::NotSupported { token, feature } => write!(f, "not supported yet: {token} ({feature})"),
            Error::RateTooHigh { num, den } => write!(f, "a frame rate of {num}:{den} cannot be doubled"),
            Error::Truncated { frame, got, need } => write!(f, "the input ends inside frame {frame}: {got} of {need} bytes"),
            Error::Garbage { frame, found } => write!(f, "frame {frame} should begin with FRAME, found \"{found}\""),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}

/// The number of bytes of a frame's samples in a stream.
fn frame_bytes(format: Format) -> usize {
    format.samples() * format.bytes_per_sample()
}

/// Length of an excerpt in bytes.
const EXCERPT: usize = 24;

/// The first [`EXCERPT`] bytes as printable ASCII.
fn excerpt(bytes: &[u8]) -> String {
    let shown = bytes[..bytes.len().min(EXCERPT)].escape_ascii();
    if bytes.len() > EXCERPT { format!("{shown}...") } else { shown.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt(b"W12\r\n\xff"), "W12\\r\\n\\xff");
        assert_eq!(excerpt(&[b'a'; EXCERPT]), "a".repeat(EXCERPT));
        assert_eq!(excerpt(&[b'a'; 1000]), "a".repeat(EXCERPT) + "...");
    }
}
