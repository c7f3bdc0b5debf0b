//! Sine and cosine of any angle: the angle in quarter turns from enough bits of 2/π, then the
//! series of the rest (§11.1).
use super::fixed::{FRACTION, ONE, cosine as cosine_of_rest, multiply, sine as sine_of_rest};
use super::number::{Finite, NAN, Number, Rest, one, round, zero};

/// 2/π: 576 bits behind the point, the first in the highest bit of the first word. The largest
/// angle needs 295 of them.
const TWO_OVER_PI: [u64; 9] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
];
/// π/2 in fixed point, rounded down.
const HALF_PI: u128 = 0x0192_1fb5_4442_d184_6989_8cc5_1701_b839;
/// Bits of 2/π that are multiplied by the significand of an angle.
const WINDOW: i32 = 192;
/// Angles with an exponent below this one are smaller than 2^-36: their sine rounds to themselves.
const SMALLEST_EXPONENT: i32 = -36 - 23;

/// sin a.
pub(super) fn sine(a: u32) -> u32 {
    match Number::of(a) {
        Number::NaN | Number::Infinity(_) => NAN,
        Number::Zero(negative) => zero(negative),
        Number::Finite(number) if number.exponent < SMALLEST_EXPONENT => a,
        Number::Finite(number) => {
            let (quarter, rest) = reduce(number);
            of_quarter(quarter, rest, number.negative)
        }
    }
}

/// cos a.
pub(super) fn cosine(a: u32) -> u32 {
    match Number::of(a) {
        Number::NaN | Number::Infinity(_) => NAN,
        Number::Zero(_) => one(false),
        Number::Finite(number) if number.exponent < SMALLEST_EXPONENT => one(false),
        Number::Finite(number) => {
            let (quarter, rest) = reduce(number);
            of_quarter(quarter + 1, rest, false)
        }
    }
}

/// The sine of `quarter` + `rest` quarter turns, or of its negative.
fn of_quarter(quarter: u32, rest: u128, negative: bool) -> u32 {
    // The second and the fourth quarter go back. The series get the smaller of the two distances
    // from the ends of the quarter, so that small results keep their bits.
    let from_zero = if quarter.is_multiple_of(2) { rest } else { ONE - rest };
    let value = if from_zero <= ONE / 2 {
        sine_of_rest(multiply(from_zero, HALF_PI))
    } else {
        cosine_of_rest(multiply(ONE - from_zero, HALF_PI))
    };
    round(negative != (quarter & 2 != 0), value, -(FRACTION as i32), Rest::Approximate)
}

/// The absolute value of an angle in quarter turns: the last two bits of the whole number, and the
/// fraction in fixed point.
fn reduce(a: Finite) -> (u32, u128) {
    // Bits of 2/π before the first one contribute whole turns only.
    let first = (a.exponent - 2).max(0);
    let window = bits(first as usize);
    // The product with the significand, 64 bits a word from the lowest on.
    let (mut words, mut carry) = ([0u64; 4], 0u128);
    for (word, &factor) in words.iter_mut().zip([window[2], window[1], window[0], 0].iter()) {
        let sum = u128::from(factor) * u128::from(a.significand) + carry;
        (*word, carry) = (sum as u64, sum >> 64);
    }
    // Its unit is 2^-point quarter turns.
    let point = first + WINDOW - a.exponent;
    let from = |bit: i32| {
        // 128 bits from `bit` on.
        let (word, shift) = ((bit / 64) as usize, bit % 64);
        let at = |word: usize| u128::from(words.get(word).copied().unwrap_or(0));
        let low = at(word) | at(word + 1) << 64;
        if shift == 0 { low } else { low >> shift | at(word + 2) << (128 - shift) }
    };
    let fixed = from(point - FRACTION as i32);
    ((fixed >> FRACTION) as u32 & 3, fixed % ONE)
}

/// 192 bits of 2/π after the first `skip` ones.
fn bits(skip: usize) -> [u64; 3] {
    let (word, shift) = (skip / 64, skip % 64);
    let at = |index: usize| TWO_OVER_PI.get(index).copied().unwrap_or(0);
    std::array::from_fn(|n| {
        let (upper, lower) = (at(word + n), at(word + n + 1));
        if shift == 0 { upper } else { upper << shift | lower >> (64 - shift) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions of the system have 53 bits: the results are the same but for rare ties.
    #[test]
    fn they_agree_with_the_system() {
        let (mut random, mut different) = (3u32, 0);
        for _ in 0..4000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let a = f32::from_bits(random);
            if a.is_normal() {
                different += usize::from(sine(random) != (f64::from(a).sin() as f32).to_bits());
                different += usize::from(cosine(random) != (f64::from(a).cos() as f32).to_bits());
            }
        }
        assert!(different <= 1, "{different}");
    }

    /// Values computed with 700 bits.
    #[test]
    fn the_largest_angle_and_multiples_of_a_quarter() {
        let number = f32::to_bits;
        assert_eq!(sine(f32::MAX.to_bits()), number(-0.521_876_5));
        assert_eq!(cosine(f32::MAX.to_bits()), number(0.853_021));
        // The nearest number to π: its sine is the difference.
        assert_eq!(sine(number(std::f32::consts::PI)), number(-8.742_278e-8));
        assert_eq!(cosine(number(std::f32::consts::FRAC_PI_2)), number(-4.371_139e-8));
        assert_eq!(cosine(number(-std::f32::consts::PI)), number(-1.0));
    }

    #[test]
    fn limits() {
        let tiny = f32::to_bits(1e-12);
        assert_eq!([0, zero(true), 1, tiny, NAN].map(sine), [0, zero(true), 0, tiny, NAN]);
        assert_eq!([0x7f80_0000, 0xff80_0000].map(sine), [NAN; 2]);
        assert_eq!([0, zero(true), tiny, 0xff80_0000].map(cosine), [one(false), one(false), one(false), NAN]);
    }
}
