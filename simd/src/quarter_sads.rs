//! Sums of absolute differences of a block and candidates between the samples of another picture
//! (§15.4).
use crate::block_sads::{COLUMNS, sad, sum_each};
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
    let at = &at[..sads.len()];
    for position in at {
        contract::within(position.fraction.0.max(position.fraction.1), 0..=3);
    }
    contract::lines_at(reference, at.iter().map(|position| position.at), 2 * lines, stride, COLUMNS + 1);
}

/// The search compares 8 lines, the split of its blocks 6; other numbers take the scalar form.
/// Vectors of 64 bytes take longer to fill from lines than the narrower ones.
#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    sads: &mut [u16],
    block: &[u8],
    reference: &[u8],
    stride: usize,
    at: &[QuarterPosition],
    lines: usize,
) -> bool {
    match lines {
        _ if I::N == 64 => false,
        8 => of_lines::<I, 8>(s, sads, block, reference, stride, at),
        6 => of_lines::<I, 6>(s, sads, block, reference, stride, at),
        _ => false,
    }
}

#[inline(always)]
fn of_lines<I: Isa, const LINES: usize>(
    s: I,
    sads: &mut [u16],
    block: &[u8],
    reference: &[u8],
    stride: usize,
    at: &[QuarterPosition],
) -> bool {
    let at = &at[..sads.len()];
    let block = s.load_lines::<LINES>(block, 2 * stride);
    sum_each!(s, sads, at, |QuarterPosition { at, fraction }| {
        let reference = &reference[at..];
        match fraction {
            (0, 0) => sad::<I, LINES>(s, &block, reference, stride),
            (x, 0) => linear::<I, LINES>(s, &block, reference, [stride, 1], x),
            (0, y) => linear::<I, LINES>(s, &block, reference, [stride, stride], y),
            _ => bilinear::<I, LINES>(s, &block, reference, stride, fraction),
        }
    });
    true
}

/// Words whose sum is that of the absolute differences to samples between a sample and the one that
/// is `step` behind it.
#[inline(always)]
fn linear<I: Isa, const LINES: usize>(
    s: I,
    block: &[I::B; 8],
    reference: &[u8],
    [stride, step]: [usize; 2],
    fraction: u8,
) -> I::W {
    let weights = [4 - fraction as i8, fraction as i8];
    let (a, b) = (s.load_lines::<LINES>(reference, 2 * stride), s.load_lines::<LINES>(&reference[step..], 2 * stride));
    let round = s.splat16(2);
    let mut sum = s.splat32(0);
    for i in 0..LINES * COLUMNS / I::N {
        let low = s.add16(s.madd_bytes(s.interleave_low(a[i], b[i]), weights), round);
        let high = s.add16(s.madd_bytes(s.interleave_high(a[i], b[i]), weights), round);
        sum = s.add32(sum, s.sad(block[i], s.pack16(s.shr::<2>(low), s.shr::<2>(high))));
    }
    sum
}

/// The same between four samples.
#[inline(always)]
fn bilinear<I: Isa, const LINES: usize>(s: I, block: &[I::B; 8], reference: &[u8], stride: usize, fraction: (u8, u8)) -> I::W {
    let [a, b, c, d] = weights(fraction).map(|weight| weight as i8);
    let (upper, lower) = ([a, b], [c, d]);
    let (a, b) = (s.load_lines::<LINES>(reference, 2 * stride), s.load_lines::<LINES>(&reference[1..], 2 * stride));
    let below = &reference[stride..];
    let (c, d) = (s.load_lines::<LINES>(below, 2 * stride), s.load_lines::<LINES>(&below[1..], 2 * stride));
    let round = s.splat16(8);
    let mut sum = s.splat32(0);
    for i in 0..LINES * COLUMNS / I::N {
        let low = s.add16(s.madd_bytes(s.interleave_low(a[i], b[i]), upper), s.madd_bytes(s.interleave_low(c[i], d[i]), lower));
        let high =
            s.add16(s.madd_bytes(s.interleave_high(a[i], b[i]), upper), s.madd_bytes(s.interleave_high(c[i], d[i]), lower));
        let (low, high) = (s.shr::<4>(s.add16(low, round)), s.shr::<4>(s.add16(high, round)));
        sum = s.add32(sum, s.sad(block[i], s.pack16(low, high)));
    }
    sum
}
