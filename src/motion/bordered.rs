//! Planes with borders that vectors may reach.
use crate::memory::{OutOfMemory, zeroed};
use dndi_simd::Sample;
use rayon::prelude::*;

/// Samples on each side of a plane that repeat the nearest one inside: the 32 by which a window may
/// lie outside (§15.4), and those that interpolation reads.
pub(crate) const BORDER: usize = 48;

/// A plane with repeated samples on all sides.
#[derive(Debug, Default)]
pub(crate) struct BorderedPlane<S = u8> {
    data: Vec<S>,
    width: usize,
    height: usize,
}

impl<S: Sample> BorderedPlane<S> {
    /// A plane of zeros; without samples if `width` is 0.
    pub fn new((width, height): (usize, usize)) -> Result<BorderedPlane<S>, OutOfMemory> {
        let samples = if width == 0 { 0 } else { (width + 2 * BORDER) * (height + 2 * BORDER) };
        Ok(BorderedPlane { data: zeroed(samples)?, width, height })
    }

    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Samples from line to line.
    pub fn stride(&self) -> usize {
        self.width + 2 * BORDER
    }

    /// The samples from column `x` of line `y` on, both from -[`BORDER`] on.
    pub fn from(&self, x: isize, y: isize) -> &[S] {
        &self.data[self.index(x, y)..]
    }

    /// All samples, for [`index`](BorderedPlane::index).
    pub fn data(&self) -> &[S] {
        &self.data
    }

    /// Index of a sample, at most [`BORDER`] outside the picture.
    pub fn index(&self, x: isize, y: isize) -> usize {
        BORDER.wrapping_add_signed(y) * self.stride() + BORDER.wrapping_add_signed(x)
    }

    /// The samples of line `y`.
    pub fn line(&self, y: usize) -> &[S] {
        &self.from(0, y as isize)[..self.width]
    }

    /// Writes bands of `lines` lines in parallel: `write` receives the number of a line, and its
    /// samples. Borders must be [extended](BorderedPlane::extend) then.
    pub fn write_lines(&mut self, lines: usize, write: impl Fn(usize, &mut [S]) + Sync) {
        let (width, stride) = (self.width, self.stride());
        self.bands(lines).for_each(|(first, band)| {
            for (i, line) in band.chunks_exact_mut(stride).enumerate() {
                write(first + i, &mut line[BORDER..BORDER + width]);
            }
        });
    }

    /// Bands of `lines` lines: the number of the first line, and the lines with their borders.
    pub fn bands(&mut self, lines: usize) -> impl IndexedParallelIterator<Item = (usize, &mut [S])> {
        let (stride, height) = (self.stride(), self.height);
        let inner = if self.width == 0 { &mut [][..] } else { &mut self.data[BORDER * stride..][..height * stride] };
        inner.par_chunks_mut(lines * stride).enumerate().map(move |(band, data)| (band * lines, data))
    }

    /// Repeats the samples at the edges in the borders.
    pub fn extend(&mut self) {
        if self.width == 0 {
            return;
        }
        let (width, stride, height) = (self.width, self.stride(), self.height);
        self.bands(64).for_each(|(_, band)| {
            for line in band.chunks_exact_mut(stride) {
                let (first, last) = (line[BORDER], line[BORDER + width - 1]);
                line[..BORDER].fill(first);
                line[BORDER + width..].fill(last);
            }
        });
        for border in 0..BORDER {
            self.data.copy_within(BORDER * stride..(BORDER + 1) * stride, border * stride);
            let last = (BORDER + height - 1) * stride;
            self.data.copy_within(last..last + stride, (BORDER + height + border) * stride);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_repeat_the_nearest_sample() {
        let mut plane = BorderedPlane::<u8>::new((3, 2)).unwrap();
        plane.write_lines(1, |y, line| line.copy_from_slice(&[[1, 2, 3], [4, 5, 6]][y]));
        plane.extend();
        for (x, y) in (-48..51).flat_map(|x| (-48..50).map(move |y| (x, y))) {
            let nearest = 1 + x.clamp(0, 2) as u8 + 3 * y.clamp(0, 1) as u8;
            assert_eq!(plane.from(x, y)[0], nearest, "{x} {y}");
        }
    }
}
