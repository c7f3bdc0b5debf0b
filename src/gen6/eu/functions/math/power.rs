//! Logarithm, exponential and power, to base 2 in fixed point (§11.1).
use super::fixed::{FRACTION, ONE, exp2, log2, product};
use super::number::{Finite, NAN, Number, Rest, infinity, one, round, zero};

/// log2(a).
pub(super) fn logarithm(a: u32) -> u32 {
    match Number::of(a) {
        Number::Zero(_) => infinity(true),
        Number::Infinity(false) => infinity(false),
        Number::Finite(a) if !a.negative => {
            let (negative, magnitude) = magnitude_of_logarithm(a);
            let rest = if magnitude % ONE == 0 { Rest::Exact } else { Rest::Approximate };
            round(negative, magnitude, -(FRACTION as i32), rest)
        }
        _ => NAN,
    }
}

/// 2 to the power of a.
pub(super) fn exponential(a: u32) -> u32 {
    match Number::of(a) {
        Number::NaN => NAN,
        Number::Zero(_) => one(false),
        Number::Infinity(negative) => limit(negative),
        Number::Finite(a) => exponential_of(a, ONE),
    }
}

/// The absolute value of a, to the power of b.
pub(super) fn power(a: u32, b: u32) -> u32 {
    let (a, b) = (Number::of(a), Number::of(b));
    match (a, b) {
        (Number::NaN, _) | (_, Number::NaN) => NAN,
        (_, Number::Zero(_)) => one(false),
        (Number::Zero(_), Number::Finite(Finite { negative, .. }) | Number::Infinity(negative)) => limit(!negative),
        (Number::Infinity(_), Number::Finite(Finite { negative, .. }) | Number::Infinity(negative)) => limit(negative),
        (Number::Finite(a), _) => {
            let (below_one, magnitude) = magnitude_of_logarithm(a);
            match b {
                _ if magnitude == 0 => one(false),
                Number::Infinity(negative) => limit(negative != below_one),
                Number::Finite(b) => exponential_of(Finite { negative: b.negative != below_one, ..b }, magnitude),
                _ => NAN,
            }
        }
    }
}

/// 2 to the power of an infinity: 0, or infinity.
fn limit(negative: bool) -> u32 {
    if negative { zero(false) } else { infinity(false) }
}

/// Whether the logarithm of the absolute value of a number is negative, and its magnitude in fixed
/// point, below 2^7.
fn magnitude_of_logarithm(a: Finite) -> (bool, u128) {
    let fraction = log2(u128::from(a.significand) << (FRACTION - 23));
    let whole = a.exponent + 23;
    let magnitude = u128::from(whole.unsigned_abs()) << FRACTION;
    if whole < 0 { (true, magnitude - fraction) } else { (false, magnitude + fraction) }
}

/// 2 to the power of `a` times `factor`, a fixed-point number above 0 and below 2^8.
fn exponential_of(a: Finite, factor: u128) -> u32 {
    let (high, low) = product(a.significand.into(), factor);
    let bits = if high > 0 { 256 - high.leading_zeros() } else { 128 - low.leading_zeros() };
    if bits as i32 + a.exponent > FRACTION as i32 + 8 {
        return limit(a.negative);
    }
    // The sum above bounds the number to 128 bits.
    let exponent = match a.exponent {
        shift @ 0.. => low << shift,
        shift => {
            let shift = shift.unsigned_abs();
            let upper = high.checked_shl(128u32.saturating_sub(shift)).unwrap_or(0);
            let upper = if shift > 128 { high.checked_shr(shift - 128).unwrap_or(0) } else { upper };
            upper | low.checked_shr(shift).unwrap_or(0)
        }
    };
    let (whole, fraction) = ((exponent >> FRACTION) as i32, exponent % ONE);
    let (whole, fraction) = match (a.negative, fraction) {
        (false, fraction) => (whole, fraction),
        (true, 0) => (-whole, 0),
        (true, fraction) => (-whole - 1, ONE - fraction),
    };
    round(false, exp2(fraction), whole - FRACTION as i32, Rest::Approximate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_values() {
        let number = f32::to_bits;
        for whole in -126..=127 {
            let two = 2f32.powi(whole);
            assert_eq!(logarithm(number(two)), number(whole as f32));
            assert_eq!(exponential(number(whole as f32)), number(two));
        }
        assert_eq!([128.0, -127.0, 1e30, -1e30].map(|a| exponential(number(a))), [infinity(false), 0, infinity(false), 0]);
        // 4097² is in the middle of two numbers.
        assert_eq!(power(number(4097.0), number(2.0)), number(16_785_408.0));
        assert_eq!(power(number(-8193.0), number(2.0)), number(67_125_248.0));
        assert_eq!(power(number(289.0), number(1.5)), number(4913.0));
        assert_eq!(power(number(2.0), number(-126.0)), number(f32::MIN_POSITIVE));
        assert_eq!(exponential(number(-1e-38)), number(1.0));
    }

    #[test]
    fn limits_of_powers() {
        let number = f32::to_bits;
        let [inf, minus_inf] = [infinity(false), infinity(true)];
        let cases = [
            (NAN, 0, NAN),
            (number(1.0), NAN, NAN),
            (0, 0, number(1.0)),
            (minus_inf, zero(true), number(1.0)),
            (number(1.0), minus_inf, number(1.0)),
            (number(-1.0), number(1e30), number(1.0)),
            (zero(true), number(3.0), 0),
            (zero(true), number(-3.0), inf),
            (0, minus_inf, inf),
            (number(0.5), inf, 0),
            (number(0.5), minus_inf, inf),
            (number(-2.0), inf, inf),
            (number(2.0), minus_inf, 0),
            (inf, number(-0.5), 0),
            (minus_inf, number(0.5), inf),
            (inf, minus_inf, 0),
        ];
        for (a, b, result) in cases {
            assert_eq!(power(a, b), result, "{a:x} {b:x}");
        }
    }

    /// The functions of the system have 53 bits: the results are the same but for rare ties.
    #[test]
    fn they_agree_with_the_system() {
        let (mut random, mut different) = (7u32, 0);
        for _ in 0..3000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let a = f32::from_bits(random & 0x7fff_ffff);
            let b = (random >> 8 & 0xfff) as f32 / 256.0 - 8.0;
            if !a.is_normal() {
                continue;
            }
            let expected = [f64::from(a).log2(), f64::from(b).exp2(), f64::from(a).powf(b.into())];
            let found = [logarithm(a.to_bits()), exponential(b.to_bits()), power(a.to_bits(), b.to_bits())];
            for (expected, found) in expected.into_iter().zip(found) {
                let expected = expected as f32;
                if expected.is_normal() || expected.is_infinite() {
                    different += usize::from(expected.to_bits() != found);
                }
            }
        }
        assert!(different <= 1, "{different}");
    }
}
