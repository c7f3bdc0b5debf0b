//! The output of `dndi join`, if it is a media file that ffmpeg encodes.

use super::destination::units;
use crate::error::CliError;
use crate::io::files;
use crate::media::colors::{ColorTags, location_name};
use crate::media::command::{Settings, check_lossless};
use crate::media::container::Container;
use crate::media::encode::{Encoder, Target};
use crate::media::pixel_format;
use crate::media::probe::Media;
use crate::media::streams::Streams;
use crate::media::tools::Tools;
use crate::options::media_args::SourceArgs;
use crate::options::{is_standard, words};
use crate::terminal::warn;
use dndi::y4m::Header;
use dndi::{Sampling, Scan};
use std::path::{Path, PathBuf};

/// Options about an output that is encoded.
#[derive(Clone, Debug, clap::Args)]
pub struct EncodeArgs {
    /// Media file that the chunks were made of: its audio, subtitles, chapters, attachments and
    /// metadata are copied to a container
    #[arg(long, value_name = "INPUT")]
    pub source: Option<PathBuf>,

    /// Encoder and other output options of ffmpeg, as for a conversion
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, value_parser = words::parse)]
    encoder: Option<words::Words>,

    /// Encode without loss, with FFV1
    #[arg(long)]
    lossless: bool,

    /// Number of the video stream of --source, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    video_stream: usize,

    /// Program to use as ffmpeg; ffprobe is searched beside it first [default: both from PATH]
    #[arg(long, value_name = "PATH")]
    ffmpeg: Option<PathBuf>,
}

impl EncodeArgs {
    /// The name of an option that has no effect on y4m; none if none is given.
    pub fn unused(&self) -> Option<&'static str> {
        let given = [
            ("--source", self.source.is_some()),
            ("--encoder", self.encoder.is_some()),
            ("--lossless", self.lossless),
            ("--ffmpeg", self.ffmpeg.is_some()),
            ("--video-stream", self.video_stream != 0),
        ];
        given.into_iter().find_map(|(name, given)| given.then_some(name))
    }
}

/// The encoder of joined parts, and the time of the first frame in nanoseconds.
#[derive(Debug)]
pub struct JoinedMedia {
    pub encoder: Encoder,
    pub start: i64,
    /// The frame rate as a fraction.
    pub rate: (u32, u32),
}

impl JoinedMedia {
    /// Prepares the encoding of `frames` frames with this header to the file `output`.
    pub fn open(
        args: &EncodeArgs,
        (output, container): (&Path, Container),
        overwrite: bool,
        header: &Header,
        frames: u64,
    ) -> Result<JoinedMedia, CliError> {
        let rate = header.rate().ok_or_else(|| CliError::usage("the parts have no frame rate, which a container needs"))?;
        if args.lossless {
            check_lossless(container, args.encoder.as_ref().map_or(&[][..], |words| &words.0))?;
        }
        if !overwrite && output.is_file() {
            return Err(files::exists(output));
        }
        let (video_stream, ffmpeg) = (args.video_stream, args.ffmpeg.clone());
        let mut tools = Tools::new(&SourceArgs { input_format: None, video_stream, ffmpeg });
        tools.check("ffmpeg encodes the output", "dndi join - PART... | ffmpeg -i - OUTPUT")?;
        let media = args.source.as_ref().map(|path| Media::probe(&tools, path, video_stream)).transpose()?;
        if let Some(media) = &media {
            compare(media, frames as f64 * f64::from(rate.1) / f64::from(rate.0));
        }
        let start = media.as_ref().map_or(0, Media::start);
        let streams = media.as_ref().map(|media| Streams::new(media, container)).unwrap_or_default();
        streams.warnings.iter().for_each(|warning| warn(false, warning));
        let settings = Settings {
            container,
            header: header.clone(),
            tags: tags(header, media.as_ref()),
            media,
            streams,
            encoder: args.encoder.clone().map_or(vec![], |words| words.0),
            lossless: args.lossless,
            keeps_chroma: false,
            fields: header.interlacing().scan().and_then(|scan| match scan {
                Scan::TopFirst => Some(true),
                Scan::BottomFirst => Some(false),
                _ => None,
            }),
            start,
            part: None,
            sync: tools.sync,
            rate,
            tick: container.has_times().then(|| units(start, (u64::from(rate.1), u64::from(rate.0)))),
        };
        let encoder = Encoder::new(tools, settings, Target::create(output, overwrite)?);
        Ok(JoinedMedia { encoder, start, rate })
    }

    /// The time of frame `number`, in nanoseconds.
    pub fn time(&self, number: u64) -> i64 {
        let (num, den) = self.rate;
        let time = u128::from(number) * u128::from(den) * 1_000_000_000 / u128::from(num.max(1));
        self.start.saturating_add(i64::try_from(time).unwrap_or(i64::MAX))
    }
}

/// Warns if the parts are not as long as the video of the source.
fn compare(media: &Media, seconds: f64) {
    // Half a second is more than the rounding of a container and less than a chunk.
    if let Some(duration) = media.duration.filter(|duration| (duration - seconds).abs() > 0.5) {
        let name = media.path.display();
        warn(false, format_args!("the parts last {seconds:.2} s and the video of {name} {duration:.2} s: its audio may not fit"));
    }
}

/// The colour tags: those of the source, with the matrix and the range of the parts if they have
/// others.
fn tags(header: &Header, media: Option<&Media>) -> ColorTags {
    let from_rgb = media.is_some_and(|media| pixel_format::decoded(&media.video.pix_fmt).from_rgb);
    let tags = media.map_or_else(ColorTags::default, |media| ColorTags::new(&media.video, from_rgb));
    let differs = (header.matrix().is_some() || header.range().is_some()) && tags.color_space() != Some(header.color_space());
    let tags = if differs { tags.converted(header.color_space()) } else { tags };
    // The header of deeper samples cannot state the location.
    let format = header.format();
    let stated = format.sampling == Sampling::C420 && format.depth == 8;
    tags.located(stated.then(|| location_name(header.chroma_location())).flatten())
}

/// Whether the output of `dndi join` is encoded: its name ends in the extension of a container.
pub fn container(output: &Path) -> Option<Container> {
    Container::of_name(output).filter(|_| !is_standard(output))
}
