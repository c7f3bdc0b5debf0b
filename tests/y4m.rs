//! y4m streams through the reader and the writer: streams of ffmpeg (`tests/y4m/`), variants by hand, broken and random ones.

use dndi::y4m::{Error, FrameHeader, Header, Interlacing, MAX_LINE, Reader, Writer};
use dndi::{Format, Frame, Sampling};
use std::io::{self, BufWriter, ErrorKind, IoSlice, Read, Write};

fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/y4m/{name}.y4m", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The header of a stream, its whole frames, and the error that ends it.
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
        assert_eq!(frame, Frame::default(), "no frame was there");
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

/// Gives few bytes at a time and is interrupted in between.
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

#[test]
fn streams_of_ffmpeg_are_written_as_they_were_read() {
    for (name, sampling, (width, height), interlacing, count) in STREAMS {
        let stream = sample(name);
        let (header, frames, error) = read(&stream[..]).unwrap();
        assert!(error.is_none(), "{name}: {error:?}");
        assert_eq!(header.format(), Format::new(width, height, sampling), "{name}");
        assert_eq!((header.width(), header.height(), header.sampling()), (width, height, sampling), "{name}");
        assert_eq!((header.interlacing(), header.rate()), (interlacing, Some((25, 1))), "{name}");
        assert_eq!(frames.len(), count, "{name}");
        assert!(write(&header, &frames) == stream, "{name} is not written as it was read");
    }
}

#[test]
fn the_y4m_crate_reads_the_same_planes() {
    let mut compared = 0;
    for (name, sampling, ..) in STREAMS {
        if sampling == Sampling::C411 {
            continue; // The crate does not know it.
        }
        let stream = sample(name);
        let mut decoder = y4m::decode(&stream[..]).unwrap();
        for (_, frame) in read(&stream[..]).unwrap().1 {
            let theirs = decoder.read_frame().unwrap();
            let planes = [theirs.get_y_plane(), theirs.get_u_plane(), theirs.get_v_plane()];
            assert_eq!([0, 1, 2].map(|index| frame.plane(index)), planes, "{name}");
            compared += 1;
        }
        assert!(matches!(decoder.read_frame(), Err(y4m::Error::EOF)), "{name}");
    }
    assert_eq!(compared, 28);
}

#[test]
fn the_y4m_crate_reads_what_is_written() {
    let header = parse("W5 H3 F25:1 It C422").unwrap().to_progressive(Sampling::C420, true).unwrap();
    let mut frame = Frame::new(header.format());
    for (index, sample) in frame.data_mut().iter_mut().enumerate() {
        *sample = index as u8;
    }
    let stream = write(&header, &[(FrameHeader::default(), frame.clone())]);
    let mut decoder = y4m::decode(&stream[..]).unwrap();
    assert_eq!((decoder.get_width(), decoder.get_height()), (5, 3));
    assert_eq!((decoder.get_framerate().num, decoder.get_framerate().den), (50, 1));
    assert!(matches!(decoder.get_colorspace(), y4m::Colorspace::C420mpeg2));
    assert_eq!(decoder.read_frame().unwrap().get_v_plane(), frame.plane(2));
}

#[test]
fn deep_and_alpha_streams_are_not_supported_yet() {
    for (name, message) in [
        ("420p10", "not supported yet: C420p10 (more than 8 bits a sample)"),
        ("422p16", "not supported yet: C422p16 (more than 8 bits a sample)"),
        ("mono16", "not supported yet: Cmono16 (more than 8 bits a sample)"),
        ("444alpha", "not supported yet: C444alpha (an alpha plane)"),
    ] {
        let error = Reader::new(&sample(name)[..]).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(!error.is_bad_input(), "{name}");
    }
}

