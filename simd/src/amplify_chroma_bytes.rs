//! Saturation and hue from 8 bits to 8 (§6, §6.5): unpacker, ProcAmp and repacker in one.
use crate::amplify_chroma::{factors, turned};
use crate::isa::{Isa, blocks};

/// The chroma of [`amplify_chroma`](crate::Kernels::amplify_chroma) between `<< 4` and `>> 4`.
pub fn scalar(dst: &mut [&mut [u8]; 2], [u, v]: [&[u8]; 2], cos: i16, sin: i16) {
    let [dst_u, dst_v] = dst;
    for (x, (out_u, out_v)) in dst_u.iter_mut().zip(dst_v.iter_mut()).enumerate() {
        let (u12, v12) = ([(u[x] as u16) << 4], [(v[x] as u16) << 4]);
        let (mut turned_u, mut turned_v) = ([0], [0]);
        crate::amplify_chroma::scalar(&mut [&mut turned_u, &mut turned_v], [&u12, &v12], cos, sin);
        (*out_u, *out_v) = ((turned_u[0] >> 4) as u8, (turned_v[0] >> 4) as u8);
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [&mut [u8]; 2], [u, v]: [&[u8]; 2], cos: i16, sin: i16) -> bool {
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, u, v) = (&mut dst_v[..n], &u[..n], &v[..n]);
    let factors = factors(s, cos, sin);
    blocks!(n, I::N, x => {
        let (u, v) = (s.load(&u[x..]), s.load(&v[x..]));
        let [even_u, even_v] = turned(s, s.shl::<4>(s.even(u)), s.shl::<4>(s.even(v)), factors);
        let [odd_u, odd_v] = turned(s, s.shl::<4>(s.odd(u)), s.shl::<4>(s.odd(v)), factors);
        s.store(&mut dst_u[x..], s.merge(s.shr::<4>(even_u), s.shr::<4>(odd_u)));
        s.store(&mut dst_v[x..], s.merge(s.shr::<4>(even_v), s.shr::<4>(odd_v)));
    })
}
