//! Properties of pictures and streams that several modules share (§1.1, §1.6): sizes, sampling, field order, rectangles, colour spaces.
use std::fmt;
use std::str::FromStr;

/// The largest width and height of a picture, in luma samples.
pub const MAX_SIZE: usize = 8192;

/// Bits per sample that a [`Format`] can have.
pub const DEPTHS: std::ops::RangeInclusive<u8> = 8..=16;

/// Chroma sampling of a picture. Chroma sizes round up.
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
    /// Number of planes: 1 or 3.
    pub fn planes(self) -> usize {
        if self == Sampling::Mono { 1 } else { 3 }
    }

    /// Chroma samples in a line of a picture of `width` luma samples; 0 for mono.
    pub(crate) fn chroma_width(self, width: usize) -> usize {
        self.chroma_size(width, 1).0
    }

    /// Width and height of each chroma plane of a picture of `width`×`height` luma samples; 0×0 for mono.
    pub fn chroma_size(self, width: usize, height: usize) -> (usize, usize) {
        match self {
            Sampling::Mono => (0, 0),
            Sampling::C420 => (width.div_ceil(2), height.div_ceil(2)),
            Sampling::C411 => (width.div_ceil(4), height),
            Sampling::C422 => (width.div_ceil(2), height),
            Sampling::C444 => (width, height),
        }
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
    /// Luma samples in a line.
    pub width: usize,
    /// Luma lines.
    pub height: usize,
    /// Chroma sampling.
    pub sampling: Sampling,
    /// Bits per sample, 8 to 16. Streams and detectors accept 8 only, so far.
    pub depth: u8,
}

impl Format {
    /// An 8-bit format.
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

    /// Width and height of plane `index` (0 luma, 1 and 2 chroma).
    pub fn plane_size(&self, index: usize) -> (usize, usize) {
        if index == 0 { (self.width, self.height) } else { self.sampling.chroma_size(self.width, self.height) }
    }

    /// Samples of all planes of one picture.
    pub fn samples(&self) -> usize {
        let (chroma_width, chroma_height) = self.plane_size(1);
        self.width * self.height + 2 * chroma_width * chroma_height
    }

    /// Whether pictures of this format can consist of two fields: an even height, and two chroma lines at least for each field.
    pub fn has_fields(&self) -> bool {
        self.fields_need().is_none()
    }

    /// The requirement that keeps this format from being interlaced, if there is one.
    pub(crate) fn fields_need(&self) -> Option<&'static str> {
        if !self.height.is_multiple_of(2) {
            Some("an interlaced picture needs an even height")
        } else if self.sampling == Sampling::C420 && self.height < 4 {
            Some("an interlaced 4:2:0 picture needs at least 4 lines")
        } else {
            None
        }
    }

    /// Checks that all stages can process this format: 8 bits, 1×1 to 8192×8192, and what `scan` requires.
    pub(crate) fn check(&self, scan: Scan) -> Result<(), FormatError> {
        let Format { width, height, depth, .. } = *self;
        let size = |needs| Err(FormatError::Size { width, height, needs });
        if depth != 8 {
            return Err(FormatError::Depth(depth));
        }
        if !(1..=MAX_SIZE).contains(&width) || !(1..=MAX_SIZE).contains(&height) {
            return size("must be within 1x1 and 8192x8192");
        }
        match self.fields_need() {
            Some(needs) if scan != Scan::Progressive => size(needs),
            _ => Ok(()),
        }
    }
}

/// The reason why a format cannot be processed; [`Error`](crate::Error) has the same variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormatError {
    Size { width: usize, height: usize, needs: &'static str },
    Depth(u8),
}

/// The order in time of the two fields of an interlaced frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldOrder {
    /// The top field, the even lines, is the earlier one.
    TopFirst,
    /// The bottom field, the odd lines, is the earlier one.
    BottomFirst,
}

impl FieldOrder {
    /// Both orders, each at the index that `order as usize` has.
    pub(crate) const BOTH: [FieldOrder; 2] = [FieldOrder::TopFirst, FieldOrder::BottomFirst];

    /// The opposite order.
    #[must_use]
    pub fn reversed(self) -> FieldOrder {
        FieldOrder::BOTH[1 - self as usize]
    }

