//! Samples of a picture at quarter positions by Catmull-Rom splines (§15.7).
use crate::contract;
use crate::isa::{Isa, PackedPair, blocks};
use crate::sample::Sample;

mod bytes;
mod words;

/// Weights of samples -1 … 2 for each quarter, in 1/64.
const TAPS: [[i16; 4]; 4] = [[0, 64, 0, 0], [-4, 55, 15, -2], [-4, 36, 36, -4], [-2, 15, 55, -4]];

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
                let line = horizontal.into_iter().zip(line).map(|(weight, v)| i32::from(weight) * v.signed());
                sum += i32::from(weight) * line.sum::<i32>();
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

/// Two weights for [`Isa::madd16`].
fn pair([first, second]: [i16; 2]) -> PackedPair {
    first as u16 as u32 | (second as u16 as u32) << 16
}

/// The vector form for a type of samples.
pub(crate) trait CatmullRom: Sample {
    /// Samples that vectors of more than one group read beyond those that they need.
    const BEYOND: usize;

    /// Writes `lines` lines of 8 samples in each group.
    fn panel<I: Isa>(s: I, dst: Target<Self>, src: Source<Self>, lines: usize, fraction: (u8, u8), depth: u8);
}

/// Where a panel is written.
pub(crate) struct Target<'a, S> {
    pub samples: &'a mut [S],
    /// Samples from line to line.
    pub stride: usize,
    /// Samples from group to group.
    pub step: usize,
}

/// The samples of a panel, with those before and behind them.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, S> {
    pub samples: &'a [S],
    /// Samples from line to line.
    pub stride: usize,
    /// Samples from group to group.
    pub step: usize,
}

/// Samples in a group of a panel.
const GROUP: usize = 8;

/// The groups of a vector are side by side, or in narrow blocks one above the other. Blocks of less
/// than a group take the scalar form. Vectors of 64 bytes take longer to fill from the lines of a
/// block than the narrower ones.
#[inline(always)]
pub(crate) fn vector<I: Isa, S: CatmullRom>(s: I, dst: &mut [S], stride: usize, block: &QuarterBlock<S>, depth: u8) -> bool {
    let (width, height) = block.size;
    if block.fraction == (0, 0) {
        copy(dst, stride, block);
        return true;
    }
    let groups = I::N / 16;
    let (side, lines) = if width >= groups * GROUP { (groups, height) } else { (1, height / groups) };
    let is_covered = side == groups || lines * groups == height && groups <= 2;
    // Vectors of groups read 16 bytes of each.
    let read = (height + 2) * block.stride + width + 3 + if I::N > 16 { S::BEYOND } else { 0 };
    if height == 0 || !is_covered || block.samples.len() < read {
        return false;
    }
    let (target_step, source_step) = if side == 1 { (lines * stride, lines * block.stride) } else { (GROUP, GROUP) };
    blocks!(width, side * GROUP, x => {
        let target = Target { samples: &mut dst[x..], stride, step: target_step };
        let source = Source { samples: &block.samples[x..], stride: block.stride, step: source_step };
        S::panel(s, target, source, lines, block.fraction, depth);
    })
}

/// The block without a move.
#[inline(always)]
fn copy<S: Sample>(dst: &mut [S], stride: usize, block: &QuarterBlock<S>) {
    let (width, height) = block.size;
    // The most frequent widths, without a call for each line.
    match width {
        8 => copy_lines::<S, 8>(dst, stride, block),
        16 => copy_lines::<S, 16>(dst, stride, block),
        _ => {
            for y in 0..height {
                let src = &block.samples[(y + 1) * block.stride + 1..];
                dst[y * stride..][..width].copy_from_slice(&src[..width]);
            }
        }
    }
}

#[inline(always)]
fn copy_lines<S: Sample, const WIDTH: usize>(dst: &mut [S], stride: usize, block: &QuarterBlock<S>) {
    for y in 0..block.size.1 {
        let src: &[S; WIDTH] = block.samples[(y + 1) * block.stride + 1..].first_chunk().expect("a line");
        *dst[y * stride..].first_chunk_mut().expect("a line") = *src;
    }
}
