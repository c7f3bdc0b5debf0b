//! What is written: each file in whole frames or lines, also when the disk is full or nobody reads on.

use crate::failure::Failure;
use crate::files;
use dndi::Frame;
use dndi::y4m::{FrameHeader, Header, Writer};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::Path;

/// A file or stdout, open for writing.
#[derive(Debug)]
pub struct Sink {
    name: String,
    file: File,
    /// Whether it can be cut.
    regular: bool,
    /// Where the last complete record ends; not known of stdout before the first.
    complete: Option<u64>,
    /// Complete records, and what they are.
    records: u64,
    unit: &'static str,
}

impl Sink {
    /// Opens `path`, whose records are called `unit`. What is there stays there until [`begin`](Sink::begin).
    pub fn open(path: &Path, overwrite: bool, unit: &'static str) -> Result<Sink, Failure> {
        if files::is_standard(path) {
            let file = files::stdout().map_err(|error| Failure::runtime(format_args!("cannot open stdout: {error}")))?;
            return Ok(Sink::new("stdout".to_owned(), file, None, unit));
        }
        let mut options = OpenOptions::new();
        options.write(true);
        // A device or a pipe is there and is used. A file may have come into being since the check.
        match overwrite {
            true => options.create(true),
            false if path.is_file() => return Err(files::exists(path)),
            false => options.create_new(!path.exists()),
        };
        let file = options.open(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => files::exists(path),
            _ => Failure::runtime(format_args!("cannot create {}: {error}", path.display())),
        })?;
        Ok(Sink::new(path.display().to_string(), file, Some(0), unit))
    }

    fn new(name: String, file: File, complete: Option<u64>, unit: &'static str) -> Sink {
        let regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        Sink { name, file, regular, complete, records: 0, unit }
    }

    /// Drops what was in the file; stdout is the shell's.
    pub fn begin(&self) -> Result<(), Failure> {
        if self.regular && self.complete.is_some() { self.file.set_len(0).map_err(|error| self.failed(&error)) } else { Ok(()) }
    }

    /// Writes some lines, `count` records of them.
    pub fn write_lines(&mut self, lines: &str, count: u64) -> Result<(), Failure> {
        self.file.write_all(lines.as_bytes()).map_err(|error| self.failed(&error))?;
        self.keep(count);
        Ok(())
    }

    /// All that was written so far is complete, `count` records more.
    fn keep(&mut self, count: u64) {
        self.records += count;
        if self.regular {
            self.complete = self.file.stream_position().ok();
        }
    }

    /// Cuts off what a failed write left.
    fn failed(&self, error: &io::Error) -> Failure {
        if let Some(complete) = self.complete.filter(|_| self.regular) {
            let _ = self.file.set_len(complete);
        }
        let Sink { name, records, unit, .. } = self;
        Failure::runtime(match error.kind() {
            ErrorKind::BrokenPipe => format!("output closed after {records} {unit}: nobody reads {name}"),
            _ => format!("cannot write {name} after {records} {unit}: {error}"),
        })
    }
}

/// The y4m stream that is written.
#[derive(Debug)]
pub struct Output {
    writer: Writer<File>,
    sink: Sink,
}

impl Output {
    /// Writes the header.
    pub fn new(mut sink: Sink, header: &Header) -> Result<Output, Failure> {
        let writer = sink.file.try_clone().and_then(|file| Writer::new(file, header)).map_err(|error| sink.failed(&error))?;
        sink.keep(0);
        Ok(Output { writer, sink })
    }

    /// Writes a frame.
    pub fn write(&mut self, header: &FrameHeader, frame: &Frame) -> Result<(), Failure> {
        self.writer.write(header, frame).map_err(|error| self.sink.failed(&error))?;
        self.sink.keep(1);
        Ok(())
    }

    /// Frames written.
    pub fn frames(&self) -> u64 {
        self.sink.records
    }
}
