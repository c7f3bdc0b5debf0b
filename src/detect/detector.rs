//! The detector: luma in, decisions out.
use super::blended::BlendSearch;
use super::classifier::{Classification, Classifier, field_match};
use super::comb_mask::{self, mark_residual_combing};
use super::decision::{ClipStart, Content, Decision, FieldMatching, FlagHint};
use super::fitting::Fitting;
use super::lookahead::{LOOK_AHEAD, Lookahead};
use super::sampling::{SampleGrid, SubsampledLuma};
use crate::blend::{Blend, BlendRate};
use crate::error::Error;
use crate::field_match::{CombMask, FieldMatch, FieldMatches, StepMatches};
use crate::format::{FieldOrder, Format, Scan};
use crate::frame::{PlaneRef, check_plane};
use crate::memory::reserve_one;
use dndi_simd::{Kernels, SimdLevel};
use std::collections::VecDeque;

/// Builds a [`Detector`]; from [`Detector::builder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct DetectorBuilder {
    format: Format,
    field_matching: FieldMatching,
    whole_frames: bool,
    seeks_blends: bool,
    frame_rate: Option<(u32, u32)>,
    order: Option<FieldOrder>,
    simd_level: Option<SimdLevel>,
}

impl DetectorBuilder {
    /// Sets the field matching. Default: [`FieldMatching::Pattern`].
    pub fn field_matching(mut self, mode: FieldMatching) -> DetectorBuilder {
        self.field_matching = mode;
        self
    }

    /// Sets whether frames whose fields do not comb are kept whole, also single ones among
    /// interlaced frames, and with any field matching. Their reason is
    /// [`Reason::FieldMatched`](crate::Reason::FieldMatched). Default: no.
    pub fn whole_frames(mut self, on: bool) -> DetectorBuilder {
        self.whole_frames = on;
        self
    }

    /// Sets whether blended fields ([`Decision::blend`]) are looked for. Default: no; some of them
    /// are then taken for film. With [`FieldMatching::Always`] they are not looked for. Without a
    /// [frame rate](DetectorBuilder::frame_rate) film under text that rolls over a large part of
    /// the picture may be taken for blended.
    pub fn seek_blends(mut self, on: bool) -> DetectorBuilder {
        self.seeks_blends = on;
        self
    }

    /// Sets the frame rate: `frames` frames in `seconds` seconds, such as (30000, 1001). Only
    /// blends that fit it within 2 % are found. Zero in either means unknown, the default.
    pub fn frame_rate(mut self, frames: u32, seconds: u32) -> DetectorBuilder {
        self.frame_rate = Some((frames, seconds)).filter(|_| frames > 0 && seconds > 0);
        self
    }

    /// Sets the field order of the whole clip. The detector then detects progressive frames and
    /// pulldown patterns only. Default: the detector detects the order of each frame.
    pub fn field_order(mut self, order: impl Into<Option<FieldOrder>>) -> DetectorBuilder {
        self.order = order.into();
        self
    }

    /// Sets the instruction set. It changes the speed, but no decision. Default: that of
    /// [`StreamBuilder::simd_level`](crate::StreamBuilder::simd_level).
    pub fn simd_level(mut self, level: impl Into<Option<SimdLevel>>) -> DetectorBuilder {
        self.simd_level = level.into();
        self
    }

