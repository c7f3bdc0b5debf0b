//! Files that are written in complete frames or lines, also if the disk is full or a pipe is closed.

use super::{files, interrupt};
use crate::error::CliError;
use crate::options::is_standard;
use dndi::Frame;
use dndi::y4m::{FrameHeader, Header, Writer};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

/// A file or stdout, open for writing.
#[derive(Debug)]
pub struct Sink {
    name: String,
    file: File,
    /// Whether it can be cut.
    pub(super) regular: bool,
    /// Where the last complete record ends; not known of stdout before the first.
    complete: Option<u64>,
    /// Complete records, and what they are.
    pub(super) records: u64,
    unit: &'static str,
}

impl Sink {
    /// Opens `path`, whose records are called `unit`. What is there stays there until [`begin`](Sink::begin).
    pub fn open(path: &Path, overwrite: bool, unit: &'static str) -> Result<Sink, CliError> {
        if is_standard(path) {
            let file = files::stdout().map_err(|error| CliError::runtime(format_args!("cannot open stdout: {error}")))?;
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
            _ => CliError::runtime(format_args!("cannot create {}: {error}", path.display())),
        })?;
        Ok(Sink::new(path.display().to_string(), file, Some(0), unit))
    }

    fn new(name: String, file: File, complete: Option<u64>, unit: &'static str) -> Sink {
        let regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        Sink { name, file, regular, complete, records: 0, unit }
    }

    /// Drops what was in the file; stdout is the shell's.
    pub fn begin(&self) -> Result<(), CliError> {
        if self.regular && self.complete.is_some() { self.file.set_len(0).map_err(|error| self.failed(&error)) } else { Ok(()) }
    }

    /// Writes some lines, `count` records of them.
    pub fn write_lines(&mut self, lines: &str, count: u64) -> Result<(), CliError> {
        self.write(lines.as_bytes())?;
        self.keep(count);
        Ok(())
    }

    /// Writes all there is to write, in one piece.
    pub fn write_whole(mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.begin()?;
        self.write(bytes)
    }

    /// Writes all of `bytes`, a part of a record.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.file.write_all(bytes).map_err(|error| self.failed(&error))
    }

    /// All that was written so far is complete, `count` records more.
    pub(super) fn keep(&mut self, count: u64) {
        self.records += count;
        if self.regular {
            self.complete = self.file.stream_position().ok();
        }
    }

    /// Cuts off what a failed write left.
    fn failed(&self, error: &io::Error) -> CliError {
        if let Some(complete) = self.complete.filter(|_| self.regular) {
            let _ = self.file.set_len(complete);
        }
        let Sink { name, records, unit, .. } = self;
        CliError::runtime(match error.kind() {
            ErrorKind::BrokenPipe => format!("output closed after {records} {unit}: nobody reads {name}"),
            _ => format!("cannot write {name} after {records} {unit}: {error}"),
        })
    }
}

/// Writes frames to a destination.
pub trait FrameWriter: std::fmt::Debug + Send {
    /// Drops what was there and writes what stands before the frames.
    fn begin(&mut self) -> Result<(), CliError>;

    /// Writes a frame. What went before stays complete if that fails.
    fn write(&mut self, header: &FrameHeader, frame: &Frame) -> Result<(), CliError>;
}

/// A y4m stream.
#[derive(Debug)]
pub struct Y4m {
    sink: Sink,
    header: Header,
    /// None before it begins.
    writer: Option<Writer<File>>,
}

impl Y4m {
    /// Of frames with this header.
    pub fn new(sink: Sink, header: Header) -> Y4m {
        Y4m { sink, header, writer: None }
    }
}

impl FrameWriter for Y4m {
    fn begin(&mut self) -> Result<(), CliError> {
        self.sink.begin()?;
        let writer = self.sink.file.try_clone().and_then(|file| Writer::new(file, &self.header));
        self.writer = Some(writer.map_err(|error| self.sink.failed(&error))?);
        self.sink.keep(0);
        Ok(())
    }

    fn write(&mut self, header: &FrameHeader, frame: &Frame) -> Result<(), CliError> {
        let Some(writer) = &mut self.writer else { return Err(CliError::runtime("a frame before the header")) };
        writer.write(header, frame).map_err(|error| self.sink.failed(&error))?;
        self.sink.keep(1);
        Ok(())
    }
}

/// The frames on their way to a writer, which are written by a thread of its own while the next ones are made.
#[derive(Debug)]
pub struct Output {
    /// None when it is closed.
    frames: Option<SyncSender<(FrameHeader, Frame)>>,
    written: Receiver<Frame>,
    thread: Option<JoinHandle<Result<(), CliError>>>,
}

/// Frames that may wait to be written. One more is being written and two being made.
const WAITING: usize = 1;

impl Output {
    /// Begins to wait for frames.
    pub fn new(writer: Box<dyn FrameWriter>) -> Result<Output, CliError> {
        let (frames, waiting) = sync_channel(WAITING);
        let (done, written) = channel();
        let thread = thread::Builder::new().name("output".to_owned()).spawn(move || write(writer, &waiting, &done));
        let thread = thread.map_err(|error| CliError::runtime(format_args!("cannot start a thread: {error}")))?;
        Ok(Output { frames: Some(frames), written, thread: Some(thread) })
    }

    /// Hands a frame over, perhaps waiting until others are written.
    ///
    /// # Errors
    /// What went wrong with a frame before.
    pub fn write(&mut self, header: FrameHeader, frame: Frame) -> Result<(), CliError> {
        match &self.frames {
            Some(frames) if frames.send((header, frame)).is_ok() => Ok(()),
            _ => self.close().and(Err(CliError::runtime("writing ended unexpectedly"))),
        }
    }

    /// The next frame that was written and not yet taken back.
    pub fn written(&mut self) -> Option<Frame> {
        // A closed stream has come to its end.
        if self.frames.is_some() { self.written.try_recv().ok() } else { self.written.recv().ok() }
    }

    /// Waits until all frames are written. Nothing can be written any more.
    ///
    /// # Errors
    /// What went wrong.
    pub fn close(&mut self) -> Result<(), CliError> {
        self.frames = None;
        let ended = self.thread.take().map_or(Ok(Ok(())), JoinHandle::join);
        ended.unwrap_or_else(|_| Err(CliError::runtime("writing ended unexpectedly")))
    }
}

impl Drop for Output {
    /// No frame is cut off, whatever the program ends for.
    fn drop(&mut self) {
        let _ = self.close();
    }
}

/// Writes all frames that come.
fn write(
    mut writer: Box<dyn FrameWriter>,
    frames: &Receiver<(FrameHeader, Frame)>,
    written: &Sender<Frame>,
) -> Result<(), CliError> {
    for (header, frame) in frames {
        writer.write(&header, &frame)?;
        interrupt::progress();
        // When nobody wants it back any more it is dropped.
        let _ = written.send(frame);
    }
    Ok(())
}
