//! Decoding: ffmpeg writes y4m to a pipe, and the time and the flags of each frame to its stderr.

use super::colors::{ColorTags, rgb_matrix};
use super::pixel_format::{self, Decoded};
use super::probe::{Media, file_argument};
use super::process::{Process, failed};
use super::showinfo;
use super::tools::{Tools, cannot_start};
use crate::error::CliError;
use crate::io::source::{self, FrameInfo, Source};
use dndi::Interlacing;
use dndi::y4m::Header;
use std::ffi::OsString;
use std::process::{ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The times of the decoded frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Each frame once, with the time of the source.
    Source,
    /// A constant rate: ffmpeg repeats and drops frames.
    Constant,
}

/// The settings of a decoder.
#[derive(Clone, Debug)]
pub struct Settings {
    pub timing: Timing,
    /// The streams that are copied to the output, by their index.
    pub copied: Vec<u32>,
    /// Whether the flags of each frame define its scan.
    pub mixed: bool,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The time of its begin. The part begins with a frame near this time that needs no other.
    pub seconds: f64,
    pub frames: u64,
}

/// The arguments of ffmpeg. It writes y4m to its stdout.
pub fn arguments(tools: &Tools, media: &Media, settings: &Settings) -> Vec<OsString> {
    let Decoded { convert, from_rgb, .. } = pixel_format::decoded(&media.video.pix_fmt);
    let source = settings.timing == Timing::Source;
    let mut filters = Vec::new();
    if source {
        // The filter prints the times. Then they are replaced, since the y4m writer would repeat or
        // drop frames, or refuse times that do not increase.
        filters.push("showinfo=checksum=0,settb=1/10,setpts=N".to_owned());
    } else {
        // A start offset would be filled with copies of the first frame.
        filters.push("setpts=PTS-STARTPTS".to_owned());
    }
    if from_rgb {
        let matrix = rgb_matrix(media.video.height);
        filters.push(format!("scale=interl=-1:out_color_matrix={matrix}:out_range=tv:flags=accurate_rnd+full_chroma_int"));
    } else if convert.is_some() {
        filters.push("scale=interl=-1:flags=accurate_rnd".to_owned());
    }
    let level = if source { "level+info" } else { "level+error" };
    let mut arguments: Vec<OsString> = ["-nostdin", "-hide_banner", "-nostats", "-loglevel", level].map(Into::into).into();
    arguments.extend(media.video.rotation_of_fields().map(|_| "-noautorotate".into()));
    arguments.extend(["-i".into(), file_argument(&media.path)]);
    let video = format!("0:{}", media.video.index);
    arguments.extend(["-map", &video, "-vf", &filters.join(",")].map(Into::into));
    arguments.extend(convert.iter().flat_map(|format| ["-pix_fmt", format]).map(Into::into));
    if source {
        arguments.extend([tools.sync, "passthrough"].map(Into::into));
    }
    arguments.extend(["-strict", "-1", "-f", "yuv4mpegpipe", "pipe:1"].map(Into::into));
    if source {
        arguments.extend(timeline(&settings.copied, 0));
    }
    arguments
}

/// The options that discard streams of ffmpeg's input number `input`.
///
/// Times count from the first packet of all streams that are used, and jumps of time are corrected
/// by them, in files of MPEG. The decoder and the encoder must therefore use the same streams.
pub fn timeline(streams: &[u32], input: usize) -> Vec<OsString> {
    if streams.is_empty() {
        return vec![];
    }
    let maps = streams.iter().flat_map(|stream| ["-map".to_owned(), format!("{input}:{stream}")]);
    let end = ["-c", "copy", "-f", "null", "-"].map(str::to_owned);
    maps.chain(end).map(Into::into).collect()
}

/// The arguments of ffmpeg that decodes a part of the file.
fn window_arguments(tools: &Tools, media: &Media, settings: &Settings, window: &Window) -> Vec<OsString> {
    // Each frame once, without a report of its time.
    let whole = Settings { timing: Timing::Source, copied: vec![], mixed: settings.mixed };
    let mut arguments = arguments(tools, media, &whole);
    let input = arguments.iter().position(|argument| argument == "-i").unwrap_or_default();
    let seek = ["-noaccurate_seek".to_owned(), "-ss".to_owned(), format!("{:.3}", window.seconds)];
    let seek = seek.into_iter().filter(|_| window.seconds > 0.0);
    arguments.splice(input..input, seek.map(Into::into));
    let output = arguments.iter().position(|argument| argument == "-strict").unwrap_or(arguments.len());
    arguments.splice(output..output, ["-frames:v".into(), window.frames.to_string().into()]);
    arguments
}

