//! `--stats`: a row for each frame of the input (§8.3), with the frames that were made of it.

use super::denoise::Denoise;
use crate::failure::Failure;
use crate::output::Sink;
use dndi::{FieldMatch, Content, Decision, LumaStatistics, Statistics};
use std::collections::VecDeque;

/// The rows, each of which waits until its frames are written.
#[derive(Debug)]
pub struct Rows {
    sink: Sink,
    /// Frames of the input a second.
    rate: Option<(u32, u32)>,
    /// That of the last step, which the frames that it makes and, at the end, the last one join, and those before it.
    waiting: VecDeque<Row>,
    /// Frames of theirs that are written.
    written: usize,
}

impl Rows {
    pub fn new(sink: Sink, rate: Option<(u32, u32)>) -> Rows {
        Rows { sink, rate, waiting: VecDeque::new(), written: 0 }
    }

    /// Drops what was in the file.
    pub fn begin(&self) -> Result<(), Failure> {
        self.sink.begin()
    }

    /// Begins the row of the step that took frame `number` of the input.
    pub fn step(&mut self, number: u64, statistics: &Statistics) -> Result<(), Failure> {
        self.waiting.push_back(Row::new(number, statistics));
        self.write_down_to(1)
    }

    /// Adds to the last row a frame that will be written.
    pub fn made(&mut self, number: u64, origin: Origin, luma: &LumaStatistics) {
        let Some(row) = self.waiting.back_mut() else { return };
        let time = self.rate.map(|(num, den)| (origin.field * den as u64) as f64 / (2 * num as u64) as f64);
        row.outputs.push(Made { luma: Luma::new(number, luma), origin, time });
    }

    /// The last step makes no more frames.
    pub fn step_made(&mut self) {
        if let Some(row) = self.waiting.back_mut() {
            row.made();
        }
    }

    /// The next frame was written.
    pub fn written(&mut self) -> Result<(), Failure> {
        self.written += 1;
        self.write_down_to(1)
    }

    /// Ends the rows with the last frame that was written.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.write_down_to(0)?;
        match self.waiting.drain(..).next() {
            Some(mut row) if self.written > 0 => {
                row.outputs.truncate(self.written);
                row.write(&mut self.sink)
            }
            _ => Ok(()),
        }
    }

    /// Writes the rows whose frames are written, until `least` are left.
    fn write_down_to(&mut self, least: usize) -> Result<(), Failure> {
        while self.waiting.len() > least && self.waiting[0].outputs.len() <= self.written {
            let Some(row) = self.waiting.pop_front() else { break };
            self.written -= row.outputs.len();
            row.write(&mut self.sink)?;
        }
        Ok(())
    }
}

/// A row of the statistics.
#[derive(Debug, serde::Serialize)]
struct Row {
    step: u64,
    gne_sum: u64,
    gne_count: u64,
    gne: u64,
    v: [u64; 11],
    motion_blocks: u64,
    history_sum: u64,
    stmm_sum: u64,
    /// What the step denoised luma and chroma with; none where that is off.
    denoise: Option<Denoise>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denoise_chroma: Option<Denoise>,
    /// That of the step's only frame.
    #[serde(flatten)]
    only: Option<Luma>,
    /// Its frames, and the one that the end of the stream makes.
    outputs: Vec<Made>,
}

impl Row {
    /// `step` counts the input's frames, the stream only those since its last reset.
    fn new(step: u64, statistics: &Statistics) -> Row {
        let &Statistics { gne_sum, gne_count, gne, v, motion_blocks, history_sum, stmm_sum, .. } = statistics;
        let [denoise, denoise_chroma] =
            [&statistics.denoise, &statistics.denoise_chroma].map(|strength| strength.as_ref().map(Denoise::new));
        let (only, outputs) = (None, vec![]);
        Row { step, gne_sum, gne_count, gne, v, motion_blocks, history_sum, stmm_sum, denoise, denoise_chroma, only, outputs }
    }

