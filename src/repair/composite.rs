//! Colour standards of composite video.

use std::fmt;
use std::str::FromStr;

/// The standard by which composite video carried its colours on a subcarrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompositeStandard {
    /// The subcarrier has opposite phases in successive frames.
    Ntsc,
    /// The subcarrier has opposite phases in frames that are two apart.
    Pal,
}

impl CompositeStandard {
    /// The number of frames after which the phase of the subcarrier is opposite.
    pub const fn distance(self) -> usize {
        match self {
            CompositeStandard::Ntsc => 1,
            CompositeStandard::Pal => 2,
        }
    }
}

/// `ntsc` or `pal`
impl fmt::Display for CompositeStandard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CompositeStandard::Ntsc => "ntsc",
            CompositeStandard::Pal => "pal",
        })
    }
}

/// The text names no standard: `ntsc` or `pal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompositeStandardError;

impl fmt::Display for CompositeStandardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected ntsc or pal")
    }
}

impl std::error::Error for CompositeStandardError {}

impl FromStr for CompositeStandard {
    type Err = CompositeStandardError;

    fn from_str(text: &str) -> Result<CompositeStandard, CompositeStandardError> {
        match text {
            "ntsc" => Ok(CompositeStandard::Ntsc),
            "pal" => Ok(CompositeStandard::Pal),
            _ => Err(CompositeStandardError),
        }
    }
}
