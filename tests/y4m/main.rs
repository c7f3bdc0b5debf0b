//! The y4m reader and writer on streams of ffmpeg (`tests/y4m/`), on hand-written streams, and on
//! truncated and random ones.
mod broken;
mod depths;
mod headers;
mod random;
mod seek;
mod streams;
mod writer;

use dndi::y4m::{Error, FrameHeader, Header, MAX_LINE, Reader, Writer};
use dndi::{FieldOrder, Format, Frame, FrameFlags, Interlacing, Sampling};
use std::io::{self, BufWriter, ErrorKind, IoSlice, Read, Write};

fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/y4m/{name}.y4m", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The header of a stream, its complete frames, and the error at its end.
type Stream = (Header, Vec<(FrameHeader, Frame)>, Option<Error>);

/// Reads to the end or to an error.
fn read(input: impl Read) -> Result<Stream, Error> {
    let mut reader = Reader::new(input)?;
    let header = reader.header().clone();
    let mut frames = Vec::new();
    let mut frame = Frame::default();
    let error = loop {
        match reader.read(&mut frame) {
            Ok(Some(header)) => frames.push((header, frame.clone())),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    if frames.is_empty() {
        assert_eq!(frame, Frame::default(), "the stream has no frame");
    }
    Ok((header, frames, error))
}

fn write(header: &Header, frames: &[(FrameHeader, Frame)]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), header).unwrap();
    for (header, frame) in frames {
        writer.write(header, frame).unwrap();
    }
    writer.into_inner()
}

fn line(header: &Header) -> Vec<u8> {
    let mut line = Vec::new();
    header.write(&mut line).unwrap();
    line
}

fn parse(tags: &str) -> Result<Header, Error> {
    Header::parse(format!("YUV4MPEG2 {tags}").as_bytes())
}

/// A reader of at most `step` bytes per call that is interrupted before each.
struct Drip<'a> {
    input: &'a [u8],
    step: usize,
    calls: usize,
}

impl<'a> Drip<'a> {
    fn new(input: &'a [u8], step: usize) -> Drip<'a> {
        Drip { input, step, calls: 0 }
    }
}

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls % 2 == 1 {
            return Err(ErrorKind::Interrupted.into());
        }
        let n = self.step.min(buffer.len());
        self.input.read(&mut buffer[..n])
    }
}

/// Name, sampling, size, interlacing and number of frames.
type Known = (&'static str, Sampling, (usize, usize), Interlacing, usize);

const STREAMS: [Known; 13] = [
    ("420jpeg_tff", Sampling::C420, (18, 14), Interlacing::TopFirst, 3),
    ("420mpeg2_bff", Sampling::C420, (18, 14), Interlacing::BottomFirst, 3),
    ("420paldv_tff", Sampling::C420, (18, 14), Interlacing::TopFirst, 3),
    ("420_odd", Sampling::C420, (21, 15), Interlacing::Progressive, 3),
    ("420_full_range", Sampling::C420, (5, 3), Interlacing::Progressive, 2),
    ("411_bff", Sampling::C411, (18, 14), Interlacing::BottomFirst, 2),
    ("411_odd", Sampling::C411, (21, 15), Interlacing::Progressive, 2),
    ("422_tff", Sampling::C422, (18, 14), Interlacing::TopFirst, 2),
    ("422_odd", Sampling::C422, (21, 15), Interlacing::Progressive, 2),
    ("444_bff", Sampling::C444, (18, 14), Interlacing::BottomFirst, 2),
    ("444_odd", Sampling::C444, (21, 15), Interlacing::Progressive, 2),
    ("mono_tff", Sampling::Mono, (18, 14), Interlacing::TopFirst, 3),
    ("mono_odd", Sampling::Mono, (21, 15), Interlacing::Progressive, 3),
];
