//! `dndi INPUT OUTPUT`. All options are checked before a file is created.

use super::chunk_run::ChunkRun;
use super::conversion::{Conversion, Observer};
use super::destination;
use super::open::{self, Opened};
use super::plan::Plan;
use crate::error::CliError;
use crate::io::files;
use crate::io::open_output::{open_output, writer};
use crate::io::output::Output;
use crate::media::container::Container;
use crate::media::decode::Timing;
use crate::options::layers::Options;
use crate::options::parse;
use crate::options::values;
use crate::report::progress::{Progress, Speed};
use crate::report::reports::Reports;
use crate::report::summary::{ClipSummary, NoiseProbe};
use crate::report::summary_json::Summary;
use crate::terminal::{is_interactive, message, warn, warnings};
use dndi::Scan;
use std::path::Path;

/// Runs the conversion that the command line describes.
pub fn run() -> Result<(), CliError> {
    let Some(options) = parse::parse()? else { return Ok(()) };
    let options = &options;
    open::check(options)?;
    files::check_stdout(options)?;
    let container = destination::container(options)?;
    check_part(options, container.is_some())?;
    let mut reserved = files::check(options)?;
    let timing = if container.is_some() { Timing::Source } else { Timing::Constant };
    let (opened, plan) = open::open_and_plan(options, container, timing)?;
    let options = &opened.options.clone();
    let encoding = container.map(|container| destination::settings(options, &opened, &plan, container));
    if options.encode.print_command {
        return destination::print_commands(&opened.tools, options, &opened, encoding.as_ref());
    }
    let is_media = opened.media.is_some();
    let Opened { level, pool, header, settings, mut converter, feed, total, tools, .. } = opened;
    let mut feed = Some(feed);

    // All files are open before one of them is truncated.
    let encoder = encoding.map(|settings| destination::encoder(&tools, options, settings)).transpose()?;
    let sink = if encoder.is_some() { None } else { open_output(options, &mut reserved)? };
    let mut reports = Reports::open(options, header.rate(), &mut reserved)?;
    let has_times = container.is_some_and(Container::has_times);
    let mut chunks = None;
    if let Some(taken) = options.chunks.chunk.and_then(|_| feed.take()) {
        let run = ChunkRun::new(options, &header, &settings, &plan, has_times, (&mut converter, taken), is_media)?;
        let part = options.chunks.only.map(|index| run.part(index)).transpose().inspect_err(|_| remove_empty(&options.output))?;
        chunks = Some((run, part));
    }
    let output_header = match &chunks {
        Some((_, Some((tag, _)))) => &tag.add_to(&plan.output)?,
        _ => &plan.output,
    };
    if options.chunks.only.is_some_and(|index| index > 0) {
        reports.resume();
    }
    let mut writer = match encoder {
        Some(encoder) => Box::new(encoder),
        None => writer(options, output_header, sink, reserved)?,
    };
    writer.begin()?;
    let output = Output::new(writer)?;
    reports.begin(&plan.output)?;
    if let Some(tables) = plan.tables(&header).filter(|_| options.hardware.print_tables) {
        reports.tables(&tables)?;
    }
    // The summary is printed with -v, and on a terminal.
    let prints_summary = options.verbose || is_interactive() && !options.quiet;
    let observed = prints_summary || options.progress == values::Progress::Json;
    let observer = observed.then(|| NoiseProbe::new(header.format(), plan.clip.scan, level).map(Observer::new)).transpose()?;
    let part = options.chunks.chunk.filter(|_| options.chunks.only.is_some()).map(|size| size.frames);
    let progress = Progress::new(options.progress, options.quiet, total.into_iter().chain(part).min());
    let mut conversion = Conversion::new(options, &plan, output, reports, progress, observer);
    let begin = options.skip - options.warmup;
    let (read, result) = match (&chunks, &mut feed) {
        (Some((run, Some((_, part)))), _) => match run.write_part(part, &mut conversion) {
            Ok(frames) => (begin + frames, Ok(())),
            Err(error) => (begin, Err(error)),
        },
        (Some((run, None)), _) => run.run(&mut conversion),
        (None, Some(feed)) => {
            let result = pool.install(|| conversion.run(&mut converter, feed));
            (converter.position(), result)
        }
        (None, None) => (begin, Ok(())),
    };
    let written = conversion.written();
    if result.is_ok() && written == 0 && options.frames != Some(0) && options.chunks.only.is_none() {
        match read {
            0 => warn(options.quiet, "the input has no frames, only a header"),
            _ => warn(options.quiet, format_args!("the input has {read} frames, --skip {} skips all of them", options.skip)),
        }
    }
    let frames = [read.saturating_sub(begin), written];
    let Conversion { progress, observer, .. } = &mut conversion;
    let summary = observer.as_ref().map(|observer| &observer.summary);
    let speed = progress.end(frames, summary.map(|summary| json_summary(summary, &plan)));
    if let Some(summary) = summary.filter(|_| prints_summary) {
        print_summary(summary, &plan, frames, speed);
    }
    result
}

/// Checks that the output can be a part, if one chunk alone is made.
fn check_part(options: &Options, is_container: bool) -> Result<(), CliError> {
    let rgb = options.color.rgb.is_some();
    match options.chunks.only {
        Some(_) if is_container || rgb => {
            let name = options.output.display();
            Err(CliError::usage(format_args!(
                "--only writes a part as y4m, which dndi join joins: give another name than {name}"
            )))
        }
        _ => Ok(()),
    }
}

/// The summary of a run for `--progress json`.
fn json_summary(summary: &ClipSummary, plan: &Plan) -> Summary {
    let declared = match plan.clip.scan {
        _ if plan.clip.mixed_scan => "mixed",
        Scan::TopFirst => "tff",
        Scan::BottomFirst => "bff",
        _ => "progressive",
    };
    let declared = (!plan.clip.follows_decisions()).then_some(declared);
    Summary { declared, found: summary.into(), warnings: warnings() }
}

/// Prints the summary of a run on stderr: frames, speed, content and noise of the clip.
fn print_summary(summary: &ClipSummary, plan: &Plan, [read, written]: [u64; 2], Speed { seconds, fps }: Speed) {
    message(format_args!("{read} frames in, {written} out, {seconds:.2} s, {fps:.1} frames/s in"));
    if read > 0 {
        let warnings = match warnings() {
            0 => String::new(),
            1 => "; 1 warning".to_owned(),
            count => format!("; {count} warnings"),
        };
        message(format_args!("{}{warnings}", summary.describe(plan.declared())));
    }
}

/// Removes the file of a part that was not made, which a list of all parts would contain.
fn remove_empty(path: &Path) {
    if path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0) {
        let _ = std::fs::remove_file(path);
    }
}