    /// Whether the top field is the earlier one.
    pub(crate) fn is_top_first(self) -> bool {
        self == FieldOrder::TopFirst
    }
}

/// `tff` or `bff`.
impl fmt::Display for FieldOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_top_first() { "tff" } else { "bff" })
    }
}

/// How the lines of a frame were scanned (§1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scan {
    /// All lines at one time.
    Progressive,
    /// Two fields, that of the even lines first.
    TopFirst,
    /// Two fields, that of the odd lines first.
    BottomFirst,
}

impl Scan {
    /// The order of the fields; none for a progressive scan.
    pub fn field_order(self) -> Option<FieldOrder> {
        match self {
            Scan::Progressive => None,
            Scan::TopFirst => Some(FieldOrder::TopFirst),
            Scan::BottomFirst => Some(FieldOrder::BottomFirst),
        }
    }

    /// Whether frames consist of two fields.
    pub fn is_interlaced(self) -> bool {
        self != Scan::Progressive
    }
}

impl From<FieldOrder> for Scan {
    fn from(order: FieldOrder) -> Scan {
        if order.is_top_first() { Scan::TopFirst } else { Scan::BottomFirst }
    }
}

/// `progressive`, `tff` or `bff`.
impl fmt::Display for Scan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field_order() {
            Some(order) => order.fmt(f),
            None => f.write_str("progressive"),
        }
    }
}

/// The scan that the header of a clip declares for all of its frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interlacing {
    /// Nothing is declared.
    #[default]
    Unknown,
    /// All frames are progressive.
    Progressive,
    /// All frames are interlaced, the top field first.
    TopFirst,
    /// All frames are interlaced, the bottom field first.
    BottomFirst,
    /// Each frame has flags of its own, [`FrameFlags`].
    Mixed,
}

impl Interlacing {
    /// The declared scan; none if nothing is declared. A mixed clip counts as top field first until a frame says otherwise.
    pub fn scan(self) -> Option<Scan> {
        match self {
            Interlacing::Unknown => None,
            Interlacing::Progressive => Some(Scan::Progressive),
            Interlacing::TopFirst | Interlacing::Mixed => Some(Scan::TopFirst),
            Interlacing::BottomFirst => Some(Scan::BottomFirst),
        }
    }

    /// The declared scan of a frame with these flags, which count in a mixed clip alone.
    pub fn frame_scan(self, flags: FrameFlags) -> Option<Scan> {
        match self {
            Interlacing::Mixed if flags.progressive => Some(Scan::Progressive),
            Interlacing::Mixed => flags.field_order.map(Scan::from),
            declared => declared.scan(),
        }
    }
}

impl From<Scan> for Interlacing {
    fn from(scan: Scan) -> Interlacing {
        match scan {
            Scan::Progressive => Interlacing::Progressive,
            Scan::TopFirst => Interlacing::TopFirst,
            Scan::BottomFirst => Interlacing::BottomFirst,
        }
    }
}

/// Interlacing flags of one frame, as mixed clips have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameFlags {
    /// Whether the frame is flagged as progressive.
    pub progressive: bool,
    /// The flagged field order, which progressive frames can have, too.
    pub field_order: Option<FieldOrder>,
}

/// A name that is none of those that a type has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The kind of value that was expected.
    kind: &'static str,
    /// The name that was given.
    name: String,
    /// The names that exist.
    names: &'static [&'static str],
}

impl NameError {
    /// The value of `names`, paired with `values`, that is called `name`; case does not matter.
    pub(crate) fn find<T: Copy>(
        kind: &'static str,
        name: &str,
        names: &'static [&'static str],
        values: &[T],
    ) -> Result<T, NameError> {
        let found = names.iter().zip(values).find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, &value)| value).ok_or_else(|| NameError { kind, name: name.to_owned(), names })
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} '{}'; there are: {}", self.kind, self.name, self.names.join(", "))
    }
}

impl std::error::Error for NameError {}

impl FromStr for Scan {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Scan, NameError> {
        let values = [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst];
        NameError::find("scan", name, &["progressive", "tff", "bff"], &values)
    }
}

/// A rectangle of a picture, in luma samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    /// First column.
    pub x: usize,
    /// First line.
    pub y: usize,
    /// Columns.
    pub width: usize,
    /// Lines.
    pub height: usize,
}

