//! Errors of the library.
use crate::format::{FormatError, GeometryError, Rect, Sampling, SizeRequirement};
use crate::frame::PlaneError;
use crate::memory::OutOfMemory;
use crate::parameters::field::ParameterError;
use dndi_simd::SimdLevelError;
use std::fmt;
use std::sync::Arc;

/// The reason why a stream, detector or converter cannot be built, or why a call failed. The
/// message states the given value and the allowed ones.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A picture size outside 1×1 to 8192×8192, or one that interlaced pictures cannot have: an odd
    /// height, or less than 4 lines of 4:2:0.
    Size {
        /// Luma samples in a line.
        width: usize,
        /// Luma lines.
        height: usize,
        /// The requirement that is violated.
        needs: SizeRequirement,
    },
    /// A sample depth other than 8 to 16 bits.
    Depth(
        /// Bits per sample.
        u8,
    ),
    /// Deinterlacing was requested for a progressive scan.
    NotInterlaced,
    /// An output chroma sampling other than [`ChromaOutput::Same`](crate::ChromaOutput::Same)
    /// without deinterlacing.
    Chroma {
        /// The sampling of the input.
        input: Sampling,
    },
    /// An output size outside 1×1 to 8192×8192, or one that interlaced pictures cannot have.
    OutputSize {
        /// Luma samples in a line.
        width: usize,
        /// Luma lines.
        height: usize,
        /// The requirement that is violated.
        needs: SizeRequirement,
    },
    /// A crop rectangle that is empty or exceeds the picture.
    Crop {
        /// The rectangle.
        crop: Rect,
        /// Width and height of the picture in luma samples.
        size: (usize, usize),
    },
    /// A geometry of the output that its pictures cannot have.
    Geometry(GeometryError),
    /// An area of interest that is empty or exceeds the output.
    Area {
        /// The rectangle.
        area: Rect,
        /// Width and height of the output in luma samples.
        size: (usize, usize),
    },
    /// An unknown parameter, a value outside its range, or values that exclude each other.
    Parameter(ParameterError),
    /// An unknown instruction set, or one that the processor lacks.
    SimdLevel(SimdLevelError),
    /// A plane that is missing, too short, or of another sample type than its format.
    Plane {
        /// The index of the plane: 0 luma, 1 Cb, 2 Cr.
        index: usize,
        /// The number of its samples; 0 if it is missing.
        samples: usize,
        /// Bytes per sample: 1 or 2.
        bytes: usize,
        /// Samples from one row to the next.
        stride: usize,
        /// The required width and height in samples.
        size: (usize, usize),
        /// The required bytes per sample: 1 for 8 bits, 2 for 9 to 16 bits.
        needed_bytes: usize,
    },
    /// The memory for a buffer is not available. [`OutOfMemory`] states which allocations report
    /// it.
    OutOfMemory(OutOfMemory),
    /// Options of a conversion that exclude each other.
    Options(OptionConflict),
    /// An error of a [`convert::Engine`](crate::convert::Engine) other than
    /// [`Stream`](crate::Stream).
    Engine(EngineError),
    /// The previous outputs were not pulled. Pull until there is no output, then repeat the call.
    OutputWaiting,
    /// The stream was flushed, or the clip finished: no frame follows.
    /// [`Stream::reset`](crate::Stream::reset) makes a stream ready for another clip; a detector or
    /// converter takes one clip.
    Ended,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Size { width, height, needs } => write!(f, "picture size {width}x{height}: {needs}"),
            Error::Depth(depth) => write!(f, "{depth} bits per sample are not supported, only 8 to 16"),
            Error::NotInterlaced => write!(f, "only an interlaced scan can be deinterlaced"),
            Error::Chroma { input } => write!(f, "output chroma for {input}: without deinterlacing it stays the same"),
            Error::OutputSize { width, height, needs } => write!(f, "output size {width}x{height}: {needs}"),
            Error::Crop { crop: Rect { x, y, width, height }, size }
            | Error::Area { area: Rect { x, y, width, height }, size } => {
                write!(f, "the rectangle {width}x{height} at {x},{y} does not lie in a picture of {}x{}", size.0, size.1)
            }
            Error::Geometry(error) => error.fmt(f),
            Error::Parameter(error) => error.fmt(f),
            Error::SimdLevel(error) => error.fmt(f),
            Error::Plane { index, samples: 0, size: (width, height), .. } => {
                write!(f, "plane {index} is missing or empty; it must hold {width}x{height} samples")
            }
            Error::Plane { index, samples, bytes, stride, size: (width, height), needed_bytes } => write!(
                f,
                "plane {index}: {samples} samples of {bytes} bytes at stride {stride} do not hold {width}x{height} samples of \
                 {needed_bytes} bytes"
            ),
            Error::OutOfMemory(error) => error.fmt(f),
            Error::Options(conflict) => conflict.fmt(f),
            Error::Engine(error) => error.fmt(f),
            Error::OutputWaiting => write!(f, "output frames must be pulled first"),
            Error::Ended => write!(f, "the clip has ended; no frame can follow"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Parameter(error) => Some(error),
            Error::SimdLevel(error) => Some(error),
            Error::OutOfMemory(error) => Some(error),
            Error::Engine(error) => Some(error.0.as_ref()),
            _ => None,
        }
    }
}