/// Starts to decode a part of the file. None if ffmpeg cannot be started.
pub fn window(tools: &Tools, media: &Media, settings: &Settings, window: &Window) -> Option<(Process, ChildStdout)> {
    let mut command = Command::new(&tools.ffmpeg);
    command.args(window_arguments(tools, media, settings, window)).stdin(Stdio::null()).stdout(Stdio::piped());
    let (process, (_, stdout)) = Process::start(&mut command, |_| true).ok()?;
    Some((process, stdout?))
}

/// Starts to decode.
pub fn start(tools: &Tools, media: &Media, settings: &Settings) -> Result<Source, CliError> {
    let name = media.path.display().to_string();
    let mut command = Command::new(&tools.ffmpeg);
    command.args(arguments(tools, media, settings)).stdin(Stdio::null()).stdout(Stdio::piped());
    let (sender, infos) = channel();
    let mut parser = showinfo::Parser::default();
    let captions = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&captions);
    let take = move |line: &str| {
        seen.fetch_or(showinfo::has_captions(line), Ordering::Relaxed);
        take(line, &mut parser, &sender)
    };
    let (process, (_, stdout)) = Process::start(&mut command, take).map_err(|error| {
        cannot_start(&tools.ffmpeg, &error, format_args!("{name} is not a y4m stream, ffmpeg decodes it"), "ffmpeg … | dndi - …")
    })?;
    let stdout = stdout.ok_or_else(|| CliError::runtime("internal error: ffmpeg has no stdout"))?;
    let from_rgb = pixel_format::decoded(&media.video.pix_fmt).from_rgb;
    let decoder = Decoder {
        name: name.clone(),
        process,
        infos: (settings.timing == Timing::Source).then_some(infos),
        captions,
        rotation: media.video.rotation_of_fields(),
        mixed: settings.mixed,
        tags: ColorTags::new(&media.video, from_rgb),
    };
    Ok(Source::Decoded { name, stream: Box::new(stdout), decoder: Box::new(decoder) })
}

/// Sends the time and the flags in a line. Returns whether the line is no message.
fn take(line: &str, parser: &mut showinfo::Parser, sender: &Sender<FrameInfo>) -> bool {
    if let Some(info) = parser.parse(line) {
        let _ = sender.send(info);
    }
    line.starts_with("[Parsed_showinfo")
}

/// A running decoder.
struct Decoder {
    name: String,
    process: Process,
    /// The times and flags, if they are not constant.
    infos: Option<Receiver<FrameInfo>>,
    /// Whether a frame had closed captions.
    captions: Arc<AtomicBool>,
    /// Degrees by which the frames are not rotated.
    rotation: Option<f64>,
    mixed: bool,
    tags: ColorTags,
}

impl source::Decoder for Decoder {
    fn header(&self, header: Header) -> Result<Header, CliError> {
        let header = match self.tags.color_space() {
            Some(space) => header.with_color_space(space),
            None => header,
        };
        let mixed = self.mixed && self.infos.is_some();
        if !mixed {
            return Ok(header);
        }
        let flagged = Header::new(header.format(), header.rate(), Interlacing::Mixed);
        let flagged = flagged.map_err(|error| CliError::runtime(format_args!("{}: {error}", self.name)))?;
        let (across, down) = header.aspect().unwrap_or((0, 0));
        let flagged = flagged.with_aspect(across, down).with_chroma_location(header.chroma_location());
        Ok(flagged.with_color_space(header.color_space()))
    }

    fn frame(&mut self) -> FrameInfo {
        let info = self.infos.as_ref().and_then(|infos| infos.recv().ok()).unwrap_or_default();
        FrameInfo { flags: info.flags.filter(|_| self.mixed), ..info }
    }

    fn end(&mut self) -> Result<Option<String>, CliError> {
        let name = &self.name;
        self.process.wait().map_err(|messages| {
            let error = failed("decode the input", &messages);
            CliError::corrupt(format_args!("{name}: {error}"))
        })?;
        let messages = self.process.messages();
        let damaged = || format!("{name}: ffmpeg reports errors, and frames may be damaged or missing: {messages}");
        let captions = || format!("{name}: the closed captions inside of the video are not copied");
        let found = self.captions.load(Ordering::Relaxed).then(captions);
        let rotated = |degrees| format!("{name}: the rotation by {degrees} degrees is not applied, since the video has fields");
        let rotated = self.rotation.map(rotated);
        let warnings: Vec<_> = (!messages.is_empty()).then(damaged).into_iter().chain(found).chain(rotated).collect();
        Ok((!warnings.is_empty()).then(|| warnings.join("; ")))
    }
}
