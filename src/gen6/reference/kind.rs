//! The type of a field: the values of its bits.
use super::value::ReferenceValue;

/// The type of a field that is one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Reserved,
    /// Shown in decimal.
    Unsigned,
    /// Shown in hexadecimal: masks, floats.
    Bits,
    Signed,
    /// The value is one more than the bits.
    MinusOne,
    /// The bits of an address from this one up.
    Address(u32),
}

/// The largest number of bits of a value that is a number. Wider ones are hexadecimal digits.
const LARGEST: u32 = 64;

/// Bits `at` to `at + width` of DWords, moved down to bit 0. The bits of a DWord that is missing
/// are 0.
pub(super) fn bits(dwords: &[u32], at: usize, width: u32) -> Vec<u32> {
    let count = (width as usize).div_ceil(32);
    let (first, shift) = (at / 32, at % 32);
    let dword = |n: usize| u64::from(dwords.get(first + n).copied().unwrap_or(0));
    let mut bits: Vec<u32> = (0..count).map(|n| ((dword(n) | dword(n + 1) << 32) >> shift) as u32).collect();
    if let (Some(last), used @ 1..) = (bits.last_mut(), width % 32) {
        *last &= (1 << used) - 1;
    }
    bits
}

/// Replaces bits `at` to `at + width` of DWords by the lowest bits of `value`. Bits of DWords that
/// are missing are dropped.
pub(super) fn set_bits(dwords: &mut [u32], at: usize, width: u32, value: &[u32]) {
    for bit in 0..width as usize {
        let set = value.get(bit / 32).is_some_and(|dword| dword >> (bit % 32) & 1 == 1);
        if let Some(dword) = dwords.get_mut((at + bit) / 32) {
            let mask = 1 << ((at + bit) % 32);
            *dword = *dword & !mask | if set { mask } else { 0 };
        }
    }
}

/// DWords of at most 128 bits as a number.
pub(super) fn number(bits: &[u32]) -> u128 {
    bits.iter().take(4).rev().fold(0, |number, &dword| number << 32 | u128::from(dword))
}

impl Kind {
    /// The type with this name in the tables; none for types that are several fields.
    pub fn of(name: &str) -> Option<Kind> {
        match name {
            "reserved" => return Some(Kind::Reserved),
            "enable" | "disable" => return Some(Kind::Unsigned),
            "bits" | "f32" | "f16" => return Some(Kind::Bits),
            _ => {}
        }
        if let Some(low) = name.strip_prefix("addr:") {
            return low.parse().ok().map(Kind::Address);
        }
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        match name.strip_prefix('u').map(|rest| rest.strip_suffix("-1").ok_or(rest)) {
            Some(Ok(rest)) if is_number(rest) => return Some(Kind::MinusOne),
            Some(Err(rest)) if is_number(rest) => return Some(Kind::Unsigned),
            _ => {}
        }
        name.strip_prefix('s').filter(|rest| is_number(rest)).map(|_| Kind::Signed)
    }

    /// The value of the bits of a field of `width` bits.
    pub fn value(self, bits: &[u32], width: u32) -> ReferenceValue {
        if width > LARGEST {
            return ReferenceValue::Bits(bits.to_vec());
        }
        let raw = number(bits) as i128;
        ReferenceValue::Number(match self {
            Kind::Bits => return ReferenceValue::Bits(bits.to_vec()),
            Kind::Reserved | Kind::Unsigned => raw,
            Kind::Signed if width > 0 && raw >> (width - 1) == 1 => raw - (1 << width),
            Kind::Signed => raw,
            Kind::MinusOne => raw + 1,
            Kind::Address(low) => raw.checked_shl(low).unwrap_or(0),
        })
    }

