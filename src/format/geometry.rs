//! Settings of the geometry of the output, and its format.
use super::{ChromaLocation, Format, NameError, Sampling};
use std::fmt;
use std::str::FromStr;

/// A reflection (§13.10). Names: `h`, `v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mirror {
    /// Left and right change places.
    Horizontal,
    /// Top and bottom change places.
    Vertical,
}

impl Mirror {
    const NAMES: &'static [&'static str] = &["h", "v"];
}

/// `h` or `v`; case does not matter.
impl FromStr for Mirror {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Mirror, NameError> {
        NameError::find("mirror", name, Mirror::NAMES, &[Mirror::Horizontal, Mirror::Vertical])
    }
}

/// `h` or `v`.
impl fmt::Display for Mirror {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Mirror::NAMES[*self as usize])
    }
}

/// A rotation in degrees clockwise (§13.10). Names: `90`, `180`, `270`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rotation {
    /// A quarter turn clockwise.
    Quarter,
    /// A half turn.
    Half,
    /// A quarter turn counterclockwise.
    ThreeQuarters,
}

impl Rotation {
    const NAMES: &'static [&'static str] = &["90", "180", "270"];

    /// Whether width and height change places.
    pub fn swaps_axes(self) -> bool {
        self != Rotation::Half
    }
}

/// `90`, `180` or `270`.
impl FromStr for Rotation {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Rotation, NameError> {
        let values = [Rotation::Quarter, Rotation::Half, Rotation::ThreeQuarters];
        NameError::find("rotation", name, Rotation::NAMES, &values)
    }
}

/// `90`, `180` or `270`.
impl fmt::Display for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Rotation::NAMES[*self as usize])
    }
}

/// The position of a chroma sample after the first of its luma samples, in eighths of a luma sample
/// (§13.10). It counts on subsampled axes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Siting {
    /// Eighths of a sample to the right, 0…8.
    pub across: u8,
    /// Eighths of a line down, 0…8.
    pub down: u8,
}

impl From<ChromaLocation> for Siting {
    fn from(location: ChromaLocation) -> Siting {
        match location {
            ChromaLocation::Center => Siting { across: 4, down: 4 },
            ChromaLocation::Left => Siting { across: 0, down: 4 },
            ChromaLocation::TopLeft => Siting { across: 0, down: 0 },
        }
    }
}

impl Siting {
    /// The chroma location that this is; none if tags have no name for it.
    pub fn location(self) -> Option<ChromaLocation> {
        let all = [ChromaLocation::Center, ChromaLocation::Left, ChromaLocation::TopLeft];
        all.into_iter().find(|&location| Siting::from(location) == self)
    }

    /// The siting of 4:2:0 that is made of another sampling (§13.10).
    pub(crate) fn made_of(sampling: Sampling) -> Siting {
        if sampling == Sampling::C422 { ChromaLocation::Left } else { ChromaLocation::Center }.into()
    }
}

/// A frame of another size, filled with a colour, in which the picture lies (§13.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Canvas {
    /// The width in luma samples, 1 to [`MAX_SIZE`](crate::MAX_SIZE).
    pub width: usize,
    /// The height in luma lines, 1 to [`MAX_SIZE`](crate::MAX_SIZE).
    pub height: usize,
    /// The column of the picture's left edge, a multiple of the luma samples of a chroma sample.
    pub x: i32,
    /// The line of the picture's top edge, a multiple of the luma lines of a chroma line, and even
    /// in interlaced streams.
    pub y: i32,
    /// Luma, Cb and Cr around the picture, in code values of 8 bits. Default: 16, 128, 128.
    pub fill: [u8; 3],
}

impl Canvas {
    /// A black frame of `width`×`height` luma samples with the picture's top left at (`x`, `y`).
    pub fn new(width: usize, height: usize, x: i32, y: i32) -> Canvas {
        Canvas { width, height, x, y, fill: [16, 128, 128] }
    }

    /// Sets the colour around the picture.
    #[must_use]
    pub fn fill(self, fill: [u8; 3]) -> Canvas {
        Canvas { fill, ..self }
    }
}

/// Changes of the finished picture, in this order: chroma sampling, mirror, rotation, canvas
/// (§13.10). `Default` changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Geometry {
    /// Chroma sampling of the output; none for that of the picture.
    pub sampling: Option<Sampling>,
    /// Siting of the picture's chroma; none for the chroma location of the stream.
    pub siting_in: Option<Siting>,
    /// Siting of the output's chroma, if its sampling changes to 4:2:0 or 4:2:2; none for the left
    /// column, and vertically the middle for 4:2:0. 4:2:0 that is not made of 4:2:2 is centred.
    pub siting_out: Option<Siting>,
    /// Reflection.
    pub mirror: Option<Mirror>,
    /// Rotation, after the reflection.
    pub rotation: Option<Rotation>,
    /// The frame in which the picture lies.
    pub canvas: Option<Canvas>,
}

