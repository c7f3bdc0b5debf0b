//! The buffer between an input and the reader of a stream. Unlike that of the standard library its
//! allocation can fail, and it reports how far a seek came.
use crate::memory::zeroed;
use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom};

/// Size of the buffer for lines, in bytes. Larger reads of samples bypass the buffer.
const BUFFER: usize = 1 << 16;

/// An input with a buffer.
#[derive(Debug)]
pub(super) struct InputBuffer<R> {
    input: R,
    buffer: Vec<u8>,
    /// The bytes of the buffer that were not consumed: from `start` to `end`.
    start: usize,
    end: usize,
}

impl<R> InputBuffer<R> {
    /// # Errors
    /// [`ErrorKind::OutOfMemory`].
    pub fn new(input: R) -> io::Result<InputBuffer<R>> {
        Ok(InputBuffer { input, buffer: zeroed(BUFFER)?, start: 0, end: 0 })
    }
}

impl<R: Read> Read for InputBuffer<R> {
    fn read(&mut self, data: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end && data.len() >= self.buffer.len() {
            return self.input.read(data);
        }
        let count = self.fill_buf()?.read(data)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for InputBuffer<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            self.end = self.input.read(&mut self.buffer)?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }
}

impl<R: Read + Seek> InputBuffer<R> {
    /// Seeks over `count` bytes, and reads the last of them to see whether the input has it.
    /// Returns the number of bytes that the input has, at most `count`.
    pub fn seek_over(&mut self, count: usize) -> io::Result<usize> {
        let buffered = (self.end - self.start).min(count);
        self.consume(buffered);
        let Some(before) = (count - buffered).checked_sub(1) else { return Ok(count) };
        let last = self.input.seek(SeekFrom::Current(before as i64))?;
        loop {
            match self.fill_buf() {
                Ok([]) => break,
                Ok(_) => {
                    self.consume(1);
                    return Ok(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let missing = last.saturating_sub(self.input.seek(SeekFrom::End(0))?) as usize;
        Ok((count - 1).saturating_sub(missing))
    }
}

/// Reads until `data` is full or the input ends. Returns the number of bytes read.
pub(super) fn fill(input: &mut impl Read, data: &mut [u8]) -> io::Result<usize> {
    let mut got = 0;
    while got < data.len() {
        match input.read(&mut data[got..]) {
            Ok(0) => break,
            Ok(n) => got += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}
