//! What a picture looks like from afar, by which is told where a shot begins: this does not care how much moves, for how much noise there is,
//! nor whether it grows darker.
use super::curve::{ALL, Share};
use crate::surface::View;

/// Cells across and down.
const COLUMNS: usize = 8;
const ROWS: usize = 6;
const CELLS: usize = COLUMNS * ROWS;

/// About so many lines of a picture are looked at, or half of them.
const LINES: usize = 128;

/// Below this likeness another shot is seen. Within shots of real clips it is 0.82 and more, mostly 0.98; between two of them mostly below 0.5.
const LIKE: Share = ALL * 4 / 5;

/// How much cells differ, as a variance, where something is to be seen at all: 1, and eight times what noise of 16 leaves of itself in the mean of
/// one pixel.
const VISIBLE: u64 = 1;
const VISIBLE_IN_NOISE: u64 = 8 * 16 * 16;

/// How far the means of the cells lie from that of all, in 1/16 of a code value; of one plane or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outline([[i32; CELLS]; 2]);

impl Outline {
    /// Of the planes of a picture, with their sizes; none where too little is to be seen. Of fields only the earlier one counts, in which `first` is the first
    /// line, for where a cut lies between two fields the frame with both is the old shot's last.
    pub fn of<'a>(planes: impl Iterator<Item = (View<'a>, (usize, usize))>, first: usize) -> Option<Outline> {
        let (mut outline, mut pixels) = (Outline([[0; CELLS]; 2]), u64::MAX);
        for (cells, (view, size)) in outline.0.iter_mut().zip(planes) {
            pixels = pixels.min(means(cells, view, size, first)?);
        }
        let energy = outline.product(&outline) as u64;
        (energy >= (CELLS * 16 * 16) as u64 * (VISIBLE + VISIBLE_IN_NOISE / pixels)).then_some(outline)
    }

    /// Whether both may be of the same shot.
    pub fn is_like(&self, other: &Outline) -> bool {
        // At most 2·48·4080²: both products fit.
        let alone = (self.product(self) as u64 * other.product(other) as u64).isqrt();
        self.product(other).max(0) as u64 * ALL as u64 >= alone * LIKE as u64
    }

    /// Of which one half is bright: the left one, or the upper one.
    #[cfg(test)]
    pub const fn half(which: usize) -> Outline {
        let (mut cells, mut cell) = ([-800; CELLS], 0);
        while cell < CELLS {
            if [cell % COLUMNS < COLUMNS / 2, cell < CELLS / 2][which] {
                cells[cell] = 800;
            }
            cell += 1;
        }
        Outline([cells, [0; CELLS]])
    }

    fn product(&self, other: &Outline) -> i64 {
        self.0.as_flattened().iter().zip(other.0.as_flattened()).map(|(&a, &b)| a as i64 * b as i64).sum()
    }
}

/// Fills in the cells of a plane; tells how many pixels the least of them has, if any.
fn means(cells: &mut [i32; CELLS], view: View, (width, height): (usize, usize), first: usize) -> Option<u64> {
    let (mut sums, mut counts) = ([0u64; CELLS], [0u64; CELLS]);
    // Even, so that all are of one field.
    let step = ((height / LINES) & !1).max(2);
    for y in (first..height).step_by(step) {
        let line = view.line(y as isize, 0, width);
        let row = y * ROWS / height * COLUMNS;
        for column in 0..COLUMNS {
            let pixels = &line[column * width / COLUMNS..(column + 1) * width / COLUMNS];
            sums[row + column] += sum(pixels);
            counts[row + column] += pixels.len() as u64;
        }
    }
    let least = counts.into_iter().min().filter(|&least| least > 0)?;
    for (cell, (sum, count)) in cells.iter_mut().zip(sums.into_iter().zip(counts)) {
        *cell = (16 * sum / count) as i32;
    }
    let mean = cells.iter().sum::<i32>() / CELLS as i32;
    cells.iter_mut().for_each(|cell| *cell -= mean);
    Some(least)
}