#[test]
fn headers_are_understood_and_kept() {
    use Interlacing::*;
    for (tags, rate, interlacing, sampling) in [
        ("W7 H5", None, Unknown, Sampling::C420),
        ("H5 W7 I? F0:0 A0:0 C420", None, Unknown, Sampling::C420),
        ("W0007 H5 F0:1", None, Unknown, Sampling::C420),
        ("F60000:1001 Ip C420jpeg A128:117 H5 W7", Some((60000, 1001)), Progressive, Sampling::C420),
        ("Xa=b It Xa=b W7 XYSCSS=420MPEG2 H5 C420mpeg2 XCOLORRANGE=FULL", None, TopFirst, Sampling::C420),
        ("W7 H5 Ib C420paldv", None, BottomFirst, Sampling::C420),
        ("W7 H5 Im C411", None, Mixed, Sampling::C411),
        ("W7 H5 C422 future #: =", None, Unknown, Sampling::C422),
        ("W7 H5 C444 F50:2", Some((50, 2)), Unknown, Sampling::C444),
        ("W7 H5 Cmono F4294967295:4294967295", Some((u32::MAX, u32::MAX)), Unknown, Sampling::Mono),
    ] {
        let header = parse(tags).unwrap();
        assert_eq!((header.rate(), header.interlacing()), (rate, interlacing), "{tags}");
        assert_eq!(header.format(), Format::new(7, 5, sampling), "{tags}");
        assert_eq!(line(&header), format!("YUV4MPEG2 {tags}\n").as_bytes());
    }
    let bytes = b"YUV4MPEG2 X\xff\x00\x80 W7 \xc3\x28 H5 X\t\r";
    assert_eq!(line(&Header::parse(bytes).unwrap()), [&bytes[..], b"\n"].concat());
    let spaced = Header::parse(b"YUV4MPEG2   W7  H5 Xa ").unwrap();
    assert_eq!(line(&spaced), b"YUV4MPEG2 W7 H5 Xa\n");
    assert_eq!(parse("W8192 H8192").unwrap().format(), Format::new(8192, 8192, Sampling::C420));
}

#[test]
fn messages_are_one_line_and_say_who_is_wrong() {
    let hint = "; try: ffmpeg -i FILE -f yuv4mpegpipe -pix_fmt yuv420p - | dndi - OUT";
    for (input, message) in [
        (&b""[..], "the input is empty, no y4m stream".to_string()),
        (b"RIFF\xff\n\x00AVI LIST", format!("not a y4m stream, it begins with \"RIFF\\xff\\n\\x00AVI LIST\"{hint}")),
        (b"YUV4MPEG W2 H2\n", format!("not a y4m stream, it begins with \"YUV4MPEG W2 H2\\n\"{hint}")),
        (b"YUV4MPEG\n", format!("not a y4m stream, it begins with \"YUV4MPEG\\n\"{hint}")),
        (b"YUV4MPEG2W2 H2 and a long tail\n", format!("not a y4m stream, it begins with \"YUV4MPEG2W2 H2 and a lon...\"{hint}")),
        (b"YUV4MPEG2", "the input ends inside the y4m header, after 9 bytes".to_string()),
        (b"YUV4MPEG2 W2 H2", "the input ends inside the y4m header, after 15 bytes".to_string()),
        (b"YUV4MPEG2\n", "the y4m header has no W, the width".to_string()),
        (b"YUV4MPEG2 W2 I?\n", "the y4m header has no H, the height".to_string()),
        (b"YUV4MPEG2 W H2\n", "cannot understand \"W\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W+2 H2\n", "cannot understand \"W+2\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2\r\n", "cannot understand \"H2\\r\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W0 H2\n", "\"W0\" in the y4m header is not a size of 1 to 8192".to_string()),
        (b"YUV4MPEG2 W2 H8193\n", "\"H8193\" in the y4m header is not a size of 1 to 8192".to_string()),
        (b"YUV4MPEG2 W99999999999 H2\n", "\"W99999999999\" in the y4m header is not a size of 1 to 8192".to_string()),
        (b"YUV4MPEG2 W2 H2 F25\n", "cannot understand \"F25\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2 F25:0\n", "cannot understand \"F25:0\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2 F25:1:1\n", "cannot understand \"F25:1:1\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2 F-25:1\n", "cannot understand \"F-25:1\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2 F4294967296:1\n", "cannot understand \"F4294967296:1\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2 I\n", "cannot understand \"I\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2 Itff\n", "cannot understand \"Itff\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2 C\n", "unknown chroma tag \"C\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2 C420p\n", "unknown chroma tag \"C420p\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2 C\xff42\n", "unknown chroma tag \"C\\xff42\" in the y4m header".to_string()),
        (b"YUV4MPEG2 W2 H2\nFRAME\n123", "the input ends inside frame 0: 3 of 6 bytes".to_string()),
        (b"YUV4MPEG2 W2 H2\nFRAME\n123456FRAM", "the input ends inside frame 1: 0 of 6 bytes".to_string()),
        (b"YUV4MPEG2 W2 H2\nFRAME\n1234567FRAME\n", "frame 1 should begin with FRAME, found \"7FRAME\\n\"".to_string()),
    ] {
        let error = match read(input) {
            Err(error) => error,
            Ok((_, _, error)) => error.unwrap_or_else(|| panic!("no error: {message}")),
        };
        assert_eq!(error.to_string(), message);
        assert!(error.is_bad_input(), "{message}");
    }
}

