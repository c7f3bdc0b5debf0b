//! Streams of more than 8 bits: every tag, the limit of the samples, and ffmpeg where it exists.
use super::*;
use dndi::{Samples, SamplesMut};
use std::io::Cursor;
use std::process::{Command, Stdio};

pub const DEPTHS: [u8; 5] = [9, 10, 12, 14, 16];
const SAMPLINGS: [Sampling; 4] = [Sampling::Mono, Sampling::C420, Sampling::C422, Sampling::C444];

/// The name of a sampling and a depth in a tag.
fn name(sampling: Sampling, depth: u8) -> String {
    format!("{sampling}{}{depth}", if sampling == Sampling::Mono { "" } else { "p" })
}

/// The words of a frame.
fn words(frame: &Frame) -> &[u16] {
    match frame.samples() {
        Samples::U16(words) => words,
        Samples::U8(_) => panic!("bytes"),
    }
}

#[test]
fn every_tag_is_read_and_written() {
    for (depth, sampling) in DEPTHS.into_iter().flat_map(|depth| SAMPLINGS.map(|sampling| (depth, sampling))) {
        let name = name(sampling, depth);
        let old = if sampling == Sampling::Mono { String::new() } else { format!(" XYSCSS={}", name.to_uppercase()) };
        let head = format!("YUV4MPEG2 W5 H3 C{name}{old}\n").into_bytes();
        let format = Format::new(5, 3, sampling).with_depth(depth);
        let greatest = u16::MAX >> (16 - depth);
        // Words around the greatest value of the depth, and the greatest word.
        let samples = |first: u16| {
            (0..format.samples() as u16).map(move |index| [index + first, greatest - index, greatest][index as usize % 3])
        };
        let mut stream = head.clone();
        for first in [0, 100] {
            stream.extend_from_slice(b"FRAME\n");
            stream.extend(samples(first).flat_map(u16::to_le_bytes));
        }
        for step in [1, 7, 1000] {
            let (header, frames, error) = read(Drip::new(&stream, step)).unwrap();
            assert!(error.is_none(), "{name}: {error:?}");
            assert_eq!(header.format(), format, "{name}");
            let want = [0, 100].map(|first| samples(first).collect::<Vec<_>>());
            assert_eq!([0, 1].map(|index: usize| words(&frames[index].1)), [&want[0][..], &want[1]], "{name}");
            assert!(write(&header, &frames) == stream, "{name} is not written unchanged");
        }
    }
}

#[test]
fn words_above_the_depth_are_the_greatest_value() {
    for depth in DEPTHS {
        let greatest = u16::MAX >> (16 - depth);
        let stream = format!("YUV4MPEG2 W5 H1 Cmono{depth}\nFRAME\n").into_bytes();
        let given = [0, greatest, greatest.saturating_add(1), 0x8000, 0xffff];
        let stream: Vec<u8> = stream.into_iter().chain(given.into_iter().flat_map(u16::to_le_bytes)).collect();
        let mut reader = Reader::new(&stream[..]).unwrap();
        // Into a new frame, and in place.
        for mut frame in [Frame::default(), Frame::new(reader.header().format())] {
            reader = Reader::new(&stream[..]).unwrap();
            reader.read(&mut frame).unwrap();
            assert_eq!(words(&frame), given.map(|word| word.min(greatest)), "{depth} bits");
        }
    }
}

#[test]
fn frames_are_filled_in_place() {
    let mut reader = Reader::new(&b"YUV4MPEG2 W2 H1 Cmono10\nFRAME\n\x01\0\x02\0FRAME\n\x03\0\x04\x03"[..]).unwrap();
    let mut frame = Frame::default();
    reader.read(&mut frame).unwrap();
    let address = words(&frame).as_ptr();
    reader.read(&mut frame).unwrap();
    assert_eq!((words(&frame), words(&frame).as_ptr()), (&[3, 0x0304][..], address));
}

