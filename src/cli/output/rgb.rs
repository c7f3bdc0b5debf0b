//! `--rgb`: frames whose planes are R, G and B, as raw planes or as PNGs.

use super::{Sink, Store};
use crate::failure::Failure;
use crate::files::Taken;
use dndi::Frame;
use dndi::y4m::FrameHeader;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use std::fs;
use std::path::{Path, PathBuf};

/// G, B and R, the order in which planes are written and summed up; mono is grey.
pub fn planes(frame: &Frame) -> [&[u8]; 3] {
    let order = if frame.format().sampling.planes() == 1 { [0, 0, 0] } else { [1, 2, 0] };
    order.map(|index| frame.plane(index))
}

/// One frame after the other, plane after plane.
#[derive(Debug)]
pub struct Planes(pub Sink);

impl Store for Planes {
    fn begin(&mut self) -> Result<(), Failure> {
        self.0.begin()
    }

    fn write(&mut self, _: &FrameHeader, frame: &Frame) -> Result<(), Failure> {
        planes(frame).into_iter().try_for_each(|plane| self.0.write(plane))?;
        self.0.keep(1);
        Ok(())
    }
}

/// PNGs.
#[derive(Debug)]
pub struct Pictures {
    to: Destination,
    /// The picture's samples, pixel by pixel.
    pixels: Vec<u8>,
    png: Vec<u8>,
}

#[derive(Debug)]
enum Destination {
    /// One after the other.
    Stream(Sink),
    /// A file each.
    Files { names: Names, overwrite: bool, taken: Taken, next: u64 },
}

impl Pictures {
    /// All of them in one stream.
    pub fn stream(sink: Sink) -> Pictures {
        Pictures::new(Destination::Stream(sink))
    }

    /// A file each, called as `pattern` says; none of them may be one of those `taken`.
    pub fn files(pattern: &Path, overwrite: bool, taken: Taken) -> Result<Pictures, Failure> {
        let names = Names::parse(pattern)?;
        Ok(Pictures::new(Destination::Files { names, overwrite, taken, next: 0 }))
    }

    fn new(to: Destination) -> Pictures {
        Pictures { to, pixels: vec![], png: vec![] }
    }

    fn encode(&mut self, frame: &Frame) -> Result<(), Failure> {
        let [g, b, r] = planes(frame);
        self.pixels.clear();
        self.pixels.extend(r.iter().zip(g).zip(b).flat_map(|((&r, &g), &b)| [r, g, b]));
        self.png.clear();
        encode(&self.pixels, frame.format().plane_size(0), &mut self.png)
    }
}

/// Appends a picture of `width`×`height` pixels, R, G, B each, to `png`.
pub fn encode(pixels: &[u8], (width, height): (usize, usize), png: &mut Vec<u8>) -> Result<(), Failure> {
    let encoder = PngEncoder::new_with_quality(png, CompressionType::Fast, FilterType::Adaptive);
    let encoded = encoder.write_image(pixels, width as u32, height as u32, ExtendedColorType::Rgb8);
    encoded.map_err(|error| Failure::runtime(format_args!("cannot make a PNG: {error}")))
}

impl Store for Pictures {
    fn begin(&mut self) -> Result<(), Failure> {
        match &self.to {
            Destination::Stream(sink) => sink.begin(),
            Destination::Files { .. } => Ok(()),
        }
    }

    fn write(&mut self, _: &FrameHeader, frame: &Frame) -> Result<(), Failure> {
        self.encode(frame)?;
        match &mut self.to {
            Destination::Stream(sink) => {
                sink.write(&self.png)?;
                sink.keep(1);
            }
            Destination::Files { names, overwrite, taken, next } => {
                let path = names.of(*next).ok_or_else(|| names.too_few())?;
                taken.spare(&path)?;
                let mut sink = Sink::open(&path, *overwrite, "frames")?;
                sink.records = *next;
                let written = sink.begin().and_then(|()| sink.write(&self.png));
                if written.is_err() && sink.regular {
                    // No picture is cut off.
                    let _ = fs::remove_file(&path);
                }
                written?;
                *next += 1;
            }
        }
        Ok(())
    }
}

