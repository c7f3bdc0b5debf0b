//! `dndi view`: writes a frame before or after processing, or both, as PNG. Overlays show maps of
//! the analysis.

mod canvas;
mod overlay;

use super::open::{self, End, Opened};
use super::plan::Plan;
use crate::error::CliError;
use crate::io::output::Sink;
use crate::io::{files, input};
use crate::media::decode::Timing;
use crate::options::args::Args;
use crate::options::help::Help;
use crate::options::is_standard;
use crate::options::layers::Options;
use crate::options::origins::OptionOrigins;
use crate::options::parse;
use crate::options::values::{Engine, Film};
use crate::report::progress::Progress;
use canvas::{Canvas, top_bytes};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args as _, Command, FromArgMatches, Parser, ValueEnum};
use dndi::convert::{Captured, Event};
use dndi::y4m::Header;
use dndi::{Frame, Scan};
use overlay::{Overlay, PictureRegion};
use std::ffi::OsString;

/// Options of the conversion that do not apply to `dndi view`.
const NOT_APPLICABLE: [&str; 17] = [
    "skip",
    "frames",
    "chunk",
    "only",
    "jobs",
    "stats",
    "encoder_stats",
    "md5",
    "framemd5",
    "timecodes",
    "rgb",
    "print_tables",
    "dump_config",
    "output_format",
    "encoder",
    "lossless",
    "print_command",
];

/// Options that only `dndi view` has.
#[derive(Debug, Parser)]
#[command(next_help_heading = "View")]
struct ViewArgs {
    /// Number of the input frame, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    frame: u64,

    /// Field to deinterlace: 1 for the first in time, 2 for the second
    #[arg(long, value_name = "F", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    field: u8,

    /// Pictures to show
    #[arg(long, value_name = "PICTURES", value_enum, default_value = "after")]
    show: Show,

    /// Draw a map of the analysis over the picture, which becomes grey; with --show both over the
    /// output frame
    #[arg(long, value_name = "MAP", value_enum)]
    overlay: Option<Overlay>,

    /// Draw the luma histogram below each picture, with logarithmic heights
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

The output frame is the same as in the output of dndi with these options. All frames before it are
processed; with --warmup K only K frames are, which is faster, and the result may differ.";

/// The help of `dndi view`.
const HELP: Help = Help {
    name: "dndi view",
    main: &[
        ("input", "y4m, or any file that ffmpeg decodes; - for y4m from stdin"),
        ("output", "PNG to write; - for stdout"),
        ("frame", "Number of the input frame, from 0"),
        ("field", "Field to deinterlace: 1, or 2 for the second in time"),
        ("show", "Pictures"),
        ("overlay", "Map of the analysis"),
        ("histogram", "Draw the luma histogram below each picture"),
        ("warmup", "Process only the K frames before --frame [default: all]"),
        ("field_order", "Field order"),
        ("deinterlacer", "Algorithm"),
        ("film", "Undo telecine"),
        ("denoise", "Denoise luma"),
        ("preset", "Sets of options"),
        ("overwrite", "Overwrite an existing file"),
        ("help", "Print this help; --help prints all options"),
        ("version", "Print the version"),
    ],
    after: "Example: dndi view --frame 100 --show both tape.avi frame.png\n",
};

/// The options of the conversion and of `dndi view`.
pub fn command() -> Command {
    let command = ViewArgs::augment_args(Args::augment_args(Command::new("dndi view")))
        .bin_name("dndi view")
        .override_usage("dndi view [OPTIONS] <INPUT> <OUTPUT>");
    let command = command.args_override_self(true).disable_help_flag(true).disable_version_flag(true).after_help(EXAMPLES);
    let about = "Write a frame as PNG: input, output or both side by side, with maps of the analysis";
    let command = command.about(about).long_about(None);
    let command = command.mut_arg("output", |output| output.help("PNG to write; - for stdout"));
    let command = command.mut_arg("warmup", |warmup| {
        let help = "Process only the K frames before --frame, not all frames before it [default: all]";
        warmup.help(help).hide_default_value(true)
    });
    command.mut_args(|arg| {
        let hidden = NOT_APPLICABLE.contains(&arg.get_id().as_str());
        arg.hide(hidden)
    })
}

/// Runs `dndi view`; `arguments` are those after it.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Result<(), CliError> {
    let Some((mut options, matches)) = parse::layered(command(), arguments.collect(), &HELP)? else { return Ok(()) };
    let own = ViewArgs::from_arg_matches(&matches).map_err(CliError::usage)?;
    refuse(&matches, &options.origins)?;
    if !is_standard(&options.output) && !options.output.extension().is_some_and(|end| end.eq_ignore_ascii_case("png")) {
        return Err(CliError::usage(format_args!("{}: the name of the picture must end with .png", options.output.display())));
    }
    let warmup = if is_given(&matches, "warmup") { options.warmup.min(own.frame) } else { own.frame };
    (options.skip, options.warmup, options.frames) = (own.frame, warmup, None);
    if own.overlay.is_some() && options.geometry.moves_pixels() {
        return Err(CliError::usage("--overlay has no place in a picture of --mirror, --rotate or --canvas; omit them"));
    }
    if options.hardware.engine == Engine::Messages && own.overlay.is_some_and(|overlay| overlay != Overlay::Skin) {
        return Err(CliError::usage("--overlay needs --engine pipeline: --engine messages has no maps of the analysis"));
    }
    if options.film == Film::Deblend {
        return Err(CliError::usage(options.origins.of_option("film", "film deblend has no fields to show; use --film auto")));
    }
    open::check(&options)?;
    files::check_stdout(&options)?;
    let mut reserved = files::check(&options)?;
    let (mut opened, plan) = open::open_and_plan(&options, None, Timing::Source)?;
    let (before, after) = capture(&own, &options, &mut opened)?;
    let mut png = Vec::new();
    opened.pool.install(|| draw(&own, &opened.header, &plan, &before, &after))?.encode(&mut png)?;
    Sink::open(&options.output, options.overwrite, "pictures", &mut reserved)?.write_whole(&png)
}