/// Options of a conversion that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OptionConflict {
    /// The film rate without field matching.
    /// [`NoFieldMatching`](crate::convert::NoFieldMatching) has the reasons.
    FilmRateWithoutFieldMatching,
    /// The field rate without deinterlacing.
    FieldRateWithoutDeinterlacing,
    /// Parameters that change in mid-stream, with an engine that cannot change them.
    EngineParameters,
    /// Raw Bayer frames that are not monochrome or smaller than 2×2, or with a stage that would mix
    /// their colours: denoising, deinterlacing, scaling or sharpening.
    Bayer,
}

impl fmt::Display for OptionConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OptionConflict::FilmRateWithoutFieldMatching => "the film rate needs field matching",
            OptionConflict::FieldRateWithoutDeinterlacing => "the field rate needs deinterlacing",
            OptionConflict::EngineParameters => "the engine cannot change its parameters in mid-stream",
            OptionConflict::Bayer => {
                "raw Bayer frames are monochrome, at least 2x2, and neither denoised, deinterlaced, scaled nor sharpened"
            }
        })
    }
}

/// The error of a [`convert::Engine`](crate::convert::Engine). Two errors are equal if their
/// messages are.
#[derive(Clone, Debug)]
pub struct EngineError(Arc<dyn std::error::Error + Send + Sync>);

impl EngineError {
    /// Wraps the error of an engine.
    pub fn new(error: impl std::error::Error + Send + Sync + 'static) -> EngineError {
        EngineError(Arc::new(error))
    }

    /// The wrapped error, if its type is `E`.
    pub fn get<E: std::error::Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl PartialEq for EngineError {
    fn eq(&self, other: &EngineError) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<ParameterError> for Error {
    fn from(error: ParameterError) -> Error {
        Error::Parameter(error)
    }
}

impl From<GeometryError> for Error {
    fn from(error: GeometryError) -> Error {
        Error::Geometry(error)
    }
}

impl From<OutOfMemory> for Error {
    fn from(error: OutOfMemory) -> Error {
        Error::OutOfMemory(error)
    }
}

impl From<SimdLevelError> for Error {
    fn from(error: SimdLevelError) -> Error {
        Error::SimdLevel(error)
    }
}

impl From<FormatError> for Error {
    fn from(error: FormatError) -> Error {
        match error {
            FormatError::Size { width, height, needs } => Error::Size { width, height, needs },
            FormatError::Depth(depth) => Error::Depth(depth),
        }
    }
}

impl From<PlaneError> for Error {
    fn from(PlaneError { index, samples, bytes, stride, size, needed_bytes }: PlaneError) -> Error {
        Error::Plane { index, samples, bytes, stride, size, needed_bytes }
    }
}
