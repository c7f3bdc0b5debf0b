//! Frames with what was decided about them, which takes some frames after them.

use crate::args::Args;
use crate::choices::{FieldOrder, Film, When};
use crate::failure::Failure;
use crate::input::{Event, Input};
use dndi::y4m::{FrameHeader, Header, Interlacing};
use dndi::{Decision, Detector, FieldMatching, Format, Frame, SimdLevel, ClipStart, Reason, Sampling, Scan};
use std::collections::VecDeque;

/// What is asked of the pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    film: FieldMatching,
    /// Whether top fields are the earlier ones, where that is not asked.
    order: Option<bool>,
    /// Whether they tell if anything is deinterlaced at all.
    pub content: bool,
    /// Whether fields that belong together are woven.
    pub weaves: bool,
}

impl Question {
    /// What the command line leaves open; nothing where no picture need be asked.
    pub fn new(args: &Args, header: &Header) -> Option<Question> {
        if args.deinterlace == When::Off || !has_fields(header) {
            return None;
        }
        let film = match args.film {
            Film::Off => FieldMatching::Off,
            Film::Auto => FieldMatching::Pattern,
            Film::Reconstruct => FieldMatching::Always,
        };
        let weaves = no_film(args, Some(header)).is_none();
        let question = Question { film, order: None, content: false, weaves };
        let ordered = |order: Scan| Question { order: Some(order == Scan::TopFirst), ..question };
        match (args.field_order, args.deinterlace, told_by(header.interlacing())) {
            (FieldOrder::Auto, When::Auto, _) => {
                let content = args.cadence.is_none();
                Some(Question { content, weaves: content, ..question })
            }
            (_, When::Flagged, None | Some(Scan::Progressive)) => None,
            (FieldOrder::Auto, ..) => Some(question),
            (FieldOrder::Progressive, ..) | (FieldOrder::Header, _, None | Some(Scan::Progressive)) => None,
            (FieldOrder::Tff, ..) => Some(ordered(Scan::TopFirst)),
            (FieldOrder::Bff, ..) => Some(ordered(Scan::BottomFirst)),
            (FieldOrder::Header, _, Some(scan)) => Some(ordered(scan)),
        }
        // Where the order is told and the flags of the frames decide alone, nothing is left to ask.
        .filter(|question| question.order.is_none() || question.weaves)
    }
}

/// Why no film is looked for, and what to say instead; none if it is. The header may not be known yet.
pub fn no_film(args: &Args, header: Option<&Header>) -> Option<&'static str> {
    match (args.field_order, args.deinterlace) {
        _ if args.film == Film::Off => return Some("--film off looks for none: say --film auto or reconstruct"),
        _ if args.cadence.is_some() => return Some("--cadence tells the codes: leave it out"),
        (_, When::Off) => return Some("--deinterlace off asks no picture: say --deinterlace auto"),
        (FieldOrder::Progressive, _) => return Some("--field-order progressive has no fields: say auto, tff or bff there"),
        _ => {}
    }
    let header = header?;
    let mixed = header.interlacing() == Interlacing::Mixed;
    match (args.field_order, args.deinterlace, told_by(header.interlacing())) {
        _ if !has_fields(header) => Some("frames of this size have no fields"),
        (FieldOrder::Header, _, None) => Some("the header tells no field order: say --field-order auto, tff or bff"),
        (FieldOrder::Header, _, Some(Scan::Progressive)) => {
            Some("the header says progressive: say --field-order auto, tff or bff")
        }
        (FieldOrder::Header, ..) if mixed => Some("the flags of the frames decide alone: say --field-order auto, tff or bff"),
        (_, When::Flagged, None) => Some("the header calls nothing interlaced: say --deinterlace auto or on"),
        (_, When::Flagged, Some(Scan::Progressive)) => Some("the header says progressive: say --deinterlace auto or on"),
        (_, When::Flagged, _) if mixed => Some("the flags of the frames decide alone: say --deinterlace auto or on"),
        _ => None,
    }
}

/// Whether frames of this size can consist of fields.
fn has_fields(header: &Header) -> bool {
    let Format { height, sampling, .. } = header.format();
    height % 2 == 0 && (sampling != Sampling::C420 || height >= 4)
}

/// The input, some frames of which are read before they are given away.
#[derive(Debug)]
pub struct Ahead {
    input: Input,
    detector: Option<Detector>,
    flags: Flags,
    waiting: VecDeque<(FrameHeader, Frame)>,
    /// The decision about the first frame, if it was made before that was asked for.
    first: Option<Decision>,
    /// Frames before those that are wanted, and the field order that the last of them tells.
    dropped: Option<Dropped>,
    /// What comes after the frames that wait.
    end: Option<Event>,
}

/// What the input begins with.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    /// By the first frames that tell.
    pub opening: ClipStart,
    /// Whether any of them do.
    pub tells: bool,
    /// Whether those that do are too late to tell whether they are film.
    pub late: bool,
}

