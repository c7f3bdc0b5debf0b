//! Formats of render targets, and the conversion of colours to them.

/// The numbers of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unorm,
    Snorm,
    Uint,
    Sint,
    Float,
}

/// The format of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    kind: Kind,
    /// From bit 0 up: channel (0 to 3: R, G, B, A) and number of bits. No channel: unused bits.
    fields: &'static [(Option<usize>, u32)],
}

const R: Option<usize> = Some(0);
const G: Option<usize> = Some(1);
const B: Option<usize> = Some(2);
const A: Option<usize> = Some(3);

const RGBA32: &[(Option<usize>, u32)] = &[(R, 32), (G, 32), (B, 32), (A, 32)];
const RGBA16: &[(Option<usize>, u32)] = &[(R, 16), (G, 16), (B, 16), (A, 16)];
const RG32: &[(Option<usize>, u32)] = &[(R, 32), (G, 32)];
const RGBA8: &[(Option<usize>, u32)] = &[(R, 8), (G, 8), (B, 8), (A, 8)];
const RG16: &[(Option<usize>, u32)] = &[(R, 16), (G, 16)];
const RGB10A2: &[(Option<usize>, u32)] = &[(R, 10), (G, 10), (B, 10), (A, 2)];
const RG8: &[(Option<usize>, u32)] = &[(R, 8), (G, 8)];
const R32: &[(Option<usize>, u32)] = &[(R, 32)];
const R16: &[(Option<usize>, u32)] = &[(R, 16)];
const R8: &[(Option<usize>, u32)] = &[(R, 8)];

impl Format {
    /// The format with this code; none if it is no render target of this model.
    pub fn of(code: u32) -> Option<Format> {
        use Kind::{Float, Sint, Snorm, Uint, Unorm};
        let (kind, fields): (Kind, &[(Option<usize>, u32)]) = match code {
            0x000 => (Float, RGBA32),
            0x001 => (Sint, RGBA32),
            0x002 => (Uint, RGBA32),
            0x080 => (Unorm, RGBA16),
            0x081 => (Snorm, RGBA16),
            0x082 => (Sint, RGBA16),
            0x083 => (Uint, RGBA16),
            0x084 => (Float, RGBA16),
            0x085 => (Float, RG32),
            0x086 => (Sint, RG32),
            0x087 => (Uint, RG32),
            0x0c0 => (Unorm, &[(B, 8), (G, 8), (R, 8), (A, 8)]),
            0x0c2 => (Unorm, RGB10A2),
            0x0c4 => (Uint, RGB10A2),
            0x0c7 => (Unorm, RGBA8),
            0x0c9 => (Snorm, RGBA8),
            0x0ca => (Sint, RGBA8),
            0x0cb => (Uint, RGBA8),
            0x0cc => (Unorm, RG16),
            0x0cd => (Snorm, RG16),
            0x0ce => (Sint, RG16),
            0x0cf => (Uint, RG16),
            0x0d0 => (Float, RG16),
            0x0d1 => (Unorm, &[(B, 10), (G, 10), (R, 10), (A, 2)]),
            0x0d3 => (Float, &[(R, 11), (G, 11), (B, 10)]),
            0x0d6 => (Sint, R32),
            0x0d7 => (Uint, R32),
            0x0d8 => (Float, R32),
            0x100 => (Unorm, &[(B, 5), (G, 6), (R, 5)]),
            0x102 => (Unorm, &[(B, 5), (G, 5), (R, 5), (A, 1)]),
            0x104 => (Unorm, &[(B, 4), (G, 4), (R, 4), (A, 4)]),
            0x106 => (Unorm, RG8),
            0x107 => (Snorm, RG8),
            0x108 => (Sint, RG8),
            0x109 => (Uint, RG8),
            0x10a => (Unorm, R16),
            0x10b => (Snorm, R16),
            0x10c => (Sint, R16),
            0x10d => (Uint, R16),
            0x10e => (Float, R16),
            0x11a => (Unorm, &[(B, 5), (G, 5), (R, 5), (None, 1)]),
            0x140 => (Unorm, R8),
            0x141 => (Snorm, R8),
            0x142 => (Sint, R8),
            0x143 => (Uint, R8),
            0x144 => (Unorm, &[(A, 8)]),
            _ => return None,
        };
        Some(Format { kind, fields })
    }

    /// Bytes of an element, at most 16.
    pub fn bytes(&self) -> usize {
        self.fields.iter().map(|(_, bits)| *bits as usize).sum::<usize>() / 8
    }

    /// The element of a colour, in the lowest bytes.
    pub fn element(&self, color: [u32; 4]) -> [u8; 16] {
        let (mut element, mut low) = (0u128, 0);
        for &(channel, bits) in self.fields {
            let value = channel.map_or(0, |channel| self.converted(color[channel], bits));
            element |= u128::from(value) << low;
            low += bits;
        }
        element.to_le_bytes()
    }

