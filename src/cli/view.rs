//! `dndi view`: a frame as PNG, before, after, or both, with what was found in it.

mod canvas;
mod overlay;

use crate::args::Args;
use crate::choices::Engine;
use crate::conversion::{Catch, Caught, Conversion, Watch};
use crate::failure::Failure;
use crate::output::{Nowhere, Output, Sink};
use crate::plan::Plan;
use crate::profile::Places;
use crate::progress::Progress;
use crate::report::Reports;
use crate::run::{self, Opened};
use crate::{cadence, files, input, parse};
use canvas::Canvas;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args as _, Command, FromArgMatches, Parser, ValueEnum};
use dndi::y4m::Header;
use dndi::{Frame, Scan};
use overlay::{Overlay, Place};
use std::ffi::OsString;

/// Options of the program that mean nothing here.
const NOT_HERE: [&str; 9] = ["skip", "frames", "stats", "md5", "framemd5", "timecodes", "rgb", "print_tables", "dump_config"];

/// What `dndi view` alone understands.
#[derive(Debug, Parser)]
#[command(next_help_heading = "View")]
struct Own {
    /// Which frame of the input, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    frame: u64,

    /// Which of its fields is completed: 1 the earlier, 2 the later
    #[arg(long, value_name = "F", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    field: u8,

    /// What is shown
    #[arg(long, value_name = "WHAT", value_enum, default_value = "after")]
    show: Show,

    /// What was found, over the picture in grey; with both, over the second one
    #[arg(long, value_name = "KIND", value_enum)]
    overlay: Option<Overlay>,

    /// The histogram of the luma below each picture, logarithmic
    #[arg(long)]
    histogram: bool,
}

/// `--show`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Show {
    /// The frame as it comes
    Before,
    /// The frame as it leaves
    After,
    /// Both side by side
    Both,
}

const EXAMPLES: &str = "\
Examples:
  dndi view --frame 100 --show both tape.y4m frame.png
  dndi view --frame 100 --field 2 --overlay vectors tape.y4m vectors.png
  dndi view --frame 5000 --warmup 25 --preset fast tape.y4m frame.png

It is the frame that dndi with the same options makes. All frames before it are run, unless --warmup says that K are enough.";

fn command() -> Command {
    let command = Own::augment_args(Args::augment_args(Command::new("dndi view")))
        .bin_name("dndi view")
        .override_usage("dndi view [OPTIONS] <INPUT> <OUTPUT>");
    let command = command.args_override_self(true).disable_help_flag(true).disable_version_flag(true).after_help(EXAMPLES);
    let command =
        command.about("A frame as PNG: before, after, or both side by side, with what was found in it").long_about(None);
    let command = command.mut_arg("output", |output| output.help("PNG to write; - for stdout"));
    let command = command.mut_arg("warmup", |warmup| warmup.help("Run only the K frames before it, not all"));
    command.mut_args(|arg| {
        let hidden = NOT_HERE.contains(&arg.get_id().as_str());
        arg.hide(hidden)
    })
}

