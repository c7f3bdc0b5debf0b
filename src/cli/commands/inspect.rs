//! `dndi inspect`: analyses a clip, and suggests options.

mod advice;
mod findings;
mod measure;
mod plot;

use super::open::{self, End, Opened};
use crate::error::CliError;
use crate::io::files;
use crate::io::output::Sink;
use crate::media::decode::Timing;
use crate::options::MAX_THREADS;
use crate::options::args::Args;
use crate::options::clap_text::print_help_or_fail;
use crate::options::help::Help;
use crate::options::layers::Options;
use crate::options::media_args::SourceArgs;
use crate::options::parse;
use crate::options::values;
use crate::report::progress::Progress;
use crate::report::summary::ClipSummary;
use crate::terminal::{message, print};
use clap::{Command, CommandFactory, Parser};
use dndi::convert::{FieldOrderMode, OutputRate};
use findings::Findings;
use measure::Probe;
use std::ffi::OsString;
use std::path::PathBuf;

/// Analyse a clip: size, scan, field order, pulldown pattern, noise, combing; suggest options
///
/// "flagged" is the declaration in the header; everything below it is measured. No file is written,
/// except with --plot.
#[derive(Debug, Parser)]
#[command(name = "dndi inspect", bin_name = "dndi inspect", version, args_override_self = true)]
#[command(
    after_help = "Exit codes: 0 success, 1 runtime error, 2 usage error, 3 input truncated or corrupt\n(frames before that are analysed)."
)]
struct InspectArgs {
    /// File to read: y4m, or any other that ffmpeg decodes; - for y4m from stdin
    input: PathBuf,

    /// Read only the first N frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    frames: Option<u64>,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    /// Plot noise, motion, combing and pulldown pattern over time, as .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Overwrite the file of --plot
    #[arg(short = 'y')]
    overwrite: bool,

    /// Progress report on stderr
    #[arg(long, value_name = "MODE", value_enum, default_value = "auto")]
    progress: values::Progress,

    /// Number of worker threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u16>,

    /// Print no warnings
    #[arg(short = 'q')]
    quiet: bool,

    #[command(flatten)]
    source: SourceArgs,
}

/// The help of `dndi inspect`.
const HELP: Help = Help {
    name: "dndi inspect",
    main: &[
        ("input", "y4m, or any file that ffmpeg decodes; - for y4m from stdin"),
        ("frames", "Read only the first N frames"),
        ("json", "Print a JSON object"),
        ("plot", "Plot the measurements over time, as .svg or .png"),
        ("overwrite", "Overwrite the file of --plot"),
        ("video_stream", "Number of the video stream, from 0"),
        ("threads", "Number of worker threads"),
        ("quiet", "Print no warnings"),
        ("help", "Print this help; --help prints all options"),
        ("version", "Print the version"),
    ],
    after: "Example: dndi inspect --frames 1500 tape.avi\n",
};

/// The options of `dndi inspect`.
pub fn command() -> Command {
    InspectArgs::command()
}

/// Runs `dndi inspect`; `arguments` are those after it.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Result<(), CliError> {
    let own = match InspectArgs::try_parse_from(std::iter::once("dndi inspect".into()).chain(arguments)) {
        Ok(own) => own,
        Err(error) => return print_help_or_fail(&error, &command(), &HELP),
    };
    let kind = own.plot.as_deref().map(plot::Kind::of).transpose()?;
    let options = defaults(&own)?;
    open::check(&options)?;
    let mut reserved = files::check(&options)?;
    let mut opened = open::open(&options, None, Timing::Source, true)?;
    // No frame is written. Therefore a rate that cannot be doubled is no error, nor is a height
    // that has no fields: the next plan is tried.
    let mut with = |rate: Option<OutputRate>, order| {
        let plan = opened.converter.plan_with(rate, order).ok()?;
        let double = plan.rate == OutputRate::Field;
        let header = match plan.progressive {
            true => opened.header.to_progressive(plan.picture_format.sampling, double).ok()?,
            false => opened.header.clone(),
        };
        let header = match (plan.rate, header.rate()) {
            (OutputRate::Film, Some((num, den))) => {
                let (pictures, frames) = plan.film_ratio;
                header.with_rate(u64::from(num) * u64::from(pictures), u64::from(den) * u64::from(frames)).ok()?
            }
            _ => header,
        };
        Some((plan, header, rate))
    };
    let planned = with(None, FieldOrderMode::Auto)
        .or_else(|| with(Some(OutputRate::Frame), FieldOrderMode::Auto))
        .or_else(|| with(None, FieldOrderMode::Progressive));
    let (plan, output, rate) = planned.ok_or_else(|| CliError::runtime("internal error: no plan of the conversion"))?;
    let Opened { level, pool, header, mut converter, mut feed, total, media, .. } = opened;
    let mut progress = Progress::new(own.progress, own.quiet, total);
    let mut probe = Probe::new(header.format(), level);
    let (mut summary, mut samples) = (ClipSummary::default(), Vec::new());
    let ended = pool.install(|| {
        while !feed.is_interrupted() {
            while let Some(decided) = converter.pull_decided().map_err(CliError::runtime)? {
                if let Some(decision) = &decided.decision {
                    summary.add_decision(samples.len() as u64, decision);
                }
                samples.push(probe.measure(&decided.clip.frame, decided.decision.as_ref(), &mut summary)?);
                feed.recycle(decided.clip.frame);
                progress.at(samples.len() as u64, 0);
            }
            if feed.has_ended() {
                break;
            }
            feed.advance(&mut converter)?;
        }
        match feed.take_end() {
            Some(End::Failed(error)) => Err(error),
            Some(End::Interrupted) => Err(CliError::runtime(format_args!("interrupted after {} frames", samples.len()))),
            _ => Ok(()),
        }
    });
    progress.end([samples.len() as u64, 0], None);
    if samples.is_empty() && ended.is_ok() && !own.quiet {
        message("warning: the input has no frames, only a header");
    }
    let mut findings = Findings::new(&options, &header, &plan, (rate, output.rate()), &summary, (&samples, &probe));
    if media.is_some() {
        findings.recommend(&own.input, own.source.video_stream);
    }
    print(&if own.json { findings.as_json()? } else { findings.as_text() })?;
    if let (Some(path), Some(kind)) = (&own.plot, kind) {
        let picture = plot::draw(kind, &samples, header.rate())?;
        Sink::open(path, own.overwrite, "plots", &mut reserved)?.write_whole(&picture)?;
    }
    ended
}

/// The options of a conversion with defaults, whose output is the plot. Warnings are off, since the
/// findings include their content.
fn defaults(own: &InspectArgs) -> Result<Options, CliError> {
    let output = own.plot.clone().unwrap_or("-".into());
    let arguments = vec!["--".into(), own.input.clone().into_os_string(), output.into_os_string()];
    let parsed = parse::layered(Args::command(), arguments, &HELP)?;
    let (mut options, _) = parsed.ok_or_else(|| CliError::runtime("internal error: no options"))?;
    (options.frames, options.threads, options.overwrite, options.quiet) = (own.frames, own.threads, own.overwrite, true);
    options.source = own.source.clone();
    Ok(options)
}
