//! What was found, as JSON tells it.

use super::{Kind, Stretch, Survey};
use serde::Serialize;

/// What the frames of a clip were found to be, and how noisy.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Found {
    /// What most frames are; none where no frame was asked.
    pub measured: Option<What>,
    pub stretches: Vec<Part>,
    pub noise: Option<Noise>,
}

/// What a run tells at its end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// How all frames are scanned where no picture was asked, or for the field order only: tff, bff, progressive, or mixed where each tells.
    pub told: Option<&'static str>,
    #[serde(flatten)]
    pub found: Found,
    pub warnings: usize,
}

/// What frames are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct What {
    pub content: &'static str,
    /// tff or bff; none where there are no fields.
    pub field_order: Option<&'static str>,
    pub cadence: Option<String>,
    /// 0 (a guess) to 100.
    pub confidence: u64,
}

/// Frames of one kind, one after the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    pub first: u64,
    pub frames: u64,
    #[serde(flatten)]
    pub what: What,
}

/// Global noise estimates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Noise {
    pub least: u64,
    pub median: u64,
    pub most: u64,
}

impl What {
    fn new(kind: Kind, confidence: u64) -> What {
        let order = if kind.top_first { "tff" } else { "bff" };
        What {
            content: kind.content(),
            field_order: kind.order().map(|_| order),
            cadence: kind.pulldown.map(|pulldown| pulldown.to_string()),
            confidence,
        }
    }
}

impl From<&Stretch> for Part {
    fn from(stretch: &Stretch) -> Part {
        Part { first: stretch.first, frames: stretch.frames, what: What::new(stretch.kind, stretch.confidence()) }
    }
}

impl From<&Survey> for Found {
    fn from(survey: &Survey) -> Found {
        let measured = survey.kinds().first().map(|&(kind, frames)| {
            let own = survey.stretches.iter().filter(|stretch| stretch.kind == kind);
            let sum = own.map(|stretch| stretch.confidence() * stretch.frames).sum::<u64>();
            What::new(kind, sum / frames.max(1))
        });
        Found {
            measured,
            stretches: survey.stretches.iter().map(Part::from).collect(),
            noise: survey.noises().map(|[least, median, most]| Noise { least, median, most }),
        }
    }
}