    /// Checks the format and builds the detector.
    ///
    /// # Errors
    /// [`Error::Depth`] unless the depth is 8 to 16 bits, [`Error::Size`] if the size is not within
    /// 1×1 and 8192×8192, [`Error::SimdLevel`] if the instruction set is not supported,
    /// [`Error::OutOfMemory`].
    pub fn build(self) -> Result<Detector, Error> {
        let DetectorBuilder { format, field_matching, whole_frames, seeks_blends, frame_rate, order, simd_level } = self;
        format.check(Scan::Progressive)?;
        let grid = SampleGrid::new(format.width, format.height);
        let kernels = Kernels::at(simd_level.map_or_else(SimdLevel::from_env, Ok)?)?;
        // A rate that no blend has needs no search.
        let seeks_blends =
            seeks_blends && field_matching != FieldMatching::Always && BlendRate::ALL.iter().any(|blend| blend.fits(frame_rate));
        Ok(Detector {
            format,
            field_matching,
            whole_frames,
            frame_rate,
            blends: seeks_blends.then(|| BlendSearch::new(format, kernels, frame_rate, None)),
            order,
            kernels,
            pictures: [SubsampledLuma::new(grid)?, SubsampledLuma::new(grid)?],
            lookahead: Lookahead::new(grid)?,
            scratch: comb_mask::Scratch::new(grid)?,
            fitting: Fitting::new(field_matching != FieldMatching::Off),
            waiting: VecDeque::new(),
            first_order: None,
            next: 0,
            classifier: None,
            is_finished: false,
        })
    }
}

/// Detects scan, field order and pulldown pattern of each frame from its luma, and finds the field
/// matches (§3.8) that a [`Stream`](crate::Stream) weaves film by. Of samples with more than 8 bits
/// it reads the 8 most significant ones.
///
/// The caller [`push`](Detector::push)es each frame and then [`pull`](Detector::pull)s until there
/// is no decision; after the last frame it calls [`finish`](Detector::finish) and pulls the
/// remaining decisions. There is one decision for each frame, in order,
/// [`LOOK_AHEAD`](Detector::LOOK_AHEAD) frames late. Decisions depend neither on the instruction
/// set nor on the number of threads.
///
/// The detector works on the rayon pool that its caller runs in.
///
/// ```
/// use dndi::{Content, Detector, FieldOrder, Format, Frame, Sampling, Scan};
///
/// # fn main() -> Result<(), dndi::Error> {
/// let format = Format::new(64, 48, Sampling::C420);
/// let mut detector = Detector::builder(format).build()?;
/// for _ in 0..3 {
///     detector.push(Frame::new(format).planes()[0], Some(Scan::BottomFirst))?;
/// }
/// detector.finish();
/// let decision = detector.pull().expect("three frames were pushed");
/// // Black frames are undetermined: the flags decide.
/// assert_eq!((decision.content, decision.field_order), (Content::Interlaced, FieldOrder::BottomFirst));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Detector {
    format: Format,
    field_matching: FieldMatching,
    whole_frames: bool,
    frame_rate: Option<(u32, u32)>,
    /// The search for blended fields; none if they are not looked for.
    blends: Option<BlendSearch>,
    /// The field order, if the caller gives it.
    order: Option<FieldOrder>,
    kernels: &'static Kernels,
    /// The memory of the current frame and the previous one.
    pictures: [SubsampledLuma; 2],
    lookahead: Lookahead,
    fitting: Fitting,
    scratch: comb_mask::Scratch,
    /// The field order of the first frames if they are undetermined; none if their flags have it.
    first_order: Option<FieldOrder>,
    /// The frames that are not decided yet.
    waiting: VecDeque<WaitingFrame>,
    /// The next frame to be decided.
    next: u64,
    classifier: Option<(Classifier, ClipStart)>,
    is_finished: bool,
}

/// A frame that waits for its decision.
#[derive(Debug)]
struct WaitingFrame {
    /// Its flags.
    hint: FlagHint,
    /// Memory for the comb masks of its decision.
    masks: [Vec<bool>; 2],
}

impl Detector {
    /// The look-ahead in frames: the decision about frame N can be pulled when frame `N +
    /// LOOK_AHEAD` was pushed, or the detector finished.
    pub const LOOK_AHEAD: u64 = LOOK_AHEAD;

    /// A builder for frames of `format`. The chroma sampling does not matter, and the height may be
    /// odd.
    pub fn builder(format: Format) -> DetectorBuilder {
        DetectorBuilder {
            format,
            field_matching: FieldMatching::default(),
            whole_frames: false,
            seeks_blends: false,
            frame_rate: None,
            order: None,
            simd_level: None,
        }
    }

