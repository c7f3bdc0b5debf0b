//! y4m headers and streams.
use crate::{SAMPLINGS, SIZES, WORDS, pairs};
use dndi::y4m::{Error, FrameHeader, Header, Reader, Writer, little_endian};
use dndi::{Format, Frame, Interlacing, MAX_SIZE, Rect, Samples, Sampling};
use std::io::ErrorKind;

fn is_size(size: usize) -> bool {
    (1..=MAX_SIZE).contains(&size)
}

#[test]
fn headers_of_any_format() {
    for sampling in SAMPLINGS {
        for (width, height) in pairs(&SIZES) {
            let format = Format::new(width, height, sampling);
            match Header::new(format, None, Interlacing::Mixed) {
                Ok(header) => assert!(is_size(width) && is_size(height) && header.format() == format),
                Err(error) => assert!(matches!(error, Error::Size { .. }), "{error}"),
            }
            assert!(Header::new(format.with_depth(255), None, Interlacing::Mixed).is_err());
        }
    }
}

#[test]
fn rates_and_aspects_of_any_numbers() {
    let format = Format::new(MAX_SIZE, 1, Sampling::Mono);
    for (num, den) in pairs(&WORDS) {
        let header = Header::new(format, Some((num, den)), Interlacing::Progressive);
        assert_eq!(header.is_ok(), num > 0 && den > 0);
        let header = header.or(Header::new(format, None, Interlacing::Progressive)).unwrap();
        let double = header.to_progressive(Sampling::Mono, true);
        assert_eq!(double.is_err(), num > u32::MAX / 2 && den % 2 == 1);
        let aspect = header.with_aspect(num, den);
        assert_eq!(aspect.aspect().is_some(), num > 0 && den > 0);
        for (width, height) in pairs(&[1, MAX_SIZE]) {
            let crop = Rect { x: usize::MAX, y: usize::MAX, width: height, height: width };
            let scaled = aspect.to_scaled(crop, width, height).unwrap();
            assert_eq!(scaled.aspect().is_some(), num > 0 && den > 0);
        }
    }
    let header = Header::new(format, Some((25, 1)), Interlacing::Progressive).unwrap();
    for (num, den) in pairs(&[0, 1, 2, 1 << 32, (1 << 32) + 1, u64::MAX / 2, u64::MAX]) {
        match header.with_rate(num, den) {
            Ok(header) => {
                let (a, b) = header.rate().unwrap();
                assert_eq!(u128::from(a) * u128::from(den), u128::from(b) * u128::from(num));
            }
            Err(error) => assert!(matches!(error, Error::RateTooHigh { .. }), "{error}"),
        }
    }
}

#[test]
fn scaled_headers_of_any_size() {
    let header = Header::new(Format::new(16, 16, Sampling::C420), None, Interlacing::Unknown).unwrap().with_aspect(u32::MAX, 1);
    for (width, height) in pairs(&SIZES) {
        let whole = Rect { x: 0, y: 0, width: 16, height: 16 };
        assert_eq!(header.to_scaled(whole, width, height).is_ok(), is_size(width) && is_size(height));
        let crop = Rect { x: width, y: height, width, height };
        assert_eq!(header.to_scaled(crop, 16, 16).is_ok(), is_size(width) && is_size(height));
    }
}

#[test]
fn headers_of_any_depth() {
    let depths = [8, 9, 10, 12, 14, 16];
    for sampling in [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444] {
        let header = Header::new(Format::new(16, 16, sampling), None, Interlacing::Unknown).unwrap();
        for depth in 0..=u8::MAX {
            let exists = depth == 8 || depths.contains(&depth) && sampling != Sampling::C411;
            assert_eq!(header.with_depth(depth).is_ok(), exists, "{sampling} {depth}");
            let new = Header::new(Format::new(16, 16, sampling).with_depth(depth), None, Interlacing::Unknown);
            assert_eq!(new.is_ok(), exists, "{sampling} {depth}");
        }
    }
}

#[test]
fn header_lines_with_absurd_numbers() {
    for number in ["0", "8193", "4294967295", "4294967296", "18446744073709551616", "99999999999999999999999999", "-1"] {
        for tags in [format!("W{number} H2"), format!("W2 H{number}"), format!("W2 H2 F{number}:{number}")] {
            let parsed = Header::parse(format!("YUV4MPEG2 {tags}").as_bytes());
            assert_eq!(
                parsed.is_ok(),
                ["W2 H2 F0:0", "W2 H2 F8193:8193", "W2 H2 F4294967295:4294967295"].contains(&&*tags),
                "{tags}"
            );
        }
        let aspect = Header::parse(format!("YUV4MPEG2 W2 H2 A{number}:{number}").as_bytes()).unwrap().aspect();
        assert_eq!(aspect.is_some(), ["8193", "4294967295"].contains(&number), "{number}");
    }
}

#[test]
fn sizes_of_headers() {
    let header = Header::parse(b"YUV4MPEG2 W3 H2 A4294967295:1").unwrap();
    for (width, height) in pairs(&SIZES) {
        let inside = (1..=MAX_SIZE).contains(&width) && (1..=MAX_SIZE).contains(&height);
        assert_eq!(header.with_frame_size(width, height).is_ok(), inside, "{width}x{height}");
    }
    assert_eq!(header.rotated().unwrap().width(), 2);
}

/// A claimed size takes no memory and no time.
#[test]
fn frames_that_do_not_follow() {
    for line in ["FRAME\n", "FRAME\nFRAME\n", "FRAME"] {
        let stream = format!("YUV4MPEG2 W{MAX_SIZE} H{MAX_SIZE} C444\n{line}");
        let read = Reader::new(stream.as_bytes()).unwrap().read(&mut Frame::default());
        assert!(matches!(read, Err(Error::Truncated { .. })));
        let skipped = Reader::new(stream.as_bytes()).unwrap().skip();
        assert!(matches!(skipped, Err(Error::Truncated { .. })));
    }
}

#[test]
fn frames_of_another_format_are_not_written() {
    let header = Header::new(Format::new(2, 2, Sampling::Mono), None, Interlacing::Unknown).unwrap();
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    for format in [
        Format::new(2, 1, Sampling::Mono),
        Format::new(2, 2, Sampling::C420),
        Format::new(2, 2, Sampling::Mono).with_depth(10),
        Format::new(0, usize::MAX, Sampling::Mono),
    ] {
        let error = writer.write(&FrameHeader::default(), &Frame::new(format)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }
    assert_eq!(writer.into_inner(), b"YUV4MPEG2 W2 H2 F0:0 I? Cmono\n");
}

#[test]
fn samples_of_any_number_have_bytes() {
    let mut swapped = vec![7; 3];
    for count in [0, 1, 1000] {
        let (bytes, words) = (vec![0xfe; count], vec![0xfe01; count]);
        assert_eq!(little_endian(Samples::U8(&bytes), &mut swapped), Ok(&bytes[..]));
        let want: Vec<u8> = [1, 0xfe].repeat(count);
        assert_eq!(little_endian(Samples::U16(&words), &mut swapped), Ok(&want[..]));
    }
}
