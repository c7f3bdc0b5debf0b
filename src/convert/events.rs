//! Results of a conversion.
use crate::adapt::denoise::DenoiseState;
use crate::deinterlace::PixelSources;
use crate::detect::{Content, Decision, Pulldown};
use crate::field_match::{CombMask, FieldMatch};
use crate::format::Scan;
use crate::frame::{Frame, UserData};
use crate::luma::LumaStatistics;
use crate::memory::OutOfMemory;
use crate::pipeline::{Maps, Statistics};
use std::sync::Arc;

/// A captured output with the state of the step that computed it, from
/// [`Converter::take_captured`](super::Converter::take_captured).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Captured {
    /// The picture.
    pub frame: Frame,
    /// The scan with which the stream processed the frame.
    pub scan: Scan,
    /// The maps of the step. None if the engine has no maps, or if the output is not one of its
    /// last step (it was delayed or comes from a flush).
    pub maps: Option<Maps>,
    /// The regions that are deinterlaced although the output is woven. None if there are no maps or
    /// the conversion follows no decisions.
    pub comb_mask: Option<CombMask>,
}

/// The report of a processed frame. With denoising along motion
/// ([`StreamBuilder::denoise_motion`](crate::StreamBuilder::denoise_motion)) a frame is processed
/// when the next one is, and the last one at the end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepReport {
    /// The number of the frame in the clip, from 0.
    pub number: u64,
    /// The decision of the detector, if the conversion follows it.
    pub decision: Option<Arc<Decision>>,
    /// The statistics of the step, if they are on.
    pub statistics: Option<Statistics>,
    /// A notice for the user; each kind at most once per conversion.
    pub notice: Option<Notice>,
    /// The number of outputs of the step, which follow as events before the next report. Those of
    /// the end of the stream, which can follow them, do not count.
    pub outputs: usize,
}

/// A fact about the clip that a program reports to its user.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A frame contradicts the declared scan, or has fields although the default rate is one output
    /// frame per input frame, because the start of the clip is undetermined.
    Contradiction {
        /// The declared scan, if the frame contradicts it.
        declared: Option<Scan>,
        /// The detected kind of material.
        content: Content,
        /// The pulldown pattern, if one was found.
        pulldown: Option<Pulldown>,
        /// The detected scan.
        scan: Scan,
        /// Whether the frame has fields although the rate is one output frame per input frame.
        at_frame_rate: bool,
    },
    /// The frames from this one on are interlaced, and the default rate, which follows from other
    /// frames, has fewer outputs than they have fields. Motion is lost.
    MotionLost {
        /// The number of the first of the frames.
        first: u64,
    },
    /// The frames from this one on are film with repeated fields, and the default rate, which
    /// follows from other frames, is one output per frame. Pictures are repeated.
    FilmRepeated {
        /// The number of the first of the frames.
        first: u64,
        /// The pulldown pattern of the film.
        pulldown: Pulldown,
    },
    /// A frame is flagged as progressive, but it is scaled or sharpened field by field.
    ProgressiveSplit,
}

/// An output of a conversion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// The picture.
    pub frame: Frame,
    /// The number of the output, from 0. At the field rate it counts the fields of the clip, at the
    /// frame rate its frames, at the film rate the outputs.
    pub number: u64,
    /// The field of the input that it shows: fields 2N and 2N + 1 belong to frame N, the earlier
    /// one first.
    pub field: u64,
    /// Presentation time in quarters of the duration of an input frame, from the first frame of the
    /// clip.
    pub time: u64,
    /// Duration in the same unit.
    pub duration: u64,
    /// The decision about the frame of the field, if the conversion follows it.
    pub decision: Option<Arc<Decision>>,
    /// The source of the lines that the field does not have (§3.8).
    pub field_match: FieldMatch,
    /// How the pixels of these lines were computed; none for progressive frames and without
    /// statistics.
    pub sources: Option<PixelSources>,
    /// The denoise filter of the luma; none if it is off.
    pub denoise: Option<DenoiseState>,
    /// The denoise filter of the chroma; none if it is off.
    pub denoise_chroma: Option<DenoiseState>,
    /// The luma statistics of the output (§8.3), if they are on.
    pub luma: Option<LumaStatistics>,
    /// The user data of the frame of the field.
    pub user_data: Option<UserData>,
}

impl Converted {
    /// A copy for a repeated output.
    pub(super) fn try_clone(&self) -> Result<Converted, OutOfMemory> {
        // The small members are cloned; the samples of the frame are copied.
        let Converted { number, field, time, duration, field_match, .. } = *self;
        Ok(Converted {
            frame: self.frame.try_clone()?,
            number,
            field,
            time,
            duration,
            decision: self.decision.clone(),
            field_match,
            sources: self.sources,
            denoise: self.denoise.clone(),
            denoise_chroma: self.denoise_chroma.clone(),
            luma: self.luma.clone(),
            user_data: self.user_data.clone(),
        })
    }
}

/// A result of a conversion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A frame was processed. Its [`outputs`](StepReport::outputs) follow.
    Step(Box<StepReport>),
    /// An output.
    Output(Box<Converted>),
}
