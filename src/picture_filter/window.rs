//! Windows of erosion and dilation (§13.9).
use crate::parameters::field::ParameterError;
use std::fmt;
use std::str::FromStr;

/// A window of 1×1 to 15×15 samples, all of them or those of a mask. The centre of an axis of n
/// samples is number n/2, counted from 0 and rounded down. A window whose mask is empty changes
/// nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterWindow {
    width: usize,
    /// A mask for each line: bit i is column i.
    rows: Vec<u16>,
}

impl FilterWindow {
    /// The greatest width and height.
    pub const MAX_SIZE: usize = 15;

    /// A window of all samples.
    ///
    /// # Errors
    /// [`ParameterError::Conflict`] if a size is not 1 to 15.
    pub fn new(width: usize, height: usize) -> Result<FilterWindow, ParameterError> {
        let mask = 1u16.checked_shl(width.min(16) as u32).map_or(u16::MAX, |bit| bit - 1);
        // A wrong height is one in rows, too.
        FilterWindow::with_mask(width, vec![mask; height.min(FilterWindow::MAX_SIZE + 1)])
    }

    /// A window with a mask for each line, in which bit i stands for column i.
    ///
    /// # Errors
    /// [`ParameterError::Conflict`] if a size is not 1 to 15, or a mask has bits beyond the width.
    pub fn with_mask(width: usize, rows: Vec<u16>) -> Result<FilterWindow, ParameterError> {
        let sizes = 1..=FilterWindow::MAX_SIZE;
        if !sizes.contains(&width) || !sizes.contains(&rows.len()) {
            return Err(wrong("a window has 1 to 15 columns and 1 to 15 lines"));
        }
        if rows.iter().any(|row| row >> width != 0) {
            return Err(wrong("a mask has bits beyond the width of its window"));
        }
        Ok(FilterWindow { width, rows })
    }

    /// Columns and lines.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.rows.len())
    }

    /// The mask of each line.
    pub fn rows(&self) -> &[u16] {
        &self.rows
    }
}

fn wrong(message: &str) -> ParameterError {
    ParameterError::Conflict { fields: &[], message: message.to_owned() }
}

/// `WxH`, or `WxH:ROW,ROW…` with the mask of each line in hexadecimal digits.
impl FromStr for FilterWindow {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<FilterWindow, ParameterError> {
        const SYNTAX: &str = "write WxH, or WxH:ROW,ROW… with a hexadecimal mask for each of H lines";
        let (size, mask) = text.split_once(':').map_or((text, None), |(size, mask)| (size, Some(mask)));
        let (width, height) = size.split_once('x').ok_or_else(|| wrong(SYNTAX))?;
        let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let (width, height): (usize, usize) = number(width).zip(number(height)).ok_or_else(|| wrong(SYNTAX))?;
        let Some(mask) = mask else { return FilterWindow::new(width, height) };
        let row = |text: &str| {
            let plain = text.bytes().all(|byte| byte.is_ascii_hexdigit());
            u16::from_str_radix(text, 16).ok().filter(|_| plain)
        };
        let rows: Option<Vec<_>> = mask.split(',').map(row).collect();
        let rows = rows.filter(|rows| rows.len() == height).ok_or_else(|| wrong(SYNTAX))?;
        FilterWindow::with_mask(width, rows)
    }
}

/// The form that is parsed, with a mask.
impl fmt::Display for FilterWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<_> = self.rows.iter().map(|row| format!("{row:x}")).collect();
        write!(f, "{}x{}:{}", self.width, self.rows.len(), rows.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_parsed_and_written() {
        let window: FilterWindow = "3x2".parse().unwrap();
        assert_eq!((window.size(), window.rows()), ((3, 2), &[7, 7][..]));
        assert_eq!(window.to_string(), "3x2:7,7");
        let masked: FilterWindow = "15x3:7fff,0,1".parse().unwrap();
        assert_eq!((masked.size(), masked.rows()), ((15, 3), &[0x7fff, 0, 1][..]));
        assert_eq!(masked.to_string().parse(), Ok(masked));
        for wrong in [
            "",
            "3",
            "0x3",
            "3x0",
            "16x1",
            "1x16",
            "3x1:8",
            "3x2:1",
            "3x1:",
            "3x1:+1",
            "+3x1",
            "3x1:1,1",
            "99999999999999999999x1",
        ] {
            assert!(wrong.parse::<FilterWindow>().is_err(), "{wrong}");
        }
        assert!(FilterWindow::new(usize::MAX, 1).is_err() && FilterWindow::new(1, usize::MAX).is_err());
    }
}