    /// A channel of a colour in `bits` bits.
    fn converted(&self, value: u32, bits: u32) -> u32 {
        let mask = u32::MAX >> (32 - bits);
        let scaled = |low: f64, largest: u32| {
            let number = f64::from(f32::from_bits(value));
            // A maximum of the number and a bound would turn NaN into the bound.
            let number = if number.is_nan() { 0.0 } else { number.clamp(low, 1.0) };
            (number * f64::from(largest) + 0.5).floor() as i64 as u32 & mask
        };
        match self.kind {
            Kind::Unorm => scaled(0.0, mask),
            Kind::Snorm => scaled(-1.0, mask >> 1),
            Kind::Uint => value.min(mask),
            Kind::Sint => (value as i32).clamp(-((mask >> 1) as i32) - 1, (mask >> 1) as i32) as u32 & mask,
            Kind::Float => match bits {
                32 => value,
                16 => (value >> 16 & 0x8000) | small_float(value & 0x7fff_ffff, 10, true),
                // Without a sign.
                _ if value >> 31 == 1 && value & 0x7fff_ffff <= 0x7f80_0000 => 0,
                _ => small_float(value & 0x7fff_ffff, bits - 5, false),
            },
        }
    }
}

/// A number that is not negative with an exponent of 5 bits and `fraction` bits, ties to even.
/// Numbers that are too large become infinite, or the largest finite one.
fn small_float(value: u32, fraction: u32, overflows: bool) -> u32 {
    let infinity = 31 << fraction;
    if value > 0x7f80_0000 {
        return infinity | 1 << (fraction - 1);
    }
    if value == 0x7f80_0000 {
        return infinity;
    }
    let (exponent, significand) = (value >> 23, value & 0x7f_ffff | u32::from(value >> 23 > 0) << 23);
    // Denormal numbers of the result, below 2^-14, keep fewer bits; the significand has 24.
    let dropped = 23 - fraction + 113u32.saturating_sub(exponent);
    let whole = if exponent > 113 { (exponent - 113) << fraction } else { 0 };
    let kept = significand.checked_shr(dropped).unwrap_or(0);
    let half = 1u64 << (dropped - 1).min(40);
    let below = u64::from(significand) & ((half << 1) - 1);
    let up = below > half || below == half && kept & 1 == 1;
    let rounded = whole + kept + u32::from(up);
    match rounded < infinity {
        true => rounded,
        false if overflows => infinity,
        false => infinity - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(code: u32, color: [f32; 4]) -> u128 {
        u128::from_le_bytes(Format::of(code).unwrap().element(color.map(f32::to_bits)))
    }

    #[test]
    fn all_formats_have_whole_bytes() {
        let known: Vec<Format> = (0..0x200).filter_map(Format::of).collect();
        assert_eq!(known.len(), 46);
        for format in known {
            assert!([1, 2, 4, 8, 16].contains(&format.bytes()), "{format:?}");
            assert_eq!(format.fields.iter().map(|(_, bits)| bits).sum::<u32>() % 8, 0);
        }
    }

    #[test]
    fn normalized_numbers() {
        assert_eq!(element(0x0c7, [1.0, 0.5, -1.0, f32::NAN]), 0x0000_80ff);
        assert_eq!(element(0x0c0, [1.0, 0.5, 2.0, 0.0]), 0x00ff_80ff);
        assert_eq!(element(0x0c9, [-1.0, 1.0, -0.5, -9.0]), 0x81c1_7f81);
        assert_eq!(element(0x100, [1.0, 0.0, 0.02, 0.0]), 0xf801);
        assert_eq!(element(0x11a, [1.0, 1.0, 1.0, 1.0]), 0x7fff);
        assert_eq!(element(0x0c2, [0.0, 0.0, 1.0, 1.0]), 0xfff0_0000);
    }

    #[test]
    fn integers_are_clamped() {
        let element = |code, color| u128::from_le_bytes(Format::of(code).unwrap().element(color));
        assert_eq!(element(0x0ca, [0xffff_ff00, 300, 0xffff_ffff, 5]), 0x05ff_7f80);
        assert_eq!(element(0x0cb, [300, 1, 0, 0xffff_ffff]), 0xff00_01ff);
        assert_eq!(element(0x0d6, [0x8000_0000, 0, 0, 0]), 0x8000_0000);
        assert_eq!(element(0x0c4, [2000, 1, 0, 9]), 0xc000_07ff);
    }

    #[test]
    fn floats_are_rounded_to_even() {
        let half = |value: f32| element(0x10e, [value, 0.0, 0.0, 0.0]);
        assert_eq!([1.0, -2.0, 65504.0, 65519.0, 65520.0].map(half), [0x3c00, 0xc000, 0x7bff, 0x7bff, 0x7c00]);
        // The smallest denormal number, half of it, and a little more.
        let tiny = 2f32.powi(-24);
        assert_eq!([tiny, tiny / 2.0, tiny * 0.51, tiny * 1.5].map(half), [1, 0, 1, 2]);
        assert_eq!([1.0 + 2f32.powi(-11), 1.0 + 3.0 * 2f32.powi(-11), 1e-40].map(half), [0x3c00, 0x3c02, 0]);
        assert_eq!([f32::NAN, f32::NEG_INFINITY, 6.1035156e-5, 6.1e-5].map(half), [0x7e00, 0xfc00, 0x0400, 0x03ff]);
        let packed = |color| element(0x0d3, color);
        assert_eq!(packed([1.0, -1.0, 1.0, 0.0]), 0x3c0 | 0x1e0 << 22);
        assert_eq!(packed([1e9, f32::INFINITY, 65000.0, 0.0]), 0x7bf | 0x7c0 << 11 | 0x3df << 22);
        assert_eq!(packed([f32::NEG_INFINITY, f32::NAN, 0.0, 0.0]), 0x7e0 << 11);
        assert_eq!(element(0x0d8, [f32::MIN_POSITIVE / 2.0, 0.0, 0.0, 0.0]), 0x40_0000);
    }
}
