//! Saturation and hue (§6.5, §9.5).
use crate::color_depth::{Signed, check_bits};
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes U and V, rotated and scaled by `cos` and `sin` (S7.8). Components have `bits` bits, 12 to
/// 16.
pub fn scalar(dst: &mut [&mut [u16]; 2], [u, v]: [&[u16]; 2], cos: i16, sin: i16, bits: u8) {
    let [dst_u, dst_v] = dst;
    // The sum of two products of 16 bits needs more than 32 bits.
    let (cos, sin, zero) = (cos as i64, sin as i64, 1i64 << (bits - 1));
    let clipped = |v: i64| v.clamp(0, (1 << bits) - 1) as u16;
    for (x, (out_u, out_v)) in dst_u.iter_mut().zip(dst_v.iter_mut()).enumerate() {
        let (u, v) = (u[x] as i64 - zero, v[x] as i64 - zero);
        *out_u = clipped(((u * cos + v * sin) >> 8) + zero);
        *out_v = clipped(((v * cos - u * sin) >> 8) + zero);
    }
}

/// Panics if a slice is too short or components cannot have this number of bits.
#[inline(always)]
pub(crate) fn check([dst_u, dst_v]: &[&mut [u16]; 2], uv: [&[u16]; 2], _: i16, _: i16, bits: u8) {
    contract::same_length([dst_u, dst_v]);
    contract::at_least(uv, dst_u.len());
    check_bits(bits);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [&mut [u16]; 2], [u, v]: [&[u16]; 2], cos: i16, sin: i16, bits: u8) -> bool {
    let Some(p) = Rotation::new(s, cos, sin, bits) else { return false };
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, u, v) = (&mut dst_v[..n], &u[..n], &v[..n]);
    blocks!(n, I::N / 2, x => {
        let [u, v] = p.rotated(s, s.load16(&u[x..]), s.load16(&v[x..]));
        s.store16(&mut dst_u[x..], u);
        s.store16(&mut dst_v[x..], v);
    })
}

/// The parameters in vectors.
#[derive(Clone, Copy)]
pub(crate) struct Rotation<I: Isa> {
    signed: Signed<I>,
    /// The factors of U and V in the new U, alternating, and in the new V.
    factors: [I::H; 2],
}

impl<I: Isa> Rotation<I> {
    /// None for a sine of -2^15: its negative does not fit 16 bits, and the sum of two products
    /// might not fit 32 bits.
    #[inline(always)]
    pub fn new(s: I, cos: i16, sin: i16, bits: u8) -> Option<Rotation<I>> {
        let [cos, negative, sin] = [cos, sin.checked_neg()?, sin].map(|v| s.splat16(v as u16));
        let factors = [s.interleave_low16(cos, sin), s.interleave_low16(negative, cos)];
        Some(Rotation { signed: Signed::new(s, bits), factors })
    }

    /// U and V, rotated and scaled.
    #[inline(always)]
    pub fn rotated(self, s: I, u: I::H, v: I::H) -> [I::H; 2] {
        let (u, v) = (self.signed.of(s, u), self.signed.of(s, v));
        let (low, high) = (s.interleave_low16(u, v), s.interleave_high16(u, v));
        let [of_u, of_v] = self.factors;
        [self.scaled(s, low, high, of_u), self.scaled(s, low, high, of_v)]
    }

    #[inline(always)]
    fn scaled(self, s: I, low: I::H, high: I::H, factors: I::H) -> I::H {
        self.signed.component(s, s.sra32::<8>(s.madd16(low, factors)), s.sra32::<8>(s.madd16(high, factors)))
    }
}
