//! Decisions of the detector, with the modes and hints that lead to them.
use super::cadence::Pulldown;
use crate::field_match::FieldMatches;
use crate::format::{FieldOrder, NameError, Scan};
use std::fmt;
use std::str::FromStr;

/// The field matching that the detector does besides telling progressive frames from interlaced ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldMatching {
    /// None.
    Off,
    /// Where a pulldown pattern holds for some frames, its pictures are woven; all other fields are deinterlaced.
    #[default]
    Pattern,
    /// Each field is woven with the neighbour in time with which it combs less, even without a pattern, unless it combs with both.
    Always,
}

impl FieldMatching {
    const NAMES: &'static [&'static str] = &["off", "pattern", "always"];
}

impl fmt::Display for FieldMatching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FieldMatching::NAMES[*self as usize])
    }
}

impl FromStr for FieldMatching {
    type Err = NameError;

    fn from_str(name: &str) -> Result<FieldMatching, NameError> {
        let values = [FieldMatching::Off, FieldMatching::Pattern, FieldMatching::Always];
        NameError::find("field matching", name, FieldMatching::NAMES, &values)
    }
}

/// The kind of material that a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// All lines are of one time.
    Progressive,
    /// The two fields are of different times.
    Interlaced,
    /// Telecined film: the fields belong to pictures of two or more fields, which need not begin with the frame.
    Film,
}

/// `progressive`, `interlaced` or `film`.
impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Content::Progressive => "progressive",
            Content::Interlaced => "interlaced",
            Content::Film => "film",
        })
    }
}

/// The evidence for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A pulldown pattern matches the frames around this one.
    PatternMatched,
    /// A pulldown pattern matched earlier frames, and nothing contradicts it here.
    PatternHeld,
    /// All fields comb with their neighbours, least in this field order.
    Combing,
    /// A field combs less with one of its neighbours than with the other.
    FieldMatched,
    /// The pictures are undetermined; the flags decide.
    Flags,
    /// The pictures are undetermined, and there are no flags.
    Undetermined,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::PatternMatched => "the pulldown pattern matches",
            Reason::PatternHeld => "the pulldown pattern is held",
            Reason::Combing => "all fields comb, least in this order",
            Reason::FieldMatched => "fields match",
            Reason::Flags => "undetermined, so the flags decide",
            Reason::Undetermined => "undetermined",
        })
    }
}

/// The decision about a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// Number of the frame, from 0.
    pub frame: u64,
    /// The kind of material.
    pub content: Content,
    /// The pulldown pattern, if one was found.
    pub pulldown: Option<Pulldown>,
    /// The field order. If the pictures are undetermined it is that of the previous frame.
    pub field_order: FieldOrder,
    /// Whether the previous frame has the other field order: a stream must then be flushed and a new one begin.
    pub field_order_changed: bool,
    /// Matches and comb masks for the step that takes the frame; see [`Input::matches`](crate::Input::matches).
    pub matches: FieldMatches,
    /// Whether its first and its second field show another picture than the field before.
    pub new_picture: [bool; 2],
    /// Confidence in percent: 0 is a guess.
    pub confidence: u8,
    /// The evidence.
    pub reason: Reason,
}

impl Decision {
    /// The scan of the frame: progressive, or the order of its fields.
    pub fn scan(&self) -> Scan {
        scan(self.content, self.field_order)
    }
}

/// The decision about the start of a clip, by the first frames within the look-ahead that are not undetermined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClipStart {
    /// The kind of material.
    pub content: Content,
    /// The pulldown pattern, if one was found.
    pub pulldown: Option<Pulldown>,
    /// The field order.
    pub field_order: FieldOrder,
    /// Confidence in percent: 0 is a guess.
    pub confidence: u8,
    /// The evidence.
    pub reason: Reason,
}

impl ClipStart {
    /// The scan of the first frames: progressive, or the order of their fields.
    pub fn scan(&self) -> Scan {
        scan(self.content, self.field_order)
    }

    /// Whether the pictures determine the start: the reason is neither [`Reason::Flags`] nor [`Reason::Undetermined`].
    pub fn is_determined(&self) -> bool {
        !matches!(self.reason, Reason::Flags | Reason::Undetermined)
    }
}

fn scan(content: Content, order: FieldOrder) -> Scan {
    if content == Content::Progressive { Scan::Progressive } else { order.into() }
}

/// The hint that the flags of a frame give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlagHint {
    Unknown,
    Progressive,
    Interlaced(FieldOrder),
}

impl FlagHint {
    pub fn is_progressive(self) -> bool {
        self == FlagHint::Progressive
    }
}

impl From<Option<Scan>> for FlagHint {
    fn from(scan: Option<Scan>) -> FlagHint {
        match scan {
            None => FlagHint::Unknown,
            Some(scan) => scan.field_order().map_or(FlagHint::Progressive, FlagHint::Interlaced),
        }
    }
}
