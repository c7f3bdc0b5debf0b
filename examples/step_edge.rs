//! Draws the effect of the scaler's adaptive filter on a step.
//!
//! ```sh
//! cargo run --example step_edge -- docs/results/step-edge.png
//! ```
//!
//! Left: an edge and a bar, enlarged eight times with the sharp filter alone. Right: with the
//! adaptive filter (the default). Below each: the values along its centre line. The sharp filter
//! rings beside every edge; the adaptive filter stays within the values of the source.

use dndi::{Format, Frame, Parameters, Sampling, Scale, Scan, Stream};
use image::{GrayImage, Luma};
use std::error::Error;

const SOURCE: (usize, usize) = (32, 16);
const TIMES: usize = 8;
const DARK: u8 = 70;
const BRIGHT: u8 = 190;
/// Height of the curves below the pictures. One line is two values.
const CURVE: usize = 128;
const GAP: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: step_edge FILE.png")?;
    let (width, height) = (SOURCE.0 * TIMES, SOURCE.1 * TIMES);
    let mut image = GrayImage::from_pixel((2 * width + GAP) as u32, (height + GAP + CURVE) as u32, Luma([255]));
    for (panel, bypass) in [true, false].into_iter().enumerate() {
        let picture = scaled(bypass)?;
        let left = panel * (width + GAP);
        for (at, &sample) in picture.data().iter().enumerate() {
            image.put_pixel((left + at % width) as u32, (at / width) as u32, Luma([sample]));
        }
        let centre = &picture.data()[height / 2 * width..][..width];
        let line = |value: u8| height + GAP + CURVE - 1 - value as usize / 2;
        for x in 0..width {
            for level in [DARK, BRIGHT].into_iter().filter(|_| x % 4 == 0) {
                image.put_pixel((left + x) as u32, line(level) as u32, Luma([150]));
            }
            // Draws from the previous value to this one, so that the curve has no gaps.
            let (here, before) = (line(centre[x]), line(centre[x.saturating_sub(1)]));
            for y in here.min(before)..=here.max(before) {
                image.put_pixel((left + x) as u32, y as u32, Luma([0]));
            }
        }
        let (least, most) = (centre.iter().min().unwrap_or(&0), centre.iter().max().unwrap_or(&0));
        println!("{}: {DARK}…{BRIGHT} became {least}…{most}", if bypass { "sharp" } else { "adaptive" });
    }
    image.save(path)?;
    Ok(())
}

fn scaled(bypass: bool) -> Result<Frame, dndi::Error> {
    let format = Format::new(SOURCE.0, SOURCE.1, Sampling::Mono);
    let bright = |x: usize, y: usize| x >= 22 || (6..10).contains(&(x + y / 8));
    let samples = (0..SOURCE.1).flat_map(|y| (0..SOURCE.0).map(move |x| if bright(x, y) { BRIGHT } else { DARK }));
    let frame = Frame::from_vec(format, samples.collect());
    let mut parameters = Parameters::default();
    parameters.scaler.bypass_x_adaptive = bypass;
    parameters.scaler.bypass_y_adaptive = bypass;
    let scale = Scale::new(SOURCE.0 * TIMES, SOURCE.1 * TIMES);
    let builder = Stream::builder(format, Scan::Progressive).denoise(false).parameters(parameters);
    let mut stream = builder.scale(Some(scale)).build()?;
    stream.push(&frame.planes())?;
    Ok(stream.pull().expect("a frame for a frame").frame)
}
