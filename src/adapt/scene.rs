//! What a picture looks like from afar, by which is told where a shot begins: this does not care how much moves, for how much noise there is,
//! nor whether it grows darker.
use super::curve::{Share10, WHOLE};
use crate::plane::PlaneView;

/// Cells across and down.
const COLUMNS: usize = 8;
const ROWS: usize = 6;
const CELLS: usize = COLUMNS * ROWS;

/// About so many lines of a picture are looked at, or half of them.
const LINES: usize = 128;

/// Below this likeness another shot is seen. Within shots of real clips it is 0.82 and more, mostly 0.98; between two of them mostly below 0.5.
const LIKE: Share10 = WHOLE * 4 / 5;

/// How much cells differ, as a variance, where something is to be seen at all: 1, and eight times what noise of 16 leaves of itself in the mean of
/// one pixel.
const VISIBLE: u64 = 1;
const VISIBLE_IN_NOISE: u64 = 8 * 16 * 16;

/// How far the means of the cells lie from that of all, in 1/16 of a code value; of one plane or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thumbnail([[i32; CELLS]; 2]);

impl Thumbnail {
    /// Of the planes of a picture, with their sizes; none where too little is to be seen. Of fields only the earlier one counts, in which `first` is the first
    /// line, for where a cut lies between two fields the frame with both is the old shot's last.
    pub fn of<'a>(planes: impl Iterator<Item = (PlaneView<'a>, (usize, usize))>, first: usize) -> Option<Thumbnail> {
        let (mut thumbnail, mut pixels) = (Thumbnail([[0; CELLS]; 2]), u64::MAX);
        for (cells, (view, size)) in thumbnail.0.iter_mut().zip(planes) {
            pixels = pixels.min(means(cells, view, size, first)?);
        }
        let energy = thumbnail.product(&thumbnail) as u64;
        (energy >= (CELLS * 16 * 16) as u64 * (VISIBLE + VISIBLE_IN_NOISE / pixels)).then_some(thumbnail)
    }

    /// Whether both may be of the same shot.
    pub fn correlates(&self, other: &Thumbnail) -> bool {
        // At most 2·48·4080²: both products fit.
        let alone = (self.product(self) as u64 * other.product(other) as u64).isqrt();
        self.product(other).max(0) as u64 * WHOLE as u64 >= alone * LIKE as u64
    }

    /// Of which one half is bright: the left one, or the upper one.
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

    fn product(&self, other: &Thumbnail) -> i64 {
        self.0.as_flattened().iter().zip(other.0.as_flattened()).map(|(&a, &b)| a as i64 * b as i64).sum()
    }
}

/// Fills in the cells of a plane; tells how many pixels the least of them has, if any.
fn means(cells: &mut [i32; CELLS], view: PlaneView, (width, height): (usize, usize), first: usize) -> Option<u64> {
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

/// Distance in 1/256 of an 8-bit luma step beyond which a quantile of the histogram counts as moved. Lower, and captions or lamps restart
/// the contrast curve; higher, and cuts between scenes of similar brightness blend the curves of both.
const MOVED: i64 = 16 << 8;

/// The scene-cut measure of the contrast curve: whether more than five of the ten inner quantiles of the luma histogram moved. A
/// caption or a lamp moves fewer. `docs/design/scene-cuts.md` compares it with the measures of the denoiser and of the detector.
pub(super) fn most_quantiles_moved(before: &[i64; 12], now: &[i64; 12]) -> bool {
    let moved = before[1..11].iter().zip(&now[1..11]).filter(|(before, now)| (**now - **before).abs() > MOVED);
    moved.count() > 5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::BytePlane;
    use crate::plane::PaddedPlane;

    /// What a plane looks like whose pixels are told by where they lie, in parts of width and height, and by their line.
    fn thumbnail((width, height): (usize, usize), first: usize, pixel: impl Fn(f64, f64, usize) -> f64) -> Option<Thumbnail> {
        let at = |i: usize| pixel((i % width) as f64 / width as f64, (i / width) as f64 / height as f64, i / width) as u8;
        let data: Vec<u8> = (0..width * height).map(at).collect();
        let mut surface = PaddedPlane::new(width, height);
        surface.import(BytePlane { data: &data, stride: width });
        Thumbnail::of(std::iter::once((surface.frame(), (width, height))), first)
    }

    fn hill(x: f64, y: f64) -> f64 {
        60.0 + 140.0 * (-8.0 * ((x - 0.3).powi(2) + (y - 0.6).powi(2))).exp()
    }

    const SIZE: (usize, usize) = (208, 150);

    #[test]
    fn light_and_movement_are_of_the_same_shot() {
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
    fn the_earlier_field_decides() {
        let [old, new] =
            [0, 1].map(|first| thumbnail(SIZE, first, |x, y, line| hill(if line % 2 == 0 { x } else { 1.0 - x }, y)).unwrap());
        assert!(old.correlates(&thumbnail(SIZE, 0, |x, y, _| hill(x, y)).unwrap()));
        assert!(new.correlates(&thumbnail(SIZE, 0, |x, y, _| hill(1.0 - x, y)).unwrap()) && !new.correlates(&old));
    }

    #[test]
    fn what_shows_nothing_has_none() {
        assert_eq!(thumbnail(SIZE, 0, |_, _, _| 16.0), None);
        // A faint gradient; what could be noise; too few pixels.
        assert_eq!(thumbnail(SIZE, 0, |x, _, _| 16.0 + 2.0 * x), None);
        let small = |size| thumbnail(size, 0, |x, y, _| 0.05 * hill(x, y) + 40.0);
        assert!(small((640, 480)).is_some() && small((64, 48)).is_none());
        for size in [(1, 1), (7, 200), (200, 6), (1, 0), (0, 0)] {
            assert_eq!(thumbnail(size, 0, |x, y, _| hill(x, y)), None);
        }
        // The greatest differences there are.
        let checks =
            thumbnail(
                (2048, 2048),
                0,
                |x, y, _| if ((x * 8.0) as usize + (y * 6.0) as usize).is_multiple_of(2) { 255.0 } else { 0.0 },
            );
        assert!(checks.unwrap().correlates(&checks.unwrap()));
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
            let mut surface = PaddedPlane::new(SIZE.0, SIZE.1);
            let data: Vec<u8> = (0..SIZE.0 * SIZE.1)
                .map(|i| pixel((i % SIZE.0) as f64 / SIZE.0 as f64, (i / SIZE.0) as f64 / SIZE.1 as f64, 0) as u8)
                .collect();
            surface.import(BytePlane { data: &data, stride: SIZE.0 });
            surface
        };
        let (grey, here, there) = (plane(|_, _, _| 128.0), plane(|x, y, _| hill(x, y)), plane(|x, y, _| hill(1.0 - x, y)));
        let of = |planes: [&PaddedPlane; 2]| Thumbnail::of(planes.into_iter().map(|plane| (plane.frame(), SIZE)), 0);
        assert_eq!(of([&grey, &grey]), None);
        assert!(of([&grey, &here]).unwrap().correlates(&of([&grey, &here]).unwrap()));
        assert!(!of([&grey, &here]).unwrap().correlates(&of([&grey, &there]).unwrap()));
    }
}