impl Geometry {
    /// Sets the chroma sampling of the output.
    #[must_use]
    pub fn sampling(self, sampling: impl Into<Option<Sampling>>) -> Geometry {
        Geometry { sampling: sampling.into(), ..self }
    }

    /// Sets the sitings of the chroma of the picture and of the output.
    #[must_use]
    pub fn sitings(self, input: impl Into<Option<Siting>>, output: impl Into<Option<Siting>>) -> Geometry {
        Geometry { siting_in: input.into(), siting_out: output.into(), ..self }
    }

    /// Sets the reflection.
    #[must_use]
    pub fn mirror(self, mirror: impl Into<Option<Mirror>>) -> Geometry {
        Geometry { mirror: mirror.into(), ..self }
    }

    /// Sets the rotation.
    #[must_use]
    pub fn rotation(self, rotation: impl Into<Option<Rotation>>) -> Geometry {
        Geometry { rotation: rotation.into(), ..self }
    }

    /// Sets the frame in which the picture lies.
    #[must_use]
    pub fn canvas(self, canvas: impl Into<Option<Canvas>>) -> Geometry {
        Geometry { canvas: canvas.into(), ..self }
    }

    /// Whether pictures of `format` change.
    pub(crate) fn changes(&self, format: Format) -> bool {
        let turns = self.mirror.is_some() || self.rotation.is_some();
        self.resampled(format) != format || turns || self.canvas.is_some()
    }

    /// Whether width and height change places.
    pub(crate) fn swaps_axes(&self) -> bool {
        self.rotation.is_some_and(Rotation::swaps_axes)
    }

    /// The format of pictures of `format` with the chroma sampling of the output.
    pub(crate) fn resampled(&self, format: Format) -> Format {
        Format { sampling: self.sampling.unwrap_or(format.sampling), ..format }
    }

    /// The format of pictures of `format` after the rotation.
    pub(crate) fn turned(&self, format: Format) -> Format {
        let Format { width, height, .. } = format;
        if self.swaps_axes() { Format { width: height, height: width, ..format } } else { format }
    }

    /// The format of the output for pictures of `format`.
    pub(crate) fn format(&self, format: Format) -> Format {
        let turned = self.turned(self.resampled(format));
        match self.canvas {
            Some(Canvas { width, height, .. }) => Format { width, height, ..turned },
            None => turned,
        }
    }

    /// The reason why pictures of `format` cannot be changed so; with `fields` they are interlaced.
    pub(crate) fn check(&self, format: Format, fields: bool) -> Result<(), GeometryError> {
        let sitings = [self.siting_in, self.siting_out].into_iter().flatten();
        if sitings.into_iter().any(|siting| siting.across > 8 || siting.down > 8) {
            return Err(GeometryError::Siting);
        }
        let resampled = self.resampled(format);
        let changes = resampled.sampling != format.sampling;
        if changes && [format.sampling, resampled.sampling].contains(&Sampling::C411) && resampled.sampling != Sampling::Mono {
            return Err(GeometryError::Sampling);
        }
        if fields && (self.mirror == Some(Mirror::Vertical) || self.rotation.is_some()) {
            return Err(GeometryError::Fields);
        }
        if self.swaps_axes() && resampled.sampling == Sampling::C411 {
            return Err(GeometryError::Turn411);
        }
        let Some(Canvas { x, y, .. }) = self.canvas else { return Ok(()) };
        let (across, down) = resampled.sampling.chroma_scale();
        let down = if fields { 2 } else { down };
        if x % across as i32 != 0 || y % down as i32 != 0 { Err(GeometryError::Canvas { across, down }) } else { Ok(()) }
    }
}

/// The reason why a geometry is not possible. `Display` is a message without the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GeometryError {
    /// A siting above 8.
    Siting,
    /// A conversion from or to 4:1:1, except to mono.
    Sampling,
    /// A rotation or vertical mirror of interlaced frames.
    Fields,
    /// A quarter turn of 4:1:1.
    Turn411,
    /// A position in the canvas that is no multiple of these numbers.
    Canvas {
        /// Luma samples for each chroma sample.
        across: usize,
        /// Luma lines for each chroma line, or 2 in interlaced streams.
        down: usize,
    },
}

impl fmt::Display for GeometryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GeometryError::Siting => f.write_str("a siting must be 0…8 eighths of a luma step"),
            GeometryError::Sampling => f.write_str("4:1:1 cannot be converted to another chroma sampling, except to mono"),
            GeometryError::Fields => f.write_str("interlaced frames can only be mirrored horizontally"),
            GeometryError::Turn411 => f.write_str("4:1:1 cannot be rotated by 90 or 270 degrees"),
            GeometryError::Canvas { across, down } => {
                write!(f, "the position in the canvas must be a multiple of {across} horizontally and of {down} vertically")
            }
        }
    }
}
