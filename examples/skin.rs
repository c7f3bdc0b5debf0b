//! What skin tone detection and the histogram see in a y4m clip, as PNG: `cargo run --example skin -- INPUT.y4m FRAME FOLDER`.
//!
//! Writes `skin.png`, the skin tone factor of each pixel of a frame (black 0, white 31), and `histogram.png`, its luma: a column for each
//! value, the highest the most frequent. The frame is taken as it is, not deinterlaced.
use dndi::y4m::Reader;
use dndi::{Builder, Frame, LumaStatistics, Parameters, Scan};
use image::{GrayImage, Luma};
use std::error::Error;
use std::fs::File;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, number, folder] = arguments.as_slice() else {
        return Err("usage: skin INPUT.y4m FRAME FOLDER".into());
    };
    let number: u64 = number.parse()?;
    let mut reader = Reader::new(File::open(input)?)?;
    let mut frame = Frame::default();
    for read in 0..=number {
        if reader.read(&mut frame)?.is_none() {
            return Err(format!("{input} has only {read} frames").into());
        }
    }
    let folder = Path::new(folder);

    let (_, luma) = passed(&frame, &Parameters::default())?;
    histogram(&luma).save(folder.join("histogram.png"))?;

    let mut parameters = Parameters::default();
    parameters.color.std_enable = 1;
    parameters.color.vy_std_enable = 1;
    let (_, luma) = passed(&frame, &parameters)?;
    println!("{} pixels of skin, {} of skin tone in all", luma.skin_pixels, luma.skin_factor_sum);
    // The factor takes the place of the luma, times 128 of 4096: 8 of 256.
    parameters.color.output_control = 1;
    let (map, _) = passed(&frame, &parameters)?;
    let (width, height) = map.format().plane_size(0);
    let shade = |x, y| Luma([(map.plane(0)[y as usize * width + x as usize] as u32 * 255 / (31 * 8)) as u8]);
    GrayImage::from_fn(width as u32, height as u32, shade).save(folder.join("skin.png"))?;
    Ok(())
}

/// What the colour pipe makes of a frame, and its luma.
fn passed(frame: &Frame, parameters: &Parameters) -> Result<(Frame, LumaStatistics), Box<dyn Error>> {
    let builder = Builder::new(frame.format(), Scan::Progressive).denoise(false).statistics(false).luma_statistics(true);
    let mut stream = builder.parameters(parameters.clone()).build()?;
    stream.push(&frame.planes())?;
    let output = stream.pull().ok_or("no frame")?;
    Ok((output.frame, output.luma.ok_or("no statistics")?))
}

/// Two columns a value.
fn histogram(luma: &LumaStatistics) -> GrayImage {
    const HEIGHT: u32 = 200;
    let most = luma.histogram.iter().max().copied().unwrap_or(0).max(1) as u64;
    GrayImage::from_fn(512, HEIGHT, |x, y| {
        let count = luma.histogram[x as usize / 2] as u64;
        let height = (count * HEIGHT as u64).div_ceil(most);
        Luma([if ((HEIGHT - y) as u64) <= height { 255 } else { 24 }])
    })
}
