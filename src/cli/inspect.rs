//! `dndi inspect`: what a clip is, by its header and by its pictures.

mod findings;
mod plot;

use crate::ahead::Next;
use crate::args::Args;
use crate::choices::{self, FieldOrder, Rate};
use crate::failure::{Failure, say};
use crate::output::Sink;
use crate::progress::Progress;
use crate::run::{self, Opened};
use crate::survey::{Kind, Survey};
use crate::{files, parse};
use clap::{CommandFactory, Parser};
use dndi::{StreamBuilder, Content, Decision, Format, Frame, SimdLevel, Parameters, Scan, Statistics, Stream};
use findings::Findings;
use std::ffi::OsString;
use std::path::PathBuf;

/// Says what a clip is: size, scan, field order, cadence, noise, combing, and which options fit
///
/// Flags are what the header and the frames say, the rest is measured. Nothing is written but what --plot asks for.
#[derive(Debug, Parser)]
#[command(name = "dndi inspect", bin_name = "dndi inspect", version, args_override_self = true)]
#[command(
    after_help = "Exit codes: 0 fine, 1 runtime error, 2 wrong command line, 3 input truncated or corrupt (what comes before is told)"
)]
struct Own {
    /// y4m file to read; - for stdin
    input: PathBuf,

    /// Read no more than the first N frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    frames: Option<u64>,

    /// One JSON object instead of text
    #[arg(long)]
    json: bool,

    /// Draw noise, motion, tears and cadence over time, as .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Overwrite the plot's file
    #[arg(short = 'y')]
    overwrite: bool,

    /// Tell on stderr how far it is
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    progress: choices::Progress,

    /// Threads that compute [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// No warnings
    #[arg(short = 'q')]
    quiet: bool,
}

/// What was measured of a frame.
#[derive(Clone, Copy, Debug)]
struct Sample {
    kind: Option<Kind>,
    /// Noise estimate, if there are blocks to estimate it from.
    noise: Option<u64>,
    /// Standard deviation of the noise that automatic denoising goes by at this frame, in 1/64 of a code value.
    level: Option<u16>,
    /// Share of the 4×4 blocks that move, 0…1; none of the first frame.
    motion: Option<f64>,
    /// Pixels that change with time and comb between the fields of the frame, and those that change (v5, v5 + v6).
    combing: [u64; 2],
    /// Tears inside the frame, and of its fields with those of the frame before (v8, v9 + v10).
    tears: [u64; 2],
}

/// Does what `words`, the command line after `inspect`, say.
pub fn run(words: impl Iterator<Item = OsString>) -> Result<(), Failure> {
    let own = match Own::try_parse_from(std::iter::once("dndi inspect".into()).chain(words)) {
        Ok(own) => own,
        Err(error) => return parse::told(&error, "dndi inspect --help"),
    };
    let kind = own.plot.as_deref().map(plot::Kind::of).transpose()?;
    let mut args = args(&own)?;
    run::check(&args)?;
    files::check(&args)?;
    let opened = run::open(&args)?;
    // No frame is written, so that neither a rate that cannot be doubled nor fields of odd frames are a reason to end.
    let mut with = |rate, order| {
        (args.rate, args.field_order) = (rate, order);
        opened.plan(&args)
    };
    let plan = with(None, FieldOrder::Auto)
        .or_else(|_| with(Some(Rate::Frame), FieldOrder::Auto))
        .or_else(|_| with(None, FieldOrder::Progressive))?;
    let Opened { level, pool, header, mut input, total, .. } = opened;
    let mut progress = Progress::new(own.progress, own.quiet, total);
    let mut measure = Measure::new(header.format(), level);
    let (mut survey, mut samples) = (Survey::default(), Vec::new());
    let ended = pool.install(|| {
        loop {
            match input.next()? {
                Next::Frame(_, frame, decision) => {
                    let decision = decision.map(|(decision, _)| decision);
                    if let Some(decision) = &decision {
                        survey.decided(samples.len() as u64, decision);
                    }
                    samples.push(measure.take(&frame, decision.as_ref(), &mut survey)?);
                    input.recycle(frame);
                    progress.at(samples.len() as u64, 0);
                }
                Next::Dropped(_) => {}
                Next::End => return Ok(()),
                Next::Failed(failure) => return Err(failure),
                Next::Interrupted => return Err(Failure::runtime(format_args!("interrupted after {} frames", samples.len()))),
            }
        }
    });
    progress.end([samples.len() as u64, 0], None);
    if samples.is_empty() && ended.is_ok() && !own.quiet {
        say("warning: the input has no frames, only a header");
    }
    let findings = Findings::new(&args, &header, &plan, &survey, &samples);
    parse::print(&if own.json { findings.as_json()? } else { findings.as_text() })?;
    if let (Some(path), Some(kind)) = (&own.plot, kind) {
        let picture = plot::draw(kind, &samples, header.rate())?;
        Sink::open(path, own.overwrite, "plots")?.write_whole(&picture)?;
    }
    ended
}