impl Rect {
    /// Whether the rectangle is not empty and lies within a picture of `size`.
    pub(crate) fn is_within(&self, size: (usize, usize)) -> bool {
        let fits =
            |first: usize, length: usize, whole: usize| length > 0 && first.checked_add(length).is_some_and(|end| end <= whole);
        fits(self.x, self.width, size.0) && fits(self.y, self.height, size.1)
    }
}

/// Position of the chroma samples among the luma samples that they belong to (§5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChromaLocation {
    /// On the first luma sample horizontally, centred vertically (MPEG-2; 4:2:2).
    Left,
    /// Centred in both directions (JPEG, MPEG-1).
    Center,
    /// On the first luma sample in both directions (PAL DV).
    TopLeft,
}

impl ChromaLocation {
    const NAMES: &'static [&'static str] = &["left", "center", "topleft"];
}

impl FromStr for ChromaLocation {
    type Err = NameError;

    fn from_str(name: &str) -> Result<ChromaLocation, NameError> {
        let values = [ChromaLocation::Left, ChromaLocation::Center, ChromaLocation::TopLeft];
        NameError::find("chroma location", name, ChromaLocation::NAMES, &values)
    }
}

impl fmt::Display for ChromaLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ChromaLocation::NAMES[*self as usize])
    }
}

/// The matrix between R'G'B' and Y'CbCr. Primaries and transfer functions are not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColorMatrix {
    /// BT.601, standard definition, both of 525 and 625 lines.
    Bt601,
    /// BT.709, high definition.
    Bt709,
    /// BT.2020 with non-constant luminance, ultra-high definition.
    Bt2020,
}

impl ColorMatrix {
    const NAMES: &'static [&'static str] = &["bt601", "bt709", "bt2020"];

    /// The usual matrix of pictures of this size: BT.709 above 576 lines or 1024 columns, else BT.601.
    pub fn usual(width: usize, height: usize) -> ColorMatrix {
        if width > 1024 || height > 576 { ColorMatrix::Bt709 } else { ColorMatrix::Bt601 }
    }
}

impl FromStr for ColorMatrix {
    type Err = NameError;

    fn from_str(name: &str) -> Result<ColorMatrix, NameError> {
        let values = [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020];
        NameError::find("colour matrix", name, ColorMatrix::NAMES, &values)
    }
}

impl fmt::Display for ColorMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ColorMatrix::NAMES[*self as usize])
    }
}

/// The sample values of black, white and the most saturated colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorRange {
    /// In 8 bits luma 16…235, chroma 16…240.
    Limited,
    /// In 8 bits 0…255.
    Full,
}

impl ColorRange {
    const NAMES: &'static [&'static str] = &["limited", "full"];
}

impl FromStr for ColorRange {
    type Err = NameError;

    fn from_str(name: &str) -> Result<ColorRange, NameError> {
        NameError::find("colour range", name, ColorRange::NAMES, &[ColorRange::Limited, ColorRange::Full])
    }
}

impl fmt::Display for ColorRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ColorRange::NAMES[*self as usize])
    }
}

/// The meaning of luma and chroma samples: matrix and range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColorSpace {
    /// The matrix between R'G'B' and Y'CbCr.
    pub matrix: ColorMatrix,
    /// The sample values of black and white.
    pub range: ColorRange,
}

/// `bt709-limited` and so on.
impl fmt::Display for ColorSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.matrix, self.range)
    }
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
        let deep = Format::new(2, 2, Sampling::C422).with_depth(10);
        assert_eq!(deep.check(Scan::Progressive), Err(FormatError::Depth(10)));
    }

    #[test]
    fn names_lead_back() {
        for scan in [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst] {
            assert_eq!(scan.to_string().parse(), Ok(scan));
        }
        for location in [ChromaLocation::Left, ChromaLocation::Center, ChromaLocation::TopLeft] {
            assert_eq!(location.to_string().parse(), Ok(location));
        }
        for matrix in [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020] {
            assert_eq!(matrix.to_string().parse(), Ok(matrix));
        }
        for range in [ColorRange::Limited, ColorRange::Full] {
            assert_eq!(range.to_string().parse(), Ok(range));
        }
        let error = "bt470".parse::<ColorMatrix>().unwrap_err().to_string();
        assert_eq!(error, "no colour matrix 'bt470'; there are: bt601, bt709, bt2020");
    }
}