#[test]
fn lines_have_a_limit() {
    let head = "YUV4MPEG2 W1 H1 Cmono X";
    let longest = head.to_string() + &"x".repeat(MAX_LINE - head.len());
    assert_eq!(line(Reader::new(format!("{longest}\n").as_bytes()).unwrap().header()), format!("{longest}\n").as_bytes());
    let error = Reader::new(format!("{longest}x\n").as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "the y4m header is longer than 65536 bytes");
    assert!(matches!(Reader::new(head.as_bytes().chain(io::repeat(b'x'))), Err(Error::LineTooLong { frame: None })));
    assert!(matches!(Reader::new(io::repeat(0)), Err(Error::NotY4m { .. })));

    let parameters = format!(" X{}", "x".repeat(MAX_LINE - 7));
    let stream = format!("{head}\nFRAME\n1FRAME{parameters}\n2FRAME{parameters}x\n3");
    let (_, frames, error) = read(stream.as_bytes()).unwrap();
    assert_eq!(frames.iter().map(|(_, frame)| frame.data()[0]).collect::<Vec<_>>(), *b"12");
    assert_eq!(error.unwrap().to_string(), "the FRAME line of frame 2 is longer than 65536 bytes");
}

#[test]
fn frame_parameters_are_understood_and_kept() {
    for (line, progressive, top_first, without) in [
        ("FRAME\n", false, None, "FRAME\n"),
        ("FRAME Ipp?\n", true, None, "FRAME\n"),
        ("FRAME Itii\n", false, Some(true), "FRAME\n"),
        ("FRAME ITii Xa\n", false, Some(true), "FRAME Xa\n"),
        ("FRAME Xa Ibi?\n", false, Some(false), "FRAME Xa\n"),
        ("FRAME Xa IBip  Xb\n", false, Some(false), "FRAME Xa  Xb\n"),
        ("FRAME Itpp\n", true, Some(true), "FRAME\n"),
        ("FRAME I1i?\n", true, None, "FRAME\n"),
        ("FRAME I2pp\n", true, None, "FRAME\n"),
        ("FRAME I3\n", true, None, "FRAME\n"),
        ("FRAME I\n", false, None, "FRAME\n"),
        ("FRAME It\n", false, Some(true), "FRAME\n"),
        ("FRAME Xtpp tpp \n", false, None, "FRAME Xtpp tpp \n"),
    ] {
        let stream = format!("YUV4MPEG2 W1 H1 Im Cmono\n{line}.");
        let (header, frames, error) = read(stream.as_bytes()).unwrap();
        assert!(error.is_none(), "{line}");
        assert_eq!((frames[0].0.progressive(), frames[0].0.top_first()), (progressive, top_first), "{line}");
        assert!(write(&header, &frames) == stream.as_bytes(), "{line}");
        let mut output = Vec::new();
        frames[0].0.without_interlacing().write(&mut output).unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), without, "{line}");
    }
}

