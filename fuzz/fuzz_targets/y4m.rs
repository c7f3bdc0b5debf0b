//! The y4m reader on streams of any bytes.
#![no_main]
use dndi::Frame;
use dndi::y4m::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(mut reader) = Reader::new(data) else { return };
    let mut frame = Frame::default();
    while let Ok(Some(_)) = reader.read(&mut frame) {}
});
