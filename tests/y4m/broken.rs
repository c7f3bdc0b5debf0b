//! Streams that are truncated or contain other bytes.
use super::*;

pub const HEADER: &[u8] = b"YUV4MPEG2 W3 H3 Im C420\n";
pub const LINES: [&[u8]; 3] = [b"FRAME Itii\n", b"FRAME\n", b"FRAME I1pp Xyz\n"];
pub const SAMPLES: usize = 17;

/// A small stream of three frames; the values of the samples ascend from 0.
pub fn small_stream() -> Vec<u8> {
    let samples = |index: usize| (index * SAMPLES..(index + 1) * SAMPLES).map(|sample| sample as u8);
    let frames = LINES.iter().enumerate().flat_map(|(index, line)| line.iter().copied().chain(samples(index)));
    HEADER.iter().copied().chain(frames).collect()
}

/// The number of frames of a stream and the error at its end.
pub fn end(input: impl Read, skip: bool) -> (u64, Option<Error>) {
    let mut reader = match Reader::new(input) {
        Ok(reader) => reader,
        Err(error) => return (0, Some(error)),
    };
    let mut frame = Frame::default();
    for count in 0.. {
        match if skip { reader.skip() } else { reader.read(&mut frame) } {
            Ok(Some(_)) => {}
            Ok(None) => return (count, None),
            Err(error) => return (count, Some(error)),
        }
    }
    unreachable!()
}

#[test]
fn truncation_is_detected_at_every_byte() {
    let stream = small_stream();
    let (_, whole, _) = read(&stream[..]).unwrap();
    assert_eq!(whole.len(), 3);
    for cut in 0..=stream.len() {
        // The number of the truncated frame, and its bytes before the cut.
        let mut frame = 0;
        let mut rest = cut.saturating_sub(HEADER.len());
        while frame < 3 && rest >= LINES[frame].len() + SAMPLES {
            rest -= LINES[frame].len() + SAMPLES;
            frame += 1;
        }
        for (skip, step) in [(false, 1000), (false, 1), (true, 1000), (true, 1)] {
            let (count, error) = end(Drip::new(&stream[..cut], step), skip);
            assert_eq!(count, frame as u64, "cut at {cut}");
            match error {
                Some(Error::Empty) => assert_eq!(cut, 0),
                Some(Error::TruncatedHeader { got }) => assert!(got == cut && (1..HEADER.len()).contains(&cut), "cut at {cut}"),
                Some(Error::Truncated { frame: truncated, got, need }) => {
                    assert!(rest > 0, "cut at {cut}");
                    assert_eq!((truncated, got), (count, rest.saturating_sub(LINES[frame].len())), "cut at {cut}");
                    assert_eq!(need, SAMPLES);
                }
                None => assert!(cut >= HEADER.len() && rest == 0, "cut at {cut}"),
                Some(error) => panic!("cut at {cut}: {error}"),
            }
        }
        if cut >= HEADER.len() {
            assert_eq!(read(&stream[..cut]).unwrap().1, whole[..frame], "cut at {cut}");
        }
    }
}

#[test]
fn garbage_after_a_frame_is_detected() {
    let stream = small_stream();
    let ends = (0..=3).map(|n| HEADER.len() + LINES[..n].iter().map(|line| line.len() + SAMPLES).sum::<usize>());
    for (frame, end_of_frame) in ends.enumerate() {
        for garbage in [&b"\n"[..], b"\0", b" ", b"frame\n", b"FRAM\n", b"FRAMEX\n", b"FRAME\r\n", b"\xffFRAME\n", HEADER] {
            let broken = [&stream[..end_of_frame], garbage, &stream[end_of_frame..]].concat();
            for (skip, step) in [(false, 1000), (false, 1), (true, 1000), (true, 1)] {
                let (count, error) = end(Drip::new(&broken, step), skip);
                let error = error.unwrap();
                assert!(matches!(error, Error::Garbage { frame: at, .. } if at == frame as u64), "{error} in frame {frame}");
                assert_eq!(count, frame as u64);
                let begin = garbage[..garbage.len().min(step)].escape_ascii().to_string();
                let first = if step == 1 { &begin[..1] } else { &begin };
                assert!(error.to_string().contains(&format!("found \"{first}")), "{error}");
            }
        }
    }
}

#[test]
fn a_failed_read_is_an_io_error_and_not_invalid_input() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the device failed"))
        }
    }
    let stream = small_stream();
    for cut in 0..=stream.len() {
        for skip in [false, true] {
            let error = end(stream[..cut].chain(Fails), skip).1.unwrap();
            assert_eq!(error.to_string(), "y4m stream: the device failed");
            assert!(!error.is_bad_input());
        }
    }
}

#[test]
fn frames_can_be_read_and_skipped_alternately() {
    let stream = small_stream();
    let (_, whole, _) = read(&stream[..]).unwrap();
    let mut reader = Reader::new(&stream[..]).unwrap();
    let mut frame = Frame::default();
    assert_eq!(reader.skip().unwrap().unwrap(), whole[0].0);
    assert_eq!(reader.read(&mut frame).unwrap().unwrap(), whole[1].0);
    assert_eq!(frame, whole[1].1);
    assert_eq!(reader.skip().unwrap().unwrap(), whole[2].0);
    assert!(reader.skip().unwrap().is_none());
}

#[test]
fn large_frames_can_be_read_in_small_parts() {
    let header = parse("W400 H300 C444").unwrap();
    let mut frame = Frame::new(header.format());
    for (index, sample) in frame.data_mut().iter_mut().enumerate() {
        *sample = (index % 251) as u8;
    }
    let stream = write(&header, &vec![(FrameHeader::default(), frame.clone()); 3]);
    for step in [1000, 65_537, usize::MAX] {
        let (_, frames, error) = read(Drip::new(&stream, step)).unwrap();
        assert!(error.is_none() && frames.len() == 3);
        assert!(frames.iter().all(|(_, read)| *read == frame), "{step}");
        let (count, error) = end(Drip::new(&stream[..stream.len() - 1], step), true);
        assert!(count == 2 && matches!(error, Some(Error::Truncated { frame: 2, got: 359_999, need: 360_000 })));
    }
}
