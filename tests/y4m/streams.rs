//! Streams of ffmpeg, and comparisons with the crate `y4m`.
use super::*;

#[test]
fn streams_of_ffmpeg_are_written_unchanged() {
    for (name, sampling, (width, height), interlacing, count) in STREAMS {
        let stream = sample(name);
        let (header, frames, error) = read(&stream[..]).unwrap();
        assert!(error.is_none(), "{name}: {error:?}");
        assert_eq!(header.format(), Format::new(width, height, sampling), "{name}");
        assert_eq!((header.width(), header.height(), header.sampling()), (width, height, sampling), "{name}");
        assert_eq!((header.interlacing(), header.rate()), (interlacing, Some((25, 1))), "{name}");
        assert_eq!(frames.len(), count, "{name}");
        assert!(write(&header, &frames) == stream, "{name} is not written unchanged");
    }
}

#[test]
fn the_y4m_crate_reads_the_same_planes() {
    let mut compared = 0;
    for (name, sampling, ..) in STREAMS {
        if sampling == Sampling::C411 {
            continue; // The crate does not support it.
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
fn the_y4m_crate_reads_written_streams() {
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
fn deep_streams_of_ffmpeg_are_written_unchanged() {
    for (name, sampling, depth) in
        [("420p10", Sampling::C420, 10), ("422p16", Sampling::C422, 16), ("mono16", Sampling::Mono, 16)]
    {
        let stream = sample(name);
        let (header, frames, error) = read(&stream[..]).unwrap();
        assert!(error.is_none() && frames.len() == 1, "{name}: {error:?}");
        assert_eq!(header.format(), Format::new(4, 4, sampling).with_depth(depth), "{name}");
        assert!(write(&header, &frames) == stream, "{name} is not written unchanged");
    }
}

#[test]
fn alpha_and_other_depths_are_not_supported_yet() {
    let other_depth = "not supported yet: C420p11 (bits a sample other than 8, 9, 10, 12, 14 and 16)";
    for (stream, message) in [
        (sample("444alpha"), "not supported yet: C444alpha (an alpha plane)"),
        (b"YUV4MPEG2 W2 H2 C420p11\n".to_vec(), other_depth),
        (b"YUV4MPEG2 W2 H2 C411p10\n".to_vec(), "not supported yet: C411p10 (4:1:1 of more than 8 bits a sample)"),
    ] {
        let error = Reader::new(&stream[..]).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(!error.is_bad_input(), "{message}");
    }
}
