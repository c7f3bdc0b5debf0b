//! The plan of a conversion: the properties of its outputs, from the options, the declared scan and the beginning of the clip.
use super::lookahead::ClipBeginning;
use super::needs::{DetectionNeeds, NoFieldMatching};
use super::options::{DeinterlaceMode, FieldOrderMode, MatchSource, Options, OutputRate};
use crate::detect::{ClipStart, Content, Decision};
use crate::error::Error;
use crate::format::{Format, Interlacing, Scan};

/// The properties of the outputs, known before the first one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClipPlan {
    /// The scan of the first frames.
    pub scan: Scan,
    /// Whether frames are treated as fields, with progressive frames among them.
    pub deinterlace: bool,
    /// The detection that is done; none if no picture is analysed.
    pub detection: Option<DetectionNeeds>,
    /// The beginning of the clip, if it was detected.
    pub beginning: Option<ClipBeginning>,
    /// The output frame rate.
    pub rate: OutputRate,
    /// Output frames in so many input frames, were the rate that of film.
    pub film_ratio: (u32, u32),
    /// Output frames in so many input frames.
    pub ratio: (u32, u32),
    /// Whether the rate is one output frame per input frame only because the first frames are undetermined.
    pub unsure: bool,
    /// Whether each frame's flags say its field order.
    pub mixed_order: bool,
    /// Whether frames are treated as their flags say: those flagged as progressive are woven.
    pub mixed_scan: bool,
    /// Whether frames flagged as progressive are scaled or sharpened field by field all the same.
    pub splits_mixed: bool,
    /// Whether fields that are detected later are completed to frames like the others.
    pub completes_fields: bool,
    /// Whether all output frames are progressive: made so, detected as such, or written for two fields each.
    pub progressive: bool,
    /// Format of the output frames.
    pub output_format: Format,
}

impl ClipPlan {
    /// The plan for a clip that begins like this; none if nothing is detected or the clip has no frames.
    pub(super) fn new(
        options: &Options,
        detection: Option<DetectionNeeds>,
        beginning: Option<ClipBeginning>,
    ) -> Result<ClipPlan, Error> {
        let &Options { field_order, deinterlace: mode, interlacing, .. } = options;
        // Progressive frames are not treated as fields, unless the rate needs fields, or film that may yet come.
        let alone = |beginning: &ClipBeginning| {
            let wanted = match options.rate {
                Some(OutputRate::Field) => true,
                Some(OutputRate::Film) => !beginning.determined,
                _ => false,
            };
            detection.is_some_and(|needs| needs.content) && beginning.start.content == Content::Progressive && !wanted
        };
        let declared = interlacing.scan();
        let known = match (field_order, beginning) {
            // The order is that of frames that are flagged as interlaced, and of no other.
            (FieldOrderMode::TopFirst | FieldOrderMode::BottomFirst, _)
                if mode == DeinterlaceMode::Flagged && !declared.is_some_and(Scan::is_interlaced) =>
            {
                declared
            }
            (FieldOrderMode::TopFirst, _) => Some(Scan::TopFirst),
            (FieldOrderMode::BottomFirst, _) => Some(Scan::BottomFirst),
            (FieldOrderMode::Progressive, _) => Some(Scan::Progressive),
            (FieldOrderMode::Auto, Some(beginning)) if alone(&beginning) => Some(Scan::Progressive),
            (FieldOrderMode::Auto, Some(beginning)) => Some(beginning.start.field_order.into()),
            (FieldOrderMode::Flags | FieldOrderMode::Auto, _) => declared,
        };
        let scan = known.unwrap_or(Scan::Progressive);
        let deinterlace = scan.is_interlaced() && mode != DeinterlaceMode::Off;
        if mode == DeinterlaceMode::On && !deinterlace {
            return Err(Error::NotInterlaced);
        }
        match options.rate {
            Some(OutputRate::Film) if NoFieldMatching::of(options).is_some() => {
                return Err(Error::Options { why: "the film rate needs field matching" });
            }
            Some(OutputRate::Field) if mode == DeinterlaceMode::Off => {
                return Err(Error::Options { why: "the field rate needs deinterlacing" });
            }
            _ => {}
        }
        let rate = options.rate.unwrap_or(if deinterlace { OutputRate::Field } else { OutputRate::Frame });
        let stream = options.stream(scan);
        stream.check()?;
        let content = detection.is_some_and(|needs| needs.content);
        let film_ratio = beginning.map_or((1, 1), |beginning| film_ratio(&beginning, options.frame_rate));
        let ratio = match rate {
            OutputRate::Field => (2, 1),
            OutputRate::Frame => (1, 1),
            OutputRate::Film => film_ratio,
        };
        let mixed = deinterlace && interlacing == Interlacing::Mixed && !detection.is_some_and(|needs| needs.weaves);
        let settings = &stream.settings;
        let finished = settings.scale.is_some() || settings.sharpen.is_some();
        Ok(ClipPlan {
            scan,
            deinterlace,
            detection,
            beginning,
            rate,
            film_ratio,
            ratio,
            unsure: options.rate.is_none() && beginning.is_some_and(|beginning| alone(&beginning) && !beginning.determined),
            mixed_order: mixed && matches!(field_order, FieldOrderMode::Flags | FieldOrderMode::Auto),
            mixed_scan: mixed && options.match_source == MatchSource::Detector,
            splits_mixed: settings.is_scaled_by_fields() && finished && interlacing == Interlacing::Mixed,
            completes_fields: deinterlace
                || content && options.stream(Scan::TopFirst).output_format() == options.stream(Scan::Progressive).output_format(),
            progressive: deinterlace || content || rate == OutputRate::Field,
            output_format: stream.output_format(),
        })
    }

    /// Whether the detector decides about content or matches, and not only about the field order.
    pub fn follows_decisions(&self) -> bool {
        self.detection.is_some_and(|needs| needs.content || needs.weaves)
    }

    /// The scan that a frame is processed with: fields, but progressive frames are not deinterlaced where the plan says so. If fields cannot
    /// become frames like the others, no frame is deinterlaced.
    pub(super) fn scan_of(&self, decision: &Decision) -> Scan {
        match decision.scan() {
            _ if self.deinterlace => decision.field_order.into(),
            scan if self.completes_fields => scan,
            _ => Scan::Progressive,
        }
    }

    /// Duration of an output frame at a constant rate, in quarters of an input frame.
    pub fn duration(&self) -> u64 {
        4 * u64::from(self.ratio.1) / u64::from(self.ratio.0)
    }
}

/// Film frames in so many input frames, of which `rate` come a second. If the first frames are undetermined, clips of about 30 frames
/// per second are expected to hold film of 24; at other rates each frame is a film frame.
fn film_ratio(beginning: &ClipBeginning, rate: Option<(u32, u32)>) -> (u32, u32) {
    // From 29.5 to 30.5.
    let thirty = |(num, den): (u32, u32)| (59 * u64::from(den)..=61 * u64::from(den)).contains(&(2 * u64::from(num)));
    match beginning.start {
        ClipStart { pulldown: Some(pulldown), .. } => pulldown.ratio(),
        _ if !beginning.determined || beginning.late => rate.filter(|&rate| thirty(rate)).map_or((1, 1), |_| (4, 5)),
        ClipStart { content: Content::Interlaced | Content::Film, .. } => (2, 1),
        _ => (1, 1),
    }
}
