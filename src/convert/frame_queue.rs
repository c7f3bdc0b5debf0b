//! The queue of frames whose decisions need the frames after them.
use super::needs::DetectionNeeds;
use super::packed_frame::{FramePacker, PackedFrame};
use super::survey::Survey;
use crate::detect::{ClipStart, Decision, Detector, Reason};
use crate::error::Error;
use crate::field_match::FieldMatches;
use crate::format::{Format, FrameFlags, Interlacing, Scan};
use crate::frame::{Frame, UserData};
use crate::memory::{OutOfMemory, reserve_one};
use dndi_simd::{Kernels, SimdLevel};
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

/// The start of a clip as the detector found it, from
/// [`Converter::detected_start`](super::Converter::detected_start). The plan of the conversion
/// follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectedStart {
    /// The content, order and pattern of the first frames that are not undetermined.
    pub(super) start: ClipStart,
    /// Whether the first determined frames are so late in the look-ahead that a pulldown pattern
    /// may still be found after it.
    pub(super) late: bool,
    /// The survey of the whole clip, if there was one.
    pub(super) survey: Option<Survey>,
}

impl DetectedStart {
    fn new(start: ClipStart, first: Option<&Decision>, survey: Option<Survey>) -> DetectedStart {
        let measured =
            |decision: &Decision| matches!(decision.reason, Reason::PatternMatched | Reason::Combing | Reason::Blended);
        // Uncorrelated fields are found over several frames, none of which has a measured decision
        // of its own.
        let late = start.reason == Reason::Combing && start.confidence > 0 && !first.is_some_and(measured);
        DetectedStart { start, late, survey }
    }
}

/// A frame that waits for its decision.
#[derive(Debug)]
struct WaitingFrame {
    clip: ClipFrame,
    /// The samples, if they are packed; the frame of `clip` is empty then.
    packed: Option<PackedFrame>,
}

/// Pairs frames with their decisions: [`push`](FrameQueue::push) frames, [`pull`](FrameQueue::pull)
/// decided frames, and call [`finish`](FrameQueue::finish) after the last frame. It holds
/// [`Detector::LOOK_AHEAD`] frames and one more; none without detection. Frames of 9 to 15 bits
/// wait packed, except for one.
#[derive(Debug)]
pub(super) struct FrameQueue {
    interlacing: Interlacing,
    detector: Option<Detector>,
    /// Packs the frames that wait; none if their samples have no unused bits.
    packer: Option<FramePacker>,
    waiting: VecDeque<WaitingFrame>,
    /// A used frame, whose memory the caller or the next frame uses.
    spare: Option<Frame>,
    /// The decision about the first frame, if the detector made it before the frame was pulled.
    first: Option<Decision>,
    detected_start: Option<DetectedStart>,
    /// The survey of the whole clip, if there was one.
    survey: Option<Survey>,
    /// Whether the caller knows the start of the clip, of which the queue gets a part.
    start_is_given: bool,
    ended: bool,
}

impl FrameQueue {
    /// A queue for frames of `format`, of a clip that declares `interlacing`. `needs` is the extent
    /// of the detection; none detects nothing. `level` is the instruction set of the detector; none
    /// uses that of the environment variable `DNDI_LEVEL`, else the best of the processor.
    /// `blends` is whether the detector looks for blended fields around all frames, and the frame
    /// rate.
    ///
    /// # Errors
    /// Those of [`DetectorBuilder::build`](crate::DetectorBuilder::build).
    pub fn new(
        format: Format,
        interlacing: Interlacing,
        needs: Option<DetectionNeeds>,
        level: Option<SimdLevel>,
        (seeks_blends, frame_rate): (bool, Option<(u32, u32)>),
    ) -> Result<FrameQueue, Error> {
        let (mut detector, mut packer) = (None, None);
        if let Some(needs) = needs {
            let builder = Detector::builder(format).field_matching(needs.field_matching).whole_frames(needs.whole_frames);
            let (frames, seconds) = frame_rate.unwrap_or_default();
            let builder = builder.seek_blends(seeks_blends).frame_rate(frames, seconds);
            detector = Some(builder.field_order(needs.field_order).simd_level(level).build()?);
            packer = FramePacker::new(Kernels::at(level.map_or_else(SimdLevel::from_env, Ok)?)?, format.depth);
        }
        Ok(FrameQueue {
            interlacing,
            detector,
            packer,
            waiting: VecDeque::new(),
            spare: None,
            first: None,
            detected_start: None,
            survey: None,
            start_is_given: false,
            ended: false,
        })
    }

