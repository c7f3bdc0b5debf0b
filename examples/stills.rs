//! Frames of a y4m clip as PNG, as they are and deinterlaced: `cargo run --example stills -- INPUT.y4m FIRST COUNT FOLDER`.
//!
//! Writes `before-N.png` for input frame N and `after-T.png` for the output frames of time T (two for each frame), in BT.601 colours.
use dndi::y4m::{Interlacing, Reader};
use dndi::{Builder, Format, Frame, Scan};
use image::{Rgb, RgbImage};
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
    let scan = match reader.header().interlacing() {
        Interlacing::BottomFirst => Scan::BottomFirst,
        Interlacing::Progressive => Scan::Progressive,
        _ => Scan::TopFirst,
    };
    let mut stream = Builder::new(reader.header().format(), scan).build()?;
    let mut frame = Frame::default();
    let mut number = 0;
    while number < first.saturating_add(count) && reader.read(&mut frame)?.is_some() {
        if shown(number) {
            picture(&frame).save(folder.join(format!("before-{number}.png")))?;
        }
        stream.push(&frame.planes())?;
        number += 1;
        while let Some(output) = stream.pull() {
            if shown(output.time / 2) {
                picture(&output.frame).save(folder.join(format!("after-{}.png", output.time)))?;
            }
            stream.recycle(output.frame);
        }
    }
    Ok(())
}

/// The frame in RGB; chroma samples are repeated.
fn picture(frame: &Frame) -> RgbImage {
    let format: Format = frame.format();
    let (chroma_width, chroma_height) = format.plane_size(1);
    let chroma = |plane: usize, x: u32, y: u32| match chroma_width {
        0 => 0.0,
        _ => {
            let column = x as usize * chroma_width / format.width;
            let row = y as usize * chroma_height / format.height;
            frame.plane(plane)[row * chroma_width + column] as f32 - 128.0
        }
    };
    RgbImage::from_fn(format.width as u32, format.height as u32, |x, y| {
        let luma = (frame.plane(0)[y as usize * format.width + x as usize] as f32 - 16.0) * (255.0 / 219.0);
        let (cb, cr) = (chroma(1, x, y) * (255.0 / 224.0), chroma(2, x, y) * (255.0 / 224.0));
        let rgb = [luma + 1.402 * cr, luma - 0.344 * cb - 0.714 * cr, luma + 1.772 * cb];
        Rgb(rgb.map(|v| v.round().clamp(0.0, 255.0) as u8))
    })
}
