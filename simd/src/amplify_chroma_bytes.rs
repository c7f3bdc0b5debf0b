//! Saturation and hue of 8-bit chroma (§6, §6.5): unpacker, ProcAmp and repacker in one pass.
use crate::amplify_chroma::{factors, rotated};
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes U and V as [`amplify_chroma`](crate::Kernels::amplify_chroma) computes them, with `<< 4`
/// before and `>> 4` after.
pub fn scalar(dst: &mut [&mut [u8]; 2], [u, v]: [&[u8]; 2], cos: i16, sin: i16) {
    let [dst_u, dst_v] = dst;
    for (x, (out_u, out_v)) in dst_u.iter_mut().zip(dst_v.iter_mut()).enumerate() {
        let (u12, v12) = ([(u[x] as u16) << 4], [(v[x] as u16) << 4]);
        let (mut rotated_u, mut rotated_v) = ([0], [0]);
        crate::amplify_chroma::scalar(&mut [&mut rotated_u, &mut rotated_v], [&u12, &v12], cos, sin);
        (*out_u, *out_v) = ((rotated_u[0] >> 4) as u8, (rotated_v[0] >> 4) as u8);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check([dst_u, dst_v]: &[&mut [u8]; 2], uv: [&[u8]; 2], _: i16, _: i16) {
    contract::same_length([dst_u, dst_v]);
    contract::at_least(uv, dst_u.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [&mut [u8]; 2], [u, v]: [&[u8]; 2], cos: i16, sin: i16) -> bool {
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, u, v) = (&mut dst_v[..n], &u[..n], &v[..n]);
    let factors = factors(s, cos, sin);
    blocks!(n, I::N, x => {
        let (u, v) = (s.load(&u[x..]), s.load(&v[x..]));
        let [even_u, even_v] = rotated(s, s.shl::<4>(s.even(u)), s.shl::<4>(s.even(v)), factors);
        let [odd_u, odd_v] = rotated(s, s.shl::<4>(s.odd(u)), s.shl::<4>(s.odd(v)), factors);
        s.store(&mut dst_u[x..], s.merge(s.shr::<4>(even_u), s.shr::<4>(odd_u)));
        s.store(&mut dst_v[x..], s.merge(s.shr::<4>(even_v), s.shr::<4>(odd_v)));
    })
}
