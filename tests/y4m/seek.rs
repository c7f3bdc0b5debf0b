//! Skipping by seeking: it finds the same frames and errors as reading.
use super::broken::{HEADER, LINES, SAMPLES, end, small_stream};
use super::*;
use std::io::{Cursor, Seek, SeekFrom};

/// The number of frames of a stream and the error at its end, by seeking.
fn end_by_seeking(input: impl Read + Seek) -> (u64, Option<Error>) {
    let mut reader = match Reader::new(input) {
        Ok(reader) => reader,
        Err(error) => return (0, Some(error)),
    };
    for count in 0.. {
        match reader.seek_past() {
            Ok(Some(_)) => {}
            Ok(None) => return (count, None),
            Err(error) => return (count, Some(error)),
        }
    }
    unreachable!()
}

#[test]
fn truncation_is_detected_at_every_byte() {
    let small = small_stream();
    // Frames that are larger than the buffer of the reader, cut around the ends of their parts.
    let header = parse("W400 H300 C444").unwrap();
    let large = write(&header, &vec![(FrameHeader::default(), Frame::new(header.format())); 3]);
    let frame = 360_000 + "FRAME\n".len();
    let begin = large.len() - 3 * frame;
    let near = |at: usize| at.saturating_sub(9)..(at + 9).min(large.len() + 1);
    let cuts = (0..=3).flat_map(|n| [begin + n * frame, begin + n * frame + (1 << 16)]).flat_map(near);
    let large = cuts.map(|cut| &large[..cut.min(large.len())]);
    for stream in (0..=small.len()).map(|cut| &small[..cut]).chain(large) {
        let (count, error) = end(stream, true);
        let (sought, sought_error) = end_by_seeking(Cursor::new(stream));
        let text = |error: Option<Error>| error.map(|error| error.to_string());
        assert_eq!((sought, text(sought_error)), (count, text(error)), "{} bytes", stream.len());
    }
}

#[test]
fn garbage_after_a_frame_is_detected() {
    let mut stream = small_stream();
    let second = HEADER.len() + LINES[0].len() + SAMPLES;
    stream[second] = b'f';
    let (count, error) = end_by_seeking(Cursor::new(&stream));
    assert!(count == 1 && matches!(error, Some(Error::Garbage { frame: 1, .. })));
}

#[test]
fn frames_can_be_read_and_passed_alternately() {
    let stream = small_stream();
    let (_, whole, _) = read(&stream[..]).unwrap();
    let mut reader = Reader::new(Cursor::new(&stream)).unwrap();
    let mut frame = Frame::default();
    assert_eq!(reader.seek_past().unwrap().unwrap(), whole[0].0);
    assert_eq!(reader.read(&mut frame).unwrap().unwrap(), whole[1].0);
    assert_eq!(frame, whole[1].1);
    assert_eq!(reader.seek_past().unwrap().unwrap(), whole[2].0);
    assert!(reader.seek_past().unwrap().is_none());
}

/// A stream of large frames without samples: `FRAME` lines at their positions, zeros between them.
struct Sparse {
    frames: u64,
    position: u64,
    /// Number of bytes read.
    read: u64,
}

const SPARSE_HEADER: &[u8] = b"YUV4MPEG2 W8192 H8192 C444\n";
const SPARSE_LINE: &[u8] = b"FRAME\n";
const SPARSE_FRAME: u64 = 3 * 8192 * 8192 + SPARSE_LINE.len() as u64;

impl Sparse {
    fn byte(&self, position: u64) -> Option<u8> {
        if let Some(&byte) = SPARSE_HEADER.get(position as usize) {
            return Some(byte);
        }
        let rest = position - SPARSE_HEADER.len() as u64;
        let line = SPARSE_LINE.get((rest % SPARSE_FRAME) as usize).copied();
        (rest / SPARSE_FRAME < self.frames).then_some(line.unwrap_or(0))
    }
}

impl Read for &mut Sparse {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        while let (Some(to), Some(byte)) = (buffer.get_mut(count), self.byte(self.position)) {
            *to = byte;
            (count, self.position) = (count + 1, self.position + 1);
        }
        self.read += count as u64;
        Ok(count)
    }
}

impl Seek for &mut Sparse {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance).unwrap(),
            SeekFrom::End(distance) => {
                (SPARSE_HEADER.len() as u64 + self.frames * SPARSE_FRAME).checked_add_signed(distance).unwrap()
            }
        };
        Ok(self.position)
    }
}

/// 20 GB are skipped with the reads of the `FRAME` lines: one buffer each.
#[test]
fn samples_are_not_read() {
    let mut input = Sparse { frames: 100, position: 0, read: 0 };
    let (count, error) = end_by_seeking(&mut input);
    assert!(count == 100 && error.is_none());
    assert!(input.read <= 101 << 16, "{} bytes", input.read);
}
