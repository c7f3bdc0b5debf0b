//! Sums of absolute differences of a block and candidates of another picture (§15.4).
use crate::contract;
use crate::isa::Isa;

/// Columns of a block.
pub(crate) const COLUMNS: usize = 16;
/// Lines of a block that are compared: every second one.
pub(crate) const LINES: usize = 8;

/// `sads[i]` is the sum of absolute differences of lines 0, 2, … 14 of 16 samples of `block` and of
/// the block that begins at `reference[at[i]]`. Lines are `stride` samples apart in both.
pub fn scalar(sads: &mut [u16], block: &[u8], reference: &[u8], stride: usize, at: &[usize]) {
    for (sad, &at) in sads.iter_mut().zip(at) {
        let line = |samples: &[u8], line: usize| -> [u8; COLUMNS] { std::array::from_fn(|x| samples[2 * line * stride + x]) };
        let pairs = (0..LINES).flat_map(|y| line(block, y).into_iter().zip(line(&reference[at..], y)));
        *sad = pairs.map(|(a, b)| u16::from(a.abs_diff(b))).sum();
    }
}

/// Panics if a block is not inside its slice, or there are more sums than positions.
#[inline(always)]
pub(crate) fn check(sads: &[u16], block: &[u8], reference: &[u8], stride: usize, at: &[usize]) {
    contract::at_least([at], sads.len());
    contract::lines(block, 2 * LINES - 1, stride, COLUMNS);
    let last = at[..sads.len()].iter().copied().max().unwrap_or(0);
    contract::lines(reference.get(last..).unwrap_or_default(), 2 * LINES - 1, stride, COLUMNS);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [u16], _: &[u8], _: &[u8], _: usize, _: &[usize]) -> bool {
    false
}
