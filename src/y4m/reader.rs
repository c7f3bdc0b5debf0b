//! Reading a stream frame by frame, and the errors of its bytes.
use super::input_buffer::{InputBuffer, fill};
use super::{EXCERPT, Error, FrameHeader, Header, MAX_LINE, excerpt, frame_bytes, frame_header, header, words};
use crate::frame::{Frame, SamplesMut};
use std::io::{self, BufRead, ErrorKind, Read, Seek};

/// Memory for the samples of the first frame before any of them arrived, in bytes. From there on it
/// doubles. A smaller value makes more copies, a larger one trusts the header more.
const FIRST_SAMPLES: usize = 1 << 16;

/// Reads a stream frame by frame.
///
/// Memory grows with the bytes that arrive, not with the size that the header claims, until a whole
/// frame arrived. After an error the rest of the stream is undefined.
#[derive(Debug)]
pub struct Reader<R> {
    input: InputBuffer<R>,
    header: Header,
    /// Buffer for the line that is read.
    line: Vec<u8>,
    /// Number of the next frame, from 0.
    frame: u64,
}

impl<R: Read> Reader<R> {
    /// Reads the stream header. The reader has a buffer of its own, so that `input` needs none.
    ///
    /// # Errors
    /// Any [`Error`] except [`Error::Truncated`], [`Error::Garbage`] and [`Error::RateTooHigh`].
    /// [`Error::Io`] with [`ErrorKind::OutOfMemory`] if there is no memory for the buffer.
    pub fn new(input: R) -> Result<Reader<R>, Error> {
        let mut input = InputBuffer::new(input)?;
        let mut line = Vec::new();
        let header = match read_line(&mut input, header::MAGIC, &mut line)? {
            Line::Whole => Header::parse(&line)?,
            Line::None => return Err(Error::Empty),
            Line::Cut => return Err(Error::TruncatedHeader { got: line.len() }),
            Line::Foreign => return Err(Error::NotY4m { found: excerpt(&line) }),
            Line::TooLong => return Err(Error::LineTooLong { frame: None }),
        };
        Ok(Reader { input, header, line, frame: 0 })
    }

    /// The stream header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Reads the next frame into `frame`; none at the end of the stream.
    ///
    /// A `frame` of the stream's format is filled in place, without allocation; any other frame,
    /// such as the default, is replaced by one of that format. After an error its format and
    /// samples are unspecified. Samples above the greatest value of their depth are read as that
    /// value.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Truncated`], [`Error::Garbage`] or [`Error::LineTooLong`].
    /// [`Error::Io`] with [`ErrorKind::OutOfMemory`] if there is no memory for the frame.
    pub fn read(&mut self, frame: &mut Frame) -> Result<Option<FrameHeader>, Error> {
        let Some(header) = self.frame_header()? else { return Ok(None) };
        let format = self.header.format();
        let greatest = u16::MAX >> (16 - format.depth);
        let fill_words = |input: &mut InputBuffer<R>, words: &mut [u16]| words::fill(input, words, greatest);
        // A whole frame of this size arrived, so that the size is not a mere claim of the header.
        if frame.format() != format && self.frame > 0 {
            *frame = Frame::default();
            *frame = Frame::try_new(format).map_err(io::Error::from)?;
        }
        let got = if frame.format() == format {
            match frame.samples_mut() {
                SamplesMut::U8(data) => fill(&mut self.input, data)?,
                SamplesMut::U16(data) => fill_words(&mut self.input, data)?,
            }
        } else if format.depth > 8 {
            let (data, got) = grow(&mut self.input, format.samples(), fill_words)?;
            if got == frame_bytes(format) {
                *frame = Frame::from_vec_u16(format, data);
            }
            got
        } else {
            let (data, got) = grow(&mut self.input, format.samples(), fill)?;
            if got == frame_bytes(format) {
                *frame = Frame::from_vec(format, data);
            }
            got
        };
        self.finish(got)?;
        Ok(Some(header))
    }

    /// Reads the next frame and discards its samples; none at the end of the stream.
    ///
    /// # Errors
    /// Those of [`read`](Reader::read).
    pub fn skip(&mut self) -> Result<Option<FrameHeader>, Error> {
        let Some(header) = self.frame_header()? else { return Ok(None) };
        let got = discard(&mut self.input, frame_bytes(self.header.format()))?;
        self.finish(got)?;
        Ok(Some(header))
    }

    /// Skips the next frame as [`skip`](Reader::skip) does, but seeks over its samples instead of
    /// reading them. For files; a pipe cannot seek.
    ///
    /// # Errors
    /// Those of [`read`](Reader::read).
    pub fn seek_past(&mut self) -> Result<Option<FrameHeader>, Error>
    where
        R: Seek,
    {
        let Some(header) = self.frame_header()? else { return Ok(None) };
        let got = self.input.seek_over(frame_bytes(self.header.format()))?;
        self.finish(got)?;
        Ok(Some(header))
    }

    /// Reads the next `FRAME` line; none at the end of the stream.
    fn frame_header(&mut self) -> Result<Option<FrameHeader>, Error> {
        let frame = self.frame;
        match read_line(&mut self.input, frame_header::MAGIC, &mut self.line)? {
            Line::Whole => {
                let header = FrameHeader::new(&self.line[frame_header::MAGIC.len()..]);
                Ok(Some(header.map_err(io::Error::from)?))
            }
            Line::None => Ok(None),
            Line::Cut => Err(Error::Truncated { frame, got: 0, need: frame_bytes(self.header.format()) }),
            Line::Foreign => Err(Error::Garbage { frame, found: excerpt(&self.line) }),
            Line::TooLong => Err(Error::LineTooLong { frame: Some(frame) }),
        }
    }

