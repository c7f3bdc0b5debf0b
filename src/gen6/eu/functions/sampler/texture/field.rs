//! Fields of texels and their numbers (§10.3).

/// The kind of number in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Unorm,
    Snorm,
    Sint,
    Uint,
    Float,
    /// A mantissa with the exponent in bits 31:27.
    SharedExponent,
}

/// A field of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// Lowest bit.
    pub low: u32,
    /// Number of bits, 1 to 32.
    pub bits: u32,
    pub number: Number,
}

impl Field {
    /// The bits of the field.
    pub fn code(self, element: u128) -> u32 {
        (element >> self.low) as u32 & (u32::MAX >> (32 - self.bits))
    }

    /// The bits of a field of at most 8 bits, with the high ones repeated to 8.
    pub fn byte(self, element: u128) -> u8 {
        let code = self.code(element);
        let mut filled = 0;
        let mut bits = 0;
        while bits < 8 {
            filled = filled << self.bits | code;
            bits += self.bits;
        }
        (filled >> (bits - 8)) as u8
    }

    /// The number of a code.
    pub fn value(self, code: u32, element: u128) -> f64 {
        let signed = (code << (32 - self.bits)) as i32 >> (32 - self.bits);
        let last = |bits: u32| ((1_u64 << bits) - 1) as f64;
        match self.number {
            Number::Unorm => f64::from(code) / last(self.bits),
            Number::Snorm => (f64::from(signed) / last(self.bits - 1)).max(-1.0),
            Number::Sint => f64::from(signed),
            Number::Uint => f64::from(code),
            Number::Float => match self.bits {
                32 => f64::from(f32::from_bits(code)),
                16 => small_float(code & 0x7fff, 10) * if code >> 15 == 1 { -1.0 } else { 1.0 },
                bits => small_float(code, bits - 5),
            },
            Number::SharedExponent => f64::from(code) * power_of_two((element >> 27) as i32 & 31, -24),
        }
    }
}

/// 2 to the power of `exponent + shift`, which is a normal number.
fn power_of_two(exponent: i32, shift: i32) -> f64 {
    f64::from_bits(((1023 + exponent + shift) as u64) << 52)
}

/// A float without sign: an exponent of 5 bits above a mantissa.
fn small_float(code: u32, mantissa: u32) -> f64 {
    let (exponent, fraction) = ((code >> mantissa) as i32, code & ((1 << mantissa) - 1));
    let part = f64::from(fraction) / f64::from(1_u32 << mantissa);
    match (exponent, fraction) {
        (0, _) => part * power_of_two(-14, 0),
        (31, 0) => f64::INFINITY,
        (31, _) => f64::NAN,
        _ => (1.0 + part) * power_of_two(exponent, -15),
    }
}