/// Does what `words`, the command line after `view`, say.
pub fn run(words: impl Iterator<Item = OsString>) -> Result<(), Failure> {
    let Some((mut args, matches)) = parse::layered(command(), words.collect(), "dndi view --help")? else { return Ok(()) };
    let own = Own::from_arg_matches(&matches).map_err(Failure::usage)?;
    refuse(&matches, &args.places)?;
    if !files::is_standard(&args.output) && !args.output.extension().is_some_and(|end| end.eq_ignore_ascii_case("png")) {
        return Err(Failure::usage(format_args!("{}: the name of a view ends with .png", args.output.display())));
    }
    let warmup = if is_said(&matches, "warmup") { args.warmup.min(own.frame) } else { own.frame };
    (args.skip, args.warmup, args.frames) = (own.frame, warmup, None);
    if args.engine == Engine::Messages && own.overlay.is_some_and(|overlay| overlay != Overlay::Skin) {
        return Err(Failure::usage("--overlay: only --engine pipeline tells what it found"));
    }
    run::check(&args)?;
    files::check(&args)?;
    let codes = args.cadence.as_deref().map(cadence::Codes::read).transpose()?;
    let (Opened { pool, header, input, .. }, plan) = run::ready(&args)?;
    let name = input::name(&args.input);
    let field = own.frame.saturating_mul(2).saturating_add(u64::from(own.field == 2));
    let catch = Some(Catch { frame: own.frame, field, before: None, after: None });
    let watch =
        Watch { progress: Progress::new(args.progress, args.quiet, Some(args.warmup.saturating_add(1))), survey: None, catch };
    let (output, reports) = (Output::new(Box::new(Nowhere))?, Reports::open(&args, &plan)?);
    let mut conversion = Conversion::new(&args, &plan, codes.unwrap_or(plan.codes()), output, reports, watch);
    let done = pool.install(|| conversion.run(input));
    let (frames, _) = conversion.frames();
    conversion.watch().progress.end([frames, 0], None);
    let (before, after) = match conversion.watch().catch.take() {
        Some(Catch { before: Some(before), after: Some(after), .. }) => (before, after),
        _ if done.is_err() => return done,
        Some(Catch { before: Some(_), .. }) => {
            return Err(Failure::usage(format_args!("{name}: frame {} is not deinterlaced, it has no --field 2", own.frame)));
        }
        _ => {
            let frames = if frames == 1 { "1 frame".to_owned() } else { format!("{frames} frames, from 0") };
            return Err(Failure::usage(format_args!("{name} has {frames}: there is no --frame {}", own.frame)));
        }
    };
    let mut png = Vec::new();
    pool.install(|| draw(&own, &header, &plan, &before, &after))?.encode(&mut png)?;
    Sink::open(&args.output, args.overwrite, "pictures")?.write_whole(&png)
}

fn is_said(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Options that mean nothing here are a mistake.
fn refuse(matches: &ArgMatches, places: &Places) -> Result<(), Failure> {
    let known = command();
    let said = |option: &&clap::Arg| NOT_HERE.contains(&option.get_id().as_str()) && is_said(matches, option.get_id().as_str());
    match known.get_arguments().find(said).and_then(clap::Arg::get_long) {
        Some(name) => {
            let what = format!("{name} has no meaning for dndi view; see dndi view --help");
            Err(Failure::usage(places.of_option(name, what)))
        }
        None => Ok(()),
    }
}

/// The pictures side by side.
fn draw(own: &Own, header: &Header, plan: &Plan, before: &Frame, after: &Caught) -> Result<Canvas, Failure> {
    let mut pictures = Vec::new();
    if own.show != Show::After {
        let picture = Canvas::of(before, after.scan, header.color_space(), header.chroma_location())?;
        pictures.push((picture, before, Place::of(None, before)));
    }
    if own.show != Show::Before {
        let scan = if plan.deinterlace { Scan::Progressive } else { after.scan };
        let picture = Canvas::of(&after.frame, scan, plan.output.color_space(), plan.output.chroma_location())?;
        pictures.push((picture, &after.frame, Place::of(plan.scale().and_then(|scale| scale.crop), before)));
    }
    if let (Some(overlay), Some((picture, frame, place))) = (own.overlay, pictures.last_mut()) {
        // What leaves shows what was found of its missing lines, what comes that of all.
        let missing = (own.show != Show::Before).then(|| usize::from((after.scan != Scan::BottomFirst) == (own.field == 1)));
        overlay.draw(picture, place.only(missing), frame, after, plan.parameters())?;
    }
    let pictures = pictures.into_iter().map(|(mut picture, frame, _)| {
        if own.histogram {
            picture.append_histogram(frame);
        }
        picture
    });
    Ok(Canvas::side_by_side(pictures.collect()))
}
