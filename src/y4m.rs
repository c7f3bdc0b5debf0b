//! y4m streams (YUV4MPEG2), read and written: `yuv4mpeg(5)` of mjpegtools, and the dialects that ffmpeg, x264 and others write.
//!
//! A stream is a header line, then frames: a `FRAME` line and the samples, plane after plane. What is not understood is kept.
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

mod color_tags;
mod frame_header;
mod header;
mod reader;
mod tokens;
mod writer;

pub use frame_header::FrameHeader;
pub use header::Header;
pub use reader::Reader;
pub use writer::Writer;

use crate::format::MAX_SIZE;
use std::fmt;
use std::io;

/// The longest stream header and the longest `FRAME` line that are read, in bytes without the line feed.
pub const MAX_LINE: usize = 1 << 16;

/// Why a stream cannot be read. Frames count from 0; tokens and excerpts are printable and short.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading failed, or writing where that error is converted to this one.
    Io(io::Error),
    /// There is no input.
    Empty,
    /// The input does not begin as y4m does.
    NotY4m {
        /// Its first bytes.
        found: String,
    },
    /// The input ends inside the stream header.
    TruncatedHeader {
        /// Bytes that are there.
        got: usize,
    },
    /// A line is longer than [`MAX_LINE`].
    LineTooLong {
        /// The frame whose `FRAME` line it is; none for the stream header.
        frame: Option<u64>,
    },
    /// The stream header lacks the width or the height.
    MissingTag {
        /// `W` or `H`.
        tag: char,
    },
    /// A token of the stream header cannot be understood.
    BadTag {
        /// The token.
        token: String,
    },
    /// A width or height is not 1 to [`MAX_SIZE`].
    Size {
        /// The token.
        token: String,
    },
    /// The chroma tag names nothing known.
    UnknownChroma {
        /// The token.
        token: String,
    },
    /// The stream is sound, but its samples are of a kind that is not supported yet.
    NotSupported {
        /// The token.
        token: String,
        /// What is not supported.
        what: &'static str,
    },
    /// A rate whose double cannot be written.
    RateTooHigh {
        /// Its numerator, frames.
        num: u32,
        /// Its denominator, seconds.
        den: u32,
    },
    /// The input ends inside a frame, be it in its `FRAME` line or in its samples.
    Truncated {
        /// The frame.
        frame: u64,
        /// Bytes of samples that are there.
        got: usize,
        /// Bytes of samples of a whole frame.
        need: usize,
    },
    /// A frame should begin, but what follows is no `FRAME` line.
    Garbage {
        /// The frame.
        frame: u64,
        /// The bytes that follow.
        found: String,
    },
}

impl Error {
    /// Whether the input is at fault: truncated, corrupt or no y4m at all. A failed read is not, nor what is not
    /// supported yet, nor a rate that cannot be doubled.
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, Error::Io(_) | Error::NotSupported { .. } | Error::RateTooHigh { .. })
    }
}

/// One line, with the numbers.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => write!(f, "y4m stream: {error}"),
            Error::Empty => write!(f, "the input is empty, no y4m stream"),
            Error::NotY4m { found } => {
                write!(f, "not a y4m stream, it begins with \"{found}\"; ")?;
                write!(f, "try: ffmpeg -i FILE -f yuv4mpegpipe -pix_fmt yuv420p - | dndi - OUT")
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
            Error::NotSupported { token, what } => write!(f, "not supported yet: {token} ({what})"),
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

/// Bytes that an excerpt shows.
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
