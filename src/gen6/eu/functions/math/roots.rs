//! Reciprocal, quotient, square root and its reciprocal: integer division and integer square root,
//! whose remainders show whether the result is exact (§11.1).
use super::number::{Finite, NAN, Number, Rest, infinity, one, round, zero};

/// Bits that a dividend is moved up by, so that its quotient has more than the result needs.
const SHIFT: i32 = 100;

/// 1 / a.
pub(super) fn reciprocal(a: u32) -> u32 {
    divide(one(false), a)
}

/// a / b.
pub(super) fn divide(a: u32, b: u32) -> u32 {
    use Number::{Finite as F, Infinity, NaN, Zero};
    match (Number::of(a), Number::of(b)) {
        (NaN, _) | (_, NaN) | (Zero(_), Zero(_)) | (Infinity(_), Infinity(_)) => NAN,
        (Infinity(a), Zero(b) | F(Finite { negative: b, .. })) => infinity(a != b),
        (F(Finite { negative: a, .. }), Zero(b)) => infinity(a != b),
        (Zero(a), F(Finite { negative: b, .. }) | Infinity(b)) => zero(a != b),
        (F(Finite { negative: a, .. }), Infinity(b)) => zero(a != b),
        (F(a), F(b)) => {
            let (dividend, divisor) = (u128::from(a.significand) << SHIFT, u128::from(b.significand));
            let exponent = a.exponent - b.exponent - SHIFT;
            round(a.negative != b.negative, dividend / divisor, exponent, rest(dividend % divisor == 0))
        }
    }
}

/// The square root of a.
pub(super) fn square_root(a: u32) -> u32 {
    match Number::of(a) {
        Number::Zero(negative) => zero(negative),
        Number::Infinity(false) => infinity(false),
        Number::Finite(a) if !a.negative => {
            // An even exponent.
            let (number, exponent) = even(a, SHIFT - 1);
            let root = number.isqrt();
            round(false, root, exponent / 2, rest(root * root == number))
        }
        _ => NAN,
    }
}

/// 1 / the square root of a.
pub(super) fn reciprocal_root(a: u32) -> u32 {
    match Number::of(a) {
        Number::Zero(negative) => infinity(negative),
        Number::Infinity(false) => zero(false),
        Number::Finite(a) if !a.negative => {
            let (number, exponent) = even(a, 0);
            let dividend = 1u128 << 126;
            let quotient = dividend / number;
            let root = quotient.isqrt();
            let exact = root * root == quotient && dividend.is_multiple_of(number);
            round(false, root, (-126 - exponent) / 2, rest(exact))
        }
        _ => NAN,
    }
}

fn rest(exact: bool) -> Rest {
    if exact { Rest::Exact } else { Rest::More }
}

/// The significand of a number moved up by `shift` bits or one more, and an even exponent.
fn even(a: Finite, shift: i32) -> (u128, i32) {
    let shift = shift + (a.exponent - shift).rem_euclid(2);
    (u128::from(a.significand) << shift, a.exponent - shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operations of the processor are correctly rounded. It keeps denormal results.
    #[test]
    fn they_agree_with_the_processor() {
        let mut random = 1u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            random ^ random >> 15
        };
        let normal = |value: f32| value.is_normal() || value == 0.0 || value.is_infinite();
        for _ in 0..20_000 {
            let (a, b) = (next(), next());
            let [x, y] = [a, b].map(f32::from_bits);
            if !x.is_normal() || !y.is_normal() {
                continue;
            }
            if normal(x / y) && x / y != 0.0 {
                assert_eq!(divide(a, b), (x / y).to_bits(), "{x} / {y}");
            }
            if normal(1.0 / x) {
                assert_eq!(reciprocal(a), (1.0 / x).to_bits(), "{x}");
            }
            if x > 0.0 {
                assert_eq!(square_root(a), x.sqrt().to_bits(), "{x}");
                // Of 53 bits, so that rounding twice hardly ever differs.
                assert_eq!(reciprocal_root(a), ((1.0 / f64::from(x).sqrt()) as f32).to_bits(), "{x}");
            }
        }
    }

    #[test]
    fn limits() {
        let [inf, minus_inf, nan] = [infinity(false), infinity(true), NAN];
        let number = f32::to_bits;
        assert_eq!([0, zero(true), 1, inf, minus_inf].map(reciprocal), [inf, minus_inf, inf, 0, zero(true)]);
        assert_eq!([0, zero(true), inf, minus_inf, number(-1.0)].map(square_root), [0, zero(true), inf, nan, nan]);
        assert_eq!([0, zero(true), inf, minus_inf, number(-1.0)].map(reciprocal_root), [inf, minus_inf, 0, nan, nan]);
        assert_eq!(reciprocal_root(number(0.25)), number(2.0));
        let cases =
            [(0, 0, nan), (inf, minus_inf, nan), (nan, 0, nan), (minus_inf, 0, minus_inf), (inf, number(-2.0), minus_inf)];
        for (a, b, result) in cases {
            assert_eq!(divide(a, b), result);
        }
        let cases = [(number(-1.0), 0, minus_inf), (0, number(-3.0), zero(true)), (number(1.0), minus_inf, zero(true))];
        for (a, b, result) in cases {
            assert_eq!(divide(a, b), result);
        }
        // Below 2^-126.
        assert_eq!(reciprocal(f32::MAX.to_bits()), 0);
    }
}
