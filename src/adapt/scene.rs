//! Scene cuts of automatic denoising: a cut is between pictures whose thumbnails do not correlate.
//! Those between fields (`field_cuts`) read the same thumbnails (§14.1).
//!
//! The correlation ignores gain and offset, so that changes of the light are no cuts, and noise,
//! which the cell means remove. `docs/design/scene-cuts.md` compares it with the measures of the
//! detector and of automatic contrast.
use super::curve::{Share10, WHOLE};
use crate::frame::PlaneSample;
use crate::plane::PlaneView;

/// Cells across. Chosen on the clips of the corpus, with [`ROWS`]: almost all thumbnails within a
/// shot correlate by 0.83 and more, and most of different shots by less than 0.5. With more cells
/// motion within a shot lowers the correlation; with fewer, different shots look alike.
const COLUMNS: usize = 8;

/// Cells down. See [`COLUMNS`].
const ROWS: usize = 6;
pub(super) const CELLS: usize = COLUMNS * ROWS;

/// Approximate number of sampled lines of a picture, all of one field; low pictures have half as
/// many.
///
/// Chosen for its cost. With 480 the thumbnail takes more time and finds the same cuts; with 32 the
/// cells of small pictures have few pixels, and the scene-cut series has 12 more false cuts.
const SAMPLED_LINES: usize = 128;

/// Correlation below which a frame starts another shot: 0.8.
///
/// Chosen on the clips of the corpus, where it is mostly 0.98 within shots and mostly below 0.5
/// between them. The exceptions within shots are two macro clips with strong motion: they go down
/// to 0.75 and, as fields, to 0.51, which is a false cut. With 0.9 the scene-cut series has 62
/// false cuts in whole clips instead of 11 and 185 in pans instead of 43, with two more of 328 cuts
/// found; with 0.7 it has 4 and 18, with one cut fewer found.
const MIN_CORRELATION: Share10 = WHOLE * 4 / 5;

/// Smallest variance of the cell means of a visible picture, in code values squared; black pictures
/// have less. With 16 faint pictures count as blank and `blank_pictures_have_no_thumbnail` fails;
/// with less, black pictures may count as shots (no measured effect at 0).
const VISIBLE_VARIANCE: u64 = 1;

/// Addition to [`VISIBLE_VARIANCE`] for cells of one pixel, in code values squared; divided by the
/// pixels of a cell. It is eight times the variance of noise of standard deviation 16, so that
/// noise alone does not count as a picture. Raised, small pictures never have a cut; with 0 noise
/// counts as a picture. Unit tests fail in both cases.
const VISIBLE_VARIANCE_NOISE: u64 = 8 * 16 * 16;

/// The largest mean of a cell, in 1/16 of a code value: that of samples of 16 bits.
const LARGEST: u64 = 16 * 256 - 1;

/// Means of 8×6 cells of a picture relative to the mean of all cells, in 1/16 of a code value; of
/// one plane or of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thumbnail([[i32; CELLS]; 2]);

impl Thumbnail {
    /// The thumbnail of planes with their sizes; none of a blank picture. Of fields only the
    /// earlier one counts, whose first line is `first`: a frame with a cut between its fields is
    /// the last one of the old shot.
    pub fn of<'a, S: PlaneSample>(
        planes: impl Iterator<Item = (PlaneView<'a, S>, (usize, usize))>,
        first: usize,
        depth: u8,
    ) -> Option<Thumbnail> {
        let (mut thumbnail, mut pixels) = (Thumbnail([[0; CELLS]; 2]), u64::MAX);
        for (cells, (view, size)) in thumbnail.0.iter_mut().zip(planes) {
            pixels = pixels.min(means(cells, view, size, first, depth)?);
        }
        let energy = thumbnail.product(&thumbnail) as u64;
        (energy >= (CELLS * 16 * 16) as u64 * (VISIBLE_VARIANCE + VISIBLE_VARIANCE_NOISE / pixels)).then_some(thumbnail)
    }

    /// Whether both pictures may belong to the same shot.
    pub fn correlates(&self, other: &Thumbnail) -> bool {
        correlate(self.product(other), (self.product(self), other.product(other)))
    }

    /// The thumbnail of a picture with one bright half: the left one (0) or the upper one (1).
    #[cfg(test)]
    pub const fn half(which: usize) -> Thumbnail {
        let (mut cells, mut cell) = ([-800; CELLS], 0);
        while cell < CELLS {
            if [cell % COLUMNS < COLUMNS / 2, cell < CELLS / 2][which] {
                cells[cell] = 800;
            }
            cell += 1;
        }
        Thumbnail([cells, [0; CELLS]])
    }

