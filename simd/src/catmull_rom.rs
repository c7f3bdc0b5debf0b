//! Samples of a picture at quarter positions by Catmull-Rom splines (§15.5).
use crate::contract;
use crate::isa::{Isa, Lane};
use crate::sample::Sample;

/// Weights of samples -1 … 2 for each quarter, in 1/64.
const TAPS: [[i32; 4]; 4] = [[0, 64, 0, 0], [-4, 55, 15, -2], [-4, 36, 36, -4], [-2, 15, 55, -4]];

/// A block of a picture, to be moved by quarters of a sample.
#[derive(Clone, Copy, Debug)]
pub struct QuarterBlock<'a, S = u8> {
    /// The block with one sample and one line before it, and two samples and two lines behind it.
    pub samples: &'a [S],
    /// Samples from line to line.
    pub stride: usize,
    /// Width and height.
    pub size: (usize, usize),
    /// Quarters of a sample to the right and down, 0…3.
    pub fraction: (u8, u8),
}

/// Writes the moved block to lines of `dst` that are `stride` samples apart. The horizontal sums
/// are not rounded; results are clipped to `depth` bits.
pub fn scalar<S: Sample>(dst: &mut [S], stride: usize, block: &QuarterBlock<S>, depth: u8) {
    let ((width, height), (right, down)) = (block.size, block.fraction);
    let (horizontal, vertical) = (TAPS[usize::from(right)], TAPS[usize::from(down)]);
    let max = (1 << depth) - 1;
    for y in 0..height {
        for x in 0..width {
            let mut sum = 1 << 11;
            for (dy, weight) in vertical.into_iter().enumerate() {
                let line = &block.samples[(y + dy) * block.stride + x..];
                sum += weight * horizontal.into_iter().zip(line).map(|(weight, v)| weight * v.signed()).sum::<i32>();
            }
            dst[y * stride + x] = S::from_u32((sum >> 12).clamp(0, max) as u32);
        }
    }
}

/// Panics if a slice is too short, a fraction above 3, or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], stride: usize, block: &QuarterBlock<S>, depth: u8) {
    let ((width, height), (right, down)) = (block.size, block.fraction);
    contract::lines(dst, height, stride, width);
    contract::lines(block.samples, height + 3, block.stride, width + 3);
    contract::within(right.max(down), 0..=3);
    contract::depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(_: I, _: &mut [S], _: usize, _: &QuarterBlock<S>, _: u8) -> bool {
    false
}
