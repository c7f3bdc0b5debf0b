//! Changes of the cells of a line from field to field (§14.4).
use crate::contract;
use crate::isa::Isa;

/// Columns of a cell.
pub const CELL: usize = 32;

/// Adds to `sums[i]` the absolute differences of samples 32i … 32i + 31 of both lines; the last
/// cell may have fewer.
pub fn scalar(sums: &mut [u32], a: &[u8], b: &[u8]) {
    for ((sum, a), b) in sums.iter_mut().zip(a.chunks(CELL)).zip(b.chunks(CELL)) {
        *sum += a.iter().zip(b).map(|(&a, &b)| u32::from(a.abs_diff(b))).sum::<u32>();
    }
}

/// Panics unless both lines have the same length and as many cells as there are sums.
#[inline(always)]
pub(crate) fn check(sums: &[u32], a: &[u8], b: &[u8]) {
    contract::same_length([a, b]);
    assert_eq!(sums.len(), a.len().div_ceil(CELL), "the number of sums is not the number of cells");
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, sums: &mut [u32], a: &[u8], b: &[u8]) -> bool {
    // Whole cells and whole vectors.
    let whole = a.len() - a.len() % CELL.max(I::N);
    for x in (0..whole).step_by(I::N) {
        let groups = s.sum_groups(s.sad(s.load(&a[x..]), s.load(&b[x..])));
        for (group, sum) in groups[..I::N / 16].iter().enumerate() {
            sums[(x + 16 * group) / CELL] += sum;
        }
    }
    scalar(&mut sums[whole / CELL..], &a[whole..], &b[whole..]);
    true
}
