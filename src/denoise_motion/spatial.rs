//! The spatial step: overlapping blocks of 8×8 samples are transformed, and their coefficients
//! shrink by the noise that the temporal mean has left (§16.7).
use super::cells::{self, CELL, ONE};
use super::shape::LINES;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed_rows};
use crate::motion::BorderedPlane;
use dndi_simd::Kernels;

/// Threshold in standard deviations of the noise that is left, in 1/64: for luma.
pub(super) const LUMA: u32 = 105;
/// For chroma.
pub(super) const CHROMA: u32 = 150;
/// For a picture without references.
pub(super) const ALONE: u32 = 141;
/// Width and height of a block.
const BLOCK: usize = 2 * CELL;

/// Thresholds by the variance of the noise.
pub(super) type Thresholds = [u16; ONE as usize + 1];

/// The thresholds for a standard deviation of the noise in 1/64 of an 8-bit code value.
pub(super) fn thresholds(sigma: u16, strength: u32) -> Thresholds {
    std::array::from_fn(|variance| {
        let threshold = (u64::from(sigma) * u64::from((256 * variance as u32).isqrt()) * u64::from(strength)) >> 16;
        threshold.min(i16::MAX as u64) as u16
    })
}

/// Blocks of a row that do not overlap, 8 lines after one another.
type Lattice = [Vec<i16>; BLOCK];

/// Scratch buffers of a thread: the blocks of two rows, those from column -4 on and those from
/// column 0 on, and the thresholds of a row.
#[derive(Debug)]
pub(super) struct Scratch {
    rows: [[Lattice; 2]; 2],
    thresholds: [Vec<u16>; 2],
}

impl Scratch {
    /// Buffers for lines of up to `width` samples.
    pub fn new(width: usize) -> Result<Scratch, OutOfMemory> {
        let blocks = width.div_ceil(BLOCK) + 1;
        let row = || Ok([zeroed_rows(BLOCK * blocks)?, zeroed_rows(BLOCK * blocks)?]);
        Ok(Scratch { rows: [row()?, row()?], thresholds: zeroed_rows(blocks)? })
    }
}

/// A plane of a temporal mean.
pub(super) struct Plane<'a> {
    pub kernels: &'a Kernels,
    /// Bits per sample of the output.
    pub depth: u8,
    /// Bits of the mean beyond 12.
    pub shift: u8,
    pub mean: &'a BorderedPlane<u16>,
    /// The variance of the noise in each cell.
    pub variances: &'a [u16],
    pub thresholds: Thresholds,
}

impl Plane<'_> {
    /// Writes the lines of a band, which begins with line `first`.
    pub fn band<'a, S: PlaneSample>(&self, first: usize, lines: impl Iterator<Item = &'a mut [S]>, scratch: &mut Scratch) {
        let Scratch { rows: [above, below], thresholds } = scratch;
        let first_row = first / CELL;
        self.shrink(first_row as isize - 1, above, thresholds);
        let mut next = first;
        for (y, line) in (first..).zip(lines.take(LINES)) {
            if y == next {
                if y > first {
                    std::mem::swap(above, below);
                }
                self.shrink((y / CELL) as isize, below, thresholds);
                next += CELL;
            }
            let (row, width) = (y % CELL, line.len());
            let parts = [
                &above[0][CELL + row][CELL..][..width],
                &above[1][CELL + row][..width],
                &below[0][row][CELL..][..width],
                &below[1][row][..width],
            ];
            (S::kernels(self.kernels).join_blocks)(line, self.mean.line(y), parts, self.depth);
        }
    }

    /// Filters a row of blocks, which begins with row `row` of cells, from -1 on.
    fn shrink(&self, row: isize, out: &mut [Lattice; 2], thresholds: &mut [Vec<u16>; 2]) {
        let (columns, rows) = cells::count(self.mean.size());
        let line = |row: isize| &self.variances[row.clamp(0, rows as isize - 1) as usize * columns..][..columns];
        let [upper, lower] = [line(row), line(row + 1)];
        let sum = |column: usize| upper[column] + lower[column];
        // Block b begins with cell b - 1.
        for (lattice, thresholds) in thresholds.iter_mut().enumerate() {
            for (number, threshold) in thresholds.iter_mut().enumerate() {
                let block = 2 * number + lattice;
                let [left, right] = [block.saturating_sub(1), block].map(|column| column.min(columns - 1));
                *threshold = self.thresholds[usize::from((sum(left) + sum(right) + 2) >> 2)];
            }
        }
        let blocks = columns + 1;
        let top = CELL as isize * row;
        for (lattice, (out, thresholds)) in out.iter_mut().zip(thresholds).enumerate() {
            let count = (blocks + 1 - lattice) / 2;
            let left = if lattice == 0 { -(CELL as isize) } else { 0 };
            let lines = [0, 1, 2, 3, 4, 5, 6, 7].map(|y| &self.mean.from(left, top + y)[..BLOCK * count]);
            let mut out = out.each_mut().map(|line| &mut line[..BLOCK * count]);
            (self.kernels.shrink_blocks)(&mut out, lines, &thresholds[..count], self.shift);
        }
    }
}
