//! One plane of three successive frames, line by line.
use crate::frame::PlaneSample;
use std::ops::Range;

/// One plane of the frame before, of the frame itself, and of the frame after. Of the first and of
/// the last frame of a clip both neighbours are the one that exists.
pub(super) struct LinePictures<'a, S> {
    pub before: &'a [S],
    pub now: &'a [S],
    pub after: &'a [S],
    pub width: usize,
    pub height: usize,
    /// Bits of a sample above 8.
    pub deep: u8,
}

impl<'a, S: PlaneSample> LinePictures<'a, S> {
    pub fn line(&self, samples: &'a [S], y: usize) -> &'a [S] {
        &samples[y * self.width..][..self.width]
    }

    /// The line `distance` lines from line `y`, if there is one.
    pub fn below(&self, y: usize, distance: isize) -> Option<usize> {
        y.checked_add_signed(distance).filter(|&y| y < self.height)
    }

    /// The nearest lines of the same field above and below that have no run at these places. If
    /// there is one of them alone, it is both.
    pub fn neighbours(&self, y: usize, run: &Range<usize>, runs: &[Vec<Range<usize>>]) -> Option<[usize; 2]> {
        let nearest = |step: isize| (1..).map_while(|k| self.below(y, step * k)).find(|&line| is_whole(&runs[line], run));
        let (above, below) = (nearest(-2), nearest(2));
        above.or(below).zip(below.or(above)).map(<[usize; 2]>::from)
    }

    /// The mean of two lines.
    pub fn mean(&self, x: usize, [above, below]: [usize; 2]) -> i32 {
        let at = |y: usize| self.now[y * self.width + x].signed();
        (at(above) + at(below) + 1) >> 1
    }
}

/// Whether none of these runs has samples of `run`.
pub(super) fn is_whole(runs: &[Range<usize>], run: &Range<usize>) -> bool {
    runs.iter().all(|other| other.end <= run.start || run.end <= other.start)
}

/// The sum of the distances of samples, at most 8192 of them.
#[inline(always)]
pub(super) fn distance<S: PlaneSample>(a: &[S], b: &[S]) -> u32 {
    let mut sum = 0;
    if let (Some(a), Some(b)) = (S::as_bytes(a), S::as_bytes(b)) {
        // Compilers have an instruction for loops of this form.
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
        for chunk in 0..a.len().min(b.len()) {
            for x in 0..16 {
                sum += u32::from(a[chunk][x].abs_diff(b[chunk][x]));
            }
        }
        for x in 0..a_rest.len().min(b_rest.len()) {
            sum += u32::from(a_rest[x].abs_diff(b_rest[x]));
        }
        return sum;
    }
    for (a, b) in a.iter().zip(b) {
        sum += a.signed().abs_diff(b.signed());
    }
    sum
}
