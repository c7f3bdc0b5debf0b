//! Chroma of half the width, from one or two rows (§13.10).
use crate::contract;
use crate::isa::Isa;
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

/// The compiler makes vectors of the scalar form with the instructions of each level.
#[inline(always)]
pub(crate) fn vector<I: Isa, S: Sample>(_: I, _: &mut [S], _: [&[S]; 2], _: [u8; 2]) -> bool {
    false
}
