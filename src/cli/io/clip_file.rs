//! Random access to the frames of a y4m file.

use super::input::name;
use crate::error::CliError;
use dndi::Frame;
use dndi::y4m::{Error, FrameHeader, Header, MAX_LINE, Reader};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A y4m file.
#[derive(Debug)]
pub struct ClipFile {
    path: PathBuf,
    /// The header line.
    head: Vec<u8>,
    /// The `FRAME` line and the number of frames, if the size of the file shows that all frames
    /// have the same line.
    uniform: Option<(Vec<u8>, u64)>,
    /// Bytes of samples in a frame.
    samples: u64,
}

/// Reads the frames of a file from one of them on.
#[derive(Debug)]
pub struct ClipReader {
    reader: Source,
    /// Frames before those that the reader counts.
    skipped: u64,
    name: String,
}

/// A header line, then a file from a frame on.
type Rest = Chain<Cursor<Vec<u8>>, File>;

#[derive(Debug)]
enum Source {
    /// The file from a frame on.
    Jumped(Box<Reader<Rest>>),
    /// The file from the beginning.
    Scanned(Box<Reader<File>>),
}

impl ClipFile {
    /// Opens a file with this header; none if it is no regular file or has another header.
    pub fn open(path: &Path, header: &Header) -> Option<ClipFile> {
        if !path.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return None;
        }
        let mut file = BufReader::new(File::open(path).ok()?);
        let mut line = || {
            let mut line = Vec::new();
            let read = file.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line);
            read.is_ok_and(|_| line.ends_with(b"\n")).then_some(line)
        };
        let head = line()?;
        if Header::parse(head.trim_ascii_end()).ok()? != *header {
            return None;
        }
        let samples = (header.format().samples() * header.format().bytes_per_sample()) as u64;
        let rest = file_length(path)?.checked_sub(head.len() as u64)?;
        let frame_line = line().filter(|line| line.starts_with(b"FRAME"));
        let uniform = frame_line.and_then(|line| {
            let frame = line.len() as u64 + samples;
            (rest.is_multiple_of(frame)).then(|| (line, rest / frame))
        });
        Some(ClipFile { path: path.to_owned(), head, uniform, samples })
    }

    /// A reader whose next frame is `frame`. If the file ends before, it has no frames.
    pub fn reader(&self, frame: u64) -> Result<ClipReader, CliError> {
        let name = name(&self.path);
        let cannot = |error| CliError::runtime(format_args!("cannot read {name}: {error}"));
        if let Some(reader) = self.jump(frame).map_err(cannot)? {
            return Ok(ClipReader { reader: Source::Jumped(Box::new(reader)), skipped: frame, name });
        }
        let file = File::open(&self.path).map_err(cannot)?;
        let mut reader = Reader::new(file).map_err(|error| CliError::input(&name, &error))?;
        for _ in 0..frame {
            if reader.seek_past().map_err(|error| CliError::input(&name, &error))?.is_none() {
                break;
            }
        }
        Ok(ClipReader { reader: Source::Scanned(Box::new(reader)), skipped: 0, name })
    }

    /// A reader at a frame whose position follows from its number; none if the file has another
    /// line there than at its first frame.
    fn jump(&self, frame: u64) -> io::Result<Option<Reader<Rest>>> {
        let Some((line, frames)) = &self.uniform else { return Ok(None) };
        let mut file = File::open(&self.path)?;
        let at = |frame: u64| self.head.len() as u64 + frame * (line.len() as u64 + self.samples);
        file.seek(SeekFrom::Start(at(frame.min(*frames))))?;
        if frame < *frames {
            let mut found = vec![0; line.len()];
            file.read_exact(&mut found)?;
            if found != *line {
                return Ok(None);
            }
            file.seek(SeekFrom::Start(at(frame)))?;
        }
        Ok(Reader::new(Cursor::new(self.head.clone()).chain(file)).ok())
    }

    /// The number of complete frames.
    pub fn frames(&self) -> Result<u64, CliError> {
        if let Some((_, frames)) = self.uniform {
            return Ok(frames);
        }
        let cannot = |error| CliError::runtime(format_args!("cannot read {}: {error}", name(&self.path)));
        let mut reader =
            Reader::new(File::open(&self.path).map_err(cannot)?).map_err(|error| CliError::input(&name(&self.path), &error))?;
        // The frames before an error count.
        Ok(std::iter::from_fn(|| reader.seek_past().ok().flatten()).count() as u64)
    }
}

impl ClipReader {
    /// Reads the next frame into `frame`; none at the end of the file.
    pub fn read(&mut self, frame: &mut Frame) -> Result<Option<FrameHeader>, CliError> {
        let read = match &mut self.reader {
            Source::Jumped(reader) => reader.read(frame),
            Source::Scanned(reader) => reader.read(frame),
        };
        read.map_err(|error| {
            let error = match error {
                Error::Truncated { frame, got, need } => Error::Truncated { frame: frame + self.skipped, got, need },
                Error::Garbage { frame, found } => Error::Garbage { frame: frame + self.skipped, found },
                error => error,
            };
            CliError::input(&self.name, &error)
        })
    }
}

/// The length of a regular file in bytes.
pub fn file_length(path: &Path) -> Option<u64> {
    path.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len())
}
