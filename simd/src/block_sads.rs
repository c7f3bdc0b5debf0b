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
    contract::lines_at(reference, at[..sads.len()].iter().copied(), 2 * LINES - 1, stride, COLUMNS);
}

/// Words whose sum is that of the absolute differences of `LINES` lines, every second one.
#[inline(always)]
pub(crate) fn sad<I: Isa, const LINES: usize>(s: I, block: &[I::B; 8], reference: &[u8], stride: usize) -> I::W {
    let others = s.load_lines::<LINES>(reference, 2 * stride);
    let mut sum = s.splat32(0);
    for i in 0..LINES * COLUMNS / I::N {
        sum = s.add32(sum, s.sad(block[i], others[i]));
    }
    sum
}

/// Writes the sums of all candidates, of which `words` are the words. Four sums share the additions
/// across a vector. A macro, because the compiler does not always inline closures.
macro_rules! sum_each {
    ($s:ident, $sads:expr, $at:expr, |$position:pat_param| $words:expr) => {
        for (sads, at) in $sads.chunks_mut(4).zip($at.chunks(4)) {
            let mut sums = [$s.splat32(0); 4];
            for (sum, &$position) in sums.iter_mut().zip(at) {
                *sum = $words;
            }
            for (sad, total) in sads.iter_mut().zip($s.totals(sums)) {
                *sad = total;
            }
        }
    };
}
pub(crate) use sum_each;

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, sads: &mut [u16], block: &[u8], reference: &[u8], stride: usize, at: &[usize]) -> bool {
    let at = &at[..sads.len()];
    let block = s.load_lines::<LINES>(block, 2 * stride);
    sum_each!(s, sads, at, |at| sad::<I, LINES>(s, &block, &reference[at..], stride));
    true
}
