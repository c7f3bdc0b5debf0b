//! What a clip is made of, by its pictures: progressive frames, fields of one time each and in which order, or film and its cadence.
//!
//! Flags lie, so the lines are asked. Where the two fields that are woven belong to different times, whatever moves combs. A [`Detector`]
//! measures how much each frame's fields comb with each other and, in either order, with those of the frame before (the
//! kind of measure that the film mode variances are, §4.1, but of every order at once and of a part of the lines), looks a few frames
//! ahead and says for each frame what it is, how sure that is and why, and with which codes (§3.8) a [`Stream`](crate::Stream)
//! restores it. All is integer arithmetic: the same decisions everywhere. `docs/detection.md` explains them.
mod cadence;
mod decide;
mod evidence;
mod history;
mod picture;
mod shear;
mod torn;
mod trial;
mod window;

use crate::deinterlace::Code;
use crate::error::Error;
use crate::frame::{Format, PlaneRef, plane_fits};
use crate::pipeline::{Cadence, Scan};
pub use cadence::Pulldown;
use decide::{Judge, LOOK_AHEAD, Verdict};
use dndi_simd::{Kernels, Level};
use evidence::Order;
use history::History;
use picture::{Grid, Reduced};
use std::collections::VecDeque;
use std::fmt;
pub use torn::Torn;

/// Which film is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FilmMode {
    /// None: only progressive frames are told from fields.
    Off,
    /// Cadences that hold for some frames. Their pictures are woven, everything else is not.
    #[default]
    Auto,
    /// All is film, whatever its cadence: each field is woven with the one beside it that combs less, unless neither fits.
    Reconstruct,
}

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// All lines are of one time.
    Progressive,
    /// Each field is of a time of its own.
    Interlaced,
    /// Its fields belong to pictures of two fields or more, which need not begin with the frame.
    Film,
}

/// Why a frame is taken for what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A cadence fits the frames around it.
    Fits,
    /// A cadence did before, and nothing speaks against it.
    Held,
    /// Fields comb with each other, least in this order.
    Combs,
    /// A field combs less with one of those beside it.
    Matched,
    /// Nothing tells; the flags say so.
    Flagged,
    /// Nothing tells, and there are no flags.
    Unknown,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Fits => "the cadence fits",
            Reason::Held => "nothing speaks against the cadence before",
            Reason::Combs => "all fields comb, least in this order",
            Reason::Matched => "fields match",
            Reason::Flagged => "nothing tells, so the flags do",
            Reason::Unknown => "nothing tells",
        })
    }
}

/// What the flags of a frame say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prior {
    Unknown,
    Progressive,
    Interlaced(Order),
}

impl Prior {
    fn is_progressive(self) -> bool {
        self == Prior::Progressive
    }
}

impl From<Option<Scan>> for Prior {
    fn from(scan: Option<Scan>) -> Prior {
        match scan {
            None => Prior::Unknown,
            Some(Scan::Progressive) => Prior::Progressive,
            Some(Scan::TopFirst) => Prior::Interlaced(Order::TopFirst),
            Some(Scan::BottomFirst) => Prior::Interlaced(Order::BottomFirst),
        }
    }
}

/// What was decided about a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// Number of the frame, from 0.
    pub frame: u64,
    /// What it is.
    pub content: Content,
    /// Its cadence, if one was found.
    pub pulldown: Option<Pulldown>,
    /// Whether its top field is the earlier one. Where nothing tells, what was true before stays.
    pub top_first: bool,
    /// Whether this is not so of the frame before: a stream must end and begin anew.
    pub turned: bool,
    /// Codes of the step that takes the frame: its first field's, and that of the second field of the frame before.
    pub cadence: Cadence,
    /// Code of its second field if the stream ends with it.
    pub end: Code,
    /// Whether its first and its second field show another picture than the field before.
    pub fresh: [bool; 2],
    /// Places of the step's two outputs, prev2 and cur1, where the woven fields do not belong together.
    pub torn: [Torn; 2],
    /// 0 (a guess) to 100.
    pub confidence: u8,
    /// Why.
    pub reason: Reason,
}