    /// Ends a frame of which `got` bytes of samples were read.
    fn finish(&mut self, got: usize) -> Result<(), Error> {
        let need = frame_bytes(self.header.format());
        if got < need {
            return Err(Error::Truncated { frame: self.frame, got, need });
        }
        self.frame += 1;
        Ok(())
    }
}

/// The result of reading a line.
enum Line {
    /// A complete line.
    Whole,
    /// The end of the input.
    None,
    /// The start of a line, then the end of the input.
    Cut,
    /// Bytes that do not begin with the expected ones.
    Foreign,
    /// More than [`MAX_LINE`] bytes without a line feed.
    TooLong,
}

/// Reads a line that is `magic` or begins with `magic` and a space into `line`, without its line
/// feed. With another result than [`Line::Whole`] `line` holds the bytes up to the error.
fn read_line(input: &mut impl BufRead, magic: &[u8], line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    loop {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() {
            return Ok(if line.is_empty() { Line::None } else { Line::Cut });
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let (begin, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        line.try_reserve(begin.len() + EXCERPT).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
        line.extend_from_slice(begin);
        let compared = line.len().min(magic.len());
        let follows = line.get(magic.len()).is_none_or(|&byte| byte == b' ');
        if line[..compared] != magic[..compared] || !follows || (end.is_some() && compared < magic.len()) {
            line.extend_from_slice(&rest[..rest.len().min(EXCERPT)]);
            return Ok(Line::Foreign);
        }
        if line.len() > MAX_LINE {
            return Ok(Line::TooLong);
        }
        let used = begin.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Line::Whole);
        }
    }
}

/// Reads `need` samples, or fewer at the end of the input, into memory that grows with them.
/// `fill(input, samples)` reads until the samples are full or the input ends, and returns the
/// number of bytes read. Returns the samples and the number of their bytes in the input.
fn grow<I, T: Clone + Default>(
    input: &mut I,
    need: usize,
    fill: impl Fn(&mut I, &mut [T]) -> io::Result<usize>,
) -> io::Result<(Vec<T>, usize)> {
    let mut data = Vec::new();
    loop {
        let got = data.len();
        let more = got.max(FIRST_SAMPLES / size_of::<T>()).min(need - got);
        data.try_reserve_exact(more).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
        data.resize(got + more, T::default());
        let bytes = got * size_of::<T>() + fill(input, &mut data[got..])?;
        let filled = bytes / size_of::<T>();
        if filled < data.len() || filled == need {
            data.truncate(filled);
            return Ok((data, bytes));
        }
    }
}

/// Reads and discards `need` bytes, or fewer at the end of the input. Returns their number.
fn discard(input: &mut impl BufRead, need: usize) -> io::Result<usize> {
    let mut got = 0;
    while got < need {
        let n = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            bytes => bytes?.len().min(need - got),
        };
        if n == 0 {
            break;
        }
        input.consume(n);
        got += n;
    }
    Ok(got)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_grows_with_the_data() {
        let (data, bytes) = grow(&mut &[7; 5000][..], 200_000_000, fill).unwrap();
        assert_eq!((&data[..], bytes), (&[7; 5000][..], 5000));
        assert!(data.capacity() <= 1 << 16, "{}", data.capacity());
        let fill = |input: &mut &[u8], words: &mut [u16]| words::fill(input, words, 1000);
        let (data, bytes) = grow(&mut &[7; 5001][..], 200_000_000, fill).unwrap();
        assert_eq!((&data[..], bytes), (&[1000; 2500][..], 5001));
        assert!(data.capacity() <= 1 << 15, "{}", data.capacity());
    }

    #[test]
    fn a_claimed_size_without_data_is_not_allocated() {
        let mut reader = Reader::new(&b"YUV4MPEG2 W8192 H8192 C444\nFRAME\nshort"[..]).unwrap();
        let mut frame = Frame::default();
        let error = reader.read(&mut frame).unwrap_err();
        assert!(matches!(error, Error::Truncated { frame: 0, got: 5, need: 201_326_592 }), "{error}");
        assert_eq!(frame, Frame::default());
    }

    #[test]
    fn bytes_of_words_are_counted() {
        let mut reader = Reader::new(&b"YUV4MPEG2 W8192 H8192 C444p10\nFRAME\nshort"[..]).unwrap();
        let mut frame = Frame::default();
        let error = reader.read(&mut frame).unwrap_err();
        assert!(matches!(error, Error::Truncated { frame: 0, got: 5, need: 402_653_184 }), "{error}");
        assert_eq!(frame, Frame::default());
    }

    #[test]
    fn later_frames_are_allocated_whole() {
        let mut reader = Reader::new(&b"YUV4MPEG2 W2 H2 Cmono\nFRAME\n1234FRAME\nab"[..]).unwrap();
        reader.skip().unwrap();
        let mut frame = Frame::default();
        let error = reader.read(&mut frame).unwrap_err();
        assert!(matches!(error, Error::Truncated { frame: 1, got: 2, need: 4 }), "{error}");
        assert_eq!(frame.data(), b"ab\0\0");
    }

    #[test]
    fn frames_of_the_right_format_are_filled_in_place() {
        let mut reader = Reader::new(&b"YUV4MPEG2 W2 H2 Cmono\nFRAME\n1234FRAME\nabcd"[..]).unwrap();
        let mut frame = Frame::default();
        reader.read(&mut frame).unwrap();
        let address = frame.data().as_ptr();
        reader.read(&mut frame).unwrap();
        assert_eq!((frame.data(), frame.data().as_ptr()), (&b"abcd"[..], address));
    }
}
