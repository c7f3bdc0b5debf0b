//! The extent of the detection in a conversion, and the reasons why it does no field matching.
use super::options::{DeinterlaceMode, FieldOrderMode, MatchSource, Options, OutputRate};
use crate::detect::FieldMatching;
use crate::error::{Error, OptionConflict};
use crate::format::{FieldOrder, Interlacing, Scan};
use std::fmt;

/// The extent of the detection in a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DetectionNeeds {
    /// The field matching.
    pub field_matching: FieldMatching,
    /// The field order, if the options or the header define it; none if the detector finds it.
    pub field_order: Option<FieldOrder>,
    /// Whether the decisions select the frames that are deinterlaced.
    pub content: bool,
    /// Whether fields are woven with the field matches of the decisions.
    pub weaves: bool,
    /// Whether frames that do not comb are kept whole.
    pub whole_frames: bool,
}

impl DetectionNeeds {
    /// The extent of the default options: the detector finds pulldown patterns, the field order and
    /// the content of each frame.
    pub fn all() -> DetectionNeeds {
        DetectionNeeds {
            field_matching: FieldMatching::Pattern,
            field_order: None,
            content: true,
            weaves: true,
            whole_frames: false,
        }
    }

    /// The extent for these options; none if no picture is analysed.
    pub(super) fn new(options: &Options) -> Option<DetectionNeeds> {
        if options.deinterlace == DeinterlaceMode::Off || !options.format.has_fields() {
            return None;
        }
        let whole_frames = options.deinterlace == DeinterlaceMode::Combed;
        let matching = Options { field_matching: FieldMatching::Pattern, ..options.clone() };
        let matches = if whole_frames { NoFieldMatching::of(&matching) } else { NoFieldMatching::of(options) };
        let weaves = matches.is_none();
        let field_matching = options.field_matching;
        let needs = DetectionNeeds { field_matching, field_order: None, content: false, weaves, whole_frames };
        let ordered = |order: FieldOrder| DetectionNeeds { field_order: Some(order), ..needs };
        match (options.field_order, options.deinterlace, options.interlacing.scan()) {
            (FieldOrderMode::Auto, DeinterlaceMode::Auto | DeinterlaceMode::Combed, _) => {
                let content = options.match_source == MatchSource::Detector;
                Some(DetectionNeeds { content, weaves: content, ..needs })
            }
            (_, DeinterlaceMode::Flagged, None | Some(Scan::Progressive)) => None,
            (FieldOrderMode::Auto, ..) => Some(needs),
            (FieldOrderMode::Progressive, ..) => None,
            (FieldOrderMode::TopFirst, ..) => Some(ordered(FieldOrder::TopFirst)),
            (FieldOrderMode::BottomFirst, ..) => Some(ordered(FieldOrder::BottomFirst)),
            (FieldOrderMode::Flags, _, declared) => declared.and_then(Scan::field_order).map(ordered),
        }
        // With a known order and without field matching there is nothing to detect.
        .filter(|needs| needs.field_order.is_none() || needs.weaves)
    }
}

/// The reason why a conversion does no field matching. `Display` is a clause such as "deinterlacing
/// is off".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoFieldMatching {
    /// [`FieldMatching::Off`].
    Off,
    /// [`MatchSource::Caller`].
    CallerMatches,
    /// [`DeinterlaceMode::Off`].
    DeinterlaceOff,
    /// [`FieldOrderMode::Progressive`].
    OrderProgressive,
    /// Frames of this format cannot consist of fields.
    NoFields,
    /// [`FieldOrderMode::Flags`], and the clip declares no scan.
    OrderUndeclared,
    /// [`FieldOrderMode::Flags`], and the clip declares progressive frames.
    DeclaredProgressive,
    /// [`FieldOrderMode::Flags`], and each frame has flags of its own.
    MixedFlags,
    /// [`DeinterlaceMode::Flagged`], and the clip declares no scan.
    FlaggedUndeclared,
    /// [`DeinterlaceMode::Flagged`], and the clip declares progressive frames.
    FlaggedProgressive,
    /// [`DeinterlaceMode::Flagged`], and each frame has flags of its own.
    FlaggedMixed,
}

impl NoFieldMatching {
    /// The reason that follows from the options alone, for any clip; none if field matching is
    /// possible. [`no_field_matching`](super::ConverterBuilder::no_field_matching) of a builder has
    /// the reason for its clip.
    pub fn of_options(
        field_order: FieldOrderMode,
        deinterlace: DeinterlaceMode,
        field_matching: FieldMatching,
        match_source: MatchSource,
    ) -> Option<NoFieldMatching> {
        if field_matching == FieldMatching::Off {
            Some(NoFieldMatching::Off)
        } else if match_source == MatchSource::Caller {
            Some(NoFieldMatching::CallerMatches)
        } else if deinterlace == DeinterlaceMode::Off {
            Some(NoFieldMatching::DeinterlaceOff)
        } else if field_order == FieldOrderMode::Progressive {
            Some(NoFieldMatching::OrderProgressive)
        } else {
            None
        }
    }

    /// The reason for the clip and the options of a conversion; none if it does field matching.
    pub(super) fn of(options: &Options) -> Option<NoFieldMatching> {
        let &Options { field_order, deinterlace, field_matching, match_source, format, interlacing, .. } = options;
        let by_options = NoFieldMatching::of_options(field_order, deinterlace, field_matching, match_source);
        let mixed = interlacing == Interlacing::Mixed;
        by_options.or(match (field_order, deinterlace, interlacing.scan()) {
            _ if !format.has_fields() => Some(NoFieldMatching::NoFields),
            (FieldOrderMode::Flags, _, None) => Some(NoFieldMatching::OrderUndeclared),
            (FieldOrderMode::Flags, _, Some(Scan::Progressive)) => Some(NoFieldMatching::DeclaredProgressive),
            (FieldOrderMode::Flags, ..) if mixed => Some(NoFieldMatching::MixedFlags),
            (_, DeinterlaceMode::Flagged, None) => Some(NoFieldMatching::FlaggedUndeclared),
            (_, DeinterlaceMode::Flagged, Some(Scan::Progressive)) => Some(NoFieldMatching::FlaggedProgressive),
            (_, DeinterlaceMode::Flagged, _) if mixed => Some(NoFieldMatching::FlaggedMixed),
            _ => None,
        })
    }
}

impl Options {
    /// Checks that the other options permit the output rate.
    pub(super) fn check_rate(&self) -> Result<(), Error> {
        match self.rate {
            Some(OutputRate::Film) if NoFieldMatching::of(self).is_some() => {
                Err(Error::Options(OptionConflict::FilmRateWithoutFieldMatching))
            }
            Some(OutputRate::Field) if self.deinterlace == DeinterlaceMode::Off => {
                Err(Error::Options(OptionConflict::FieldRateWithoutDeinterlacing))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for NoFieldMatching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoFieldMatching::Off => "field matching is off",
            NoFieldMatching::CallerMatches => "field matches are given, not detected",
            NoFieldMatching::DeinterlaceOff => "deinterlacing is off",
            NoFieldMatching::OrderProgressive => "the field order is progressive",
            NoFieldMatching::NoFields => "frames of this size have no fields",
            NoFieldMatching::OrderUndeclared | NoFieldMatching::FlaggedUndeclared => "the header has no field order",
            NoFieldMatching::DeclaredProgressive | NoFieldMatching::FlaggedProgressive => {
                "the header declares progressive frames"
            }
            NoFieldMatching::MixedFlags | NoFieldMatching::FlaggedMixed => "the flags of the frames alone decide",
        })
    }
}
