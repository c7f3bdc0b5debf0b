//! Single tokens of the stream header: numbers, sizes and ratios.
use super::{Error, excerpt};
use crate::format::MAX_SIZE;

/// Width and height of a sample; none if unknown.
pub(super) fn aspect(token: &[u8]) -> Option<(u32, u32)> {
    let mut parts = token[1..].splitn(2, |&byte| byte == b':').map(number);
    let (across, down) = (parts.next()??, parts.next()??);
    (across > 0 && down > 0).then_some((across, down))
}

/// A ratio of numbers above 0 in lowest terms. Many programs read the numbers as `int`, so that the
/// last bits of numbers above 31 bits are dropped.
pub(super) fn reduced(a: u64, b: u64) -> (u64, u64) {
    let common = greatest_common_divisor(a, b);
    let (mut a, mut b) = (a / common, b / common);
    while a.max(b) > i32::MAX as u64 {
        (a, b) = ((a >> 1).max(1), (b >> 1).max(1));
    }
    (a, b)
}

/// The greatest common divisor of two numbers that are not both 0.
pub(super) fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// A decimal number without sign; none for other text or a number above 32 bits.
fn number(digits: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok()?;
    if digits.starts_with('+') { None } else { digits.parse().ok() }
}

/// Width or height.
pub(super) fn size(token: &[u8]) -> Result<usize, Error> {
    let digits = &token[1..];
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Error::BadTag { token: excerpt(token) });
    }
    let size = number(digits).and_then(|size| usize::try_from(size).ok()).filter(|size| (1..=MAX_SIZE).contains(size));
    size.ok_or_else(|| Error::Size { token: excerpt(token) })
}

/// A frame rate; none if unknown, that is if the numerator is 0.
pub(super) fn rate(token: &[u8]) -> Result<Option<(u32, u32)>, Error> {
    let mut parts = token[1..].splitn(2, |&byte| byte == b':').map(number);
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(0), Some(_)) => Ok(None),
        (Some(num), Some(den)) if den > 0 => Ok(Some((num, den))),
        _ => Err(Error::BadTag { token: excerpt(token) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_sign() {
        assert_eq!([&b"0"[..], b"0012", b"4294967295"].map(number), [Some(0), Some(12), Some(u32::MAX)]);
        assert_eq!([&b""[..], b"+1", b"-1", b"1 ", b"4294967296", b"\xff"].map(number), [None; 6]);
    }

    #[test]
    fn ratios_fit_an_int() {
        assert_eq!(reduced(32, 30), (16, 15));
        assert_eq!(reduced(i32::MAX as u64, 1), (i32::MAX as u64, 1));
        assert_eq!(reduced(1, 1 << 31), (1, 1 << 30));
        assert_eq!(reduced((1 << 58) + 1, 3), ((1 << 30), 1));
    }
}
