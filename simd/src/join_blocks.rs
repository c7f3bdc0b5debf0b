//! Samples of the overlapping blocks and of the mean (§16.7).
use crate::contract;
use crate::isa::{Isa, Lane};
use crate::sample::Sample;

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
pub(crate) fn vector<I: Isa, S: Lane>(_s: I, _dst: &mut [S], _mean: &[u16], _parts: [&[i16]; 4], _depth: u8) -> bool {
    false
}
