//! Valid and invalid headers and FRAME lines.
use super::*;

#[test]
fn headers_are_parsed_and_preserved() {
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
fn errors_name_the_invalid_part_of_the_input() {
    let hint = "; try: ffmpeg -i FILE -map 0:v:0 -strict -1 -f yuv4mpegpipe - | dndi - OUT";
    let strict = "if ffmpeg makes it, more than 8 bits a sample need its option -strict -1";
    for (input, message) in [
        (&b""[..], format!("the input is empty, no y4m stream; {strict}")),
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
fn frame_parameters_are_parsed_and_preserved() {
    for (line, progressive, field_order, without) in [
        ("FRAME\n", false, None, "FRAME\n"),
        ("FRAME Ipp?\n", true, None, "FRAME\n"),
        ("FRAME Itii\n", false, Some(FieldOrder::TopFirst), "FRAME\n"),
        ("FRAME ITii Xa\n", false, Some(FieldOrder::TopFirst), "FRAME Xa\n"),
        ("FRAME Xa Ibi?\n", false, Some(FieldOrder::BottomFirst), "FRAME Xa\n"),
        ("FRAME Xa IBip  Xb\n", false, Some(FieldOrder::BottomFirst), "FRAME Xa  Xb\n"),
        ("FRAME Itpp\n", true, Some(FieldOrder::TopFirst), "FRAME\n"),
        ("FRAME I1i?\n", true, None, "FRAME\n"),
        ("FRAME I2pp\n", true, None, "FRAME\n"),
        ("FRAME I3\n", true, None, "FRAME\n"),
        ("FRAME I\n", false, None, "FRAME\n"),
        ("FRAME It\n", false, Some(FieldOrder::TopFirst), "FRAME\n"),
        ("FRAME Xtpp tpp \n", false, None, "FRAME Xtpp tpp \n"),
    ] {
        let stream = format!("YUV4MPEG2 W1 H1 Im Cmono\n{line}.");
        let (header, frames, error) = read(stream.as_bytes()).unwrap();
        assert!(error.is_none(), "{line}");
        assert_eq!(frames[0].0.flags(), FrameFlags::default().progressive(progressive).field_order(field_order), "{line}");
        assert!(write(&header, &frames) == stream.as_bytes(), "{line}");
        let mut output = Vec::new();
        frames[0].0.without_interlacing().write(&mut output).unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), without, "{line}");
    }
}
