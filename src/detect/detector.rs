//! The detector: luma in, decisions out.
use super::classifier::{Judge, LOOK_AHEAD, Verdict};
use super::comb_mask::{self, mark_residual_combing};
use super::decision::{ClipStart, Decision, FieldMatching, FlagHint};
use super::lookahead::History;
use super::sampling::{SampleGrid, SubsampledLuma};
use crate::error::Error;
use crate::field_match::{CombMask, FieldMatch, FieldMatches, StepMatches};
use crate::format::{FieldOrder, Format, Scan};
use crate::frame::{PlaneRef, check_plane};
use dndi_simd::{Kernels, SimdLevel};
use std::collections::VecDeque;

/// Settings of a [`Detector`], from [`Detector::builder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct DetectorBuilder {
    format: Format,
    field_matching: FieldMatching,
    order: Option<FieldOrder>,
    simd_level: Option<SimdLevel>,
}

impl DetectorBuilder {
    /// Sets the field matching. Default: [`FieldMatching::Pattern`].
    pub fn field_matching(mut self, mode: FieldMatching) -> DetectorBuilder {
        self.field_matching = mode;
        self
    }

    /// Fixes the field order: only progressive frames and pulldown patterns are detected then. Default: it is detected, too.
    pub fn field_order(mut self, order: FieldOrder) -> DetectorBuilder {
        self.order = Some(order);
        self
    }

    /// Sets the instruction set, which changes no decision. Default: that of [`StreamBuilder::simd_level`](crate::StreamBuilder::simd_level).
    pub fn simd_level(mut self, level: SimdLevel) -> DetectorBuilder {
        self.simd_level = Some(level);
        self
    }

    /// Checks the format and allocates the look-ahead.
    ///
    /// # Errors
    /// [`Error::Depth`], [`Error::Size`], [`Error::SimdLevel`].
    pub fn build(self) -> Result<Detector, Error> {
        let DetectorBuilder { format, field_matching, order, simd_level } = self;
        format.check(Scan::Progressive)?;
        let grid = SampleGrid::new(format.width, format.height);
        Ok(Detector {
            format,
            field_matching,
            order,
            kernels: Kernels::at(simd_level.map_or_else(SimdLevel::from_env, Ok)?)?,
            pictures: [SubsampledLuma::new(grid), SubsampledLuma::new(grid)],
            history: History::new(grid),
            hints: VecDeque::new(),
            next: 0,
            judge: None,
            ended: false,
        })
    }
}

/// Finds scan, field order and pulldown pattern of each frame: [`push`](Detector::push) the luma, [`pull`](Detector::pull) decisions,
/// at the end [`finish`](Detector::finish).
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
/// let decision = detector.pull().expect("three frames were taken");
/// // Black frames are undetermined: the flags decide.
/// assert_eq!((decision.content, decision.field_order), (Content::Interlaced, FieldOrder::BottomFirst));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Detector {
    format: Format,
    field_matching: FieldMatching,
    order: Option<FieldOrder>,
    kernels: &'static Kernels,
    /// The frame that is taken and the one before it.
    pictures: [SubsampledLuma; 2],
    history: History,
    /// Hints of the frames that are not decided yet.
    hints: VecDeque<FlagHint>,
    /// The next frame that is decided.
    next: u64,
    judge: Option<(Judge, ClipStart)>,
    ended: bool,
}

impl Detector {
    /// Frames that it looks ahead: the decision about frame N is there when frame `N + LOOK_AHEAD` was taken, or after the end.
    pub const LOOK_AHEAD: u64 = LOOK_AHEAD;

    /// A builder for pictures of `format`.
    pub fn builder(format: Format) -> DetectorBuilder {
        DetectorBuilder { format, field_matching: FieldMatching::default(), order: None, simd_level: None }
    }

