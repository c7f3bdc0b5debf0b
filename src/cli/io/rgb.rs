//! `--rgb`: writes frames as raw G, B and R planes or as PNGs. Planes 0, 1 and 2 of such a frame
//! are R, G and B.

use super::files::ReservedFiles;
use super::names::Names;
use super::output::{FrameWriter, Sink};
use crate::error::CliError;
use dndi::Frame;
use dndi::y4m::FrameHeader;
use std::fs;
use std::path::Path;

/// The planes G, B and R, in the order in which they are written and enter checksums. A mono frame
/// is grey: its plane is all three.
pub fn planes(frame: &Frame) -> [&[u8]; 3] {
    let order = if frame.format().sampling.planes() == 1 { [0, 0, 0] } else { [1, 2, 0] };
    order.map(|index| frame.plane(index))
}

/// Writes raw planes, frame after frame.
#[derive(Debug)]
pub struct Planes(pub Sink);

impl FrameWriter for Planes {
    fn begin(&mut self) -> Result<(), CliError> {
        self.0.begin()
    }

    fn write(&mut self, _: &FrameHeader, frame: &Frame) -> Result<(), CliError> {
        planes(frame).into_iter().try_for_each(|plane| self.0.write(plane))?;
        self.0.keep(1);
        Ok(())
    }
}

/// Writes PNGs.
#[derive(Debug)]
pub struct Pictures {
    to: Destination,
    /// The samples of the picture: R, G, B of each pixel.
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
        self.pixels.clear();
        reserve(&mut self.pixels, 3 * r.len())?;
        self.pixels.extend(r.iter().zip(g).zip(b).flat_map(|((&r, &g), &b)| [r, g, b]));
        self.png.clear();
        encode(&self.pixels, frame.format().plane_size(0), &mut self.png)
    }
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

/// Appends a PNG of `width`×`height` pixels to `png`. `pixels` are R, G, B of each pixel.
pub fn encode(pixels: &[u8], (width, height): (usize, usize), png: &mut Vec<u8>) -> Result<(), CliError> {
    // A PNG is hardly larger than its samples. The encoder ends the process if it lacks memory, so
    // the same memory is tried before.
    reserve(png, pixels.len() + pixels.len() / 256 + height + 1024)?;
    let mut attempt = Vec::<u8>::new();
    reserve(&mut attempt, pixels.len().saturating_mul(ENCODER_MEMORY))?;
    drop(std::hint::black_box(attempt));
    let mut encoder = png::Encoder::new(png, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
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

    fn write(&mut self, _: &FrameHeader, frame: &Frame) -> Result<(), CliError> {
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
        assert_eq!(planes(&frame), [[2], [3], [1]]);
        let frame = Frame::from_vec(Format::new(2, 1, Sampling::Mono), vec![4, 5]);
        assert_eq!(planes(&frame), [[4, 5]; 3]);
    }
}
