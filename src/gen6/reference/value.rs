//! The value of a field.
use super::error::ReferenceError;
use std::fmt;
use std::str::FromStr;

/// The value of a field: a whole number, or the bits of a mask, a float or a field of more than 64
/// bits, which are shown in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReferenceValue {
    /// A number.
    Number(i128),
    /// DWords, the lowest first.
    Bits(Vec<u32>),
}

impl fmt::Display for ReferenceValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReferenceValue::Number(value) => write!(f, "{value}"),
            ReferenceValue::Bits(dwords) => {
                let mut dwords = dwords.iter().rev().skip_while(|&&dword| dword == 0);
                write!(f, "{:#x}", dwords.next().unwrap_or(&0))?;
                dwords.try_for_each(|dword| write!(f, "{dword:08x}"))
            }
        }
    }
}

impl FromStr for ReferenceValue {
    type Err = ReferenceError;

    /// Reads a decimal number, or a hexadecimal one after `0x`.
    fn from_str(text: &str) -> Result<ReferenceValue, ReferenceError> {
        let wrong = || ReferenceError::Number { text: text.to_owned() };
        match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                let chunk = |digits: &[u8]| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
                let dwords: Option<Vec<u32>> = digits.as_bytes().rchunks(8).map(chunk).collect();
                dwords.map(ReferenceValue::Bits).ok_or_else(wrong)
            }
            Some(_) => Err(wrong()),
            None => text.parse().map(ReferenceValue::Number).map_err(|_| wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let parse = |text: &str| text.parse::<ReferenceValue>().map(|value| value.to_string());
        let same =
            ["0", "-5", "340282366920938463463374607431768211", "0x0", "0x1f", "0x100000000", "0x123456789abcdef0123456789"];
        assert_eq!(same.map(parse), same.map(|text| Ok(text.to_owned())));
        assert_eq!([parse("0X00000000A"), parse("+7")], [Ok("0xa".to_owned()), Ok("7".to_owned())]);
        for text in ["", "0x", "1.5", "0x-1", "0x+1", "ten", "0xg", "999999999999999999999999999999999999999999"] {
            assert_eq!(parse(text), Err(ReferenceError::Number { text: text.to_owned() }));
        }
    }
}
