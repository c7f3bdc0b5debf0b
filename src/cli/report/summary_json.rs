//! Summary of a clip as JSON.

use super::summary::{ClipSummary, Kind, Segment};
use serde::Serialize;

/// The kinds of the frames of a clip, and its noise.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Found {
    /// The most frequent kind; none if nothing was detected.
    pub measured: Option<What>,
    pub segments: Vec<Part>,
    pub noise: Option<Noise>,
}

/// The findings at the end of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The scan of all frames if nothing but the field order was detected: tff, bff, progressive, or mixed if each frame has flags.
    pub declared: Option<&'static str>,
    #[serde(flatten)]
    pub found: Found,
    pub warnings: usize,
}

/// A kind of frames.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct What {
    pub content: &'static str,
    /// tff or bff; none if there are no fields.
    pub field_order: Option<String>,
    pub cadence: Option<String>,
    /// 0 (a guess) to 100.
    pub confidence: u64,
}

/// Successive frames of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    pub first: u64,
    pub frames: u64,
    #[serde(flatten)]
    pub what: What,
}

/// Global noise estimates (§2.6).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Noise {
    pub least: u64,
    pub median: u64,
    pub most: u64,
}

impl What {
    fn new(kind: Kind, confidence: u64) -> What {
        What {
            content: kind.content(),
            field_order: kind.order().map(|_| kind.field_order.to_string()),
            cadence: kind.pulldown.map(|pulldown| pulldown.to_string()),
            confidence,
        }
    }
}

impl From<&Segment> for Part {
    fn from(segment: &Segment) -> Part {
        Part { first: segment.first, frames: segment.frames, what: What::new(segment.kind, segment.confidence()) }
    }
}

impl From<&ClipSummary> for Found {
    fn from(summary: &ClipSummary) -> Found {
        let measured = summary.kinds().first().map(|&(kind, frames)| {
            let own = summary.segments.iter().filter(|segment| segment.kind == kind);
            let sum = own.map(|segment| segment.confidence() * segment.frames).sum::<u64>();
            What::new(kind, sum / frames.max(1))
        });
        Found {
            measured,
            segments: summary.segments.iter().map(Part::from).collect(),
            noise: summary.noises().map(|[least, median, most]| Noise { least, median, most }),
        }
    }
}
