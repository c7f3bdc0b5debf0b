//! The input of a command: y4m, or a media file that ffmpeg decodes.

use crate::error::CliError;
use crate::io::source::Source;
use crate::media::container::Container;
use crate::media::decode::{self, Settings, Timing};
use crate::media::pixel_format;
use crate::media::probe::{Media, is_url};
use crate::media::streams::Streams;
use crate::media::tools::Tools;
use crate::options::args::Args;
use crate::options::is_standard;
use crate::options::values::{Deinterlace, FieldOrder};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The first bytes of a y4m stream.
const MAGIC: &[u8] = b"YUV4MPEG2";

/// A media file, and how it is decoded.
#[derive(Clone, Debug)]
pub struct MediaInput {
    pub media: Media,
    pub settings: Settings,
    /// Warnings about the conversion of samples.
    pub warnings: Vec<String>,
}

impl MediaInput {
    /// Describes the input if it is a media file; none if it is y4m. `container` is that of the
    /// output.
    pub fn probe(
        args: &Args,
        tools: &Tools,
        timing: Timing,
        container: Option<Container>,
    ) -> Result<Option<MediaInput>, CliError> {
        if args.source.input_format.is_some() || is_y4m(&args.input) {
            return Ok(None);
        }
        let media = Media::probe(tools, &args.input, args.source.video_stream)?;
        // The decoder follows the streams that the encoder copies.
        let streams = container.map(|container| Streams::new(&media, container)).unwrap_or_default();
        let followed = streams.copied.iter().filter(|stream| ['a', 's'].contains(&stream.kind));
        let flags_decide = args.field_order == FieldOrder::Header || args.deinterlace == Deinterlace::Flagged;
        let settings = Settings { timing, copied: followed.map(|stream| stream.index).collect(), mixed: flags_decide };
        let decoded = pixel_format::decoded(&media.video.pix_fmt);
        let name = args.input.display();
        let alpha = decoded.drops_alpha.then(|| format!("{name}: the alpha plane is dropped"));
        let rgb = decoded.from_rgb.then(|| format!("{name}: {} is converted to 4:4:4", media.video.pix_fmt));
        Ok(Some(MediaInput { media, settings, warnings: alpha.into_iter().chain(rgb).collect() }))
    }

    /// Starts to decode.
    pub fn start(&self, tools: &Tools) -> Result<Source, CliError> {
        decode::start(tools, &self.media, &self.settings)
    }

    /// The arguments of the decoding ffmpeg.
    pub fn arguments(&self, tools: &Tools) -> Vec<OsString> {
        decode::arguments(tools, &self.media, &self.settings)
    }
}

/// Whether an input is read as y4m: stdin, pipes, files whose name ends with .y4m, empty files, and
/// those that begin as a y4m stream. URLs are not.
fn is_y4m(path: &Path) -> bool {
    if is_url(path) {
        return false;
    }
    let named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("y4m"));
    if is_standard(path) || named || !path.is_file() {
        return true;
    }
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut begin));
    read.is_err() || MAGIC.starts_with(&begin)
}