    /// Sets the field order of the first frames in case that they are undetermined: that of the
    /// frames before them.
    pub(crate) fn with_first_order(self, order: FieldOrder) -> Detector {
        Detector { first_order: Some(order), ..self }
    }

    /// Looks for blended fields around all frames of a clip that is blended in this way.
    pub(crate) fn with_blend(mut self, blend: Blend) -> Detector {
        let search = || BlendSearch::new(self.format, self.kernels, self.frame_rate, Some(blend));
        self.blends = (self.field_matching != FieldMatching::Always).then(search);
        self
    }

    /// Takes the luma plane of the next frame and the scan that its flags have, if there are any.
    /// The flags decide only where the pictures are undetermined.
    ///
    /// # Errors
    /// [`Error::Plane`] if the plane does not hold a frame of the format, [`Error::Ended`] after
    /// [`finish`](Detector::finish), [`Error::OutOfMemory`]. The frame then does not count.
    pub fn push(&mut self, luma: PlaneRef, flags: Option<Scan>) -> Result<(), Error> {
        let luma = check_plane(Some(&luma), 0, &self.format)?;
        if self.is_finished {
            return Err(Error::Ended);
        }
        reserve_one(&mut self.waiting)?;
        let grid = self.lookahead.grid;
        let masks = [comb_mask::memory(grid)?, comb_mask::memory(grid)?];
        let [current, previous] = &mut self.pictures;
        current.load(grid, self.kernels, luma, &self.format);
        let previous = (self.lookahead.next_frame() > 0).then_some(&*previous);
        let samples = self.blends.as_mut().map(|blends| blends.sample(luma)).transpose()?;
        self.lookahead.push(self.kernels, current, previous)?;
        if let Some((blends, samples)) = self.blends.as_mut().zip(samples) {
            blends.push(samples);
        }
        self.fitting.advance(&mut self.lookahead, false);
        self.pictures.swap(0, 1);
        self.waiting.push_back(WaitingFrame { hint: flags.into(), masks });
        Ok(())
    }

    /// Ends the clip: the decisions about all remaining frames can be pulled. Further calls do
    /// nothing.
    pub fn finish(&mut self) {
        if !std::mem::replace(&mut self.is_finished, true) {
            self.lookahead.finish();
            self.fitting.advance(&mut self.lookahead, true);
        }
    }

    /// The start of the clip. It is known as soon as the first decision can be pulled; none before,
    /// and none for a clip without frames.
    pub fn clip_start(&mut self) -> Option<ClipStart> {
        if self.classifier.is_none() && self.is_ready() {
            let hint = self.waiting.front()?.hint;
            let (mut classifier, start) =
                Classifier::new(&self.lookahead, self.field_matching, self.order, hint, self.first_order);
            classifier.whole_frames = self.whole_frames;
            let starts = |pair| classifier.starts_picture(&self.lookahead, pair);
            let blends = self.blends.as_mut().filter(|_| start.content == Content::Film);
            let blend = blends.and_then(|blends| blends.around(0, classifier.order, starts));
            let start = blend.map_or(start, |found| Classification::blended(&found));
            let Classification { content, pulldown, confidence, reason } = start;
            let start = ClipStart { content, pulldown, field_order: classifier.order, confidence, reason };
            self.classifier = Some((classifier, start));
        }
        self.classifier.as_ref().map(|(_, start)| *start)
    }

