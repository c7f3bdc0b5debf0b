//! Absurd numbers through the public interface: sizes, strides, addresses, counts and real numbers
//! at the ends of their types. Each call returns an error or a value. None panics, overflows,
//! divides by zero, aborts for lack of memory, or runs on. The test profile checks overflow.
//!
//! Functions whose documentation says that they panic do so before they allocate.
mod convert;
mod covered;
mod detector;
mod format;
#[cfg(feature = "gen6")]
mod gen6;
mod parameters;
mod repair;
mod stream;
mod y4m;

use dndi::{Frame, MAX_SIZE, Sampling};
use std::panic::{UnwindSafe, catch_unwind};

/// Sizes and positions.
const SIZES: [usize; 16] = [
    0,
    1,
    2,
    3,
    MAX_SIZE - 1,
    MAX_SIZE,
    MAX_SIZE + 1,
    u32::MAX as usize / 2,
    u32::MAX as usize,
    1 << (usize::BITS / 2),
    usize::MAX / 8,
    1 << (usize::BITS - 2),
    usize::MAX / 2,
    1 << (usize::BITS - 1),
    usize::MAX - 1,
    usize::MAX,
];

/// Numbers of 32 bits.
const WORDS: [u32; 9] = [0, 1, 31, 32, 255, 1 << 16, 1 << 31, u32::MAX - 1, u32::MAX];

/// Numbers of 64 bits.
const LONG: [u64; 9] = [0, 1, 3, 1 << 32, 1 << 56, (1 << 62) + 1, 1 << 63, u64::MAX - 3, u64::MAX];

/// Values of parameters and fields.
const VALUES: [i64; 9] = [i64::MIN, i64::MIN + 1, i32::MIN as i64 - 1, -1, 0, 256, i32::MAX as i64 + 1, i64::MAX - 1, i64::MAX];

/// Real numbers.
const REALS: [f64; 11] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    f64::EPSILON,
    -0.0,
    1e9,
    -1e9,
    u64::MAX as f64,
];

const SAMPLINGS: [Sampling; 5] = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];

/// All pairs of two numbers.
fn pairs<T: Copy>(numbers: &[T]) -> impl Iterator<Item = (T, T)> {
    numbers.iter().flat_map(move |&a| numbers.iter().map(move |&b| (a, b)))
}

/// Whether a call panics, as its documentation says.
fn panics<T>(call: impl FnOnce() -> T + UnwindSafe) -> bool {
    catch_unwind(call).is_err()
}

/// Fills a frame with a texture that depends on `seed`.
fn texture(mut frame: Frame, seed: usize) -> Frame {
    frame.data_mut().iter_mut().enumerate().for_each(|(i, sample)| *sample = (i * (seed + 3) / 7 + i % (seed + 2) * 40) as u8);
    frame
}
