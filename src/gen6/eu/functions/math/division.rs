//! Integer division (§11.1).

/// Quotient, rounded to zero, and remainder, which has the sign of `a`.
pub(super) fn divide(a: u32, b: u32, signed: bool) -> (u32, u32) {
    if !signed {
        return (a.checked_div(b).unwrap_or(u32::MAX), a.checked_rem(b).unwrap_or(u32::MAX));
    }
    let (a, b) = (a as i32, b as i32);
    if b == 0 {
        let largest = if a < 0 { i32::MIN } else { i32::MAX } as u32;
        return (largest, largest);
    }
    (a.wrapping_div(b) as u32, a.wrapping_rem(b) as u32)
}

#[cfg(test)]
mod tests {
    use super::divide;

    #[test]
    fn signs_and_limits() {
        let signed = |a: i32, b: i32| divide(a as u32, b as u32, true);
        let pair = |a: i32, b: i32| (a as u32, b as u32);
        assert_eq!([signed(7, 2), signed(-7, 2)], [pair(3, 1), pair(-3, -1)]);
        assert_eq!([signed(7, -2), signed(-7, -2)], [pair(-3, 1), pair(3, -1)]);
        assert_eq!([signed(5, 0), signed(-5, 0)], [pair(i32::MAX, i32::MAX), pair(i32::MIN, i32::MIN)]);
        assert_eq!(signed(i32::MIN, -1), pair(i32::MIN, 0));
        assert_eq!([divide(0xffff_fff9, 2, false), divide(9, 0, false)], [(0x7fff_fffc, 1), (u32::MAX, u32::MAX)]);
    }
}
