//! Interpolation of the colours that each sample of a Bayer frame lacks (§13.8).
use super::parameters::{BayerPattern, CaptureParameters, Site};
use crate::frame::{InputPlane, MIN_TASK_LINES, PlaneSample};
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use rayon::prelude::*;

/// Samples around the picture that green is interpolated from.
const REACH: usize = 2;

/// A frame of a sensor, and its RGB.
#[derive(Debug)]
pub(crate) struct Demosaic {
    pattern: BayerPattern,
    width: usize,
    height: usize,
    /// The samples v of 16 bits, with [`REACH`] samples around the picture.
    values: Vec<u16>,
    /// v - G, with one sample around the picture.
    differences: Vec<i32>,
    /// R, G and B of each pixel, 16 bits each, line by line.
    rgb: [Vec<u16>; 3],
}

impl Demosaic {
    /// Buffers for frames of `width`×`height` samples, at least 2×2.
    pub fn new(pattern: BayerPattern, width: usize, height: usize) -> Result<Demosaic, OutOfMemory> {
        let values = zeroed((width + 2 * REACH) * (height + 2 * REACH))?;
        let differences = zeroed((width + 2) * (height + 2))?;
        Ok(Demosaic { pattern, width, height, values, differences, rgb: zeroed_rows(width * height)? })
    }

    /// Interpolates the colours of a frame with samples of `depth` bits.
    pub fn run<S: PlaneSample>(&mut self, parameters: &CaptureParameters, plane: InputPlane<S>, depth: u8) {
        self.read(parameters, plane, depth);
        self.find_green();
        self.find_colors();
    }

    /// R, G and B of the frame, 16 bits each, line by line without gaps.
    pub fn planes(&self) -> [&[u16]; 3] {
        self.rgb.each_ref().map(Vec::as_slice)
    }

    /// The samples, less their black point and balanced.
    fn read<S: PlaneSample>(&mut self, parameters: &CaptureParameters, plane: InputPlane<S>, depth: u8) {
        let Demosaic { pattern, width, height, ref mut values, .. } = *self;
        let lines = values.par_chunks_exact_mut(width + 2 * REACH).skip(REACH).take(height).enumerate();
        lines.with_min_len(MIN_TASK_LINES).for_each(|(y, line)| {
            let sites = pattern.line(y).map(|site| parameters.of(site));
            let samples = plane.line(y, width);
            for (x, (value, &sample)) in line[REACH..].iter_mut().zip(samples).enumerate() {
                let (black, gain) = sites[x % 2];
                // Words above the range of their depth count as its end.
                let v = (sample.into() << (16 - depth)).min(65535) as i32;
                let v = (v - black).clamp(0, 65535) as u32;
                *value = ((v * u32::from(gain) + 2048) >> 12).min(65535) as u16;
            }
        });
        surround(values, (width, height), REACH);
    }

    /// The differences of red and blue samples to the green at their place.
    fn find_green(&mut self) {
        let Demosaic { pattern, width, height, ref values, ref mut differences, .. } = *self;
        let stride = width + 2 * REACH;
        let lines = differences.par_chunks_exact_mut(width + 2).skip(1).take(height).enumerate();
        lines.with_min_len(MIN_TASK_LINES).for_each(|(y, line)| {
            let rows: [&[u16]; 5] = std::array::from_fn(|row| &values[(y + row) * stride..][..stride]);
            let is_green = pattern.line(y).map(|site| matches!(site, Site::GreenOfRed | Site::GreenOfBlue));
            for (x, difference) in line[1..=width].iter_mut().enumerate() {
                let column = [0, 1, 2, 3, 4].map(|row| i32::from(rows[row][x + REACH]));
                let across = [0, 1, 2, 3, 4].map(|dx| i32::from(rows[REACH][x + dx]));
                *difference = if is_green[x % 2] { 0 } else { across[REACH] - green(across, column) };
            }
        });
        surround(differences, (width, height), 1);
    }

    /// Red, green and blue of each pixel.
    fn find_colors(&mut self) {
        let Demosaic { pattern, width, ref values, ref differences, ref mut rgb, .. } = *self;
        let [red, green, blue] = rgb;
        let outputs =
            red.par_chunks_exact_mut(width).zip(green.par_chunks_exact_mut(width)).zip(blue.par_chunks_exact_mut(width));
        outputs.enumerate().with_min_len(MIN_TASK_LINES).for_each(|(y, ((red, green), blue))| {
            let values = &values[(y + REACH) * (width + 2 * REACH) + REACH..][..width];
            let rows: [&[i32]; 3] = std::array::from_fn(|row| &differences[(y + row) * (width + 2)..][..width + 2]);
            let sites = pattern.line(y);
            for (x, &value) in values.iter().enumerate() {
                let e = |dx: usize, dy: usize| rows[dy][x + dx];
                let full = i32::from(value) - e(1, 1);
                let with = |difference: i32| (full + difference).clamp(0, 65535) as u16;
                let across = || with((e(0, 1) + e(2, 1)) >> 1);
                let down = || with((e(1, 0) + e(1, 2)) >> 1);
                let diagonal = || with((e(0, 0) + e(2, 0) + e(0, 2) + e(2, 2)) >> 2);
                (red[x], blue[x]) = match sites[x % 2] {
                    Site::Red => (value, diagonal()),
                    Site::GreenOfRed => (across(), down()),
                    Site::GreenOfBlue => (down(), across()),
                    Site::Blue => (diagonal(), value),
                };
                green[x] = full as u16;
            }
        });
    }
}

/// G at a red or blue sample, from the five samples of its line and of its column.
fn green(across: [i32; 5], column: [i32; 5]) -> i32 {
    let second = |[a, _, v, _, b]: [i32; 5]| 2 * v - a - b;
    let distance = |line: [i32; 5]| (line[1] - line[3]).abs() + second(line).abs();
    let value = |line: [i32; 5]| ((2 * (line[1] + line[3]) + second(line) + 2) >> 2).clamp(0, 65535);
    match distance(across).cmp(&distance(column)) {
        std::cmp::Ordering::Less => value(across),
        std::cmp::Ordering::Greater => value(column),
        std::cmp::Ordering::Equal => (value(across) + value(column) + 1) >> 1,
    }
}

/// Fills the `reach` samples around a picture: each is the sample that an even number of columns
/// and lines lies further in, so that it has the same colour.
fn surround<T: Copy>(samples: &mut [T], (width, height): (usize, usize), reach: usize) {
    let stride = width + 2 * reach;
    // Place in a line or column of the sample `before` the first one, or `after` the last one.
    let before = |distance: usize| reach + distance % 2;
    let after = |size: usize, distance: usize| reach + size - 1 - distance % 2;
    for line in samples.chunks_exact_mut(stride).skip(reach).take(height) {
        for distance in 1..=reach {
            line[reach - distance] = line[before(distance)];
            line[reach + width - 1 + distance] = line[after(width, distance)];
        }
    }
    for distance in 1..=reach {
        for (to, from) in [(reach - distance, before(distance)), (reach + height - 1 + distance, after(height, distance))] {
            samples.copy_within(from * stride..(from + 1) * stride, to * stride);
        }
    }
}
