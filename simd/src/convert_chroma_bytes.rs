//! Colour space conversion of chroma that leaves with the left pixel of a pair, from 8 bits to 8 (§6, §6.6): unpacker, CSC and repacker
//! in one.
use crate::Conversion;
use crate::convert_luma_bytes::{constant, of_bytes, pairs};
use crate::isa::{Isa, blocks};

/// The component that [`convert`](crate::Kernels::convert) makes of the left pixels between `<< 4` and `>> 4`; `y` has at least a sample
/// for each of them.
pub fn scalar(dst: &mut [u8], y: &[u8], uv: [&[u8]; 2], p: &Conversion) {
    for (pair, out) in dst.iter_mut().enumerate() {
        *out = of_bytes([y[2 * pair], uv[0][pair], uv[1][pair]], p);
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], y: &[u8], uv: [&[u8]; 2], p: &Conversion) -> bool {
    let n = dst.len();
    let (u, v) = (&uv[0][..n], &uv[1][..n]);
    // Where the last pixel has no neighbour it follows alone.
    let whole = y.len() / 2;
    let [c0, c1, c2] = p.coefficients.map(|c| s.splat16(c as u16));
    let (left, shared) = (s.interleave_low16(c0, s.splat16(0)), s.interleave_low16(c1, c2));
    let constant = s.splat32(constant(p));
    let done = blocks!(whole.min(n), I::N / 4, pair => {
        let shared = s.add32(s.madd16(pairs(s, &u[pair..], &v[pair..]), shared), constant);
        let out = s.sra32::<10>(s.add32(s.madd16(s.load_half(&y[2 * pair..]), left), shared));
        let out = s.merge32(out, out);
        s.store_quarter(&mut dst[pair..], s.max15(s.min15(out, s.splat16(255)), s.splat16(0)));
    });
    if done && whole < n {
        dst[whole] = of_bytes([y[2 * whole], u[whole], v[whole]], p);
    }
    done
}
