//! The output of a conversion, if it is a media file that ffmpeg encodes.

use super::open::Opened;
use super::plan::Plan;
use crate::error::CliError;
use crate::media::colors::{ColorTags, location_name};
use crate::media::command::{Settings, check_lossless};
use crate::media::container::{Container, is_other_media};
use crate::media::encode::{Encoder, Target};
use crate::media::pixel_format;
use crate::media::probe::{Media, file_argument};
use crate::media::streams::Streams;
use crate::media::tools::Tools;
use crate::options::color_args::Rgb;
use crate::options::is_standard;
use crate::options::layers::Options;
use crate::options::values::Chroma;
use crate::options::words;
use crate::terminal::{print, warn};
use dndi::convert::OutputRate;
use dndi::{Sampling, Scan};
use std::ffi::{OsStr, OsString};

/// Parts of a frame's duration in which times are counted if the rate is not constant: a field of a
/// frame that lasts for the least time is one.
const TICKS: u64 = 16;

/// Deviation of the mean rate from the nominal one, as a fraction, up to which the input has a
/// constant rate. Rates of 24000/1001 and 24 differ by 0.001, those of soft pulldown by 0.2.
const CONSTANT: f64 = 0.005;

/// The container of the output; none for y4m and RGB.
pub fn container(args: &Options) -> Result<Option<Container>, CliError> {
    let named = Container::of_name(&args.output);
    let container = match (args.encode.output_format.as_deref(), args.color.rgb) {
        (Some("y4m"), _) => None,
        (Some(name), None) => Some(Container::of_extension(name.trim_start_matches('.')).ok_or_else(|| {
            CliError::usage(format_args!(
                "--output-format {name}: give y4m, or the extension of a container, such as mkv, mp4 or mov"
            ))
        })?),
        (_, Some(rgb)) if named.is_some() || args.encode.output_format.is_some() => {
            let rgb = if rgb == Rgb::Png { "PNGs" } else { "raw planes" };
            let name = args.output.display();
            return Err(CliError::usage(format_args!("--rgb writes {rgb}, not a container: give another name than {name}")));
        }
        (None, None) if named.is_none() && is_other_media(&args.output) => {
            let name = args.output.display();
            return Err(CliError::usage(format_args!(
                "{name}: dndi writes y4m and containers such as .mkv, .mp4 and .mov; --output-format y4m writes y4m to this name"
            )));
        }
        _ => named,
    };
    let only_media = [("encoder", args.encode.encoder.is_some()), ("lossless", args.encode.lossless)];
    match (container, only_media.into_iter().find(|(_, given)| *given)) {
        (None, Some((option, _))) => {
            let why = "applies to outputs such as .mkv, .mp4 and .mov, or with --output-format";
            Err(CliError::usage(args.origins.of_option(option, format_args!("{option} {why}"))))
        }
        (Some(container), _) if args.encode.lossless => {
            let encoder = args.encode.encoder.as_ref().map_or(&[][..], |words| &words.0);
            check_lossless(container, encoder).map(|()| Some(container))
        }
        (container, _) => Ok(container),
    }
}

/// The settings of the encoder.
pub fn settings(options: &Options, opened: &Opened, plan: &Plan, container: Container) -> Settings {
    let media = opened.media.as_ref().map(|input| input.media.clone());
    let streams = media.as_ref().map(|media| Streams::new(media, container)).unwrap_or_default();
    let keeps_chroma = options.chroma != Chroma::Same;
    let start = opened.feed.clock().output(4 * options.skip);
    let (rate, tick) = times(opened, plan, media.as_ref(), container, start);
    let begins = options.skip > 0 || options.frames.is_some();
    let part = (begins && media.is_some()).then(|| {
        let (num, den) = opened.header.rate().unwrap_or((25, 1));
        let duration = |frames: u64| frames as f64 * f64::from(den) / f64::from(num);
        (start as f64 / 1e9, options.frames.map(duration))
    });
    let fields = match plan.clip.scan {
        _ if plan.clip.progressive => None,
        Scan::TopFirst => Some(true),
        Scan::BottomFirst => Some(false),
        _ => None,
    };
    Settings {
        container,
        header: plan.output.clone(),
        tags: tags(options, plan, media.as_ref(), opened.header.sampling()),
        media,
        streams,
        encoder: options.encode.encoder.clone().map_or(vec![], |words| words.0),
        lossless: options.encode.lossless,
        keeps_chroma,
        fields,
        start,
        part,
        sync: opened.tools.sync,
        rate,
        tick,
    }
}