    /// The step makes no more frames.
    fn made(&mut self) {
        if let [only] = self.outputs.as_slice() {
            self.only = Some(only.luma.clone());
        }
    }

    fn write(&self, sink: &mut Sink) -> Result<(), Failure> {
        let row = serde_json::to_string(self).map_err(Failure::runtime)?;
        sink.write_lines(&(row + "\n"), 1)
    }
}

/// A frame that was written.
#[derive(Clone, Debug, serde::Serialize)]
struct Made {
    #[serde(flatten)]
    luma: Luma,
    #[serde(flatten)]
    origin: Origin,
    /// When it is shown, in seconds from the beginning of the input.
    time: Option<f64>,
}

/// Where a frame that was written comes from.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Origin {
    /// The field of the input that it shows.
    pub field: u64,
    /// Its code (§3.8).
    code: u8,
    content: Option<&'static str>,
    cadence: Option<String>,
    confidence: Option<u8>,
    reason: String,
    #[serde(flatten)]
    making: Option<Shares>,
    /// What the luma of the field was denoised with; none where that is off.
    denoise: Option<Denoise>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denoise_chroma: Option<Denoise>,
}

/// Shares of the pixels of missing lines, and the mean of their motion measure.
#[derive(Clone, Debug, serde::Serialize)]
struct Shares {
    stmm: Option<f64>,
    woven: f64,
    temporal: f64,
    compensated: f64,
    spatial: f64,
}

impl Origin {
    /// Of what was made of field `field` of the input, whose frame was decided about or not.
    pub fn new(field: u64, made: &dndi::Output, decision: Option<&Decision>) -> Origin {
        let share = |part: u64, whole: u64| ((part * 10_000).checked_div(whole).unwrap_or(0)) as f64 / 10_000.0;
        let making = made.making.map(|making| {
            let pixels = making.woven + making.temporal + making.compensated + making.spatial;
            Shares {
                stmm: (making.pairs > 0).then(|| (making.stmm_sum * 100 / making.pairs.max(1)) as f64 / 100.0),
                woven: share(making.woven, pixels),
                temporal: share(making.temporal, pixels),
                compensated: share(making.compensated, pixels),
                spatial: share(making.spatial, pixels),
            }
        });
        let code = match made.code {
            FieldMatch::Deinterlace => 0,
            FieldMatch::Previous => 1,
            FieldMatch::Next => 2,
        };
        let content = decision.map(|decision| match (decision.content, decision.top_first) {
            (Content::Progressive, _) => "progressive",
            (Content::Film, true) => "film, top field first",
            (Content::Film, false) => "film, bottom field first",
            (_, true) => "interlaced, top field first",
            (_, false) => "interlaced, bottom field first",
        });
        Origin {
            field,
            code,
            content,
            cadence: decision.and_then(|decision| decision.pulldown).map(|pulldown| pulldown.to_string()),
            confidence: decision.map(|decision| decision.confidence),
            reason: decision.map_or("not asked".to_owned(), |decision| decision.reason.to_string()),
            making,
            denoise: made.denoise.as_ref().map(Denoise::new),
            denoise_chroma: made.denoise_chroma.as_ref().map(Denoise::new),
        }
    }
}

/// What a frame that was written looks like.
#[derive(Clone, Debug, serde::Serialize)]
struct Luma {
    frame: u64,
    ymin: u8,
    ymax: u8,
    skin_pixels: u64,
    skin_factor_sum: u64,
    histogram: Vec<u32>,
}

impl Luma {
    fn new(frame: u64, luma: &LumaStatistics) -> Luma {
        let &LumaStatistics { ymin, ymax, skin_pixels, skin_factor_sum, ref histogram, .. } = luma;
        Luma { frame, ymin, ymax, skin_pixels, skin_factor_sum, histogram: histogram.to_vec() }
    }
}
