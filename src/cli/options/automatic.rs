//! Values that are given, or measured in the input.

use super::size;
use dndi::{ChromaShift, ChromaShiftError, Rect, RectError};

/// The value of an option that can be `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Automatic<T> {
    /// It is measured.
    Auto,
    Given(T),
}

impl<T> Automatic<T> {
    fn parse<E>(text: &str, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<Automatic<T>, E> {
        if text == "auto" { Ok(Automatic::Auto) } else { parse(text).map(Automatic::Given) }
    }
}

/// `--crop X,Y,W,H` or `--crop auto`
pub fn crop(text: &str) -> Result<Automatic<Rect>, RectError> {
    Automatic::parse(text, size::crop)
}

/// `--chroma-shift X,Y` or `--chroma-shift auto`
pub fn chroma_shift(text: &str) -> Result<Automatic<ChromaShift>, ChromaShiftError> {
    Automatic::parse(text, str::parse)
}
