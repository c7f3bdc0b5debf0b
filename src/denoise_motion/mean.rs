//! The temporal mean of a picture and its compensated references (§16.4 to §16.6).
use super::cells::{self, CELL, Scale};
use super::shape::LINES;
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use crate::motion::{BORDER, BorderedPlane, Compensated, Reference};
use dndi_simd::{APRON, Kernels};
use std::ops::Range;

/// Rows of cells of a band, with one above and one below.
const ROWS: usize = LINES / CELL + 2;

/// Scratch buffers of a thread.
#[derive(Debug)]
pub(super) struct Scratch {
    compensated: [Compensated<u16>; 2],
    /// Weighted sums in rows of cells, of absolute differences and of differences, to each
    /// reference.
    sums: [[Vec<i32>; 2]; 2],
    /// The sums of a row of cells.
    row: [Vec<i32>; 2],
    /// The shares of the references in a row of cells.
    shares: [Vec<u16>; 2],
}

impl Scratch {
    /// Buffers for lines of up to `width` samples.
    pub fn new(width: usize) -> Result<Scratch, OutOfMemory> {
        let columns = width.div_ceil(CELL);
        let compensated = || Compensated::new(width, CELL * ROWS, false);
        Ok(Scratch {
            compensated: [compensated()?, compensated()?],
            sums: [zeroed_rows(columns * ROWS)?, zeroed_rows(columns * ROWS)?],
            row: [zeroed(columns)?, zeroed(columns)?],
            shares: zeroed_rows(columns)?,
        })
    }
}

/// A plane of a picture, and its references t - 1 and t + 1.
pub(super) struct Plane<'a> {
    pub kernels: &'a Kernels,
    /// Bits per sample.
    pub depth: u8,
    pub own: &'a BorderedPlane<u16>,
    pub references: [Option<Reference<'a, u16>>; 2],
    /// The variances of the mean of the picture before.
    pub variances: &'a [u16],
    /// Standard deviation of the noise, in 1/64 of an 8-bit code value.
    pub sigma: u16,
}

impl Plane<'_> {
    /// Writes a band of the mean, which begins with line `first`, and its variances.
    pub fn band(&self, first: usize, (out, stride): (&mut [u16], usize), variances: &mut [u16], scratch: &mut Scratch) {
        let size = self.own.size();
        let (columns, rows) = cells::count(size);
        let own_rows = first / CELL..first / CELL + variances.len() / columns;
        let read = own_rows.start.saturating_sub(1)..(own_rows.end + 1).min(rows);
        let Scratch { compensated, sums, row: around, shares } = scratch;
        for ((reference, compensated), sums) in self.references.iter().zip(&mut *compensated).zip(&mut *sums) {
            if let Some(reference) = reference {
                let lines = CELL * read.start..(CELL * read.end).min(size.1);
                compensated.fill(self.kernels, reference, lines, self.depth);
                self.add_differences(compensated, read.clone(), sums, around, columns);
            }
        }
        let scale = Scale::new(self.sigma);
        let lines = out.chunks_exact_mut(stride).map(|line| &mut line[BORDER..][..size.0]);
        let mut lines = lines.enumerate();
        for (row, variances) in own_rows.zip(variances.chunks_exact_mut(columns)) {
            self.shares(row, (&read, rows), sums, around, scale, shares, variances);
            for (y, line) in lines.by_ref().take(CELL) {
                let y = first + y;
                self.average(y, line, compensated, shares);
            }
        }
    }

    /// Adds the differences of a compensated reference in each cell of rows of cells, and of those
    /// to the left and to the right.
    fn add_differences(
        &self,
        compensated: &Compensated<u16>,
        rows: Range<usize>,
        sums: &mut [Vec<i32>; 2],
        [absolute, signed]: &mut [Vec<i32>; 2],
        columns: usize,
    ) {
        let (absolute, signed) = (&mut absolute[..columns], &mut signed[..columns]);
        for (number, row) in rows.enumerate() {
            let lines = [0, 1, 2, 3].map(|y| (CELL * row + y) as isize);
            let own = lines.map(|y| &self.own.from(0, y)[..CELL * columns]);
            let other = lines.map(|y| &compensated.row(y)[APRON..][..CELL * columns]);
            (self.kernels.cell_sums)(absolute, signed, own, other, self.depth - 12);
            let [all_absolute, all_signed] = sums.each_mut().map(|sums| &mut sums[number * columns..][..columns]);
            cells::spread(absolute, all_absolute);
            cells::spread(signed, all_signed);
        }
    }

    /// The shares of both references in a row of cells, and the variances of the mean. `read` are
    /// the rows of cells that the sums hold, of `rows` in all.
    #[expect(clippy::too_many_arguments)]
    fn shares(
        &self,
        row: usize,
        (read, rows): (&Range<usize>, usize),
        sums: &[[Vec<i32>; 2]; 2],
        [absolute, signed]: &mut [Vec<i32>; 2],
        scale: Scale,
        shares: &mut [Vec<u16>; 2],
        variances: &mut [u16],
    ) {
        let columns = variances.len();
        // The weights of both references are in the shares until both are known.
        for (number, (reference, shares)) in self.references.iter().zip(&mut *shares).enumerate() {
            let shares = &mut shares[..columns];
            let Some(reference) = reference else {
                shares.fill(0);
                continue;
            };
            for (out, sums) in [&mut *absolute, &mut *signed].into_iter().zip(&sums[number]) {
                let line = |row: usize| &sums[(row - read.start) * columns..][..columns];
                let [above, own, below] = [row.saturating_sub(1), row, (row + 1).min(rows - 1)].map(line);
                for (x, out) in out.iter_mut().enumerate().take(columns) {
                    *out = above[x] + 2 * own[x] + below[x];
                }
            }
            let is_before = number == 0;
            for (x, share) in shares.iter_mut().enumerate() {
                let variance = if is_before { self.variance(reference, x, row) } else { cells::ONE };
                *share = scale.weight(absolute[x], signed[x], variance) as u16;
            }
        }
        let [a, b] = shares;
        for ((a, b), variance) in a.iter_mut().zip(b).zip(variances) {
            ([*a, *b], *variance) = cells::shares([u32::from(*a), u32::from(*b)]);
        }
    }

    /// The variance of the mean of the picture before, at the position of a cell in it.
    fn variance(&self, reference: &Reference<u16>, column: usize, row: usize) -> u16 {
        let (columns, rows) = cells::count(self.own.size());
        let vector = reference.vector(CELL * column, CELL * row);
        let at = |cell: usize, by: i32, count: usize| {
            let sample = (CELL * cell + CELL / 2) as isize + (by >> 2) as isize;
            (sample >> 2).clamp(0, count as isize - 1) as usize
        };
        self.variances[at(row, vector.y, rows) * columns + at(column, vector.x, columns)]
    }

    /// Writes a line of the mean.
    fn average(&self, y: usize, out: &mut [u16], compensated: &[Compensated<u16>; 2], shares: &[Vec<u16>; 2]) {
        let own = self.own.line(y);
        let row = |number: usize| &compensated[number].row(y as isize)[APRON..][..out.len()];
        let others = match [self.references[0].is_some(), self.references[1].is_some()] {
            [true, true] => [row(0), row(1)],
            [true, false] => [row(0), own],
            [false, true] => [own, row(1)],
            [false, false] => return out.copy_from_slice(own),
        };
        (self.kernels.weighted_mean)(out, own, others, shares.each_ref().map(Vec::as_slice), self.depth);
    }
}
