//! The arguments of the encoding ffmpeg.

use super::colors::ColorTags;
use super::container::{Container, Family};
use super::decode::timeline;
use super::pixel_format::is_subsampled_bytes;
use super::probe::{Media, file_argument};
use super::streams::{Streams, metadata};
use crate::error::CliError;
use dndi::y4m::Header;
use std::ffi::{OsStr, OsString};

/// Encoders whose players expect 4:2:0 of 8 bits.
const DELIVERY: [&str; 8] = ["libx264", "libx265", "h264_", "hevc_", "libvpx", "libaom", "libsvtav1", "mpeg4"];

/// The settings of an encoder.
#[derive(Clone, Debug)]
pub struct Settings {
    pub container: Container,
    /// The header of the frames.
    pub header: Header,
    /// The input whose other streams are copied.
    pub media: Option<Media>,
    pub streams: Streams,
    pub tags: ColorTags,
    /// The words of `--encoder`.
    pub encoder: Vec<String>,
    pub lossless: bool,
    /// Whether `--chroma` or the input defines the chroma sampling, not the encoder.
    pub keeps_chroma: bool,
    /// Whether the frames have fields: top field first, or not. None if they are progressive.
    pub fields: Option<bool>,
    /// The time of the first frame in nanoseconds, counted from the start of the input.
    pub start: i64,
    /// The part of the input to copy, in seconds: start and duration. None for all of it.
    pub part: Option<(f64, Option<f64>)>,
    /// The option of ffmpeg that chooses between constant and other rates.
    pub sync: &'static str,
    /// The rate of the output as a fraction.
    pub rate: (u32, u32),
    /// Duration of a unit of time in seconds, as a fraction; none if the rate is constant.
    pub tick: Option<(u64, u64)>,
}

impl Settings {
    /// Whether ffmpeg converts the frames to 4:2:0.
    pub fn converts_to_420(&self) -> bool {
        let format = self.header.format();
        let encoder = self.video_options();
        let delivery = encoder.iter().any(|word| DELIVERY.iter().any(|name| word.starts_with(name)));
        let chosen = self.keeps_chroma || self.fields.is_some() || self.encoder.iter().any(|word| word == "-pix_fmt");
        is_subsampled_bytes(format.sampling, format.depth) && delivery && !chosen
    }

    /// The options of the encoder, before those of `--encoder`.
    fn video_options(&self) -> Vec<String> {
        let words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        match (codec(&self.encoder), self.lossless) {
            (Some(at), _) => self.encoder.iter().skip(at).take(2).cloned().collect(),
            (None, true) => words("-c:v ffv1 -level 3 -slicecrc 1 -g 1"),
            (None, false) => words(self.container.encoder(self.header.format().depth)),
        }
    }

    /// The arguments of ffmpeg, which reads frames from stdin and writes `output`.
    pub fn arguments(&self, output: &OsStr) -> Vec<OsString> {
        let mut arguments = words(&["-nostdin", "-hide_banner", "-nostats", "-loglevel", "level+error", "-y"]);
        let whole = self.part.is_none();
        if self.media.is_some() && whole && self.start != 0 {
            arguments.extend(["-itsoffset".to_owned(), seconds(self.start)].map(Into::into));
        }
        arguments.extend(words(&["-probesize", "32", "-analyzeduration", "0", "-f", "matroska", "-i", "pipe:0"]));
        if let Some(media) = &self.media {
            if let Some((start, duration)) = self.part {
                arguments.extend(["-ss".to_owned(), format!("{start:.6}")].map(Into::into));
                let duration = duration.into_iter().flat_map(|duration| ["-t".to_owned(), format!("{duration:.6}")]);
                arguments.extend(duration.map(OsString::from));
            }
            arguments.extend(["-i".into(), file_argument(&media.path)]);
        }
        arguments.extend(words(&["-map", "0:v:0"]));
        if let Some(media) = &self.media {
            arguments.extend(self.streams.arguments(1).into_iter().map(OsString::from));
            arguments.extend(words(&["-map_metadata", "1", "-map_chapters", "1"]));
            arguments.extend(metadata(&media.video).into_iter().map(OsString::from));
            if !whole {
                arguments.extend(words(&["-copypriorss", "0"]));
            }
        }
        arguments.extend(self.video_options().into_iter().map(OsString::from));
        if self.converts_to_420() {
            arguments.extend(words(&["-pix_fmt", "yuv420p"]));
        }
        arguments.extend(match self.fields {
            None => words(&["-field_order", "progressive"]),
            Some(top) => words(&["-flags:v", "+ildct+ilme", "-top", if top { "1" } else { "0" }]),
        });
        let location = (self.converts_to_420() && self.header.sampling() != dndi::Sampling::C420).then_some("left");
        arguments.extend(self.tags.located(location).arguments().into_iter().map(OsString::from));
        arguments.extend(self.timing());
        arguments.extend(words(&["-max_muxing_queue_size", "9999"]));
        if self.container.family == Family::Mp4 {
            // Some versions call FLAC in this container experimental.
            arguments.extend(words(&["-strict", "-2"]));
        }
        arguments.extend(self.encoder.iter().map(OsString::from));
        arguments.extend(self.streams.picture_arguments().into_iter().map(OsString::from));
        arguments.extend(words(&["-f", self.container.muxer]));
        arguments.push(output.to_owned());
        if let Some(media) = self.media.as_ref().filter(|_| whole && !self.streams.copied.is_empty()) {
            arguments.extend(timeline(&[media.video.index], 1));
        }
        arguments
    }

    /// The options of times: those of the frames, or a constant rate.
    fn timing(&self) -> Vec<OsString> {
        match self.tick {
            Some((num, den)) => {
                let base = format!("{num}:{den}");
                words(&[self.sync, "passthrough", "-enc_time_base", &base])
            }
            None => words(&[self.sync, "cfr", "-r", &format!("{}/{}", self.rate.0, self.rate.1)]),
        }
    }
}

/// The position of the option that chooses the encoder of the video.
fn codec(words: &[String]) -> Option<usize> {
    words.iter().position(|word| ["-c", "-c:v", "-codec", "-codec:v", "-vcodec", "-c:v:0"].contains(&word.as_str()))
}

/// The error if the container cannot hold lossless video, or `encoder` chooses another encoder.
pub fn check_lossless(container: Container, encoder: &[String]) -> Result<(), CliError> {
    if !container.holds_ffv1() {
        let extension = container.extension;
        return Err(CliError::usage(format_args!("--lossless: {extension} cannot hold FFV1; use .mkv, .mov or .avi")));
    }
    match codec(encoder).and_then(|at| encoder.get(at + 1)) {
        Some(name) => Err(CliError::usage(format_args!("--lossless encodes with FFV1, --encoder with {name}: give one of them"))),
        None => Ok(()),
    }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// Nanoseconds as seconds.
fn seconds(nanoseconds: i64) -> String {
    format!("{:.6}", nanoseconds as f64 / 1e9)
}
