//! Results of a conversion.
use crate::adapt::denoise::DenoiseState;
use crate::deinterlace::PixelSources;
use crate::detect::{Content, Decision, Pulldown};
use crate::field_match::{CombMask, FieldMatch};
use crate::format::Scan;
use crate::frame::{Frame, UserData};
use crate::luma::LumaStatistics;
use crate::pipeline::{Maps, Statistics};
use std::sync::Arc;

/// An output with the state of the step that made it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Captured {
    /// The picture.
    pub frame: Frame,
    /// The scan of its segment.
    pub scan: Scan,
    /// Maps of the step, if the engine makes them and the output was made by a step.
    pub maps: Option<Maps>,
    /// The regions of the output that were deinterlaced although it is woven, under the same condition.
    pub comb_mask: Option<CombMask>,
}

/// A frame that was processed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepReport {
    /// Number of the frame.
    pub number: u64,
    /// The decision, if the conversion follows it.
    pub decision: Option<Arc<Decision>>,
    /// Statistics of the step, if they are made.
    pub statistics: Option<Statistics>,
    /// Something that the user should know, once per conversion.
    pub notice: Option<Notice>,
    /// Outputs of the step, which follow as events.
    pub outputs: usize,
}

/// Something that the user of a conversion should know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A frame is not as declared, or has fields although one frame is output per input frame because the clip's beginning is undetermined.
    Contradiction {
        /// The declared scan, if the frame contradicts it.
        declared: Option<Scan>,
        /// The kind of material.
        content: Content,
        /// The pulldown pattern, if one was found.
        pulldown: Option<Pulldown>,
        /// The detected scan.
        scan: Scan,
        /// Whether the frame has fields although one frame is output per input frame.
        at_frame_rate: bool,
    },
    /// A frame is flagged as progressive, but scaled or sharpened field by field.
    ProgressiveSplit,
}

/// An output of a conversion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// The picture.
    pub frame: Frame,
    /// Number of the output. It counts fields or frames from the first frame of the clip at the field and the frame rate, and
    /// outputs at the film rate.
    pub number: u64,
    /// The field of the input that it shows: fields 2N and 2N + 1 belong to frame N.
    pub field: u64,
    /// Presentation time in quarters of an input frame's duration, from the first frame of the clip.
    pub time: u64,
    /// Duration in the same unit.
    pub duration: u64,
    /// The decision about the frame that the field belongs to, if the conversion follows it.
    pub decision: Option<Arc<Decision>>,
    /// The source of its missing lines (§3.8).
    pub field_match: FieldMatch,
    /// Sources of the pixels of its missing lines, if it has missing lines and statistics are made.
    pub sources: Option<PixelSources>,
    /// The denoise filter of the luma of the field; none with denoise off.
    pub denoise: Option<DenoiseState>,
    /// The denoise filter of the chroma of the field; none with chroma denoise off.
    pub denoise_chroma: Option<DenoiseState>,
    /// Statistics of its luma, if these are on.
    pub luma: Option<LumaStatistics>,
    /// The caller's data of the frame that the field belongs to.
    pub user_data: Option<UserData>,
}

/// A result of a conversion.
#[derive(Clone, Debug)]
pub enum Event {
    /// A frame was processed. Its outputs follow.
    Step(Box<StepReport>),
    /// An output.
    Output(Box<Converted>),
}
