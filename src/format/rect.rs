//! Rectangles of a picture.
use std::fmt;
use std::str::FromStr;

/// A rectangle of a picture, in luma samples from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    /// The first column.
    pub x: usize,
    /// The first line.
    pub y: usize,
    /// The number of columns.
    pub width: usize,
    /// The number of lines.
    pub height: usize,
}

impl Rect {
    /// Whether the rectangle is not empty and lies within a picture of `size`.
    pub(crate) fn is_within(&self, size: (usize, usize)) -> bool {
        let fits =
            |first: usize, length: usize, whole: usize| length > 0 && first.checked_add(length).is_some_and(|end| end <= whole);
        fits(self.x, self.width, size.0) && fits(self.y, self.height, size.1)
    }
}

/// `x,y,width,height` in luma samples.
impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.x, self.y, self.width, self.height)
    }
}

/// `x,y,width,height`: decimal numbers of luma samples, without signs and spaces.
impl FromStr for Rect {
    type Err = RectError;

    fn from_str(text: &str) -> Result<Rect, RectError> {
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| plain).ok_or(RectError)
        };
        let numbers = text.split(',').map(number).collect::<Result<Vec<usize>, RectError>>()?;
        match *numbers {
            [x, y, width, height] => Ok(Rect { x, y, width, height }),
            _ => Err(RectError),
        }
    }
}

/// The text is not a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RectError;

impl fmt::Display for RectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write x,y,w,h in luma samples")
    }
}

impl std::error::Error for RectError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles() {
        let rect = Rect { x: 7, y: 5, width: 30, height: 21 };
        assert_eq!((rect.to_string().parse(), "7,5,30,21".parse()), (Ok(rect), Ok(rect)));
        for wrong in ["", "1,2,3", "1,2,3,4,5", "1,2,3,-4", "+1,2,3,4", "a,b,c,d", "1,2,3,99999999999999999999", "1,,3,4"] {
            assert_eq!(wrong.parse::<Rect>(), Err(RectError), "{wrong}");
        }
    }
}
