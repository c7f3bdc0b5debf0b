//! The queue of frames whose decisions need the frames after them.
use super::needs::DetectionNeeds;
use crate::detect::{ClipStart, Decision, Detector, Reason};
use crate::error::Error;
use crate::field_match::FieldMatches;
use crate::format::{Format, FrameFlags, Interlacing, Scan};
use crate::frame::{Frame, UserData};
use crate::memory::reserve_one;
use dndi_simd::SimdLevel;
use std::collections::VecDeque;

/// A frame of a clip with its flags, field matches and user data. A [`Frame`] alone converts to it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ClipFrame {
    /// The picture.
    pub frame: Frame,
    /// Its interlacing flags, which count only if the clip is [`Interlacing::Mixed`].
    pub flags: FrameFlags,
    /// Its field matches (§3.8), which count only with
    /// [`MatchSource::Caller`](super::MatchSource::Caller).
    pub matches: FieldMatches,
    /// Data of the caller. The outputs of the frame carry it.
    pub user_data: Option<UserData>,
}

impl ClipFrame {
    /// A frame without flags, matches and user data.
    pub fn new(frame: Frame) -> ClipFrame {
        ClipFrame { frame, ..ClipFrame::default() }
    }

    /// Sets the interlacing flags.
    #[must_use]
    pub fn flags(self, flags: FrameFlags) -> ClipFrame {
        ClipFrame { flags, ..self }
    }

    /// Sets the field matches.
    #[must_use]
    pub fn matches(self, matches: FieldMatches) -> ClipFrame {
        ClipFrame { matches, ..self }
    }

    /// Sets the user data.
    #[must_use]
    pub fn user_data(self, data: UserData) -> ClipFrame {
        ClipFrame { user_data: Some(data), ..self }
    }
}

impl From<Frame> for ClipFrame {
    fn from(frame: Frame) -> ClipFrame {
        ClipFrame::new(frame)
    }
}

/// A frame with the decision of the detector about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DecidedFrame {
    /// The frame.
    pub clip: ClipFrame,
    /// The decision; none without detection.
    pub decision: Option<Decision>,
    /// The scan that the clip or the flags of the frame declare; none if nothing is declared.
    pub declared: Option<Scan>,
}

/// The start of a clip, as far as the look-ahead holds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning {
    /// The content, order and pattern of the first frames that are not undetermined.
    pub start: ClipStart,
    /// Whether the first determined frames are so late in the look-ahead that a pulldown pattern
    /// may still be found after it.
    pub late: bool,
}

impl Beginning {
    fn new(start: ClipStart, first: Option<&Decision>) -> Beginning {
        let measured = |decision: &Decision| matches!(decision.reason, Reason::PatternMatched | Reason::Combing);
        // Uncorrelated fields are found over several frames, none of which has a measured decision
        // of its own.
        let late = start.reason == Reason::Combing && start.confidence > 0 && !first.is_some_and(measured);
        Beginning { start, late }
    }
}

/// Pairs frames with their decisions: [`push`](Lookahead::push) frames, [`pull`](Lookahead::pull)
/// decided frames, and call [`finish`](Lookahead::finish) after the last frame. It holds
/// [`Detector::LOOK_AHEAD`] frames and one more; none without detection.
#[derive(Debug)]
pub(super) struct Lookahead {
    interlacing: Interlacing,
    detector: Option<Detector>,
    waiting: VecDeque<ClipFrame>,
    /// The decision about the first frame, if the detector made it before the frame was pulled.
    first: Option<Decision>,
    beginning: Option<Beginning>,
    ended: bool,
}

impl Lookahead {
    /// A queue for frames of `format`, of a clip that declares `interlacing`. `needs` is the extent
    /// of the detection; none detects nothing. `level` is the instruction set of the detector; none
    /// uses that of the environment variable `DNDI_LEVEL`, else the best of the processor.
    ///
    /// # Errors
    /// Those of [`DetectorBuilder::build`](crate::DetectorBuilder::build).
    pub fn new(
        format: Format,
        interlacing: Interlacing,
        needs: Option<DetectionNeeds>,
        level: Option<SimdLevel>,
    ) -> Result<Lookahead, Error> {
        let detector = needs.map(|needs| {
            let builder = Detector::builder(format).field_matching(needs.field_matching);
            builder.field_order(needs.field_order).simd_level(level).build()
        });
        let detector = detector.transpose()?;
        Ok(Lookahead { interlacing, detector, waiting: VecDeque::new(), first: None, beginning: None, ended: false })
    }

    /// Takes the next frame.
    ///
    /// # Errors
    /// [`Error::Plane`] if the detector analyses the frame and its luma plane does not have the
    /// format, [`Error::Ended`] after [`finish`](Lookahead::finish), [`Error::OutOfMemory`].
    pub fn push(&mut self, clip: ClipFrame) -> Result<(), Error> {
        if self.ended {
            return Err(Error::Ended);
        }
        reserve_one(&mut self.waiting)?;
        if let Some(detector) = &mut self.detector {
            detector.push(clip.frame.planes()[0], self.interlacing.frame_scan(clip.flags))?;
        }
        self.waiting.push_back(clip);
        Ok(())
    }

    /// The number of frames that were pushed and not pulled.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Ends the clip: all frames that are held can be pulled.
    pub fn finish(&mut self) {
        self.ended = true;
        if let Some(detector) = &mut self.detector {
            detector.finish();
        }
    }

    /// Whether [`finish`](Lookahead::finish) was called.
    pub fn is_finished(&self) -> bool {
        self.ended
    }

    /// The start of the clip, as soon as the first frame can be pulled; none before, without
    /// detection, and for a clip without frames.
    pub fn beginning(&mut self) -> Option<Beginning> {
        if self.beginning.is_none()
            && let Some(detector) = &mut self.detector
            && let Some(start) = detector.clip_start()
        {
            self.first = detector.pull();
            self.beginning = Some(Beginning::new(start, self.first.as_ref()));
        }
        self.beginning
    }

    /// Whether the value of [`beginning`](Lookahead::beginning) is final.
    pub fn knows_start(&mut self) -> bool {
        self.detector.is_none() || self.ended || self.beginning().is_some()
    }

    /// The next frame with its decision, in the order of [`push`](Lookahead::push); none until the
    /// detector has the frames after it, or [`finish`](Lookahead::finish) was called.
    pub fn pull(&mut self) -> Option<DecidedFrame> {
        self.beginning();
        let decision = match &mut self.detector {
            Some(detector) => Some(self.first.take().or_else(|| detector.pull())?),
            None => None,
        };
        let clip = self.waiting.pop_front()?;
        let declared = self.interlacing.frame_scan(clip.flags);
        Some(DecidedFrame { clip, decision, declared })
    }
}
