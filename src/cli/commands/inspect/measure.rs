//! Measurements of single frames.

use crate::error::CliError;
use crate::report::summary::{ClipSummary, Kind};
use dndi::{Content, Decision, Format, Frame, Parameters, Scan, SimdLevel, Statistics, Stream};

/// What was measured of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub kind: Option<Kind>,
    /// Noise estimate, if there are blocks to estimate it from.
    pub noise: Option<u64>,
    /// Standard deviation of the noise that automatic denoising goes by at this frame, in 1/64 of a code value.
    pub level: Option<u16>,
    /// Share of the 4×4 blocks that move, 0…1; none of the first frame.
    pub motion: Option<f64>,
    /// Pixels that change with time and comb between the fields of the frame, and those that change (v5, v5 + v6).
    pub combing: [u64; 2],
    /// Tears inside the frame, and of its fields with those of the frame before (v8, v9 + v10).
    pub tears: [u64; 2],
}

/// Measures frames one after the other with the stages of a conversion.
#[derive(Debug)]
pub struct Probe {
    format: Format,
    level: SimdLevel,
    /// For fields of this scan.
    stream: Option<(Scan, Stream)>,
    /// For the noise of progressive frames, whose lines are neighbours.
    progressive: Option<Stream>,
}

impl Probe {
    pub fn new(format: Format, level: SimdLevel) -> Probe {
        Probe { format, level, stream: None, progressive: None }
    }

    pub fn measure(&mut self, frame: &Frame, decision: Option<&Decision>, summary: &mut ClipSummary) -> Result<Sample, CliError> {
        // There are decisions about all frames that can have fields.
        let scan = decision.map_or(Scan::Progressive, |decision| decision.field_order.into());
        let stream = match &mut self.stream {
            Some((known, stream)) if *known == scan => stream,
            other => {
                let mut parameters = Parameters::default();
                // Motion compensation changes no measurement.
                parameters.compensation.mcdi_enable = false;
                let stream = Stream::builder(self.format, scan).parameters(parameters).simd_level(self.level).build();
                &mut other.insert((scan, stream.map_err(CliError::runtime)?)).1
            }
        };
        let statistics = step(stream, frame)?;
        let progressive = decision.is_some_and(|decision| decision.content == Content::Progressive);
        let noise = match &mut self.progressive {
            _ if !progressive => statistics,
            Some(stream) => step(stream, frame)?,
            none => {
                let stream = Stream::builder(self.format, Scan::Progressive).simd_level(self.level).build();
                step(none.insert(stream.map_err(CliError::runtime)?), frame)?
            }
        };
        summary.add_noise(noise);
        let blocks = self.format.width.div_ceil(4) * self.format.height.div_ceil(4);
        let mut sample = Sample {
            kind: decision.map(Kind::from),
            noise: Some(noise.gne).filter(|_| noise.gne_count > 0),
            level: noise.denoise.as_ref().and_then(|state| state.noise),
            motion: None,
            combing: [0; 2],
            tears: [0; 2],
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
    stream.statistics().ok_or_else(|| CliError::runtime("no statistics"))
}
