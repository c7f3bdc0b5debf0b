//! `dndi view`: a frame as PNG, before, after, or both, with maps of its analysis as overlays.

mod canvas;
mod overlay;

use super::open::{self, End, Opened};
use super::plan::Plan;
use crate::error::CliError;
use crate::io::output::Sink;
use crate::io::{files, input};
use crate::options::args::Args;
use crate::options::is_standard;
use crate::options::layers::Options;
use crate::options::origins::OptionOrigins;
use crate::options::parse;
use crate::options::values::Engine;
use crate::report::progress::Progress;
use canvas::Canvas;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args as _, Command, FromArgMatches, Parser, ValueEnum};
use dndi::convert::{Captured, Event};
use dndi::y4m::Header;
use dndi::{Frame, Scan};
use overlay::{Overlay, PictureRegion};
use std::ffi::OsString;

/// Options of the conversion that do not apply.
const NOT_HERE: [&str; 9] = ["skip", "frames", "stats", "md5", "framemd5", "timecodes", "rgb", "print_tables", "dump_config"];

/// Options of `dndi view` alone.
#[derive(Debug, Parser)]
#[command(next_help_heading = "View")]
struct ViewArgs {
    /// Which frame of the input, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    frame: u64,

    /// Field to complete: 1 the earlier, 2 the later
    #[arg(long, value_name = "F", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    field: u8,

    /// Picture to show
    #[arg(long, value_name = "WHAT", value_enum, default_value = "after")]
    show: Show,

    /// Analysis to draw over the picture in grey; with --show both over the second one
    #[arg(long, value_name = "KIND", value_enum)]
    overlay: Option<Overlay>,

    /// Draw the luma histogram below each picture, logarithmic
    #[arg(long)]
    histogram: bool,
}

/// `--show`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Show {
    /// The input frame
    Before,
    /// The output frame
    After,
    /// Both side by side
    Both,
}

const EXAMPLES: &str = "\
Examples:
  dndi view --frame 100 --show both tape.y4m frame.png
  dndi view --frame 100 --field 2 --overlay vectors tape.y4m vectors.png
  dndi view --frame 5000 --warmup 25 --preset fast tape.y4m frame.png

The output frame is the one that dndi with the same options writes. All frames before it are processed, unless --warmup K
reduces them to K.";

fn command() -> Command {
    let command = ViewArgs::augment_args(Args::augment_args(Command::new("dndi view")))
        .bin_name("dndi view")
        .override_usage("dndi view [OPTIONS] <INPUT> <OUTPUT>");
    let command = command.args_override_self(true).disable_help_flag(true).disable_version_flag(true).after_help(EXAMPLES);
    let command = command.about("Write a frame as PNG: before, after, or both side by side, with its analysis").long_about(None);
    let command = command.mut_arg("output", |output| output.help("PNG to write; - for stdout"));
    let command = command.mut_arg("warmup", |warmup| warmup.help("Process only the K frames before it, not all"));
    command.mut_args(|arg| {
        let hidden = NOT_HERE.contains(&arg.get_id().as_str());
        arg.hide(hidden)
    })
}

/// Runs `dndi view` with `words`, the command line after it.
pub fn run(words: impl Iterator<Item = OsString>) -> Result<(), CliError> {
    let Some((mut options, matches)) = parse::layered(command(), words.collect(), "dndi view --help")? else { return Ok(()) };
    let own = ViewArgs::from_arg_matches(&matches).map_err(CliError::usage)?;
    refuse(&matches, &options.origins)?;
    if !is_standard(&options.output) && !options.output.extension().is_some_and(|end| end.eq_ignore_ascii_case("png")) {
        return Err(CliError::usage(format_args!("{}: the name of the picture must end with .png", options.output.display())));
    }
    let warmup = if is_given(&matches, "warmup") { options.warmup.min(own.frame) } else { own.frame };
    (options.skip, options.warmup, options.frames) = (own.frame, warmup, None);
    if options.engine == Engine::Messages && own.overlay.is_some_and(|overlay| overlay != Overlay::Skin) {
        return Err(CliError::usage("--overlay: only --engine pipeline has maps of its analysis"));
    }
    open::check(&options)?;
    files::check(&options)?;
    let (mut opened, plan) = open::open_and_plan(&options)?;
    let (before, after) = capture(&own, &options, &mut opened)?;
    let mut png = Vec::new();
    opened.pool.install(|| draw(&own, &opened.header, &plan, &before, &after))?.encode(&mut png)?;
    Sink::open(&options.output, options.overwrite, "pictures")?.write_whole(&png)
}

