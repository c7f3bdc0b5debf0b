//! RGB pictures for drawing.

use crate::error::CliError;
use crate::io::rgb;
use dndi::{
    ChromaLocation, ColorSpace, Format, Frame, LumaStatistics, Parameters, Samples, Sampling, Scale, Scan, Stream, StreamBuilder,
};
use std::borrow::Cow;

/// Width of the gap between two pictures, in pixels.
const GAP: usize = 4;

/// Height of a histogram in pixels.
const HISTOGRAM: usize = 100;

/// Colour of areas without a picture.
const BACKGROUND: [u8; 3] = [24; 3];

/// A picture of R, G and B.
#[derive(Clone, Debug)]
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Result<Canvas, CliError> {
        let mut pixels = vec![];
        rgb::reserve(&mut pixels, width * height)?;
        pixels.resize(width * height, BACKGROUND);
        Ok(Canvas { width, height, pixels })
    }

    /// Converts a frame of 8 bits to RGB. The chroma of an interlaced frame is interpolated within
    /// each field. A mono frame is grey.
    pub fn of(frame: &Frame, scan: Scan, space: ColorSpace, location: ChromaLocation) -> Result<Canvas, CliError> {
        let Format { width, height, .. } = frame.format();
        let mut parameters = Parameters::default();
        parameters.color.set_conversion_to_rgb(space, 8);
        let size = Scale::new(width, height).sampling(Sampling::C444);
        let shown =
            process_frame(frame, scan, |builder| builder.scale(Some(size)).chroma_location(location).parameters(parameters))?.0;
        let [Samples::U8(g), Samples::U8(b), Samples::U8(r)] = rgb::planes(&shown) else {
            return Err(CliError::runtime("internal error: a picture of more than 8 bits"));
        };
        let mut pixels = vec![];
        rgb::reserve(&mut pixels, width * height)?;
        pixels.extend(r.iter().zip(g).zip(b).map(|((&r, &g), &b)| [r, g, b]));
        Ok(Canvas { width, height, pixels })
    }

    /// The pictures from left to right, aligned at the top.
    pub fn side_by_side(mut pictures: Vec<Canvas>) -> Result<Canvas, CliError> {
        if pictures.len() == 1 {
            return Ok(pictures.remove(0));
        }
        let width = pictures.iter().map(|picture| picture.width + GAP).sum::<usize>().saturating_sub(GAP);
        let mut all = Canvas::new(width, pictures.iter().map(|picture| picture.height).max().unwrap_or(0))?;
        let mut left = 0;
        for picture in pictures {
            for (line, from) in all.pixels.chunks_exact_mut(width).zip(picture.pixels.chunks_exact(picture.width)) {
                line[left..left + picture.width].copy_from_slice(from);
            }
            left += picture.width + GAP;
        }
        Ok(all)
    }

    /// The pixel in column `x` of line `y`.
    pub fn at(&mut self, x: usize, y: usize) -> &mut [u8; 3] {
        &mut self.pixels[y * self.width + x]
    }

    /// Converts the picture to grey, with the luma weights of BT.709.
    pub fn make_grey(&mut self) {
        for pixel in &mut self.pixels {
            let [r, g, b] = pixel.map(u32::from);
            *pixel = [((2126 * r + 7152 * g + 722 * b + 5000) / 10_000) as u8; 3];
        }
    }

    /// Blends colours into pixels. `of` returns the colour for a column and line and its share,
    /// 0…1; none keeps the pixel.
    pub fn tint(&mut self, of: impl Fn(usize, usize) -> Option<([u8; 3], f64)>) {
        let width = self.width;
        for (index, pixel) in self.pixels.iter_mut().enumerate() {
            if let Some((color, share)) = of(index % width, index / width) {
                *pixel =
                    std::array::from_fn(|c| (f64::from(pixel[c]) * (1.0 - share) + f64::from(color[c]) * share).round() as u8);
            }
        }
    }

    /// Draws a line between two pixels. The parts outside the picture are not drawn.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), color: [u8; 3]) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().clamp(1.0, 1e4);
        for step in 0..=steps as usize {
            let share = step as f64 / steps;
            let [x, y] = [from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share].map(f64::round);
            if x >= 0.0 && y >= 0.0 && x < self.width as f64 && y < self.height as f64 {
                *self.at(x as usize, y as usize) = color;
            }
        }
    }

    /// Draws the luma histogram of `frame` below the picture. Black is on the left, white is on the
    /// right, and heights are logarithmic.
    pub fn append_histogram(&mut self, frame: &Frame) -> Result<(), CliError> {
        let (_, luma) = process_frame(frame, Scan::Progressive, |builder| builder.luma_statistics(true))?;
        let counts = luma.map_or([0; 256], |luma| luma.histogram);
        // If the picture has fewer columns than there are values, a column shows the most frequent
        // one.
        let width = self.width;
        let of = |x: usize| x * 256 / width..((x + 1) * 256).div_ceil(width).min(256);
        let height = |count: u32| f64::from(count).ln_1p();
        let most = counts.iter().copied().max().map_or(1.0, height).max(1e-9);
        let mut panel = Canvas::new(width, HISTOGRAM)?;
        for x in 0..width {
            let count = counts[of(x)].iter().copied().max().unwrap_or(0);
            let filled = (height(count) / most * HISTOGRAM as f64).round() as usize;
            (HISTOGRAM - filled..HISTOGRAM).for_each(|y| *panel.at(x, y) = [220; 3]);
        }
        rgb::reserve(&mut self.pixels, (GAP + HISTOGRAM) * width)?;
        self.pixels.extend(std::iter::repeat_n(BACKGROUND, GAP * width));
        self.pixels.extend(panel.pixels);
        self.height += GAP + HISTOGRAM;
        Ok(())
    }

    /// Appends the picture to `png` as a PNG.
    pub fn encode(&self, png: &mut Vec<u8>) -> Result<(), CliError> {
        rgb::encode(self.pixels.as_flattened(), (self.width, self.height), rgb::BitDepth::Eight, png)
    }
}