/// The sum of a line's pixels, sixteen at a time.
fn sum(pixels: &[u8]) -> u64 {
    let (whole, rest) = pixels.as_chunks::<16>();
    let mut all = rest.iter().map(|&pixel| pixel as u64).sum();
    // As many as sums of 16 bits hold.
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
    use crate::frame::PlaneRef;
    use crate::surface::Surface;

    /// What a plane looks like whose pixels are told by where they lie, in parts of width and height, and by their line.
    fn outline((width, height): (usize, usize), first: usize, pixel: impl Fn(f64, f64, usize) -> f64) -> Option<Outline> {
        let at = |i: usize| pixel((i % width) as f64 / width as f64, (i / width) as f64 / height as f64, i / width) as u8;
        let data: Vec<u8> = (0..width * height).map(at).collect();
        let mut surface = Surface::new(width, height);
        surface.import(PlaneRef { data: &data, stride: width });
        Outline::of(std::iter::once((surface.frame(), (width, height))), first)
    }

    fn hill(x: f64, y: f64) -> f64 {
        60.0 + 140.0 * (-8.0 * ((x - 0.3).powi(2) + (y - 0.6).powi(2))).exp()
    }

    const SIZE: (usize, usize) = (208, 150);

    #[test]
    fn light_and_movement_are_of_the_same_shot() {
        let before = outline(SIZE, 0, |x, y, _| hill(x, y)).unwrap();
        for (gain, offset, far) in [(1.0, 0.0, 0.0), (0.3, 0.0, 0.0), (1.0, 55.0, 0.0), (1.2, -60.0, 0.06), (0.5, 100.0, -0.06)] {
            let after = outline(SIZE, 0, |x, y, _| gain * hill(x + far, y + far) + offset).unwrap();
            assert!(before.is_like(&after) && after.is_like(&before), "{gain} {offset} {far}");
        }
        for other in [|x: f64, y: f64, _| hill(1.0 - x, y), |x, y, _| 250.0 - hill(x, y)] {
            let other = outline(SIZE, 0, other).unwrap();
            assert!(!before.is_like(&other) && !other.is_like(&before));
        }
    }

    #[test]
    fn the_earlier_field_decides() {
        let [old, new] =
            [0, 1].map(|first| outline(SIZE, first, |x, y, line| hill(if line % 2 == 0 { x } else { 1.0 - x }, y)).unwrap());
        assert!(old.is_like(&outline(SIZE, 0, |x, y, _| hill(x, y)).unwrap()));
        assert!(new.is_like(&outline(SIZE, 0, |x, y, _| hill(1.0 - x, y)).unwrap()) && !new.is_like(&old));
    }

    #[test]
    fn what_shows_nothing_has_none() {
        assert_eq!(outline(SIZE, 0, |_, _, _| 16.0), None);
        // A faint gradient; what could be noise; too few pixels.
        assert_eq!(outline(SIZE, 0, |x, _, _| 16.0 + 2.0 * x), None);
        let small = |size| outline(size, 0, |x, y, _| 0.05 * hill(x, y) + 40.0);
        assert!(small((640, 480)).is_some() && small((64, 48)).is_none());
        for size in [(1, 1), (7, 200), (200, 6), (1, 0), (0, 0)] {
            assert_eq!(outline(size, 0, |x, y, _| hill(x, y)), None);
        }
        // The greatest differences there are.
        let checks =
            outline(
                (2048, 2048),
                0,
                |x, y, _| if ((x * 8.0) as usize + (y * 6.0) as usize).is_multiple_of(2) { 255.0 } else { 0.0 },
            );
        assert!(checks.unwrap().is_like(&checks.unwrap()));
    }

    #[test]
    fn sums_hold_every_line() {
        for length in [0, 15, 16, 100, 5000] {
            assert_eq!(sum(&vec![255; length]), 255 * length as u64);
        }
        assert_eq!(sum(&(0..=255).collect::<Vec<u8>>()), 255 * 128);
    }

    #[test]
    fn two_planes_count_together() {
        let plane = |pixel: fn(f64, f64, usize) -> f64| {
            let mut surface = Surface::new(SIZE.0, SIZE.1);
            let data: Vec<u8> = (0..SIZE.0 * SIZE.1)
                .map(|i| pixel((i % SIZE.0) as f64 / SIZE.0 as f64, (i / SIZE.0) as f64 / SIZE.1 as f64, 0) as u8)
                .collect();
            surface.import(PlaneRef { data: &data, stride: SIZE.0 });
            surface
        };
        let (grey, here, there) = (plane(|_, _, _| 128.0), plane(|x, y, _| hill(x, y)), plane(|x, y, _| hill(1.0 - x, y)));
        let of = |planes: [&Surface; 2]| Outline::of(planes.into_iter().map(|plane| (plane.frame(), SIZE)), 0);
        assert_eq!(of([&grey, &grey]), None);
        assert!(of([&grey, &here]).unwrap().is_like(&of([&grey, &here]).unwrap()));
        assert!(!of([&grey, &here]).unwrap().is_like(&of([&grey, &there]).unwrap()));
    }
}
