//! Properties of pictures and streams that several modules share (§1.1, §1.6): sizes, sampling,
//! field order, rectangles, colour spaces. Enums that the command line names have `Display` and
//! `FromStr` with those names; `FromStr` ignores case.
use std::fmt;
use std::str::FromStr;

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
        match self {
            Sampling::Mono => (0, 0),
            Sampling::C420 => (width.div_ceil(2), height.div_ceil(2)),
            Sampling::C411 => (width.div_ceil(4), height),
            Sampling::C422 => (width.div_ceil(2), height),
            Sampling::C444 => (width, height),
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
    /// Bits per sample, 8 to 16. Streams and detectors accept only 8; frames hold any of these
    /// depths.
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

    /// The number of samples of all planes of one picture.
    pub fn samples(&self) -> usize {
        let (chroma_width, chroma_height) = self.plane_size(1);
        self.width * self.height + 2 * chroma_width * chroma_height
    }

    /// Whether pictures of this format can consist of two fields: the height is even, and a 4:2:0
    /// picture has at least four lines.
    pub fn has_fields(&self) -> bool {
        self.fields_need().is_none()
    }

    /// The requirement of interlaced pictures that this format violates, if there is one.
    pub(crate) fn fields_need(&self) -> Option<&'static str> {
        if !self.height.is_multiple_of(2) {
            Some("an interlaced picture needs an even height")
        } else if self.sampling == Sampling::C420 && self.height < 4 {
            Some("an interlaced 4:2:0 picture needs at least 4 lines")
        } else {
            None
        }
    }

    /// Checks that all stages can process this format: 8 bits per sample, 1×1 to 8192×8192, and the
    /// requirements of fields if `scan` is interlaced.
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

/// The temporal order of the two fields of an interlaced frame. Names: `tff`, `bff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldOrder {
    /// The top field (the even lines, from 0) is the earlier one.
    TopFirst,
    /// The bottom field (the odd lines) is the earlier one.
    BottomFirst,
}

impl FieldOrder {
    /// Both orders; `order as usize` is the index of each.
    pub(crate) const BOTH: [FieldOrder; 2] = [FieldOrder::TopFirst, FieldOrder::BottomFirst];

    const NAMES: &'static [&'static str] = &["tff", "bff"];

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
        f.write_str(FieldOrder::NAMES[*self as usize])
    }
}

/// `tff` or `bff`; case does not matter.
impl FromStr for FieldOrder {
    type Err = NameError;

    fn from_str(name: &str) -> Result<FieldOrder, NameError> {
        NameError::find("field order", name, FieldOrder::NAMES, &FieldOrder::BOTH)
    }
}

/// How the lines of a frame were scanned (§1.1). Names: `progressive`, `tff`, `bff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scan {
    /// All lines at the same time.
    Progressive,
    /// Two fields, the top field (even lines) first.
    TopFirst,
    /// Two fields, the bottom field (odd lines) first.
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
    /// The declared scan; none if nothing is declared. For a mixed clip it is top field first, the
    /// default for frames without flags.
    pub fn scan(self) -> Option<Scan> {
        match self {
            Interlacing::Unknown => None,
            Interlacing::Progressive => Some(Scan::Progressive),
            Interlacing::TopFirst | Interlacing::Mixed => Some(Scan::TopFirst),
            Interlacing::BottomFirst => Some(Scan::BottomFirst),
        }
    }

    /// The declared scan of a frame with these flags, which count only in a mixed clip; none if
    /// neither clip nor flags declare one.
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

/// The interlacing flags of one frame of a mixed clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameFlags {
    /// Whether the frame is flagged as progressive.
    pub progressive: bool,
    /// The flagged field order; progressive frames can have one, too.
    pub field_order: Option<FieldOrder>,
}

/// An unknown name of a value, from the `FromStr` of an enum. The message lists the known names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The kind of value that was expected.
    kind: &'static str,
    /// The unknown name.
    name: String,
    /// The known names.
    names: &'static [&'static str],
}

impl NameError {
    /// The element of `values` whose name, at the same index of `names`, is `name`; case does not
    /// matter. `kind` names the type in the message.
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

/// A rectangle of a picture, in luma samples from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    /// The first column.
    pub x: usize,
    /// The first line.
    pub y: usize,
    /// The number of columns.
    pub width: usize,
    /// The number of lines.
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

/// The position of a chroma sample relative to its luma samples (§5.1). Names: `left`, `center`,
/// `topleft`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChromaLocation {
    /// Horizontally on the first luma sample, vertically centred (MPEG-2; 4:2:2).
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

/// The matrix between R'G'B' and Y'CbCr. It does not include primaries and transfer functions.
/// Names: `bt601`, `bt709`, `bt2020`.
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

    /// The usual matrix for pictures of `width`×`height` luma samples without declared matrix:
    /// BT.709 above 1024 columns or 576 lines, else BT.601.
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

/// The code values of black, white and the most saturated colours. Names: `limited`, `full`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorRange {
    /// Luma 16…235 and chroma 16…240 in 8 bits.
    Limited,
    /// Luma and chroma 0…255 in 8 bits.
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

/// The colour space of luma and chroma samples: matrix and range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColorSpace {
    /// The matrix between R'G'B' and Y'CbCr.
    pub matrix: ColorMatrix,
    /// The code values of black and white.
    pub range: ColorRange,
}

/// The matrix and the range, such as `bt709-limited`.
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
    fn names_parse_to_their_values() {
        for scan in [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst] {
            assert_eq!(scan.to_string().parse(), Ok(scan));
        }
        for order in FieldOrder::BOTH {
            assert_eq!((order.to_string().parse(), order.to_string()), (Ok(order), Scan::from(order).to_string()));
        }
        for sampling in [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444] {
            assert_eq!(sampling.to_string().to_uppercase().parse(), Ok(sampling));
            assert!(format!("{sampling:?}").to_lowercase().ends_with(&sampling.to_string()));
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
