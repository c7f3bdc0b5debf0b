//! The plan of a conversion: the properties of its outputs, which follow from the options, the
//! declared scan and the start of the clip.
use super::frame_queue::DetectedStart;
use super::needs::{DetectionNeeds, NoFieldMatching};
use super::options::{DeinterlaceMode, FieldOrderMode, MatchSource, Options, OutputRate};
use super::survey::Survey;
use crate::detect::{ClipStart, Content, Decision};
use crate::error::Error;
use crate::format::{Format, Interlacing, Scan};

/// The properties of the outputs of a conversion, known before the first output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClipPlan {
    /// The scan of the first frames.
    pub scan: Scan,
    /// Whether all frames are processed as two fields, also the progressive frames among them.
    pub deinterlace: bool,
    /// The extent of the detection; none if no picture is analysed.
    pub detection: Option<DetectionNeeds>,
    /// The start of the clip, if the detector analysed it.
    pub start: Option<ClipStart>,
    /// The survey of the clip from which the rate follows; none if the options or the first frames
    /// define the rate.
    pub survey: Option<Survey>,
    /// The output frame rate.
    pub rate: OutputRate,
    /// The ratio of the film rate to the input rate: output frames, and the input frames in the
    /// same time. (4, 5) for 3:2 film.
    pub film_ratio: (u32, u32),
    /// The same ratio for [`rate`](ClipPlan::rate); (2, 1) at the field rate.
    pub ratio: (u32, u32),
    /// Whether the rate is one output frame per input frame only because the first frames are
    /// undetermined.
    pub unsure: bool,
    /// Whether the flags of each frame define its field order.
    pub mixed_order: bool,
    /// Whether the flags of each frame define its scan: frames flagged as progressive are woven.
    pub mixed_scan: bool,
    /// Whether scaling and sharpening process frames flagged as progressive field by field.
    pub splits_mixed: bool,
    /// Whether frames that are later detected as interlaced can be deinterlaced: their outputs have
    /// the same format.
    pub completes_fields: bool,
    /// Whether all output frames are progressive: deinterlaced, detected as progressive, or output
    /// once per field.
    pub progressive: bool,
    /// Format of the output frames.
    pub output_format: Format,
}

