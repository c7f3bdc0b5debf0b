//! Field order and scan of frames, and the declarations of headers (§1.1).
use super::names::NameError;
use std::fmt;
use std::str::FromStr;

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

/// `progressive`, `tff` or `bff`; case does not matter.
impl FromStr for Scan {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Scan, NameError> {
        let values = [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst];
        NameError::find("scan", name, &["progressive", "tff", "bff"], &values)
    }
}

/// The scan that the header of a clip declares for all of its frames. The methods are the only
/// reading of [`Interlacing::Mixed`]. Names: `unknown`, `progressive`, `tff`, `bff`, `mixed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    const NAMES: &'static [&'static str] = &["unknown", "progressive", "tff", "bff", "mixed"];

    /// The declared scan of the clip; none if nothing is declared. A mixed clip is interlaced, top
    /// field first until the flags of a frame declare an order.
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

    /// The scan with which a deinterlacer that follows the flags processes a frame, if `previous`
    /// is that of the frame before it. In a mixed clip the flagged field order counts, also that of
    /// a progressive frame, whose fields are woven. Frames without an order, and all frames of
    /// other clips, have the order of the frame before them.
    pub fn next_scan(self, flags: FrameFlags, previous: Scan) -> Scan {
        let flagged = flags.field_order.filter(|_| self == Interlacing::Mixed);
        flagged.map_or(previous, Scan::from)
    }
}

/// `unknown`, `progressive`, `tff`, `bff` or `mixed`.
impl fmt::Display for Interlacing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Interlacing::NAMES[*self as usize])
    }
}

/// `unknown`, `progressive`, `tff`, `bff` or `mixed`; case does not matter.
impl FromStr for Interlacing {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Interlacing, NameError> {
        use Interlacing::*;
        NameError::find("interlacing", name, Interlacing::NAMES, &[Unknown, Progressive, TopFirst, BottomFirst, Mixed])
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

/// The interlacing flags of one frame of a mixed clip. The default declares nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FrameFlags {
    /// Whether the frame is flagged as progressive.
    pub progressive: bool,
    /// The flagged field order; progressive frames can have one, too.
    pub field_order: Option<FieldOrder>,
}

impl FrameFlags {
    /// Sets whether the frame is flagged as progressive.
    #[must_use]
    pub fn progressive(self, progressive: bool) -> FrameFlags {
        FrameFlags { progressive, ..self }
    }

    /// Sets the flagged field order, or none.
    #[must_use]
    pub fn field_order(self, order: impl Into<Option<FieldOrder>>) -> FrameFlags {
        FrameFlags { field_order: order.into(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_to_their_values() {
        for scan in [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst] {
            assert_eq!(scan.to_string().parse(), Ok(scan));
        }
        for interlacing in Interlacing::NAMES {
            assert_eq!(interlacing.parse::<Interlacing>().unwrap().to_string(), *interlacing);
        }
        for order in FieldOrder::BOTH {
            assert_eq!((order.to_string().parse(), order.to_string()), (Ok(order), Scan::from(order).to_string()));
        }
    }

    #[test]
    fn flags_count_in_mixed_clips_alone() {
        let bottom = FrameFlags::default().field_order(FieldOrder::BottomFirst);
        let (none, progressive) = (FrameFlags::default(), bottom.progressive(true));
        let mixed = Interlacing::Mixed;
        assert_eq!(mixed.scan(), Some(Scan::TopFirst));
        assert_eq!(
            [none, bottom, progressive].map(|flags| mixed.frame_scan(flags)),
            [None, Some(Scan::BottomFirst), Some(Scan::Progressive)]
        );
        assert_eq!(
            [none, bottom, progressive].map(|flags| mixed.next_scan(flags, Scan::TopFirst)),
            [Scan::TopFirst, Scan::BottomFirst, Scan::BottomFirst]
        );
        assert_eq!(Interlacing::TopFirst.frame_scan(progressive), Some(Scan::TopFirst));
        assert_eq!(Interlacing::TopFirst.next_scan(bottom, Scan::TopFirst), Scan::TopFirst);
    }
}
