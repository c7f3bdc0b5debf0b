//! Sums of absolute differences of a block and candidates between the samples of another picture
//! (§15.4).
use crate::block_sads::COLUMNS;
use crate::contract;
use crate::isa::Isa;

/// A position between samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuarterPosition {
    /// Index of the sample at the upper left.
    pub at: usize,
    /// Quarters of a sample to the right of it and below it, 0…3.
    pub fraction: (u8, u8),
}

/// Weights of a sample and of those to the right, below, and to the right below, in 1/16.
fn weights((x, y): (u8, u8)) -> [u16; 4] {
    let (x, y) = (u16::from(x), u16::from(y));
    [(4 - x) * (4 - y), x * (4 - y), (4 - x) * y, x * y]
}

/// `sads[i]` is the sum of absolute differences of 16 samples of `lines` lines of `block`, every
/// second one, and of the block at position `at[i]` of `reference`, interpolated between its four
/// nearest samples and rounded. Lines are `stride` samples apart in both. 17 samples of the line
/// below the last compared one must exist, whatever the fraction.
pub fn scalar(sads: &mut [u16], block: &[u8], reference: &[u8], stride: usize, at: &[QuarterPosition], lines: usize) {
    for (sad, position) in sads.iter_mut().zip(at) {
        let weights = weights(position.fraction);
        let reference = &reference[position.at..];
        *sad = 0;
        for y in (0..2 * lines).step_by(2) {
            for x in 0..COLUMNS {
                let i = y * stride + x;
                let near = [i, i + 1, i + stride, i + stride + 1].map(|i| u16::from(reference[i]));
                let sum: u16 = near.into_iter().zip(weights).map(|(v, weight)| v * weight).sum();
                *sad += u16::from(block[i]).abs_diff((sum + 8) >> 4);
            }
        }
    }
}

/// Panics if a block is not inside its slice, there are more sums than positions, a fraction is
/// above 3, or `lines` above 8.
#[inline(always)]
pub(crate) fn check(sads: &[u16], block: &[u8], reference: &[u8], stride: usize, at: &[QuarterPosition], lines: usize) {
    contract::at_least([at], sads.len());
    contract::within(lines.min(i32::MAX as usize) as i32, 1..=8);
    contract::lines(block, 2 * lines - 1, stride, COLUMNS);
    let (mut last, mut fraction) = (0, 0);
    for position in &at[..sads.len()] {
        last = last.max(position.at);
        fraction = fraction.max(position.fraction.0).max(position.fraction.1);
    }
    contract::within(fraction, 0..=3);
    contract::lines(reference.get(last..).unwrap_or_default(), 2 * lines, stride, COLUMNS + 1);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [u16], _: &[u8], _: &[u8], _: usize, _: &[QuarterPosition], _: usize) -> bool {
    false
}
