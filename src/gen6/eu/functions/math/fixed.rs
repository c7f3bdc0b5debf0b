//! Fixed-point numbers with 120 fractional bits (§11.1).

/// Fractional bits.
pub(super) const FRACTION: u32 = 120;
/// 1.
pub(super) const ONE: u128 = 1 << FRACTION;
/// ln 2, rounded down.
const LN_2: u128 = 0x00b1_7217_f7d1_cf79_abc9_e3b3_9803_f2f6;

/// The product of two numbers of 128 bits: its upper and its lower half.
pub(super) fn product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let (low, first, second, high) = (a0 * b0, a1 * b0, a0 * b1, a1 * b1);
    let middle = (low >> 64) + (first & LOW) + (second & LOW);
    (high + (first >> 64) + (second >> 64) + (middle >> 64), middle << 64 | low & LOW)
}

/// The product of two fixed-point numbers whose product is below 2^8, rounded down.
pub(super) fn multiply(a: u128, b: u128) -> u128 {
    let (high, low) = product(a, b);
    high << (128 - FRACTION) | low >> FRACTION
}

/// The fractional part of the logarithm to base 2 of `mantissa`, which is at least 1 and below 2,
/// bit by bit: the square of a number has twice its logarithm.
pub(super) fn log2(mantissa: u128) -> u128 {
    let mut mantissa = mantissa;
    let mut bits = 0;
    for _ in 0..FRACTION {
        if mantissa == ONE {
            // A power of two: its logarithm is exact. Each bit that remains is 0.
            bits <<= 1;
            continue;
        }
        mantissa = multiply(mantissa, mantissa);
        let bit = u128::from(mantissa >= 2 * ONE);
        mantissa >>= bit;
        bits = bits << 1 | bit;
    }
    bits
}

/// 2 to the power of `fraction`, which is below 1: the exponential series.
pub(super) fn exp2(fraction: u128) -> u128 {
    let exponent = multiply(fraction, LN_2);
    let (mut sum, mut term, mut n) = (ONE, ONE, 1);
    while term > 0 {
        term = multiply(term, exponent) / n;
        sum += term;
        n += 1;
    }
    sum
}

/// The sine of an angle of at most π / 2, in radians.
pub(super) fn sine(angle: u128) -> u128 {
    alternating(angle, angle, 1)
}

/// The cosine of an angle of at most π / 2, in radians.
pub(super) fn cosine(angle: u128) -> u128 {
    alternating(ONE, angle, 0)
}

/// The sum of the series whose first term is `first`, of the power `power`: each further term is
/// the one before times -`angle`² over the next two numbers.
fn alternating(first: u128, angle: u128, power: u128) -> u128 {
    let square = multiply(angle, angle);
    let (mut plus, mut minus) = (first, 0);
    let (mut term, mut power, mut negative) = (first, power, true);
    while term > 0 {
        term = multiply(term, square) / ((power + 1) * (power + 2));
        *if negative { &mut minus } else { &mut plus } += term;
        (power, negative) = (power + 2, !negative);
    }
    plus - minus
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(value: f64) -> u128 {
        ((value * (1u64 << 52) as f64) as u128) << (FRACTION - 52)
    }

    fn real(value: u128) -> f64 {
        value as f64 / ONE as f64
    }

    #[test]
    fn products_of_256_bits() {
        assert_eq!(product(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
        assert_eq!(product(1 << 127, 6), (3, 0));
        assert_eq!(product(u64::MAX.into(), u64::MAX.into()), (0, u128::from(u64::MAX) * u128::from(u64::MAX)));
        assert_eq!(multiply(3 * ONE / 2, 5 * ONE / 2), 15 * ONE / 4);
    }

    #[test]
    fn series_agree_with_functions_of_the_system() {
        for step in 0..=64 {
            let x = f64::from(step) / 64.0;
            assert!((real(exp2(fixed(x).min(ONE - 1))) - x.exp2()).abs() < 1e-15, "{x}");
            assert!((real(log2((ONE + fixed(x)).min(2 * ONE - 1))) - (1.0 + x).log2()).abs() < 1e-15, "{x}");
            let angle = 1.5 * x;
            assert!((real(sine(fixed(angle))) - angle.sin()).abs() < 1e-15, "{angle}");
            assert!((real(cosine(fixed(angle))) - angle.cos()).abs() < 1e-15, "{angle}");
        }
        assert_eq!((log2(ONE), exp2(0), sine(0), cosine(0)), (0, ONE, 0, ONE));
    }
}
