//! Frames that wait for their decision, which needs frames after them.
use super::needs::DetectionNeeds;
use crate::detect::{ClipStart, Decision, Detector, Reason};
use crate::error::Error;
use crate::field_match::FieldMatches;
use crate::format::{Format, FrameFlags, Interlacing, Scan};
use crate::frame::{Frame, UserData};
use dndi_simd::SimdLevel;
use std::collections::VecDeque;

/// A frame of a clip with what is known about it. A [`Frame`] alone converts to it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ClipFrame {
    /// The picture.
    pub frame: Frame,
    /// Its interlacing flags, which count in a mixed clip.
    pub flags: FrameFlags,
    /// Its field matches, which count with [`MatchSource::Caller`](super::MatchSource::Caller).
    pub matches: FieldMatches,
    /// Data of the caller's that the outputs made of it carry.
    pub user_data: Option<UserData>,
}

impl ClipFrame {
    /// A frame without flags.
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

    /// Sets the data of the caller's.
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

/// A frame with the decision about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DecidedFrame {
    /// The frame.
    pub clip: ClipFrame,
    /// The decision; none if nothing is detected.
    pub decision: Option<Decision>,
    /// The scan that the flags declare, if they do.
    pub declared: Option<Scan>,
}

/// The beginning of a clip.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ClipBeginning {
    /// The decision about the first frames that are not undetermined.
    pub start: ClipStart,
    /// Whether there are such frames within the look-ahead.
    pub determined: bool,
    /// Whether they come so late that a pulldown pattern may yet be found.
    pub late: bool,
}

impl ClipBeginning {
    fn new(start: ClipStart, first: Option<&Decision>) -> ClipBeginning {
        let measured = |decision: &Decision| matches!(decision.reason, Reason::PatternMatched | Reason::Combing);
        // Fields without anything in common are found over several frames, none of which is measured as such.
        let late = start.reason == Reason::Combing && start.confidence > 0 && !first.is_some_and(measured);
        ClipBeginning { start, determined: !matches!(start.reason, Reason::Flags | Reason::Undetermined), late }
    }
}

/// Pairs frames with their decisions: [`push`](Lookahead::push) frames, [`pull`](Lookahead::pull) them decided, at the end
/// [`finish`](Lookahead::finish). It holds [`Detector::LOOK_AHEAD`] frames and one more; none if nothing is detected.
#[derive(Debug)]
pub struct Lookahead {
    interlacing: Interlacing,
    detector: Option<Detector>,
    waiting: VecDeque<ClipFrame>,
    /// The decision about the first frame, if it was made before the frame was pulled.
    first: Option<Decision>,
    beginning: Option<ClipBeginning>,
    ended: bool,
}

impl Lookahead {
    /// For frames of `format` of a clip that declares `interlacing`. `needs` is the extent of the detection; none detects nothing.
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
            let mut builder = Detector::builder(format).field_matching(needs.field_matching);
            if let Some(order) = needs.field_order {
                builder = builder.field_order(order);
            }
            if let Some(level) = level {
                builder = builder.simd_level(level);
            }
            builder.build()
        });
        let detector = detector.transpose()?;
        Ok(Lookahead { interlacing, detector, waiting: VecDeque::new(), first: None, beginning: None, ended: false })
    }

    /// Takes the next frame.
    ///
    /// # Errors
    /// [`Error::Plane`] if the frame does not hold its format, [`Error::Ended`] after [`finish`](Lookahead::finish).
    pub fn push(&mut self, clip: ClipFrame) -> Result<(), Error> {
        if self.ended {
            return Err(Error::Ended);
        }
        if let Some(detector) = &mut self.detector {
            detector.push(clip.frame.planes()[0], self.interlacing.frame_scan(clip.flags))?;
        }
        self.waiting.push_back(clip);
        Ok(())
    }

    /// No more frames follow; all that are held can be pulled.
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

    /// The beginning of the clip, once the first frame can be pulled; none if nothing is detected or there is no frame.
    pub fn beginning(&mut self) -> Option<ClipBeginning> {
        if self.beginning.is_none()
            && let Some(detector) = &mut self.detector
            && let Some(start) = detector.clip_start()
        {
            self.first = detector.pull();
            self.beginning = Some(ClipBeginning::new(start, self.first.as_ref()));
        }
        self.beginning
    }

    /// Whether [`beginning`](Lookahead::beginning) has its final value.
    pub fn knows_beginning(&mut self) -> bool {
        self.detector.is_none() || self.ended || self.beginning().is_some()
    }

    /// The next frame whose decision is made.
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