    /// A thumbnail whose first cells are these; the others are 0.
    #[cfg(test)]
    pub fn of_cells(first: &[i32]) -> Thumbnail {
        let mut thumbnail = Thumbnail([[0; CELLS]; 2]);
        thumbnail.0[0][..first.len()].copy_from_slice(first);
        thumbnail
    }

    /// The sum of products of the cells.
    pub(super) fn product(&self, other: &Thumbnail) -> i64 {
        self.0.as_flattened().iter().zip(other.0.as_flattened()).map(|(&a, &b)| a as i64 * b as i64).sum()
    }

    /// The number of cells that differ from the cells of another thumbnail, or from 0, by
    /// `minimum` or more.
    pub(super) fn changes(&self, other: Option<&Thumbnail>, minimum: u32) -> usize {
        let cells = self.0.as_flattened().iter().enumerate();
        cells.filter(|(i, cell)| cell.abs_diff(other.map_or(0, |other| other.0.as_flattened()[*i])) >= minimum).count()
    }
}

/// Whether a product of two thumbnails is a correlation, by their products with themselves.
pub(super) fn correlate(product: i64, (a, b): (i64, i64)) -> bool {
    // Each product is at most 2·48·4095², so that 64 bits hold the product of two.
    let energy = (a as u64 * b as u64).isqrt();
    product.max(0) as u64 * WHOLE as u64 >= energy * MIN_CORRELATION as u64
}

/// Fills in the cells of a plane and returns the number of pixels of the smallest cell; none if a
/// cell has no pixel.
fn means<S: PlaneSample>(
    cells: &mut [i32; CELLS],
    view: PlaneView<S>,
    size: (usize, usize),
    first: usize,
    depth: u8,
) -> Option<u64> {
    let (mut sums, mut counts) = ([0u64; CELLS], [0u64; CELLS]);
    for (cell, pixels) in cell_lines(view, size, first) {
        sums[cell] += sum(pixels);
        counts[cell] += pixels.len() as u64;
    }
    let least = counts.into_iter().min().filter(|&least| least > 0)?;
    for (cell, (sum, count)) in cells.iter_mut().zip(sums.into_iter().zip(counts)) {
        // Samples above the range of their depth count at most as the end of the range.
        *cell = ((16 * sum / count) >> (depth - 8)).min(LARGEST) as i32;
    }
    let mean = cells.iter().sum::<i32>() / CELLS as i32;
    cells.iter_mut().for_each(|cell| *cell -= mean);
    Some(least)
}

/// The sampled lines of a field, cut at the borders of the cells, each with the number of its cell.
pub(super) fn cell_lines<'a, S: PlaneSample>(
    view: PlaneView<'a, S>,
    (width, height): (usize, usize),
    first: usize,
) -> impl Iterator<Item = (usize, &'a [S])> {
    // An even step keeps all lines in one field.
    let step = ((height / SAMPLED_LINES) & !1).max(2);
    (first..height).step_by(step).flat_map(move |y| {
        let line = view.line(y as isize, 0, width);
        let row = y * ROWS / height * COLUMNS;
        (0..COLUMNS).map(move |column| (row + column, &line[column * width / COLUMNS..(column + 1) * width / COLUMNS]))
    })
}

/// The sum of the pixels of a line.
fn sum<S: PlaneSample>(pixels: &[S]) -> u64 {
    // A line has at most 8192 samples of 16 bits.
    S::as_bytes(pixels).map_or_else(|| pixels.iter().map(|&pixel| pixel.into()).sum::<u32>().into(), sum_of_bytes)
}