/// Frames that are larger than the buffer of the reader, in parts of even and odd lengths.
#[test]
fn large_frames_can_be_read_in_small_parts() {
    let header = parse("W400 H300 C444p12").unwrap();
    let mut frame = Frame::new(header.format());
    let SamplesMut::U16(samples) = frame.samples_mut() else { panic!("bytes") };
    samples.iter_mut().enumerate().for_each(|(index, sample)| *sample = (index % 4093) as u16);
    let stream = write(&header, &vec![(FrameHeader::default(), frame.clone()); 3]);
    for step in [1000, 65_537, usize::MAX] {
        let (_, frames, error) = read(Drip::new(&stream, step)).unwrap();
        assert!(error.is_none() && frames.len() == 3);
        assert!(frames.iter().all(|(_, read)| *read == frame), "{step}");
        let cut = &stream[..stream.len() - 1];
        for skip in [true, false] {
            let (count, error) = broken::end(Drip::new(cut, step), skip);
            assert!(count == 2 && matches!(error, Some(Error::Truncated { frame: 2, got: 719_999, need: 720_000 })));
        }
    }
    let mut reader = Reader::new(Cursor::new(&stream)).unwrap();
    let mut last = Frame::default();
    reader.seek_past().unwrap();
    reader.skip().unwrap();
    reader.read(&mut last).unwrap();
    assert!(last == frame && reader.read(&mut last).unwrap().is_none());
}

#[test]
fn the_y4m_crate_reads_written_streams() {
    let header = parse("W5 H3 F25:1 It C422p10 XYSCSS=422P10").unwrap().to_progressive(Sampling::C420, true).unwrap();
    let mut frame = Frame::new(header.format());
    let SamplesMut::U16(samples) = frame.samples_mut() else { panic!("bytes") };
    samples.iter_mut().enumerate().for_each(|(index, sample)| *sample = 1000 + index as u16);
    let stream = write(&header, &[(FrameHeader::default(), frame)]);
    let mut decoder = y4m::decode(&stream[..]).unwrap();
    assert!(matches!(decoder.get_colorspace(), y4m::Colorspace::C420p10));
    let chroma: Vec<u8> = (1015..1021).flat_map(u16::to_le_bytes).collect();
    assert_eq!(decoder.read_frame().unwrap().get_u_plane(), chroma);
}

/// The output of ffmpeg with these arguments; none if there is no ffmpeg.
fn ffmpeg(arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin", "-bitexact"]).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "ffmpeg {arguments:?}");
    Some(output.stdout)
}

/// Streams that ffmpeg writes are read as it means them and written unchanged; it reads the streams
/// of the writer with the same samples. ffmpeg has all tags but `Cmono14`. The width is even: of an
/// odd one ffmpeg 5.1 writes half a word too few for each line of subsampled chroma.
#[test]
fn ffmpeg_writes_and_reads_the_same_samples() {
    if Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).status().is_err() {
        println!("skipped: there is no ffmpeg");
        return;
    }
    for (depth, sampling) in DEPTHS.into_iter().flat_map(|depth| SAMPLINGS.map(|sampling| (depth, sampling))) {
        if (sampling, depth) == (Sampling::Mono, 14) {
            continue;
        }
        let pixels = match sampling {
            Sampling::Mono => format!("gray{depth}le"),
            _ => format!("yuv{}le", name(sampling, depth)),
        };
        let source = ["-f", "lavfi", "-i", "testsrc2=size=22x15:rate=25,format=gbrp", "-frames:v", "2", "-pix_fmt", &pixels];
        let to = |format: &'static [&str]| ffmpeg(&[&source[..], format, &["-"]].concat(), &[]).unwrap();
        let (stream, raw) = (to(&["-strict", "-1", "-f", "yuv4mpegpipe"]), to(&["-f", "rawvideo"]));
        let (header, frames, error) = read(&stream[..]).unwrap();
        assert!(error.is_none(), "{pixels}: {error:?}");
        assert_eq!(header.format(), Format::new(22, 15, sampling).with_depth(depth), "{pixels}");
        let samples: Vec<u8> = frames.iter().flat_map(|(_, frame)| words(frame)).flat_map(|word| word.to_le_bytes()).collect();
        assert!(samples == raw, "{pixels}");
        assert!(write(&header, &frames) == stream, "{pixels} is not written unchanged");
        // A header without text has the tags that ffmpeg needs.
        let header = Header::new(header.format(), header.rate(), header.interlacing()).unwrap();
        let back = ffmpeg(&["-f", "yuv4mpegpipe", "-i", "-", "-f", "rawvideo", "-"], &write(&header, &frames)).unwrap();
        assert!(back == raw, "{pixels} is not read by ffmpeg");
    }
}
