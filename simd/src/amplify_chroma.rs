//! Saturation and hue (§6.5).
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes U and V, rotated and scaled by `cos` and `sin` (S7.8). Samples are 0…4095.
pub fn scalar(dst: &mut [&mut [u16]; 2], [u, v]: [&[u16]; 2], cos: i16, sin: i16) {
    let [dst_u, dst_v] = dst;
    let (cos, sin) = (cos as i32, sin as i32);
    for (x, (out_u, out_v)) in dst_u.iter_mut().zip(dst_v.iter_mut()).enumerate() {
        let (u, v) = (u[x] as i32 - 2048, v[x] as i32 - 2048);
        *out_u = (((u * cos + v * sin) >> 8) + 2048).clamp(0, 4095) as u16;
        *out_v = (((v * cos - u * sin) >> 8) + 2048).clamp(0, 4095) as u16;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check([dst_u, dst_v]: &[&mut [u16]; 2], uv: [&[u16]; 2], _: i16, _: i16) {
    contract::same_length([dst_u, dst_v]);
    contract::at_least(uv, dst_u.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [&mut [u16]; 2], [u, v]: [&[u16]; 2], cos: i16, sin: i16) -> bool {
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, u, v) = (&mut dst_v[..n], &u[..n], &v[..n]);
    let factors = factors(s, cos, sin);
    blocks!(n, I::N / 2, x => {
        let [u, v] = rotated(s, s.load16(&u[x..]), s.load16(&v[x..]), factors);
        s.store16(&mut dst_u[x..], u);
        s.store16(&mut dst_v[x..], v);
    })
}

/// `cos` and `sin` in turn in a vector, the operand of [`rotated`].
#[inline(always)]
pub(crate) fn factors<I: Isa>(s: I, cos: i16, sin: i16) -> I::H {
    s.interleave_low16(s.splat16(cos as u16), s.splat16(sin as u16))
}

/// U and V of 12-bit chroma, rotated and scaled.
#[inline(always)]
pub(crate) fn rotated<I: Isa>(s: I, u: I::H, v: I::H, factors: I::H) -> [I::H; 2] {
    let zero = s.splat16(2048);
    let (u, v) = (s.sub16(u, zero), s.sub16(v, zero));
    // V * cos - U * sin is computed as V * cos + (-U) * sin: -U always fits 16 bits, -sin may not.
    [component(s, u, v, factors), component(s, v, s.sub16(s.splat16(0), u), factors)]
}

#[inline(always)]
fn component<I: Isa>(s: I, a: I::H, b: I::H, factors: I::H) -> I::H {
    let low = s.sra32::<8>(s.madd16(s.interleave_low16(a, b), factors));
    let high = s.sra32::<8>(s.madd16(s.interleave_high16(a, b), factors));
    let v = s.max15(s.min15(s.pack32(low, high), s.splat16(2047)), s.splat16((-2048i16) as u16));
    s.add16(v, s.splat16(2048))
}
