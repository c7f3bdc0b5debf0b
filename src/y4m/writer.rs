//! From frames to bytes.

use super::{FrameHeader, Header};
use crate::format::Format;
use crate::frame::Frame;
use std::io::{self, ErrorKind, IoSlice, Write};

/// Writes a stream frame by frame.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    format: Format,
    line: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Writes the stream header.
    pub fn new(mut output: W, header: &Header) -> io::Result<Writer<W>> {
        header.write(&mut output)?;
        output.flush()?;
        Ok(Writer { output, format: header.format(), line: Vec::new() })
    }

    /// Writes a frame and flushes it. It is handed over as a whole, so `output` need not buffer.
    ///
    /// # Panics
    /// If the frame's format is not the header's.
    pub fn write(&mut self, header: &FrameHeader, frame: &Frame) -> io::Result<()> {
        assert_eq!(frame.format(), self.format, "format of the frame and of the stream");
        self.line.clear();
        header.append_to(&mut self.line);
        write_all(&mut self.output, &mut [IoSlice::new(&self.line), IoSlice::new(frame.data())])?;
        self.output.flush()
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.output
    }
}

/// Writes all bytes of all parts, with one call if the output takes them.
fn write_all(output: &mut impl Write, mut parts: &mut [IoSlice<'_>]) -> io::Result<()> {
    while !parts.is_empty() {
        match output.write_vectored(parts) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(n) => IoSlice::advance_slices(&mut parts, n),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
