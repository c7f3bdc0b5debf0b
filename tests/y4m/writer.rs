//! The bytes that the writer writes, and when it writes them.
use super::broken::{HEADER, LINES, SAMPLES, small_stream};
use super::*;

/// A writer of at most `step` bytes per call that is interrupted before each.
struct Sink {
    data: Vec<u8>,
    step: usize,
    calls: usize,
    interrupted: bool,
}

impl Sink {
    fn new(step: usize) -> Sink {
        Sink { data: Vec::new(), step, calls: 0, interrupted: true }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if !self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        self.calls += 1;
        let before = self.data.len();
        self.data.extend(parts.iter().flat_map(|part| part.iter()).take(self.step));
        Ok(self.data.len() - before)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_frame_is_written_by_one_call() {
    let stream = small_stream();
    let (header, frames, _) = read(&stream[..]).unwrap();
    for (step, calls) in [(usize::MAX, 4), (10, 3 + 3 + 3 + 4), (1, stream.len())] {
        let mut writer = Writer::new(Sink::new(step), &header).unwrap();
        for (header, frame) in &frames {
            writer.write(header, frame).unwrap();
        }
        let sink = writer.into_inner();
        assert!(sink.data == stream, "{step} bytes at a time");
        assert_eq!(sink.calls, calls, "{step} bytes at a time");
    }
}

#[test]
fn the_writer_flushes_header_and_frames() {
    let stream = small_stream();
    let (header, frames, _) = read(&stream[..]).unwrap();
    for (frames, len) in [(&frames[..0], HEADER.len()), (&frames[..1], HEADER.len() + LINES[0].len() + SAMPLES)] {
        let mut sink = Sink::new(usize::MAX);
        let mut writer = Writer::new(BufWriter::new(&mut sink), &header).unwrap();
        for (header, frame) in frames {
            writer.write(header, frame).unwrap();
        }
        let _ = writer.into_inner().into_parts(); // Without flushing.
        assert_eq!(sink.data.len(), len);
    }
}

#[test]
fn a_full_output_is_an_error() {
    let (header, frames, _) = read(&small_stream()[..]).unwrap();
    let mut buffer = [0; HEADER.len() + 20];
    let mut writer = Writer::new(&mut buffer[..], &header).unwrap();
    assert_eq!(writer.write(&frames[0].0, &frames[0].1).unwrap_err().kind(), ErrorKind::WriteZero);
}

#[test]
fn a_frame_of_another_format_is_not_written() {
    let mut written = Vec::new();
    let mut writer = Writer::new(&mut written, &parse("W2 H2").unwrap()).unwrap();
    let frame = Frame::new(Format::new(2, 2, Sampling::C444));
    assert_eq!(writer.write(&FrameHeader::default(), &frame).unwrap_err().kind(), ErrorKind::InvalidInput);
    // The header alone.
    assert_eq!(written, b"YUV4MPEG2 W2 H2\n");
}
