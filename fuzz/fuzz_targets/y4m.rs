//! The y4m reader on streams of any bytes. The frames that it reads are written and read again, and
//! the header is derived for other depths.
#![no_main]
use dndi::Frame;
use dndi::y4m::{Reader, Writer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(mut reader) = Reader::new(data) else { return };
    let header = reader.header().clone();
    for depth in 0..=17 {
        if let Ok(other) = header.with_depth(depth) {
            assert_eq!(other.format(), header.format().with_depth(depth));
        }
    }
    let mut writer = Writer::new(Vec::new(), &header).expect("memory takes all bytes");
    let (mut frame, mut frames) = (Frame::default(), 0);
    while let Ok(Some(line)) = reader.read(&mut frame) {
        writer.write(&line, &frame).expect("memory takes all bytes");
        frames += 1;
    }
    let written = writer.into_inner();
    let mut again = Reader::new(&written[..]).expect("a header that was read");
    assert_eq!(again.header(), &header);
    let mut copy = Frame::default();
    for _ in 0..frames {
        assert!(matches!(again.read(&mut copy), Ok(Some(_))));
    }
    assert!(matches!(again.read(&mut copy), Ok(None)));
});
