//! Interpolation of the colours that each sample of a Bayer frame lacks (§13.8).
use super::parameters::{BayerPattern, CaptureParameters, Site};
use crate::frame::{InputPlane, MIN_TASK_LINES, PlaneSample};
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use dndi_simd::Kernels;
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
    /// G, with one sample around the picture.
    greens: Vec<u16>,
    /// R, G and B of each pixel, 16 bits each, line by line.
    rgb: [Vec<u16>; 3],
}

impl Demosaic {
    /// Buffers for frames of `width`×`height` samples, at least 2×2.
    pub fn new(pattern: BayerPattern, width: usize, height: usize) -> Result<Demosaic, OutOfMemory> {
        let values = zeroed((width + 2 * REACH) * (height + 2 * REACH))?;
        let greens = zeroed((width + 2) * (height + 2))?;
        Ok(Demosaic { pattern, width, height, values, greens, rgb: zeroed_rows(width * height)? })
    }

    /// Interpolates the colours of a frame with samples of `depth` bits.
    pub fn run<S: PlaneSample>(&mut self, kernels: &Kernels, parameters: &CaptureParameters, plane: InputPlane<S>, depth: u8) {
        self.read(kernels, parameters, plane, depth);
        self.find_green(kernels);
        self.find_colors(kernels);
    }

    /// R, G and B of the frame, 16 bits each, line by line without gaps.
    pub fn planes(&self) -> [&[u16]; 3] {
        self.rgb.each_ref().map(Vec::as_slice)
    }

    /// The samples, less their black point and balanced.
    fn read<S: PlaneSample>(&mut self, kernels: &Kernels, parameters: &CaptureParameters, plane: InputPlane<S>, depth: u8) {
        let Demosaic { pattern, width, height, ref mut values, .. } = *self;
        let lines = values.par_chunks_exact_mut(width + 2 * REACH).skip(REACH).take(height).enumerate();
        lines.with_min_len(MIN_TASK_LINES).for_each(|(y, line)| {
            let levels = pattern.line(y).map(|site| parameters.of(site));
            (S::kernels(kernels).bayer_levels)(&mut line[REACH..][..width], plane.line(y, width), levels, depth);
        });
        surround(values, (width, height), REACH);
    }

    /// Green of all samples.
    fn find_green(&mut self, kernels: &Kernels) {
        let Demosaic { pattern, width, height, ref values, ref mut greens, .. } = *self;
        let stride = width + 2 * REACH;
        let lines = greens.par_chunks_exact_mut(width + 2).skip(1).take(height).enumerate();
        lines.with_min_len(MIN_TASK_LINES).for_each(|(y, line)| {
            let rows = std::array::from_fn(|row| &values[(y + row) * stride..][..stride]);
            (kernels.bayer_green)(&mut line[1..=width], rows, pattern.green_column(y));
        });
        surround(greens, (width, height), 1);
    }

    /// Red, green and blue of each pixel.
    fn find_colors(&mut self, kernels: &Kernels) {
        let Demosaic { pattern, width, ref values, ref greens, ref mut rgb, .. } = *self;
        let (stride, aside) = (width + 2 * REACH, REACH - 1);
        let [red, green, blue] = rgb;
        let outputs =
            red.par_chunks_exact_mut(width).zip(green.par_chunks_exact_mut(width)).zip(blue.par_chunks_exact_mut(width));
        outputs.enumerate().with_min_len(MIN_TASK_LINES).for_each(|(y, ((red, green), blue))| {
            let values = std::array::from_fn(|row| &values[(y + row + aside) * stride + aside..][..width + 2]);
            let greens: [&[u16]; 3] = std::array::from_fn(|row| &greens[(y + row) * (width + 2)..][..width + 2]);
            green.copy_from_slice(&greens[1][1..=width]);
            let (own, other) = if pattern.line(y).contains(&Site::Red) { (red, blue) } else { (blue, red) };
            (kernels.bayer_colors)(own, other, values, greens, pattern.green_column(y));
        });
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