impl Decision {
    /// How the frame is scanned: progressive, or the order of its fields.
    pub fn scan(&self) -> Scan {
        match (self.content, self.top_first) {
            (Content::Progressive, _) => Scan::Progressive,
            (_, true) => Scan::TopFirst,
            (_, false) => Scan::BottomFirst,
        }
    }
}

/// What a clip begins with: the first frames that tell, within the detector's look-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opening {
    /// What it is.
    pub content: Content,
    /// Its cadence, if one was found.
    pub pulldown: Option<Pulldown>,
    /// Whether top fields are the earlier ones.
    pub top_first: bool,
    /// 0 (a guess) to 100.
    pub confidence: u8,
    /// Why.
    pub reason: Reason,
}

impl Opening {
    /// How it is scanned: progressive, or the order of its fields.
    pub fn scan(&self) -> Scan {
        match (self.content, self.top_first) {
            (Content::Progressive, _) => Scan::Progressive,
            (_, true) => Scan::TopFirst,
            (_, false) => Scan::BottomFirst,
        }
    }
}

/// Decides what frames are: [`push`](Detector::push) their luma, [`pull`](Detector::pull) decisions, at the end
/// [`finish`](Detector::finish).
///
/// ```
/// use dndi::{Content, Detector, FilmMode, Format, Frame, Sampling, Scan};
///
/// # fn main() -> Result<(), dndi::Error> {
/// let format = Format::new(64, 48, Sampling::C420);
/// let mut detector = Detector::new(format, FilmMode::Auto)?;
/// for _ in 0..3 {
///     detector.push(Frame::new(format).planes()[0], Some(Scan::BottomFirst))?;
/// }
/// detector.finish();
/// let decision = detector.pull().expect("three frames were taken");
/// assert_eq!((decision.content, decision.top_first), (Content::Interlaced, false)); // black: the flags decide
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Detector {
    format: Format,
    film: FilmMode,
    order: Option<Order>,
    kernels: &'static Kernels,
    /// The frame that is taken and the one before it.
    pictures: [Reduced; 2],
    history: History,
    /// Those of frames that are not decided yet.
    priors: VecDeque<Prior>,
    /// The next frame that is decided.
    next: u64,
    judge: Option<(Judge, Opening)>,
    ended: bool,
}

impl Detector {
    /// Frames that it looks ahead: the decision about frame N is there when frame `N + LOOK_AHEAD` was taken, or after the end.
    pub const LOOK_AHEAD: u64 = LOOK_AHEAD;

    /// For pictures of `format`, with the instruction set of [`Builder`](crate::Builder)'s default.
    ///
    /// # Errors
    /// [`Error::Depth`], [`Error::Size`], [`Error::Level`].
    pub fn new(format: Format, film: FilmMode) -> Result<Detector, Error> {
        Detector::at(format, film, Level::from_env()?)
    }

    /// The same with the instruction set `level`, which changes no decision.
    ///
    /// # Errors
    /// [`Error::Depth`], [`Error::Size`], [`Error::Level`].
    pub fn at(format: Format, film: FilmMode, level: Level) -> Result<Detector, Error> {
        crate::Builder::new(format, Scan::Progressive).check()?;
        let grid = Grid::new(format.width, format.height);
        Ok(Detector {
            format,
            film,
            order: None,
            kernels: Kernels::at(level)?,
            pictures: [Reduced::new(grid), Reduced::new(grid)],
            history: History::new(grid),
            priors: VecDeque::new(),
            next: 0,
            judge: None,
            ended: false,
        })
    }

    /// Takes the field order as given: only whether frames are progressive, and film, are looked for.
    #[must_use]
    pub fn with_order(self, top_first: bool) -> Detector {
        Detector { order: Some(if top_first { Order::TopFirst } else { Order::BottomFirst }), ..self }
    }

