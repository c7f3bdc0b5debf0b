//! Writes frames of a y4m clip as PNG, before and after deinterlacing.
//!
//! ```sh
//! cargo run --example stills -- INPUT.y4m FIRST COUNT FOLDER
//! ```
//!
//! Writes `before-N.png` for input frame N, and `after-T.png` for the output frames of field time T
//! (two for each input frame). The colour space is that of the clip's tags, or the default for its
//! size.
use dndi::y4m::Reader;
use dndi::{ColorSpace, Format, Frame, Parameters, Sampling, Scale, Scan, Stream};
use image::RgbImage;
use std::error::Error;
use std::fs::File;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, first, count, folder] = arguments.as_slice() else {
        return Err("usage: stills INPUT.y4m FIRST COUNT FOLDER".into());
    };
    let (first, count): (u64, u64) = (first.parse()?, count.parse()?);
    let shown = |frame: u64| (first..first.saturating_add(count)).contains(&frame);
    let folder = Path::new(folder);

    let mut reader = Reader::new(File::open(input)?)?;
    let scan = reader.header().interlacing().scan().unwrap_or(Scan::TopFirst);
    let space = reader.header().color_space();
    let mut stream = Stream::builder(reader.header().format(), scan).build()?;
    let mut before = to_rgb(reader.header().format(), scan, space)?;
    let mut after = to_rgb(stream.output_format(), Scan::Progressive, space)?;
    let mut frame = Frame::default();
    let mut number = 0;
    while number < first.saturating_add(count) && reader.read(&mut frame)?.is_some() {
        if shown(number) {
            picture(&mut before, &frame)?.save(folder.join(format!("before-{number}.png")))?;
        }
        stream.push(&frame.planes())?;
        number += 1;
        while let Some(output) = stream.pull() {
            if shown(output.field_time / 2) {
                picture(&mut after, &output.frame)?.save(folder.join(format!("after-{}.png", output.field_time)))?;
            }
            stream.recycle(output.frame);
        }
    }
    Ok(())
}

/// A stream that converts to planes of R, G and B, all of full size. Fields are converted
/// separately.
fn to_rgb(format: Format, scan: Scan, space: ColorSpace) -> Result<Stream, dndi::Error> {
    let mut parameters = Parameters::default();
    parameters.color.set_conversion_to_rgb(space, 8);
    let size = Scale::new(format.width, format.height).sampling(Sampling::C444);
    Stream::builder(format, scan).denoise(false).deinterlace(false).scale(Some(size)).parameters(parameters).build()
}

/// The frame in RGB; a mono frame becomes grey.
fn picture(stream: &mut Stream, frame: &Frame) -> Result<RgbImage, Box<dyn Error>> {
    stream.push(&frame.planes())?;
    let shown = stream.pull().ok_or("no frame")?.frame;
    let Format { width, height, sampling, .. } = shown.format();
    let [r, g, b] = if sampling == Sampling::Mono { [0, 0, 0] } else { [0, 1, 2] }.map(|index| shown.plane(index));
    let pixels = r.iter().zip(g).zip(b).flat_map(|((&r, &g), &b)| [r, g, b]).collect();
    let picture = RgbImage::from_raw(width as u32, height as u32, pixels).ok_or("too small")?;
    stream.recycle(shown);
    Ok(picture)
}
