//! Encoding: frames go to ffmpeg as uncompressed Matroska. It writes a temporary file, which gets
//! the name of the output when it is complete.

use super::command::Settings;
use super::matroska;
use super::process::{Process, failed};
use super::tools::{Tools, cannot_start};
use crate::error::CliError;
use crate::io::files;
use crate::io::interrupt;
use crate::io::output::FrameWriter;
use crate::io::processes::TemporaryFile;
use crate::options::is_standard;
use dndi::Frame;
use dndi::y4m::{FrameHeader, little_endian};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};

/// Bytes of the longest name that is part of the temporary one. File systems allow 255.
const LONGEST_NAME: usize = 230;

/// The file that is encoded.
#[derive(Debug)]
pub enum Target {
    /// stdout, a device or a pipe, without a temporary file.
    Direct(PathBuf),
    /// A file with a temporary name, and its final name.
    File { temporary: TemporaryFile, path: PathBuf, overwrite: bool },
}

impl Target {
    /// Creates the temporary file for the output `path` in its folder.
    pub fn create(path: &Path, overwrite: bool) -> Result<Target, CliError> {
        if is_standard(path) || path.exists() && !path.is_file() {
            return Ok(Target::Direct(path.to_owned()));
        }
        // A link is kept: the file that it leads to is replaced.
        let path = path.canonicalize().unwrap_or(path.to_owned());
        let own = path.file_name().filter(|name| name.len() <= LONGEST_NAME).unwrap_or("dndi".as_ref());
        let mut name = std::ffi::OsString::from(".");
        name.push(own);
        name.push(format!(".{}.part", std::process::id()));
        let temporary = path.with_file_name(name);
        let create = OpenOptions::new().write(true).create_new(true).open(&temporary);
        create.map_err(|error| CliError::runtime(format_args!("cannot create {}: {error}", path.display())))?;
        Ok(Target::File { temporary: TemporaryFile::new(temporary), path, overwrite })
    }

    /// The name for ffmpeg.
    fn argument(&self) -> PathBuf {
        match self {
            Target::Direct(path) if is_standard(path) => "pipe:1".into(),
            Target::Direct(path) => path.clone(),
            Target::File { temporary, .. } => super::probe::file_argument(temporary.path()).into(),
        }
    }
}

/// Writes frames to ffmpeg.
#[derive(Debug)]
pub struct Encoder {
    tools: Tools,
    settings: Settings,
    /// None after the end.
    target: Option<Target>,
    /// None before the first frame and after the end.
    running: Option<(Process, ChildStdin)>,
    /// The time of the first frame, and that of the last one.
    times: Option<(i64, i64)>,
    /// Number of frames.
    frames: u64,
    /// Buffer for words on a big-endian processor.
    swapped: Vec<u8>,
}

impl Encoder {
    /// An encoder that writes `target`.
    pub fn new(tools: Tools, settings: Settings, target: Target) -> Encoder {
        Encoder { tools, settings, target: Some(target), running: None, times: None, frames: 0, swapped: vec![] }
    }

    /// Duration of a frame at the nominal rate, in nanoseconds.
    fn duration(&self) -> u64 {
        let (num, den) = self.settings.rate;
        (u64::from(den) * 1_000_000_000 / u64::from(num.max(1))).max(1)
    }

    /// The error for a failed write: ffmpeg has ended.
    fn failed(&mut self, error: &io::Error) -> CliError {
        let Some((mut process, stdin)) = self.running.take() else { return CliError::runtime(error) };
        drop(stdin);
        let messages = process.wait().err().unwrap_or_else(|| error.to_string());
        // A terminal interrupts ffmpeg as well.
        if interrupt::is_requested() {
            return CliError::runtime(format_args!("interrupted after {} frames", self.frames));
        }
        cannot_encode(&messages)
    }
}

/// The error that the encoder failed. libx264 takes even sizes alone.
fn cannot_encode(messages: &str) -> CliError {
    let advice = if messages.contains("not divisible by 2") { "; --crop, --scale or --lossless avoid this" } else { "" };
    failed("encode the output", &format!("{messages}{advice}"))
}

impl FrameWriter for Encoder {
    fn begin(&mut self) -> Result<(), CliError> {
        let Some(target) = &self.target else { return Ok(()) };
        let mut command = Command::new(&self.tools.ffmpeg);
        let output = target.argument();
        command.args(self.settings.arguments(output.as_os_str())).stdin(Stdio::piped());
        command.stdout(if output == Path::new("pipe:1") { Stdio::inherit() } else { Stdio::null() });
        let started = Process::start(&mut command, |_| false);
        let (process, (stdin, _)) = started.map_err(|error| {
            cannot_start(&self.tools.ffmpeg, &error, "ffmpeg encodes the output", "dndi INPUT - | ffmpeg -i - OUTPUT")
        })?;
        let stdin = stdin.ok_or_else(|| CliError::runtime("internal error: ffmpeg has no stdin"))?;
        let begin = matroska::begin(&self.settings.header, self.duration());
        let (_, stdin) = self.running.insert((process, stdin));
        stdin.write_all(&begin).map_err(|error| self.failed(&error))
    }

    fn write(&mut self, _: &FrameHeader, frame: &Frame, time: i64) -> Result<(), CliError> {
        // Two frames at the same time would be an error of the container.
        let least = self.settings.tick.map_or(1, |(num, den)| (num * 1_000_000_000 / den) as i64);
        let (first, time) = match self.times {
            Some((first, last)) => (first, time.max(last.saturating_add(least))),
            None => (time, time),
        };
        self.times = Some((first, time));
        let samples = little_endian(frame.samples(), &mut self.swapped).map_err(CliError::runtime)?;
        let Some((_, stdin)) = &mut self.running else {
            return Err(CliError::runtime("internal error: a frame was written before the header"));
        };
        let before = matroska::frame(time.saturating_sub(first) as u64, samples.len());
        let written = stdin.write_all(&before).and_then(|()| stdin.write_all(samples));
        written.map_err(|error| self.failed(&error))?;
        self.frames += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), CliError> {
        let Some((mut process, stdin)) = self.running.take() else { return Ok(()) };
        drop(stdin);
        let target = self.target.take();
        if self.frames == 0 {
            let written = "nothing is encoded";
            process.wait().map_err(|_| CliError::runtime(format_args!("there are no frames, {written}")))?;
        }
        process.wait_for_file().map_err(|messages| cannot_encode(&messages))?;
        let Some(Target::File { temporary, path, overwrite }) = target else { return Ok(()) };
        if !overwrite && path.exists() {
            return Err(files::exists(&path));
        }
        let name = path.display();
        temporary.rename(&path).map_err(|error| CliError::runtime(format_args!("cannot create {name}: {error}")))
    }
}
