//! The input. A separate thread reads it, so that an interrupt can end the program during a read
//! that blocks.

use super::source::{Decoder, FrameInfo, Source};
use super::{files, interrupt};
use crate::error::CliError;
use crate::options::is_standard;
use dndi::Frame;
use dndi::y4m::{Error, FrameHeader, Header, Reader};
use std::fs::{File, Metadata};
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Number of frames in the queue from the reading thread. One more frame is being read, and one is
/// being processed: the thread reads while a frame is processed. A longer queue costs memory only.
const QUEUE: usize = 0;

/// Interval at which a program that waits for input checks for interrupts.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(50);

/// An event of the input: first the header, then the frames, at last the reason for the end.
#[derive(Debug)]
pub enum Event {
    /// The stream header.
    Header(Header),
    /// A skipped frame.
    Skipped(FrameHeader, FrameInfo),
    /// A frame.
    Frame(FrameHeader, FrameInfo, Frame),
    /// Frames of the input may be damaged.
    Warning(String),
    /// The end of the input, or of the frames to read.
    End,
    /// Reading failed.
    Failed(CliError),
    /// The program was interrupted.
    Interrupted,
}

/// The connection to the reading thread.
#[derive(Debug)]
pub struct Input {
    events: Receiver<Event>,
    /// Used frames, whose memory the thread uses again.
    spare: SyncSender<Frame>,
}

impl Input {
    /// Starts to read the frames `wanted` of `source`. Frames before them are skipped, and frames
    /// after them are not read.
    pub fn open(source: Source, wanted: Range<u64>) -> Result<Input, CliError> {
        let (sender, events) = sync_channel(QUEUE);
        let (spare, spares) = sync_channel(QUEUE + 1);
        let thread = thread::Builder::new().name("input".to_owned());
        let spawned = thread.spawn(move || {
            let last = match source {
                Source::Y4m(path) => read_file(&path, wanted, &sender, &spares),
                Source::Decoded { name, stream, mut decoder } => {
                    read_decoded(&name, stream, &mut *decoder, wanted, &sender, &spares)
                }
            };
            let last = last.unwrap_or_else(Event::Failed);
            let _ = sender.send(last);
        });
        spawned.map_err(|error| CliError::runtime(format_args!("cannot start a thread: {error}")))?;
        Ok(Input { events, spare })
    }

    /// Waits for the next event.
    pub fn next(&self) -> Event {
        loop {
            let event = self.events.recv_timeout(INTERRUPT_INTERVAL);
            if interrupt::is_requested() {
                return Event::Interrupted;
            }
            match event {
                Ok(event) => return event,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Event::Failed(CliError::runtime("internal error: the input thread ended unexpectedly"));
                }
            }
        }
    }

    /// Returns a frame, whose memory is used for a later one.
    pub fn recycle(&self, frame: Frame) {
        let _ = self.spare.try_send(frame);
    }
}

/// Reads the input and sends its events. The last event is returned, not sent. The function also
/// ends when the receiver is dropped.
fn read_file(path: &Path, wanted: Range<u64>, events: &SyncSender<Event>, spares: &Receiver<Frame>) -> Result<Event, CliError> {
    let name = name(path);
    let bad = |error| CliError::input(&name, &error);
    let file = if is_standard(path) { files::stdin() } else { File::open(path) };
    let file = file.map_err(|error| CliError::runtime(format_args!("cannot open {name}: {error}")))?;
    let seeks = file.metadata().as_ref().is_ok_and(Metadata::is_file);
    let mut reader = Reader::new(file).map_err(bad)?;
    let mut sent = events.send(Event::Header(reader.header().clone()));
    for number in 0..wanted.end {
        let event = if number < wanted.start {
            let skipped = if seeks { reader.seek_past() } else { reader.skip() };
            skipped.map(|header| header.map(|header| Event::Skipped(header, FrameInfo::default())))
        } else {
            let mut frame = spares.try_recv().unwrap_or_default();
            let read = reader.read(&mut frame);
            read.map(|header| header.map(|header| Event::Frame(header, FrameInfo::default(), frame)))
        };
        match event.map_err(bad)? {
            Some(event) if sent.is_ok() => sent = events.send(event),
            _ => break,
        }
    }
    Ok(Event::End)
}

/// The same for the stream of a program that decodes the file `name`.
fn read_decoded(
    name: &str,
    stream: Box<dyn Read + Send>,
    decoder: &mut dyn Decoder,
    wanted: Range<u64>,
    events: &SyncSender<Event>,
    spares: &Receiver<Frame>,
) -> Result<Event, CliError> {
    let frames = || -> Result<bool, Error> {
        let mut reader = Reader::new(stream)?;
        let header = decoder.header(reader.header().clone());
        let failed = header.is_err();
        let mut sent = events.send(header.map_or_else(Event::Failed, Event::Header));
        for number in 0..wanted.end {
            let mut frame = spares.try_recv().unwrap_or_default();
            let wants = number >= wanted.start;
            let Some(header) = (if wants { reader.read(&mut frame) } else { reader.skip() })? else { return Ok(true) };
            if failed || sent.is_err() {
                return Ok(false);
            }
            let info = decoder.frame();
            let header = info.flags.map_or(header, FrameHeader::with_flags);
            sent = events.send(if wants { Event::Frame(header, info, frame) } else { Event::Skipped(header, info) });
        }
        Ok(false)
    };
    match frames() {
        Ok(false) => Ok(Event::End),
        Ok(true) => {
            if let Some(warning) = decoder.end()? {
                let _ = events.send(Event::Warning(warning));
            }
            Ok(Event::End)
        }
        // The reason for an invalid stream is the end of the program.
        Err(error) => match decoder.end() {
            Ok(Some(messages)) => Err(CliError::corrupt(messages)),
            Ok(None) => Err(CliError::input(name, &error)),
            Err(ended) => Err(ended),
        },
    }
}

/// The name of the input in messages.
pub fn name(path: &Path) -> String {
    if is_standard(path) { "stdin".to_owned() } else { path.display().to_string() }
}
