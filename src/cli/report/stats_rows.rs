//! `--stats`: one row of JSON per input frame (§8.3), with the outputs of its step.

use super::denoise_row::DenoiseRow;
use super::repeats::Repeat;
use crate::error::CliError;
use crate::io::output::Sink;
use dndi::convert::Converted;
use dndi::{Content, FieldOrder, GreyStatistics, LumaStatistics, Statistics};
use std::collections::VecDeque;

/// Writes the rows. A row is written after the outputs of its step were written.
#[derive(Debug)]
pub struct StatsRows {
    sink: Sink,
    /// Input frames per second, as a fraction.
    rate: Option<(u32, u32)>,
    /// The rows that are not written yet. Outputs are added to the last one.
    waiting: VecDeque<StepRow>,
    /// Number of outputs of the waiting rows that are written.
    written: usize,
}

impl StatsRows {
    /// Creates the writer; `rate` is the frame rate of the input.
    pub fn new(sink: Sink, rate: Option<(u32, u32)>) -> StatsRows {
        StatsRows { sink, rate, waiting: VecDeque::new(), written: 0 }
    }

    /// Removes the previous contents of the file.
    pub fn begin(&self) -> Result<(), CliError> {
        self.sink.begin()
    }

    /// Starts the row of the step that read input frame `number`, of which a part `repeats` that of
    /// the frame before.
    pub fn step(&mut self, number: u64, statistics: &Statistics, repeats: Option<Repeat>) -> Result<(), CliError> {
        self.waiting.push_back(StepRow { repeats, ..StepRow::new(number, statistics) });
        self.write_down_to(1)
    }

    /// Adds output `number` to the last row. It will be written later.
    pub fn add_output(&mut self, number: u64, output: OutputRow, luma: &LumaStatistics) {
        let Some(row) = self.waiting.back_mut() else { return };
        // There are two fields per input frame.
        let time = self.rate.map(|(num, den)| (output.field * den as u64) as f64 / (2 * num as u64) as f64);
        row.outputs.push(TimedOutput { luma: LumaRow::new(number, luma), output, time });
    }

    /// Reports that the last step has no more outputs.
    pub fn end_step(&mut self) {
        if let Some(row) = self.waiting.back_mut() {
            row.end_step();
        }
    }

    /// Reports that the next output was written.
    pub fn written(&mut self) -> Result<(), CliError> {
        self.written += 1;
        self.write_down_to(1)
    }

    /// Writes the rows that remain, up to the last output that was written.
    pub fn end(&mut self) -> Result<(), CliError> {
        self.write_down_to(0)?;
        match self.waiting.drain(..).next() {
            Some(mut row) if self.written > 0 => {
                row.outputs.truncate(self.written);
                row.write(&mut self.sink)
            }
            _ => Ok(()),
        }
    }

    /// Writes rows whose outputs are all written, until `remaining` rows remain.
    fn write_down_to(&mut self, remaining: usize) -> Result<(), CliError> {
        while self.waiting.len() > remaining && self.waiting[0].outputs.len() <= self.written {
            let Some(row) = self.waiting.pop_front() else { break };
            self.written -= row.outputs.len();
            row.write(&mut self.sink)?;
        }
        Ok(())
    }
}

/// The row of a step. The names of the fields are the keys of the JSON object.
#[derive(Debug, serde::Serialize)]
struct StepRow {
    /// Number of the input frame.
    step: u64,
    gne_sum: u64,
    gne_count: u64,
    gne: u64,
    v: [u64; 11],
    motion_blocks: u64,
    history_sum: u64,
    stmm_sum: u64,
    /// The part of the input frame that equals that of the frame before.
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<Repeat>,
    /// The denoise filter of luma; none if off.
    denoise: Option<DenoiseRow>,
    /// The denoise filter of chroma; none if off.
    #[serde(skip_serializing_if = "Option::is_none")]
    denoise_chroma: Option<DenoiseRow>,
    /// Luma of the output, if the step has only one.
    #[serde(flatten)]
    only: Option<LumaRow>,
    /// The outputs of the step. Those of the last step include the output of the end of the stream.
    outputs: Vec<TimedOutput>,
}

impl StepRow {
    /// `step` is the number of the input frame. `statistics.step` is not used: it counts the frames
    /// of one stream, and a conversion can use several streams.
    fn new(step: u64, statistics: &Statistics) -> StepRow {
        let &Statistics { gne_sum, gne_count, gne, fmd_variances: v, motion_blocks, history_sum, stmm_sum, .. } = statistics;
        let [denoise, denoise_chroma] =
            [&statistics.denoise, &statistics.denoise_chroma].map(|state| state.as_ref().map(DenoiseRow::new));
        let (repeats, only, outputs) = (None, None, vec![]);
        StepRow {
            step,
            gne_sum,
            gne_count,
            gne,
            v,
            motion_blocks,
            history_sum,
            stmm_sum,
            repeats,
            denoise,
            denoise_chroma,
            only,
            outputs,
        }
    }

