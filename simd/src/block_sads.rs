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

/// Vectors of at most [`LINES`] lines.
pub(crate) type BlockVectors<B> = [B; LINES];

/// Every second of the first `2 * count * I::N / 16` lines, as `count` vectors.
#[inline(always)]
pub(crate) fn load_block<I: Isa>(s: I, block: &[u8], stride: usize, count: usize) -> BlockVectors<I::B> {
    let mut vectors = [s.splat(0); LINES];
    for (i, vector) in vectors[..count].iter_mut().enumerate() {
        *vector = s.load_groups(&block[2 * i * (I::N / COLUMNS) * stride..], 2 * stride);
    }
    vectors
}

/// Words whose sum is that of the absolute differences of `count` vectors.
#[inline(always)]
pub(crate) fn sad<I: Isa>(s: I, block: &BlockVectors<I::B>, reference: &[u8], stride: usize, count: usize) -> I::W {
    let mut sum = s.splat32(0);
    for (i, &own) in block[..count].iter().enumerate() {
        let other = s.load_groups(&reference[2 * i * (I::N / COLUMNS) * stride..], 2 * stride);
        sum = s.add32(sum, s.sad(own, other));
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
    let count = LINES * COLUMNS / I::N;
    let at = &at[..sads.len()];
    let block = load_block(s, block, stride, count);
    sum_each!(s, sads, at, |at| sad(s, &block, &reference[at..], stride, count));
    true
}
