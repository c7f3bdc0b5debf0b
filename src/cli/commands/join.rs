//! `dndi join OUT PART...`: the output of a clip from the parts of its chunks.

use super::join_media::{self, EncodeArgs, JoinedMedia};
use super::part::PartTag;
use crate::error::CliError;
use crate::io::files::ReservedFiles;
use crate::io::interrupt;
use crate::io::output::{FrameWriter, Sink, Y4m};
use crate::options::clap_text::print_help_or_fail;
use crate::options::help::Help;
use clap::{Command, CommandFactory, Parser};
use dndi::Frame;
use dndi::y4m::{FrameHeader, Header, Reader};
use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;

/// Join the parts that --chunk --only made to the output of the whole clip
///
/// The parts may be in any order. All chunks must be there once, complete, and of one input with
/// the same settings and the same version of dndi. The output is y4m, or a container such as .mkv,
/// which ffmpeg encodes and to which it copies the other streams of --source.
#[derive(Debug, Parser)]
#[command(name = "dndi join", bin_name = "dndi join")]
struct Args {
    /// File to write; .mkv, .mp4, .mov and so on are encoded with ffmpeg, others are y4m; - for
    /// stdout
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// The parts
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    /// Overwrite an existing file
    #[arg(short = 'y')]
    overwrite: bool,

    #[command(flatten)]
    encode: EncodeArgs,
}

/// A part whose frames are complete.
struct Part {
    path: PathBuf,
    header: Header,
    tag: PartTag,
}

/// The help of `dndi join`. `-h` has all options.
const HELP: Help = Help { name: "dndi join", main: &[], after: "" };

/// The options of `dndi join`.
pub fn command() -> Command {
    Args::command()
}

/// Runs `dndi join`; `arguments` are those after it.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Result<(), CliError> {
    let named = std::iter::once("dndi join".into()).chain(arguments);
    let args = match Args::try_parse_from(named) {
        Ok(args) => args,
        Err(error) => return print_help_or_fail(&error, &command(), &HELP),
    };
    let container = join_media::container(&args.output);
    if let (None, Some(option)) = (container, args.encode.unused()) {
        return Err(CliError::usage(format_args!("{option} applies to outputs such as .mkv, .mp4 and .mov")));
    }
    let mut parts = args.parts.iter().map(|path| Part::open(path.clone())).collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.tag.index);
    check(&parts)?;
    let Some(first) = parts.first() else { return Ok(()) };
    let read = args.parts.iter().chain(&args.encode.source);
    let mut reserved = ReservedFiles::reading(read.map(PathBuf::as_path));
    if let Some(container) = container {
        reserved.ensure_free(&args.output)?;
        // An interrupt ends ffmpeg and removes the temporary file.
        interrupt::install()?;
        let frames = parts.iter().map(|part| part.tag.frames).sum();
        let output = (args.output.as_path(), container);
        let mut media = JoinedMedia::open(&args.encode, output, args.overwrite, &first.header, frames)?;
        media.encoder.begin()?;
        let mut number = 0;
        for part in &parts {
            part.copy(|header, frame| {
                let time = media.time(number);
                number += 1;
                media.encoder.write(header, frame, time)
            })?;
        }
        return media.encoder.finish();
    }
    let sink = Sink::open(&args.output, args.overwrite, "frames", &mut reserved)?;
    let mut writer = Y4m::new(sink, first.header.clone());
    writer.begin()?;
    parts.iter().try_for_each(|part| part.copy(|header, frame| writer.write(header, frame, 0)))?;
    writer.finish()
}

/// Checks that the sorted parts are all chunks of one output.
fn check(parts: &[Part]) -> Result<(), CliError> {
    let Some(first) = parts.first() else { return Ok(()) };
    let foreign = |part: &&Part| part.tag.hash != first.tag.hash || part.header != first.header;
    if let Some(part) = parts.iter().find(foreign) {
        let (path, first) = (part.path.display(), first.path.display());
        return Err(CliError::usage(format_args!(
            "{path} and {first} are parts of different outputs: the input, the options or the version differs"
        )));
    }
    if let Some(pair) = parts.windows(2).find(|pair| pair[0].tag.index == pair[1].tag.index) {
        let (index, one, other) = (pair[0].tag.index, pair[0].path.display(), pair[1].path.display());
        return Err(CliError::usage(format_args!("{one} and {other} are both chunk {index}")));
    }
    if let Some((index, _)) = (0..).zip(parts).find(|(index, part)| part.tag.index != *index) {
        return Err(CliError::usage(format_args!("chunk {index} is missing")));
    }
    let number = parts.len() as u64;
    match parts.iter().find_map(|part| part.tag.count) {
        Some(count) if count > number => Err(CliError::usage(format_args!("chunk {number} of {count} is missing"))),
        Some(count) if count < number => Err(CliError::usage(format_args!("there are {number} parts of {count} chunks"))),
        Some(_) => Ok(()),
        None => Err(CliError::usage(format_args!("chunk {number} is missing: none of the parts is the end of the clip"))),
    }
}

impl Part {
    /// Reads the header of a part, and checks that its frames are complete.
    fn open(path: PathBuf) -> Result<Part, CliError> {
        let name = path.display().to_string();
        let mut reader = reader(&path)?;
        let Some((header, tag)) = PartTag::split(reader.header())? else {
            return Err(CliError::usage(format_args!("{name} is no part: --chunk C --only K makes parts")));
        };
        let mut frames = 0;
        while reader.seek_past().map_err(|error| CliError::input(&name, &error))?.is_some() {
            frames += 1;
        }
        if frames != tag.frames {
            let expected = tag.frames;
            return Err(CliError::corrupt(format_args!("{name} has {frames} frames of {expected}: it is not complete")));
        }
        Ok(Part { path, header, tag })
    }

    /// Passes the frames to `write`.
    fn copy(&self, mut write: impl FnMut(&FrameHeader, &Frame) -> Result<(), CliError>) -> Result<(), CliError> {
        let name = self.path.display().to_string();
        let (mut reader, mut frame) = (reader(&self.path)?, Frame::default());
        while let Some(header) = reader.read(&mut frame).map_err(|error| CliError::input(&name, &error))? {
            if interrupt::is_requested() {
                return Err(CliError::runtime("interrupted"));
            }
            write(&header, &frame)?;
            interrupt::progress();
        }
        Ok(())
    }
}

fn reader(path: &std::path::Path) -> Result<Reader<File>, CliError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| CliError::runtime(format_args!("cannot open {name}: {error}")))?;
    Reader::new(file).map_err(|error| CliError::input(&name, &error))
}