impl Beginning {
    fn new(opening: ClipStart, first: Option<&Decision>) -> Beginning {
        let measured = |decision: &Decision| matches!(decision.reason, Reason::PatternMatched | Reason::Combing);
        // Of fields without anything in common no frame tells for itself.
        let late = opening.reason == Reason::Combing && opening.confidence > 0 && !first.is_some_and(measured);
        Beginning { opening, tells: !matches!(opening.reason, Reason::Flags | Reason::Undetermined), late }
    }
}

/// Frames that were dropped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dropped {
    pub frames: u64,
    /// Whether the top field is flagged as the earlier one by the last of them that tells.
    pub top_first: Option<bool>,
}

/// What comes next.
#[derive(Debug)]
pub enum Next {
    /// Frames before those that are wanted.
    Dropped(Dropped),
    /// A frame, with what was decided about it and what the flags say of it.
    Frame(FrameHeader, Frame, Option<(Decision, Option<Scan>)>),
    /// The end of the input, or of the part that is wanted.
    End,
    /// Nothing more can be read.
    Failed(Failure),
    /// The program was asked to end.
    Interrupted,
}

impl Ahead {
    /// The input after its header.
    pub fn new(input: Input, header: &Header, question: Option<Question>, level: SimdLevel) -> Result<Ahead, Failure> {
        let detector = question.map(|question| {
            let detector = Detector::at(header.format(), question.film, level)?;
            Ok(match question.order {
                Some(top_first) => detector.with_order(top_first),
                None => detector,
            })
        });
        let detector = detector.transpose().map_err(|error: dndi::Error| Failure::runtime(error))?;
        let flags = Flags { header: told_by(header.interlacing()), mixed: header.interlacing() == Interlacing::Mixed };
        Ok(Ahead { input, detector, flags, waiting: VecDeque::new(), first: None, dropped: None, end: None })
    }

    /// What the input begins with; none without a detector or frames.
    pub fn beginning(&mut self) -> Result<Option<Beginning>, Failure> {
        while let Some(detector) = &mut self.detector {
            if let Some(opening) = detector.clip_start() {
                self.first = detector.pull();
                return Ok(Some(Beginning::new(opening, self.first.as_ref())));
            }
            if self.end.is_some() {
                break;
            }
            self.read()?;
        }
        Ok(None)
    }

    /// What comes next.
    pub fn next(&mut self) -> Result<Next, Failure> {
        loop {
            if let Some(dropped) = self.dropped.take() {
                return Ok(Next::Dropped(dropped));
            }
            // What would be decided without the frames to come need not be what is decided with them.
            if matches!(self.end, Some(Event::Interrupted)) {
                return Ok(Next::Interrupted);
            }
            let decision = match &mut self.detector {
                Some(detector) => self.first.take().or_else(|| detector.pull()).map(Some),
                None => Some(None),
            };
            if let Some((decision, (header, frame))) = decision.and_then(|decision| Some((decision, self.waiting.pop_front()?))) {
                let told = self.flags.of(&header);
                return Ok(Next::Frame(header, frame, decision.map(|decision| (decision, told))));
            }
            if self.waiting.is_empty() {
                match self.end.take() {
                    Some(Event::Failed(failure)) => return Ok(Next::Failed(failure)),
                    Some(_) => return Ok(Next::End),
                    None => {}
                }
            }
            self.read()?;
        }
    }

    /// Gives a frame back, to be used for a later one.
    pub fn recycle(&self, frame: Frame) {
        self.input.recycle(frame);
    }

    fn read(&mut self) -> Result<(), Failure> {
        match self.input.next() {
            Event::Frame(header, frame) => {
                if let Some(detector) = &mut self.detector {
                    detector.push(frame.planes()[0], self.flags.of(&header)).map_err(Failure::runtime)?;
                }
                self.waiting.push_back((header, frame));
            }
            Event::Dropped(header) => {
                let dropped = self.dropped.get_or_insert_default();
                dropped.frames += 1;
                dropped.top_first = header.top_first().or(dropped.top_first);
            }
            end => {
                if let Some(detector) = &mut self.detector {
                    detector.finish();
                }
                self.end = Some(end);
            }
        }
        Ok(())
    }
}

/// What the header says, and whether frames say more.
#[derive(Clone, Copy, Debug)]
struct Flags {
    header: Option<Scan>,
    mixed: bool,
}

impl Flags {
    /// What they say of a frame.
    fn of(self, header: &FrameHeader) -> Option<Scan> {
        match header.top_first() {
            _ if !self.mixed => self.header,
            _ if header.progressive() => Some(Scan::Progressive),
            Some(true) => Some(Scan::TopFirst),
            Some(false) => Some(Scan::BottomFirst),
            None => None,
        }
    }
}

/// What a header tells; a mixed stream begins top field first.
pub fn told_by(interlacing: Interlacing) -> Option<Scan> {
    match interlacing {
        Interlacing::Progressive => Some(Scan::Progressive),
        Interlacing::TopFirst | Interlacing::Mixed => Some(Scan::TopFirst),
        Interlacing::BottomFirst => Some(Scan::BottomFirst),
        Interlacing::Unknown => None,
    }
}