    /// Takes the luma of the next frame and what flags say of it, if there are any.
    ///
    /// # Errors
    /// [`Error::Plane`] where the plane does not hold a picture, [`Error::Ended`] after [`finish`](Detector::finish).
    pub fn push(&mut self, luma: PlaneRef, flags: Option<Scan>) -> Result<(), Error> {
        let size = (self.format.width, self.format.height);
        let luma = check_plane(Some(&luma), 0, size)?;
        if self.ended {
            return Err(Error::Ended);
        }
        let [current, previous] = &mut self.pictures;
        current.take(self.history.grid, self.kernels, luma, size.0);
        let previous = (self.history.next() > 0).then_some(&*previous);
        self.history.take(self.kernels, current, previous, self.field_matching != FieldMatching::Off);
        self.pictures.swap(0, 1);
        self.hints.push_back(flags.into());
        Ok(())
    }

    /// No more frames come; the decisions about all that are left can be pulled.
    pub fn finish(&mut self) {
        if !std::mem::replace(&mut self.ended, true) {
            self.history.end(self.field_matching != FieldMatching::Off);
        }
    }

    /// What the clip begins with, once a decision can be pulled.
    pub fn clip_start(&mut self) -> Option<ClipStart> {
        if self.judge.is_none() && self.is_ready() {
            let (judge, verdict) = Judge::new(&self.history, self.field_matching, self.order, self.hints[0]);
            let Verdict { content, pulldown, confidence, reason } = verdict;
            let start = ClipStart { content, pulldown, field_order: judge.order, confidence, reason };
            self.judge = Some((judge, start));
        }
        self.judge.as_ref().map(|(_, start)| *start)
    }

    /// The decision about the next frame, when enough frames after it are known.
    pub fn pull(&mut self) -> Option<Decision> {
        self.clip_start()?;
        let (judge, _) = self.judge.as_mut().filter(|_| self.next + LOOK_AHEAD < self.history.next() || self.ended)?;
        let hint = self.hints.pop_front()?;
        let frame = self.next;
        self.next += 1;
        let (verdict, field_order_changed) = judge.decide(&mut self.history, frame, hint);
        let field_order = judge.order;
        let fields = [(2 * frame).checked_sub(1), Some(2 * frame)];
        let comb_masks =
            fields.map(|field| field.map_or(comb_mask::empty(self.history.grid), |field| self.comb_mask(field, field_order)));
        let [second_of_previous, first_of_current] =
            fields.map(|field| field.map_or(FieldMatch::Deinterlace, |field| Judge::code(&self.history, field)));
        let last = 2 * frame + 1;
        let whole = self.history.found(last).joined && self.comb_mask(last, field_order).is_empty();
        self.history.forget(self.next);
        let Verdict { content, pulldown, confidence, reason } = verdict;
        Some(Decision {
            frame,
            content,
            pulldown,
            field_order,
            field_order_changed,
            matches: FieldMatches {
                step: StepMatches { second_of_previous, first_of_current },
                comb_masks,
                final_match: if whole { FieldMatch::Previous } else { FieldMatch::Deinterlace },
            },
            new_picture: [last - 1, last].map(|border| !self.history.found(border).joined),
            confidence,
            reason,
        })
    }

    fn is_ready(&self) -> bool {
        !self.hints.is_empty() && (self.next + LOOK_AHEAD < self.history.next() || self.ended)
    }

    /// Where a field of film that is woven does not belong to its picture: where the fields nearest to it that should repeat another
    /// one do not.
    fn comb_mask(&self, field: u64, order: FieldOrder) -> CombMask {
        let mut mask = comb_mask::empty(self.history.grid);
        if Judge::code(&self.history, field) == FieldMatch::Deinterlace {
            return mask;
        }
        let woven = if self.history.found(field).joined { field } else { field + 1 };
        let cadence = self.history.found(woven).cadence;
        // What another cadence should repeat tells nothing of this one.
        let repeats = |field: &u64| self.judge.as_ref().is_some_and(|(judge, _)| judge.repeats(&self.history, *field, cadence));
        let before = (field.saturating_sub(NEAREST)..=field).rev().find(repeats);
        let after = (field + 1..field + NEAREST).find(repeats);
        for field in [before, after].into_iter().flatten() {
            if let Some(third) = self.history.third(order, field) {
                mark_residual_combing(&mut mask, &third);
            }
        }
        mask.dilate();
        mask
    }
}

/// Fields within which the nearest repeated one is looked for: a period of 3:2.
const NEAREST: u64 = 6;
