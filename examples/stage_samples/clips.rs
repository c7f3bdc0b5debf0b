//! The clips: the scene with the fault or the property that a stage treats.
use super::scene::{Color, SIZE, pixel};
use dndi::Frame;
use dndi::y4m::{FrameHeader, Header, Writer};
use std::error::Error;

/// Frames of a clip that a stage reads in succession.
const FRAMES: usize = 12;

/// A clip as a y4m file, by name.
type Clip = (&'static str, Vec<u8>);

/// All clips.
pub fn all() -> Result<Vec<Clip>, Box<dyn Error>> {
    let scaled = |color: Color, by: Color| [color[0] * by[0], color[1] * by[1], color[2] * by[2]];
    // The distance of each colour from a grey of its brightness is multiplied.
    let saturated = |factor: f64| {
        picture(|x, y| {
            let color = pixel(x, y);
            let grey = 0.3 * color[0] + 0.6 * color[1] + 0.1 * color[2];
            color.map(|value| grey + factor * (value - grey))
        })
    };
    let mut noise = Noise(7);
    let mut grain = vec![];
    for _ in 0..FRAMES {
        grain.push(picture(|x, y| {
            let added = 0.16 * (noise.next() + noise.next() + noise.next() - 1.5);
            pixel(x, y).map(|value| value + added)
        }));
    }
    Ok(vec![
        progressive("scene.y4m", &[picture(pixel)])?,
        progressive("warm.y4m", &vec![picture(|x, y| scaled(pixel(x, y), [1.0, 0.9, 0.74])); FRAMES])?,
        progressive("dark.y4m", &[picture(|x, y| pixel(x, y).map(|value| value * value))])?,
        progressive("shade.y4m", &[picture(|x, y| pixel(x, y).map(|value| 0.34 + 0.3 * value - 0.26 * shade(x)))])?,
        progressive("vivid.y4m", &[saturated(2.1)])?,
        progressive("pale.y4m", &[saturated(0.6)])?,
        progressive(
            "sensor.y4m",
            &[picture(|x, y| {
                let hot = (x * 7919 + y * 104_729) % 331 == 0;
                pixel(x, y).map(|value| if hot { 1.0 } else { 0.35 * value })
            })],
        )?,
        progressive("grain.y4m", &grain)?,
        raw()?,
        lines()?,
    ])
}

/// The share of shade at a column: none on the left, all on the right, a soft edge between.
fn shade(x: usize) -> f64 {
    ((x as f64 - 40.0) / 120.0).clamp(0.0, 1.0)
}

/// A picture of 4:4:4: 8-bit luma and chroma of BT.601, limited range, not limited to RGB.
fn picture(mut color: impl FnMut(usize, usize) -> Color) -> Vec<u8> {
    let (width, height) = SIZE;
    let mut planes = vec![0; 3 * width * height];
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let [r, g, b] = color(x, y);
        let luma = 0.299 * r + 0.587 * g + 0.114 * b;
        let values = [16.0 + 219.0 * luma, 128.0 + 224.0 * (b - luma) / 1.772, 128.0 + 224.0 * (r - luma) / 1.402];
        for (plane, value) in values.into_iter().enumerate() {
            planes[(plane * height + y) * width + x] = value.round().clamp(1.0, 254.0) as u8;
        }
    }
    planes
}

/// A progressive clip of 4:4:4.
fn progressive(name: &'static str, pictures: &[Vec<u8>]) -> Result<Clip, Box<dyn Error>> {
    Ok((name, file("Ip C444", pictures)?))
}

/// The samples of a sensor: the colours of the first two samples of a line are red and green, of
/// the next line green and blue.
fn raw() -> Result<Clip, Box<dyn Error>> {
    let (width, height) = SIZE;
    let sample = |(y, x): (usize, usize)| (255.0 * pixel(x, y)[x % 2 + y % 2]).round() as u8;
    let samples = (0..height).flat_map(|y| (0..width).map(move |x| (y, x))).map(sample);
    Ok(("raw.y4m", file("Ip Cmono", &[samples.collect()])?))
}

/// Thin lines that move up by two lines in a field, beside still ones. The top field is first.
fn lines() -> Result<Clip, Box<dyn Error>> {
    let (width, height) = SIZE;
    let frame = |number: usize| {
        let line = |y: usize| {
            let at = (y + 2 * (2 * number + y % 2)) as f64;
            (0..width).map(move |x| {
                let position = if x < width / 2 { y as f64 } else { at };
                let distance = (position.rem_euclid(16.0) - 8.0).abs();
                (40.0 + 180.0 * (1.4 - distance).clamp(0.0, 1.0)).round() as u8
            })
        };
        let mut samples: Vec<u8> = (0..height).flat_map(line).collect();
        samples.resize(width * height * 3 / 2, 128);
        samples
    };
    Ok(("lines.y4m", file("It C420mpeg2", &(0..FRAMES).map(frame).collect::<Vec<_>>())?))
}

/// A y4m file.
fn file(tags: &str, pictures: &[Vec<u8>]) -> Result<Vec<u8>, Box<dyn Error>> {
    let (width, height) = SIZE;
    let header = Header::parse(format!("YUV4MPEG2 W{width} H{height} F25:1 A1:1 {tags}").as_bytes())?;
    let mut bytes = vec![];
    let mut writer = Writer::new(&mut bytes, &header)?;
    for picture in pictures {
        writer.write(&FrameHeader::default(), &Frame::from_vec(header.format(), picture.clone()))?;
    }
    drop(writer);
    Ok(bytes)
}

/// Pseudo-random numbers, 0…1.
struct Noise(u32);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(self.0 >> 8) / f64::from(1 << 24)
    }
}
