//! Measurements of single frames.

use crate::error::CliError;
use crate::report::borders::Borders;
use crate::report::head_switching::HeadSwitching;
use crate::report::line_jitter::LineJitter;
use crate::report::repeats::{Repeat, Repeats};
use crate::report::summary::{ClipSummary, Kind, noise};
use dndi::{
    ChromaShiftMeter, Content, Decision, DotCrawlMeter, DropOutRepair, Format, Frame, Parameters, Scan, SimdLevel, Statistics,
    Stream,
};

/// The measurements of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub kind: Option<Kind>,
    /// Global noise estimate (§2.6) in code values of 8 bits; none if no block is flat enough.
    pub noise: Option<f64>,
    /// Standard deviation of the noise that automatic denoising uses at this frame, in 1/64 of a
    /// code value of 8 bits.
    pub level: Option<u16>,
    /// Share of moving 4×4 blocks, 0…1; none for the first frame.
    pub motion: Option<f64>,
    /// Number of pixels that change over time and comb between the fields of the frame, and number
    /// of pixels that change (FMD variances v5, v5 + v6).
    pub combing: [u64; 2],
    /// Number of tears within the frame, and between its fields and those of the previous frame
    /// (FMD variances v8, v9 + v10).
    pub tears: [u64; 2],
    /// The part that equals that of the frame before.
    pub repeats: Option<Repeat>,
}

/// Interval in frames at which the places of chroma and of lines are measured: successive frames
/// are much the same.
const INTERVAL: u64 = 12;

/// Measures successive frames with the stages of a conversion.
#[derive(Debug)]
pub struct Probe {
    format: Format,
    level: SimdLevel,
    /// The stream for all measurements, and its scan.
    stream: Option<(Scan, Stream)>,
    /// The stream that measures the noise of progressive frames. It compares lines of the frame,
    /// not of a field.
    progressive: Option<Stream>,
    repeats: Repeats,
    pub borders: Borders,
    pub head_switching: HeadSwitching,
    pub line_jitter: LineJitter,
    pub chroma: ChromaShiftMeter,
    pub dot_crawl: DotCrawlMeter,
    drop_outs: DropOutRepair,
    /// The frame before, whose drop-outs are counted with the next one.
    before: Option<Frame>,
    /// The number of drop-outs in all planes.
    pub drop_out_count: usize,
    /// The number of frames.
    frames: u64,
}

impl Probe {
    pub fn new(format: Format, level: SimdLevel) -> Probe {
        Probe {
            format,
            level,
            stream: None,
            progressive: None,
            repeats: Repeats::default(),
            borders: Borders::default(),
            head_switching: HeadSwitching::default(),
            line_jitter: LineJitter::default(),
            chroma: ChromaShiftMeter::default(),
            dot_crawl: DotCrawlMeter::default(),
            drop_outs: DropOutRepair::default(),
            before: None,
            drop_out_count: 0,
            frames: 0,
        }
    }

    /// Measures the next frame, and adds its noise to `summary`.
    pub fn measure(&mut self, frame: &Frame, decision: Option<&Decision>, summary: &mut ClipSummary) -> Result<Sample, CliError> {
        self.borders.add(frame);
        self.dot_crawl.add(frame).map_err(CliError::runtime)?;
        let next = frame.try_clone().map_err(CliError::runtime)?;
        if let Some(mut before) = self.before.replace(next) {
            self.head_switching.add(&before, frame);
            self.drop_out_count += self.drop_outs.repair(&mut before, Some(frame)).map_err(CliError::runtime)?;
        }
        if self.frames.is_multiple_of(INTERVAL) {
            self.chroma.add(frame);
            self.line_jitter.add(frame);
        }
        self.frames += 1;
        // Only frames whose size has no fields are without a decision.
        let scan = decision.map_or(Scan::Progressive, |decision| decision.field_order.into());
        let stream = match &mut self.stream {
            Some((known, stream)) if *known == scan => stream,
            other => {
                let mut parameters = Parameters::default();
                // Motion compensation has no effect on the measurements; without it the run is
                // faster.
                parameters.compensation.mcdi_enable = false;
                // Only measurements of the luma are reported.
                let builder = Stream::builder(self.format, scan).denoise_chroma(false);
                let stream = builder.parameters(parameters).simd_level(self.level).build();
                &mut other.insert((scan, stream.map_err(CliError::runtime)?)).1
            }
        };
        let statistics = step(stream, frame)?;
        let progressive = decision.is_some_and(|decision| decision.content == Content::Progressive);
        let noise = match &mut self.progressive {
            _ if !progressive => statistics,
            Some(stream) => step(stream, frame)?,
            none => {
                let builder = Stream::builder(self.format, Scan::Progressive).denoise_chroma(false);
                let stream = builder.simd_level(self.level).build();
                step(none.insert(stream.map_err(CliError::runtime)?), frame)?
            }
        };
        let estimate = self::noise(noise, self.format.depth);
        summary.add_noise(estimate);
        let blocks = self.format.width.div_ceil(4) * self.format.height.div_ceil(4);
        let mut sample = Sample {
            kind: decision.map(Kind::from),
            noise: estimate,
            level: noise.denoise.as_ref().and_then(|state| state.noise),
            motion: None,
            combing: [0; 2],
            tears: [0; 2],
            repeats: self.repeats.add(frame)?,
        };
        // The first step has no previous frame.
        if statistics.step > 0 {
            let v = &statistics.fmd_variances;
            sample.motion = Some(statistics.motion_blocks as f64 / blocks as f64);
            (sample.combing, sample.tears) = ([v[5], v[5] + v[6]], [v[8], v[9] + v[10]]);
        }
        Ok(sample)
    }
}

/// Runs a step for its statistics.
fn step<'a>(stream: &'a mut Stream, frame: &Frame) -> Result<&'a Statistics, CliError> {
    stream.push(&frame.planes()).map_err(CliError::runtime)?;
    while let Some(output) = stream.pull() {
        stream.recycle(output.frame);
    }
    stream.statistics().ok_or_else(|| CliError::runtime("internal error: a step without statistics"))
}