    /// The queue for a part of a clip with this start. Frames whose order is undetermined at the
    /// beginning of the part have that of the start.
    pub fn with_start(mut self, start: Option<DetectedStart>) -> FrameQueue {
        self.detector = self.detector.map(|detector| match start {
            Some(DetectedStart { start, .. }) => detector.with_first_order(start.field_order),
            None => detector,
        });
        let survey = start.and_then(|start| start.survey);
        self.expect_blend(survey);
        FrameQueue { detected_start: start, survey, start_is_given: true, ..self }
    }

    /// The queue for a clip of which there was a survey. Frames whose order is undetermined at the
    /// beginning of the clip have that of the survey.
    pub fn with_survey(mut self, survey: Option<Survey>) -> FrameQueue {
        self.detector = self.detector.map(|detector| match survey.and_then(|survey| survey.field_order()) {
            Some(order) => detector.with_first_order(order),
            None => detector,
        });
        self.expect_blend(survey);
        FrameQueue { survey, ..self }
    }

    /// Passes to the detector how the clip is blended.
    fn expect_blend(&mut self, survey: Option<Survey>) {
        if let Some(blend) = survey.and_then(|survey| survey.blend()) {
            self.detector = self.detector.take().map(|detector| detector.with_blend(blend));
        }
    }

    /// Takes the next frame.
    ///
    /// # Errors
    /// [`Error::Plane`] if the detector analyses the frame and its luma plane does not have the
    /// format, [`Error::Ended`] after [`finish`](FrameQueue::finish), [`Error::OutOfMemory`].
    pub fn push(&mut self, mut clip: ClipFrame) -> Result<(), Error> {
        if self.ended {
            return Err(Error::Ended);
        }
        reserve_one(&mut self.waiting)?;
        // The frame that completes the look-ahead is not packed: it is exchanged with the first
        // one, which is pulled next.
        let packer = self.packer.filter(|_| self.waiting.len() as u64 != Detector::LOOK_AHEAD);
        let mut packed = packer.map(|packer| packer.memory(&clip.frame)).transpose()?.flatten();
        if let Some(detector) = &mut self.detector {
            // Flags that contradict the whole clip do not count where the pictures are
            // undetermined.
            let progressive = self.survey.is_some_and(|survey| survey.is_progressive());
            let flags = self.interlacing.frame_scan(clip.flags);
            detector.push(clip.frame.planes()[0], if progressive { Some(Scan::Progressive) } else { flags })?;
        }
        if let (Some(packer), Some(packed)) = (packer, &mut packed) {
            packer.pack(packed, &mut clip.frame);
            self.recycle(std::mem::take(&mut clip.frame));
        }
        self.waiting.push_back(WaitingFrame { clip, packed });
        Ok(())
    }

    /// The number of frames that were pushed and not pulled.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes a used frame, whose memory is used again; one frame is kept. A caller that pulls
    /// before each push needs no more.
    pub fn recycle(&mut self, frame: Frame) {
        self.spare = Some(frame);
    }

    /// A used frame.
    pub fn spare(&mut self) -> Option<Frame> {
        self.spare.take()
    }

    /// Ends the clip: all frames that are held can be pulled.
    pub fn finish(&mut self) {
        self.ended = true;
        if let Some(detector) = &mut self.detector {
            detector.finish();
        }
    }

    /// Whether [`finish`](FrameQueue::finish) was called.
    pub fn is_finished(&self) -> bool {
        self.ended
    }

    /// The start of the clip, as soon as the first frame can be pulled; none before, without
    /// detection, and for a clip without frames.
    pub fn detected_start(&mut self) -> Option<DetectedStart> {
        if self.detected_start.is_none()
            && !self.start_is_given
            && let Some(detector) = &mut self.detector
            && let Some(start) = detector.clip_start()
        {
            self.first = detector.pull();
            self.detected_start = Some(DetectedStart::new(start, self.first.as_ref(), self.survey));
        }
        self.detected_start
    }

    /// Whether the value of [`detected_start`](FrameQueue::detected_start) is final.
    pub fn knows_start(&mut self) -> bool {
        self.detector.is_none() || self.ended || self.start_is_given || self.detected_start().is_some()
    }

    /// The next frame with its decision, in the order of [`push`](FrameQueue::push); none until the
    /// detector has the frames after it, or [`finish`](FrameQueue::finish) was called.
    ///
    /// # Errors
    /// If there is no memory for a frame that was packed. The frame then remains the next one.
    pub fn pull(&mut self) -> Result<Option<DecidedFrame>, OutOfMemory> {
        self.detected_start();
        if let Some(detector) = &mut self.detector {
            self.first = self.first.take().or_else(|| detector.pull());
            if self.first.is_none() {
                return Ok(None);
            }
        }
        let Some(clip) = self.unpacked_first()? else { return Ok(None) };
        let declared = self.interlacing.frame_scan(clip.flags);
        Ok(Some(DecidedFrame { clip, decision: self.first.take(), declared }))
    }