/// The command line of a conversion with nothing but defaults, whose output is the plot. It does not warn: all is told in the end.
fn args(own: &Own) -> Result<Args, Failure> {
    let output = own.plot.clone().unwrap_or("-".into());
    let words = vec!["--".into(), own.input.clone().into_os_string(), output.into_os_string()];
    let parsed = parse::layered(Args::command(), words, "dndi inspect --help")?;
    let (mut args, _) = parsed.ok_or_else(|| Failure::runtime("no arguments"))?;
    (args.frames, args.threads, args.overwrite, args.quiet) = (own.frames, own.threads, own.overwrite, true);
    Ok(args)
}

/// Measures frames one after the other, as the stages of a conversion do.
#[derive(Debug)]
struct Measure {
    format: Format,
    level: SimdLevel,
    /// Of fields in this order.
    stream: Option<(Scan, Stream)>,
    /// Of progressive frames the noise alone: their lines are neighbours.
    gauge: Option<Stream>,
}

impl Measure {
    fn new(format: Format, level: SimdLevel) -> Measure {
        Measure { format, level, stream: None, gauge: None }
    }

    fn take(&mut self, frame: &Frame, decision: Option<&Decision>, survey: &mut Survey) -> Result<Sample, Failure> {
        // Only frames that have no fields are not decided about.
        let scan = decision.map_or(Scan::Progressive, |decision| match decision.top_first {
            true => Scan::TopFirst,
            false => Scan::BottomFirst,
        });
        let stream = match &mut self.stream {
            Some((known, stream)) if *known == scan => stream,
            other => {
                let mut parameters = Parameters::default();
                // It changes nothing that is measured.
                parameters.compensation.mcdi_enable = 0;
                let stream = StreamBuilder::new(self.format, scan).parameters(parameters).level(self.level).build();
                &mut other.insert((scan, stream.map_err(Failure::runtime)?)).1
            }
        };
        let statistics = step(stream, frame)?;
        let progressive = decision.is_some_and(|decision| decision.content == Content::Progressive);
        let noise = match &mut self.gauge {
            _ if !progressive => statistics,
            Some(gauge) => step(gauge, frame)?,
            none => {
                let stream = StreamBuilder::new(self.format, Scan::Progressive).level(self.level).build();
                step(none.insert(stream.map_err(Failure::runtime)?), frame)?
            }
        };
        survey.measured(noise);
        let blocks = self.format.width.div_ceil(4) * self.format.height.div_ceil(4);
        let mut sample = Sample {
            kind: decision.map(Kind::from),
            noise: Some(noise.gne).filter(|_| noise.gne_count > 0),
            level: noise.denoise.as_ref().and_then(|strength| strength.noise),
            motion: None,
            combing: [0; 2],
            tears: [0; 2],
        };
        // The first step has nothing to compare with.
        if statistics.step > 0 {
            let v = &statistics.v;
            sample.motion = Some(statistics.motion_blocks as f64 / blocks as f64);
            (sample.combing, sample.tears) = ([v[5], v[5] + v[6]], [v[8], v[9] + v[10]]);
        }
        Ok(sample)
    }
}

/// Runs a step on a frame, of which only the statistics are wanted.
fn step<'a>(stream: &'a mut Stream, frame: &Frame) -> Result<&'a Statistics, Failure> {
    stream.push(&frame.planes()).map_err(Failure::runtime)?;
    while let Some(output) = stream.pull() {
        stream.recycle(output.frame);
    }
    stream.statistics().ok_or_else(|| Failure::runtime("no statistics"))
}
