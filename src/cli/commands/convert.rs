//! `dndi INPUT OUTPUT`. No file is created before all options are known to be valid.

use super::conversion::{Conversion, Observer};
use super::open::{self, Opened};
use super::plan::Plan;
use crate::error::CliError;
use crate::io::files;
use crate::io::open_output::open_output;
use crate::io::output::Output;
use crate::options::parse;
use crate::options::values;
use crate::report::progress::{Progress, Speed};
use crate::report::reports::Reports;
use crate::report::summary::{ClipSummary, NoiseProbe};
use crate::report::summary_json::Summary;
use crate::terminal::{is_interactive, message, warn, warnings};
use dndi::Scan;

/// Runs the conversion that the command line describes.
pub fn run() -> Result<(), CliError> {
    let Some(options) = parse::parse()? else { return Ok(()) };
    let options = &options;
    open::check(options)?;
    let reserved = files::check(options)?;
    let (opened, plan) = open::open_and_plan(options)?;
    let Opened { level, pool, header, mut converter, mut feed, total, .. } = opened;

    let mut writer = open_output(options, &plan.output, reserved)?;
    let mut reports = Reports::open(options, header.rate())?;
    writer.begin()?;
    let output = Output::new(writer)?;
    reports.begin(&plan.output)?;
    if let Some(tables) = plan.tables(&header).filter(|_| options.print_tables) {
        reports.tables(&tables)?;
    }
    // The summary is printed with -v, and on a terminal.
    let prints_summary = options.verbose || is_interactive() && !options.quiet;
    let observed = prints_summary || options.progress == values::Progress::Json;
    let observer = observed.then(|| NoiseProbe::new(header.format(), plan.clip.scan, level).map(Observer::new)).transpose()?;
    let progress = Progress::new(options.progress, options.quiet, total);
    let mut conversion = Conversion::new(options, &plan, output, reports, progress, observer);
    let done = pool.install(|| conversion.run(&mut converter, &mut feed));

    let (taken, written) = (converter.position(), conversion.written());
    if done.is_ok() && written == 0 && options.frames != Some(0) {
        match taken {
            0 => warn(options.quiet, "the input has no frames, only a header"),
            _ => warn(options.quiet, format_args!("the input has {taken} frames, --skip {} skips all of them", options.skip)),
        }
    }
    let frames = [taken.saturating_sub(options.skip - options.warmup), written];
    let Conversion { progress, observer, .. } = &mut conversion;
    let summary = observer.as_ref().map(|observer| &observer.summary);
    let speed = progress.end(frames, summary.map(|summary| findings(summary, &plan)));
    if let Some(summary) = summary.filter(|_| prints_summary) {
        print_summary(summary, &plan, frames, speed);
    }
    done
}

/// The findings of a run, for programs.
fn findings(summary: &ClipSummary, plan: &Plan) -> Summary {
    let declared = match plan.clip.scan {
        _ if plan.clip.mixed_scan => "mixed",
        Scan::TopFirst => "tff",
        Scan::BottomFirst => "bff",
        _ => "progressive",
    };
    let declared = (!plan.clip.follows_decisions()).then_some(declared);
    Summary { declared, found: summary.into(), warnings: warnings() }
}

/// Frames, speed and the kind of the clip, for people.
fn print_summary(summary: &ClipSummary, plan: &Plan, [taken, written]: [u64; 2], Speed { seconds, fps }: Speed) {
    message(format_args!("{taken} frames in, {written} out, {seconds:.2} s, {fps:.1} frames/s in"));
    if taken > 0 {
        let warnings = match warnings() {
            0 => String::new(),
            1 => "; 1 warning".to_owned(),
            count => format!("; {count} warnings"),
        };
        message(format_args!("{}{warnings}", summary.describe(plan.declared())));
    }
}
