//! Numbers of 32 bits as operands, and the rounding of results (§11.1).

/// The result without a value.
pub(super) const NAN: u32 = 0x7fc0_0000;
/// Bits of the significand of a binary32, the leading one included.
const SIGNIFICAND: i32 = 24;
/// The bit of the sign.
const SIGN: u32 = 1 << 31;

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    NaN,
    /// Infinity; whether it is negative.
    Infinity(bool),
    /// Zero or a denormal number; whether it is negative.
    Zero(bool),
    Finite(Finite),
}

/// A normal number: `significand` · 2^`exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Finite {
    pub negative: bool,
    /// 24 bits, the highest one set.
    pub significand: u32,
    pub exponent: i32,
}

impl Number {
    /// The number of these bits.
    pub fn of(bits: u32) -> Number {
        let negative = bits & SIGN != 0;
        let (exponent, fraction) = (bits >> 23 & 0xff, bits & 0x7f_ffff);
        match exponent {
            0xff if fraction != 0 => Number::NaN,
            0xff => Number::Infinity(negative),
            0 => Number::Zero(negative),
            _ => Number::Finite(Finite { negative, significand: fraction | 1 << 23, exponent: exponent as i32 - 150 }),
        }
    }
}

/// Zero of a sign.
pub(super) fn zero(negative: bool) -> u32 {
    if negative { SIGN } else { 0 }
}

/// Infinity of a sign.
pub(super) fn infinity(negative: bool) -> u32 {
    zero(negative) | 0x7f80_0000
}

/// One of a sign.
pub(super) fn one(negative: bool) -> u32 {
    zero(negative) | 0x3f80_0000
}

/// The part of a value below the lowest bit of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing: the number is the value.
    Exact,
    /// Something above 0 and below one unit.
    More,
    /// The number is an approximation. If it is nearer than 2^-80 units of the last place to the
    /// middle of two results, the value is the middle.
    Approximate,
}

/// The binary32 nearest to `number` · 2^`exponent`, ties to even. A result whose rounded magnitude
/// is below 2^-126 is zero.
pub(super) fn round(negative: bool, number: u128, exponent: i32, rest: Rest) -> u32 {
    if number == 0 {
        return zero(negative);
    }
    let bits = 128 - number.leading_zeros() as i32;
    let dropped = bits - SIGNIFICAND;
    // The exponent of the lowest bit of the result.
    let mut lowest = exponent.saturating_add(dropped);
    let mut significand = if dropped > 0 { (number >> dropped) as u32 } else { (number as u32) << -dropped };
    if dropped > 0 {
        let (half, below) = (1u128 << (dropped - 1), number & ((1 << dropped) - 1));
        // 2^-80 units of the last place, as far as the number has such bits.
        let near = half.abs_diff(below).checked_shr((dropped - 80).max(0) as u32).unwrap_or(0) == 0;
        let up = match rest {
            Rest::Approximate if near => significand & 1 == 1,
            Rest::Exact if below == half => significand & 1 == 1,
            _ => below >= half,
        };
        significand += u32::from(up);
    }
    if significand >> SIGNIFICAND != 0 {
        significand >>= 1;
        lowest = lowest.saturating_add(1);
    }
    match lowest.saturating_add(150) {
        ..=0 => zero(negative),
        exponent @ 1..=254 => zero(negative) | (exponent as u32) << 23 | significand & 0x7f_ffff,
        _ => infinity(negative),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(value: f32) -> u32 {
        value.to_bits()
    }

    #[test]
    fn ties_are_rounded_to_even() {
        let number = |low: u128, rest| round(false, 1 << 40 | low, -40, rest);
        let unit = 1 << 17;
        assert_eq!(number(unit / 2, Rest::Exact), float(1.0));
        assert_eq!(number(unit / 2, Rest::More), float(1.0 + f32::EPSILON));
        assert_eq!(number(unit + unit / 2, Rest::Exact), float(1.0 + 2.0 * f32::EPSILON));
        assert_eq!(number(unit / 2 - 1, Rest::More), float(1.0));
        // All significant bits set: the next power of two.
        assert_eq!(round(true, u128::MAX, -128, Rest::Exact), float(-1.0));
    }

    /// A number of 121 bits has 97 below the result: 17 of them are nearer than 2^-80 units.
    #[test]
    fn approximations_near_a_tie_are_ties() {
        let half = 1u128 << 96;
        let number = |low: u128| round(false, 1 << 120 | low, -120, Rest::Approximate);
        assert_eq!([half, half + (1 << 17) - 1, half - (1 << 17) + 1].map(number), [float(1.0); 3]);
        assert_eq!(number(half + (1 << 17)), float(1.0 + f32::EPSILON));
        assert_eq!(number(half - (1 << 17)), float(1.0));
        let odd = 1u128 << 97;
        assert_eq!(number(odd + half - (1 << 17) + 1), float(1.0 + 2.0 * f32::EPSILON));
        assert_eq!(number(odd + half - (1 << 17)), float(1.0 + f32::EPSILON));
    }

    #[test]
    fn the_ends_of_the_range() {
        let smallest = f32::MIN_POSITIVE.to_bits();
        assert_eq!(round(false, 1, -126, Rest::Exact), smallest);
        assert_eq!(round(true, (1 << 24) - 1, -150, Rest::Exact), zero(true));
        // It rounds up to the smallest normal number.
        assert_eq!(round(false, (1 << 25) - 1, -151, Rest::Exact), smallest);
        assert_eq!(round(false, (1 << 24) - 1, 104, Rest::Exact), f32::MAX.to_bits());
        assert_eq!(round(true, (1 << 25) - 1, 103, Rest::Exact), infinity(true));
        assert_eq!([round(true, 0, 0, Rest::Exact), round(false, 1, i32::MAX, Rest::Exact)], [zero(true), infinity(false)]);
        assert_eq!(round(false, 1, i32::MIN, Rest::Exact), 0);
    }

    #[test]
    fn numbers_of_any_bits() {
        assert_eq!([0x7f80_0001, 0xffff_ffff].map(Number::of), [Number::NaN; 2]);
        assert_eq!([0x807f_ffff, 0x8000_0000].map(Number::of), [Number::Zero(true); 2]);
        for bits in [0x3f80_0001, 0x0080_0000, 0xff7f_ffff] {
            let Number::Finite(number) = Number::of(bits) else { panic!("{bits:x}") };
            assert_eq!(round(number.negative, number.significand.into(), number.exponent, Rest::Exact), bits);
        }
    }
}