    /// Takes the luma of the next frame and what flags say of it, if there are any.
    ///
    /// # Errors
    /// [`Error::Plane`] where the plane does not hold a picture, [`Error::Ended`] after [`finish`](Detector::finish).
    pub fn push(&mut self, luma: PlaneRef, flags: Option<Scan>) -> Result<(), Error> {
        let size = (self.format.width, self.format.height);
        if !plane_fits(luma.data.len(), luma.stride, size) {
            return Err(Error::Plane { index: 0, len: luma.data.len(), stride: luma.stride, size });
        }
        if self.ended {
            return Err(Error::Ended);
        }
        let [current, previous] = &mut self.pictures;
        current.take(self.history.grid, self.kernels, luma, size.0);
        let previous = (self.history.next() > 0).then_some(&*previous);
        self.history.take(self.kernels, current, previous, self.film != FilmMode::Off);
        self.pictures.swap(0, 1);
        self.priors.push_back(flags.into());
        Ok(())
    }

    /// No more frames come; the decisions about all that are left can be pulled.
    pub fn finish(&mut self) {
        if !std::mem::replace(&mut self.ended, true) {
            self.history.end(self.film != FilmMode::Off);
        }
    }

    /// What the clip begins with, once a decision can be pulled.
    pub fn opening(&mut self) -> Option<Opening> {
        if self.judge.is_none() && self.is_ready() {
            let (judge, verdict) = Judge::new(&self.history, self.film, self.order, self.priors[0]);
            let Verdict { content, pulldown, confidence, reason } = verdict;
            let opening = Opening { content, pulldown, top_first: judge.order == Order::TopFirst, confidence, reason };
            self.judge = Some((judge, opening));
        }
        self.judge.as_ref().map(|(_, opening)| *opening)
    }

    /// The decision about the next frame, when enough frames after it are known.
    pub fn pull(&mut self) -> Option<Decision> {
        self.opening()?;
        let (judge, _) = self.judge.as_mut().filter(|_| self.next + LOOK_AHEAD < self.history.next() || self.ended)?;
        let prior = self.priors.pop_front()?;
        let frame = self.next;
        self.next += 1;
        let (verdict, turned) = judge.decide(&mut self.history, frame, prior);
        let top_first = judge.order == Order::TopFirst;
        let fields = [(2 * frame).checked_sub(1), Some(2 * frame)];
        let torn = fields.map(|field| field.map_or(Torn::new(self.history.grid), |field| self.torn(field, top_first)));
        let [prev2, cur1] = fields.map(|field| field.map_or(Code::Deinterlace, |field| Judge::code(&self.history, field)));
        let last = 2 * frame + 1;
        let whole = self.history.found(last).joined && self.torn(last, top_first).is_empty();
        self.history.forget(self.next);
        let Verdict { content, pulldown, confidence, reason } = verdict;
        Some(Decision {
            frame,
            content,
            pulldown,
            top_first,
            turned,
            cadence: Cadence { prev2, cur1 },
            end: if whole { Code::Previous } else { Code::Deinterlace },
            fresh: [last - 1, last].map(|border| !self.history.found(border).joined),
            torn,
            confidence,
            reason,
        })
    }

    fn is_ready(&self) -> bool {
        !self.priors.is_empty() && (self.next + LOOK_AHEAD < self.history.next() || self.ended)
    }

    /// Where a field of film that is woven does not belong to its picture: where the fields nearest to it that should repeat another
    /// one do not.
    fn torn(&self, field: u64, top_first: bool) -> Torn {
        let mut torn = Torn::new(self.history.grid);
        if Judge::code(&self.history, field) == Code::Deinterlace {
            return torn;
        }
        let order = if top_first { Order::TopFirst } else { Order::BottomFirst };
        let woven = if self.history.found(field).joined { field } else { field + 1 };
        let cadence = self.history.found(woven).cadence;
        // What another cadence should repeat tells nothing of this one.
        let repeats = |field: &u64| self.judge.as_ref().is_some_and(|(judge, _)| judge.repeats(&self.history, *field, cadence));
        let before = (field.saturating_sub(NEAREST)..=field).rev().find(repeats);
        let after = (field + 1..field + NEAREST).find(repeats);
        for field in [before, after].into_iter().flatten() {
            if let Some(third) = self.history.third(order, field) {
                torn.mark_changes(&third);
            }
        }
        torn.widen();
        torn
    }
}

/// Fields within which the nearest repeated one is looked for: a period of 3:2.
const NEAREST: u64 = 6;
