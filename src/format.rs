//! Properties of pictures and streams that several modules share (§1.1, §1.6): sizes, sampling,
//! field order, rectangles, colour spaces. Enums that the command line names have `Display` and
//! `FromStr` with those names; `FromStr` ignores case.
use std::fmt;
use std::str::FromStr;

mod color;
mod geometry;
mod names;
mod rect;
mod scan;

pub use color::{ChromaLocation, ColorMatrix, ColorRange, ColorSpace};
pub use geometry::{Canvas, Geometry, GeometryError, Mirror, Rotation, Siting};
pub use names::NameError;
pub use rect::{Rect, RectError};
pub use scan::{FieldOrder, FrameFlags, Interlacing, Scan};

/// The largest width and height of a picture, in luma samples.
pub const MAX_SIZE: usize = 8192;

/// Bits per sample that a [`Format`] can have.
pub const DEPTHS: std::ops::RangeInclusive<u8> = 8..=16;

/// Chroma sampling of a picture (§1.6). Chroma sizes round up. Names: `mono`, `420`, `411`, `422`,
/// `444`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sampling {
    /// Luma only.
    Mono,
    /// 4:2:0: half the width, half the height.
    C420,
    /// 4:1:1: a quarter of the width, full height.
    C411,
    /// 4:2:2: half the width, full height.
    C422,
    /// 4:4:4: full width and height.
    C444,
}

impl Sampling {
    const NAMES: &'static [&'static str] = &["mono", "420", "411", "422", "444"];

    /// The number of planes: 1 for mono, else 3.
    pub fn planes(self) -> usize {
        if self == Sampling::Mono { 1 } else { 3 }
    }

    /// The width in samples of each chroma plane of a picture that is `width` luma samples wide; 0
    /// for mono.
    pub(crate) fn chroma_width(self, width: usize) -> usize {
        self.chroma_size(width, 1).0
    }

    /// Width and height in samples of each chroma plane of a picture of `width`×`height` luma
    /// samples, rounded up; 0×0 for mono.
    pub fn chroma_size(self, width: usize, height: usize) -> (usize, usize) {
        match (self, self.chroma_scale()) {
            (Sampling::Mono, _) => (0, 0),
            (_, (across, down)) => (width.div_ceil(across), height.div_ceil(down)),
        }
    }

    /// Luma samples for each chroma sample, and luma lines for each chroma line; 1 for mono.
    pub(crate) fn chroma_scale(self) -> (usize, usize) {
        match self {
            Sampling::C420 => (2, 2),
            Sampling::C411 => (4, 1),
            Sampling::C422 => (2, 1),
            Sampling::C444 | Sampling::Mono => (1, 1),
        }
    }
}

/// `mono`, `420`, `411`, `422` or `444`; case does not matter.
impl FromStr for Sampling {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Sampling, NameError> {
        let values = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];
        NameError::find("sampling", name, Sampling::NAMES, &values)
    }
}

/// `mono`, `420`, `411`, `422` or `444`.
impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Sampling::NAMES[*self as usize])
    }
}

/// Size, sampling and sample depth of the pictures of a stream.
///
/// ```
/// use dndi::{Format, Sampling};
///
/// let format = Format::new(720, 576, Sampling::C422).with_depth(10);
/// assert_eq!((format.plane_size(1), format.bytes_per_sample()), ((360, 576), 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Format {
    /// The width of the luma plane in samples, 1 to 8192.
    pub width: usize,
    /// The height of the luma plane in lines, 1 to 8192.
    pub height: usize,
    /// Chroma sampling.
    pub sampling: Sampling,
    /// Bits per sample, 8 to 16.
    pub depth: u8,
}

impl Format {
    /// A format with 8 bits per sample. Nothing is checked here; streams and detectors check the
    /// format when they are built.
    pub const fn new(width: usize, height: usize, sampling: Sampling) -> Format {
        Format { width, height, sampling, depth: 8 }
    }

    /// The same format with `depth` bits per sample.
    #[must_use]
    pub const fn with_depth(self, depth: u8) -> Format {
        Format { depth, ..self }
    }

    /// Bytes that hold a sample: 1 for 8 bits, 2 for 9 to 16 bits.
    pub const fn bytes_per_sample(&self) -> usize {
        if self.depth > 8 { 2 } else { 1 }
    }

    /// Width and height in samples of plane `index` (0 luma, 1 Cb, 2 Cr).
    pub fn plane_size(&self, index: usize) -> (usize, usize) {
        if index == 0 { (self.width, self.height) } else { self.sampling.chroma_size(self.width, self.height) }
    }