    /// Reports that the step has no more outputs.
    fn end_step(&mut self) {
        if let [only] = self.outputs.as_slice() {
            self.only = Some(only.luma.clone());
        }
    }

    fn write(&self, sink: &mut Sink) -> Result<(), CliError> {
        let row = serde_json::to_string(self).map_err(CliError::runtime)?;
        sink.write_lines(&(row + "\n"), 1)
    }
}

/// An output with its time.
#[derive(Clone, Debug, serde::Serialize)]
struct TimedOutput {
    #[serde(flatten)]
    luma: LumaRow,
    #[serde(flatten)]
    output: OutputRow,
    /// Presentation time of its field, in seconds from the first input frame.
    time: Option<f64>,
}

/// An output and the decision about it.
#[derive(Clone, Debug, serde::Serialize)]
pub struct OutputRow {
    /// Number of the input field from which it was made; there are two per input frame.
    pub field: u64,
    /// The code of its field match (§3.8): 0 none, 1 previous field, 2 next field.
    code: u8,
    content: Option<&'static str>,
    cadence: Option<String>,
    confidence: Option<u8>,
    reason: String,
    #[serde(flatten)]
    sources: Option<Shares>,
    /// The denoise filter of the luma of its field; none if off.
    denoise: Option<DenoiseRow>,
    /// The denoise filter of the chroma of its field; none if off.
    #[serde(skip_serializing_if = "Option::is_none")]
    denoise_chroma: Option<DenoiseRow>,
}

/// Sources of the pixels of missing lines as shares, 0…1, and the mean of their motion measure
/// (STMM).
#[derive(Clone, Debug, serde::Serialize)]
struct Shares {
    stmm: Option<f64>,
    woven: f64,
    temporal: f64,
    compensated: f64,
    spatial: f64,
    network: f64,
}

impl OutputRow {
    /// The row of an output.
    pub fn new(output: &Converted) -> OutputRow {
        let share = |part: u64, whole: u64| ((part * 10_000).checked_div(whole).unwrap_or(0)) as f64 / 10_000.0;
        let sources = output.sources.map(|sources| {
            let pixels = sources.woven + sources.temporal + sources.compensated + sources.spatial + sources.network;
            Shares {
                stmm: (sources.stmm_sum * 100).checked_div(sources.pairs).map(|stmm| stmm as f64 / 100.0),
                woven: share(sources.woven, pixels),
                temporal: share(sources.temporal, pixels),
                compensated: share(sources.compensated, pixels),
                spatial: share(sources.spatial, pixels),
                network: share(sources.network, pixels),
            }
        });
        let decision = output.decision.as_deref();
        let content = decision.map(|decision| match (decision.content, decision.field_order) {
            (Content::Progressive, _) => "progressive",
            (Content::Film, FieldOrder::TopFirst) => "film, top field first",
            (Content::Film, FieldOrder::BottomFirst) => "film, bottom field first",
            (_, FieldOrder::TopFirst) => "interlaced, top field first",
            (_, FieldOrder::BottomFirst) => "interlaced, bottom field first",
        });
        OutputRow {
            field: output.field,
            code: output.field_match.code(),
            content,
            cadence: decision.and_then(|decision| decision.pulldown).map(|pulldown| pulldown.to_string()),
            confidence: decision.map(|decision| decision.confidence),
            reason: decision.map_or("not detected".to_owned(), |decision| decision.reason.to_string()),
            sources,
            denoise: output.denoise.as_ref().map(DenoiseRow::new),
            denoise_chroma: output.denoise_chroma.as_ref().map(DenoiseRow::new),
        }
    }
}

/// Luma statistics of an output.
#[derive(Clone, Debug, serde::Serialize)]
struct LumaRow {
    frame: u64,
    ymin: u8,
    ymax: u8,
    skin_pixels: u64,
    skin_factor_sum: u64,
    histogram: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out_of_gamut: Option<u64>,
    #[serde(flatten)]
    grey: Option<GreyRow>,
}

/// Grey points of an output, and the gains that follow from them.
#[derive(Clone, Debug, serde::Serialize)]
struct GreyRow {
    grey_points: u64,
    grey_red: u64,
    grey_green: u64,
    grey_blue: u64,
    wb: [u16; 3],
}

impl GreyRow {
    fn new(grey: &GreyStatistics) -> GreyRow {
        let [grey_red, grey_green, grey_blue] = grey.sums;
        GreyRow { grey_points: grey.points, grey_red, grey_green, grey_blue, wb: grey.gains }
    }
}

impl LumaRow {
    fn new(frame: u64, luma: &LumaStatistics) -> LumaRow {
        let &LumaStatistics { ymin, ymax, skin_pixels, skin_factor_sum, out_of_gamut, ref grey, ref histogram, .. } = luma;
        let (grey, histogram) = (grey.as_ref().map(GreyRow::new), histogram.to_vec());
        LumaRow { frame, ymin, ymax, skin_pixels, skin_factor_sum, histogram, out_of_gamut, grey }
    }
}