const HEADER: &[u8] = b"YUV4MPEG2 W3 H3 Im C420\n";
const LINES: [&[u8]; 3] = [b"FRAME Itii\n", b"FRAME\n", b"FRAME I1pp Xyz\n"];
const SAMPLES: usize = 17;

/// A small stream of three frames; samples count on from 0.
fn small_stream() -> Vec<u8> {
    let samples = |index: usize| (index * SAMPLES..(index + 1) * SAMPLES).map(|sample| sample as u8);
    let frames = LINES.iter().enumerate().flat_map(|(index, line)| line.iter().copied().chain(samples(index)));
    HEADER.iter().copied().chain(frames).collect()
}

/// How a stream ends: after which frame, and with which error.
fn end(input: impl Read, skip: bool) -> (u64, Option<Error>) {
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
fn truncation_is_noticed_at_every_byte() {
    let stream = small_stream();
    let (_, whole, _) = read(&stream[..]).unwrap();
    assert_eq!(whole.len(), 3);
    for cut in 0..=stream.len() {
        // The frame that is cut, and how many bytes of it are there.
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
fn garbage_after_a_frame_is_noticed() {
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
fn a_failed_read_is_an_io_error_and_not_bad_input() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the tape is torn"))
        }
    }
    let stream = small_stream();
    for cut in 0..=stream.len() {
        for skip in [false, true] {
            let error = end(stream[..cut].chain(Fails), skip).1.unwrap();
            assert_eq!(error.to_string(), "y4m stream: the tape is torn");
            assert!(!error.is_bad_input());
        }
    }
}

#[test]
fn frames_may_be_read_and_skipped_by_turns() {
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
fn large_frames_come_through_small_reads() {
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

/// Takes at most `step` bytes at a time, and is interrupted before.
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
fn a_frame_is_written_whole_and_at_once() {
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
fn nothing_stays_in_a_buffer() {
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
    let mut room = [0; HEADER.len() + 20];
    let mut writer = Writer::new(&mut room[..], &header).unwrap();
    assert_eq!(writer.write(&frames[0].0, &frames[0].1).unwrap_err().kind(), ErrorKind::WriteZero);
}

#[test]
#[should_panic(expected = "format of the frame")]
fn a_frame_of_another_format_is_not_written() {
    let mut writer = Writer::new(Vec::new(), &parse("W2 H2").unwrap()).unwrap();
    let _ = writer.write(&FrameHeader::default(), &Frame::new(Format::new(2, 2, Sampling::C444)));
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

const PIECES: [&[u8]; 34] = [
    b" ",
    b"\n",
    b"\0",
    b"\xff",
    b":",
    b"FRAME",
    b"FRAME\n",
    b"FRAME I",
    b" Itpp",
    b" I1",
    b"YUV4MPEG2",
    b"YUV4MPEG2 ",
    b" W",
    b" W1",
    b" W8192",
    b" H8192",
    b" H65536",
    b" W99999999999999999999",
    b" F",
    b" F0:0",
    b" F2147483648:1",
    b" F4294967295:2",
    b" Ip",
    b" It",
    b" Im",
    b" I?",
    b" C",
    b" C411",
    b" C422",
    b" C444",
    b" Cmono",
    b" C420p10",
    b" XYSCSS=411",
    b" XYSCSS=\xff",
];

/// `stream` with one to six changes.
fn mutated(stream: &[u8], random: &mut Random) -> Vec<u8> {
    let mut stream = stream.to_vec();
    for _ in 0..1 + random.below(6) {
        // Half of the changes are in the header.
        let place = if random.below(2) == 0 { stream.len() + 1 } else { (stream.len() + 1).min(70) };
        let at = random.below(place);
        match random.below(7) {
            0 => stream.truncate(at),
            1 => drop(stream.drain(at..(at + 1 + random.below(40)).min(stream.len()).max(at))),
            2 if at < stream.len() => stream[at] ^= 1 << random.below(8),
            3 if at < stream.len() => stream[at] = random.below(256) as u8,
            4 => {
                let copy = stream[at..(at + random.below(40)).min(stream.len())].to_vec();
                stream.splice(at..at, copy);
            }
            _ => drop(stream.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
        }
    }
    stream
}

#[test]
fn random_streams_are_read_or_refused() {
    let mut streams: Vec<_> = STREAMS.iter().map(|(name, ..)| sample(name)).collect();
    streams.push(small_stream());
    streams.push(b"YUV4MPEG2 W1 H1 Cmono\nFRAME\n1FRAME Ibpp\n2FRAME\n3".to_vec());
    streams.push(b"YUV4MPEG2 W2 H2 F2147483648:2 It XYSCSS=422\nFRAME\n12345678".to_vec());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut seen = std::collections::BTreeMap::<String, u32>::new();
    for round in 0..60_000 {
        let stream = mutated(&streams[round % streams.len()], &mut random);
        let step = 1 + random.below(100);
        let text = |error: &Option<Error>| error.as_ref().map(|error| error.to_string());
        let (count, error) = end(&stream[..], true);
        let kind = format!("{error:?}").split([' ', '{']).next().unwrap().to_string();
        *seen.entry(kind).or_default() += 1;
        assert!(text(&error).is_none_or(|text| !text.contains(|c: char| c.is_control()) && text.len() < 300), "round {round}");

        let Ok((header, frames, same)) = read(&stream[..]) else {
            assert!(count == 0 && Reader::new(Drip::new(&stream, step)).is_err(), "round {round}");
            continue;
        };
        assert_eq!((frames.len() as u64, text(&same)), (count, text(&error)), "round {round}");
        let (dripped, drip_error) = end(Drip::new(&stream, step), false);
        assert_eq!((dripped, drip_error.is_some()), (count, error.is_some()), "round {round}");

        // What is written reads the same; an undamaged stream is written as it was.
        let written = write(&header, &frames);
        let (header_again, frames_again, error_again) = read(&written[..]).unwrap();
        assert!(header_again == header && frames_again == frames && error_again.is_none(), "round {round}");
        if error.is_none() && line(&header).len() == stream.iter().position(|&byte| byte == b'\n').unwrap() + 1 {
            assert!(written == stream, "round {round}");
        }

        for sampling in [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444] {
            match header.to_progressive(sampling, true) {
                Ok(to) => {
                    assert_eq!((to.interlacing(), to.sampling()), (Interlacing::Progressive, sampling), "round {round}");
                    let wide = |rate: Option<(u32, u32)>| rate.map_or((0, 1), |(num, den)| (u128::from(num), u128::from(den)));
                    let ((num, den), (to_num, to_den)) = (wide(header.rate()), wide(to.rate()));
                    assert_eq!(2 * num * to_den, to_num * den, "round {round}");
                }
                Err(error) => assert!(matches!(error, Error::RateTooHigh { .. }), "round {round}: {error}"),
            }
        }
    }
    println!("{seen:?}");
    // Each kind of end is there, so the changes are neither too wild nor too tame.
    for kind in ["None", "Some(Truncated", "Some(Garbage", "Some(TruncatedHeader", "Some(NotY4m", "Some(MissingTag"] {
        assert!(seen.get(kind).is_some_and(|&n| n >= 100), "{kind}: {seen:?}");
    }
    for kind in ["Some(BadTag", "Some(Size", "Some(UnknownChroma", "Some(NotSupported"] {
        assert!(seen.get(kind).is_some_and(|&n| n >= 20), "{kind}: {seen:?}");
    }
}