    /// Removes the first frame. If it is packed, it is unpacked into the memory of the frame that
    /// is not, which is packed instead; if all are packed, into a used frame or a new one.
    fn unpacked_first(&mut self) -> Result<Option<ClipFrame>, OutOfMemory> {
        let Some(WaitingFrame { mut clip, packed }) = self.waiting.pop_front() else { return Ok(None) };
        let (Some(packer), Some(mut packed)) = (self.packer, packed) else { return Ok(Some(clip)) };
        let format = packed.format();
        if let Some(other) = self.waiting.iter_mut().rev().find(|other| other.clip.frame.format() == format) {
            packer.exchange(&mut packed, &mut other.clip.frame);
            std::mem::swap(&mut clip.frame, &mut other.clip.frame);
            other.packed = Some(packed);
            return Ok(Some(clip));
        }
        let used = self.spare.take().filter(|spare| spare.format() == format);
        match used.map_or_else(|| Frame::try_new(format), Ok) {
            Ok(frame) => clip.frame = frame,
            Err(error) => {
                self.waiting.push_front(WaitingFrame { clip, packed: Some(packed) });
                return Err(error);
            }
        }
        packer.unpack(&mut packed, &mut clip.frame);
        Ok(Some(clip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampling;

    const FORMAT: Format = Format::new(48, 32, Sampling::C422);

    fn frame(depth: u8, number: usize) -> Frame {
        let format = FORMAT.with_depth(depth);
        let sample = |at: usize| ((at + 77 * number).wrapping_mul(0x9e37_79b9) >> 7) as u16 >> (16 - depth);
        let samples = (0..format.samples()).map(sample);
        if depth > 8 {
            Frame::from_vec_u16(format, samples.collect())
        } else {
            Frame::from_vec(format, samples.map(|v| v as u8).collect())
        }
    }

    /// Pushes `frames` frames, `burst` at a time, and pulls them all. Returns the greatest number
    /// of frames that waited unpacked.
    fn run(depth: u8, frames: usize, burst: usize) -> usize {
        let needs = DetectionNeeds::all();
        let mut queue =
            FrameQueue::new(FORMAT.with_depth(depth), Interlacing::default(), Some(needs), None, (false, None)).unwrap();
        let (mut pulled, mut unpacked) = (0, 0);
        for number in 0..frames {
            queue.push(ClipFrame::new(frame(depth, number))).unwrap();
            unpacked = unpacked.max(queue.waiting.iter().filter(|waiting| waiting.packed.is_none()).count());
            if number + 1 == frames {
                queue.finish();
            } else if (number + 1) % burst > 0 {
                continue;
            }
            while let Some(DecidedFrame { clip, .. }) = queue.pull().unwrap() {
                assert_eq!(clip.frame, frame(depth, pulled), "frame {pulled} of {depth} bits, {burst} at a time");
                pulled += 1;
                // A caller returns some of the frames.
                if pulled % 3 > 0 {
                    queue.recycle(clip.frame);
                }
            }
        }
        assert_eq!((pulled, queue.waiting()), (frames, 0));
        unpacked
    }

    #[test]
    fn frames_are_pulled_as_they_were_pushed() {
        for depth in 8..=16 {
            for frames in [1, 2, 11, 12, 13, 40] {
                for burst in [1, 2, 5, 20] {
                    let unpacked = run(depth, frames, burst);
                    let waiting = if burst == 1 { frames.min(12) } else { unpacked };
                    let want = if (9..16).contains(&depth) { usize::from(frames > 11) } else { waiting };
                    assert_eq!(unpacked, want, "{frames} frames of {depth} bits, {burst} at a time");
                }
            }
        }
    }

    #[test]
    fn frames_of_other_types_wait_as_they_are() {
        let needs = DetectionNeeds::all();
        let mut queue = FrameQueue::new(FORMAT.with_depth(10), Interlacing::default(), Some(needs), None, (false, None)).unwrap();
        assert!(matches!(queue.push(ClipFrame::new(frame(8, 0))), Err(Error::Plane { .. })));
        // The depth of the queue counts, not that of a frame.
        for number in 0..14 {
            queue.push(ClipFrame::new(frame(if number % 2 == 0 { 9 } else { 12 }, number))).unwrap();
        }
        queue.finish();
        for number in 0..14 {
            let Some(DecidedFrame { clip, .. }) = queue.pull().unwrap() else { panic!("frame {number}") };
            let (got, want) = (clip.frame, frame(if number % 2 == 0 { 9 } else { 12 }, number));
            assert_eq!(got.format(), want.format());
            match (got.samples(), want.samples()) {
                (crate::Samples::U16(got), crate::Samples::U16(want)) => {
                    assert!(got.iter().zip(want).all(|(&got, &want)| got.min(1023) == want.min(1023)), "frame {number}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