impl ClipPlan {
    /// The plan for a clip with this start; none if nothing is detected or the clip has no frames.
    ///
    /// # Errors
    /// Those of [`Converter::plan`](super::Converter::plan).
    pub(super) fn new(
        options: &Options,
        detection: Option<DetectionNeeds>,
        detected: Option<DetectedStart>,
    ) -> Result<ClipPlan, Error> {
        let &Options { field_order, deinterlace: mode, interlacing, .. } = options;
        // A clip that starts with progressive frames is processed as progressive, unless the rate
        // needs fields, or may need them because film can still follow.
        let start = detected.map(|detected| detected.start);
        let survey = detected.and_then(|detected| detected.survey);
        let matches_fields = NoFieldMatching::of(options).is_none();
        let survey = survey.filter(|_| options.rate.is_none());
        let surveyed = survey.and_then(|survey| survey.rate(options.variable_rate && matches_fields));
        // Without field matching no film is found.
        let surveyed = surveyed.filter(|&rate| rate != OutputRate::Film || matches_fields);
        let wanted = options.rate.or(surveyed);
        let starts_progressive = |start: &ClipStart| {
            let needs_fields = match wanted {
                Some(OutputRate::Field) => true,
                Some(OutputRate::Film) => !start.is_determined(),
                _ => false,
            };
            detection.is_some_and(|needs| needs.content) && start.content == Content::Progressive && !needs_fields
        };
        let declared = interlacing.scan();
        let known = match (field_order, start) {
            // The given order applies only to frames that are flagged as interlaced.
            (FieldOrderMode::TopFirst | FieldOrderMode::BottomFirst, _)
                if mode == DeinterlaceMode::Flagged && !declared.is_some_and(Scan::is_interlaced) =>
            {
                declared
            }
            (FieldOrderMode::TopFirst, _) => Some(Scan::TopFirst),
            (FieldOrderMode::BottomFirst, _) => Some(Scan::BottomFirst),
            (FieldOrderMode::Progressive, _) => Some(Scan::Progressive),
            (FieldOrderMode::Auto, Some(start)) if starts_progressive(&start) => Some(Scan::Progressive),
            (FieldOrderMode::Auto, Some(start)) => Some(start.field_order.into()),
            (FieldOrderMode::Flags | FieldOrderMode::Auto, _) => declared,
        };
        let scan = known.unwrap_or(Scan::Progressive);
        let deinterlace = scan.is_interlaced() && mode != DeinterlaceMode::Off;
        if mode == DeinterlaceMode::On && !deinterlace {
            return Err(Error::NotInterlaced);
        }
        options.check_rate()?;
        let rate = wanted.unwrap_or(if deinterlace { OutputRate::Field } else { OutputRate::Frame });
        let stream = options.stream(scan);
        stream.check()?;
        let content = detection.is_some_and(|needs| needs.content);
        let of_survey = survey.filter(|_| surveyed == Some(OutputRate::Film)).and_then(|survey| survey.film_ratio());
        let of_start = || detected.map_or((1, 1), |detected| film_ratio(&detected, options.frame_rate));
        let film_ratio = of_survey.unwrap_or_else(of_start);
        let ratio = match rate {
            OutputRate::Field => (2, 1),
            OutputRate::Frame => (1, 1),
            OutputRate::Film => film_ratio,
        };
        let mixed = deinterlace && interlacing == Interlacing::Mixed && !detection.is_some_and(|needs| needs.weaves);
        let settings = &stream.settings;
        let filtered = settings.scale.is_some() || settings.sharpen.is_some();
        Ok(ClipPlan {
            scan,
            deinterlace,
            detection,
            start,
            survey: survey.filter(|_| surveyed.is_some()),
            rate,
            film_ratio,
            ratio,
            unsure: wanted.is_none() && start.is_some_and(|start| starts_progressive(&start) && !start.is_determined()),
            mixed_order: mixed && matches!(field_order, FieldOrderMode::Flags | FieldOrderMode::Auto),
            mixed_scan: mixed && options.match_source == MatchSource::Detector,
            splits_mixed: settings.is_scaled_by_fields() && filtered && interlacing == Interlacing::Mixed,
            completes_fields: deinterlace
                || content && options.stream(Scan::TopFirst).output_format() == options.stream(Scan::Progressive).output_format(),
            progressive: deinterlace || content || rate == OutputRate::Field,
            output_format: stream.output_format(),
        })
    }

    /// Whether the decisions define content or field matches, and not only the field order.
    pub fn follows_decisions(&self) -> bool {
        self.detection.is_some_and(|needs| needs.content || needs.weaves)
    }

    /// The scan with which a frame is processed. A progressive frame counts as two fields if the
    /// plan deinterlaces all frames. If deinterlaced frames would have another format than the
    /// others, no frame is deinterlaced.
    pub(super) fn scan_of(&self, decision: &Decision) -> Scan {
        match decision.scan() {
            _ if self.deinterlace => decision.field_order.into(),
            scan if self.completes_fields => scan,
            _ => Scan::Progressive,
        }
    }

    /// Duration of an output frame at a constant rate, in quarters of the duration of an input
    /// frame. A ratio of 0 output frames counts as one of 1.
    pub fn duration(&self) -> u64 {
        4 * u64::from(self.ratio.1) / u64::from(self.ratio.0.max(1))
    }
}

/// The ratio of the film rate to the input rate `rate`. If the first frames are undetermined, a
/// clip of about 30 frames per second is assumed to be film of 24; at other rates each input frame
/// is a film frame.
fn film_ratio(detected: &DetectedStart, rate: Option<(u32, u32)>) -> (u32, u32) {
    // 29.5 to 30.5 frames per second: 30 and 30000/1001 with a margin for rounded rates in headers.
    // A wider range would drop frames of 25 Hz clips that start undetermined.
    let thirty = |(num, den): (u32, u32)| (59 * u64::from(den)..=61 * u64::from(den)).contains(&(2 * u64::from(num)));
    match detected.start {
        ClipStart { pulldown: Some(pulldown), .. } => pulldown.ratio(),
        start if !start.is_determined() || detected.late => rate.filter(|&rate| thirty(rate)).map_or((1, 1), |_| (4, 5)),
        ClipStart { content: Content::Interlaced | Content::Film, .. } => (2, 1),
        _ => (1, 1),
    }
}
