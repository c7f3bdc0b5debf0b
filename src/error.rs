//! Errors of the library.
use crate::frame::Sampling;
use crate::parameters::ParameterError;
use crate::scale::Crop;
use dndi_simd::LevelError;
use std::fmt;

/// Why a stream cannot be built or a call be done. What was asked for stands in the message, with what is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A picture size outside 1×1…8192×8192, or one that interlaced processing cannot take.
    Size {
        /// Luma samples in a line.
        width: usize,
        /// Luma lines.
        height: usize,
        /// What is required.
        needs: &'static str,
    },
    /// A sample depth other than 8 bits.
    Depth(
        /// Bits a sample.
        u8,
    ),
    /// Deinterlacing of a scan that is not interlaced.
    NotInterlaced,
    /// An output chroma that the input's cannot become.
    Chroma {
        /// The input's sampling.
        input: Sampling,
        /// Why not.
        why: &'static str,
    },
    /// An output size outside 1×1…8192×8192, or one that interlaced frames cannot have.
    OutputSize {
        /// Luma samples in a line.
        width: usize,
        /// Luma lines.
        height: usize,
        /// What is required.
        needs: &'static str,
    },
    /// A rectangle that does not lie in the picture.
    Crop {
        /// The rectangle.
        crop: Crop,
        /// Width and height of the picture.
        size: (usize, usize),
    },
    /// An area of interest that does not lie in the output.
    Area {
        /// The rectangle.
        area: Crop,
        /// Width and height of the output.
        size: (usize, usize),
    },
    /// A parameter out of range.
    Parameter(ParameterError),
    /// A level that does not exist or that the processor lacks.
    Level(LevelError),
    /// A plane of the caller's that does not hold what its format says.
    Plane {
        /// 0 luma, 1 and 2 chroma.
        index: usize,
        /// Bytes in it.
        len: usize,
        /// Bytes from one row to the next.
        stride: usize,
        /// Width and height it must hold.
        size: (usize, usize),
    },
    /// Threads of the message substrate that hang, or whose messages are in error.
    Messages(crate::eu::Report),
    /// What the hardware's messages cannot say.
    NotInMessages(&'static str),
    /// Frames are waiting to be pulled.
    OutputWaiting,
    /// The stream was flushed; `reset` makes it ready again.
    Ended,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Size { width, height, needs } => write!(f, "picture size {width}x{height}: {needs}"),
            Error::Depth(depth) => write!(f, "{depth} bits a sample are not supported yet, only 8"),
            Error::NotInterlaced => write!(f, "only an interlaced scan can be deinterlaced"),
            Error::Chroma { input, why } => write!(f, "output chroma for {input:?}: {why}"),
            Error::OutputSize { width, height, needs } => write!(f, "output size {width}x{height}: {needs}"),
            Error::Crop { crop: Crop { x, y, width, height }, size }
            | Error::Area { area: Crop { x, y, width, height }, size } => {
                write!(f, "the rectangle {width}x{height} at {x},{y} does not lie in a picture of {}x{}", size.0, size.1)
            }
            Error::Parameter(error) => error.fmt(f),
            Error::Level(error) => error.fmt(f),
            Error::Plane { index, len, stride, size: (width, height) } => {
                write!(f, "plane {index}: {len} bytes at stride {stride} do not hold {width}x{height} samples")
            }
            Error::Messages(report) => match report.errors.first() {
                Some(record) => write!(f, "a message is in error: {record}"),
                None => write!(f, "{} threads hang", report.hung.len()),
            },
            Error::NotInMessages(what) => write!(f, "messages cannot say: {what}"),
            Error::OutputWaiting => write!(f, "frames are waiting to be pulled"),
            Error::Ended => write!(f, "the stream was flushed"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Parameter(error) => Some(error),
            Error::Level(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ParameterError> for Error {
    fn from(error: ParameterError) -> Error {
        Error::Parameter(error)
    }
}

impl From<LevelError> for Error {
    fn from(error: LevelError) -> Error {
        Error::Level(error)
    }
}