    /// The number of samples of all planes of one picture, at most `usize::MAX`.
    pub fn samples(&self) -> usize {
        let (chroma_width, chroma_height) = self.plane_size(1);
        let chroma = chroma_width.saturating_mul(chroma_height);
        self.width.saturating_mul(self.height).saturating_add(chroma.saturating_mul(2))
    }

    /// Whether pictures of this format can consist of two fields: the height is even, and a 4:2:0
    /// picture has at least four lines.
    pub fn has_fields(&self) -> bool {
        self.fields_need().is_none()
    }

    /// The requirement of interlaced pictures that this format violates, if there is one.
    pub(crate) fn fields_need(&self) -> Option<SizeRequirement> {
        if !self.height.is_multiple_of(2) {
            Some(SizeRequirement::EvenHeight)
        } else if self.sampling == Sampling::C420 && self.height < 4 {
            Some(SizeRequirement::FourLines)
        } else {
            None
        }
    }

    /// Checks that all stages can process this format: 8 to 16 bits per sample, 1×1 to 8192×8192,
    /// and the requirements of fields if `scan` is interlaced.
    pub(crate) fn check(&self, scan: Scan) -> Result<(), FormatError> {
        let Format { width, height, depth, .. } = *self;
        let size = |needs| Err(FormatError::Size { width, height, needs });
        if !DEPTHS.contains(&depth) {
            return Err(FormatError::Depth(depth));
        }
        if !(1..=MAX_SIZE).contains(&width) || !(1..=MAX_SIZE).contains(&height) {
            return size(SizeRequirement::Limits);
        }
        match self.fields_need() {
            Some(needs) if scan != Scan::Progressive => size(needs),
            _ => Ok(()),
        }
    }
}

/// A requirement of the size of a picture. `Display` is a clause such as "must be within 1x1 and
/// 8192x8192".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SizeRequirement {
    /// Width and height of 1 to [`MAX_SIZE`].
    Limits,
    /// An even height, because the picture is interlaced.
    EvenHeight,
    /// At least 4 lines, because the picture is interlaced and 4:2:0.
    FourLines,
}

impl fmt::Display for SizeRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SizeRequirement::Limits => write!(f, "must be within 1x1 and {MAX_SIZE}x{MAX_SIZE}"),
            SizeRequirement::EvenHeight => f.write_str("an interlaced picture needs an even height"),
            SizeRequirement::FourLines => f.write_str("an interlaced 4:2:0 picture needs at least 4 lines"),
        }
    }
}

/// The reason why a format cannot be processed; [`Error`](crate::Error) has the same variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormatError {
    Size { width: usize, height: usize, needs: SizeRequirement },
    Depth(u8),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chroma_sizes_round_up() {
        let size = |sampling: Sampling| sampling.chroma_size(21, 18);
        assert_eq!(
            [Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444].map(size),
            [(11, 9), (6, 18), (11, 18), (21, 18)]
        );
        assert_eq!(Format::new(5, 3, Sampling::C420).samples(), 15 + 2 * 6);
        assert_eq!(Format::new(5, 3, Sampling::Mono).samples(), 15);
    }

    #[test]
    fn formats_that_cannot_be_processed_are_refused() {
        let check = |width, height, sampling, scan| Format::new(width, height, sampling).check(scan);
        assert_eq!(check(1, 1, Sampling::C420, Scan::Progressive), Ok(()));
        assert!(matches!(check(0, 1, Sampling::C420, Scan::Progressive), Err(FormatError::Size { .. })));
        assert!(matches!(check(1, 8193, Sampling::C420, Scan::Progressive), Err(FormatError::Size { .. })));
        assert!(matches!(check(2, 3, Sampling::C444, Scan::TopFirst), Err(FormatError::Size { .. })));
        assert!(matches!(check(2, 2, Sampling::C420, Scan::BottomFirst), Err(FormatError::Size { .. })));
        assert_eq!(check(2, 2, Sampling::C422, Scan::BottomFirst), Ok(()));
        let deep = |depth| Format::new(2, 2, Sampling::C422).with_depth(depth).check(Scan::Progressive);
        assert_eq!([7, 8, 16, 17].map(deep), [Err(FormatError::Depth(7)), Ok(()), Ok(()), Err(FormatError::Depth(17))]);
    }

    #[test]
    fn names_parse_to_their_values() {
        for sampling in [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444] {
            assert_eq!(sampling.to_string().to_uppercase().parse(), Ok(sampling));
            assert!(format!("{sampling:?}").to_lowercase().ends_with(&sampling.to_string()));
        }
    }
}