/// The sum of bytes, computed for sixteen at a time.
fn sum_of_bytes(pixels: &[u8]) -> u64 {
    let (whole, rest) = pixels.as_chunks::<16>();
    let mut all = rest.iter().map(|&pixel| pixel as u64).sum();
    // Sums of 16 bits hold 257 pixels.
    for part in whole.chunks(257) {
        let mut sums = [0u16; 16];
        for pixels in part {
            sums.iter_mut().zip(pixels).for_each(|(sum, &pixel)| *sum += pixel as u16);
        }
        all += sums.iter().map(|&sum| sum as u64).sum::<u64>();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::InputPlane;
    use crate::plane::PaddedPlane;
    use dndi_simd::{Kernels, SimdLevel};

    fn kernels() -> &'static Kernels {
        Kernels::at(SimdLevel::Scalar).unwrap()
    }

    /// The thumbnail of a plane. `pixel` returns a pixel by its position, as shares of width and
    /// height, and by its line.
    fn thumbnail((width, height): (usize, usize), first: usize, pixel: impl Fn(f64, f64, usize) -> f64) -> Option<Thumbnail> {
        let at = |i: usize| pixel((i % width) as f64 / width as f64, (i / width) as f64 / height as f64, i / width) as u8;
        let data: Vec<u8> = (0..width * height).map(at).collect();
        let mut padded = PaddedPlane::new(width, height).unwrap();
        padded.import(kernels(), InputPlane { data: &data, stride: width, most: 255 });
        Thumbnail::of(std::iter::once((padded.frame(), (width, height))), first, 8)
    }

    fn hill(x: f64, y: f64) -> f64 {
        60.0 + 140.0 * (-8.0 * ((x - 0.3).powi(2) + (y - 0.6).powi(2))).exp()
    }

    const SIZE: (usize, usize) = (208, 150);

    #[test]
    fn light_and_motion_are_no_cuts() {
        let before = thumbnail(SIZE, 0, |x, y, _| hill(x, y)).unwrap();
        for (gain, offset, far) in [(1.0, 0.0, 0.0), (0.3, 0.0, 0.0), (1.0, 55.0, 0.0), (1.2, -60.0, 0.06), (0.5, 100.0, -0.06)] {
            let after = thumbnail(SIZE, 0, |x, y, _| gain * hill(x + far, y + far) + offset).unwrap();
            assert!(before.correlates(&after) && after.correlates(&before), "{gain} {offset} {far}");
        }
        for other in [|x: f64, y: f64, _| hill(1.0 - x, y), |x, y, _| 250.0 - hill(x, y)] {
            let other = thumbnail(SIZE, 0, other).unwrap();
            assert!(!before.correlates(&other) && !other.correlates(&before));
        }
    }

    #[test]
    fn only_the_earlier_field_counts() {
        let [old, new] =
            [0, 1].map(|first| thumbnail(SIZE, first, |x, y, line| hill(if line % 2 == 0 { x } else { 1.0 - x }, y)).unwrap());
        assert!(old.correlates(&thumbnail(SIZE, 0, |x, y, _| hill(x, y)).unwrap()));
        assert!(new.correlates(&thumbnail(SIZE, 0, |x, y, _| hill(1.0 - x, y)).unwrap()) && !new.correlates(&old));
    }

    #[test]
    fn blank_pictures_have_no_thumbnail() {
        assert_eq!(thumbnail(SIZE, 0, |_, _, _| 16.0), None);
        // A faint gradient, a variance that may be noise, and too few pixels.
        assert_eq!(thumbnail(SIZE, 0, |x, _, _| 16.0 + 2.0 * x), None);
        let small = |size| thumbnail(size, 0, |x, y, _| 0.05 * hill(x, y) + 40.0);
        assert!(small((640, 480)).is_some() && small((64, 48)).is_none());
        for size in [(1, 1), (7, 200), (200, 6), (1, 0), (0, 0)] {
            assert_eq!(thumbnail(size, 0, |x, y, _| hill(x, y)), None);
        }
        // The largest possible differences.
        let checks =
            thumbnail(
                (2048, 2048),
                0,
                |x, y, _| if ((x * 8.0) as usize + (y * 6.0) as usize).is_multiple_of(2) { 255.0 } else { 0.0 },
            );
        assert!(checks.unwrap().correlates(&checks.unwrap()));
    }

    #[test]
    fn cells_are_means_of_their_pixels() {
        // Cells of three pixels of one field, in sixteenths.
        let pixel = |x: f64, y: f64| {
            let (column, row) = ((24.0 * x).round() as usize, (12.0 * y).round() as usize);
            if column % 3 < 2 && row % 2 == 0 { 40 * (row / 2) + 7 * (column / 3) } else { 0 }
        };
        let Thumbnail([cells, none]) = thumbnail((24, 12), 0, |x, y, _| pixel(x, y) as f64).unwrap();
        let means: Vec<i32> = (0..48).map(|cell| 16 * 2 * (40 * (cell / 8) + 7 * (cell % 8)) / 3).collect();
        let mean = means.iter().sum::<i32>() / 48;
        assert!(cells.iter().zip(means).all(|(&cell, own)| cell == own - mean) && none == [0; CELLS]);
        // Cells of one pixel suffice.
        assert!(thumbnail((8, 12), 0, |x, _, _| if x < 0.5 { 250.0 } else { 0.0 }).is_some());
    }

    #[test]
    fn sums_of_long_lines_do_not_overflow() {
        for length in [0, 15, 16, 100, 5000] {
            assert_eq!(sum(&vec![255u8; length]), 255 * length as u64);
            assert_eq!(sum(&vec![65535u16; length]), 65535 * length as u64);
        }
        assert_eq!(sum(&(0..=255).collect::<Vec<u8>>()), 255 * 128);
    }

    #[test]
    fn two_planes_count_together() {
        let plane = |pixel: fn(f64, f64, usize) -> f64| {
            let mut padded = PaddedPlane::new(SIZE.0, SIZE.1).unwrap();
            let data: Vec<u8> = (0..SIZE.0 * SIZE.1)
                .map(|i| pixel((i % SIZE.0) as f64 / SIZE.0 as f64, (i / SIZE.0) as f64 / SIZE.1 as f64, 0) as u8)
                .collect();
            padded.import(kernels(), InputPlane { data: &data, stride: SIZE.0, most: 255 });
            padded
        };
        let (grey, here, there) = (plane(|_, _, _| 128.0), plane(|x, y, _| hill(x, y)), plane(|x, y, _| hill(1.0 - x, y)));
        let of = |planes: [&PaddedPlane; 2]| Thumbnail::of(planes.into_iter().map(|plane| (plane.frame(), SIZE)), 0, 8);
        assert_eq!(of([&grey, &grey]), None);
        assert!(of([&grey, &here]).unwrap().correlates(&of([&grey, &here]).unwrap()));
        assert!(!of([&grey, &here]).unwrap().correlates(&of([&grey, &there]).unwrap()));
    }

    /// A thumbnail with these cells in both planes.
    fn cells(first: &[i32], second: &[i32]) -> Thumbnail {
        let mut thumbnail = Thumbnail([[0; CELLS]; 2]);
        thumbnail.0[0][..first.len()].copy_from_slice(first);
        thumbnail.0[1][..second.len()].copy_from_slice(second);
        thumbnail
    }

    #[test]
    fn shots_correlate_by_four_fifths() {
        // Vectors of length 1024, whose cosines are 819/1024 and 818/1024.
        let unit = cells(&[1000], &[]);
        let (same, other) = (cells(&[819, 614, 27], &[9, 3]), cells(&[818, 615, 35], &[1, 1]));
        assert!(unit.correlates(&same) && same.correlates(&unit));
        assert!(!unit.correlates(&other) && !other.correlates(&unit));
        assert!(!unit.correlates(&cells(&[-1000], &[])));
    }

    /// The thumbnail of a picture whose upper half is brighter by two, except `less` of its cells.
    fn faint(size: (usize, usize), less: usize) -> Option<Thumbnail> {
        thumbnail(size, 0, |x, y, _| {
            let cell = (6.0 * y) as usize * 8 + (8.0 * x) as usize;
            if cell < less || cell >= 48 - less {
                101.0
            } else if cell < 24 {
                102.0
            } else {
                100.0
            }
        })
    }

    /// A variance of 1 is visible, and of noise nothing in cells of more than 2048 samples.
    #[test]
    fn faint_pictures_are_visible() {
        // Cells of 32 lines of 65 pixels.
        assert!(faint((8 * 65, 384), 0).is_some() && faint((8 * 65, 384), 1).is_none());
        // Cells of 2048 and of 2049 samples.
        assert!(faint((8 * 64, 384), 0).is_none() && faint((8 * 683, 36), 0).is_some());
    }

    /// From 512 lines on every second line of the field is skipped.
    #[test]
    fn about_128_lines_are_sampled() {
        let between = |height: usize| {
            let skipped = thumbnail((80, height), 0, |x, _, line| if line % 4 == 2 { 250.0 * x } else { 100.0 });
            skipped.is_some()
        };
        assert!(between(511) && !between(512));
        // The number of lines from one to the next is even.
        let other_field = |height: usize| thumbnail((80, height), 0, |x, _, line| if line % 2 == 1 { 250.0 * x } else { 100.0 });
        assert!([511, 640, 768, 896, 1024].into_iter().all(|height| other_field(height).is_none()));
        assert!(between(127) && between(128));
    }
}
