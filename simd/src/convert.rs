//! Colour space conversion (§6.6).
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::skin::clip12;

/// Coefficients and offsets that compute one component from the three.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// Coefficients, S2.10.
    pub coefficients: [i16; 3],
    /// `4 * offset_in`, -2048…2044.
    pub offset_in: [i16; 3],
    /// `4 * offset_out`, -2048…2044.
    pub offset_out: i16,
}

impl Conversion {
    /// Panics if a coefficient or an offset is outside its range.
    #[inline(always)]
    pub(crate) fn check_ranges(&self) {
        self.coefficients.iter().for_each(|&coefficient| contract::within(coefficient, -4096..=4095));
        self.offset_in.iter().chain([&self.offset_out]).for_each(|&offset| contract::within(offset, -2048..=2047));
    }
}

/// Writes one component of the pixels, samples 0…4095.
pub fn scalar(dst: &mut [u16], components: [&[u16]; 3], p: &Conversion) {
    for (x, out) in dst.iter_mut().enumerate() {
        let term = |k: usize| p.coefficients[k] as i32 * (components[k][x] as i32 + p.offset_in[k] as i32);
        *out = (((term(0) + term(1) + term(2) + 512) >> 10) + p.offset_out as i32).clamp(0, 4095) as u16;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], components: [&[u16]; 3], p: &Conversion) {
    contract::at_least(components, dst.len());
    p.check_ranges();
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], components: [&[u16]; 3], p: &Conversion) -> bool {
    let n = dst.len();
    let [a, b, c] = [&components[0][..n], &components[1][..n], &components[2][..n]];
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
