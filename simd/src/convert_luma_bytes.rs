//! Colour space conversion of 8-bit luma whose pairs of pixels share chroma (§6, §6.6): unpacker,
//! CSC and repacker in one pass.
use crate::Conversion;
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes the component that [`convert`](crate::Kernels::convert) computes, with `<< 4` before and
/// `>> 4` after. `uv` has a sample for each pair of `y`.
pub fn scalar(dst: &mut [u8], y: &[u8], uv: [&[u8]; 2], p: &Conversion) {
    for (x, out) in dst.iter_mut().enumerate() {
        *out = of_bytes([y[x], uv[0][x / 2], uv[1][x / 2]], p);
    }
}

pub(crate) fn of_bytes(yuv: [u8; 3], p: &Conversion) -> u8 {
    let [y, u, v] = yuv.map(|v| [(v as u16) << 4]);
    let mut out = [0];
    crate::convert::scalar(&mut out, [&y, &u, &v], p);
    (out[0] >> 4) as u8
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u8], y: &[u8], uv: [&[u8]; 2], p: &Conversion) {
    contract::at_least([y], dst.len());
    contract::at_least(uv, dst.len().div_ceil(2));
    p.check_ranges();
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], y: &[u8], uv: [&[u8]; 2], p: &Conversion) -> bool {
    let n = dst.len();
    let (y, u, v) = (&y[..n], &uv[0][..n / 2], &uv[1][..n / 2]);
    let [c0, c1, c2] = p.coefficients.map(|c| s.splat16(c as u16));
    let zero = s.splat16(0);
    let (left, right, shared) = (s.interleave_low16(c0, zero), s.interleave_low16(zero, c0), s.interleave_low16(c1, c2));
    let constant = s.splat32(constant(p));
    let done = blocks!(n / 2, I::N / 4, pair => {
        let shared = s.add32(s.madd16(pairs(s, &u[pair..], &v[pair..]), shared), constant);
        let y = s.load_half(&y[2 * pair..]);
        let even = s.sra32::<10>(s.add32(s.madd16(y, left), shared));
        let odd = s.sra32::<10>(s.add32(s.madd16(y, right), shared));
        let out = s.merge32(even, odd);
        s.store_half(&mut dst[2 * pair..], s.max15(s.min15(out, s.splat16(255)), zero));
    });
    if done && n % 2 == 1 {
        dst[n - 1] = of_bytes([y[n - 1], uv[0][n / 2], uv[1][n / 2]], p);
    }
    done
}

/// The constant that is added to Σ C·v of 8-bit samples before a shift by ten bits.
///
/// With S = Σ C·v and K = Σ C·offset, `((16·S + K + 512) >> 10) + out >> 4` equals
/// `S + ((K + 512) >> 4) + (out << 6) >> 10`: successive shifts equal one shift by their sum, and
/// the clipping may follow it.
#[inline(always)]
pub(crate) fn constant(p: &Conversion) -> i32 {
    let mut offsets = 512;
    for (&c, &offset) in p.coefficients.iter().zip(&p.offset_in) {
        offsets += c as i32 * offset as i32;
    }
    (offsets >> 4) + ((p.offset_out as i32) << 6)
}

/// N/4 samples of U and of V, alternating.
#[inline(always)]
pub(crate) fn pairs<I: Isa>(s: I, u: &[u8], v: &[u8]) -> I::H {
    s.or16(s.load_quarter(u), s.swap16(s.load_quarter(v)))
}
