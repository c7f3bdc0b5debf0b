//! `--rgb`: writes frames as raw G, B and R planes or as PNGs. Planes 0, 1 and 2 of such a frame
//! are R, G and B.

use super::files::ReservedFiles;
use super::names::Names;
use super::output::{FrameWriter, Sink};
use crate::error::CliError;
use dndi::y4m::{FrameHeader, little_endian};
use dndi::{Frame, Samples};
pub use png::BitDepth;
use std::fs;
use std::path::Path;

/// The planes G, B and R, in the order in which they are written and enter checksums. A mono frame
/// is grey: its plane is all three.
pub fn planes(frame: &Frame) -> [Samples<'_>; 3] {
    let (planes, order) = (frame.planes(), if frame.format().sampling.planes() == 1 { [0, 0, 0] } else { [1, 2, 0] });
    order.map(|index| planes[index].samples)
}

/// Writes raw planes, frame after frame.
#[derive(Debug)]
pub struct Planes {
    sink: Sink,
    /// Buffer for words on a big-endian processor.
    swapped: Vec<u8>,
}

impl Planes {
    /// Writes to `sink`.
    pub fn new(sink: Sink) -> Planes {
        Planes { sink, swapped: vec![] }
    }
}

impl FrameWriter for Planes {
    fn begin(&mut self) -> Result<(), CliError> {
        self.sink.begin()
    }

    fn write(&mut self, _: &FrameHeader, frame: &Frame, _: i64) -> Result<(), CliError> {
        for plane in planes(frame) {
            self.sink.write(little_endian(plane, &mut self.swapped).map_err(CliError::runtime)?)?;
        }
        self.sink.keep(1);
        Ok(())
    }
}

/// Writes PNGs.
#[derive(Debug)]
pub struct Pictures {
    to: Destination,
    /// The samples of the picture: R, G, B of each pixel, of one byte, or two in the order of PNG.
    pixels: Vec<u8>,
    /// The encoded picture.
    png: Vec<u8>,
}

#[derive(Debug)]
enum Destination {
    /// All pictures in one file or pipe, one after the other.
    Stream(Sink),
    /// One file per picture.
    Files { names: Names, overwrite: bool, reserved: ReservedFiles, next: u64 },
}

impl Pictures {
    /// Writes all pictures to one sink.
    pub fn stream(sink: Sink) -> Pictures {
        Pictures::new(Destination::Stream(sink))
    }

    /// Writes one file per picture. `pattern` is the name with the frame number. A picture with the
    /// name of a `reserved` file is an error.
    pub fn files(pattern: &Path, overwrite: bool, reserved: ReservedFiles) -> Result<Pictures, CliError> {
        let names = Names::parse(pattern)?;
        Ok(Pictures::new(Destination::Files { names, overwrite, reserved, next: 0 }))
    }

    fn new(to: Destination) -> Pictures {
        Pictures { to, pixels: vec![], png: vec![] }
    }

    /// Encodes the frame into `self.png`.
    fn encode(&mut self, frame: &Frame) -> Result<(), CliError> {
        let [g, b, r] = planes(frame);
        let (size, depth) = (frame.format().plane_size(0), frame.format().depth);
        self.pixels.clear();
        self.png.clear();
        reserve(&mut self.pixels, 3 * frame.format().bytes_per_sample() * r.len())?;
        match [r, g, b] {
            [Samples::U8(r), Samples::U8(g), Samples::U8(b)] => {
                self.pixels.extend(r.iter().zip(g).zip(b).flat_map(|((&r, &g), &b)| [r, g, b]));
                encode(&self.pixels, size, BitDepth::Eight, &mut self.png)
            }
            [Samples::U16(r), Samples::U16(g), Samples::U16(b)] => {
                let pixels = r.iter().zip(g).zip(b).flat_map(|((&r, &g), &b)| [r, g, b]);
                self.pixels.extend(pixels.flat_map(|sample| widened(sample, depth).to_be_bytes()));
                encode(&self.pixels, size, BitDepth::Sixteen, &mut self.png)
            }
            _ => Err(CliError::runtime("internal error: planes of different types")),
        }
    }
}

