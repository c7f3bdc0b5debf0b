//! Chroma of half the width, from one or two rows (§13.10).
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::sample::Sample;

/// `dst[j]` is the mean of samples 2j and 2j + 1 of both rows, with the weight of the row and of
/// the sample in it, in eighths each: row 0 has `8 - down`, row 1 `down`; sample 2j has
/// `8 - across`, sample 2j + 1 `across`. `sitings` are across and down, 0…8.
pub fn scalar<S: Sample>(dst: &mut [S], [a, b]: [&[S]; 2], sitings: [u8; 2]) {
    let [across, down] = sitings.map(u32::from);
    for (out, (a, b)) in dst.iter_mut().zip(a.chunks_exact(2).zip(b.chunks_exact(2))) {
        let row = |row: &[S]| row[0].into() * (8 - across) + row[1].into() * across;
        *out = S::from_u32((row(a) * (8 - down) + row(b) * down + 32) >> 6);
    }
}

/// Panics if a slice is too short or a siting outside its range.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], rows: [&[S]; 2], sitings: [u8; 2]) {
    contract::at_least(rows, 2 * dst.len());
    sitings.iter().for_each(|&siting| contract::within(siting, 0..=8));
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Reduce>(s: I, dst: &mut [S], rows: [&[S]; 2], sitings: [u8; 2]) -> bool {
    let n = dst.len();
    let [across, down] = sitings.map(|siting| siting as i8);
    // The weights of a pair of samples in each row; all together are 64.
    let weights = [8 - down, down].map(|row| [row * (8 - across), row * across]);
    S::vector(s, dst, rows.map(|row| &row[..2 * n]), weights)
}

/// The vector form of each type of samples.
pub(crate) trait Reduce: Sample {
    fn vector<I: Isa>(s: I, dst: &mut [Self], rows: [&[Self]; 2], weights: [[i8; 2]; 2]) -> bool;
}

impl Reduce for u8 {
    #[inline(always)]
    fn vector<I: Isa>(s: I, dst: &mut [u8], [a, b]: [&[u8]; 2], weights: [[i8; 2]; 2]) -> bool {
        blocks!(dst.len(), I::N / 2, x => {
            let sum = s.add16(s.madd_bytes(s.load(&a[2 * x..]), weights[0]), s.madd_bytes(s.load(&b[2 * x..]), weights[1]));
            s.store_half(&mut dst[x..], s.shr::<6>(s.add16(sum, s.splat16(32))));
        })
    }
}

impl Reduce for u16 {
    #[inline(always)]
    fn vector<I: Isa>(s: I, dst: &mut [u16], [a, b]: [&[u16]; 2], weights: [[i8; 2]; 2]) -> bool {
        // A bias makes signed halfwords of words; the mean has the same bias.
        let (bias, weights) = (s.splat16(1 << 15), weights.map(|pair| s.pair16(pair)));
        blocks!(dst.len(), I::N / 4, x => {
            let sum = |row: &[u16], weights| s.madd16(s.xor16(s.load16(&row[2 * x..]), bias), weights);
            let sum = s.add32(s.add32(sum(a, weights[0]), sum(b, weights[1])), s.splat32(32));
            let mean = s.merge32(s.sra32::<6>(sum), s.splat32(0));
            s.store_quarter16(&mut dst[x..], s.xor16(mean, bias));
        })
    }
}