    /// The decision about the next frame; none until enough later frames are known.
    pub fn pull(&mut self) -> Option<Decision> {
        self.clip_start()?;
        if !self.is_ready() {
            return None;
        }
        let (classifier, _) = self.classifier.as_mut()?;
        let WaitingFrame { hint, masks } = self.waiting.pop_front()?;
        let frame = self.next;
        self.next += 1;
        let (classification, field_order_changed) = classifier.decide(&mut self.lookahead, frame, hint);
        let (classifier, _) = self.classifier.as_ref()?;
        let starts = |pair| classifier.starts_picture(&self.lookahead, pair);
        let blend = self.blends.as_mut().and_then(|blends| blends.around(frame, classifier.order, starts));
        let classification = blend.map_or(classification, |found| Classification::blended(&found));
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut matches = self.matches(classifier, frame, masks, &mut scratch);
        self.scratch = scratch;
        let was_blended = self.blends.as_mut().map(|blends| std::mem::replace(&mut blends.was_blended, blend.is_some()));
        if was_blended == Some(true) {
            matches.step.second_of_previous = FieldMatch::Deinterlace;
        }
        if blend.is_some() {
            matches.step.first_of_current = FieldMatch::Deinterlace;
            matches.final_match = FieldMatch::Deinterlace;
        }
        let [first, second] = [2 * frame, 2 * frame + 1];
        let new_picture = [first, second].map(|field| blend.is_some() || !self.lookahead.state(field).same_picture);
        let field_order = classifier.order;
        self.lookahead.forget_before(self.next);
        if let Some(blends) = &mut self.blends {
            blends.forget_before(self.next);
        }
        let Classification { content, pulldown, confidence, reason } = classification;
        let blend = blend.map(|found| found.blend);
        Some(Decision {
            frame,
            content,
            pulldown,
            field_order,
            field_order_changed,
            matches,
            new_picture,
            confidence,
            reason,
            blend,
        })
    }

    /// Whether a frame waits for its decision, and enough later frames are known.
    fn is_ready(&self) -> bool {
        !self.waiting.is_empty() && (self.next + LOOK_AHEAD < self.lookahead.next_frame() || self.is_finished)
    }

    /// The field matches and comb masks of the step that takes `frame`. `masks` is the memory of
    /// the comb masks.
    fn matches(
        &self,
        classifier: &Classifier,
        frame: u64,
        masks: [Vec<bool>; 2],
        scratch: &mut comb_mask::Scratch,
    ) -> FieldMatches {
        let fields = [(2 * frame).checked_sub(1), Some(2 * frame)];
        let [second_of_previous, first_of_current] =
            fields.map(|field| field.map_or(FieldMatch::Deinterlace, |field| field_match(&self.lookahead, field)));
        let [of_previous, of_current] = masks;
        let comb_masks = [(fields[0], of_previous), (fields[1], of_current)]
            .map(|(field, memory)| self.comb_mask(classifier, field, memory, scratch));
        let last = 2 * frame + 1;
        let is_whole = self.lookahead.state(last).same_picture && {
            let memory = std::mem::take(&mut scratch.mask);
            let mask = self.comb_mask(classifier, Some(last), memory, scratch);
            let is_empty = mask.is_empty();
            scratch.mask = mask.into_tiles();
            is_empty
        };
        FieldMatches {
            step: StepMatches { second_of_previous, first_of_current },
            comb_masks,
            final_match: if is_whole { FieldMatch::Previous } else { FieldMatch::Deinterlace },
        }
    }

    /// The comb mask of a field, in `memory`; empty without a field, and for one that is not
    /// woven.
    fn comb_mask(
        &self,
        classifier: &Classifier,
        field: Option<u64>,
        memory: Vec<bool>,
        scratch: &mut comb_mask::Scratch,
    ) -> CombMask {
        let mut mask = comb_mask::empty(self.lookahead.grid, memory);
        let woven = field.filter(|&field| field_match(&self.lookahead, field) != FieldMatch::Deinterlace);
        let Some(field) = woven else { return mask };
        // Repeated fields of another pattern have other pictures.
        let pair = if self.lookahead.state(field).same_picture { field } else { field + 1 };
        let phase = self.lookahead.state(pair).phase;
        let is_repeat = |field| classifier.is_repeat(&self.lookahead, field, phase);
        mark_residual_combing(&mut mask, scratch, &self.lookahead, classifier.order, field, is_repeat);
        mask
    }
}

#[cfg(test)]
mod tests;