/// A full-range sample of 9 to 16 bits as one of 16 bits: its high bits are repeated in the low
/// ones, as in each change of depth of RGB (§9.6), so that white becomes 65535.
fn widened(sample: u16, depth: u8) -> u16 {
    let (sample, added) = (u32::from(sample), 16 - depth);
    (sample << added | sample >> (depth - added)) as u16
}

/// Makes sure that `count` more values fit into a vector. A lack of memory is an error.
pub fn reserve<T>(values: &mut Vec<T>, count: usize) -> Result<(), CliError> {
    values.try_reserve_exact(count).map_err(|_| CliError::out_of_memory::<T>(count))
}

/// Memory that the encoder takes besides the picture, in bytes per byte of the picture. It
/// compresses into a vector that doubles its size: while that is copied, up to three times the
/// picture. A smaller value may end the process for a lack of memory, a larger one refuses pictures
/// that could be encoded.
const ENCODER_MEMORY: usize = 3;

/// Appends a PNG of `width`×`height` pixels to `png`. `pixels` are R, G, B of each pixel, each one
/// byte, or two with the high byte first.
pub fn encode(pixels: &[u8], (width, height): (usize, usize), depth: BitDepth, png: &mut Vec<u8>) -> Result<(), CliError> {
    // A PNG is hardly larger than its samples. The encoder ends the process if it lacks memory, so
    // the same memory is tried before.
    reserve(png, pixels.len() + pixels.len() / 256 + height + 1024)?;
    let mut attempt = Vec::<u8>::new();
    reserve(&mut attempt, pixels.len().saturating_mul(ENCODER_MEMORY))?;
    drop(std::hint::black_box(attempt));
    let mut encoder = png::Encoder::new(png, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    let encoded = encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels));
    encoded.map_err(|error| CliError::runtime(format_args!("cannot encode a PNG: {error}")))
}

impl FrameWriter for Pictures {
    fn begin(&mut self) -> Result<(), CliError> {
        match &self.to {
            Destination::Stream(sink) => sink.begin(),
            Destination::Files { .. } => Ok(()),
        }
    }

    fn write(&mut self, _: &FrameHeader, frame: &Frame, _: i64) -> Result<(), CliError> {
        self.encode(frame)?;
        match &mut self.to {
            Destination::Stream(sink) => {
                sink.write(&self.png)?;
                sink.keep(1);
            }
            Destination::Files { names, overwrite, reserved, next } => {
                let path = names.of(*next).ok_or_else(|| names.too_few())?;
                reserved.ensure_free(&path)?;
                let mut sink = Sink::open_picture(&path, *overwrite, "frames", reserved)?;
                sink.records = *next;
                let written = sink.begin().and_then(|()| sink.write(&self.png));
                if written.is_err() && sink.regular {
                    // An incomplete picture is removed.
                    let _ = fs::remove_file(&path);
                }
                written?;
                *next += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_green_blue_red() {
        use dndi::{Format, Sampling};
        let frame = Frame::from_vec(Format::new(1, 1, Sampling::C444), vec![1, 2, 3]);
        assert_eq!(planes(&frame), [[2], [3], [1]].each_ref().map(|plane| Samples::U8(plane)));
        let frame = Frame::from_vec(Format::new(2, 1, Sampling::Mono), vec![4, 5]);
        assert_eq!(planes(&frame), [Samples::U8(&[4, 5]); 3]);
        let frame = Frame::from_vec_u16(Format::new(1, 1, Sampling::C444).with_depth(10), vec![1000, 2, 3]);
        assert_eq!(planes(&frame), [[2], [3], [1000]].each_ref().map(|plane| Samples::U16(plane)));
    }

    #[test]
    fn white_is_white_at_each_depth() {
        for depth in [9, 10, 12, 14, 16] {
            let greatest = u16::MAX >> (16 - depth);
            assert_eq!([0, greatest].map(|sample| widened(sample, depth)), [0, 65535]);
        }
        assert_eq!([widened(0x201, 10), widened(0x101, 9), widened(0x8001, 16)], [0x8060, 0x80c0, 0x8001]);
    }
}
