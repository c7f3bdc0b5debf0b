//! What the frames of a clip are, and how noisy: for the summary of a run and for `dndi inspect`.

mod found;

use crate::failure::Failure;
use crate::plan::Plan;
use dndi::{StreamBuilder, Content, Decision, Format, Frame, SimdLevel, Pulldown, Scan, Statistics, Stream};
pub use found::{Found, Noise, Part, Summary, What};
use std::fmt;

/// What a frame was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub content: Content,
    /// The cadence of film, also in whole frames, if one was found.
    pub pulldown: Option<Pulldown>,
    pub top_first: bool,
}

impl Kind {
    pub fn new(content: Content, pulldown: Option<Pulldown>, top_first: bool) -> Kind {
        // That progressive frames are pictures goes without saying.
        let pulldown = pulldown.filter(|&pulldown| content == Content::Film || pulldown != Pulldown::P22);
        Kind { content, pulldown, top_first }
    }

    /// Progressive, interlaced or film.
    pub fn content(self) -> &'static str {
        match self.content {
            Content::Progressive => "progressive",
            Content::Film => "film",
            _ => "interlaced",
        }
    }

    /// The field order; none where there are no fields.
    pub fn order(self) -> Option<&'static str> {
        let order = if self.top_first { "top field first" } else { "bottom field first" };
        Some(order).filter(|_| self.content != Content::Progressive)
    }
}

impl From<&Decision> for Kind {
    fn from(decision: &Decision) -> Kind {
        Kind::new(decision.content, decision.pulldown, decision.top_first)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.content())?;
        self.pulldown.map_or(Ok(()), |pulldown| write!(f, " {pulldown}"))?;
        self.order().map_or(Ok(()), |order| write!(f, ", {order}"))
    }
}

/// Frames of one kind, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub kind: Kind,
    /// The first frame.
    pub first: u64,
    pub frames: u64,
    confidences: u64,
}

impl Stretch {
    /// The mean of its frames', 0…100.
    pub fn confidence(&self) -> u64 {
        self.confidences.checked_div(self.frames).unwrap_or(0)
    }
}

/// What was found out so far.
#[derive(Debug, Default)]
pub struct Survey {
    pub stretches: Vec<Stretch>,
    noises: Vec<u64>,
}

impl Survey {
    /// Takes what was decided about the next frame.
    pub fn decided(&mut self, number: u64, decision: &Decision) {
        let (kind, confidence) = (Kind::from(decision), decision.confidence.into());
        match self.stretches.last_mut().filter(|stretch| stretch.kind == kind) {
            Some(stretch) => (stretch.frames, stretch.confidences) = (stretch.frames + 1, stretch.confidences + confidence),
            None => self.stretches.push(Stretch { kind, first: number, frames: 1, confidences: confidence }),
        }
    }

    /// Takes the noise estimate of a frame, if it has one.
    pub fn measured(&mut self, statistics: &Statistics) {
        if statistics.gne_count > 0 {
            self.noises.push(statistics.gne);
        }
    }

    /// The least, the middle and the largest noise estimate.
    pub fn noises(&self) -> Option<[u64; 3]> {
        let mut noises = self.noises.clone();
        noises.sort_unstable();
        Some([*noises.first()?, noises[noises.len() / 2], *noises.last()?])
    }

    /// The kinds with the number of their frames, the most frequent first.
    pub fn kinds(&self) -> Vec<(Kind, u64)> {
        let mut kinds: Vec<(Kind, u64)> = Vec::new();
        for stretch in &self.stretches {
            match kinds.iter_mut().find(|(kind, _)| *kind == stretch.kind) {
                Some((_, frames)) => *frames += stretch.frames,
                None => kinds.push((stretch.kind, stretch.frames)),
            }
        }
        kinds.sort_by_key(|&(_, frames)| std::cmp::Reverse(frames));
        kinds
    }

    /// All that in a line, with what `plan` says where no picture was asked.
    pub fn in_words(&self, plan: &Plan) -> String {
        let kinds = self.kinds();
        let content = match kinds.as_slice() {
            [] => match plan.scan {
                _ if plan.mixed_scan => "mixed, as the frames tell",
                Scan::TopFirst => "interlaced, top field first, as told",
                Scan::BottomFirst => "interlaced, bottom field first, as told",
                _ => "progressive, as told",
            }
            .to_owned(),
            [(kind, _)] => kind.to_string(),
            _ => kinds.iter().map(|(kind, frames)| format!("{kind} ({frames})")).collect::<Vec<_>>().join("; "),
        };
        match self.noises() {
            Some([least, middle, most]) if least < most => format!("{content}; noise {middle} ({least}…{most})"),
            Some([_, middle, _]) => format!("{content}; noise {middle}"),
            None => content,
        }
    }
}

/// Measures the noise of frames (§2.6), each by itself.
#[derive(Debug)]
pub struct Gauge(Stream);

impl Gauge {
    /// For frames that are scanned like that.
    pub fn new(format: Format, scan: Scan, level: SimdLevel) -> Result<Gauge, Failure> {
        let stream = StreamBuilder::new(format, scan).denoise(false).deinterlace(false).level(level).build();
        stream.map(Gauge).map_err(Failure::runtime)
    }

    /// The statistics of a frame, of which the noise is known.
    pub fn measure(&mut self, frame: &Frame) -> Result<Option<&Statistics>, Failure> {
        self.0.push(&frame.planes()).map_err(Failure::runtime)?;
        if let Some(output) = self.0.pull() {
            self.0.recycle(output.frame);
        }
        Ok(self.0.statistics())
    }
}
