//! Summary of a clip: the content of its frames and its noise. It is printed at the end of a run
//! and by `dndi inspect`.

use crate::error::CliError;
use dndi::{Blend, Content, Decision, FieldOrder, Format, Frame, Pulldown, Scan, SimdLevel, Statistics, Stream};
use std::fmt;

/// The kind of a frame: content, pulldown pattern and field order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub content: Content,
    /// The pulldown pattern of film, also of progressive frames, if one was found.
    pub pulldown: Option<Pulldown>,
    pub field_order: FieldOrder,
    /// How the fields are blended.
    pub blend: Option<Blend>,
}

impl Kind {
    /// The content in a word: progressive, interlaced or film.
    pub fn content(self) -> &'static str {
        match self.content {
            Content::Progressive => "progressive",
            Content::Film => "film",
            _ => "interlaced",
        }
    }

    /// The field order as text; none for progressive content.
    pub fn order(self) -> Option<&'static str> {
        let order = match self.field_order {
            FieldOrder::TopFirst => "top field first",
            FieldOrder::BottomFirst => "bottom field first",
        };
        Some(order).filter(|_| self.content != Content::Progressive)
    }
}

impl From<&Decision> for Kind {
    fn from(decision: &Decision) -> Kind {
        let &Decision { content, pulldown, field_order, blend, .. } = decision;
        // 2:2 whose fields are in phase is the same as progressive.
        let pulldown = pulldown.filter(|&pulldown| content == Content::Film || pulldown != Pulldown::P22);
        Kind { content, pulldown, field_order, blend }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.blend {
            Some(blend) => write!(f, "blended fields ({blend})")?,
            None => f.write_str(self.content())?,
        }
        self.pulldown.map_or(Ok(()), |pulldown| write!(f, " {pulldown}"))?;
        self.order().map_or(Ok(()), |order| write!(f, ", {order}"))
    }
}

/// Successive frames of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub kind: Kind,
    /// Number of the first frame, from 0.
    pub first: u64,
    /// Number of frames.
    pub frames: u64,
    /// Sum of the confidences of the frames.
    confidences: u64,
}

impl Segment {
    /// The mean confidence of the frames, 0…100.
    pub fn confidence(&self) -> u64 {
        self.confidences.checked_div(self.frames).unwrap_or(0)
    }
}

/// Summary of the frames of a clip so far.
#[derive(Debug, Default)]
pub struct ClipSummary {
    pub segments: Vec<Segment>,
    /// Global noise estimates of frames (§2.6), in code values of 8 bits.
    noises: Vec<f64>,
}

impl ClipSummary {
    /// Adds the decision about the next frame.
    pub fn add_decision(&mut self, number: u64, decision: &Decision) {
        let (kind, confidence) = (Kind::from(decision), decision.confidence.into());
        match self.segments.last_mut().filter(|segment| segment.kind == kind) {
            Some(segment) => (segment.frames, segment.confidences) = (segment.frames + 1, segment.confidences + confidence),
            None => self.segments.push(Segment { kind, first: number, frames: 1, confidences: confidence }),
        }
    }

    /// Adds the noise estimate of a frame, if it has one.
    pub fn add_noise(&mut self, noise: Option<f64>) {
        self.noises.extend(noise);
    }

    /// Minimum, median and maximum of the noise estimates; none without estimates.
    pub fn noises(&self) -> Option<[f64; 3]> {
        let mut noises = self.noises.clone();
        noises.sort_unstable_by(f64::total_cmp);
        Some([*noises.first()?, noises[noises.len() / 2], *noises.last()?])
    }

    /// The kinds with the number of their frames, the most frequent first.
    pub fn kinds(&self) -> Vec<(Kind, u64)> {
        let mut kinds: Vec<(Kind, u64)> = Vec::new();
        for segment in &self.segments {
            match kinds.iter_mut().find(|(kind, _)| *kind == segment.kind) {
                Some((_, frames)) => *frames += segment.frames,
                None => kinds.push((segment.kind, segment.frames)),
            }
        }
        kinds.sort_by_key(|&(_, frames)| std::cmp::Reverse(frames));
        kinds
    }

    /// The summary in one line. `declared` is the content to print if nothing was detected.
    pub fn describe(&self, declared: &str) -> String {
        let kinds = self.kinds();
        let content = match kinds.as_slice() {
            [] => declared.to_owned(),
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

/// The global noise estimate of a frame of `depth` bits per sample (§2.6), in code values of 8
/// bits; none if no block is flat enough. It is a whole number for 8 bits, else rounded to
/// hundredths.
pub fn noise(statistics: &Statistics, depth: u8) -> Option<f64> {
    let steps = f64::from(1 << depth.saturating_sub(8));
    (statistics.gne_count > 0).then(|| (statistics.gne as f64 / steps * 100.0).round() / 100.0)
}

/// Measures the noise of single frames (§2.6) with a stream that does nothing else.
#[derive(Debug)]
pub struct NoiseProbe(Stream);

impl NoiseProbe {
    /// A probe for frames of this format and scan.
    pub fn new(format: Format, scan: Scan, level: SimdLevel) -> Result<NoiseProbe, CliError> {
        let stream = Stream::builder(format, scan).denoise(false).deinterlace(false).simd_level(level).build();
        stream.map(NoiseProbe).map_err(CliError::runtime)
    }

    /// The statistics of a frame. Only the noise estimate is valid, since frames in between are not
    /// measured.
    pub fn measure(&mut self, frame: &Frame) -> Result<Option<&Statistics>, CliError> {
        self.0.push(&frame.planes()).map_err(CliError::runtime)?;
        if let Some(output) = self.0.pull() {
            self.0.recycle(output.frame);
        }
        Ok(self.0.statistics())
    }
}