/// The nominal rate of the output, and the unit of its times; none if the rate is constant.
fn times(
    opened: &Opened,
    plan: &Plan,
    media: Option<&Media>,
    container: Container,
    start: i64,
) -> ((u32, u32), Option<(u64, u64)>) {
    let (num, den) = opened.header.rate().unwrap_or((25, 1));
    let (out_num, out_den) = plan.output.rate().unwrap_or((25, 1));
    // Restored pictures have a constant rate, which is not that of the input.
    let media = media.filter(|_| !opened.feed.restores_pictures());
    let mean = media.and_then(Media::mean_rate).map_or(1.0, |mean| mean * f64::from(den) / f64::from(num));
    let varies = (mean - 1.0).abs() > CONSTANT;
    let film = plan.clip.rate == OutputRate::Film;
    // The nominal rate of a file can be wrong.
    let uneven = media.is_some() && opened.feed.clock().is_uneven();
    // The container of a variable rate states the mean.
    let thousandth = f64::from(out_num) / f64::from(out_den) * mean * 1000.0;
    let rate = if varies && !film { (thousandth.round().clamp(1.0, 1e9) as u32, 1000) } else { (out_num, out_den) };
    let tick = match varies || film || uneven {
        true => (u64::from(den), u64::from(num) * TICKS),
        false => (u64::from(out_den), u64::from(out_num)),
    };
    let tick = units(start, tick);
    (if container.has_times() { rate } else { (out_num, out_den) }, container.has_times().then_some(tick))
}

/// The unit of times, as a fraction of a second: `tick`, or a part of it if a start at this time in
/// nanoseconds would be rounded.
pub fn units(start: i64, tick: (u64, u64)) -> (u64, u64) {
    let units = start as f64 / 1e9 * tick.1 as f64 / tick.0 as f64;
    if (units - units.round()).abs() > 0.01 { (tick.0, tick.1 * TICKS) } else { tick }
}

/// The colour tags of the output. `input` is the chroma sampling of the input.
fn tags(options: &Options, plan: &Plan, media: Option<&Media>, input: Sampling) -> ColorTags {
    let from_rgb = media.is_some_and(|media| pixel_format::decoded(&media.video.pix_fmt).from_rgb);
    let tags = media.map_or_else(ColorTags::default, |media| ColorTags::new(&media.video, from_rgb));
    let tagged = plan.output.matrix().is_some() || plan.output.range().is_some();
    let converts = options.color.colorspace.is_some() || media.is_none() && tagged;
    let tags = if converts { tags.converted(plan.output.color_space()) } else { tags };
    let same = options.chroma_location.is_none() && options.chroma == Chroma::Same;
    let location = match plan.output.chroma_location() {
        _ if plan.output.sampling() != input && plan.output.sampling() == Sampling::C422 => Some("left"),
        _ if plan.output.sampling() != Sampling::C420 || same && media.is_some() => None,
        location => location_name(location),
    };
    tags.located(location)
}

/// The writer of the output.
pub fn encoder(tools: &Tools, options: &Options, settings: Settings) -> Result<Encoder, CliError> {
    settings.streams.warnings.iter().for_each(|warning| warn(options.quiet, warning));
    let target = Target::create(&options.output, options.overwrite)?;
    Ok(Encoder::new(tools.clone(), settings, target))
}

/// Prints the commands of ffmpeg, one per line.
pub fn print_commands(tools: &Tools, options: &Options, opened: &Opened, settings: Option<&Settings>) -> Result<(), CliError> {
    let mut text = String::new();
    let mut add = |arguments: Vec<OsString>| {
        let line = std::iter::once(tools.ffmpeg.as_os_str()).chain(arguments.iter().map(OsString::as_os_str));
        let line: Vec<_> = line.map(OsStr::to_string_lossy).collect();
        text += &(words::join(&line) + "\n");
    };
    if let Some(input) = &opened.media {
        add(input.arguments(tools));
    }
    if let Some(settings) = settings {
        let output = if is_standard(&options.output) { "pipe:1".into() } else { file_argument(&options.output) };
        add(settings.arguments(&output));
    }
    print(&text)
}
