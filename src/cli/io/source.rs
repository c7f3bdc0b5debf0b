//! The source of the frames: a y4m file, or a program that writes y4m to a pipe.

use crate::error::CliError;
use dndi::FrameFlags;
use dndi::y4m::Header;
use std::fmt;
use std::io::Read;
use std::path::PathBuf;

/// The time and the flags of a decoded frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameInfo {
    /// The time in nanoseconds; none if it is unknown.
    pub time: Option<i64>,
    /// The flags of the frame; none if those of the y4m stream hold.
    pub flags: Option<FrameFlags>,
}

/// A program that writes y4m.
pub trait Decoder: Send {
    /// The header to use in place of the one that the program wrote.
    fn header(&self, header: Header) -> Result<Header, CliError>;

    /// Waits for the time and the flags of the next frame, in the order of the frames.
    fn frame(&mut self) -> FrameInfo;

    /// Waits for the end of the program. Returns a warning if frames may be damaged, or if data in
    /// the video are lost.
    fn end(&mut self) -> Result<Option<String>, CliError>;
}

/// The source of the frames.
pub enum Source {
    /// The y4m file of this name, or stdin.
    Y4m(PathBuf),
    /// The stream of a program that decodes the file of this name.
    Decoded { name: String, stream: Box<dyn Read + Send>, decoder: Box<dyn Decoder> },
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Y4m(path) => f.debug_tuple("Y4m").field(path).finish(),
            Source::Decoded { name, .. } => f.debug_tuple("Decoded").field(name).finish(),
        }
    }
}