/// Names of files, as printf makes them of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    before: String,
    /// The number's width and whether zeros fill it, then the rest; none if there is no number, but one name.
    after: Option<(usize, bool, String)>,
}

impl Names {
    /// With one `%d` or `%5d` or `%05d`; `%%` is a percent sign.
    pub fn parse(pattern: &Path) -> Result<Names, Failure> {
        let wrong = || {
            let name = pattern.display();
            Failure::usage(format_args!("{name}: the frame's number is %d or, with zeros, %05d, once; a percent sign is %%"))
        };
        let text = pattern.to_str().ok_or_else(|| Failure::usage("names of pictures must be text in UTF-8"))?;
        let (mut names, mut rest) = (Names { before: String::new(), after: None }, text);
        while let Some((plain, conversion)) = rest.split_once('%') {
            names.last().push_str(plain);
            if let Some(after) = conversion.strip_prefix('%') {
                names.last().push('%');
                rest = after;
                continue;
            }
            let (width, after) = conversion.split_once('d').ok_or_else(wrong)?;
            let plain = width.len() <= 3 && width.bytes().all(|byte| byte.is_ascii_digit());
            if names.after.is_some() || !plain {
                return Err(wrong());
            }
            names.after = Some((width.parse().unwrap_or(0), width.starts_with('0'), String::new()));
            rest = after;
        }
        names.last().push_str(rest);
        Ok(names)
    }

    fn last(&mut self) -> &mut String {
        self.after.as_mut().map_or(&mut self.before, |(_, _, after)| after)
    }

    /// The name of frame `number`; without a place for it only frame 0 has one.
    pub fn of(&self, number: u64) -> Option<PathBuf> {
        let before = &self.before;
        let name = match &self.after {
            Some((width, true, after)) => format!("{before}{number:0width$}{after}"),
            Some((width, false, after)) => format!("{before}{number:width$}{after}"),
            None if number == 0 => before.clone(),
            None => return None,
        };
        Some(name.into())
    }

    /// That there are more frames than names.
    fn too_few(&self) -> Failure {
        let name = &self.before;
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "png"));
        let better = format!("{}-%05d.{extension}", stem.replace('%', "%%"));
        Failure::usage(format_args!("{name} is one picture, but there are more frames; say {better}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let of = |pattern: &str, number| {
            let name = Names::parse(Path::new(pattern)).ok()?.of(number)?;
            Some(name.to_str().unwrap().to_owned())
        };
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(of("out-%05d.png", 7), some("out-00007.png"));
        assert_eq!(of("%d", 12), some("12"));
        assert_eq!(of("a/%3d.png", 7), some("a/  7.png"));
        assert_eq!(of("%02d", 12345), some("12345"));
        assert_eq!(of("100%%-%d%%.png", 3), some("100%-3%.png"));
        assert_eq!((of("one.png", 0), of("one.png", 1)), (some("one.png"), None));
        assert_eq!(of("50%%.png", 0), some("50%.png"));
        for wrong in ["%", "%s.png", "%05x", "%d-%d.png", "%-5d", "%+d", "% d", "%.3d", "%1000d", "out%"] {
            assert_eq!(of(wrong, 0), None, "{wrong}");
        }
    }

    #[test]
    fn planes_are_green_blue_red() {
        use dndi::{Format, Sampling};
        let frame = Frame::from_vec(Format::new(1, 1, Sampling::C444), vec![1, 2, 3]);
        assert_eq!(planes(&frame), [[2], [3], [1]]);
        let frame = Frame::from_vec(Format::new(2, 1, Sampling::Mono), vec![4, 5]);
        assert_eq!(planes(&frame), [[4, 5]; 3]);
    }
}
