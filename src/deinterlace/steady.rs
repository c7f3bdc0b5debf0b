//! Cells of the luma that stand still as a whole, in which noise alone changes samples (§14.4).
use crate::frame::{MIN_TASK_LINES, PlaneSample};
use crate::memory::{OutOfMemory, zeroed};
use crate::plane::PaddedPlane;
use dndi_simd::{CELL, Kernels};
use rayon::prelude::*;
use std::ops::Range;

/// Mean change of the cells around a steady one, in sixteenths of a code value.
const STEADY: u32 = 8 * 16;
/// The same for a nearly steady one.
const NEARLY_STEADY: u32 = 12 * 16;
/// The comb measure of a static sample of a steady cell is at least its static measure times this.
const FACTOR: u8 = 1;
/// The same for a nearly steady cell.
const NEAR_FACTOR: u8 = 2;
/// Samples of a line whose most significant bits are extracted together.
const PART: usize = 32 * CELL;

/// Columns and rows of the cells of a plane.
fn grid((width, height): (usize, usize)) -> (usize, usize) {
    (width.div_ceil(CELL), height.div_ceil(CELL))
}

/// The changes of the cells from a frame to the next one.
#[derive(Debug, Default)]
pub(crate) struct CellChanges {
    size: (usize, usize),
    /// For the even and the odd lines: the mean change of the samples of each cell, in sixteenths
    /// of a code value.
    changes: [Vec<u32>; 2],
}

impl CellChanges {
    /// For a plane of `size`.
    pub fn new(size: (usize, usize)) -> Result<CellChanges, OutOfMemory> {
        let (columns, rows) = grid(size);
        Ok(CellChanges { size, changes: [zeroed(columns * rows)?, zeroed(columns * rows)?] })
    }

    /// The changes of the even lines (0) or of the odd ones (1).
    pub fn of_lines(&self, parity: usize) -> &[u32] {
        &self.changes[parity]
    }

    /// Measures the changes between two planes of samples of `depth` bits.
    pub fn measure<S: PlaneSample>(&mut self, kernels: &Kernels, planes: [&PaddedPlane<S>; 2], depth: u8) {
        let (width, height) = self.size;
        let (columns, _) = grid(self.size);
        let planes = planes.map(PaddedPlane::frame);
        let [even, odd] = &mut self.changes;
        let rows = even.par_chunks_mut(columns).zip(odd.par_chunks_mut(columns)).enumerate();
        rows.with_min_len(MIN_TASK_LINES.div_ceil(CELL)).for_each(|(row, (even, odd))| {
            let lines = row * CELL..((row + 1) * CELL).min(height);
            for (parity, changes) in [even, odd].into_iter().enumerate() {
                changes.fill(0);
                let mut count = 0;
                for y in lines.clone().filter(|y| y % 2 == parity) {
                    let [a, b] = planes.map(|plane| plane.line(y as isize, 0, width));
                    add(kernels, changes, a, b, depth);
                    count += 1;
                }
                for (cell, change) in changes.iter_mut().enumerate() {
                    let samples = (count * CELL.min(width - cell * CELL)) as u32;
                    *change = (16 * *change).checked_div(samples).unwrap_or(0);
                }
            }
        });
    }
}

/// Adds the differences of two lines to the sums of their cells.
fn add<S: PlaneSample>(kernels: &Kernels, sums: &mut [u32], a: &[S], b: &[S], depth: u8) {
    if let (Some(a), Some(b)) = (S::as_bytes(a), S::as_bytes(b)) {
        return (kernels.cell_changes)(sums, a, b);
    }
    let mut tops = [[0; PART]; 2];
    for ((sums, a), b) in sums.chunks_mut(PART / CELL).zip(a.chunks(PART)).zip(b.chunks(PART)) {
        let [top_a, top_b] = tops.each_mut().map(|top| &mut top[..a.len()]);
        (S::kernels(kernels).top_byte)(top_a, a, depth - 8);
        (S::kernels(kernels).top_byte)(top_b, b, depth - 8);
        (kernels.cell_changes)(sums, top_a, top_b);
    }
}

/// The steady cells around a field.
#[derive(Debug, Default)]
pub(crate) struct SteadyCells {
    size: (usize, usize),
    /// The factor of the comb measure in each cell; 0 if the cell is not steady.
    factors: Vec<u8>,
    /// The greatest change of each cell.
    changes: Vec<u32>,
    /// Whether there is a steady cell.
    any: bool,
}

impl SteadyCells {
    /// For a plane of `size`.
    pub fn new(size: (usize, usize)) -> Result<SteadyCells, OutOfMemory> {
        let (columns, rows) = grid(size);
        Ok(SteadyCells { size, factors: zeroed(columns * rows)?, changes: zeroed(columns * rows)?, any: false })
    }

