//! Summary of a clip as JSON. The names of the fields are the keys.

use super::summary::{ClipSummary, Kind, Segment};
use serde::{Serialize, Serializer};

/// The content of a clip, and its noise.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Found {
    /// The most frequent kind of frame; none if nothing was detected.
    pub measured: Option<KindJson>,
    pub segments: Vec<SegmentJson>,
    pub noise: Option<Noise>,
}

/// The summary at the end of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The scan of all frames, if their content was not detected: tff, bff, progressive, or mixed
    /// if each frame has its own flags.
    pub declared: Option<&'static str>,
    #[serde(flatten)]
    pub found: Found,
    /// Number of warnings.
    pub warnings: usize,
}

/// A kind of frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindJson {
    pub content: &'static str,
    /// tff or bff; none for progressive content.
    pub field_order: Option<String>,
    /// The pulldown pattern, if one was found.
    pub cadence: Option<String>,
    /// How the fields are blended, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blend: Option<String>,
    /// 0 (a guess) to 100.
    pub confidence: u64,
}

/// Successive frames of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SegmentJson {
    /// Number of the first frame, from 0.
    pub first: u64,
    /// Number of frames.
    pub frames: u64,
    #[serde(flatten)]
    pub kind: KindJson,
}

/// Minimum, median and maximum of the global noise estimates (§2.6), in code values of 8 bits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Noise {
    #[serde(serialize_with = "estimate")]
    pub least: f64,
    #[serde(serialize_with = "estimate")]
    pub median: f64,
    #[serde(serialize_with = "estimate")]
    pub most: f64,
}

/// Writes a whole number without decimals.
fn estimate<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.fract() == 0.0 { serializer.serialize_u64(*value as u64) } else { serializer.serialize_f64(*value) }
}

impl KindJson {
    fn new(kind: Kind, confidence: u64) -> KindJson {
        KindJson {
            content: kind.content(),
            field_order: kind.order().map(|_| kind.field_order.to_string()),
            cadence: kind.pulldown.map(|pulldown| pulldown.to_string()),
            blend: kind.blend.map(|blend| blend.to_string()),
            confidence,
        }
    }
}

impl From<&Segment> for SegmentJson {
    fn from(segment: &Segment) -> SegmentJson {
        SegmentJson { first: segment.first, frames: segment.frames, kind: KindJson::new(segment.kind, segment.confidence()) }
    }
}

impl From<&ClipSummary> for Found {
    fn from(summary: &ClipSummary) -> Found {
        let measured = summary.kinds().first().map(|&(kind, frames)| {
            let own = summary.segments.iter().filter(|segment| segment.kind == kind);
            let sum = own.map(|segment| segment.confidence() * segment.frames).sum::<u64>();
            KindJson::new(kind, sum / frames.max(1))
        });
        Found {
            measured,
            segments: summary.segments.iter().map(SegmentJson::from).collect(),
            noise: summary.noises().map(|[least, median, most]| Noise { least, median, most }),
        }
    }
}
