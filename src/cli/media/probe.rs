//! The description of an input by ffprobe.

use super::tools::{Tools, cannot_start};
use crate::error::CliError;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A stream of the input.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Stream {
    pub index: u32,
    pub codec_type: String,
    pub codec_name: String,
    pub pix_fmt: String,
    pub width: u32,
    pub height: u32,
    pub avg_frame_rate: String,
    pub sample_rate: Option<String>,
    pub channels: u32,
    pub duration: Option<String>,
    pub start_time: Option<String>,
    pub nb_frames: Option<String>,
    pub color_range: Option<String>,
    pub color_space: Option<String>,
    pub color_transfer: Option<String>,
    pub color_primaries: Option<String>,
    pub chroma_location: Option<String>,
    pub field_order: String,
    pub side_data_list: Vec<SideData>,
    pub disposition: HashMap<String, i64>,
    pub tags: HashMap<String, String>,
}

/// Metadata of a stream for players.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SideData {
    /// Degrees by which players rotate the picture.
    pub rotation: f64,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Program {
    streams: Vec<Stream>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct FileFormat {
    duration: Option<String>,
    start_time: Option<String>,
}

/// The output of ffprobe.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Report {
    streams: Vec<Stream>,
    programs: Vec<Program>,
    format: FileFormat,
}

/// A media file and its streams.
#[derive(Clone, Debug, Default)]
pub struct Media {
    pub path: PathBuf,
    /// The video stream to convert.
    pub video: Stream,
    /// The other streams of its program: no video but attached pictures.
    pub others: Vec<Stream>,
    /// The duration in seconds.
    pub duration: Option<f64>,
    /// The time of the start in seconds.
    begin: f64,
}

impl Media {
    /// Describes the file `path`, whose video stream number `video` will be converted.
    pub fn probe(tools: &Tools, path: &Path, video: usize) -> Result<Media, CliError> {
        let name = path.display();
        let mut command = Command::new(&tools.ffprobe);
        command.args(["-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_programs"]);
        let output = command.arg("-i").arg(file_argument(path)).stdin(Stdio::null()).output().map_err(|error| {
            let pipe = format!("ffmpeg -i {name} -map 0:v:0 -strict -1 -f yuv4mpegpipe - | dndi - OUTPUT");
            cannot_start(&tools.ffprobe, &error, format_args!("{name} is not a y4m stream, ffprobe and ffmpeg decode it"), pipe)
        })?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("ffprobe failed");
            let last = last.strip_prefix(&format!("{name}: ")).unwrap_or(last);
            return Err(CliError::corrupt(format_args!("{name}: not a y4m stream, and ffprobe cannot read it: {last}")));
        }
        let report: Report = serde_json::from_slice(&output.stdout)
            .map_err(|error| CliError::runtime(format_args!("{name}: ffprobe printed something unexpected: {error}")))?;
        Media::new(path, report, video)
    }

    fn new(path: &Path, report: Report, number: usize) -> Result<Media, CliError> {
        let name = path.display();
        let videos = || report.streams.iter().filter(|stream| stream.codec_type == "video");
        let video = videos().nth(number).cloned().ok_or_else(|| match videos().count() {
            0 => CliError::corrupt(format_args!("{name}: the file has no video stream")),
            1 => CliError::usage(format_args!("--video-stream {number}: {name} has one video stream, 0")),
            count => CliError::usage(format_args!("--video-stream {number}: {name} has {count} video streams, from 0")),
        })?;
        if video.width == 0 || video.height == 0 {
            let codec = if video.codec_name.is_empty() { "unknown" } else { &video.codec_name };
            return Err(CliError::corrupt(format_args!("{name}: ffprobe cannot find the size of the video (codec {codec})")));
        }
        // Streams of other programs belong to other videos.
        let program = report.programs.iter().find(|program| program.streams.iter().any(|stream| stream.index == video.index));
        let belongs =
            |stream: &&Stream| program.is_none_or(|program| program.streams.iter().any(|own| own.index == stream.index));
        let is_other = |stream: &&Stream| stream.codec_type != "video" || stream.is_picture() && stream.index != video.index;
        let others = report.streams.iter().filter(is_other).filter(belongs).cloned().collect();
        let number = |text: &Option<String>| text.as_ref().and_then(|seconds| seconds.parse::<f64>().ok());
        let begin = number(&report.format.start_time).unwrap_or(0.0);
        let media = Media { path: path.to_owned(), video, others, duration: None, begin };
        let start = media.start() as f64 / 1e9;
        // Matroska states the end of a stream, and of the file, but no duration of a stream.
        let end = media.video.end().or(number(&report.format.duration)).map(|end| (end - start).max(0.0));
        Ok(Media { duration: number(&media.video.duration).or(end), ..media })
    }

    /// The time of the first frame in nanoseconds, counted from the start of the file.
    pub fn start(&self) -> i64 {
        let first = self.video.start_time.as_ref().and_then(|seconds| seconds.parse::<f64>().ok());
        first.map_or(0, |first| ((first - self.begin).max(0.0) * 1e9).round() as i64)
    }

    /// The mean frame rate of the video; none if it is unknown.
    pub fn mean_rate(&self) -> Option<f64> {
        let (num, den) = self.video.avg_frame_rate.split_once('/')?;
        let rate = num.parse::<f64>().ok()? / den.parse::<f64>().ok()?;
        Some(rate).filter(|rate| rate.is_finite() && *rate > 0.0)
    }

    /// Number of frames of the video, if it is known.
    pub fn frames(&self) -> Option<u64> {
        let counted = self.video.nb_frames.as_ref().and_then(|frames| frames.parse().ok());
        counted.or_else(|| Some((self.duration? * self.mean_rate()?).round() as u64)).filter(|&frames| frames > 0)
    }
}

impl Stream {
    /// Degrees by which players rotate the picture, if its lines are those of fields: ffmpeg would
    /// make columns of them.
    pub fn rotation_of_fields(&self) -> Option<f64> {
        let has_fields = ["tt", "bb", "tb", "bt"].contains(&self.field_order.as_str());
        self.side_data_list.iter().map(|data| data.rotation).find(|&degrees| has_fields && degrees != 0.0)
    }

    /// The time of the end in Matroska's tag, such as `00:01:02.500000000`.
    fn end(&self) -> Option<f64> {
        let time = self.tags.iter().find(|(name, _)| name.starts_with("DURATION"))?.1;
        time.split(':').try_fold(0.0, |sum, part| Some(sum * 60.0 + part.parse::<f64>().ok()?))
    }

    /// Whether the stream is a picture of the whole file, such as a cover.
    pub fn is_picture(&self) -> bool {
        self.disposition.get("attached_pic").is_some_and(|&flag| flag != 0)
    }
}

/// Whether an input is a URL, such as `https://host/a.mkv`, and no file of this name exists.
pub fn is_url(path: &Path) -> bool {
    let scheme = path.to_str().and_then(|text| text.split_once("://")).map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())) && !path.exists()
}

/// The name of a file as an argument of ffmpeg, which reads a prefix with a colon as a protocol.
/// URLs are not changed.
pub fn file_argument(path: &Path) -> std::ffi::OsString {
    let mut name = std::ffi::OsString::new();
    let text = path.to_string_lossy();
    if !is_url(path) && (text.contains(':') || text.starts_with('-')) {
        name.push("file:");
    }
    name.push(path);
    name
}