/// The 8 most significant bits of each sample; the frame itself if it has 8 bits.
pub fn top_bytes(frame: &Frame) -> Result<Cow<'_, Frame>, CliError> {
    let Samples::U16(words) = frame.samples() else { return Ok(Cow::Borrowed(frame)) };
    let depth = frame.format().depth;
    let mut bytes = vec![];
    rgb::reserve(&mut bytes, words.len())?;
    bytes.extend(words.iter().map(|word| (word >> (depth - 8)).min(255) as u8));
    Ok(Cow::Owned(Frame::from_vec(frame.format().with_depth(8), bytes)))
}

/// Processes one frame with the stages from scaling on: without denoising and deinterlacing.
/// Returns the output and its luma statistics.
pub fn process_frame(
    frame: &Frame,
    scan: Scan,
    set: impl FnOnce(StreamBuilder) -> StreamBuilder,
) -> Result<(Frame, Option<LumaStatistics>), CliError> {
    let builder = Stream::builder(frame.format(), scan).denoise(false).deinterlace(false).statistics(false);
    let mut stream = set(builder).build().map_err(CliError::runtime)?;
    stream.push(&frame.planes()).map_err(CliError::runtime)?;
    let output = stream.pull().ok_or_else(|| CliError::runtime("internal error: no frame"))?;
    Ok((output.frame, output.luma))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLOR: [u8; 3] = [1, 2, 3];

    /// The pixels of a canvas of 4×3 that have a colour other than that of the background, after a
    /// line between two points.
    fn drawn(from: (f64, f64), to: (f64, f64)) -> Vec<(usize, usize)> {
        let mut canvas = Canvas::new(4, 3).unwrap();
        canvas.line(from, to, COLOR);
        let pixels = (0..12).map(|i| (i % 4, i / 4));
        pixels.filter(|&(x, y)| *canvas.at(x, y) == COLOR).collect()
    }

    #[test]
    fn lines_end_at_the_edges() {
        assert_eq!(drawn((0.0, 0.0), (0.0, 2.0)), [(0, 0), (0, 1), (0, 2)]);
        assert_eq!(drawn((3.0, 0.0), (0.0, 0.0)), [(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!(drawn((-1.0, 0.0), (4.0, 0.0)), [(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!(drawn((1.0, -1.0), (1.0, 3.0)), [(1, 0), (1, 1), (1, 2)]);
        assert_eq!(drawn((2.0, 1.0), (2.0, 1.0)), [(2, 1)]);
        assert_eq!(drawn((1.0, 1.0), (3.0, 2.0)), [(1, 1), (2, 2), (3, 2)]);
        assert_eq!(drawn((4.0, 1.0), (9.0, 3.0)), []);
    }

    #[test]
    fn greys_are_rounded_to_the_nearest() {
        let mut canvas = Canvas::new(4, 1).unwrap();
        // 15.5, 14.7, 15.4 and 255.
        for (x, pixel) in [[0, 14, 76], [0, 14, 65], [1, 13, 82], [255; 3]].into_iter().enumerate() {
            *canvas.at(x, 0) = pixel;
        }
        canvas.make_grey();
        assert_eq!(canvas.pixels, [[16; 3], [15; 3], [15; 3], [255; 3]]);
    }

    #[test]
    fn pictures_lie_side_by_side() {
        let of = |width: usize, height: usize, value: u8| {
            let mut canvas = Canvas::new(width, height).unwrap();
            canvas.pixels.fill([value; 3]);
            canvas
        };
        let mut all = Canvas::side_by_side(vec![of(2, 1, 100), of(1, 2, 200)]).unwrap();
        assert_eq!((all.width, all.height), (2 + 4 + 1, 2));
        let line = |canvas: &mut Canvas, y: usize| -> Vec<u8> { (0..7).map(|x| canvas.at(x, y)[0]).collect() };
        assert_eq!(line(&mut all, 0), [100, 100, 24, 24, 24, 24, 200]);
        assert_eq!(line(&mut all, 1), [24, 24, 24, 24, 24, 24, 200]);
    }
}
