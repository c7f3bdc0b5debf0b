//! Colour space conversion (CSC, §6.6, §9.5): the input of the kernel.
use super::ColorParameters;
use dndi_simd::Conversion;

/// The matrix row and the offsets of each output component, for components of `bits` bits.
pub(super) fn components(p: &ColorParameters, bits: u8) -> [Conversion; 3] {
    // Offsets have ten bits.
    let scaled = |v: i16| v << (bits - 10);
    let offset_in = [p.offset_in_1, p.offset_in_2, p.offset_in_3].map(scaled);
    let row = |coefficients: [i16; 3], offset_out: i16| Conversion { coefficients, offset_in, offset_out: scaled(offset_out) };
    [row([p.c0, p.c1, p.c2], p.offset_out_1), row([p.c3, p.c4, p.c5], p.offset_out_2), row([p.c6, p.c7, p.c8], p.offset_out_3)]
}