    /// The bits of a value; none if `width` bits do not hold it.
    pub fn bits(self, value: &ReferenceValue, width: u32) -> Option<Vec<u32>> {
        let value = match value {
            ReferenceValue::Number(value) => *value,
            ReferenceValue::Bits(bits) => {
                let used = bits
                    .iter()
                    .rposition(|&dword| dword != 0)
                    .map_or(0, |last| 32 * last as u32 + 32 - bits[last].leading_zeros());
                if self == Kind::Bits || width > LARGEST {
                    return (used <= width).then(|| bits.clone());
                }
                // A number in hexadecimal.
                if used > 127 {
                    return None;
                }
                number(bits) as i128
            }
        };
        let stored = match self {
            Kind::MinusOne => value.checked_sub(1)?,
            Kind::Address(low) => {
                let step = 1i128.checked_shl(low).filter(|&step| step > 0)?;
                (value % step == 0).then_some(value / step)?
            }
            _ => value,
        };
        let top = 1i128.checked_shl(if self == Kind::Signed { width.saturating_sub(1) } else { width }).filter(|&top| top > 0);
        let (least, most) = match (self, top) {
            (_, None) => (0, i128::MAX),
            (Kind::Signed, Some(top)) => (-top, top - 1),
            (_, Some(top)) => (0, top - 1),
        };
        (least..=most).contains(&stored).then(|| (0..4).map(|n| (stored >> (32 * n)) as u32).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types() {
        let kinds = ["u8", "u4.8", "u9-1", "s7", "s2.10", "addr:12", "enable", "f16", "bits", "reserved"].map(Kind::of);
        use Kind::{Address, Bits, MinusOne, Reserved, Signed, Unsigned};
        let expected = [Unsigned, Unsigned, MinusOne, Signed, Signed, Address(12), Unsigned, Bits, Bits, Reserved];
        assert_eq!(kinds, expected.map(Some));
        assert_eq!(["u8[4]", "struct:A", "s", "u", "addr:x", ""].map(Kind::of), [None; 6]);
    }

    #[test]
    fn bits_cross_dwords() {
        let mut dwords = [0xffff_ffff; 3];
        set_bits(&mut dwords, 20, 48, &[0x1234_5678, 0x9abc]);
        assert_eq!(dwords, [0x678f_ffff, 0xabc1_2345, 0xffff_fff9]);
        assert_eq!(bits(&dwords, 20, 48), [0x1234_5678, 0x9abc]);
        assert_eq!((bits(&dwords, 92, 8), bits(&dwords, 4096, 64), bits(&dwords, 0, 0)), (vec![15], vec![0, 0], vec![]));
        set_bits(&mut dwords, 95, 40, &[0, 0]);
        assert_eq!(dwords[2], 0x7fff_fff9);
    }

    #[test]
    fn values_and_their_bits() {
        let round_trip = |kind: Kind, width: u32, value: i128, bits: u32| {
            let value = ReferenceValue::Number(value);
            assert_eq!(kind.bits(&value, width).map(|bits| number(&bits) as u32 & (u32::MAX >> (32 - width))), Some(bits));
            assert_eq!(kind.value(&[bits], width), value);
        };
        round_trip(Kind::Signed, 8, -128, 0x80);
        round_trip(Kind::Signed, 1, -1, 1);
        round_trip(Kind::MinusOne, 4, 16, 15);
        round_trip(Kind::Address(12), 20, 0xffff_f000, 0xf_ffff);
        let refused = |kind: Kind, width: u32, value: i128| kind.bits(&ReferenceValue::Number(value), width).is_none();
        assert!(refused(Kind::Signed, 8, 128) && refused(Kind::Signed, 8, -129) && refused(Kind::Unsigned, 8, -1));
        assert!(refused(Kind::MinusOne, 4, 0) && refused(Kind::MinusOne, 4, 17) && refused(Kind::MinusOne, 64, i128::MIN));
        assert!(refused(Kind::Address(12), 20, 0x800) && refused(Kind::Address(200), 20, 4096));
        let wide = ReferenceValue::Bits(vec![0, 0, 3]);
        assert_eq!([66, 65].map(|width| Kind::Unsigned.bits(&wide, width).is_some()), [true, false]);
        assert!(Kind::Unsigned.bits(&wide, 64).is_none() && Kind::Bits.bits(&ReferenceValue::Bits(vec![255]), 8).is_some());
    }
}