/// Runs the conversion up to `--frame`. Returns the input frame and the output frame.
fn capture(own: &ViewArgs, options: &Options, opened: &mut Opened) -> Result<(Frame, Captured), CliError> {
    let Opened { pool, converter, feed, .. } = opened;
    let mut progress = Progress::new(options.progress, options.quiet, Some(options.warmup.saturating_add(1)));
    let (mut before, mut after) = (None, None);
    converter.capture(own.frame.saturating_mul(2).saturating_add(u64::from(own.field == 2)));
    let done = pool.install(|| {
        while !feed.is_interrupted() {
            while let Some(event) = converter.next_event().map_err(CliError::runtime)? {
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
                    _ => {}
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
        _ if done.is_err() => done.and(Err(CliError::runtime("internal error: no frame"))),
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

/// Returns an error for options that do not apply to `dndi view`.
fn refuse(matches: &ArgMatches, origins: &OptionOrigins) -> Result<(), CliError> {
    let known = command();
    let given =
        |option: &&clap::Arg| NOT_APPLICABLE.contains(&option.get_id().as_str()) && is_given(matches, option.get_id().as_str());
    match known.get_arguments().find(given).and_then(clap::Arg::get_long) {
        Some(name) => {
            let message = format!("{name} does not apply to dndi view; see dndi view --help");
            Err(CliError::usage(origins.of_option(name, message)))
        }
        None => Ok(()),
    }
}

/// Draws the pictures side by side, with overlay and histogram. Of samples with more than 8 bits
/// the 8 most significant ones are shown.
fn draw(own: &ViewArgs, header: &Header, plan: &Plan, before: &Frame, after: &Captured) -> Result<Canvas, CliError> {
    let (before, shown) = (&*top_bytes(before)?, &*top_bytes(&after.frame)?);
    let mut pictures = Vec::new();
    if own.show != Show::After {
        let picture = Canvas::of(before, after.scan, header.color_space(), header.chroma_location())?;
        pictures.push((picture, before, PictureRegion::of(None, before)));
    }
    if own.show != Show::Before {
        let scan = if plan.clip.deinterlace { Scan::Progressive } else { after.scan };
        let picture = Canvas::of(shown, scan, plan.output.color_space(), plan.output.chroma_location())?;
        pictures.push((picture, shown, PictureRegion::of(plan.scale().and_then(|scale| scale.crop), before)));
    }
    if let (Some(overlay), Some((picture, frame, region))) = (own.overlay, pictures.last_mut()) {
        // Over the output, only the maps of the missing lines are drawn; over the input, those of
        // all.
        let missing = (own.show != Show::Before).then(|| usize::from((after.scan != Scan::BottomFirst) == (own.field == 1)));
        overlay.draw(picture, region.only(missing), frame, after, plan.parameters())?;
    }
    let pictures = pictures.into_iter().map(|(mut picture, frame, _)| {
        if own.histogram {
            picture.append_histogram(frame)?;
        }
        Ok(picture)
    });
    Canvas::side_by_side(pictures.collect::<Result<_, CliError>>()?)
}
