//! Samples of the overlapping blocks and of the mean (§16.7).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;
use wide::bytemuck::cast_slice;

/// Bits of the samples of the mean and bits below those of the blocks, for output of `depth` bits.
fn bits(depth: u8) -> (u8, u8) {
    let mean = (depth + 4).clamp(12, 16);
    (mean, mean - 12)
}

/// Writes the rounded mean of the four blocks of each sample, as numbers of 12 bits less 2048; the
/// bits of `mean` below those 12 are added to it. The result is rounded to `depth` bits.
pub fn scalar<S: Sample>(dst: &mut [S], mean: &[u16], parts: [&[i16]; 4], depth: u8) {
    let (mean_bits, below) = bits(depth);
    let extra = mean_bits - depth;
    let max = (1 << depth) - 1;
    for (x, out) in dst.iter_mut().enumerate() {
        let mean = i32::from(mean[x]);
        let sum: i32 = parts.into_iter().map(|part| i32::from(part[x])).sum();
        let value = mean + ((((sum + 2) >> 2) + 2048 - (mean >> below)) << below);
        *out = S::from_u32(((value + (1 << extra >> 1)) >> extra).clamp(0, max) as u32);
    }
}

/// Panics if a slice is too short or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], mean: &[u16], parts: [&[i16]; 4], depth: u8) {
    contract::at_least([mean], dst.len());
    contract::at_least(parts, dst.len());
    contract::depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], mean: &[u16], parts: [&[i16]; 4], depth: u8) -> bool {
    let n = dst.len();
    let mean = &mean[..n];
    let [a, b, c, d] = parts.map(|part| &cast_slice::<i16, u16>(part)[..n]);
    let (mean_bits, below) = bits(depth);
    let extra = mean_bits - depth;
    let low_bits = s.splat16((1 << below) - 1);
    let half = s.splat16(1 << extra >> 1);
    let max = s.splat16(((1u32 << depth) - 1) as u16);
    let (one, two) = (s.splat16(1), s.splat32(2));
    let (least, greatest) = (s.splat16(u16::MAX), s.splat16(4095));
    blocks!(n, I::N / 2, x => {
        let (a, b, c, d) = (s.load16(&a[x..]), s.load16(&b[x..]), s.load16(&c[x..]), s.load16(&d[x..]));
        let low = s.dot16(s.dot16(two, s.interleave_low16(a, b), one), s.interleave_low16(c, d), one);
        let high = s.dot16(s.dot16(two, s.interleave_high16(a, b), one), s.interleave_high16(c, d), one);
        let sum = s.pack32(s.sra32::<2>(low), s.sra32::<2>(high));
        // Limited first, because sums of any numbers exceed 2^15 - 1.
        let block = s.add16(s.min15(sum, s.splat16(0x7fff - 2048)), s.splat16(2048));
        let value = s.or16(s.shl_by(s.min15(block, greatest), below), s.and16(s.load16(&mean[x..]), low_bits));
        let value = s.or16(s.add_saturating16(value, half), s.gt15(block, greatest));
        let value = s.and16(s.shr_by(value, extra), s.gt15(block, least));
        S::store_half(s, &mut dst[x..], s.min16(value, max));
    })
}
