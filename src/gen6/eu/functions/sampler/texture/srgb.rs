//! Linear values of the codes of `_SRGB` formats (§10.3).
use std::sync::LazyLock;

/// Bits of a code, at most.
const MAX_BITS: usize = 10;

/// For each number of bits, the value of each code.
static LINEAR: LazyLock<[Vec<f32>; MAX_BITS + 1]> = LazyLock::new(|| {
    std::array::from_fn(|bits| {
        let last = (1_u32 << bits) - 1;
        (0..=last).map(|code| curve(f64::from(code) / f64::from(last.max(1)))).collect()
    })
});

/// The linear value of a code of `bits` bits, at most 10.
pub(super) fn linear(code: u32, bits: u32) -> f64 {
    let values = LINEAR.get(bits as usize).and_then(|values| values.get(code as usize));
    values.copied().map_or(0.0, f64::from)
}

/// The linear value of an encoded one, 0 to 1, rounded to the nearest 32-bit float.
///
/// No value that a format has is so close to the middle of two floats that the error of this
/// computation, some units in the 53rd bit, could change the result. A test compares all of them.
fn curve(encoded: f64) -> f32 {
    if encoded <= 0.04045 {
        return (encoded / 12.92) as f32;
    }
    // x^2.4 = x^2 · (x^2)^(1/5). The root by Newton's method needs basic operations only, which
    // every processor rounds alike.
    let x = (encoded + 0.055) / 1.055;
    let square = x * x;
    let mut root = 1.0;
    for _ in 0..32 {
        let fourth = root * root * root * root;
        root = (4.0 * root + square / fourth) / 5.0;
    }
    (square * root) as f32
}
