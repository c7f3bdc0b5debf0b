//! The decisions of the detector, the modes, and the flags that the caller gives.
use super::cadence::Pulldown;
use crate::blend::Blend;
use crate::field_match::FieldMatches;
use crate::format::{FieldOrder, NameError, Scan};
use std::fmt;
use std::str::FromStr;

/// The field matching of a detector. All modes detect progressive frames and the field order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldMatching {
    /// `off`: no pulldown patterns are detected. Telecined film is deinterlaced.
    Off,
    /// `auto`: pulldown patterns are detected, and their pictures woven. All other fields are
    /// deinterlaced.
    #[default]
    Pattern,
    /// `reconstruct`: as `Pattern`; other fields, too, are woven with an adjacent field with which
    /// they comb much less than with the next one. A field that combs with both is deinterlaced.
    Always,
}

impl FieldMatching {
    const NAMES: &'static [&'static str] = &["off", "auto", "reconstruct"];
}

/// `off`, `auto` or `reconstruct`, as the command line names them.
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

/// The kind of material that a frame belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// Both fields were sampled at one time. [`Decision::pulldown`] is 2:2 or 2:2:2:4.
    Progressive,
    /// The two fields were sampled at different times.
    Interlaced,
    /// Telecined film: the fields belong to pictures of two or more fields, which need not start
    /// with a frame.
    Film,
}

impl Content {
    const NAMES: &'static [&'static str] = &["progressive", "interlaced", "film"];
}

/// `progressive`, `interlaced` or `film`.
impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Content::NAMES[*self as usize])
    }
}

/// `progressive`, `interlaced` or `film`; case does not matter.
impl FromStr for Content {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Content, NameError> {
        let values = [Content::Progressive, Content::Interlaced, Content::Film];
        NameError::find("content", name, Content::NAMES, &values)
    }
}

/// The evidence for a decision. [`Decision::confidence`] is 0 for the last two and for
/// [`FieldMatched`](Reason::FieldMatched).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A pulldown pattern matches the frames around this one. Progressive frames are a pattern,
    /// too.
    PatternMatched,
    /// A pulldown pattern matched earlier frames, or is that of the clip's start or flags, and
    /// nothing contradicts it here.
    PatternHeld,
    /// All fields comb with their neighbours: in this field order least, or, with a confidence of
    /// 0, equally in both orders.
    Combing,
    /// Without a pattern, a field combs much less with one neighbour than with the next
    /// ([`FieldMatching::Always`]), or the fields of a frame comb much less than with the other
    /// fields beside them.
    FieldMatched,
    /// The fields around this frame are mixes of pictures of another rate.
    Blended,
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
            Reason::Blended => "fields mix two pictures",
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
    /// The pulldown pattern, if one matches or is held; none for interlaced frames.
    pub pulldown: Option<Pulldown>,
    /// The field order, also of progressive frames. If the pictures are undetermined it is that of
    /// the previous frame.
    pub field_order: FieldOrder,
    /// Whether the previous frame has the other field order. The caller must then flush its
    /// [`Stream`](crate::Stream) and build one for this order. Never true with a given field order.
    pub field_order_changed: bool,
    /// Field matches and comb masks (§3.8) of the step that takes the frame; see
    /// [`Input::matches`](crate::Input::matches).
    pub matches: FieldMatches,
    /// Whether the first and the second field of the frame show a different picture from the field
    /// before each.
    pub new_picture: [bool; 2],
    /// Confidence in percent, 0 to 100: ten times the z-score, in sigmas, of the combing that
    /// decided. 0 is a guess, 25 just visible, 40 significant.
    pub confidence: u8,
    /// The evidence.
    pub reason: Reason,
    /// How the fields around this frame are blended; none if they are not, or if it was not looked
    /// for ([`DetectorBuilder::seek_blends`](crate::DetectorBuilder::seek_blends)).
    pub blend: Option<Blend>,
}

impl Decision {
    /// The scan of the frame: progressive, or its field order.
    pub fn scan(&self) -> Scan {
        scan(self.content, self.field_order)
    }
}

/// The start of a clip: the first content within the look-ahead
/// ([`Detector::LOOK_AHEAD`](crate::Detector::LOOK_AHEAD)) that is not undetermined. A caller that
/// must fix an output rate or build a stream before the first decision uses this. Later frames may
/// differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClipStart {
    /// The kind of material.
    pub content: Content,
    /// The pulldown pattern, if one matches.
    pub pulldown: Option<Pulldown>,
    /// The field order: the one in which the frames comb less, else that of film, else that of the
    /// flags, else top field first.
    pub field_order: FieldOrder,
    /// Confidence in percent, as in [`Decision::confidence`].
    pub confidence: u8,
    /// The evidence.
    pub reason: Reason,
}

impl ClipStart {
    /// The scan of the first frames: progressive, or their field order.
    pub fn scan(&self) -> Scan {
        scan(self.content, self.field_order)
    }

    /// Whether the pictures determine the content: the reason is neither [`Reason::Flags`] nor
    /// [`Reason::Undetermined`].
    pub fn is_determined(&self) -> bool {
        !matches!(self.reason, Reason::Flags | Reason::Undetermined)
    }
}

fn scan(content: Content, order: FieldOrder) -> Scan {
    if content == Content::Progressive { Scan::Progressive } else { order.into() }
}

/// The flags of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlagHint {
    /// There are none.
    Unknown,
    Progressive,
    Interlaced(FieldOrder),
}

impl FlagHint {
    pub fn is_progressive(self) -> bool {
        self == FlagHint::Progressive
    }

    /// The field order of interlaced frames.
    pub fn field_order(self) -> Option<FieldOrder> {
        if let FlagHint::Interlaced(order) = self { Some(order) } else { None }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for mode in [FieldMatching::Off, FieldMatching::Pattern, FieldMatching::Always] {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        assert_eq!([FieldMatching::Off, FieldMatching::Always].map(|mode| mode.to_string()), ["off", "reconstruct"]);
        assert!("pattern".parse::<FieldMatching>().is_err());
    }

    #[test]
    fn only_pictures_determine_the_start() {
        let start = |reason| ClipStart {
            content: Content::Progressive,
            pulldown: None,
            field_order: FieldOrder::TopFirst,
            confidence: 0,
            reason,
        };
        assert!(start(Reason::PatternMatched).is_determined() && start(Reason::Combing).is_determined());
        assert!(!start(Reason::Flags).is_determined() && !start(Reason::Undetermined).is_determined());
    }
}