    /// Finds the steady cells from the changes between the fields around a field; no cell is
    /// steady if there are none.
    pub fn find(&mut self, changes: Option<[Option<&[u32]>; 3]>) {
        self.any = false;
        let Some(pairs) = changes else { return };
        self.changes.fill(0);
        for pair in pairs.into_iter().flatten() {
            self.changes.iter_mut().zip(pair).for_each(|(greatest, &change)| *greatest = change.max(*greatest));
        }
        let (columns, rows) = grid(self.size);
        let near = |at: usize, count: usize| at.saturating_sub(1)..(at + 2).min(count);
        for (at, factor) in self.factors.iter_mut().enumerate() {
            let (x, y) = (near(at % columns, columns), near(at / columns, rows));
            let count = (x.len() * y.len()) as u32;
            let sum: u32 = y.map(|y| self.changes[y * columns + x.start..y * columns + x.end].iter().sum::<u32>()).sum();
            *factor = if sum <= STEADY * count {
                FACTOR
            } else if sum <= NEARLY_STEADY * count {
                NEAR_FACTOR
            } else {
                0
            };
            self.any |= *factor > 0;
        }
    }

    /// The runs of samples of line `y` in steady cells, among `columns`, with their factors.
    pub fn runs(&self, y: usize, columns: Range<usize>) -> impl Iterator<Item = (Range<usize>, u16)> {
        let row = y / CELL * grid(self.size).0;
        let factor = move |x: usize| if self.any { self.factors[row + x / CELL] } else { 0 };
        let mut start = columns.start;
        std::iter::from_fn(move || {
            let first = start;
            while start < columns.end && factor(start) == factor(first) {
                start = ((start / CELL + 1) * CELL).min(columns.end);
            }
            (first < columns.end).then(|| (first..start, factor(first).into()))
        })
        .filter(|(_, factor)| *factor > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::InputPlane;
    use dndi_simd::SimdLevel;

    const SIZE: (usize, usize) = (100, 70);

    fn measured<S: PlaneSample>(change: impl Fn(usize, usize) -> u8, depth: u8) -> CellChanges {
        let kernels = Kernels::at(SimdLevel::Scalar).unwrap();
        let plane = |change: &dyn Fn(usize, usize) -> u8| {
            let at = |i: usize| S::from_u32((100 + u32::from(change(i % SIZE.0, i / SIZE.0))) << (depth - 8));
            let data: Vec<S> = (0..SIZE.0 * SIZE.1).map(at).collect();
            let mut plane = PaddedPlane::new(SIZE.0, SIZE.1).unwrap();
            plane.import(kernels, InputPlane { data: &data, stride: SIZE.0, most: S::from_u32((1 << depth) - 1) });
            plane
        };
        let mut changes = CellChanges::new(SIZE).unwrap();
        changes.measure(kernels, [&plane(&|_, _| 0), &plane(&change)], depth);
        changes
    }

    /// Cells have 32 columns and 32 lines, fewer at the right and lower border, and lines of one
    /// parity.
    #[test]
    fn changes_are_means_of_cells() {
        let change = |x: usize, y: usize| if x >= 96 && y >= 64 && y % 2 == 1 { 3 } else { u8::from((x, y) == (33, 2)) };
        for changes in [measured::<u8>(change, 8), measured::<u16>(change, 10)] {
            let mut expected = [vec![0; 12], vec![0; 12]];
            expected[1][11] = 48;
            assert_eq!(changes.changes, expected);
        }
        let changes = measured::<u8>(|x, y| if x == 40 && y % 2 == 0 { 64 } else { 0 }, 8);
        assert_eq!(changes.of_lines(0), [0, 32, 0, 0, 0, 32, 0, 0, 0, 32, 0, 0]);
    }

    /// The factors of a row of cells of which one changes by `change` between each pair of fields.
    fn factors(change: u32) -> Vec<u8> {
        let mut steady = SteadyCells::new((160, 32)).unwrap();
        let pair = [0, 0, change, 0, 0];
        steady.find(Some([None, Some(&pair), Some(&[0; 5])]));
        steady.factors
    }

    /// The mean of a cell and its neighbours counts.
    #[test]
    fn neighbours_make_cells_steady() {
        assert_eq!(factors(3 * 128), [1; 5]);
        assert_eq!(factors(3 * 128 + 1), [1, 2, 2, 2, 1]);
        assert_eq!(factors(3 * 192), [1, 2, 2, 2, 1]);
        assert_eq!(factors(3 * 192 + 1), [1, 0, 0, 0, 1]);
    }

    #[test]
    fn runs_have_equal_factors() {
        let mut steady = SteadyCells::new((160, 64)).unwrap();
        assert_eq!(steady.runs(0, 0..160).count(), 0);
        let changes = [[0, 0, 6 * 150, 0, 0], [4000; 5]].concat();
        steady.find(Some([Some(&changes), None, None]));
        assert_eq!(steady.runs(40, 0..160).count(), 0);
        steady.find(Some([Some(&changes[..5]), None, None]));
        let runs = |columns| steady.runs(31, columns).collect::<Vec<_>>();
        assert_eq!(runs(0..160), [(0..32, 1), (32..128, 2), (128..160, 1)]);
        assert_eq!(runs(40..130), [(40..128, 2), (128..130, 1)]);
        steady.find(None);
        assert_eq!(steady.runs(31, 0..160).count(), 0);
    }
}
