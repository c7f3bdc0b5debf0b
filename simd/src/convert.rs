//! Colour space conversion (§6.6, §9.5).
use crate::color_depth::{Signed, check_bits, clipped};
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::skin::clip12;

/// Coefficients and offsets that compute one component from the three.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// Coefficients, S2.10.
    pub coefficients: [i16; 3],
    /// `offset_in << (Q - 10)` for components of Q bits: -2048…2044 for 12 bits, -32768…32704 for
    /// 16 bits.
    pub offset_in: [i16; 3],
    /// `offset_out << (Q - 10)`.
    pub offset_out: i16,
}

impl Conversion {
    /// Panics if a coefficient or an offset is outside its range.
    #[inline(always)]
    pub(crate) fn check_ranges(&self, bits: u8) {
        let limit = 1 << (bits - 1);
        self.coefficients.iter().for_each(|&coefficient| contract::within(coefficient, -4096..=4095));
        self.offset_in.iter().chain([&self.offset_out]).for_each(|&offset| contract::within(offset, -limit..=limit - 1));
    }
}

/// Writes one component of the pixels. Components have `bits` bits, 12 to 16.
pub fn scalar(dst: &mut [u16], components: [&[u16]; 3], p: &Conversion, bits: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        // Even with 16 bits the sum of the terms is below 2^31.
        let term = |k: usize| p.coefficients[k] as i32 * (components[k][x] as i32 + p.offset_in[k] as i32);
        *out = clipped(((term(0) + term(1) + term(2) + 512) >> 10) + p.offset_out as i32, bits);
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], components: [&[u16]; 3], p: &Conversion, bits: u8) {
    contract::at_least(components, dst.len());
    check_bits(bits);
    p.check_ranges(bits);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], components: [&[u16]; 3], p: &Conversion, bits: u8) -> bool {
    let n = dst.len();
    let components = [&components[0][..n], &components[1][..n], &components[2][..n]];
    if bits == 12 { vector12(s, dst, components, p) } else { deep_vector(s, dst, components, p, bits) }
}

/// 12 bits: components with offsets fit signed halfwords.
#[inline(always)]
fn vector12<I: Isa>(s: I, dst: &mut [u16], [a, b, c]: [&[u16]; 3], p: &Conversion) -> bool {
    let n = dst.len();
    let splat = |v: i16| s.splat16(v as u16);
    let offsets = [splat(p.offset_in[0]), splat(p.offset_in[1]), splat(p.offset_in[2])];
    let first = s.interleave_low16(splat(p.coefficients[0]), splat(p.coefficients[1]));
    // The third component is paired with the constant 1.
    let second = s.interleave_low16(splat(p.coefficients[2]), splat(512));
    let (one, out) = (splat(1), splat(p.offset_out));
    blocks!(n, I::N / 2, x => {
        let a = s.add16(s.load16(&a[x..]), offsets[0]);
        let b = s.add16(s.load16(&b[x..]), offsets[1]);
        let c = s.add16(s.load16(&c[x..]), offsets[2]);
        let low = s.add32(s.madd16(s.interleave_low16(a, b), first), s.madd16(s.interleave_low16(c, one), second));
        let high = s.add32(s.madd16(s.interleave_high16(a, b), first), s.madd16(s.interleave_high16(c, one), second));
        let sum = s.pack32(s.sra32::<10>(low), s.sra32::<10>(high));
        // Outside this range the output clips whatever the output offset is.
        let sum = s.max15(s.min15(sum, splat(8191)), splat(-8192));
        s.store16(&mut dst[x..], clip12(s, s.add16(sum, out)));
    })
}

/// More bits: a constant replaces the offsets.
#[inline(always)]
fn deep_vector<I: Isa>(s: I, dst: &mut [u16], [a, b, c]: [&[u16]; 3], p: &Conversion, bits: u8) -> bool {
    let n = dst.len();
    let (signed, zero) = (Signed::new(s, bits), 1 << (bits - 1));
    let [c0, c1, c2] = p.coefficients.map(|c| s.splat16(c as u16));
    let (first, second) = (s.interleave_low16(c0, c1), s.interleave_low16(c2, s.splat16(0)));
    let mut constant = 512;
    for (&c, &offset) in p.coefficients.iter().zip(&p.offset_in) {
        constant += c as i32 * (offset as i32 + zero);
    }
    let (constant, out) = (s.splat32(constant), s.splat32(p.offset_out as i32 - zero));
    blocks!(n, I::N / 2, x => {
        let a = signed.of(s, s.load16(&a[x..]));
        let b = signed.of(s, s.load16(&b[x..]));
        let c = signed.of(s, s.load16(&c[x..]));
        let low = s.add32(s.madd16(s.interleave_low16(a, b), first), s.madd16(s.interleave_low16(c, c), second));
        let high = s.add32(s.madd16(s.interleave_high16(a, b), first), s.madd16(s.interleave_high16(c, c), second));
        let low = s.add32(s.sra32::<10>(s.add32(low, constant)), out);
        let high = s.add32(s.sra32::<10>(s.add32(high, constant)), out);
        s.store16(&mut dst[x..], signed.component(s, low, high));
    })
}
