//! What is written: each file in whole frames or lines, also when the disk is full or nobody reads on.

pub mod rgb;

use crate::args::{Args, Rgb};
use crate::failure::Failure;
use crate::{files, interrupt};
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
        self.write(lines.as_bytes())?;
        self.keep(count);
        Ok(())
    }

    /// Writes all there is to write, in one piece.
    pub fn write_whole(mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.begin()?;
        self.write(bytes)
    }

    /// Writes all of `bytes`, a part of a record.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file.write_all(bytes).map_err(|error| self.failed(&error))
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

/// How frames are kept.
pub trait Store: std::fmt::Debug + Send {
    /// Drops what was there and writes what stands before the frames.
    fn begin(&mut self) -> Result<(), Failure>;

    /// Writes a frame. What went before stays complete if that fails.
    fn write(&mut self, header: &FrameHeader, frame: &Frame) -> Result<(), Failure>;
}

/// Opens what the command line calls for; `header` is that of a y4m stream. Nothing is dropped or written yet.
pub fn open(args: &Args, header: &Header, taken: files::Taken) -> Result<Box<dyn Store>, Failure> {
    let sink = || Sink::open(&args.output, args.overwrite, "frames");
    Ok(match args.color.rgb {
        None => Box::new(Y4m { sink: sink()?, header: header.clone(), writer: None }),
        Some(Rgb::Raw) => Box::new(rgb::Planes(sink()?)),
        Some(Rgb::Png) if files::is_standard(&args.output) => Box::new(rgb::Pictures::stream(sink()?)),
        Some(Rgb::Png) => Box::new(rgb::Pictures::files(&args.output, args.overwrite, taken)?),
    })
}

/// Frames that nobody keeps.
#[derive(Debug)]
pub struct Nowhere;

impl Store for Nowhere {
    fn begin(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn write(&mut self, _: &FrameHeader, _: &Frame) -> Result<(), Failure> {
        Ok(())
    }
}

/// A y4m stream.
#[derive(Debug)]
struct Y4m {
    sink: Sink,
    header: Header,
    /// None before it begins.
    writer: Option<Writer<File>>,
}

impl Store for Y4m {
    fn begin(&mut self) -> Result<(), Failure> {
        self.sink.begin()?;
        let writer = self.sink.file.try_clone().and_then(|file| Writer::new(file, &self.header));
        self.writer = Some(writer.map_err(|error| self.sink.failed(&error))?);
        self.sink.keep(0);
        Ok(())
    }

    fn write(&mut self, header: &FrameHeader, frame: &Frame) -> Result<(), Failure> {
        let Some(writer) = &mut self.writer else { return Err(Failure::runtime("a frame before the header")) };
        writer.write(header, frame).map_err(|error| self.sink.failed(&error))?;
        self.sink.keep(1);
        Ok(())
    }
}

/// The frames on their way to a store, which are written by a thread of its own while the next ones are made.
#[derive(Debug)]
pub struct Output {
    /// None when it is closed.
    frames: Option<SyncSender<(FrameHeader, Frame)>>,
    written: Receiver<Frame>,
    thread: Option<JoinHandle<Result<(), Failure>>>,
}

/// Frames that may wait to be written. One more is being written and two being made.
const WAITING: usize = 1;

impl Output {
    /// Begins to wait for frames.
    pub fn new(store: Box<dyn Store>) -> Result<Output, Failure> {
        let (frames, waiting) = sync_channel(WAITING);
        let (done, written) = channel();
        let thread = thread::Builder::new().name("output".to_owned()).spawn(move || write(store, &waiting, &done));
        let thread = thread.map_err(|error| Failure::runtime(format_args!("cannot start a thread: {error}")))?;
        Ok(Output { frames: Some(frames), written, thread: Some(thread) })
    }

    /// Hands a frame over, perhaps waiting until others are written.
    ///
    /// # Errors
    /// What went wrong with a frame before.
    pub fn write(&mut self, header: FrameHeader, frame: Frame) -> Result<(), Failure> {
        match &self.frames {
            Some(frames) if frames.send((header, frame)).is_ok() => Ok(()),
            _ => self.close().and(Err(Failure::runtime("writing ended unexpectedly"))),
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
    pub fn close(&mut self) -> Result<(), Failure> {
        self.frames = None;
        let ended = self.thread.take().map_or(Ok(Ok(())), JoinHandle::join);
        ended.unwrap_or_else(|_| Err(Failure::runtime("writing ended unexpectedly")))
    }
}

impl Drop for Output {
    /// No frame is cut off, whatever the program ends for.
    fn drop(&mut self) {
        let _ = self.close();
    }
}

/// Writes all frames that come.
fn write(mut store: Box<dyn Store>, frames: &Receiver<(FrameHeader, Frame)>, written: &Sender<Frame>) -> Result<(), Failure> {
    for (header, frame) in frames {
        store.write(&header, &frame)?;
        interrupt::progress();
        // When nobody wants it back any more it is dropped.
        let _ = written.send(frame);
    }
    Ok(())
}
