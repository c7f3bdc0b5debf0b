//! Output files. They contain only complete frames or lines, also if the disk is full or a pipe is
//! closed.

use super::files::{self, ReservedFiles};
use super::interrupt;
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
    /// Name of the file in messages.
    name: String,
    file: File,
    /// Whether it is a regular file, which can be truncated.
    pub(super) regular: bool,
    /// End of the last complete record in bytes. For stdout it is unknown before the first record.
    complete: Option<u64>,
    /// Number of complete records.
    pub(super) records: u64,
    /// Name of the records in messages, such as frames.
    unit: &'static str,
}

impl Sink {
    /// Opens `path`, and adds it to `reserved`. `unit` is the name of its records in messages.
    /// Existing contents are kept until [`begin`](Sink::begin).
    ///
    /// # Errors
    /// If it cannot be opened, or is one of the `reserved` files.
    pub fn open(path: &Path, overwrite: bool, unit: &'static str, reserved: &mut ReservedFiles) -> Result<Sink, CliError> {
        let sink = Sink::open_picture(path, overwrite, unit, reserved)?;
        reserved.add_opened(path, &sink.file);
        Ok(sink)
    }

    /// The same for one of many pictures, which is not added to `reserved`: after it is closed,
    /// another program may move or remove it.
    pub fn open_picture(path: &Path, overwrite: bool, unit: &'static str, reserved: &ReservedFiles) -> Result<Sink, CliError> {
        if is_standard(path) {
            let file = files::stdout().map_err(|error| CliError::runtime(format_args!("cannot open stdout: {error}")))?;
            reserved.ensure_distinct(path, &file)?;
            return Ok(Sink::new("stdout".to_owned(), file, None, unit));
        }
        let mut options = OpenOptions::new();
        options.write(true);
        // An existing device or pipe is used. A file may have been created since the check of all
        // files.
        match overwrite {
            true => options.create(true),
            false if path.is_file() => return Err(files::exists(path)),
            false => options.create_new(!path.exists()),
        };
        let file = options.open(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => files::exists(path),
            _ => CliError::runtime(format_args!("cannot create {}: {error}", path.display())),
        })?;
        reserved.ensure_distinct(path, &file)?;
        Ok(Sink::new(path.display().to_string(), file, Some(0), unit))
    }

    fn new(name: String, file: File, complete: Option<u64>, unit: &'static str) -> Sink {
        let regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        Sink { name, file, regular, complete, records: 0, unit }
    }

    /// Removes the previous contents of the file. stdout is not truncated, since the shell opened
    /// it.
    pub fn begin(&self) -> Result<(), CliError> {
        if self.regular && self.complete.is_some() { self.file.set_len(0).map_err(|error| self.failed(&error)) } else { Ok(()) }
    }

    /// Writes lines that hold `count` complete records.
    pub fn write_lines(&mut self, lines: &str, count: u64) -> Result<(), CliError> {
        self.write(lines.as_bytes())?;
        self.keep(count);
        Ok(())
    }

    /// Writes a complete record.
    pub fn write_record(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.write(bytes)?;
        self.keep(1);
        Ok(())
    }

    /// Writes the whole contents of the file.
    pub fn write_whole(mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.begin()?;
        self.write(bytes)
    }

    /// Writes a part of a record.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.file.write_all(bytes).map_err(|error| self.failed(&error))
    }

    /// Marks the data written so far as complete: `count` more records.
    pub(super) fn keep(&mut self, count: u64) {
        self.records += count;
        if self.regular {
            self.complete = self.file.stream_position().ok();
        }
    }

    /// Truncates the file after the last complete record, and returns the error of the failed
    /// write.
    fn failed(&self, error: &io::Error) -> CliError {
        if let Some(complete) = self.complete.filter(|_| self.regular) {
            let _ = self.file.set_len(complete);
        }
        let Sink { name, records, unit, .. } = self;
        CliError::runtime(match error.kind() {
            ErrorKind::BrokenPipe => format!("output closed after {records} {unit}: the reader of {name} has ended"),
            _ => format!("cannot write {name} after {records} {unit}: {error}"),
        })
    }
}

/// Writes frames to a destination.
pub trait FrameWriter: std::fmt::Debug + Send {
    /// Removes previous contents and writes the header, if there is one.
    fn begin(&mut self) -> Result<(), CliError>;

    /// Writes a frame that is shown at `time`, in nanoseconds. If this fails, the frames before it
    /// stay complete.
    fn write(&mut self, header: &FrameHeader, frame: &Frame, time: i64) -> Result<(), CliError>;

    /// Completes the output after the last frame. An output that is not completed may not get its
    /// name.
    fn finish(&mut self) -> Result<(), CliError> {
        Ok(())
    }
}

