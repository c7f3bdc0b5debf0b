//! State files: hardware state as hex DWords, in the layout in which a driver writes it (§8.2).

use super::is_standard;
use crate::error::CliError;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The longest state file, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The DWords in the file `path`, exactly `N`.
pub fn read<const N: usize>(path: &Path) -> Result<[u32; N], CliError> {
    let (name, state) = (path.display(), read_any(path)?);
    let count = state.len();
    state.try_into().map_err(|_| CliError::usage(format_args!("{name}: {count} DWords, {N} are needed")))
}

/// The DWords in the file `path`.
pub fn read_any(path: &Path) -> Result<Vec<u32>, CliError> {
    let name = path.display();
    if is_standard(path) {
        return Err(CliError::usage("options of hardware state and of tables need a file; they cannot read stdin (-)"));
    }
    let wrong = |message| CliError::usage(format_args!("{name}: {message}"));
    dwords(&load(path, wrong)?).map_err(wrong)
}

/// The contents of a file, `-` for stdin. `wrong` makes the error if it is too long.
pub fn load(path: &Path, wrong: impl Fn(String) -> CliError) -> Result<Vec<u8>, CliError> {
    let mut text = Vec::new();
    let read = match is_standard(path) {
        true => io::stdin().lock().take(MAX_FILE + 1).read_to_end(&mut text),
        false => File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut text)),
    };
    read.map_err(|error| CliError::runtime(format_args!("cannot read {}: {error}", path.display())))?;
    if text.len() as u64 > MAX_FILE { Err(wrong(format!("the state file has more than {MAX_FILE} bytes"))) } else { Ok(text) }
}

/// The DWords in a text, separated by blanks, newlines or commas, with or without `0x`. The error
/// names the first that is invalid.
pub fn dwords(text: &[u8]) -> Result<Vec<u32>, String> {
    let words = text.split(|byte| byte.is_ascii_whitespace() || *byte == b',').filter(|word| !word.is_empty());
    let parse = |(number, word): (usize, &[u8])| {
        dword(word).ok_or_else(|| {
            let found = word[..word.len().min(24)].escape_ascii();
            format!("DWord {number} (counted from 0) must be up to 8 hex digits, found \"{found}\"")
        })
    };
    words.enumerate().map(parse).collect()
}

fn dword(word: &[u8]) -> Option<u32> {
    let word = std::str::from_utf8(word).ok()?;
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")).unwrap_or(word);
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dwords() {
        assert_eq!([&b"0xffFF0001"[..], b"12", b"0X0"].map(dword), [Some(0xffff0001), Some(0x12), Some(0)]);
        assert_eq!([&b"0x"[..], b"+1", b"123456789", b"g", b"0x0x1", b"\xff"].map(dword), [None; 6]);
    }
}
