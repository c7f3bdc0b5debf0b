//! Deflicker: a vertical low pass by motion (§13.12).
use crate::contract;
use crate::isa::Isa;
use crate::{Row, Sample};

/// Pixels whose weights are looked up at a time. It does not affect any sample.
const CHUNK: usize = 64;

/// Blends the middle one of the lines `rows` with `(n + 2c + p + 2) >> 2` of all three. `stmm` is
/// the motion measure of each pair of pixels; `weights`, 0…256, is the share of the low pass by its
/// three most significant bits. All levels use the same loop, which the compiler vectorises.
#[inline(always)]
pub fn scalar<S: Sample>(dst: &mut [S], rows: [Row<S>; 3], stmm: &[u8], weights: &[u16; 8]) {
    let n = dst.len();
    let [p, c, n] = rows.map(|row| &row[crate::APRON..][..n]);
    let lines = dst.chunks_mut(CHUNK).zip(p.chunks(CHUNK).zip(c.chunks(CHUNK)).zip(n.chunks(CHUNK)));
    for ((out, ((p, c), n)), stmm) in lines.zip(stmm.chunks(CHUNK / 2)) {
        let mut shares = [0; CHUNK];
        for (pair, &stmm) in shares.as_chunks_mut::<2>().0.iter_mut().zip(stmm) {
            *pair = [u32::from(weights[usize::from(stmm >> 5)]); 2];
        }
        for ((out, w), ((&p, &c), &n)) in out.iter_mut().zip(shares).zip(p.iter().zip(c).zip(n)) {
            let (p, c, n): (u32, u32, u32) = (p.into(), c.into(), n.into());
            *out = S::from_u32((w * ((n + 2 * c + p + 2) >> 2) + (256 - w) * c + 128) >> 8);
        }
    }
}

/// Panics if a slice is too short or a weight above 256.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], rows: [Row<S>; 3], stmm: &[u8], weights: &[u16; 8]) {
    contract::rows(rows, dst.len());
    contract::at_least([stmm], dst.len().div_ceil(2));
    weights.iter().for_each(|&weight| contract::within(weight, 0..=256));
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Sample>(_: I, _: &mut [S], _: [Row<S>; 3], _: &[u8], _: &[u16; 8]) -> bool {
    false
}