/// Runs the conversion up to the frame, and returns it before and after.
fn capture(own: &ViewArgs, options: &Options, opened: &mut Opened) -> Result<(Frame, Captured), CliError> {
    let Opened { pool, converter, feed, .. } = opened;
    let mut progress = Progress::new(options.progress, options.quiet, Some(options.warmup.saturating_add(1)));
    let (mut before, mut after) = (None, None);
    converter.capture(own.frame.saturating_mul(2).saturating_add(u64::from(own.field == 2)));
    let done = pool.install(|| {
        while !feed.is_interrupted() {
            while let Some(event) = converter.next().map_err(CliError::runtime)? {
                match event {
                    Event::Step(step) => {
                        let frame = converter.spare_input();
                        match frame {
                            Some(frame) if step.number == own.frame => before = Some(frame),
                            frame => frame.into_iter().for_each(|frame| feed.recycle(frame)),
                        }
                        progress.at(converter.position() - (options.skip - options.warmup), 0);
                    }
                    Event::Output(output) => converter.recycle(output.frame),
                }
                after = after.take().or_else(|| converter.take_captured());
            }
            after = after.take().or_else(|| converter.take_captured());
            if feed.has_ended() || before.is_some() && after.is_some() {
                break;
            }
            feed.advance(converter)?;
        }
        match feed.take_end() {
            Some(End::Failed(error)) => Err(error),
            Some(End::Interrupted) => Err(CliError::runtime("interrupted after 0 frames")),
            _ => Ok(()),
        }
    });
    let frames = converter.position();
    progress.end([frames, 0], None);
    let name = input::name(&options.input);
    match (before, after) {
        (Some(before), Some(after)) => Ok((before, after)),
        _ if done.is_err() => done.and(Err(CliError::runtime("no frame"))),
        (Some(_), _) => {
            Err(CliError::usage(format_args!("{name}: frame {} is not deinterlaced, it has no --field 2", own.frame)))
        }
        _ => {
            let frames = if frames == 1 { "1 frame".to_owned() } else { format!("{frames} frames, from 0") };
            Err(CliError::usage(format_args!("{name} has {frames}: there is no --frame {}", own.frame)))
        }
    }
}

fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Refuses options that do not apply.
fn refuse(matches: &ArgMatches, origins: &OptionOrigins) -> Result<(), CliError> {
    let known = command();
    let given = |option: &&clap::Arg| NOT_HERE.contains(&option.get_id().as_str()) && is_given(matches, option.get_id().as_str());
    match known.get_arguments().find(given).and_then(clap::Arg::get_long) {
        Some(name) => {
            let message = format!("{name} does not apply to dndi view; see dndi view --help");
            Err(CliError::usage(origins.of_option(name, message)))
        }
        None => Ok(()),
    }
}

/// The pictures side by side.
fn draw(own: &ViewArgs, header: &Header, plan: &Plan, before: &Frame, after: &Captured) -> Result<Canvas, CliError> {
    let mut pictures = Vec::new();
    if own.show != Show::After {
        let picture = Canvas::of(before, after.scan, header.color_space(), header.chroma_location())?;
        pictures.push((picture, before, PictureRegion::of(None, before)));
    }
    if own.show != Show::Before {
        let scan = if plan.clip.deinterlace { Scan::Progressive } else { after.scan };
        let picture = Canvas::of(&after.frame, scan, plan.output.color_space(), plan.output.chroma_location())?;
        pictures.push((picture, &after.frame, PictureRegion::of(plan.scale().and_then(|scale| scale.crop), before)));
    }
    if let (Some(overlay), Some((picture, frame, region))) = (own.overlay, pictures.last_mut()) {
        // The output shows the maps of its missing lines, the input those of all lines.
        let missing = (own.show != Show::Before).then(|| usize::from((after.scan != Scan::BottomFirst) == (own.field == 1)));
        overlay.draw(picture, region.only(missing), frame, after, plan.parameters())?;
    }
    let pictures = pictures.into_iter().map(|(mut picture, frame, _)| {
        if own.histogram {
            picture.append_histogram(frame);
        }
        picture
    });
    Ok(Canvas::side_by_side(pictures.collect()))
}