/// A y4m stream.
#[derive(Debug)]
pub struct Y4m {
    sink: Sink,
    header: Header,
    /// None before [`begin`](FrameWriter::begin).
    writer: Option<Writer<File>>,
}

impl Y4m {
    /// A stream with this header.
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

    fn write(&mut self, header: &FrameHeader, frame: &Frame, _: i64) -> Result<(), CliError> {
        let Some(writer) = &mut self.writer else {
            return Err(CliError::runtime("internal error: a frame was written before the header"));
        };
        writer.write(header, frame).map_err(|error| self.sink.failed(&error))?;
        self.sink.keep(1);
        Ok(())
    }
}

/// The connection to the thread that writes frames while the next ones are processed.
#[derive(Debug)]
pub struct Output {
    /// None if the output is closed.
    frames: Option<SyncSender<TimedFrame>>,
    /// Frames that were written, to be used again.
    written: Receiver<Frame>,
    thread: Option<JoinHandle<Result<Box<dyn FrameWriter>, CliError>>>,
    /// The writer after the end of the thread, if nothing failed.
    writer: Option<Box<dyn FrameWriter>>,
}

/// A frame and its time in nanoseconds.
type TimedFrame = (FrameHeader, Frame, i64);

/// Number of frames in the queue to the writing thread. One more frame is being written, and two
/// are being processed. A longer queue costs memory only.
const QUEUE: usize = 1;

impl Output {
    /// Starts the thread.
    pub fn new(writer: Box<dyn FrameWriter>) -> Result<Output, CliError> {
        let (frames, waiting) = sync_channel(QUEUE);
        let (done, written) = channel();
        let thread = thread::Builder::new().name("output".to_owned()).spawn(move || write(writer, &waiting, &done));
        let thread = thread.map_err(|error| CliError::runtime(format_args!("cannot start a thread: {error}")))?;
        Ok(Output { frames: Some(frames), written, thread: Some(thread), writer: None })
    }

    /// Passes a frame to the thread. Waits if the queue is full.
    ///
    /// # Errors
    /// If writing an earlier frame failed.
    pub fn write(&mut self, header: FrameHeader, frame: Frame, time: i64) -> Result<(), CliError> {
        match &self.frames {
            Some(frames) if frames.send((header, frame, time)).is_ok() => Ok(()),
            _ => self.close().and_then(|()| Err(ended_unexpectedly())),
        }
    }

    /// The next written frame that was not yet returned by this method.
    pub fn written(&mut self) -> Option<Frame> {
        // After close all frames are written, so waiting is safe.
        if self.frames.is_some() { self.written.try_recv().ok() } else { self.written.recv().ok() }
    }

    /// Waits until all frames are written, and closes the output.
    ///
    /// # Errors
    /// If writing failed.
    pub fn close(&mut self) -> Result<(), CliError> {
        self.frames = None;
        let Some(thread) = self.thread.take() else { return Ok(()) };
        self.writer = Some(thread.join().unwrap_or_else(|_| Err(ended_unexpectedly()))?);
        Ok(())
    }

    /// Closes the output and completes it: the input was converted up to its end.
    pub fn finish(&mut self) -> Result<(), CliError> {
        self.close()?;
        self.writer.take().map_or(Ok(()), |mut writer| writer.finish())
    }
}

fn ended_unexpectedly() -> CliError {
    CliError::runtime("internal error: the output thread ended unexpectedly")
}

impl Drop for Output {
    /// Waits until all frames are written, so that no frame is cut off after an error either.
    fn drop(&mut self) {
        let _ = self.close();
    }
}

/// Writes all frames of the queue `frames` until the sender is dropped.
fn write(
    mut writer: Box<dyn FrameWriter>,
    frames: &Receiver<TimedFrame>,
    written: &Sender<Frame>,
) -> Result<Box<dyn FrameWriter>, CliError> {
    for (header, frame, time) in frames {
        writer.write(&header, &frame, time)?;
        interrupt::progress();
        // If the receiver is gone, the frame is dropped.
        let _ = written.send(frame);
    }
    Ok(writer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two names of one file, opened without a check of the paths before.
    #[test]
    #[cfg(unix)]
    fn an_opened_file_is_recognized() {
        let folder = std::env::temp_dir().join(format!("dndi-opened-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.join(name));
        std::fs::write(&first, "old").unwrap();
        std::fs::hard_link(&first, &second).unwrap();
        let mut reserved = ReservedFiles::default();
        let sink = Sink::open(&first, true, "rows", &mut reserved).unwrap();
        for path in [&first, &second] {
            let error = Sink::open(path, true, "rows", &mut reserved).unwrap_err();
            assert!(error.code() == 2 && error.to_string().contains("is used twice"), "{error}");
            Sink::open_picture(path, true, "frames", &reserved).unwrap_err();
        }
        assert_eq!(std::fs::read(&second).unwrap(), b"old");
        drop(sink);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
