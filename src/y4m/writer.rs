//! Writing a stream frame by frame.
use super::{FrameHeader, Header, little_endian};
use crate::format::Format;
use crate::frame::Frame;
use std::io::{self, ErrorKind, IoSlice, Write};

/// Writes a stream frame by frame.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    format: Format,
    /// Buffer for the `FRAME` line.
    line: Vec<u8>,
    /// Buffer for words on a big-endian processor.
    swapped: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Writes the stream header.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(mut output: W, header: &Header) -> io::Result<Writer<W>> {
        header.write(&mut output)?;
        output.flush()?;
        Ok(Writer { output, format: header.format(), line: Vec::new(), swapped: Vec::new() })
    }

    /// Writes a frame and flushes the output. A frame is one write if the output accepts it, so
    /// that the output needs no buffer.
    ///
    /// # Errors
    /// Those of the output, and [`ErrorKind::InvalidInput`] if the frame's format is not the
    /// header's; nothing is written then. On a big-endian processor also
    /// [`ErrorKind::OutOfMemory`], if there is none for words of the other byte order.
    pub fn write(&mut self, header: &FrameHeader, frame: &Frame) -> io::Result<()> {
        if frame.format() != self.format {
            let message = format!("a frame of {:?} in a stream of {:?}", frame.format(), self.format);
            return Err(io::Error::new(ErrorKind::InvalidInput, message));
        }
        self.line.clear();
        header.append_to(&mut self.line);
        let samples = little_endian(frame.samples(), &mut self.swapped)?;
        write_all(&mut self.output, &mut [IoSlice::new(&self.line), IoSlice::new(samples)])?;
        self.output.flush()
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.output
    }
}

/// Writes all bytes of all parts, with one call if the output accepts them.
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
